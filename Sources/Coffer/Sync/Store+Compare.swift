import CofferCrypto
import CofferDatabase

extension Store {
  /// Where an overview's digests say that the server has something else than this store.
  ///
  /// Stretches with a gap are not compared: they are asked for anyway. What was cleared is nobody's
  /// difference. Of a conversation that is behind its head, the window below the head is one.
  package func differences(from overview: Overview) async throws(StoreError) -> [Stretch] {
    try await read { connection throws(DatabaseError) in
      var found: [Stretch] = []
      guard try connection.state(StateKey.relayEpoch) == overview.epoch else { return found }
      let window = try Window(connection)
      for head in overview.conversations {
        if let range = try window.difference(from: head) {
          found.append(Stretch(head.conversation, range))
        }
      }
      return found
    }
  }
}

/// Compares the last seqs of conversations.
private struct Window {
  private let conversation: Statement
  private let gap: Statement
  private let held: Statement

  init(_ connection: borrowing Connection) throws(DatabaseError) {
    conversation = try connection.statement(
      """
      SELECT id, seq_base, max(first_seq, cleared_seq + 1), max_seq FROM conversations
      WHERE address = ?
      """)
    gap = try connection.statement(
      """
      SELECT 1 FROM gaps WHERE conversation_id = ? AND last >= ? AND first <= ? LIMIT 1
      """)
    held = try connection.statement(
      """
      SELECT seq, msg_id FROM messages WHERE conversation_id = ?1 AND seq BETWEEN ?2 AND ?3
      UNION ALL
      SELECT seq, event_id FROM events WHERE conversation_id = ?1 AND seq BETWEEN ?2 AND ?3
      ORDER BY 1
      """)
  }

  func difference(from head: Overview.Head) throws(DatabaseError) -> ClosedRange<Int64>? {
    guard let digest = head.digest, head.from >= 1, head.newestSeq >= head.from else { return nil }
    let first = max(head.from, head.newestSeq - Overview.digestLength + 1)
    let row = try conversation.first(head.conversation) { row in
      (
        id: row.integer(0), base: row.integer(1), floor: row.integer(2), top: row.integer(3)
      )
    }
    // Unknown: the overview itself makes it, with a gap.
    guard let row, head.newestSeq <= .max - row.base else { return nil }
    let range = first + row.base...head.newestSeq + row.base
    guard row.floor <= range.lowerBound else { return nil }
    if row.top < range.upperBound { return first...head.newestSeq }
    if try gap.integer(row.id, range.lowerBound, range.upperBound) != nil { return nil }
    let ours = try self.digest(of: range, in: row.id, base: row.base)
    return ours == digest ? nil : first...head.newestSeq
  }

  /// As `Overview.Head.digest` describes it.
  private func digest(
    of range: ClosedRange<Int64>, in conversation: Int64, base: Int64
  ) throws(DatabaseError) -> [UInt8] {
    var bytes: [UInt8] = []
    try held.forEach(conversation, range.lowerBound, range.upperBound) { row in
      let seq = UInt64(bitPattern: row.integer(0) - base)
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: seq >> (56 - 8 * UInt64($0))) }
      bytes += EventID(row.bytes16(1)).array
    }
    do throws(CryptoError) { return try unsafe BLAKE2b.hash(bytes.span.bytes) } catch {
      throw DatabaseError(.outOfMemory, "digest")
    }
  }
}
