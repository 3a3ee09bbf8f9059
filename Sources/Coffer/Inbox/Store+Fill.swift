import CofferDatabase

extension Store {
  /// Applies what the server's history has at the seqs of `range`, and leaves the cursor alone.
  ///
  /// The range and all seqs are the server's. What it no longer has becomes an unavailable gap; a
  /// seq that it says nothing of stays missing. The same again changes nothing. Throws
  /// `unknownConversation` and `otherEpoch`.
  @discardableResult
  public func fill(
    _ conversation: String, _ range: ClosedRange<Int64>, with history: History
  ) async throws(StoreError) -> ReceiveResult {
    let options = options
    let result = try await write { connection throws(StoreError) in
      let inbox = try InboxPosition(connection, epoch: history.epoch)
      var result = ReceiveResult()
      let isKnown = try StoreError.catching { () throws(DatabaseError) -> Bool in
        var door = try Door(connection, options)
        guard let place = try door.directory.find(conversation) else { return false }
        for answer in history.answers {
          if let outcome = try door.apply(answer, at: place, conversation, range, in: connection) {
            result.count(outcome)
          }
        }
        try door.close(connection)
        result.hasErased = door.hasErased
        return true
      }
      guard isKnown else { throw .unknownConversation(conversation) }
      result.cursor = inbox.cursor
      if inbox.hasAhead { result.pullFrom = inbox.cursor }
      return result
    }
    if result.hasErased { await forgetErased() }
    return result
  }
}

extension Door {
  /// What came of an answer; nothing where it holds no item.
  fileprivate mutating func apply(
    _ answer: History.Answer, at place: Int, _ conversation: String, _ range: ClosedRange<Int64>,
    in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome? {
    switch answer {
    case .item(let item):
      // No cursor counts it.
      var item = item
      item.envelope.inbox = nil
      let arrival = Arrival(item)
      guard let seq = item.envelope.seq, range.contains(seq),
        Address(text: item.envelope.conversation) == Address(text: conversation)
      else {
        return try apply(arrival.misplaced(.outsideItsRange), in: connection)
      }
      return try apply(arrival, in: connection)
    case .none(let number):
      guard let seq = seq(number, in: range, at: place) else { return nil }
      let state = directory.conversations[place]
      guard seq >= state.floor, try statements.holder(of: seq, in: state.id) == nil else {
        return nil
      }
      let changed = counter.next()
      let event = HeldEvent(.none, EventID(high: 0, low: 0))
      try statements.insertEvent(event, at: seq, in: state.id, from: nil, changed)
      try occupy(seq, of: place, changed)
    case .gone(let number):
      guard let seq = seq(number, in: range, at: place) else { return nil }
      let state = directory.conversations[place]
      if seq > state.maxSeq {
        try miss(upTo: seq - 1, at: place, .open, counter.next())
        try miss(upTo: seq, at: place, .unavailable, counter.next())
      } else {
        try gaps.close(seq...seq, of: state.id, changed: counter.next())
      }
    }
    return nil
  }

  private func seq(_ number: Int64, in range: ClosedRange<Int64>, at place: Int) -> Int64? {
    guard number >= 1, range.contains(number) else { return nil }
    return directory.conversations[place].local(number)
  }
}
