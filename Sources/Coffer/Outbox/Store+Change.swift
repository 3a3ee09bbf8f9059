import CofferDatabase

extension Store {
  /// Changes a conversation, and gives the id under which that goes to the server.
  ///
  /// Creating one makes it here at once, so that messages can be queued behind it; its members, and
  /// all other changes, show once the server has taken them. Throws `unknownConversation`,
  /// `badAddress`, `badEvent` for members and titles that are none, and `conflict` where one that is
  /// to be created is there already.
  @discardableResult
  public func change(
    _ conversation: String, _ change: ConversationChange
  ) async throws(StoreError) -> EventID {
    guard Envelope.isAddress(conversation) else { throw .badAddress }
    if let fault = Event.change(change).fault { throw .badEvent(fault) }
    let id = options.makeID()
    let now = options.clock()
    try await write(.powerLoss) { connection throws(StoreError) in
      if case .create(let title, _) = change {
        try Self.make(conversation, title, now, connection)
      }
      let row = try Self.conversation(conversation, in: connection)
      try StoreError.catching { () throws(DatabaseError) in
        var writer = try OutboxWriter(connection, now: now)
        try writer.enqueue(.change, id, in: row, about: nil, .change(change), connection)
        try writer.touch(row, connection)
        try writer.close(connection)
      }
    }
    outboxSignal.raise()
    return id
  }

  private static func make(
    _ address: String, _ title: String?, _ now: Int64, _ connection: borrowing Connection
  ) throws(StoreError) {
    let isNew = try StoreError.catching { () throws(DatabaseError) in
      var counter = try ChangeCounter(connection)
      try connection.statement(
        """
        INSERT INTO conversations (address, title, active_at, changed) VALUES (?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """
      ).run(address, title, now, counter.next())
      guard connection.changes == 1 else { return false }
      try counter.save(connection)
      return true
    }
    guard isNew else { throw .conflict(.conversationExists(address)) }
  }
}
