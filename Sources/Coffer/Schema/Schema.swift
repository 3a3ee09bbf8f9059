import CofferDatabase

/// What a database of ours says of itself, and how its tables came to be.
enum Schema {
  /// "Cofr" in ASCII: how `file` and others tell the database from any other.
  static let applicationID: Int64 = 0x436f_6672

  /// The newest `user_version` that this version of the library reads.
  static let version: Int64 = 2

  static let migrations = [
    Migration(version: 1, sql: version1), Migration(version: 2, sql: version2),
  ]
}

/// The keys of `sync_state`.
enum StateKey {
  static let storeID = "store_id"
  static let epoch = "epoch"
  static let keyringRevision = "keyring_revision"
  static let device = "device"
  static let cursor = "inbox_cursor"
  /// The cursor of the last commit that certainly survives power loss; the server may discard up to it.
  static let durableCursor = "durable_cursor"
  /// The numbering of the server that the cursor and the seqs above `seq_base` belong to.
  static let relayEpoch = "relay_epoch"
  static let changed = "changed"
}

extension Connection {
  func state(_ key: String) throws(DatabaseError) -> Int64? {
    try statement("SELECT value FROM sync_state WHERE key = ?").integer(key)
  }

  func stateBytes(_ key: String) throws(DatabaseError) -> [UInt8]? {
    try statement("SELECT value FROM sync_state WHERE key = ?").first(key) { $0.bytes(0) }
  }

  func setState(_ key: String, _ value: some Bindable) throws(DatabaseError) {
    try statement(
      """
      INSERT INTO sync_state (key, value) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """
    ).run(key, value)
  }
}
