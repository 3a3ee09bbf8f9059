import Coffer
import CofferDatabase

extension Connection {
  /// A device's items above a number.
  func inbox(
    of device: KnownDevice, after cursor: Int64, limit: Int
  ) throws(DatabaseError) -> Result<InboxPage, RelayError> {
    let epoch = try epoch
    if cursor < device.floor { return .failure(.expired(head: device.head, epoch: epoch)) }
    let limit = min(max(limit, 1), Limits.page)
    // How much fits is judged by lengths alone: SQLite knows them without reading the payloads.
    let sizes = try statement(
      """
      SELECT number, coalesce(length(payload), 0)
      FROM inbox LEFT JOIN events ON events.id = event
      WHERE device_id = ? AND number > ? ORDER BY number LIMIT ?
      """
    ).all(device.row, cursor, limit + 1) { ($0.integer(0), $0.integer(1)) }
    let count = Self.fitting(sizes.prefix(limit).map(\.1))
    let next = count > 0 ? sizes[count - 1].0 : cursor
    let items = try count > 0 ? items(of: device, cursor + 1...next) : []
    return .success(
      InboxPage(epoch: epoch, base: cursor, next: next, more: count < sizes.count, items: items))
  }

  /// How many payloads an answer takes: one at least, where there is one.
  static func fitting(_ sizes: [Int64]) -> Int {
    var total: Int64 = 0
    for (index, size) in sizes.enumerated() {
      total += size
      if index > 0, total > Limits.answer { return index }
    }
    return sizes.count
  }

  private func items(
    of device: KnownDevice, _ numbers: ClosedRange<Int64>
  ) throws(DatabaseError) -> [RelayItem] {
    // The columns of `RelayItem.init` first, then what no event has.
    try statement(
      """
      SELECT conversations.address, seq, accounts.address,
        coalesce(events.device, receipts.device), coalesce(events.event_id, receipts.event_id),
        coalesce(events.sent_at, receipts.sent_at), payload,
        number, delivered, read, first, last
      FROM inbox
      JOIN conversations ON conversations.id = inbox.conversation_id
      LEFT JOIN events ON events.id = event
      LEFT JOIN receipts ON receipts.conversation_id = inbox.conversation_id
        AND receipts.account_id = inbox.account_id
      LEFT JOIN accounts ON accounts.id = coalesce(sender_id, inbox.account_id)
      WHERE device_id = ? AND number BETWEEN ? AND ? ORDER BY number
      """
    ).all(device.row, numbers.lowerBound, numbers.upperBound) { row in
      var item: RelayItem
      if let first = row.optionalInteger(10) {
        item = .expunged(first...row.integer(11), of: row.text(0), for: device)
      } else {
        item = RelayItem(row, for: device)
        if let delivered = row.optionalInteger(8) {
          item.content = .payload(
            receipt: Receipt(delivered: delivered, read: row.integer(9)), in: item.envelope)
        }
      }
      item.envelope.inbox = row.integer(7)
      return item
    }
  }
}

extension RelayItem {
  /// From the columns conversation, seq, sender, device, id, time and payload.
  init(_ row: Row, for device: KnownDevice) {
    let envelope = Envelope(
      conversation: row.text(0), seq: row.optionalInteger(1), sender: row.text(2),
      device: UInt32(clamping: row.integer(3)), id: EventID(row.bytes16(4)),
      sentAt: row.integer(5))
    self.init(envelope, device.sent(envelope) ? .accepted : .payload(row.bytes(6)))
  }

  /// The server's own word: it has no sender, so that the envelope names whom it is for.
  fileprivate static func expunged(
    _ range: ClosedRange<Int64>, of conversation: String, for device: KnownDevice
  ) -> RelayItem {
    RelayItem(
      Envelope(
        conversation: conversation, seq: nil, sender: device.address, device: device.number,
        id: EventID(high: 0, low: 0), sentAt: 0),
      .expunged(range))
  }
}

extension KnownDevice {
  func sent(_ envelope: Envelope) -> Bool {
    number == envelope.device && address.utf8.elementsEqual(envelope.sender.utf8)
  }
}

extension RelayItem.Content {
  /// The watermarks of an account as a receipt of its own would say them.
  ///
  /// They may come from several of its devices, so that no receipt that was sent says both.
  fileprivate static func payload(receipt: Receipt, in envelope: Envelope) -> Self {
    .payload(
      Payload(
        conversation: envelope.conversation, id: envelope.id, sentAt: envelope.sentAt,
        event: .receipt(receipt)
      ).encoded)
  }
}
