import CofferDatabase

/// A message to be sent.
public struct Draft: Sendable {
  public var text: String
  /// The address of its conversation.
  public var conversation: String
  /// Its id, where the caller made one; sending the same draft twice under one id is one message.
  public var id: EventID?

  public init(_ text: String, to conversation: String, id: EventID? = nil) {
    self.text = text
    self.conversation = conversation
    self.id = id
  }
}

/// A message on its way: what is waiting for the server.
public struct OutboxEntry: Sendable, Equatable {
  public let id: EventID
  public let conversation: String
  public let text: String
  /// How often it was tried.
  public let attempts: Int64
  /// Milliseconds since 1970 when it was written.
  public let createdAt: Int64
}

extension Store {
  /// Writes a message and its outbox entry in one transaction, and gives its id.
  ///
  /// It survives power loss once this returns. Throws `unknownConversation`, `textTooLong`, and
  /// `conflict` for an id that was used with another text or in another conversation.
  @discardableResult
  public func send(_ draft: Draft) async throws(StoreError) -> EventID {
    guard draft.text.utf8.count <= ItemLimits.text else {
      throw .textTooLong(bytes: draft.text.utf8.count)
    }
    let id = draft.id ?? options.makeID()
    let now = options.clock()
    return try await write(.powerLoss) { connection throws(StoreError) in
      let conversation: Int64?
      let known: (isSame: Bool, Void)?
      do throws(DatabaseError) {
        conversation = try connection.statement("SELECT id FROM conversations WHERE address = ?")
          .integer(draft.conversation)
        known = try connection.statement(
          """
          SELECT conversation_id IS ? AND (text IS ? OR deleted_seq IS NOT NULL)
          FROM messages WHERE msg_id = ? AND sender_id = ?
          """
        ).first(conversation, draft.text, id.bytes, Directory.ownAccount) {
          ($0.integer(0) == 1, ())
        }
      } catch { throw StoreError(error) }
      guard let conversation else { throw .unknownConversation(draft.conversation) }
      if let known {
        guard known.isSame else { throw .conflict(.idUsedOtherwise(id)) }
        return id
      }
      try StoreError.catching { () throws(DatabaseError) in
        try Self.write(draft.text, id, to: conversation, now, connection)
      }
      return id
    }
  }

  private static func write(
    _ text: String, _ id: EventID, to conversation: Int64, _ now: Int64,
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    var counter = try ChangeCounter(connection)
    try connection.statement(
      """
      INSERT INTO messages
        (conversation_id, sender_id, msg_id, state, text, sent_at, received_at, changed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      conversation, Directory.ownAccount, id.bytes, Int64(MessageState.pending.rawValue), text,
      now, now, counter.next())
    let row = connection.lastInsertedRow
    try connection.statement(
      """
      INSERT INTO outbox (event_id, conversation_id, message_id, kind, created_at)
      VALUES (?, ?, ?, 0, ?)
      """
    ).run(id.bytes, conversation, row, now)
    try connection.statement(
      """
      UPDATE conversations SET newest_id = ?, newest_seq = NULL, active_at = ?, changed = ?
      WHERE id = ?
      """
    ).run(row, now, counter.next(), conversation)
    try counter.save(connection)
  }

  /// What waits for the server, oldest first, at most `limit` entries.
  public func outbox(limit: Int = 100) async throws(StoreError) -> [OutboxEntry] {
    try await read { connection throws(DatabaseError) in
      try connection.statement(
        """
        SELECT o.event_id, c.address, coalesce(m.text, ''), o.attempts, m.sent_at
        FROM outbox o JOIN conversations c ON c.id = o.conversation_id
        JOIN messages m ON m.id = o.message_id
        ORDER BY o.id LIMIT ?
        """
      ).all(limit) { row in
        OutboxEntry(
          id: EventID(row.bytes16(0)), conversation: row.text(1), text: row.text(2),
          attempts: row.integer(3), createdAt: row.integer(4))
      }
    }
  }
}
