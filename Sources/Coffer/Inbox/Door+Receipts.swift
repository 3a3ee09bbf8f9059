import CofferDatabase

/// How far every other member of a conversation has it.
struct Reached {
  /// At least `read`.
  var delivered: Int64
  var read: Int64

  /// The rank of our message at a seq.
  func state(of seq: Int64) -> MessageState {
    seq <= read ? .read : seq <= delivered ? .delivered : .sent
  }
}

extension Door {
  /// Watermarks, kept for rows that come later too: they only rise, in whatever order they come.
  mutating func apply(
    _ receipt: Receipt, of item: Item, at place: Int, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let conversation = directory.conversations[place]
    let highest = max(receipt.delivered, receipt.read)
    guard conversation.local(highest) != nil else {
      return try quarantine(item, .jump, holding: false, in: connection)
    }
    // Zero is no place, in whichever numbering.
    let delivered = receipt.delivered > 0 ? receipt.delivered + conversation.seqBase : 0
    let read = receipt.read > 0 ? receipt.read + conversation.seqBase : 0
    let sender = try directory.account(item.envelope.sender, &counter, in: connection)
    if sender == Directory.ownAccount {
      return try raiseRead(to: read, at: place) ? .updated : .duplicate
    }
    let before = try reached(at: place)
    let changed = counter.next()
    guard
      try statements.raiseReceipt(conversation.id, sender, delivered, read, changed, connection)
    else { return .duplicate }
    try raiseStates(from: before, at: place)
    return .updated
  }

  /// Moves our own read marker up, here or on another device of ours; false where it is there.
  mutating func raiseRead(to seq: Int64, at place: Int) throws(DatabaseError) -> Bool {
    let conversation = directory.conversations[place]
    guard seq > conversation.readSeq else { return false }
    let unread =
      conversation.unread == 0 ? 0 : try statements.unread(in: conversation.id, above: seq)
    directory.update(place) { state in
      state.readSeq = seq
      state.unread = unread
    }
    return true
  }

  /// The state of our message at a seq, by what every other member has said so far.
  mutating func reachedState(of seq: Int64, at place: Int) throws(DatabaseError) -> MessageState {
    try reached(at: place).state(of: seq)
  }

  mutating func reached(at place: Int) throws(DatabaseError) -> Reached {
    if let known = reached[place] { return known }
    let fresh = try statements.reached(directory.conversations[place].id)
    reached[place] = fresh
    return fresh
  }

  /// Raises the states of our messages to what every other member has reached since.
  mutating func raiseStates(from before: Reached, at place: Int) throws(DatabaseError) {
    let conversation = directory.conversations[place].id
    let fresh = try statements.reached(conversation)
    reached[place] = fresh
    try statements.raiseStates(conversation, from: before, to: fresh, &counter)
  }
}
