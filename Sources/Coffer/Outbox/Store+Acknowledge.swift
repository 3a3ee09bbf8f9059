import CofferDatabase

extension Store {
  /// Takes the server's word that one of our events has its place: it gets its seq and leaves the
  /// outbox, a message becomes sent, anything else takes effect.
  ///
  /// `seq` is the server's, and nothing for what takes none. The same again changes nothing. Throws
  /// `unknownEvent`, `otherEpoch`, and `conflict` when the event has another seq, when the seq is held
  /// by another event, or when it jumps too far; then nothing changed.
  @discardableResult
  public func acknowledge(
    _ id: EventID, seq: Int64, epoch: Int64? = nil
  ) async throws(StoreError) -> ReceiveResult {
    let options = options
    let result = try await write { connection throws(StoreError) in
      try InboxPosition.check(epoch, connection)
      let own = try StoreError.catching { () throws(DatabaseError) in
        try OwnEvent(id, connection)
      }
      guard let own else { throw .unknownEvent(id) }
      var result = try Self.place(own, at: seq, options, connection)
      result.cursor = try StoreError.catching { () throws(DatabaseError) in
        try connection.state(StateKey.cursor) ?? 0
      }
      return result
    }
    if result.hasErased { await forgetErased() }
    return result
  }

  private static func place(
    _ own: OwnEvent, at number: Int64, _ options: Options, _ connection: borrowing Connection
  ) throws(StoreError) -> ReceiveResult {
    var result = ReceiveResult()
    var door: Door
    let found: Int?
    do throws(DatabaseError) {
      door = try Door(connection, options)
      found = try door.directory.find(own.conversation)
    } catch { throw StoreError(error) }
    guard let place = found else { throw .unknownConversation(own.conversation) }
    let state = door.directory.conversations[place]
    guard number >= 1, let seq = state.local(number), seq >= state.firstSeq else {
      throw .conflict(.seqOutOfReach(number, conversation: own.conversation))
    }
    if let known = own.seq, known == seq || known > state.seqBase {
      guard known == seq else {
        throw .conflict(.acknowledgedElsewhere(own.id, seq: known - state.seqBase))
      }
      result.count(.duplicate)
      return result
    }
    let isTaken: Bool
    do throws(DatabaseError) {
      isTaken = try door.isTaken(seq, in: state.id, besides: own.id)
    } catch { throw StoreError(error) }
    guard !isTaken else { throw .conflict(.seqTaken(number, conversation: own.conversation)) }
    do throws(DatabaseError) {
      let envelope = Envelope(
        conversation: own.conversation, seq: number, sender: try door.statements.ownAddress(),
        device: 1, id: own.id, sentAt: 0)
      result.count(try door.apply(.item(Item(envelope, .accepted)), in: connection))
      try door.close(connection)
    } catch { throw StoreError(error) }
    result.hasErased = door.hasErased
    return result
  }
}

/// An event of ours, wherever it is.
private struct OwnEvent {
  let id: EventID
  let conversation: String
  let seq: Int64?

  init?(_ id: EventID, _ connection: borrowing Connection) throws(DatabaseError) {
    // The newest place first: a new numbering of the server may have given it a second one.
    let found = try connection.statement(
      """
      SELECT c.address, m.seq FROM messages m JOIN conversations c ON c.id = m.conversation_id
      WHERE m.msg_id = ?1 AND m.sender_id = 1
      UNION ALL
      SELECT c.address, e.seq FROM events e JOIN conversations c ON c.id = e.conversation_id
      WHERE e.event_id = ?1 AND e.sender_id = 1 AND e.kind NOT IN (1, 7)
      UNION ALL
      SELECT c.address, NULL FROM outbox o JOIN conversations c ON c.id = o.conversation_id
      WHERE o.event_id = ?1 AND o.kind <> 0
      ORDER BY 2 DESC LIMIT 1
      """
    ).first(id.bytes) { ($0.text(0), $0.optionalInteger(1)) }
    guard let (conversation, seq) = found else { return nil }
    self.id = id
    self.conversation = conversation
    self.seq = seq
  }
}
