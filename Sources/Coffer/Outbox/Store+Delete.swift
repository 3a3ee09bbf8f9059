import CofferDatabase

extension Store {
  /// Deletes a message: one of ours everywhere, another's only here.
  ///
  /// Its text, its earlier texts and its reactions are gone from this store once this returns. What
  /// was never handed over is removed whole; what may be on the server leaves a tombstone, and the
  /// word to delete it waits in the outbox. Deleting it again changes nothing, but sends that word
  /// again where it was given up. Throws `unknownEvent`.
  public func delete(_ message: MessageReference) async throws(StoreError) {
    let fresh = options.makeID()
    let now = options.clock()
    try await write(.powerLoss) { connection throws(StoreError) in
      let row = try MessageRow.find(message, in: connection)
      try Self.delete(row, fresh, now, connection)
    }
    outboxSignal.raise()
    await forgetErased()
  }

  static func delete(
    _ row: MessageRow, _ fresh: EventID, _ now: Int64, _ connection: borrowing Connection
  ) throws(StoreError) {
    try StoreError.catching { () throws(DatabaseError) in
      var writer = try OutboxWriter(connection, now: now)
      try writer.delete(row, fresh, connection)
      try writer.close(connection)
    }
  }
}

extension OutboxWriter {
  fileprivate mutating func delete(
    _ row: MessageRow, _ fresh: EventID, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    if row.isDeleted {
      if row.isOwn, row.deletedSeq == 0, row.seq != nil {
        try sayDeleted(row, fresh, connection)
      }
      return
    }
    if row.isOwn, row.stage == .unsealed {
      try remove(row, connection)
      return
    }
    try wipe(row, connection)
    guard row.isOwn else { return }
    if row.stage == .failed {
      // Nobody else has it. Should its acknowledgement still come, the tombstone sends the delete.
      try connection.statement("DELETE FROM outbox WHERE message_id = ?").run(row.id)
    } else {
      try sayDeleted(row, fresh, connection)
    }
  }

  /// Queues the delete of a message of ours, unless it is queued; one that was given up goes again.
  private func sayDeleted(
    _ row: MessageRow, _ fresh: EventID, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let queued = try connection.statement(
      "SELECT failed FROM outbox WHERE message_id = ? AND kind = 2 ORDER BY failed LIMIT 1"
    ).integer(row.id)
    if queued == 0 { return }
    try connection.statement("DELETE FROM outbox WHERE message_id = ? AND kind = 2").run(row.id)
    let event = Event.delete(try ownReference(row, connection))
    try enqueue(.delete, fresh, in: row.conversation, about: row.id, event, connection)
  }
}
