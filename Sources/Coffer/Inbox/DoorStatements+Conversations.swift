import CofferDatabase

extension DoorStatements {
  // MARK: Members. Of a join and a leave the one with the higher seq counts, whichever comes first.

  func join(
    _ account: Int64, _ conversation: Int64, _ seq: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    try source.statement(
      """
      INSERT INTO members (conversation_id, account_id, since_seq, changed) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET since_seq = ?3, changed = ?4,
        until_seq = CASE WHEN until_seq > ?3 THEN until_seq END
        WHERE since_seq < ?3
      """
    ).run(conversation, account, seq, changed)
  }

  func part(
    _ account: Int64, _ conversation: Int64, _ seq: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    // Zero: since when is not known here.
    try source.statement(
      """
      INSERT INTO members (conversation_id, account_id, since_seq, until_seq, changed)
      VALUES (?1, ?2, 0, ?3, ?4)
      ON CONFLICT DO UPDATE SET until_seq = ?3, changed = ?4
        WHERE since_seq < ?3 AND coalesce(until_seq, 0) < ?3
      """
    ).run(conversation, account, seq, changed)
  }

  func title(_ title: String, _ conversation: Int64, _ seq: Int64) throws(DatabaseError) {
    try source.statement(
      "UPDATE conversations SET title = ?2, title_seq = ?3 WHERE id = ?1 AND title_seq < ?3"
    ).run(conversation, title, seq)
  }

  /// Nobody writes to it any more; the rows stay until somebody clears them.
  func close(_ conversation: Int64, _ seq: Int64) throws(DatabaseError) {
    try source.statement(
      "UPDATE conversations SET deleted_seq = ?2 WHERE id = ?1 AND coalesce(deleted_seq, ?2) >= ?2"
    ).run(conversation, seq)
  }

  func markExpunged(
    _ conversation: Int64, _ first: Int64, _ last: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    try source.statement(
      """
      UPDATE messages SET expunged = 1, changed = ?
      WHERE conversation_id = ? AND seq BETWEEN ? AND ? AND expunged = 0
      """
    ).run(changed, conversation, first, last)
  }

  // MARK: Receipts

  /// Raises the watermarks of an account; false where both are there.
  func raiseReceipt(
    _ conversation: Int64, _ account: Int64, _ delivered: Int64, _ read: Int64, _ changed: Int64,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    try source.statement(
      """
      INSERT INTO receipts (conversation_id, account_id, delivered_seq, read_seq, changed)
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT DO UPDATE SET changed = ?5,
        delivered_seq = max(delivered_seq, ?3), read_seq = max(read_seq, ?4)
        WHERE delivered_seq < ?3 OR read_seq < ?4
      """
    ).run(conversation, account, delivered, read, changed)
    return connection.changes == 1
  }

  /// How far every other member is; of a conversation whose members are not known, everyone who
  /// ever sent a receipt.
  func reached(_ conversation: Int64) throws(DatabaseError) -> Reached {
    let members = try source.statement(
      """
      SELECT count(*), min(max(coalesce(r.delivered_seq, 0), coalesce(r.read_seq, 0))),
        min(coalesce(r.read_seq, 0))
      FROM members m LEFT JOIN receipts r USING (conversation_id, account_id)
      WHERE m.conversation_id = ? AND m.until_seq IS NULL AND m.account_id <> 1
      """
    ).first(conversation) {
      ($0.integer(0), Reached(delivered: $0.integer(1), read: $0.integer(2)))
    }
    if let (count, reached) = members, count > 0 { return reached }
    let others = try source.statement(
      """
      SELECT min(max(delivered_seq, read_seq)), min(read_seq) FROM receipts
      WHERE conversation_id = ? AND account_id <> 1
      """
    ).first(conversation) { Reached(delivered: $0.integer(0), read: $0.integer(1)) }
    return others ?? Reached(delivered: 0, read: 0)
  }

  /// Raises our acknowledged messages from what was reached before to what is now.
  ///
  /// Every row up to `before` has its rank already, and one that comes later gets it when it comes.
  func raiseStates(
    _ conversation: Int64, from before: Reached, to after: Reached, _ counter: inout ChangeCounter
  ) throws(DatabaseError) {
    for (state, from, to) in [
      (MessageState.delivered, before.delivered, after.delivered), (.read, before.read, after.read),
    ] where to > from {
      let behind = try source.statement(
        """
        SELECT id FROM messages WHERE conversation_id = ? AND seq > ? AND seq <= ?
          AND sender_id = 1 AND state < ?
        """
      ).all(conversation, from, to, Int64(state.rawValue)) { $0.integer(0) }
      for row in behind {
        try source.statement("UPDATE messages SET state = ?, changed = ? WHERE id = ?")
          .run(Int64(state.rawValue), counter.next(), row)
      }
    }
  }

  func unread(in conversation: Int64, above seq: Int64) throws(DatabaseError) -> Int64 {
    try source.statement(
      """
      SELECT count(*) FROM messages
      WHERE conversation_id = ? AND seq > ? AND state = 0 AND deleted_seq IS NULL
      """
    ).integer(conversation, seq) ?? 0
  }
}

extension DoorStatements {
  // MARK: Clearing

  /// Removes everything that is held up to a seq, in the order in which rows point at each other.
  func clear(_ conversation: Int64, upTo seq: Int64) throws(DatabaseError) {
    for sql in [
      """
      DELETE FROM reactions WHERE message_id IN
        (SELECT id FROM messages WHERE conversation_id = ? AND seq <= ?)
      """,
      // What was to be said about them may still be sent.
      """
      UPDATE outbox SET message_id = NULL WHERE message_id IN
        (SELECT id FROM messages WHERE conversation_id = ? AND seq <= ?)
      """,
      "DELETE FROM messages WHERE conversation_id = ? AND seq <= ?",
      "DELETE FROM events WHERE conversation_id = ? AND seq <= ?",
    ] {
      try source.statement(sql).run(conversation, seq)
    }
  }
}
