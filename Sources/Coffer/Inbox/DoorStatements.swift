import CofferDatabase

/// The statements by which the door finds and places events, prepared once a connection.
struct DoorStatements {
  struct Holder {
    /// The message row, or nothing where an event holds the seq.
    let message: Int64?
    /// What the event is.
    let kind: EventKind?
    let id: Bytes16
    let sender: Int64?
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
  private let compare: Statement
  private let setSeq: Statement
  private let deleteEvent: Statement
  private let firstWaiting: Statement
  /// What is rare is looked up when it is needed.
  let source: StatementSource

  init(_ connection: borrowing Connection) throws(DatabaseError) {
    source = connection.statements
    // DO NOTHING covers both unique keys; broken CHECKs still raise.
    insertMessage = try connection.statement(
      """
      INSERT INTO messages
        (conversation_id, seq, sender_id, msg_id, state, text, content, sent_at, received_at, changed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """)
    messageAt = try connection.statement(
      "SELECT id, msg_id, sender_id FROM messages WHERE conversation_id = ? AND seq = ?")
    eventAt = try connection.statement(
      "SELECT event_id, sender_id, kind FROM events WHERE conversation_id = ? AND seq = ?")
    byID = try connection.statement(
      "SELECT id, conversation_id, seq FROM messages WHERE msg_id = ? AND sender_id = ?")
    // 1: the same; 2: an edit has replaced the text, so `content` knows the first one.
    compare = try connection.statement(
      """
      SELECT CASE WHEN deleted_seq IS NOT NULL THEN 1 WHEN edit_seq > 0 THEN 2
        ELSE text IS ? AND content IS ? END
      FROM messages WHERE id = ?
      """)
    // The state only rises: pending and failed become sent at least.
    setSeq = try connection.statement(
      "UPDATE messages SET seq = ?, state = max(state, ?), changed = ? WHERE id = ?")
    deleteEvent = try connection.statement(
      "DELETE FROM events WHERE conversation_id = ? AND seq = ?")
    firstWaiting = try connection.statement("SELECT 1 FROM events WHERE applied = 0 LIMIT 1")
  }

  func insert(
    _ envelope: Envelope, _ text: String, _ content: [UInt8]?, at seq: Int64,
    in conversation: Int64, from sender: Int64, state: MessageState, _ now: Int64, _ changed: Int64
  ) throws(DatabaseError) {
    try insertMessage.run(
      conversation, seq, sender, envelope.id.bytes, Int64(state.rawValue), text, content,
      envelope.sentAt, now, changed)
  }

  /// The message or event at a seq.
  func holder(of seq: Int64, in conversation: Int64) throws(DatabaseError) -> Holder? {
    let message = try messageAt.first(conversation, seq) {
      Holder(message: $0.integer(0), kind: nil, id: $0.bytes16(1), sender: $0.integer(2))
    }
    if let message { return message }
    return try eventAt.first(conversation, seq) {
      Holder(
        message: nil, kind: EventKind(rawValue: $0.integer(2)), id: $0.bytes16(0),
        sender: $0.optionalInteger(1))
    }
  }

  func row(of id: EventID, from sender: Int64) throws(DatabaseError) -> Known? {
    try byID.first(id.bytes, sender) {
      Known(id: $0.integer(0), conversation: $0.integer(1), seq: $0.optionalInteger(2))
    }
  }

  /// Whether a row's first body is another one, byte for byte; a tombstone has none to compare.
  func differs(_ row: Int64, from body: Item.Body) throws(DatabaseError) -> Bool {
    switch body {
    case .accepted: return false
    case .event(.message(let text, let reply)):
      let content = MessageContent(reply: reply).encoded
      switch try compare.integer(text, content, row) {
      case 1: return false
      case 2:
        let known = try MessageContent(contentOf(row))
        return known.reply != reply
          || Address(text: known.first ?? "") != Address(text: text)
      default: return true
      }
    case .event, .expunged: return true
    }
  }

  /// Whether what holds a seq is another event than one of the same sender and id.
  func differs(
    _ holder: Holder, at seq: Int64, in conversation: Int64, from body: Item.Body
  ) throws(DatabaseError) -> Bool {
    if let row = holder.message { return try differs(row, from: body) }
    // The body of a repeated event is at its first seq.
    if holder.kind == .repeated, let sender = holder.sender,
      let row = try row(of: EventID(holder.id), from: sender)
    {
      return try differs(row.id, from: body)
    }
    switch body {
    case .accepted: return false
    case .event(let event):
      // What a delete has wiped has nothing left to compare.
      guard let kept = try eventContent(of: holder, at: seq, in: conversation) else { return false }
      return kept != event.encodedContent
    case .expunged: return true
    }
  }

  /// Gives a row its seq and takes it out of the outbox.
  func promote(
    _ row: Int64, to seq: Int64, _ state: MessageState, _ changed: Int64
  ) throws(DatabaseError) {
    try setSeq.run(seq, Int64(state.rawValue), changed, row)
    try dropMessageEntry(row)
  }

  /// Takes away the event that kept a seq for a message.
  func dropEvent(at seq: Int64, in conversation: Int64) throws(DatabaseError) {
    try deleteEvent.run(conversation, seq)
  }

  func anyWaits() throws(DatabaseError) -> Bool { try firstWaiting.integer() != nil }
}
