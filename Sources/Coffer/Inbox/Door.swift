import CofferDatabase

/// The one way in: everything that comes from outside goes through `apply`.
///
/// It lives for one transaction. What it keeps in memory follows the savepoints: an item changes it
/// only after its savepoint was released.
struct Door {
  enum Outcome {
    case inserted
    case updated
    case duplicate
    case quarantined
  }

  var directory: Directory
  var counter: ChangeCounter
  let gaps: Gaps
  let now: Int64
  private let statements: DoorStatements

  init(_ connection: borrowing Connection, now: Int64) throws(DatabaseError) {
    directory = try Directory(connection)
    counter = try ChangeCounter(connection)
    gaps = try Gaps(connection)
    statements = try DoorStatements(connection)
    self.now = now
  }

  /// Writes back what the items changed; the last step before the commit.
  mutating func close(_ connection: borrowing Connection) throws(DatabaseError) {
    try directory.save(&counter)
    try counter.save(connection)
  }

  // MARK: One item

  mutating func apply(
    _ arrival: Arrival, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    switch arrival {
    case .item(let item):
      if let fault = item.envelope.fault {
        return try quarantine(item, fault, holding: false, in: connection)
      }
      do throws(DatabaseError) { return try apply(item, in: connection) } catch {
        // A broken rule of one row is that item's fault; a full disk or damage ends the page.
        if error.kind.isFatal { throw error }
        return try quarantine(item, .refused, holding: true, in: connection)
      }
    case .spoilt(let item):
      let isNew = try Quarantine.keep(item.raw, item.reason, inbox: item.inbox, now, connection)
      if let envelope = item.envelope, envelope.fault == nil {
        try hold(envelope, in: connection)
      }
      return isNew ? .quarantined : .duplicate
    }
  }

  private mutating func apply(
    _ item: Item, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let envelope = item.envelope
    guard let seq = envelope.seq else {
      return try quarantine(item, .unknownField, holding: false, in: connection)
    }
    guard let place = try place(of: envelope, in: connection) else {
      return try quarantine(item, .jump, holding: false, in: connection)
    }
    let conversation = directory.conversations[place]
    // What was removed on purpose, or lies before our time, never comes back.
    if seq < conversation.floor { return .duplicate }
    let sender = try directory.account(envelope.sender, &counter, in: connection)

    // Above the highest seq known nothing is held, so only what lies below is looked up.
    var isPlaceholder = false
    if seq <= conversation.maxSeq,
      let holder = try statements.holder(of: seq, in: conversation.id)
    {
      guard holder.id == envelope.id.bytes, holder.sender == sender else {
        return try quarantine(item, .seqTaken, holding: false, in: connection)
      }
      if let row = holder.message {
        guard try statements.differs(row, from: item.body) else { return .duplicate }
        return try quarantine(item, .otherBody, holding: false, in: connection)
      }
      // An event of this very id only keeps its place: nothing of it was applied so far.
      isPlaceholder = true
    }
    if let fault = item.body.fault {
      return try quarantine(item, fault, holding: true, in: connection)
    }
    return try store(
      item, at: place, from: sender, replacingEvent: isPlaceholder, in: connection)
  }

  /// Where the item's conversation is in the directory; nothing where its seq jumps too far, which
  /// is judged before the conversation is made.
  private mutating func place(
    of envelope: Envelope, in connection: borrowing Connection
  ) throws(DatabaseError) -> Int? {
    let known = try directory.find(envelope.conversation)
    let top = known.map { directory.conversations[$0].maxSeq } ?? 0
    guard (envelope.seq ?? 0) - top <= ItemLimits.jump else { return nil }
    if let known { return known }
    return try directory.findOrMake(envelope.conversation, &counter, in: connection)
  }

  private mutating func store(
    _ item: Item, at place: Int, from sender: Int64, replacingEvent: Bool,
    in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let conversation = directory.conversations[place]
    let seq = item.envelope.seq ?? 0
    let isOwn = sender == Directory.ownAccount
    let changed = counter.next()
    let isNew = try connection.savepoint { () throws(DatabaseError) -> Bool in
      try statements.insert(
        item, into: conversation.id, from: sender, state: isOwn ? .sent : .incoming, now, changed)
      guard connection.changes == 1 else { return false }
      if replacingEvent { try statements.dropEvent(at: seq, in: conversation.id) }
      return true
    }
    guard isNew else {
      return try meet(item, at: place, from: sender, in: connection)
    }
    try occupy(seq, at: place, changed)
    let row = connection.lastInsertedRow
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
    return .inserted
  }

  /// The item's id and sender have a row already, at no seq or at another one.
  private mutating func meet(
    _ item: Item, at place: Int, from sender: Int64, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let envelope = item.envelope
    let conversation = directory.conversations[place]
    guard let row = try statements.row(of: envelope.id, from: sender) else {
      // Neither unique key explains the conflict, so the indexes contradict the table.
      throw DatabaseError(.corrupt, "insert")
    }
    if row.conversation != conversation.id {
      return try quarantine(item, .otherConversation, holding: true, in: connection)
    }
    if try statements.differs(row.id, from: item.body) {
      return try quarantine(item, .otherBody, holding: true, in: connection)
    }
    if row.seq == nil {
      try promote(row.id, to: envelope.seq ?? 0, at: place, in: connection)
      return .updated
    }
    // The row stays where it is; the second seq is held too, by an event that says so.
    try hold(envelope, as: .repeated, in: connection)
    return .duplicate
  }

  // MARK: Seqs

  /// Gives our own row its seq, in place of an event of its id that kept it: it is sent.
  mutating func promote(
    _ row: Int64, to seq: Int64, at place: Int, in connection: borrowing Connection
  ) throws(DatabaseError) {
    let changed = counter.next()
    let conversation = directory.conversations[place].id
    try connection.savepoint { () throws(DatabaseError) in
      try statements.dropEvent(at: seq, in: conversation)
      try statements.promote(row, to: seq, changed)
    }
    try occupy(seq, at: place, changed)
    let newest = try statements.newest(of: conversation)
    directory.update(place) { state in
      state.newestID = newest?.id
      state.newestSeq = newest?.seq
      state.activeAt = now
    }
  }

  /// Whether a seq is another's than that of our own event, which has no row there yet.
  func isTaken(
    _ seq: Int64, in conversation: Int64, besides id: EventID
  ) throws(DatabaseError) -> Bool {
    guard let holder = try statements.holder(of: seq, in: conversation) else { return false }
    return holder.message != nil || holder.id != id.bytes || holder.sender != Directory.ownAccount
  }

  /// Whether anything has this seq, a message or an event.
  private func isHeld(_ seq: Int64, in conversation: Int64) throws(DatabaseError) -> Bool {
    try statements.holder(of: seq, in: conversation) != nil
  }

  /// Takes a seq out of the gaps, and records one for every seq it jumped over.
  private mutating func occupy(_ seq: Int64, at place: Int, _ changed: Int64) throws(DatabaseError)
  {
    let conversation = directory.conversations[place]
    if seq <= conversation.maxSeq {
      try gaps.subtract(seq...seq, of: conversation.id, changed: changed)
      return
    }
    let expected = max(conversation.maxSeq + 1, conversation.floor)
    if seq > expected {
      try gaps.add(expected...(seq - 1), .open, to: conversation.id, changed: changed)
    }
    directory.update(place) { $0.maxSeq = seq }
  }

  /// Has an event row hold the seq of an item that is no message row, unless something holds it.
  private mutating func hold(
    _ envelope: Envelope, as kind: EventKind = .unreadable, in connection: borrowing Connection
  ) throws(DatabaseError) {
    guard let seq = envelope.seq, let place = try place(of: envelope, in: connection) else {
      return
    }
    let conversation = directory.conversations[place]
    if seq < conversation.floor { return }
    if try isHeld(seq, in: conversation.id) { return }
    let sender = try directory.account(envelope.sender, &counter, in: connection)
    let changed = counter.next()
    try connection.savepoint { () throws(DatabaseError) in
      try statements.insertEvent(envelope, kind, into: conversation.id, from: sender, changed)
    }
    try occupy(seq, at: place, changed)
  }

  private mutating func quarantine(
    _ item: Item, _ reason: QuarantineReason, holding: Bool, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let isNew = try Quarantine.keep(
      item.json, reason, inbox: item.envelope.inbox, now, connection)
    if holding { try hold(item.envelope, in: connection) }
    return isNew ? .quarantined : .duplicate
  }
}

/// What an `events` row holds.
enum EventKind: Int64 {
  /// An item that could not be read; its bytes are in quarantine.
  case unreadable = 1
  /// A second seq of a message that has its row at another one.
  case repeated = 2
}
