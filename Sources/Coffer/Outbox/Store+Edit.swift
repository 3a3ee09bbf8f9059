import CofferDatabase

extension Store {
  /// Gives a message of ours another text, and says under which id that goes to the server.
  ///
  /// What was never handed over is rewritten, and keeps its own id. Else the edit waits in the
  /// outbox behind the message, and the timeline shows it already; another edit before it left takes
  /// its place. It survives power loss once this returns. Throws `unknownEvent`, `textTooLong`, and
  /// `conflict` for a message that was deleted.
  @discardableResult
  public func edit(_ id: EventID, text: String) async throws(StoreError) -> EventID {
    guard text.utf8.count <= ItemLimits.text else {
      throw .textTooLong(bytes: text.utf8.count)
    }
    let fresh = options.makeID()
    let now = options.clock()
    let edit = try await write(.powerLoss) { connection throws(StoreError) in
      let row = try MessageRow.own(id, in: connection)
      guard !row.isDeleted else { throw .conflict(.deleted(id)) }
      return try StoreError.catching { () throws(DatabaseError) in
        var writer = try OutboxWriter(connection, now: now)
        let edit = try writer.edit(row, text, fresh, connection)
        try writer.close(connection)
        return edit
      }
    }
    outboxSignal.raise()
    return edit
  }
}

extension OutboxWriter {
  fileprivate mutating func edit(
    _ row: MessageRow, _ text: String, _ fresh: EventID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> EventID {
    if row.stage == .unsealed {
      try rewrite(row, text, connection)
      return row.eventID
    }
    try touch(row.conversation, connection)
    let event = Event.edit(of: try ownReference(row, connection), text: text)
    // An edit that was given up is overtaken by this one; sent again later, it would undo it.
    try connection.statement(
      "DELETE FROM outbox WHERE message_id = ? AND kind = 1 AND failed = 1"
    ).run(row.id)
    let waiting = try connection.statement(
      "SELECT event_id FROM outbox WHERE message_id = ? AND kind = 1 AND payload IS NULL"
    ).first(row.id) { EventID($0.bytes16(0)) }
    guard let waiting else {
      try enqueue(.edit, fresh, in: row.conversation, about: row.id, event, connection)
      return fresh
    }
    try connection.statement("UPDATE outbox SET content = ? WHERE event_id = ?")
      .run(event.encodedContent, waiting.bytes)
    return waiting
  }
}
