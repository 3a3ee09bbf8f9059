import CofferDatabase

/// A receipt of ours that the server does not know.
package struct WaitingReceipt: Sendable, Equatable {
  package let event: OutgoingEvent
  /// The watermarks in this store's numbering.
  let delivered: Int64
  let read: Int64
}

extension Store {
  /// How far we have the conversations in which others wait to know, at most `limit` of them.
  ///
  /// Delivered is what has no open gap below it. Watermarks take no place in the outbox: whatever
  /// happened since the last one is said by the next.
  package func waitingReceipts(limit: Int) async throws(StoreError) -> [WaitingReceipt] {
    let options = options
    return try await write { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        var receipts: [WaitingReceipt] = []
        for told in try Told.all(connection) {
          guard try told.isNews(connection) else {
            // Only what we wrote ourselves lies between: nobody waits for that.
            try told.note(connection)
            continue
          }
          receipts.append(told.receipt(options))
          if receipts.count == limit { break }
        }
        return receipts
      }
    }
  }

  /// Remembers what the server was told.
  package func noteTold(_ receipt: WaitingReceipt) async throws(StoreError) {
    try await write { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        try connection.statement(
          """
          UPDATE conversations SET delivered_told = max(delivered_told, ?),
            read_told = max(read_told, ?)
          WHERE address = ?
          """
        ).run(receipt.delivered, receipt.read, receipt.event.conversation)
      }
    }
  }
}

/// A conversation whose watermarks are above what the server was told.
private struct Told {
  let conversation: Int64
  let address: String
  let base: Int64
  let delivered: Int64
  let read: Int64
  let deliveredTold: Int64
  let readTold: Int64

  /// The own read marker may be ahead of what came; nobody is told of what is not here.
  static func all(_ connection: borrowing Connection) throws(DatabaseError) -> [Told] {
    try connection.statement(
      """
      SELECT id, address, seq_base, delivered, min(read_seq, delivered), delivered_told, read_told
      FROM (
        SELECT *, coalesce(
          (SELECT min(first) - 1 FROM gaps WHERE conversation_id = id AND status = 0), max_seq)
          AS delivered
        FROM conversations WHERE max_seq > delivered_told OR read_seq > read_told)
      WHERE delivered > seq_base
        AND (delivered > delivered_told OR min(read_seq, delivered) > read_told)
      """
    ).all { row in
      Told(
        conversation: row.integer(0), address: row.text(1), base: row.integer(2),
        delivered: row.integer(3), read: row.integer(4), deliveredTold: row.integer(5),
        readTold: row.integer(6))
    }
  }

  /// Whether a message of somebody else lies between what was told and what is.
  func isNews(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
    let incoming = try connection.statement(
      """
      SELECT 1 FROM messages
      WHERE conversation_id = ?1 AND seq > min(?2, ?4) AND state = 0
        AND (seq > ?2 AND seq <= ?3 OR seq > ?4 AND seq <= ?5) LIMIT 1
      """)
    return try incoming.integer(
      conversation, max(deliveredTold, base), delivered, max(readTold, base), read) != nil
  }

  func note(_ connection: borrowing Connection) throws(DatabaseError) {
    try connection.statement(
      "UPDATE conversations SET delivered_told = ?, read_told = ? WHERE id = ?"
    ).run(max(delivered, deliveredTold), max(read, readTold), conversation)
  }

  func receipt(_ options: Store.Options) -> WaitingReceipt {
    let id = options.makeID()
    let now = options.clock()
    let receipt = Receipt(delivered: delivered - base, read: max(read - base, 0))
    let payload = Payload(conversation: address, id: id, sentAt: now, event: .receipt(receipt))
    return WaitingReceipt(
      event: OutgoingEvent(
        conversation: address, id: id, isSequenced: false, sentAt: now, payload: payload.encoded),
      delivered: delivered, read: read)
  }
}
