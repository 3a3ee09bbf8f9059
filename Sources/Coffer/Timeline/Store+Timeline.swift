package import CofferDatabase

/// A piece of a conversation, oldest entry first.
public struct TimelinePage: Sendable, Equatable {
  public enum Entry: Sendable, Equatable {
    case message(Message)
    /// A hole is a value, not an error.
    case gap(Gap)
    case unreadable(UnreadableEvent)
  }

  /// A place in a timeline to go on from.
  public enum Position: Sendable, Equatable {
    /// Below this row, among the messages that have no seq.
    case row(Int64)
    /// Below this seq.
    case seq(Int64)
  }

  public internal(set) var entries: [Entry]
  /// Where the next older page begins; nothing when this one reaches the first seq this device may
  /// see.
  public let older: Position?
}

extension Store {
  /// The newest entries of a conversation, or those before `position`.
  ///
  /// Messages are in the server's order; what has no seq yet comes after them, in the order it was
  /// written; gaps stand between the messages that they separate. Edits and reactions of ours that
  /// wait for the server are shown as if it had them. At most `limit` messages and
  /// unreadable events, and twice as many gaps. Throws `unknownConversation`.
  public func timeline(
    of conversation: String, before position: TimelinePage.Position? = nil, limit: Int = 50
  ) async throws(StoreError) -> TimelinePage {
    let page = try await read { connection throws(DatabaseError) in
      try TimelinePage(of: conversation, before: position, limit: limit, in: connection)
    }
    guard let page else { throw .unknownConversation(conversation) }
    return page
  }
}

extension TimelinePage {
  /// Reads a page of a snapshot; nothing where the conversation is unknown.
  package init?(
    of conversation: String, before position: Position? = nil, limit: Int,
    in connection: borrowing Connection
  ) throws(DatabaseError) {
    // Two looks at what mostly is empty spare two statements for the page.
    let found = try connection.statement(
      """
      SELECT id, first_seq, cleared_seq, EXISTS (SELECT 1 FROM reactions),
        EXISTS (SELECT 1 FROM outbox o WHERE o.conversation_id = conversations.id)
      FROM conversations WHERE address = ?
      """
    ).first(conversation) { row in
      (
        id: row.integer(0), floor: max(row.integer(1), row.integer(2) + 1),
        hasReactions: row.integer(3) == 1, hasQueue: row.integer(4) == 1
      )
    }
    guard let found else { return nil }
    var page = try TimelineReader(connection, conversation: found.id, floor: found.floor)
      .page(before: position, limit: max(limit, 1))
    if found.hasReactions || found.hasQueue {
      let overlay = TimelineOverlay(page.entries, of: found.id)
      if found.hasReactions { try overlay.addReactions(to: &page.entries, connection) }
      if found.hasQueue { try overlay.addQueued(to: &page.entries, connection) }
    }
    self = page
  }
}

/// Reads one page by bounded walks over indexes.
struct TimelineReader {
  private typealias Entry = TimelinePage.Entry

  private let conversation: Int64
  private let floor: Int64
  private let pending: Statement
  private let acknowledged: Statement
  private let unreadable: Statement
  private let gaps: Statement

  init(
    _ connection: borrowing Connection, conversation: Int64, floor: Int64
  ) throws(DatabaseError) {
    self.conversation = conversation
    self.floor = floor
    pending = try connection.statement(Self.pendingSQL)
    acknowledged = try connection.statement(Self.acknowledgedSQL)
    unreadable = try connection.statement(Self.unreadableSQL)
    gaps = try connection.statement(Self.gapsSQL)
  }

  /// A message with its sender, as `message(_:)` reads it; what is seldom true is one number.
  static let columns = """
    m.id, m.seq, a.address, m.msg_id, m.state, m.text, m.sent_at, m.received_at,
    (m.edit_seq > 0) | ((m.deleted_seq IS NOT NULL) << 1) | (m.expunged << 2), m.content
    """

  private static let pendingSQL = """
    SELECT \(columns) FROM messages m JOIN accounts a ON a.id = m.sender_id
    WHERE m.conversation_id = ? AND m.seq IS NULL AND m.deleted_seq IS NULL AND m.id < ?
    ORDER BY m.id DESC LIMIT ?
    """
  private static let acknowledgedSQL = """
    SELECT \(columns) FROM messages m JOIN accounts a ON a.id = m.sender_id
    WHERE m.conversation_id = ? AND m.seq < ? ORDER BY m.seq DESC LIMIT ?
    """
  private static let unreadableSQL = """
    SELECT e.seq, e.event_id, a.address FROM events e LEFT JOIN accounts a ON a.id = e.sender_id
    WHERE e.conversation_id = ? AND e.seq < ? AND e.seq > ? AND e.kind = 1
    ORDER BY e.seq DESC LIMIT ?
    """
  /// The gaps that begin below a seq and end at or above another.
  ///
  /// Only one can begin below the other and still reach it, so the walk ends there.
  static let gapsSQL = """
    SELECT first, last, status FROM gaps
    WHERE conversation_id = ?1 AND first < ?2
      AND first >= coalesce(
        (SELECT max(first) FROM gaps WHERE conversation_id = ?1 AND first <= ?3), ?3)
      AND last >= ?3
    ORDER BY first DESC LIMIT ?4
    """

  static func message(_ row: Row, at column: Int32 = 0) throws(DatabaseError) -> Message {
    let marks = row.integer(column + 8)
    let reply = row.isNull(column + 9) ? nil : try MessageContent(row.bytes(column + 9)).reply
    return Message(
      id: row.integer(column), seq: row.optionalInteger(column + 1), sender: row.text(column + 2),
      eventID: EventID(row.bytes16(column + 3)),
      state: MessageState(rawValue: Int(row.integer(column + 4))) ?? .incoming,
      text: row.optionalText(column + 5), replyTo: reply, isEdited: marks & 1 != 0,
      isDeleted: marks & 2 != 0, isExpunged: marks & 4 != 0, sentAt: row.integer(column + 6),
      receivedAt: row.integer(column + 7))
  }

  func page(
    before position: TimelinePage.Position?, limit: Int
  ) throws(DatabaseError) -> TimelinePage {
    var newestFirst: [TimelinePage.Entry] = []
    var ceiling = Int64.max
    switch position {
    case .seq(let seq): ceiling = seq
    case .row, nil:
      var below = Int64.max
      if case .row(let row) = position { below = row }
      try pending.forEach(conversation, below, limit) { row throws(DatabaseError) in
        newestFirst.append(.message(try Self.message(row)))
      }
      if newestFirst.count == limit, case .message(let last) = newestFirst[limit - 1] {
        return TimelinePage(entries: newestFirst.reversed(), older: .row(last.id))
      }
    }

    let room = limit - newestFirst.count
    var rest = try held(below: ceiling, limit: room)
    // The page reaches down to its last entry, or to the beginning where that came up short.
    var bottom = rest.count == room ? rest.last?.seq ?? floor : floor
    let most = limit < .max / 2 ? 2 * limit : .max
    let holes = try gaps.all(conversation, ceiling, bottom, most) { row in
      Gap(
        first: row.integer(0), last: row.integer(1),
        isUnavailable: row.integer(2) == Gaps.Status.unavailable.rawValue)
    }
    if holes.count == most, let last = holes.last, last.first > bottom {
      // Where hidden events lie between them, gaps have no end: the page ends with its last one.
      bottom = last.first
      rest.removeAll { $0.seq < bottom }
    }
    merge(rest, holes, into: &newestFirst)
    newestFirst.reverse()
    return TimelinePage(entries: newestFirst, older: bottom > floor ? .seq(bottom) : nil)
  }

  private struct Held {
    let seq: Int64
    let entry: TimelinePage.Entry
  }

  /// Messages and unreadable events below a seq, newest first.
  private func held(below ceiling: Int64, limit: Int) throws(DatabaseError) -> [Held] {
    var entries: [Held] = []
    try acknowledged.forEach(conversation, ceiling, limit) { row throws(DatabaseError) in
      let message = try Self.message(row)
      entries.append(Held(seq: message.seq ?? 0, entry: .message(message)))
    }
    let count = entries.count
    // Below a full page of messages the page does not reach, and events there are not looked at.
    let bottom = count == limit ? entries.last?.seq ?? 0 : 0
    try unreadable.forEach(conversation, ceiling, bottom, limit) { row in
      let event = UnreadableEvent(
        seq: row.integer(0), eventID: EventID(row.bytes16(1)), sender: row.text(2))
      entries.append(Held(seq: event.seq, entry: .unreadable(event)))
    }
    if entries.count > count {
      entries.sort { $0.seq > $1.seq }
      entries.removeLast(max(0, entries.count - limit))
    }
    return entries
  }

  /// Puts each gap between what it separates.
  private func merge(
    _ held: [Held], _ holes: [Gap], into entries: inout [TimelinePage.Entry]
  ) {
    var next = 0
    for entry in held {
      while next < holes.count, holes[next].first > entry.seq {
        entries.append(.gap(holes[next]))
        next += 1
      }
      entries.append(entry.entry)
    }
    for hole in holes[next...] { entries.append(.gap(hole)) }
  }
}
