import CofferDatabase

extension Store {
  /// The conversations, the one with the newest arrival first, at most `limit`.
  ///
  /// The order is that of arrival in this store, not of any clock.
  public func conversations(limit: Int = 1000) async throws(StoreError) -> [Conversation] {
    try await read { connection throws(DatabaseError) in
      try connection.statement(
        """
        SELECT c.address, c.title, c.unread, c.max_seq,
          EXISTS (SELECT 1 FROM gaps g WHERE g.conversation_id = c.id), c.draft,
          (SELECT count(*) FROM outbox o WHERE o.conversation_id = c.id),
          (SELECT coalesce(sum(failed), 0) FROM outbox o WHERE o.conversation_id = c.id),
          (SELECT o.error FROM outbox o WHERE o.message_id = c.newest_id AND o.kind = 0),
          (SELECT o.content FROM outbox o
           WHERE o.message_id = c.newest_id AND o.kind = 1 AND o.failed = 0
           ORDER BY o.id DESC LIMIT 1),
          \(TimelineReader.columns)
        FROM (SELECT * FROM conversations ORDER BY newest_id DESC NULLS LAST, id DESC LIMIT ?) c
        LEFT JOIN messages m ON m.id = c.newest_id
        LEFT JOIN accounts a ON a.id = m.sender_id
        ORDER BY c.newest_id DESC NULLS LAST, c.id DESC
        """
      ).all(limit) { row throws(DatabaseError) in
        var newest = row.isNull(10) ? nil : try TimelineReader.message(row, at: 10)
        newest?.failure = row.optionalText(8)
        if !row.isNull(9), case .edit(_, let text) = Event(content: row.bytes(9)) {
          newest?.show(edit: text)
        }
        return Conversation(
          address: row.text(0), title: row.optionalText(1), unread: row.integer(2),
          pending: row.integer(6) - row.integer(7), failed: row.integer(7),
          draft: row.optionalText(5), newest: newest, maxSeq: row.integer(3),
          hasGaps: row.integer(4) == 1)
      }
    }
  }

  /// The stretches that are not here, by conversation and seq; of one conversation, or of all.
  ///
  /// Throws `unknownConversation`.
  public func gaps(
    of conversation: String? = nil, limit: Int = 1000
  ) async throws(StoreError) -> [(conversation: String, gap: Gap)] {
    let found = try await read { connection throws(DatabaseError) -> [FoundGap]? in
      if let conversation {
        let known = try connection.statement("SELECT 1 FROM conversations WHERE address = ?")
          .integer(conversation)
        guard known != nil else { return nil }
      }
      return try connection.statement(
        """
        SELECT c.address, g.first, g.last, g.status
        FROM gaps g JOIN conversations c ON c.id = g.conversation_id
        WHERE ?1 IS NULL OR c.address = ?1
        ORDER BY c.address, g.first LIMIT ?2
        """
      ).all(conversation, limit) { row in
        FoundGap(
          conversation: row.text(0),
          gap: Gap(
            first: row.integer(1), last: row.integer(2),
            isUnavailable: row.integer(3) == Gaps.Status.unavailable.rawValue))
      }
    }
    guard let found else { throw .unknownConversation(conversation ?? "") }
    return found.map { ($0.conversation, $0.gap) }
  }
}

private struct FoundGap: Sendable {
  let conversation: String
  let gap: Gap
}
