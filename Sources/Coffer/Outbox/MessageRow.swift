import CofferDatabase

/// A message as a call of the person meets it.
struct MessageRow {
  /// How far one of ours is on its way.
  enum Stage {
    /// Nobody has seen it: it may still become another text, or nothing.
    case unsealed
    /// It was handed over at least once, and may be on the server.
    case sealed
    case failed
    /// It has a seq, or is gone here and waits for nothing.
    case settled
  }

  let id: Int64
  let eventID: EventID
  let conversation: Int64
  let sender: Int64
  let seq: Int64?
  let deletedSeq: Int64?
  let stage: Stage
  /// Whether it counts as unread.
  let isUnread: Bool

  var isOwn: Bool { sender == Directory.ownAccount }
  var isDeleted: Bool { deletedSeq != nil }

  private static let sql = """
    SELECT m.id, m.conversation_id, m.sender_id, m.seq, m.deleted_seq, o.payload IS NOT NULL,
      o.failed, m.state = 0 AND m.deleted_seq IS NULL AND m.seq > c.read_seq
    FROM messages m JOIN conversations c ON c.id = m.conversation_id
    LEFT JOIN outbox o ON o.message_id = m.id AND o.kind = 0
    WHERE m.msg_id = ? AND m.sender_id = ?
    """

  init?(
    _ id: EventID, from sender: Int64, in connection: borrowing Connection
  ) throws(DatabaseError) {
    let row = try connection.statement(Self.sql).first(id.bytes, sender) {
      MessageRow($0, id, sender)
    }
    guard let row else { return nil }
    self = row
  }

  private init(_ row: Row, _ eventID: EventID, _ sender: Int64) {
    id = row.integer(0)
    self.eventID = eventID
    conversation = row.integer(1)
    self.sender = sender
    seq = row.optionalInteger(3)
    deletedSeq = row.optionalInteger(4)
    stage =
      switch row.optionalInteger(6) {
      case nil: .settled
      case 0: row.integer(5) == 1 ? .sealed : .unsealed
      default: .failed
      }
    isUnread = row.integer(7) == 1
  }

  /// The one that a reference names, or else `unknownEvent`.
  static func find(
    _ reference: MessageReference, in connection: borrowing Connection
  ) throws(StoreError) -> MessageRow {
    let row: MessageRow?
    do throws(DatabaseError) {
      let sender = try connection.statement("SELECT id FROM accounts WHERE address = ?")
        .integer(reference.sender)
      row = try sender.flatMap { sender throws(DatabaseError) in
        try MessageRow(reference.id, from: sender, in: connection)
      }
    } catch { throw StoreError(error) }
    guard let row else { throw .unknownEvent(reference.id) }
    return row
  }

  /// One of ours, or else `unknownEvent`.
  static func own(
    _ id: EventID, in connection: borrowing Connection
  ) throws(StoreError) -> MessageRow {
    let row: MessageRow?
    do throws(DatabaseError) {
      row = try MessageRow(id, from: Directory.ownAccount, in: connection)
    } catch { throw StoreError(error) }
    guard let row else { throw .unknownEvent(id) }
    return row
  }
}
