import Coffer
import CofferDatabase

extension Connection {
  /// Gives an event the next seq of its conversation, or the first answer again.
  ///
  /// Everything is judged before anything is written: a refusal leaves nothing.
  func take(
    _ event: OutgoingEvent, _ digest: [UInt8], from device: KnownDevice
  ) throws(DatabaseError) -> Result<Acceptance, RelayError> {
    let epoch = try epoch
    let conversation = try conversation(event.conversation)
    let earlier = try earlier(event.id, from: device.account)
    if let earlier {
      guard earlier.conversation == conversation?.row, earlier.digest == digest else {
        return .failure(.refused(.idUsedOtherwise))
      }
      if let seq = earlier.seq { return .success(Acceptance(seq: seq, epoch: epoch)) }
    } else if let refusal = try refusal(of: event, from: device.account, in: conversation) {
      return .failure(.refused(refusal))
    }

    let place = if let conversation { conversation } else { try make(event.conversation) }
    let seq = place.newest + 1
    try statement("UPDATE conversations SET newest_seq = ? WHERE id = ?").run(seq, place.row)
    let row: Int64
    if let earlier {
      // Its seq went with an older numbering, and what it changed has changed already.
      row = earlier.row
      try statement("UPDATE events SET seq = ?, device = ?, sent_at = ?, payload = ? WHERE id = ?")
        .run(seq, Int64(device.number), event.sentAt, event.payload, row)
    } else {
      row = try insert(event, digest, from: device, at: seq, of: place.row)
      if let change = event.change {
        try apply(change, at: seq, of: place.row, from: device.account)
      }
    }
    try deliver(row, at: seq, of: place.row)
    return .success(Acceptance(seq: seq, epoch: epoch))
  }

  private func insert(
    _ event: OutgoingEvent, _ digest: [UInt8], from device: KnownDevice, at seq: Int64,
    of conversation: Int64
  ) throws(DatabaseError) -> Int64 {
    try statement(
      """
      INSERT INTO events
        (conversation_id, seq, sender_id, device, event_id, sent_at, digest, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      conversation, seq, device.account, Int64(device.number), event.id.bytes, event.sentAt, digest,
      event.payload)
    return lastInsertedRow
  }

  /// Puts an event into the inbox of every device of the members, whom it removes among them.
  private func deliver(_ event: Int64, at seq: Int64, of conversation: Int64) throws(DatabaseError)
  {
    try statement(
      """
      UPDATE devices SET head = head + 1 WHERE account_id IN
        (SELECT account_id FROM members
         WHERE conversation_id = ? AND (until_seq IS NULL OR until_seq = ?))
      """
    ).run(conversation, seq)
    try statement(
      """
      INSERT INTO inbox (device_id, number, conversation_id, event)
      SELECT devices.id, head, conversation_id, ?
      FROM members JOIN devices USING (account_id)
      WHERE conversation_id = ? AND (until_seq IS NULL OR until_seq = ?)
      """
    ).run(event, conversation, seq)
  }

  // MARK: What is known

  func conversation(_ address: String) throws(DatabaseError) -> KnownConversation? {
    try statement("SELECT id, newest_seq, deleted FROM conversations WHERE address = ?")
      .first(address) { row in
        KnownConversation(
          row: row.integer(0), newest: row.integer(1), isDeleted: row.integer(2) != 0)
      }
  }

  private func make(_ address: String) throws(DatabaseError) -> KnownConversation {
    try statement("INSERT INTO conversations (address) VALUES (?)").run(address)
    return KnownConversation(row: lastInsertedRow, newest: 0, isDeleted: false)
  }

  /// The event that a sender gave an id before.
  func earlier(_ id: EventID, from account: Int64) throws(DatabaseError) -> EarlierEvent? {
    try statement(
      "SELECT id, conversation_id, seq, digest FROM events WHERE event_id = ? AND sender_id = ?"
    ).first(id.bytes, account) { row in
      EarlierEvent(
        row: row.integer(0), conversation: row.integer(1), seq: row.optionalInteger(2),
        digest: row.bytes(3))
    }
  }
}

struct KnownConversation {
  let row: Int64
  let newest: Int64
  let isDeleted: Bool
}

struct EarlierEvent {
  let row: Int64
  let conversation: Int64
  /// Nothing where it had one in a numbering that was lost.
  let seq: Int64?
  let digest: [UInt8]
}
