import CofferDatabase

/// Something of ours that the server does not have yet.
public struct OutboxEntry: Sendable, Equatable {
  /// Its id, the same at every try.
  public let id: EventID
  /// Its place among all entries: a conversation's are sent in this order.
  public let position: Int64
  public let conversation: String
  /// What is sent; nothing for a message that is on its way and was deleted here meanwhile.
  public let event: Event?
  /// How often it was tried.
  public let attempts: Int64
  /// Milliseconds since 1970 when it is tried again; 0 for at once.
  public let retryAt: Int64
  /// Milliseconds since 1970 when it was written.
  public let createdAt: Int64
  /// Why it was given up; nothing while it waits.
  public let failure: String?
}

/// How much the server does not have yet.
public struct OutboxCounts: Sendable, Equatable {
  /// Entries that wait for the server.
  public var pending: Int64
  /// Entries that were given up, and wait for the person.
  public var failed: Int64
}

extension Store {
  /// What the server does not have yet, in the order of positions, at most `limit` entries above
  /// `after`.
  public func outbox(
    after position: Int64 = 0, limit: Int = 100
  ) async throws(StoreError) -> [OutboxEntry] {
    try await read { connection throws(DatabaseError) in
      try connection.statement(
        """
        SELECT o.event_id, o.id, c.address, o.kind, m.deleted_seq, m.text, m.content, o.content,
          o.attempts, o.retry_at, o.created_at, o.failed, o.error
        FROM outbox o JOIN conversations c ON c.id = o.conversation_id
        LEFT JOIN messages m ON m.id = o.message_id
        WHERE o.id > ? ORDER BY o.id LIMIT ?
        """
      ).all(position, limit) { row throws(DatabaseError) in
        OutboxEntry(
          id: EventID(row.bytes16(0)), position: row.integer(1), conversation: row.text(2),
          event: try Self.event(row), attempts: row.integer(8), retryAt: row.integer(9),
          createdAt: row.integer(10),
          failure: row.integer(11) == 1 ? row.optionalText(12) ?? "" : nil)
      }
    }
  }

  private static func event(_ row: Row) throws(DatabaseError) -> Event? {
    if row.integer(3) == OutboxKind.message.rawValue {
      guard row.isNull(4) else { return nil }
      let content = try MessageContent(row.isNull(6) ? nil : row.bytes(6))
      return .message(text: row.text(5), replyTo: content.reply)
    }
    return Event(content: row.bytes(7))
  }

  /// How much the server does not have yet, in all conversations together.
  public func outboxCounts() async throws(StoreError) -> OutboxCounts {
    try await read { connection throws(DatabaseError) in
      try connection.statement("SELECT count(*), coalesce(sum(failed), 0) FROM outbox").first {
        OutboxCounts(pending: $0.integer(0) - $0.integer(1), failed: $0.integer(1))
      } ?? OutboxCounts(pending: 0, failed: 0)
    }
  }
}
