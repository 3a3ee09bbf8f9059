import CofferDatabase

/// Where a store stands in a server's numbering.
public struct SyncPosition: Sendable, Equatable {
  /// Everything in the inbox up to here is in the store.
  public let cursor: Int64
  /// Everything up to here survives power loss, so that the server may discard it.
  public let durableCursor: Int64
  /// The numbering that both belong to; nothing while no server has named one.
  public let epoch: Int64?

  package init(cursor: Int64, durableCursor: Int64, epoch: Int64?) {
    self.cursor = cursor
    self.durableCursor = durableCursor
    self.epoch = epoch
  }

  init(_ connection: borrowing Connection) throws(DatabaseError) {
    cursor = try connection.state(StateKey.cursor) ?? 0
    durableCursor = try connection.state(StateKey.durableCursor) ?? 0
    epoch = try connection.state(StateKey.relayEpoch)
  }
}

extension Store {
  public func syncPosition() async throws(StoreError) -> SyncPosition {
    try await read { connection throws(DatabaseError) in try SyncPosition(connection) }
  }

  /// Makes everything up to the cursor survive power loss, and says so in the store itself.
  ///
  /// Only the `durableCursor` that it gives may be named to a server as what it can discard: a page
  /// that was merely received may be undone by a power loss.
  public func harden() async throws(StoreError) -> SyncPosition {
    try await write(.powerLoss) { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        let position = try SyncPosition(connection)
        // A transaction that changes nothing would sync nothing; what was stored is durable already.
        if position.durableCursor != position.cursor {
          try connection.setState(StateKey.durableCursor, position.cursor)
        }
        return try SyncPosition(connection)
      }
    }
  }

  /// Goes on in another numbering of the server, which has lost its old one.
  ///
  /// The inbox is read from its beginning; conversations go on above what is here, and what was
  /// missing will not come. What the server sends again is recognised by its id and stays where it
  /// is. Nothing is deleted. The epoch that the store is in already changes nothing.
  public func beginEpoch(_ epoch: Int64) async throws(StoreError) {
    try await write(.powerLoss) { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        let known = try connection.state(StateKey.relayEpoch)
        guard known != epoch else { return }
        try connection.setState(StateKey.relayEpoch, epoch)
        guard known != nil else { return }
        try connection.setState(StateKey.cursor, Int64(0))
        try connection.setState(StateKey.durableCursor, Int64(0))
        try connection.statement("DELETE FROM ahead").run()
        var counter = try ChangeCounter(connection)
        let gaps = try Gaps(connection)
        let conversations = try connection.statement(
          "SELECT id, max_seq FROM conversations WHERE max_seq > 0"
        ).all { ($0.integer(0), $0.integer(1)) }
        for (id, top) in conversations {
          try gaps.close(1...top, of: id, changed: counter.next())
          try connection.statement(
            "UPDATE conversations SET seq_base = max_seq, changed = ? WHERE id = ?"
          ).run(counter.next(), id)
        }
        try counter.save(connection)
      }
    }
  }

  /// What is missing and may still be had, in the server's numbers: of one conversation or of all,
  /// newest stretch of each conversation first.
  public func openGaps(
    of conversation: String? = nil, limit: Int = 100
  ) async throws(StoreError) -> [(conversation: String, range: ClosedRange<Int64>)] {
    try await read { connection throws(DatabaseError) in
      try connection.statement(
        """
        SELECT c.address, g.first - c.seq_base, g.last - c.seq_base
        FROM gaps g JOIN conversations c ON c.id = g.conversation_id
        WHERE g.status = 0 AND g.first > c.seq_base AND (?1 IS NULL OR c.address = ?1)
        ORDER BY g.conversation_id, g.first DESC LIMIT ?2
        """
      ).all(conversation, limit) { ($0.text(0), $0.integer(1)...$0.integer(2)) }
    }
  }
}
