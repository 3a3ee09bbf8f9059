import CofferDatabase

extension Store {
  /// Removes a conversation's history up to a seq, or all of it: here, for good, and nowhere else.
  ///
  /// It never comes back, from whatever side. What is pending stays. Throws `unknownConversation`.
  public func clear(
    _ conversation: String, upTo seq: Int64? = nil
  ) async throws(StoreError) {
    let options = options
    let result = try await write(.powerLoss) { connection throws(StoreError) in
      let isKnown = try StoreError.catching { () throws(DatabaseError) -> Bool in
        var door = try Door(connection, options)
        guard let place = try door.directory.find(conversation) else { return false }
        try door.clear(place, upTo: seq ?? .max, in: connection)
        try door.close(connection)
        return true
      }
      guard isKnown else { throw .unknownConversation(conversation) }
      var result = ReceiveResult()
      result.hasErased = true
      return result
    }
    if result.hasErased { await forgetErased() }
  }

  /// Moves the read marker of a conversation up to a seq, or over everything that is known of.
  ///
  /// It never moves back. Throws `unknownConversation`.
  public func markRead(
    _ conversation: String, upTo seq: Int64? = nil
  ) async throws(StoreError) {
    let options = options
    try await write(.powerLoss) { connection throws(StoreError) in
      let isKnown = try StoreError.catching { () throws(DatabaseError) -> Bool in
        var door = try Door(connection, options)
        guard let place = try door.directory.find(conversation) else { return false }
        let top = door.directory.conversations[place].maxSeq
        _ = try door.raiseRead(to: min(seq ?? top, top), at: place)
        try door.close(connection)
        return true
      }
      guard isKnown else { throw .unknownConversation(conversation) }
    }
    outboxSignal.raise()
  }
}

extension Door {
  fileprivate mutating func clear(
    _ place: Int, upTo seq: Int64, in connection: borrowing Connection
  ) throws(DatabaseError) {
    let conversation = directory.conversations[place]
    let last = min(seq, conversation.maxSeq)
    guard last >= conversation.floor else { return }
    let changed = counter.next()
    try statements.clear(conversation.id, upTo: last)
    try gaps.subtract(1...last, of: conversation.id, changed: changed)
    directory.update(place) { $0.clearedSeq = last }
    let unread = try statements.unread(in: conversation.id, above: conversation.readSeq)
    directory.update(place) { $0.unread = unread }
    try refreshNewest(at: place)
  }
}
