import Coffer
import CofferDatabase

extension Connection {
  /// Takes how far an account has a conversation: watermarks only rise, and a repeat changes nothing.
  func takeReceipt(
    _ event: OutgoingEvent, from device: KnownDevice
  ) throws(DatabaseError) -> Result<Acceptance, RelayError> {
    let accepted = Acceptance(seq: nil, epoch: try epoch)
    guard event.change == nil, event.sentAt >= 0, let receipt = event.receipt else {
      return .failure(.refused(.notAllowed))
    }
    if try earlier(event.id, from: device.account) != nil {
      return .failure(.refused(.idUsedOtherwise))
    }
    guard let conversation = try conversation(event.conversation) else {
      return .failure(.refused(.unknownConversation))
    }
    guard try isMember(device.account, of: conversation.row) else {
      return .failure(.refused(.notAMember))
    }
    // Further than there is can only be meant in another numbering: it says nothing about this one.
    guard max(receipt.delivered, receipt.read) <= conversation.newest else {
      return .success(accepted)
    }
    if try raise(receipt, by: event, from: device, in: conversation.row) {
      try deliverReceipt(from: device, in: conversation.row)
    }
    return .success(accepted)
  }

  /// Whether it says more than was known.
  private func raise(
    _ receipt: Receipt, by event: OutgoingEvent, from device: KnownDevice, in conversation: Int64
  ) throws(DatabaseError) -> Bool {
    try statement(
      """
      INSERT INTO receipts
        (conversation_id, account_id, delivered, read, device, event_id, sent_at)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?3 > 0 OR ?4 > 0
      ON CONFLICT (conversation_id, account_id) DO UPDATE SET
        delivered = max(delivered, excluded.delivered), read = max(read, excluded.read),
        device = excluded.device, event_id = excluded.event_id, sent_at = excluded.sent_at
      WHERE excluded.delivered > delivered OR excluded.read > read
      """
    ).run(
      conversation, device.account, receipt.delivered, receipt.read, Int64(device.number),
      event.id.bytes, event.sentAt)
    return changes > 0
  }

  /// Puts the receipt of an account into the inbox of every other device of the members.
  ///
  /// It takes the place of an older one there: whoever comes back after a month gets one an account.
  private func deliverReceipt(
    from device: KnownDevice, in conversation: Int64
  ) throws(DatabaseError) {
    try statement(
      """
      DELETE FROM inbox WHERE conversation_id = ?1 AND account_id = ?2 AND device_id IN
        (SELECT devices.id FROM members JOIN devices USING (account_id)
         WHERE conversation_id = ?1 AND until_seq IS NULL AND devices.id <> ?3)
      """
    ).run(conversation, device.account, device.row)
    try statement(
      """
      UPDATE devices SET head = head + 1 WHERE id <> ? AND account_id IN
        (SELECT account_id FROM members WHERE conversation_id = ? AND until_seq IS NULL)
      """
    ).run(device.row, conversation)
    try statement(
      """
      INSERT INTO inbox (device_id, number, conversation_id, account_id)
      SELECT devices.id, head, conversation_id, ?
      FROM members JOIN devices USING (account_id)
      WHERE conversation_id = ? AND until_seq IS NULL AND devices.id <> ?
      """
    ).run(device.account, conversation, device.row)
  }
}

extension OutgoingEvent {
  /// What a receipt says; nothing for anything else, or where it contradicts what is around it.
  fileprivate var receipt: Receipt? {
    guard let opened = try? Payload(decoding: payload), opened.id == id,
      opened.conversation.utf8.elementsEqual(conversation.utf8),
      case .receipt(let receipt) = opened.event, receipt.delivered >= 0, receipt.read >= 0
    else { return nil }
    return receipt
  }
}
