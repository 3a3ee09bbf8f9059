import CofferDatabase

/// An event as its row holds it.
struct HeldEvent {
  var kind: EventKind
  var id: EventID
  var target: MessageTarget?
  var content: [UInt8]?
  var isApplied = true

  init(_ kind: EventKind, _ id: EventID) {
    self.kind = kind
    self.id = id
  }
}

/// A message by its sender's row and its id.
struct MessageTarget {
  var sender: Int64
  var id: EventID
}

extension Door {
  /// Holds the seq of an event that is no message, and gives it its effect, now or once its message
  /// is here.
  mutating func apply(
    _ event: Event, of item: Item, at seq: Int64, of place: Int, from sender: Int64,
    in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let id = item.envelope.id
    let conversation = directory.conversations[place]
    if try statements.isHeld(id, from: sender, in: conversation.id, besides: seq) {
      // The server lost its numbering and gave it a second seq: it took effect by its first.
      try repeated(item.envelope, at: seq, of: place, in: connection)
      return .duplicate
    }
    var held = HeldEvent(.change, id)
    switch event {
    case .edit(let reference, _):
      held.kind = .edit
      held.target = try target(reference, in: connection)
    case .delete(let reference):
      held.kind = .delete
      held.target = try target(reference, in: connection)
    case .reaction(let reference, _, _):
      held.kind = .reaction
      held.target = try target(reference, in: connection)
    case .change(let change):
      try meetMembers(of: change, in: connection)
    case .message, .receipt: throw DatabaseError(.misuse, "apply event")
    }
    // Nobody edits or deletes what somebody else said: the author is part of the target.
    if held.kind == .edit || held.kind == .delete, held.target?.sender != sender {
      return try quarantine(item, .foreignAuthor, holding: true, in: connection)
    }
    held.content = event.encodedContent
    var message: TargetRow?
    var isFirstDelete = false
    if let target = held.target {
      message = try statements.message(target, in: conversation.id)
      let isDeleted: Bool
      if let message {
        isDeleted = message.deletedSeq != nil
      } else {
        isDeleted = try statements.awaitsDelete(of: target, in: conversation.id)
      }
      if isDeleted, held.kind != .delete {
        // Of what is deleted no text stays, nor does one wait.
        held.content = nil
        message = nil
      } else {
        held.isApplied = message != nil
        isFirstDelete = !isDeleted && held.kind == .delete
      }
    }
    let changed = counter.next()
    try connection.savepoint { () throws(DatabaseError) in
      if seq <= conversation.maxSeq { try statements.dropPlaceholder(at: seq, in: conversation.id) }
      try statements.insertEvent(held, at: seq, in: conversation.id, from: sender, changed)
      if sender == Directory.ownAccount { try statements.dropQueued(id) }
      if isFirstDelete, message == nil, let target = held.target {
        try statements.forgetWaiting(for: target, in: conversation.id, changed)
      }
      if let message {
        try apply(event, to: message, at: seq, of: place, from: sender)
      } else if case .change(let change) = event {
        try apply(change, at: seq, of: place, from: sender, in: connection)
      }
    }
    try occupy(seq, of: place, changed)
    directory.update(place) { $0.activeAt = now }
    if held.isApplied { return .updated }
    anyWaits = true
    narrowed.insert(place)
    return .waiting
  }

  private mutating func target(
    _ reference: MessageReference, in connection: borrowing Connection
  ) throws(DatabaseError) -> MessageTarget {
    MessageTarget(
      sender: try directory.account(reference.sender, &counter, in: connection), id: reference.id)
  }

  // MARK: Effects on a message

  /// The events that came before their message, in the order of their seqs.
  mutating func applyWaiting(
    to row: Int64, _ id: EventID, from sender: Int64, at place: Int,
    in connection: borrowing Connection
  ) throws(DatabaseError) {
    let target = MessageTarget(sender: sender, id: id)
    let conversation = directory.conversations[place].id
    for waiting in try statements.waiting(for: target, in: conversation) {
      guard let event = Event(content: waiting.content) else {
        throw DatabaseError(.corrupt, "read event")
      }
      guard let message = try statements.message(target, in: conversation) else { return }
      try statements.markApplied(waiting.seq, in: conversation, counter.next())
      try apply(event, to: message, at: waiting.seq, of: place, from: waiting.sender)
    }
  }

  private mutating func apply(
    _ event: Event, to message: TargetRow, at seq: Int64, of place: Int, from sender: Int64
  ) throws(DatabaseError) {
    let changed = counter.next()
    switch event {
    case .edit(_, let text):
      // Those of a tombstone were wiped with it.
      if message.deletedSeq == nil, seq > message.editSeq {
        // The first text stays: a late copy of the message is recognised by it.
        var content = try MessageContent(message.content)
        if content.first == nil { content.first = message.text ?? "" }
        try statements.edit(message.id, text, content.encoded, seq, changed)
      }
    case .delete:
      try wipe(message, deletedAt: seq, of: place, changed)
    case .reaction(_, let emoji, let isAdded):
      if message.deletedSeq == nil {
        try statements.react(message.id, sender, emoji, seq, isAdded, changed)
      }
    case .message, .receipt, .change: break
    }
  }

  /// Leaves of a message its place and nothing else.
  private mutating func wipe(
    _ message: TargetRow, deletedAt seq: Int64, of place: Int, _ changed: Int64
  ) throws(DatabaseError) {
    // Of two deletes the one with the lower seq did it, whichever comes first.
    if let known = message.deletedSeq, known > 0 {
      if seq < known { try statements.setDeleted(message.id, seq, changed) }
      return
    }
    try statements.source.wipeMessage(
      message.id, message.eventID, from: message.sender, deletedAt: seq, changed)
    hasErased = true
    guard message.deletedSeq == nil else { return }
    if let position = message.seq, message.isIncoming,
      position > directory.conversations[place].readSeq
    {
      directory.update(place) { $0.unread -= 1 }
    }
    // A tombstone without a seq is not shown.
    if message.seq == nil { try refreshNewest(at: place) }
  }

  // MARK: Waiting in vain

  /// Drops the edits and reactions whose message no gap can bring any more; deletes are kept, since
  /// a copy may come from an old backup.
  mutating func dropWhatWaitsForNothing() throws(DatabaseError) {
    for place in narrowed.sorted() {
      try statements.dropWaiting(in: directory.conversations[place].id, counter.next())
    }
    narrowed = []
  }
}
