import CofferDatabase

/// A message row as an event meets it.
struct TargetRow {
  let id: Int64
  let seq: Int64?
  let sender: Int64
  let eventID: Bytes16
  let isIncoming: Bool
  let text: String?
  let content: [UInt8]?
  let editSeq: Int64
  let deletedSeq: Int64?
}

/// An event that came before its message.
struct WaitingEvent {
  let seq: Int64
  let sender: Int64
  let content: [UInt8]
}

extension DoorStatements {
  // MARK: Rows of events

  func insertEvent(
    _ event: HeldEvent, at seq: Int64, in conversation: Int64, from sender: Int64?,
    _ changed: Int64
  ) throws(DatabaseError) {
    try source.statement(
      """
      INSERT INTO events
        (conversation_id, seq, event_id, sender_id, kind, target_sender, target_id, content, applied,
         changed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      conversation, seq, event.id.bytes, sender, event.kind.rawValue, event.target?.sender,
      event.target?.id.bytes, event.content, event.isApplied ? 1 : 0, changed)
  }

  /// The content of the event that holds a seq, or of the one that it repeats.
  func eventContent(
    of holder: Holder, at seq: Int64, in conversation: Int64
  ) throws(DatabaseError) -> [UInt8]? {
    try source.statement(
      """
      SELECT content FROM events
      WHERE event_id = ? AND sender_id = ? AND conversation_id = ? AND (seq = ? OR kind <> 2)
      ORDER BY content IS NULL LIMIT 1
      """
    ).first(holder.id, holder.sender, conversation, seq) { $0.isNull(0) ? nil : $0.bytes(0) } ?? nil
  }

  /// Takes away what only kept a seq.
  func dropPlaceholder(at seq: Int64, in conversation: Int64) throws(DatabaseError) {
    try source.statement(
      "DELETE FROM events WHERE conversation_id = ? AND seq = ? AND kind IN (1, 7)"
    ).run(conversation, seq)
  }

  /// Whether an event of this id and sender has its effect already, at another seq than one.
  func isHeld(
    _ id: EventID, from sender: Int64, in conversation: Int64, besides seq: Int64? = nil
  ) throws(DatabaseError) -> Bool {
    try source.statement(
      """
      SELECT 1 FROM events
      WHERE event_id = ? AND sender_id = ? AND conversation_id = ? AND kind NOT IN (1, 7)
        AND seq IS NOT ? LIMIT 1
      """
    ).integer(id.bytes, sender, conversation, seq) != nil
  }

  // MARK: Waiting

  func waiting(
    for target: MessageTarget, in conversation: Int64
  ) throws(DatabaseError) -> [WaitingEvent] {
    try source.statement(
      """
      SELECT seq, sender_id, content FROM events
      WHERE target_id = ? AND target_sender = ? AND target_id IS NOT NULL AND conversation_id = ?
        AND applied = 0
      ORDER BY seq
      """
    ).all(target.id.bytes, target.sender, conversation) {
      WaitingEvent(seq: $0.integer(0), sender: $0.integer(1), content: $0.bytes(2))
    }
  }

  func markApplied(
    _ seq: Int64, in conversation: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    try source.statement(
      "UPDATE events SET applied = 1, changed = ? WHERE conversation_id = ? AND seq = ?"
    ).run(changed, conversation, seq)
  }

  /// Ends the waiting of edits and reactions that have no gap below them.
  ///
  /// Their seqs stay held; what they would have changed will not come.
  func dropWaiting(in conversation: Int64, _ changed: Int64) throws(DatabaseError) {
    try source.statement(
      """
      UPDATE events SET applied = 1, content = NULL, changed = ?2
      WHERE conversation_id = ?1 AND applied = 0 AND kind IN (3, 5) AND NOT EXISTS
        (SELECT 1 FROM gaps WHERE gaps.conversation_id = ?1 AND gaps.first < events.seq)
      """
    ).run(conversation, changed)
  }

  /// Whether a delete waits for the message.
  func awaitsDelete(
    of target: MessageTarget, in conversation: Int64
  ) throws(DatabaseError) -> Bool {
    try source.statement(
      """
      SELECT 1 FROM events
      WHERE target_id = ? AND target_sender = ? AND target_id IS NOT NULL AND conversation_id = ?
        AND kind = 4 LIMIT 1
      """
    ).integer(target.id.bytes, target.sender, conversation) != nil
  }

  /// Forgets the edits and reactions of a message that was deleted before it came.
  func forgetWaiting(
    for target: MessageTarget, in conversation: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    try source.statement(
      """
      UPDATE events SET applied = 1, content = NULL, changed = ?
      WHERE target_id = ? AND target_sender = ? AND target_id IS NOT NULL AND conversation_id = ?
        AND kind IN (3, 5) AND applied = 0
      """
    ).run(changed, target.id.bytes, target.sender, conversation)
  }

  // MARK: Effects on a message

  func message(
    _ target: MessageTarget, in conversation: Int64
  ) throws(DatabaseError) -> TargetRow? {
    try source.statement(
      """
      SELECT id, seq, sender_id, msg_id, state, text, content, edit_seq, deleted_seq FROM messages
      WHERE msg_id = ? AND sender_id = ? AND conversation_id = ?
      """
    ).first(target.id.bytes, target.sender, conversation) { row in
      TargetRow(
        id: row.integer(0), seq: row.optionalInteger(1), sender: row.integer(2),
        eventID: row.bytes16(3), isIncoming: row.integer(4) == MessageState.incoming.rawValue,
        text: row.optionalText(5), content: row.isNull(6) ? nil : row.bytes(6),
        editSeq: row.integer(7), deletedSeq: row.optionalInteger(8))
    }
  }

  func contentOf(_ row: Int64) throws(DatabaseError) -> [UInt8]? {
    try source.statement("SELECT content FROM messages WHERE id = ?")
      .first(row) { $0.isNull(0) ? nil : $0.bytes(0) } ?? nil
  }

  func edit(
    _ row: Int64, _ text: String, _ content: [UInt8]?, _ seq: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    try source.statement(
      "UPDATE messages SET text = ?, content = ?, edit_seq = ?, changed = ? WHERE id = ?"
    ).run(text, content, seq, changed, row)
  }

  func setDeleted(_ row: Int64, _ seq: Int64, _ changed: Int64) throws(DatabaseError) {
    try source.statement("UPDATE messages SET deleted_seq = ?, changed = ? WHERE id = ?")
      .run(seq, changed, row)
  }

  /// The newest word of an account on one emoji counts, whichever comes first.
  func react(
    _ row: Int64, _ account: Int64, _ emoji: String, _ seq: Int64, _ isAdded: Bool,
    _ changed: Int64
  ) throws(DatabaseError) {
    try source.statement(
      """
      INSERT INTO reactions (message_id, account_id, emoji, seq, added) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET seq = excluded.seq, added = excluded.added
        WHERE excluded.seq > reactions.seq
      """
    ).run(row, account, emoji, seq, isAdded ? 1 : 0)
    try source.statement("UPDATE messages SET changed = ? WHERE id = ?").run(changed, row)
  }
}
