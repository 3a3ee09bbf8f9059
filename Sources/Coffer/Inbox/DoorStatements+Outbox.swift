import CofferDatabase

/// What the door says to the outbox: an event that has its place has arrived.
extension DoorStatements {
  func dropMessageEntry(_ row: Int64) throws(DatabaseError) {
    try source.statement("DELETE FROM outbox WHERE message_id = ? AND kind = 0").run(row)
  }

  func dropQueued(_ id: EventID) throws(DatabaseError) {
    try source.statement("DELETE FROM outbox WHERE event_id = ?").run(id.bytes)
  }

  /// The content of an event of ours that is no message and waits for the server's word.
  func queued(_ id: EventID, in conversation: Int64) throws(DatabaseError) -> [UInt8]? {
    try source.statement(
      "SELECT content FROM outbox WHERE event_id = ? AND conversation_id = ? AND kind <> 0"
    ).first(id.bytes, conversation) { $0.bytes(0) }
  }

  /// The id of a message of ours that was deleted here and nowhere else, with no delete on its way.
  func deletedWithoutWord(_ row: Int64) throws(DatabaseError) -> Bytes16? {
    try source.statement(
      """
      SELECT msg_id FROM messages m WHERE id = ? AND deleted_seq = 0 AND sender_id = 1
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE message_id = m.id AND kind = 2)
      """
    ).first(row) { $0.bytes16(0) }
  }

  func queueDelete(
    _ id: Bytes16, in conversation: Int64, of row: Int64, _ content: [UInt8], _ now: Int64
  ) throws(DatabaseError) {
    try source.statement(
      """
      INSERT INTO outbox (event_id, conversation_id, message_id, kind, content, created_at)
      VALUES (?, ?, ?, 2, ?, ?)
      """
    ).run(id, conversation, row, content, now)
  }

  func ownAddress() throws(DatabaseError) -> String {
    try source.statement("SELECT address FROM accounts WHERE id = 1").first { $0.text(0) } ?? ""
  }

  /// Removes a row of ours that was sent into what was cleared, and what was queued about it.
  func remove(_ row: Int64) throws(DatabaseError) {
    try source.statement(
      "DELETE FROM outbox WHERE message_id = ? AND (kind = 0 OR payload IS NULL AND kind <> 2)"
    ).run(row)
    try source.statement("UPDATE outbox SET message_id = NULL WHERE message_id = ?").run(row)
    try source.statement("DELETE FROM reactions WHERE message_id = ?").run(row)
    try source.statement("DELETE FROM messages WHERE id = ?").run(row)
  }
}
