import Coffer
import CofferCrypto
import CofferDatabase

extension Connection {
  /// Every conversation of which a device may see something, in the order they were made.
  func overview(for device: KnownDevice) throws(DatabaseError) -> Overview {
    let epoch = try epoch
    let conversations = try statement(
      """
      SELECT DISTINCT id, address, newest_seq, deleted
      FROM members JOIN conversations ON id = conversation_id
      WHERE account_id = ? ORDER BY id
      """
    ).all(device.account) { row in
      (
        row.text(1),
        KnownConversation(
          row: row.integer(0), newest: row.integer(2), isDeleted: row.integer(3) != 0)
      )
    }
    var heads: [Overview.Head] = []
    for (address, conversation) in conversations {
      let visible = try visible(conversation, to: device)
      guard let first = visible.first?.lowerBound, let last = visible.last?.upperBound else {
        continue
      }
      heads.append(
        Overview.Head(
          conversation: address, from: first, newestSeq: last,
          newest: try newest(last, of: address, for: device),
          receipts: try receipts(in: conversation.row),
          digest: try digest(of: conversation.row, first...last, visible, for: device)))
    }
    return Overview(epoch: epoch, head: device.head, conversations: heads)
  }

  private func newest(
    _ seq: Int64, of address: String, for device: KnownDevice
  ) throws(DatabaseError) -> RelayItem? {
    guard case .success(let history) = try history(of: address, seq...seq, for: device),
      case .item(let item) = history.answers.first
    else { return nil }
    return item
  }

  private func receipts(in conversation: Int64) throws(DatabaseError) -> [String: Receipt] {
    var receipts: [String: Receipt] = [:]
    try statement(
      """
      SELECT address, delivered, read FROM receipts JOIN accounts ON accounts.id = account_id
      WHERE conversation_id = ? ORDER BY account_id
      """
    ).forEach(conversation) { row in
      receipts[row.text(0)] = Receipt(delivered: row.integer(1), read: row.integer(2))
    }
    return receipts
  }

  /// What the last seqs hold, as `Overview.Head.digest` describes it; nothing where one is gone.
  private func digest(
    of conversation: Int64, _ range: ClosedRange<Int64>, _ visible: [ClosedRange<Int64>],
    for device: KnownDevice
  ) throws(DatabaseError) -> [UInt8]? {
    let first = max(range.lowerBound, range.upperBound - Overview.digestLength + 1)
    var bytes: [UInt8] = []
    var isWhole = true
    try statement(
      """
      SELECT seq, event_id, payload IS NULL AND NOT (sender_id = ? AND device = ?) FROM events
      WHERE conversation_id = ? AND seq BETWEEN ? AND ? ORDER BY seq
      """
    ).forEach(device.account, Int64(device.number), conversation, first, range.upperBound) { row in
      let seq = row.integer(0)
      let isVisible = visible.contains { $0.contains(seq) }
      if isVisible, row.integer(2) != 0 { isWhole = false }
      let id = isVisible ? row.bytes16(1) : Bytes16(high: 0, low: 0)
      for word in [UInt64(bitPattern: seq), id.high, id.low] {
        for shift in stride(from: 56, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
      }
    }
    guard isWhole else { return nil }
    return try? unsafe BLAKE2b.hash(bytes.span.bytes)
  }
}
