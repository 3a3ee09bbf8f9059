import Coffer
import CofferDatabase

/// Every row of a store that a check looks at.
///
/// Read as they are, so that no code of the store's own stands between them and the check.
struct StoreRows: Sendable {
  struct Conversation: Sendable {
    let id: Int64
    let address: String
    let title: String?
    let firstSeq: Int64
    let maxSeq: Int64
    let clearedSeq: Int64
    let base: Int64
    let readSeq: Int64
    let unread: Int64
    let newestID: Int64?
    let deletedSeq: Int64?

    var floor: Int64 { max(firstSeq, clearedSeq + 1) }
  }

  struct Message: Sendable {
    let id: Int64
    let conversation: Int64
    let seq: Int64?
    let sender: String
    let eventID: EventID
    let state: Int64
    let text: String?
    let deletedSeq: Int64?
    let hasContent: Bool
    let isExpunged: Bool
  }

  struct Event: Sendable {
    let conversation: Int64
    let seq: Int64
    let eventID: EventID
    let sender: String?
    let kind: Int64
    let isApplied: Bool
  }

  struct Gap: Sendable {
    let conversation: Int64
    let first: Int64
    let last: Int64
    let isOpen: Bool
  }

  struct Outgoing: Sendable {
    let place: Int64
    let eventID: EventID
    let conversation: String
    let message: Int64?
    let isFailed: Bool
    let isSealed: Bool
  }

  struct Watermark: Sendable {
    let conversation: Int64
    let account: String
    let delivered: Int64
    let read: Int64
  }

  struct Member: Sendable {
    let conversation: Int64
    let account: String
    let isCurrent: Bool
  }

  struct Reaction: Sendable {
    let message: Int64
    let account: String
    let emoji: String
    let isAdded: Bool
  }

  struct Quarantined: Sendable {
    let inbox: Int64?
    let raw: [UInt8]
    let attempts: Int64
  }

  private(set) var conversations: [Conversation] = []
  private(set) var messages: [Message] = []
  private(set) var events: [Event] = []
  private(set) var gaps: [Gap] = []
  private(set) var outbox: [Outgoing] = []
  private(set) var receipts: [Watermark] = []
  private(set) var members: [Member] = []
  private(set) var reactions: [Reaction] = []
  private(set) var quarantine: [Quarantined] = []
  private(set) var ahead: [Int64] = []
  private(set) var cursor: Int64 = 0
  private(set) var durableCursor: Int64 = 0
  private(set) var relayEpoch: Int64?

  init(_ store: Store) async throws {
    self = try await store.database.read { connection throws(DatabaseError) in
      try StoreRows(connection)
    }
  }

  private init(_ connection: borrowing Connection) throws(DatabaseError) {
    conversations = try connection.statement(
      """
      SELECT id, address, title, first_seq, max_seq, cleared_seq, seq_base, read_seq, unread,
        newest_id, deleted_seq
      FROM conversations ORDER BY id
      """
    ).all { row in
      Conversation(
        id: row.integer(0), address: row.text(1), title: row.optionalText(2),
        firstSeq: row.integer(3), maxSeq: row.integer(4), clearedSeq: row.integer(5),
        base: row.integer(6), readSeq: row.integer(7), unread: row.integer(8),
        newestID: row.optionalInteger(9), deletedSeq: row.optionalInteger(10))
    }
    messages = try connection.statement(
      """
      SELECT m.id, m.conversation_id, m.seq, a.address, m.msg_id, m.state, m.text, m.deleted_seq,
        m.content IS NOT NULL, m.expunged
      FROM messages m JOIN accounts a ON a.id = m.sender_id ORDER BY m.id
      """
    ).all { row in
      Message(
        id: row.integer(0), conversation: row.integer(1), seq: row.optionalInteger(2),
        sender: row.text(3), eventID: EventID(row.bytes16(4)), state: row.integer(5),
        text: row.optionalText(6), deletedSeq: row.optionalInteger(7),
        hasContent: row.integer(8) == 1, isExpunged: row.integer(9) == 1)
    }
    events = try connection.statement(
      """
      SELECT e.conversation_id, e.seq, e.event_id, a.address, e.kind, e.applied
      FROM events e LEFT JOIN accounts a ON a.id = e.sender_id ORDER BY e.conversation_id, e.seq
      """
    ).all { row in
      Event(
        conversation: row.integer(0), seq: row.integer(1), eventID: EventID(row.bytes16(2)),
        sender: row.optionalText(3), kind: row.integer(4), isApplied: row.integer(5) == 1)
    }
    gaps = try connection.statement(
      "SELECT conversation_id, first, last, status FROM gaps ORDER BY conversation_id, first"
    ).all { row in
      Gap(
        conversation: row.integer(0), first: row.integer(1), last: row.integer(2),
        isOpen: row.integer(3) == 0)
    }
    outbox = try connection.statement(
      """
      SELECT o.id, o.event_id, c.address, o.message_id, o.failed, o.payload IS NOT NULL
      FROM outbox o JOIN conversations c ON c.id = o.conversation_id ORDER BY o.id
      """
    ).all { row in
      Outgoing(
        place: row.integer(0), eventID: EventID(row.bytes16(1)), conversation: row.text(2),
        message: row.optionalInteger(3), isFailed: row.integer(4) == 1,
        isSealed: row.integer(5) == 1)
    }
    try readRest(connection)
  }

  private mutating func readRest(_ connection: borrowing Connection) throws(DatabaseError) {
    receipts = try connection.statement(
      """
      SELECT r.conversation_id, a.address, r.delivered_seq, r.read_seq
      FROM receipts r JOIN accounts a ON a.id = r.account_id
      ORDER BY r.conversation_id, a.address
      """
    ).all { row in
      Watermark(
        conversation: row.integer(0), account: row.text(1), delivered: row.integer(2),
        read: row.integer(3))
    }
    members = try connection.statement(
      """
      SELECT m.conversation_id, a.address, m.until_seq IS NULL
      FROM members m JOIN accounts a ON a.id = m.account_id
      ORDER BY m.conversation_id, a.address
      """
    ).all { row in
      Member(
        conversation: row.integer(0), account: row.text(1), isCurrent: row.integer(2) == 1)
    }
    reactions = try connection.statement(
      """
      SELECT r.message_id, a.address, r.emoji, r.added
      FROM reactions r JOIN accounts a ON a.id = r.account_id
      ORDER BY r.message_id, a.address, r.emoji
      """
    ).all { row in
      Reaction(
        message: row.integer(0), account: row.text(1), emoji: row.text(2),
        isAdded: row.integer(3) == 1)
    }
    quarantine = try connection.statement(
      "SELECT inbox, raw, attempts FROM quarantine ORDER BY id"
    ).all { row in
      Quarantined(
        inbox: row.optionalInteger(0), raw: row.bytes(1), attempts: row.integer(2))
    }
    ahead = try connection.statement("SELECT inbox FROM ahead ORDER BY inbox").all {
      $0.integer(0)
    }
    let number = try connection.statement("SELECT value FROM sync_state WHERE key = ?")
    cursor = try number.integer("inbox_cursor") ?? 0
    durableCursor = try number.integer("durable_cursor") ?? 0
    relayEpoch = try number.integer("relay_epoch")
  }
}
