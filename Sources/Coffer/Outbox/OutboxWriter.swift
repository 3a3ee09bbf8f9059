import CofferDatabase

/// What a call of the person writes, in one transaction.
struct OutboxWriter {
  private var counter: ChangeCounter
  let now: Int64

  init(_ connection: borrowing Connection, now: Int64) throws(DatabaseError) {
    counter = try ChangeCounter(connection)
    self.now = now
  }

  /// The last step before the commit.
  func close(_ connection: borrowing Connection) throws(DatabaseError) {
    try counter.save(connection)
  }

  // MARK: Entries

  /// Puts an event at the end of its conversation's queue.
  func enqueue(
    _ kind: OutboxKind, _ id: EventID, in conversation: Int64, about row: Int64?,
    _ event: Event?, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.statement(
      """
      INSERT INTO outbox (event_id, conversation_id, message_id, kind, content, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    ).run(id.bytes, conversation, row, kind.rawValue, event?.encodedContent, now)
  }

  func ownReference(
    _ row: MessageRow, _ connection: borrowing Connection
  ) throws(DatabaseError) -> MessageReference {
    let address = try connection.statement("SELECT address FROM accounts WHERE id = ?")
      .first(Directory.ownAccount) { $0.text(0) }
    return MessageReference(sender: address ?? "", id: row.eventID)
  }

  // MARK: Rows

  mutating func insertMessage(
    _ draft: Draft, _ id: EventID, in conversation: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.statement(
      """
      INSERT INTO messages
        (conversation_id, sender_id, msg_id, state, text, content, sent_at, received_at, changed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      conversation, Directory.ownAccount, id.bytes, Int64(MessageState.pending.rawValue),
      draft.text, draft.replyTo.flatMap { MessageContent(reply: $0).encoded }, now, now,
      counter.next())
    let row = connection.lastInsertedRow
    try enqueue(.message, id, in: conversation, about: row, nil, connection)
    // What was typed is sent now: left as a draft, a kill would have it sent twice.
    try connection.statement(
      """
      UPDATE conversations SET newest_id = ?, newest_seq = NULL, active_at = ?, changed = ?,
        draft = CASE WHEN draft IS ? THEN NULL ELSE draft END
      WHERE id = ?
      """
    ).run(row, now, counter.next(), draft.text, conversation)
  }

  /// Another text for what nobody has seen yet.
  mutating func rewrite(
    _ row: MessageRow, _ text: String, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.statement("UPDATE messages SET text = ?, changed = ? WHERE id = ?")
      .run(text, counter.next(), row.id)
    try touch(row.conversation, connection)
  }

  /// Removes a message that nobody has seen, and all that was to be sent about it.
  mutating func remove(
    _ row: MessageRow, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.statement("DELETE FROM outbox WHERE message_id = ?").run(row.id)
    try connection.statement("DELETE FROM reactions WHERE message_id = ?").run(row.id)
    try connection.statement("DELETE FROM messages WHERE id = ?").run(row.id)
    try refreshPreview(of: row.conversation, connection)
  }

  /// Leaves of a message its place and nothing else: no text, no earlier one, no reaction, and
  /// nothing that was to be sent about it and has not left.
  mutating func wipe(
    _ row: MessageRow, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.statements.wipeMessage(
      row.id, row.eventID.bytes, from: row.sender, deletedAt: 0, counter.next())
    if row.isUnread {
      try connection.statement("UPDATE conversations SET unread = unread - 1 WHERE id = ?")
        .run(row.conversation)
    }
    try refreshPreview(of: row.conversation, connection)
  }

  // MARK: Conversations

  /// Has other processes see that a conversation changed.
  mutating func touch(
    _ conversation: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.statement("UPDATE conversations SET changed = ? WHERE id = ?")
      .run(counter.next(), conversation)
  }

  /// Has backups and other processes see that what is shown of a message changed.
  mutating func touch(
    message: Int64, of conversation: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.statement("UPDATE messages SET changed = ? WHERE id = ?")
      .run(counter.next(), message)
    try touch(conversation, connection)
  }

  mutating func refreshPreview(
    of conversation: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let newest = try connection.statements.newestMessage(of: conversation)
    try connection.statement(
      "UPDATE conversations SET newest_id = ?, newest_seq = ?, changed = ? WHERE id = ?"
    ).run(newest?.id, newest?.seq, counter.next(), conversation)
  }
}
