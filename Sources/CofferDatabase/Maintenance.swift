import CSQLCipher

extension Connection {
  /// Moves the whole WAL into the file and empties it; false where a reader kept some of it.
  ///
  /// With `waits` it gives a reader that is in the way its time.
  @discardableResult
  package func checkpoint(waits: Bool = true) throws(DatabaseError) -> Bool {
    if !waits { unsafe sqlite3_busy_handler(handle, nil, nil) }
    defer { if !waits { unsafe Role.waitForLocks(handle) } }
    let busy = try statement("PRAGMA wal_checkpoint(TRUNCATE)").integer()
    return busy == 0
  }

  /// Every page whose authentication fails, as SQLCipher describes it; none when the file is whole.
  ///
  /// It reads the main file and ignores the WAL: checkpoint first, or it reports damage where there
  /// is none. It does its work while it is prepared, so it is prepared afresh each time.
  package func cipherDamage() throws(DatabaseError) -> [String] {
    let statement = try unsafe Statement(handle, "PRAGMA cipher_integrity_check")
    return try statement.all { $0.text(0) }
  }

  /// What SQLite finds wrong with the structure of the tables; none when it is sound.
  package func structuralDamage() throws(DatabaseError) -> [String] {
    let found = try statement("PRAGMA integrity_check(20)").all { $0.text(0) }
    return found == ["ok"] ? [] : found
  }

  /// How many rows point at a row that is not there.
  package func brokenReferences() throws(DatabaseError) -> Int {
    try statement("PRAGMA foreign_key_check").all { _ in () }.count
  }

  /// How many rows a table has; `table` is a name of our own, never input.
  package func rowCount(_ table: String) throws(DatabaseError) -> Int64 {
    try statement("SELECT count(*) FROM \(table)").integer() ?? 0
  }

  package var userVersion: Int64 {
    get throws(DatabaseError) { try statement("PRAGMA user_version").integer() ?? 0 }
  }

  package var applicationID: Int64 {
    get throws(DatabaseError) { try statement("PRAGMA application_id").integer() ?? 0 }
  }

  package var cipherVersion: String {
    get throws(DatabaseError) {
      try statement("PRAGMA cipher_version").first { $0.text(0) } ?? ""
    }
  }

  /// Bytes of the database file, without its WAL.
  package var size: Int64 {
    get throws(DatabaseError) {
      try (statement("PRAGMA page_count").integer() ?? 0)
        * (statement("PRAGMA page_size").integer() ?? 0)
    }
  }
}
