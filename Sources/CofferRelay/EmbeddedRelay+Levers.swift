package import Coffer
import CofferDatabase

// What happens to servers, for operators and for tests.

extension EmbeddedRelay {
  /// Discards the bodies of a conversation below a seq, from inboxes too.
  ///
  /// History says `gone` for them; a device that had not received one gets `expired`.
  package func cutRetention(
    of conversation: String, below seq: Int64
  ) async throws(RelayError) {
    try await operate { connection throws(DatabaseError) in
      guard let found = try connection.conversation(conversation) else { return }
      try connection.raiseFloors(of: found.row, below: seq)
      try connection.dropBodies(of: found.row, .min, seq - 1)
    }
  }

  /// Discards the bodies of a stretch of a conversation and tells every device of its members.
  package func expunge(
    _ range: ClosedRange<Int64>, of conversation: String
  ) async throws(RelayError) {
    try await operate { connection throws(DatabaseError) in
      guard let found = try connection.conversation(conversation) else { return }
      let first = max(range.lowerBound, 1)
      let last = min(range.upperBound, found.newest)
      guard first <= last else { return }
      try connection.dropBodies(of: found.row, first, last)
      try connection.deliverExpunged(first, last, of: found.row)
    }
  }

  /// Loses the numbering: seqs and inbox numbers begin again, and so do histories.
  ///
  /// Accounts, devices, members and blocks stay, and the ids of all that was ever taken: what is
  /// sent again gets a place in the new numbering. Gives the new epoch.
  @discardableResult
  package func beginEpoch() async throws(RelayError) -> Int64 {
    let now = clock()
    return try await operate { connection throws(DatabaseError) in
      try connection.forgetNumbering()
      let epoch = max(try connection.epoch + 1, now)
      try connection.statement("UPDATE relay SET epoch = ?").run(epoch)
      return epoch
    }
  }

  /// Whether an account accepts what another one sends.
  package func block(
    _ sender: String, by account: String, _ isBlocked: Bool = true
  ) async throws(RelayError) {
    guard Envelope.isAddress(sender), Envelope.isAddress(account) else {
      throw .refused(.notAllowed)
    }
    try await operate { connection throws(DatabaseError) in
      let pair = (try connection.account(account), try connection.account(sender))
      try connection.statement("DELETE FROM blocks WHERE account_id = ? AND sender_id = ?")
        .run(pair.0, pair.1)
      if isBlocked {
        try connection.statement("INSERT INTO blocks (account_id, sender_id) VALUES (?, ?)")
          .run(pair.0, pair.1)
      }
    }
  }

  private func operate<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(DatabaseError) -> sending Result
  ) async throws(RelayError) -> Result {
    do throws(DatabaseError) {
      let result = try await database.write(.powerLoss, body)
      // Dropped bodies are overwritten in the file, but the WAL keeps its pages until it is emptied.
      _ = try await database.withWriter { connection throws(DatabaseError) in
        try connection.checkpoint()
      }
      return result
    } catch { throw RelayError(error) }
  }
}

extension Connection {
  /// Ends every inbox below the last item that it is about to lose.
  fileprivate func raiseFloors(of conversation: Int64, below seq: Int64) throws(DatabaseError) {
    try statement(
      """
      UPDATE devices SET floor = max(floor, lost.number)
      FROM (
        SELECT device_id, max(inbox.number) AS number
        FROM events JOIN inbox ON inbox.event = events.id JOIN devices ON devices.id = device_id
        WHERE events.conversation_id = ? AND seq < ?
          AND NOT (sender_id = devices.account_id AND events.device = devices.number)
        GROUP BY device_id) AS lost
      WHERE lost.device_id = devices.id
      """
    ).run(conversation, seq)
    // Nobody can ask for what lies below any more: history and the overview stand for it.
    try statement(
      "DELETE FROM inbox WHERE number <= (SELECT floor FROM devices WHERE id = device_id)"
    ).run()
  }

  /// What a device sent itself stays in its inbox: that has no body.
  fileprivate func dropBodies(
    of conversation: Int64, _ first: Int64, _ last: Int64
  ) throws(DatabaseError) {
    try statement(
      """
      DELETE FROM inbox WHERE (device_id, number) IN (
        SELECT device_id, inbox.number
        FROM events JOIN inbox ON inbox.event = events.id JOIN devices ON devices.id = device_id
        WHERE events.conversation_id = ? AND seq BETWEEN ? AND ?
          AND NOT (sender_id = devices.account_id AND events.device = devices.number))
      """
    ).run(conversation, first, last)
    try statement(
      "UPDATE events SET payload = NULL WHERE conversation_id = ? AND seq BETWEEN ? AND ?"
    ).run(conversation, first, last)
  }

  fileprivate func deliverExpunged(
    _ first: Int64, _ last: Int64, of conversation: Int64
  ) throws(DatabaseError) {
    try statement(
      """
      UPDATE devices SET head = head + 1 WHERE account_id IN
        (SELECT account_id FROM members WHERE conversation_id = ? AND until_seq IS NULL)
      """
    ).run(conversation)
    try statement(
      """
      INSERT INTO inbox (device_id, number, conversation_id, first, last)
      SELECT devices.id, head, conversation_id, ?, ?
      FROM members JOIN devices USING (account_id)
      WHERE conversation_id = ? AND until_seq IS NULL
      """
    ).run(first, last, conversation)
  }

  fileprivate func forgetNumbering() throws(DatabaseError) {
    try execute(
      """
      DELETE FROM inbox;
      DELETE FROM receipts;
      DELETE FROM starts;
      DELETE FROM members WHERE until_seq IS NOT NULL;
      UPDATE members SET since_seq = 1;
      UPDATE devices SET head = 0, floor = 0;
      UPDATE events SET seq = NULL, payload = NULL;
      UPDATE conversations SET newest_seq = 0;
      """)
  }
}
