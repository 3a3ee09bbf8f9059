import CofferDatabase

/// The statements of the door, prepared once a connection.
struct DoorStatements {
  struct Holder {
    /// The message row, or nothing where an event holds the seq.
    let message: Int64?
    let id: Bytes16
    let sender: Int64
  }

  struct Known {
    let id: Int64
    let conversation: Int64
    let seq: Int64?
  }

  private let insertMessage: Statement
  private let messageAt: Statement
  private let eventAt: Statement
  private let byID: Statement
  private let textEquals: Statement
  private let setSeq: Statement
  private let dropOutbox: Statement
  private let insertEvent: Statement
  private let deleteEvent: Statement
  private let newestPending: Statement
  private let newestAcknowledged: Statement

  init(_ connection: borrowing Connection) throws(DatabaseError) {
    // DO NOTHING covers both unique keys; broken CHECKs still raise.
    insertMessage = try connection.statement(
      """
      INSERT INTO messages
        (conversation_id, seq, sender_id, msg_id, state, text, sent_at, received_at, changed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """)
    messageAt = try connection.statement(
      "SELECT id, msg_id, sender_id FROM messages WHERE conversation_id = ? AND seq = ?")
    eventAt = try connection.statement(
      "SELECT event_id, sender_id FROM events WHERE conversation_id = ? AND seq = ?")
    byID = try connection.statement(
      "SELECT id, conversation_id, seq FROM messages WHERE msg_id = ? AND sender_id = ?")
    textEquals = try connection.statement(
      "SELECT text IS ? OR deleted_seq IS NOT NULL FROM messages WHERE id = ?")
    // The state only rises: pending and failed become sent, the rest stays.
    setSeq = try connection.statement(
      "UPDATE messages SET seq = ?, state = max(state, 3), changed = ? WHERE id = ?")
    dropOutbox = try connection.statement("DELETE FROM outbox WHERE message_id = ?")
    insertEvent = try connection.statement(
      """
      INSERT INTO events (conversation_id, seq, event_id, sender_id, kind, applied, changed)
      VALUES (?, ?, ?, ?, ?, 1, ?)
      """)
    deleteEvent = try connection.statement(
      "DELETE FROM events WHERE conversation_id = ? AND seq = ?")
    newestPending = try connection.statement(
      """
      SELECT id FROM messages WHERE conversation_id = ? AND seq IS NULL ORDER BY id DESC LIMIT 1
      """)
    newestAcknowledged = try connection.statement(
      """
      SELECT id, seq FROM messages WHERE conversation_id = ? AND seq IS NOT NULL
      ORDER BY seq DESC LIMIT 1
      """)
  }

  func insert(
    _ item: Item, into conversation: Int64, from sender: Int64, state: MessageState, _ now: Int64,
    _ changed: Int64
  ) throws(DatabaseError) {
    let envelope = item.envelope
    if case .event(.message(let text, _)) = item.body {
      try insertMessage.run(
        conversation, envelope.seq, sender, envelope.id.bytes, Int64(state.rawValue), text,
        envelope.sentAt, now, changed)
    }
  }

  func insertEvent(
    _ envelope: Envelope, _ kind: EventKind, into conversation: Int64, from sender: Int64,
    _ changed: Int64
  ) throws(DatabaseError) {
    try insertEvent.run(
      conversation, envelope.seq, envelope.id.bytes, sender, kind.rawValue, changed)
  }

  /// Takes away the event that kept a seq for a message.
  func dropEvent(at seq: Int64, in conversation: Int64) throws(DatabaseError) {
    try deleteEvent.run(conversation, seq)
  }

  /// The message or event at a seq.
  func holder(of seq: Int64, in conversation: Int64) throws(DatabaseError) -> Holder? {
    let message = try messageAt.first(conversation, seq) {
      Holder(message: $0.integer(0), id: $0.bytes16(1), sender: $0.integer(2))
    }
    if let message { return message }
    return try eventAt.first(conversation, seq) {
      Holder(message: nil, id: $0.bytes16(0), sender: $0.integer(1))
    }
  }

  func row(of id: EventID, from sender: Int64) throws(DatabaseError) -> Known? {
    try byID.first(id.bytes, sender) {
      Known(id: $0.integer(0), conversation: $0.integer(1), seq: $0.optionalInteger(2))
    }
  }

  /// Whether a row's body is another one, byte for byte; a tombstone has none to compare.
  func differs(_ row: Int64, from body: Item.Body) throws(DatabaseError) -> Bool {
    guard case .event(.message(let text, _)) = body else { return true }
    return try textEquals.integer(text, row) == 0
  }

  /// Gives a row its seq and takes it out of the outbox.
  func promote(_ row: Int64, to seq: Int64, _ changed: Int64) throws(DatabaseError) {
    try setSeq.run(seq, changed, row)
    try dropOutbox.run(row)
  }

  /// The last row of the timeline: what is pending comes after everything acknowledged.
  func newest(of conversation: Int64) throws(DatabaseError) -> (id: Int64, seq: Int64?)? {
    if let pending = try newestPending.integer(conversation) { return (pending, nil) }
    return try newestAcknowledged.first(conversation) { ($0.integer(0), $0.integer(1)) }
  }
}
