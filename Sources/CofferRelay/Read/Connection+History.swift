import Coffer
import CofferDatabase

extension Connection {
  /// The stretches of a conversation that a device may see, rising; none where it may see nothing.
  func visible(
    _ conversation: KnownConversation, to device: KnownDevice
  ) throws(DatabaseError) -> [ClosedRange<Int64>] {
    try statement(
      """
      SELECT max(since_seq, coalesce(first_seq, 1)), coalesce(until_seq, ?)
      FROM members LEFT JOIN starts
        ON starts.conversation_id = members.conversation_id AND device_id = ?
      WHERE members.conversation_id = ? AND account_id = ? ORDER BY since_seq
      """
    ).all(conversation.newest, device.row, conversation.row, device.account) { row in
      row.integer(0) <= row.integer(1) ? row.integer(0)...row.integer(1) : nil
    }.compactMap { $0 }
  }

  /// What is at each seq of a range, from its top.
  func history(
    of address: String, _ range: ClosedRange<Int64>, for device: KnownDevice
  ) throws(DatabaseError) -> Result<History, RelayError> {
    let epoch = try epoch
    guard let conversation = try conversation(address) else {
      return .failure(.refused(.unknownConversation))
    }
    let visible = try visible(conversation, to: device)
    // To whoever may see none of it, it looks like any conversation that is not there.
    guard let newest = visible.last?.upperBound else {
      return .failure(.refused(.unknownConversation))
    }
    let last = min(range.upperBound, newest)
    let lowest = max(range.lowerBound, 1, last - Limits.history + 1)
    guard lowest <= last else { return .success(History(epoch: epoch, answers: [])) }
    let first = try top(lowest...last, of: conversation.row)
    var answers: [History.Answer] = []
    try statement(
      """
      SELECT conversations.address, seq, accounts.address, device, event_id, sent_at, payload
      FROM events
      JOIN conversations ON conversations.id = conversation_id
      JOIN accounts ON accounts.id = sender_id
      WHERE conversation_id = ? AND seq BETWEEN ? AND ? ORDER BY seq
      """
    ).forEach(conversation.row, first, last) { row in
      answers.append(.at(row, visible, for: device))
    }
    return .success(History(epoch: epoch, answers: answers))
  }

  /// The first seq of the upper part of a range whose payloads fit one answer.
  private func top(
    _ range: ClosedRange<Int64>, of conversation: Int64
  ) throws(DatabaseError) -> Int64 {
    let sizes = try statement(
      """
      SELECT coalesce(length(payload), 0) FROM events
      WHERE conversation_id = ? AND seq BETWEEN ? AND ? ORDER BY seq DESC
      """
    ).all(conversation, range.lowerBound, range.upperBound) { $0.integer(0) }
    return range.upperBound - Int64(Self.fitting(sizes)) + 1
  }
}

extension History.Answer {
  fileprivate static func at(
    _ row: Row, _ visible: [ClosedRange<Int64>], for device: KnownDevice
  ) -> Self {
    let seq = row.integer(1)
    guard visible.contains(where: { $0.contains(seq) }) else { return .none(seq) }
    let item = RelayItem(row, for: device)
    // What this device sent needs no body, and so is never gone for it.
    return row.isNull(6) && item.content != .accepted ? .gone(seq) : .item(item)
  }
}
