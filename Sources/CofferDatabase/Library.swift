import CSQLCipher

/// The SQLCipher library that this process loaded.
package enum Library {
  /// Refuses a plain SQLite, or another build than the header describes.
  ///
  /// A plain libsqlite3 that was loaded first answers for the shared names, and the first call with
  /// a key then crashes. Its source id and options give it away before that.
  package static func check() throws(DatabaseError) {
    let built = SQLITE_SOURCE_ID
    let loaded = unsafe String(cString: sqlite3_sourceid())
    guard unsafe sqlite3_compileoption_used("HAS_CODEC") == 1, loaded == built else {
      throw DatabaseError(.wrongLibrary, "load SQLCipher")
    }
  }

  /// Whether a `PRAGMA cipher_version` answer such as `4.6.1 community` is 4.5 or later.
  package static func isSupported(cipherVersion: String) -> Bool {
    let parts = cipherVersion.split(separator: " ").first?.split(separator: ".") ?? []
    guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]) else {
      return false
    }
    return (major, minor) >= (4, 5)
  }

  /// The version of SQLite inside, such as `3.46.1`.
  package static var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }
}
