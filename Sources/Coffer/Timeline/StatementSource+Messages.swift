import CofferDatabase

/// What happens to message rows from both sides: by what comes in and by the person.
extension StatementSource {
  /// The last row of a timeline: what is pending comes after everything acknowledged, and a tombstone
  /// without a seq is not shown.
  func newestMessage(of conversation: Int64) throws(DatabaseError) -> (id: Int64, seq: Int64?)? {
    let pending = try statement(
      """
      SELECT id FROM messages
      WHERE conversation_id = ? AND seq IS NULL AND deleted_seq IS NULL ORDER BY id DESC LIMIT 1
      """
    ).integer(conversation)
    if let pending { return (pending, nil) }
    return try statement(
      """
      SELECT id, seq FROM messages WHERE conversation_id = ? AND seq IS NOT NULL
      ORDER BY seq DESC LIMIT 1
      """
    ).first(conversation) { ($0.integer(0), $0.integer(1)) }
  }

  /// Leaves of a message its place and nothing else: no text, no earlier one, no reaction, and
  /// nothing that was to be sent about it and has not left or was given up.
  func wipeMessage(
    _ row: Int64, _ id: Bytes16, from sender: Int64, deletedAt seq: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    try statement(
      """
      UPDATE messages SET text = NULL, content = NULL, edit_seq = 0, deleted_seq = ?, changed = ?
      WHERE id = ?
      """
    ).run(seq, changed, row)
    try statement(
      """
      UPDATE events SET content = NULL, changed = ?
      WHERE target_id = ? AND target_sender = ? AND target_id IS NOT NULL AND kind IN (3, 5)
        AND content IS NOT NULL
      """
    ).run(changed, id, sender)
    try statement("DELETE FROM reactions WHERE message_id = ?").run(row)
    try statement(
      """
      DELETE FROM outbox
      WHERE message_id = ? AND kind IN (0, 1, 3) AND (payload IS NULL OR failed = 1)
      """
    ).run(row)
  }
}
