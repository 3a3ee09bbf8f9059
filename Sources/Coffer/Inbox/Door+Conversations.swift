import CofferDatabase

extension Door {
  /// Has a row for every account that a change names.
  ///
  /// Before the savepoint of the change: what the directory remembers must not be rolled back.
  mutating func meetMembers(
    of change: ConversationChange, in connection: borrowing Connection
  ) throws(DatabaseError) {
    switch change {
    case .create(_, let members):
      for member in members { _ = try directory.account(member, &counter, in: connection) }
    case .join(let account), .remove(let account):
      _ = try directory.account(account, &counter, in: connection)
    case .leave, .title, .delete: break
    }
  }

  /// Who is a member and how a conversation is called, by the newest word on each.
  mutating func apply(
    _ change: ConversationChange, at seq: Int64, of place: Int, from sender: Int64,
    in connection: borrowing Connection
  ) throws(DatabaseError) {
    let conversation = directory.conversations[place].id
    let before = try reached(at: place)
    let changed = counter.next()
    switch change {
    case .create(let title, let members):
      try statements.join(sender, conversation, seq, changed)
      for member in members {
        let account = try directory.account(member, &counter, in: connection)
        try statements.join(account, conversation, seq, changed)
      }
      if let title { try statements.title(title, conversation, seq) }
    case .join(let member):
      let account = try directory.account(member, &counter, in: connection)
      try statements.join(account, conversation, seq, changed)
    case .leave: try statements.part(sender, conversation, seq, changed)
    case .remove(let member):
      let account = try directory.account(member, &counter, in: connection)
      try statements.part(account, conversation, seq, changed)
    case .title(let title): try statements.title(title, conversation, seq)
    case .delete: try statements.close(conversation, seq)
    }
    // Whoever left holds nobody back any more.
    try raiseStates(from: before, at: place)
    directory.update(place) { _ in }
  }

  /// The server no longer serves these seqs: what is here stays and is marked, what is missing will
  /// not come.
  mutating func expunge(
    _ range: ClosedRange<Int64>, of item: Item, at place: Int, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    let conversation = directory.conversations[place]
    guard conversation.local(range.upperBound) != nil else {
      return try quarantine(item, .jump, holding: false, in: connection)
    }
    let first = max(range.lowerBound + conversation.seqBase, conversation.floor)
    let last = range.upperBound + conversation.seqBase
    guard first <= last else { return .duplicate }
    let changed = counter.next()
    try statements.markExpunged(conversation.id, first, last, changed)
    try gaps.close(first...last, of: conversation.id, changed: changed)
    // Of what lies before it, nothing was said.
    try miss(upTo: first - 1, at: place, .open, changed)
    try miss(upTo: last, at: place, .unavailable, changed)
    return .updated
  }

  /// Records everything between the highest seq known and `last` as missing.
  mutating func miss(
    upTo last: Int64, at place: Int, _ status: Gaps.Status, _ changed: Int64
  ) throws(DatabaseError) {
    let conversation = directory.conversations[place]
    guard last > conversation.maxSeq else { return }
    let first = max(conversation.maxSeq + 1, conversation.floor)
    if first <= last {
      try gaps.add(first...last, status, to: conversation.id, changed: changed)
    }
    directory.update(place) { $0.maxSeq = last }
  }
}
