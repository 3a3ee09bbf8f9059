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
    /// It is held, and takes effect once its message is here.
    case waiting
    case quarantined
    /// The very same bytes are in quarantine already.
    case quarantinedBefore
  }

  var directory: Directory
  var counter: ChangeCounter
  let gaps: Gaps
  let options: Store.Options
  let now: Int64
  let statements: DoorStatements
  /// Whether any event waits for its message, so that most messages ask nobody.
  var anyWaits: Bool
  /// Conversations that lost a gap: what waits there may wait for nothing.
  var narrowed: Set<Int> = []
  /// How far every other member has a conversation, by its place in the directory.
  var reached: [Int: Reached] = [:]
  /// The raw form of the item at hand, where it comes from quarantine.
  var retried: [UInt8]?
  /// Whether a text was erased: the WAL still has it.
  var hasErased = false

  init(_ connection: borrowing Connection, _ options: Store.Options) throws(DatabaseError) {
    directory = try Directory(connection)
    counter = try ChangeCounter(connection)
    gaps = try Gaps(connection)
    statements = try DoorStatements(connection)
    self.options = options
    now = options.clock()
    anyWaits = try statements.anyWaits()
  }

  /// Writes back what the items changed; the last step before the commit.
  mutating func close(_ connection: borrowing Connection) throws(DatabaseError) {
    try dropWhatWaitsForNothing()
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
      return isNew ? .quarantined : .quarantinedBefore
    }
  }

  private mutating func apply(
    _ item: Item, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    if let fault = item.body.fault ?? item.seqFault {
      return try quarantine(item, fault, holding: true, in: connection)
    }
    guard let place = try place(of: item.envelope, in: connection) else {
      return try quarantine(item, .jump, holding: false, in: connection)
    }
    switch item.body {
    case .event(.receipt(let receipt)):
      return try apply(receipt, of: item, at: place, in: connection)
    case .expunged(let range):
      return try expunge(range, of: item, at: place, in: connection)
    case .event, .accepted:
      // A receipt of ours that the server accepted: nothing is left to do.
      guard let number = item.envelope.seq else { return .duplicate }
      guard let seq = directory.conversations[place].local(number) else {
        return try quarantine(item, .jump, holding: false, in: connection)
      }
      return try apply(item, at: seq, of: place, in: connection)
    }
  }

  /// Judges an item by its seq and id, and lets in what is new.
  mutating func apply(
    _ item: Item, at seq: Int64, of place: Int, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let conversation = directory.conversations[place]
    // What was removed on purpose, or lies before our time, never comes back.
    if seq < conversation.floor {
      return try settleBelowFloor(item, at: seq, of: place, in: connection)
    }
    let sender = try directory.account(item.envelope.sender, &counter, in: connection)

    // Above the highest seq known nothing is held, so only what lies below is looked up.
    if seq <= conversation.maxSeq,
      let holder = try statements.holder(of: seq, in: conversation.id)
    {
      let isSame = holder.id == item.envelope.id.bytes && holder.sender == sender
      guard isSame || holder.kind == EventKind.none else {
        return try quarantine(item, .seqTaken, holding: false, in: connection)
      }
      if holder.kind?.isPlaceholder != true {
        guard try statements.differs(holder, at: seq, in: conversation.id, from: item.body) else {
          return .duplicate
        }
        return try quarantine(item, .otherBody, holding: false, in: connection)
      }
      // It only keeps the place: nothing of the event was applied so far.
    }
    switch item.body {
    case .event(.message(let text, let reply)):
      return try store(
        item, text, reply, at: seq, of: place, from: sender, in: connection)
    case .accepted:
      return try accept(item, at: seq, of: place, from: sender, in: connection)
    case .event(let event):
      return try apply(event, of: item, at: seq, of: place, from: sender, in: connection)
    case .expunged: return .duplicate
    }
  }

  /// Where the item's conversation is in the directory; nothing where its seq jumps too far, which
  /// is judged before the conversation is made.
  mutating func place(
    of envelope: Envelope, in connection: borrowing Connection
  ) throws(DatabaseError) -> Int? {
    if let known = try directory.find(envelope.conversation) { return known }
    guard envelope.seq ?? 0 <= ItemLimits.jump else { return nil }
    return try directory.findOrMake(envelope.conversation, &counter, in: connection)
  }

  // MARK: Seqs

  /// Takes a seq out of the gaps, and records one for every seq it jumped over.
  mutating func occupy(_ seq: Int64, of place: Int, _ changed: Int64) throws(DatabaseError) {
    let conversation = directory.conversations[place]
    if seq <= conversation.maxSeq {
      // The server's word that it no longer serves a message may come before the message.
      if try gaps.subtract(seq...seq, of: conversation.id, changed: changed) {
        try statements.markExpunged(conversation.id, seq, seq, changed)
      }
      if anyWaits { narrowed.insert(place) }
      return
    }
    let expected = max(conversation.maxSeq + 1, conversation.floor)
    if seq > expected {
      try gaps.add(expected...(seq - 1), .open, to: conversation.id, changed: changed)
    }
    directory.update(place) { $0.maxSeq = seq }
  }

  /// Has an event row hold the seq of an item that is no message row, unless something holds it.
  mutating func hold(
    _ envelope: Envelope, as kind: EventKind = .unreadable, in connection: borrowing Connection
  ) throws(DatabaseError) {
    guard let number = envelope.seq, let place = try place(of: envelope, in: connection),
      let seq = directory.conversations[place].local(number)
    else { return }
    try hold(envelope, as: kind, at: seq, of: place, in: connection)
  }

  mutating func hold(
    _ envelope: Envelope, as kind: EventKind, at seq: Int64, of place: Int,
    in connection: borrowing Connection
  ) throws(DatabaseError) {
    let conversation = directory.conversations[place]
    if seq < conversation.floor { return }
    if try statements.holder(of: seq, in: conversation.id) != nil { return }
    let sender = try directory.account(envelope.sender, &counter, in: connection)
    let changed = counter.next()
    try connection.savepoint { () throws(DatabaseError) in
      try statements.insertEvent(
        HeldEvent(kind, envelope.id), at: seq, in: conversation.id, from: sender, changed)
    }
    try occupy(seq, of: place, changed)
  }

  mutating func quarantine(
    _ item: Item, _ reason: QuarantineReason, holding: Bool, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let isNew = try Quarantine.keep(
      retried ?? item.json, reason, inbox: item.envelope.inbox, now, connection)
    if holding { try hold(item.envelope, in: connection) }
    return isNew ? .quarantined : .quarantinedBefore
  }
}
