import CofferDatabase

/// What a database of ours says of itself, and how its tables came to be.
enum Schema {
  /// "Cofr" in ASCII: how `file` and others tell the database from any other.
  static let applicationID: Int64 = 0x436f_6672

  /// The newest `user_version` that this version of the library reads.
  static let version: Int64 = 2

  /// Every step since the first version, each in a transaction of its own.
  ///
  /// A step that was released never changes again: stores are on disks that it made. What a new one
  /// must keep to, each learnt the hard way by some store:
  ///
  /// - It only adds. It runs inside `open`, while a person waits, so it never rebuilds a big table
  ///   and never walks all messages: that is work for later, in small pieces, with a mark in
  ///   `sync_state` of how far it came.
  /// - `ADD COLUMN` rewrites nothing, but has SQLite check every row of a `STRICT` table: version 2
  ///   pays about 4 s for a million messages with its one column there. What few messages have
  ///   belongs in a table of its own.
  /// - It assumes nothing that `verify` does not check. Rows that break a rule are there too, and a
  ///   step that fails on one of them locks its owner out for good.
  /// - A process of the version before may have the store open, and goes on to write to it: a new
  ///   column has a default that is right for its rows, and no old one changes its meaning.
  /// - A table goes only if no released version ever wrote to it, and then the step says so.
  /// - Deleted text stays deleted: no step copies a row's text to where `secure_delete` won't find
  ///   it.
  ///
  /// `Tests/CofferTests/Fixtures` has a store of each released version, and how to make the next.
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
