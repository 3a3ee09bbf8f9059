import CofferDatabase

extension Store {
  /// Takes the server's word that one of our messages has its place: the row gets its seq, becomes
  /// sent, and leaves the outbox.
  ///
  /// The same again changes nothing. Throws `unknownEvent`, and `conflict` when the message has
  /// another seq, when the seq is held by another event, or when it jumps too far; then nothing
  /// changed.
  @discardableResult
  public func acknowledge(_ id: EventID, seq: Int64) async throws(StoreError) -> ReceiveResult {
    let now = options.clock()
    return try await write { connection throws(StoreError) in
      let row: (id: Int64, seq: Int64?, conversation: String)?
      do throws(DatabaseError) {
        row = try connection.statement(
          """
          SELECT m.id, m.seq, c.address FROM messages m
          JOIN conversations c ON c.id = m.conversation_id
          WHERE m.msg_id = ? AND m.sender_id = ?
          """
        ).first(id.bytes, Directory.ownAccount) {
          ($0.integer(0), $0.optionalInteger(1), $0.text(2))
        }
      } catch { throw StoreError(error) }
      guard let row else { throw .unknownEvent(id) }

      var result = ReceiveResult()
      if let known = row.seq {
        guard known == seq else { throw .conflict(.acknowledgedElsewhere(id, seq: known)) }
        result.count(.duplicate)
      } else {
        try Self.place(row.id, id, at: seq, in: row.conversation, now, connection)
        result.count(.updated)
      }
      do throws(DatabaseError) { result.cursor = try connection.state(StateKey.cursor) ?? 0 } catch
      { throw StoreError(error) }
      return result
    }
  }

  private static func place(
    _ row: Int64, _ id: EventID, at seq: Int64, in conversation: String, _ now: Int64,
    _ connection: borrowing Connection
  ) throws(StoreError) {
    var door: Door
    let place: Int?
    let isTaken: Bool
    do throws(DatabaseError) {
      door = try Door(connection, now: now)
      place = try door.directory.find(conversation)
      isTaken =
        try place.map { place throws(DatabaseError) in
          try door.isTaken(seq, in: door.directory.conversations[place].id, besides: id)
        } ?? false
    } catch { throw StoreError(error) }
    guard let place else { throw .unknownConversation(conversation) }
    let state = door.directory.conversations[place]
    guard !isTaken else { throw .conflict(.seqTaken(seq, conversation: conversation)) }
    guard seq >= state.floor, seq - state.maxSeq <= ItemLimits.jump else {
      throw .conflict(.seqOutOfReach(seq, conversation: conversation))
    }
    do throws(DatabaseError) {
      try door.promote(row, to: seq, at: place, in: connection)
      try door.close(connection)
    } catch { throw StoreError(error) }
  }
}
