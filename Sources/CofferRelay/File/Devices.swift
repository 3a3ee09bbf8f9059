import Coffer
import CofferDatabase

/// A device that has registered.
struct KnownDevice {
  let row: Int64
  let account: Int64
  let address: String
  let number: UInt32
  /// The highest number given in its inbox.
  let head: Int64
  /// Nothing up to here is there any more.
  let floor: Int64
}

extension Connection {
  func device(_ account: String, _ number: UInt32) throws(DatabaseError) -> KnownDevice? {
    try statement(
      """
      SELECT devices.id, account_id, head, floor
      FROM devices JOIN accounts ON accounts.id = account_id
      WHERE address = ? AND number = ?
      """
    ).first(account, Int64(number)) { row in
      KnownDevice(
        row: row.integer(0), account: row.integer(1), address: account, number: number,
        head: row.integer(2), floor: row.integer(3))
    }
  }

  /// The row of an account, made where there is none.
  func account(_ address: String) throws(DatabaseError) -> Int64 {
    if let known = try knownAccount(address) { return known }
    try statement("INSERT INTO accounts (address) VALUES (?)").run(address)
    return lastInsertedRow
  }

  func knownAccount(_ address: String) throws(DatabaseError) -> Int64? {
    try statement("SELECT id FROM accounts WHERE address = ?").integer(address)
  }

  func register(_ address: String, _ number: UInt32) throws(DatabaseError) {
    let account = try account(address)
    let isFirst =
      try statement("SELECT 1 FROM devices WHERE account_id = ?").integer(account) == nil
    try statement("INSERT OR IGNORE INTO devices (account_id, number) VALUES (?, ?)")
      .run(account, Int64(number))
    guard changes > 0 else { return }
    let device = lastInsertedRow
    if isFirst {
      try handOver(to: device, of: account)
    } else {
      try statement(
        """
        INSERT INTO starts (device_id, conversation_id, first_seq)
        SELECT DISTINCT ?, conversation_id, newest_seq + 1
        FROM members JOIN conversations ON conversations.id = conversation_id
        WHERE account_id = ?
        """
      ).run(device, account)
    }
  }

  /// Gives an account's first device all that came for the account before there was one.
  private func handOver(to device: Int64, of account: Int64) throws(DatabaseError) {
    try statement(
      """
      INSERT INTO inbox (device_id, number, conversation_id, event)
      SELECT ?, row_number() OVER (ORDER BY conversation_id, seq), conversation_id, events.id
      FROM members JOIN events USING (conversation_id)
      WHERE account_id = ? AND payload IS NOT NULL
        AND seq BETWEEN since_seq AND coalesce(until_seq, seq)
      """
    ).run(device, account)
    try statement("UPDATE devices SET head = ? WHERE id = ?").run(changes, device)
  }

  func release(upTo number: Int64, of device: KnownDevice) throws(DatabaseError) {
    let number = min(number, device.head)
    guard number > device.floor else { return }
    try statement("UPDATE devices SET floor = ? WHERE id = ?").run(number, device.row)
    try statement("DELETE FROM inbox WHERE device_id = ? AND number <= ?").run(device.row, number)
  }
}
