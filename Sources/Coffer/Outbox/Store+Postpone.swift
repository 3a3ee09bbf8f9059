import CofferCrypto
import CofferDatabase

/// What became of an entry that the server did not take.
package enum Postponement: Sendable, Equatable {
  /// It is due again at this time, in milliseconds since 1970.
  case waits(until: Int64)
  /// It was tried too often, and is given up.
  case failed
  /// Somebody else has it, or it has arrived: nothing was changed.
  case notOurs
}

extension Store {
  /// Has an entry wait for its next try, and counts this one.
  ///
  /// `asked` are the milliseconds that the server wants it to wait.
  package func postpone(
    _ id: EventID, by lease: Lease, asked: Int64? = nil, backoff: Backoff = Backoff()
  ) async throws(StoreError) -> Postponement {
    let now = options.clock()
    let bytes = options.random.bytes(8)
    let random = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return try await write(.powerLoss) { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        let tried = try connection.statement(
          "SELECT attempts + 1 FROM outbox WHERE event_id = ? AND leased_by = ? AND failed = 0"
        ).integer(id.bytes, lease.id)
        guard let tried else { return .notOurs }
        if tried >= backoff.attempts {
          var writer = try OutboxWriter(connection, now: now)
          _ = try writer.giveUp(id, lease, "it was tried \(tried) times", tried, connection)
          try writer.close(connection)
          return .failed
        }
        let until = now + backoff.delay(after: tried, asked: asked, random: random)
        try connection.statement(
          """
          UPDATE outbox SET attempts = ?, retry_at = ?, leased_by = NULL, leased_until = NULL
          WHERE event_id = ?
          """
        ).run(tried, until, id.bytes)
        return .waits(until: until)
      }
    }
  }

  /// Lets go of an entry as if it had not been tried: the server was not reached.
  package func letGo(_ id: EventID, by lease: Lease) async throws(StoreError) {
    try await write { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        try connection.statement(
          """
          UPDATE outbox SET leased_by = NULL, leased_until = NULL
          WHERE event_id = ? AND leased_by = ?
          """
        ).run(id.bytes, lease.id)
      }
    }
  }

  /// Gives an entry up for good; the next one of its conversation goes on.
  ///
  /// False where somebody else has it, or it has arrived. What belongs to a message that failed waits for the person, who sends it again or deletes it; a
  /// message that was deleted meanwhile is done.
  @discardableResult
  package func fail(
    _ id: EventID, by lease: Lease, _ refusal: Refusal
  ) async throws(StoreError) -> Bool {
    let now = options.clock()
    return try await write(.powerLoss) { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        var writer = try OutboxWriter(connection, now: now)
        let isOurs = try writer.giveUp(id, lease, refusal.rawValue, nil, connection)
        try writer.close(connection)
        return isOurs
      }
    }
  }
}

extension OutboxWriter {
  fileprivate mutating func giveUp(
    _ id: EventID, _ lease: Lease, _ reason: String, _ attempts: Int64?,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    try connection.statement(
      """
      UPDATE outbox SET failed = 1, error = ?, attempts = coalesce(?, attempts + 1),
        leased_by = NULL, leased_until = NULL
      WHERE event_id = ? AND leased_by = ? AND failed = 0
      """
    ).run(reason, attempts, id.bytes, lease.id)
    guard connection.changes == 1, let entry = try QueueEntry(id, in: connection) else {
      return false
    }
    guard let message = entry.message else {
      try touch(entry.conversation, connection)
      return true
    }
    try touch(message: message, of: entry.conversation, connection)
    guard entry.kind == .message else { return true }
    try connection.statement("UPDATE messages SET state = 2 WHERE id = ? AND state = 1")
      .run(message)
    // The person has deleted it already, and nobody else has it.
    let isDeleted = try connection.statement(
      "SELECT deleted_seq IS NOT NULL FROM messages WHERE id = ?"
    ).integer(message)
    if isDeleted == 1 {
      try connection.statement("DELETE FROM outbox WHERE message_id = ?").run(message)
    }
    return true
  }
}
