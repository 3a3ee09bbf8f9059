import CofferDatabase

extension Store {
  /// Takes back what waits in the outbox.
  ///
  /// A message is deleted, wherever it got meanwhile. Anything else is removed from the queue while
  /// it has not left, or when it was given up; the text that a delete has wiped does not come back.
  /// Throws `unknownEvent`, and `conflict` for an entry that may be on the server.
  public func cancel(_ event: EventID) async throws(StoreError) {
    let fresh = options.makeID()
    let now = options.clock()
    try await write(.powerLoss) { connection throws(StoreError) in
      let entry: QueueEntry?
      do throws(DatabaseError) { entry = try QueueEntry(event, in: connection) } catch {
        throw StoreError(error)
      }
      guard let entry, entry.kind != .message else {
        try Self.delete(try MessageRow.own(event, in: connection), fresh, now, connection)
        return
      }
      guard !entry.isSealed || entry.isFailed else { throw .conflict(.onItsWay(event)) }
      try StoreError.catching { () throws(DatabaseError) in
        var writer = try OutboxWriter(connection, now: now)
        try connection.statement("DELETE FROM outbox WHERE event_id = ?").run(event.bytes)
        try writer.touch(entry.conversation, connection)
        try writer.close(connection)
      }
    }
    await forgetErased()
  }

  /// Sends again what was given up: under its old id, with its old bytes, as the last of its queue.
  ///
  /// What belongs to a message moves behind it. Of an entry that waits for its next try it only ends
  /// the waiting, and of what the server has it changes nothing. Throws `unknownEvent`.
  public func retry(_ event: EventID) async throws(StoreError) {
    let now = options.clock()
    try await write(.powerLoss) { connection throws(StoreError) in
      let entry: QueueEntry?
      do throws(DatabaseError) { entry = try QueueEntry(event, in: connection) } catch {
        throw StoreError(error)
      }
      guard let entry else {
        _ = try MessageRow.own(event, in: connection)
        return
      }
      try StoreError.catching { () throws(DatabaseError) in
        var writer = try OutboxWriter(connection, now: now)
        try writer.retry(entry, connection)
        try writer.close(connection)
      }
    }
    outboxSignal.raise()
  }
}

/// An entry as a call of the person meets it.
struct QueueEntry {
  let id: Int64
  let kind: OutboxKind
  let conversation: Int64
  let message: Int64?
  let isSealed: Bool
  let isFailed: Bool

  init?(_ event: EventID, in connection: borrowing Connection) throws(DatabaseError) {
    let row = try connection.statement(
      """
      SELECT id, kind, conversation_id, message_id, payload IS NOT NULL, failed FROM outbox
      WHERE event_id = ?
      """
    ).first(event.bytes) { row throws(DatabaseError) in try QueueEntry(row) }
    guard let row else { return nil }
    self = row
  }

  private init(_ row: Row) throws(DatabaseError) {
    guard let kind = OutboxKind(rawValue: row.integer(1)) else {
      throw DatabaseError(.corrupt, "read outbox")
    }
    id = row.integer(0)
    self.kind = kind
    conversation = row.integer(2)
    message = row.optionalInteger(3)
    isSealed = row.integer(4) == 1
    isFailed = row.integer(5) == 1
  }
}

extension OutboxWriter {
  fileprivate mutating func retry(
    _ entry: QueueEntry, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    guard entry.isFailed else {
      try connection.statement("UPDATE outbox SET retry_at = 0 WHERE id = ?").run(entry.id)
      return
    }
    var last = try connection.statement("SELECT max(id) FROM outbox").integer() ?? 0
    var moved = [entry.id]
    if entry.kind == .message, let message = entry.message {
      try connection.statement("UPDATE messages SET state = 1 WHERE id = ? AND state = 2")
        .run(message)
      try touch(message: message, of: entry.conversation, connection)
      moved += try connection.statement(
        "SELECT id FROM outbox WHERE message_id = ? AND kind <> 0 AND failed = 0 ORDER BY id"
      ).all(message) { $0.integer(0) }
    }
    try connection.statement(
      "UPDATE outbox SET failed = 0, attempts = 0, retry_at = 0, error = NULL WHERE id = ?"
    ).run(entry.id)
    for id in moved {
      last += 1
      try connection.statement("UPDATE outbox SET id = ? WHERE id = ?").run(last, id)
    }
    try touch(entry.conversation, connection)
  }
}
