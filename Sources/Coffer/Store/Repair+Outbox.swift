import CofferDatabase

extension Repair {
  /// What an edit, delete or reaction is about stands in its own words.
  static func findTargets(_ connection: borrowing Connection) throws(DatabaseError) {
    let find = try connection.statement(
      """
      SELECT m.id FROM messages m JOIN accounts a ON a.id = m.sender_id
      WHERE m.msg_id = ? AND a.address = ? AND m.conversation_id = ?
      """)
    let entries = try connection.statement(
      "SELECT id, conversation_id, message_id, content FROM outbox WHERE kind IN (1, 2, 3)"
    ).all {
      ($0.integer(0), $0.integer(1), $0.optionalInteger(2), Event(content: $0.bytes(3))?.target)
    }
    for case (let id, let conversation, let known, let target?) in entries {
      let row = try find.integer(target.id.bytes, target.sender, conversation)
      guard row != known else { continue }
      try connection.statement("UPDATE outbox SET message_id = ? WHERE id = ?").run(row, id)
    }
  }

  /// What was given up keeps the bytes that would have been handed over, so that a retry sends them.
  static func sealGivenUp(_ connection: borrowing Connection) throws(DatabaseError) {
    let entries = try connection.statement(
      """
      SELECT o.id, o.event_id, c.address, o.created_at, o.content, m.text, m.content
      FROM outbox o JOIN conversations c ON c.id = o.conversation_id
      LEFT JOIN messages m ON m.id = o.message_id AND o.kind = 0
      WHERE o.failed = 1 AND o.payload IS NULL
      """
    ).all { row throws(DatabaseError) -> (Int64, [UInt8])? in
      let content = row.isNull(6) ? nil : row.bytes(6)
      let event =
        row.isNull(4)
        ? Event.message(text: row.text(5), replyTo: try MessageContent(content).reply)
        : Event(content: row.bytes(4))
      guard let event else { return nil }
      let payload = Payload(
        conversation: row.text(2), id: EventID(row.bytes16(1)), sentAt: row.integer(3),
        event: event)
      return (row.integer(0), payload.encoded)
    }
    for case (let id, let payload)? in entries {
      try connection.statement("UPDATE outbox SET payload = ? WHERE id = ?").run(payload, id)
    }
  }
}

extension Event {
  /// The message that it is about.
  fileprivate var target: MessageReference? {
    switch self {
    case .edit(let target, _), .delete(let target), .reaction(let target, _, _): target
    case .message, .receipt, .change: nil
    }
  }
}
