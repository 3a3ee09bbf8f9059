import CofferDatabase

/// An entry that was claimed, as it goes to the server.
package struct ClaimedEvent: Sendable, Equatable {
  package let event: OutgoingEvent
  /// How often it was tried before.
  package let attempts: Int64
}

extension Store {
  /// Takes the head of every queue that is due and that nobody drains, oldest first.
  ///
  /// The head of a conversation is its oldest entry that was not given up and does not belong to a
  /// message that was. From here on its bytes are fixed, so they are on the disk before the server
  /// sees them.
  package func claim(by lease: Lease, limit: Int) async throws(StoreError) -> [ClaimedEvent] {
    let now = options.clock()
    return try await write(.powerLoss) { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        try Self.endOrphans(now, connection)
        return try Claim(connection, lease, now).take(limit)
      }
    }
  }

  /// Milliseconds since 1970 when an entry becomes due, or became so; nothing while none waits.
  package func nextDue() async throws(StoreError) -> Int64? {
    let now = options.clock()
    return try await read { connection throws(DatabaseError) in
      try connection.statement(Claim.dueSQL).first(now, Lease.duration, Backoff.longest) {
        $0.optionalInteger(0)
      } ?? nil
    }
  }
}

private struct Claim {
  private struct Taken {
    let entry: Int64
    let id: EventID
    let kind: OutboxKind?
    let message: Int64?
    let conversation: Int64
    let content: [UInt8]?
    let payload: [UInt8]?
    let attempts: Int64
    let createdAt: Int64
  }

  private let lease: Lease
  private let now: Int64
  private let take: Statement
  private let address: Statement
  private let message: Statement
  private let seal: Statement

  init(
    _ connection: borrowing Connection, _ lease: Lease, _ now: Int64
  ) throws(DatabaseError) {
    self.lease = lease
    self.now = now
    take = try connection.statement(Self.takeSQL)
    address = try connection.statement("SELECT address FROM conversations WHERE id = ?")
    message = try connection.statement("SELECT text, content FROM messages WHERE id = ?")
    seal = try connection.statement("UPDATE outbox SET payload = ? WHERE id = ?")
  }

  /// The head of each queue, found by its index, and until when its conversation is leased.
  ///
  /// `?1` is now, `?2` the duration of a lease. One that would last longer was written when the clock
  /// was wrong.
  private static let heads = """
    WITH RECURSIVE queues (conversation) AS (
      SELECT min(conversation_id) FROM outbox
      UNION ALL
      SELECT (SELECT min(conversation_id) FROM outbox WHERE conversation_id > conversation)
      FROM queues WHERE conversation IS NOT NULL
    ), heads (head, leased_until) AS (
      SELECT
        (SELECT o.id FROM outbox o LEFT JOIN messages m ON m.id = o.message_id
         WHERE o.conversation_id = conversation AND o.failed = 0
           AND (o.kind = 0 OR m.state IS NOT 2)
         ORDER BY o.id LIMIT 1),
        (SELECT max(l.leased_until) FROM outbox l
         WHERE l.conversation_id = conversation AND l.leased_until > ?1
           AND l.leased_until <= ?1 + ?2)
      FROM queues WHERE conversation IS NOT NULL
    )
    """
  private static let takeSQL = """
    \(heads)
    UPDATE outbox SET leased_by = ?4, leased_until = ?1 + ?2 WHERE id IN (
      SELECT o.id FROM heads JOIN outbox o ON o.id = head
      WHERE heads.leased_until IS NULL AND (o.retry_at <= ?1 OR o.retry_at > ?1 + ?3)
      ORDER BY o.id LIMIT ?5)
    RETURNING id, event_id, kind, message_id, conversation_id, content, payload, attempts, created_at
    """
  static let dueSQL = """
    \(heads)
    SELECT min(max(CASE WHEN o.retry_at > ?1 + ?3 THEN 0 ELSE o.retry_at END,
      coalesce(heads.leased_until, 0)))
    FROM heads JOIN outbox o ON o.id = head
    """

  func take(_ limit: Int) throws(DatabaseError) -> [ClaimedEvent] {
    let taken = try take.all(now, Lease.duration, Backoff.longest, lease.id, limit) { row in
      Taken(
        entry: row.integer(0), id: EventID(row.bytes16(1)),
        kind: OutboxKind(rawValue: row.integer(2)), message: row.optionalInteger(3),
        conversation: row.integer(4), content: row.isNull(5) ? nil : row.bytes(5),
        payload: row.isNull(6) ? nil : row.bytes(6), attempts: row.integer(7),
        createdAt: row.integer(8))
    }
    var claimed: [ClaimedEvent] = []
    for entry in taken.sorted(by: { $0.entry < $1.entry }) { claimed.append(try claim(entry)) }
    return claimed
  }

  private func claim(_ entry: Taken) throws(DatabaseError) -> ClaimedEvent {
    guard let conversation = try address.first(entry.conversation, read: { $0.text(0) }) else {
      throw DatabaseError(.corrupt, "read outbox")
    }
    // A message that is sealed may be gone here already; its bytes are what is sent.
    let event = entry.payload == nil || entry.kind == .change ? try event(of: entry) : nil
    var payload = entry.payload
    if payload == nil, let event {
      let fresh = Payload(
        conversation: conversation, id: entry.id, sentAt: entry.createdAt, event: event
      ).encoded
      try seal.run(fresh, entry.entry)
      payload = fresh
    }
    var change: ConversationChange?
    if case .change(let known) = event { change = known }
    return ClaimedEvent(
      event: OutgoingEvent(
        conversation: conversation, id: entry.id, change: change, sentAt: entry.createdAt,
        payload: payload ?? []),
      attempts: entry.attempts)
  }

  private func event(of entry: Taken) throws(DatabaseError) -> Event {
    if entry.kind == .message, let row = entry.message {
      let event = try message.first(row) { row throws(DatabaseError) in
        let content = try MessageContent(row.isNull(1) ? nil : row.bytes(1))
        return Event.message(text: row.text(0), replyTo: content.reply)
      }
      if let event { return event }
    } else if let content = entry.content, let event = Event(content: content) {
      return event
    }
    throw DatabaseError(.corrupt, "read outbox")
  }
}
