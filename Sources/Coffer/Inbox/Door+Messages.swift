import CofferDatabase

extension Door {
  /// Makes the row of a message, or recognises the one it has.
  mutating func store(
    _ item: Item, _ text: String, _ reply: MessageReference?, at seq: Int64, of place: Int,
    from sender: Int64, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let conversation = directory.conversations[place]
    let isOwn = sender == Directory.ownAccount
    let state = isOwn ? try reachedState(of: seq, at: place) : .incoming
    let content = MessageContent(reply: reply).encoded
    let changed = counter.next()
    let isNew = try connection.savepoint { () throws(DatabaseError) -> Bool in
      try statements.insert(
        item.envelope, text, content, at: seq, in: conversation.id, from: sender, state: state, now,
        changed)
      guard connection.changes == 1 else { return false }
      // A placeholder of this very event made room for it.
      if seq <= conversation.maxSeq { try statements.dropEvent(at: seq, in: conversation.id) }
      return true
    }
    guard isNew else {
      return try meet(item, at: seq, of: place, from: sender, in: connection)
    }
    let row = connection.lastInsertedRow
    try occupy(seq, of: place, changed)
    directory.update(place) { state in
      if !isOwn, seq > state.readSeq { state.unread += 1 }
      // What is pending stays last; a backfilled message never becomes the preview.
      let pendingIsLast = state.newestID != nil && state.newestSeq == nil
      if !pendingIsLast, seq > state.newestSeq ?? 0 {
        state.newestID = row
        state.newestSeq = seq
      }
      state.activeAt = now
    }
    if anyWaits {
      try applyWaiting(to: row, item.envelope.id, from: sender, at: place, in: connection)
    }
    return .inserted
  }

  /// The item's id and sender have a row already, at no seq or at another one.
  private mutating func meet(
    _ item: Item, at seq: Int64, of place: Int, from sender: Int64,
    in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    guard let row = try statements.row(of: item.envelope.id, from: sender) else {
      // Neither unique key explains the conflict, so the indexes contradict the table.
      throw DatabaseError(.corrupt, "insert")
    }
    if row.conversation != directory.conversations[place].id {
      return try quarantine(item, .otherConversation, holding: true, in: connection)
    }
    if try statements.differs(row.id, from: item.body) {
      return try quarantine(item, .otherBody, holding: true, in: connection)
    }
    return try settle(row, item.envelope, at: seq, of: place, in: connection)
  }

  /// Gives a row its seq, or has an event hold the second one of a row that has one already.
  mutating func settle(
    _ row: DoorStatements.Known, _ envelope: Envelope, at seq: Int64, of place: Int,
    in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    guard row.seq != nil else {
      try promote(row.id, to: seq, of: place, in: connection)
      return .updated
    }
    // The row stays where it is; the second seq is held too, by an event that says so.
    try repeated(envelope, at: seq, of: place, in: connection)
    return .duplicate
  }

  /// Holds the second seq of an event, in place of what only kept it.
  mutating func repeated(
    _ envelope: Envelope, at seq: Int64, of place: Int, in connection: borrowing Connection
  ) throws(DatabaseError) {
    try statements.dropPlaceholder(at: seq, in: directory.conversations[place].id)
    try hold(envelope, as: .repeated, at: seq, of: place, in: connection)
  }

  /// Gives our own row its seq, in place of an event of its id that kept it: it is sent.
  mutating func promote(
    _ row: Int64, to seq: Int64, of place: Int, in connection: borrowing Connection
  ) throws(DatabaseError) {
    let changed = counter.next()
    let conversation = directory.conversations[place]
    let state = try reachedState(of: seq, at: place)
    try connection.savepoint { () throws(DatabaseError) in
      try statements.dropEvent(at: seq, in: conversation.id)
      try statements.promote(row, to: seq, state, changed)
    }
    try occupy(seq, of: place, changed)
    try refreshNewest(at: place)
    directory.update(place) { $0.activeAt = now }
    try announceDelete(of: row, in: conversation, connection)
  }

  /// Sends the delete of a message that was deleted here, given up, and turns out to be there.
  private mutating func announceDelete(
    of row: Int64, in conversation: Directory.Conversation, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    guard let id = try statements.deletedWithoutWord(row) else { return }
    let target = MessageReference(sender: try statements.ownAddress(), id: EventID(id))
    try statements.queueDelete(
      options.makeID().bytes, in: conversation.id, of: row, Event.delete(target).encodedContent, now
    )
  }

  /// The server's word that an event of this device has its place.
  mutating func accept(
    _ item: Item, at seq: Int64, of place: Int, from sender: Int64,
    in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let id = item.envelope.id
    guard sender == Directory.ownAccount else {
      return try quarantine(item, .foreignAuthor, holding: true, in: connection)
    }
    let conversation = directory.conversations[place].id
    if let row = try statements.row(of: id, from: sender) {
      guard row.conversation == conversation else {
        return try quarantine(item, .otherConversation, holding: true, in: connection)
      }
      return try settle(row, item.envelope, at: seq, of: place, in: connection)
    }
    if let queued = try statements.queued(id, in: conversation) {
      guard let event = Event(content: queued) else {
        throw DatabaseError(.corrupt, "read outbox")
      }
      return try apply(event, of: item, at: seq, of: place, from: sender, in: connection)
    }
    if try statements.isHeld(id, from: sender, in: conversation) {
      try repeated(item.envelope, at: seq, of: place, in: connection)
      return .duplicate
    }
    return try quarantine(item, .unknownAcceptance, holding: true, in: connection)
  }

  /// An item at a seq that is not held any more, or never was to be.
  ///
  /// What we sent ourselves may have got a seq that was cleared meanwhile: it leaves the outbox, and
  /// the row goes where the person sent everything around it.
  mutating func settleBelowFloor(
    _ item: Item, at seq: Int64, of place: Int, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let conversation = directory.conversations[place]
    let sender = try directory.account(item.envelope.sender, &counter, in: connection)
    guard sender == Directory.ownAccount, seq <= conversation.clearedSeq else { return .duplicate }
    if let row = try statements.row(of: item.envelope.id, from: sender), row.seq == nil,
      row.conversation == conversation.id
    {
      try connection.savepoint { () throws(DatabaseError) in
        try statements.remove(row.id)
      }
      try refreshNewest(at: place)
      return .updated
    }
    guard try statements.queued(item.envelope.id, in: conversation.id) != nil else {
      return .duplicate
    }
    try statements.dropQueued(item.envelope.id)
    return .updated
  }

  mutating func refreshNewest(at place: Int) throws(DatabaseError) {
    let newest = try statements.source.newestMessage(of: directory.conversations[place].id)
    directory.update(place) { state in
      state.newestID = newest?.id
      state.newestSeq = newest?.seq
    }
  }
}

extension Door {
  /// Whether a seq is another's than that of our own event, which has no row there yet.
  func isTaken(
    _ seq: Int64, in conversation: Int64, besides id: EventID
  ) throws(DatabaseError) -> Bool {
    guard let holder = try statements.holder(of: seq, in: conversation) else { return false }
    if holder.kind == EventKind.none { return false }
    return holder.kind?.isPlaceholder != true || holder.id != id.bytes
      || holder.sender != Directory.ownAccount
  }
}
