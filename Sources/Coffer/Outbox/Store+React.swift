import CofferDatabase

extension Store {
  /// Adds a reaction of ours to a message, or takes it back, and gives the id under which that goes
  /// to the server.
  ///
  /// Nothing is sent, and no id given, where it would change nothing. What undoes an entry that has
  /// not left removes it. Throws `unknownEvent`, `badEvent` for an emoji that is not 1 to 64 bytes
  /// long, and `conflict` for a message that was deleted.
  @discardableResult
  public func react(
    to message: MessageReference, emoji: String, isAdded: Bool = true
  ) async throws(StoreError) -> EventID? {
    let event = Event.reaction(to: message, emoji: emoji, isAdded: isAdded)
    if let fault = event.fault { throw .badEvent(fault) }
    let fresh = options.makeID()
    let now = options.clock()
    let id = try await write(.powerLoss) { connection throws(StoreError) -> EventID? in
      let row = try MessageRow.find(message, in: connection)
      guard !row.isDeleted else { throw .conflict(.deleted(message.id)) }
      return try StoreError.catching { () throws(DatabaseError) in
        var writer = try OutboxWriter(connection, now: now)
        let id = try writer.react(
          to: row, QueuedReaction(message, emoji, isAdded), fresh, connection)
        try writer.close(connection)
        return id
      }
    }
    outboxSignal.raise()
    return id
  }
}

/// A reaction, and the one that undoes it, as entries hold them.
private struct QueuedReaction {
  let emoji: String
  let isAdded: Bool
  let event: Event
  /// There is one encoding of an event, so that bytes can be compared.
  let content: [UInt8]
  let opposite: [UInt8]

  init(_ message: MessageReference, _ emoji: String, _ isAdded: Bool) {
    self.emoji = emoji
    self.isAdded = isAdded
    event = .reaction(to: message, emoji: emoji, isAdded: isAdded)
    content = event.encodedContent
    opposite = Event.reaction(to: message, emoji: emoji, isAdded: !isAdded).encodedContent
  }
}

extension OutboxWriter {
  fileprivate mutating func react(
    to row: MessageRow, _ reaction: QueuedReaction, _ fresh: EventID,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> EventID? {
    // What was given up is overtaken.
    try connection.statement(
      "DELETE FROM outbox WHERE message_id = ? AND kind = 3 AND failed = 1 AND content IN (?, ?)"
    ).run(row.id, reaction.content, reaction.opposite)
    try connection.statement(
      "DELETE FROM outbox WHERE message_id = ? AND kind = 3 AND payload IS NULL AND content = ?"
    ).run(row.id, reaction.opposite)
    try touch(row.conversation, connection)
    let queued = try connection.statement(
      """
      SELECT content = ?2 FROM outbox
      WHERE message_id = ?1 AND kind = 3 AND content IN (?2, ?3) ORDER BY id DESC LIMIT 1
      """
    ).integer(row.id, reaction.content, reaction.opposite)
    if queued == 1 { return nil }
    if queued == nil {
      let isThere = try connection.statement(
        "SELECT added FROM reactions WHERE message_id = ? AND account_id = ? AND emoji = ?"
      ).integer(row.id, Directory.ownAccount, reaction.emoji)
      if (isThere == 1) == reaction.isAdded { return nil }
    }
    try enqueue(.reaction, fresh, in: row.conversation, about: row.id, reaction.event, connection)
    return fresh
  }
}
