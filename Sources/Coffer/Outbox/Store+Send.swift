import CofferDatabase

extension Store {
  /// Writes a message and its outbox entry in one transaction, and gives its id.
  ///
  /// It survives power loss once this returns. Throws `unknownConversation`, `textTooLong`,
  /// `badAddress` for a reply to nobody's message, and `conflict` for an id that was used with
  /// another text or in another conversation.
  @discardableResult
  public func send(_ draft: Draft) async throws(StoreError) -> EventID {
    guard draft.text.utf8.count <= ItemLimits.text else {
      throw .textTooLong(bytes: draft.text.utf8.count)
    }
    if let reply = draft.replyTo, !Envelope.isAddress(reply.sender) { throw .badAddress }
    let id = draft.id ?? options.makeID()
    let now = options.clock()
    try await write(.powerLoss) { connection throws(StoreError) in
      let conversation = try Self.conversation(draft.conversation, in: connection)
      let isSame: Bool?
      do throws(DatabaseError) {
        isSame = try Self.isSame(draft, id, in: conversation, connection)
      } catch { throw StoreError(error) }
      if let isSame {
        guard isSame else { throw .conflict(.idUsedOtherwise(id)) }
        return
      }
      try StoreError.catching { () throws(DatabaseError) in
        var writer = try OutboxWriter(connection, now: now)
        try writer.insertMessage(draft, id, in: conversation, connection)
        try writer.close(connection)
      }
    }
    outboxSignal.raise()
    return id
  }

  /// Whether our message of that id is this draft; nothing where there is none.
  ///
  /// Of a message that was deleted nothing is left to compare.
  private static func isSame(
    _ draft: Draft, _ id: EventID, in conversation: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool? {
    let known = try connection.statement(
      """
      SELECT conversation_id IS ?, deleted_seq IS NOT NULL, text, content FROM messages
      WHERE msg_id = ? AND sender_id = ?
      """
    ).first(conversation, id.bytes, Directory.ownAccount) { row throws(DatabaseError) in
      let content = try MessageContent(row.isNull(3) ? nil : row.bytes(3))
      if row.integer(0) == 0 { return false }
      if row.integer(1) == 1 { return true }
      let text = content.first ?? row.text(2)
      return text.utf8.elementsEqual(draft.text.utf8) && content.reply == draft.replyTo
    }
    if let known { return known }
    // Another kind of event has it.
    let isQueued = try connection.statement("SELECT 1 FROM outbox WHERE event_id = ?")
      .integer(id.bytes)
    return isQueued == nil ? nil : false
  }

  /// The row of a conversation, or else `unknownConversation`.
  static func conversation(
    _ address: String, in connection: borrowing Connection
  ) throws(StoreError) -> Int64 {
    let id: Int64?
    do throws(DatabaseError) {
      id = try connection.statement("SELECT id FROM conversations WHERE address = ?")
        .integer(address)
    } catch { throw StoreError(error) }
    guard let id else { throw .unknownConversation(address) }
    return id
  }
}
