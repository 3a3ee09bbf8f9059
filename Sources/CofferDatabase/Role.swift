import CSQLCipher

/// What a connection is for, and the settings that follow.
package enum Role: Sendable {
  case writer
  /// Reads snapshots beside the writer, and is refused every write.
  case reader

  /// How long a connection waits for another one's lock before it says busy, about, in milliseconds.
  private static let busyTimeout: Int32 = 10_000

  /// Has a connection wait for locks of others.
  ///
  /// SQLite's own handler soon sleeps 100 ms between two tries, so a process that writes page after
  /// page starves the others. Trying every millisecond finds the moments in between.
  static func waitForLocks(_ handle: OpaquePointer) {
    unsafe sqlite3_busy_handler(
      handle,
      { _, tries in
        guard tries < Role.busyTimeout else { return 0 }
        sqlite3_sleep(1)
        return 1
      }, nil)
  }

  func apply(to handle: OpaquePointer) throws(DatabaseError) {
    unsafe Self.waitForLocks(handle)
    // Defensive mode forbids what could corrupt the file by SQL; double-quoted strings hide typos.
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    ] as [(Int32, Int32)] {
      let code = unsafe coffer_db_config(handle, option, value)
      guard code == SQLITE_OK else { throw DatabaseError(code: code, "configure") }
    }
    // 8 MB of cache: a page from outside it costs a decryption and an HMAC. A WAL that a reader
    // kept from being reset shrinks back to 16 MiB with the first checkpoint after.
    try unsafe Connection.run(
      handle,
      """
      PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -8000;
      PRAGMA secure_delete = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA journal_size_limit = 16777216;
      """)
    if self == .reader { try unsafe Connection.run(handle, "PRAGMA query_only = ON") }
  }
}

/// What a commit waits for.
package enum Durability: Sendable {
  /// Survives the death of the process; a power loss may undo the last commits, whole ones, in
  /// order (`synchronous = NORMAL`). For what can be fetched again.
  case process
  /// Survives power loss, and so do all commits before it (`synchronous = FULL`). For what cannot
  /// be fetched again.
  case powerLoss
}

/// The first bytes of a database file, read through SQLite's own handle.
///
/// Opening the file a second time and closing it would drop all POSIX locks that this process holds
/// on it, and a committed transaction with them.
struct FileHeader {
  let size: Int64
  let isPlain: Bool
  /// What an unencrypted file says it belongs to.
  let applicationID: UInt32

  init(_ handle: OpaquePointer) throws(DatabaseError) {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
    guard code == SQLITE_OK, let file = unsafe pointer, let methods = unsafe file.pointee.pMethods
    else { throw DatabaseError(code: code, "read header") }
    var size: Int64 = 0
    unsafe _ = methods.pointee.xFileSize(file, &size)
    self.size = size
    var bytes = [UInt8](repeating: 0, count: 100)
    if size >= 16 { unsafe _ = methods.pointee.xRead(file, &bytes, Int32(min(size, 100)), 0) }
    isPlain = size >= 16 && bytes.prefix(16) == ArraySlice("SQLite format 3\0".utf8)
    applicationID = bytes[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// An empty or unencrypted file is not ours, and no key is tried on it.
  func refuseForeign() throws(DatabaseError) {
    if size == 0 { throw DatabaseError(.notADatabase, "empty") }
    if isPlain { throw DatabaseError(.notADatabase, "unencrypted") }
  }
}
