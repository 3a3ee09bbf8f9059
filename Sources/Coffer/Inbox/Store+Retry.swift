import CofferCoding
import CofferDatabase

extension Store {
  /// Tries what is in quarantine again: one item, or all.
  ///
  /// What can be applied now leaves it and takes its place in its conversation, as after an update
  /// that knows more kinds of events. Everything else stays, counted once more. Throws `unknownItem`.
  @discardableResult
  public func retryQuarantine(_ id: Int64? = nil) async throws(StoreError) -> ReceiveResult {
    let options = options
    let result = try await write { connection throws(StoreError) in
      var result = ReceiveResult()
      let count = try StoreError.catching { () throws(DatabaseError) -> Int in
        let kept = try connection.statement(
          """
          SELECT id, raw, relay_epoch IS (SELECT value FROM sync_state WHERE key = 'relay_epoch')
          FROM quarantine WHERE ?1 IS NULL OR id = ?1 ORDER BY id
          """
        ).all(id) {
          KeptItem(id: $0.integer(0), raw: $0.bytes(1), isOfThisEpoch: $0.integer(2) == 1)
        }
        var door = try Door(connection, options)
        for item in kept { result.count(try door.retry(item, in: connection)) }
        try door.close(connection)
        result.hasErased = door.hasErased
        result.cursor = try connection.state(StateKey.cursor) ?? 0
        return kept.count
      }
      if let id, count == 0 { throw .unknownItem(id) }
      return result
    }
    if result.hasErased { await forgetErased() }
    return result
  }
}

private struct KeptItem {
  let id: Int64
  let raw: [UInt8]
  let isOfThisEpoch: Bool
}

extension Door {
  fileprivate mutating func retry(
    _ kept: KeptItem, in connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    guard let slice = try? JSONDocument.parse(kept.raw), case .item(let item) = Arrival(slice),
      item.envelope.fault == nil
    else { return try stays(kept, connection) }
    // So that what is refused again is found to be the same.
    retried = kept.raw
    defer { retried = nil }
    let outcome: Outcome
    if kept.isOfThisEpoch {
      outcome = try apply(.item(item), in: connection)
    } else {
      // Its seqs are those of an old numbering: only the place that is kept for it says where it
      // belongs. A watermark has none.
      guard let held = try heldPlace(of: item, in: connection) else {
        return try stays(kept, connection)
      }
      outcome = try apply(item, at: held.seq, of: held.place, in: connection)
    }
    switch outcome {
    case .quarantined, .quarantinedBefore: return .quarantined
    case .inserted, .updated, .duplicate, .waiting:
      try connection.statement("DELETE FROM quarantine WHERE id = ?").run(kept.id)
      return outcome
    }
  }

  private func stays(
    _ kept: KeptItem, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Outcome {
    try connection.statement("UPDATE quarantine SET attempts = attempts + 1 WHERE id = ?")
      .run(kept.id)
    return .quarantined
  }

  private mutating func heldPlace(
    of item: Item, in connection: borrowing Connection
  ) throws(DatabaseError) -> (seq: Int64, place: Int)? {
    guard let place = try directory.find(item.envelope.conversation) else { return nil }
    let sender = try directory.account(item.envelope.sender, &counter, in: connection)
    let seq = try connection.statement(
      """
      SELECT seq FROM events
      WHERE event_id = ? AND sender_id = ? AND conversation_id = ? AND kind = 1
      """
    ).integer(item.envelope.id.bytes, sender, directory.conversations[place].id)
    return seq.map { ($0, place) }
  }
}
