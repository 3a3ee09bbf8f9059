import CofferDatabase

extension Store {
  /// Takes a snapshot of the server's heads: the newest event of each conversation, and a gap for
  /// everything between it and what is here.
  ///
  /// With `movesCursor`, where the server can read events and so hands over the newest ones, the
  /// cursor jumps to the inbox's head: what it skips is a recorded gap. Without, heads and gaps are
  /// recorded and the inbox is read on from the cursor. A snapshot older than the store changes
  /// nothing. Throws `otherEpoch`.
  @discardableResult
  public func receive(
    _ overview: Overview, movesCursor: Bool
  ) async throws(StoreError) -> ReceiveResult {
    let options = options
    let result = try await write { connection throws(StoreError) in
      var inbox = try InboxPosition(connection, epoch: overview.epoch)
      var result = ReceiveResult()
      try StoreError.catching { () throws(DatabaseError) in
        if overview.head >= inbox.cursor {
          var door = try Door(connection, options)
          for head in overview.conversations {
            try door.apply(head, counting: &result, in: connection)
          }
          try door.close(connection)
          result.hasErased = door.hasErased
          if movesCursor, overview.head > inbox.cursor {
            try inbox.advance(to: overview.head, connection)
          }
        }
      }
      result.cursor = inbox.cursor
      if inbox.hasAhead { result.pullFrom = inbox.cursor }
      return result
    }
    if result.hasErased { await forgetErased() }
    return result
  }
}

extension Door {
  /// What an overview says of one conversation.
  fileprivate mutating func apply(
    _ head: Overview.Head, counting result: inout ReceiveResult,
    in connection: borrowing Connection
  ) throws(DatabaseError) {
    guard let place = try place(of: head, in: connection) else {
      result.count(.quarantined)
      return
    }
    try see(from: head.from, at: place)
    let conversation = directory.conversations[place]
    let newest = head.newestSeq + conversation.seqBase
    if newest > conversation.maxSeq {
      if let item = head.newest, item.envelope.seq == head.newestSeq,
        Address(text: item.envelope.conversation) == Address(text: head.conversation)
      {
        result.count(try apply(Arrival(item), in: connection))
      }
      try miss(upTo: newest, at: place, .open, counter.next())
    }
    for (account, receipt) in head.receipts.sorted(by: { $0.key < $1.key }) {
      let envelope = Envelope(
        conversation: head.conversation, seq: nil, sender: account, device: 1,
        id: EventID(high: 0, low: 0), sentAt: 0)
      result.count(try apply(.item(Item(envelope, .event(.receipt(receipt)))), in: connection))
    }
  }

  /// Where the conversation of a head is in the directory; nothing where the head breaks a rule.
  private mutating func place(
    of head: Overview.Head, in connection: borrowing Connection
  ) throws(DatabaseError) -> Int? {
    guard Envelope.isAddress(head.conversation), head.from >= 1,
      head.from - 1 <= head.newestSeq, head.newestSeq <= ItemLimits.head
    else { return nil }
    let known = try directory.find(head.conversation)
    // Of a conversation that is new here everything up to `from` is nobody's jump.
    let isNew = known.map { directory.conversations[$0].maxSeq == 0 } ?? true
    let top = known.map { directory.conversations[$0].highestOfServer } ?? 0
    guard head.newestSeq - (isNew ? head.from - 1 : top) <= ItemLimits.jump else { return nil }
    if let known { return known }
    return try directory.findOrMake(head.conversation, &counter, in: connection)
  }

  /// Takes the server's word on the first seq that this device may see.
  private mutating func see(from number: Int64, at place: Int) throws(DatabaseError) {
    let conversation = directory.conversations[place]
    let from = number + conversation.seqBase
    if conversation.maxSeq == 0 {
      directory.update(place) { state in
        state.firstSeq = from
        state.maxSeq = from - 1
      }
    } else if from > conversation.maxSeq + 1 {
      try miss(upTo: from - 1, at: place, .unavailable, counter.next())
    } else if from < conversation.firstSeq, conversation.seqBase == 0 {
      // More of it may be seen than was known.
      let first = max(from, conversation.clearedSeq + 1)
      if first < conversation.firstSeq {
        try gaps.add(
          first...(conversation.firstSeq - 1), .open, to: conversation.id, changed: counter.next())
      }
      directory.update(place) { $0.firstSeq = from }
    }
  }
}
