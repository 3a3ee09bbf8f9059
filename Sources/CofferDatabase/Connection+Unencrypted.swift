import CSQLCipher

extension Connection {
  /// Opens a database that is not encrypted, or makes it where there is none.
  ///
  /// It is there for the embedded relay, whose file holds only what its clients would hand to any
  /// server. A store never opens anything this way, and what proves a store's cipher is not asked
  /// here. `applicationID` tells our file from every other: it stands in the header before anything
  /// else does, so a foreign file is refused before SQLite so much as reads it.
  package init(
    unencrypted path: String, applicationID: UInt32, creating: Bool = false, role: Role = .writer
  ) throws(DatabaseError) {
    try unsafe self.init(opening: path, creating: creating) { handle throws(DatabaseError) in
      try unsafe Self.prepare(handle, role, applicationID: applicationID, creating: creating)
    }
  }

  private static func prepare(
    _ handle: OpaquePointer, _ role: Role, applicationID: UInt32, creating: Bool
  ) throws(DatabaseError) {
    let header = try unsafe FileHeader(handle)
    guard
      (header.size == 0 && creating) || (header.isPlain && header.applicationID == applicationID)
    else {
      throw DatabaseError(.notADatabase, "foreign")
    }
    try unsafe role.apply(to: handle)
    // Before the switch to WAL, so that it goes into the file itself and not beside it. Asked again
    // here: where a process died that made the file, SQLite has undone that by now.
    let signed = String(Int32(bitPattern: applicationID))
    if creating, try unsafe text(handle, "PRAGMA application_id") != signed {
      try unsafe run(handle, "PRAGMA application_id = \(signed)")
    }
    if role == .writer {
      guard try unsafe text(handle, "PRAGMA journal_mode = WAL") == "wal" else {
        throw DatabaseError(.cannotOpen, "switch to WAL")
      }
    }
  }
}
