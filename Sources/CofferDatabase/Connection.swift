import CSQLCipher

/// One connection to one encrypted database file.
///
/// It belongs to one thread at a time: the actor that owns it (`SQLITE_OPEN_NOMUTEX`). Safe to hold:
/// the handle never leaves this module, and nothing can copy what closes it.
@safe
package struct Connection: ~Copyable {
  let handle: OpaquePointer
  let shared: ConnectionState
  package let path: String

  /// Opens the file, checks the library, and gives it the key.
  ///
  /// `key` is the text `x'…64 hex digits…'` in guarded memory: with anything else SQLCipher would
  /// silently take it for a passphrase. The file must be there unless `creating`.
  package init(
    _ path: String, key: RawSpan, creating: Bool = false, role: Role = .writer
  ) throws(DatabaseError) {
    try unsafe self.init(opening: path, creating: creating) { handle throws(DatabaseError) in
      try unsafe Self.check(handle, role, key: key, creating: creating)
    }
  }

  /// Opens the file and has `prepare` do with the handle whatever makes it a connection.
  init(
    opening path: String, creating: Bool,
    _ prepare: (OpaquePointer) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try Library.check()
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (creating ? SQLITE_OPEN_CREATE : 0)
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      unsafe sqlite3_close_v2(opened)
      throw DatabaseError(code: code, "open")
    }
    do throws(DatabaseError) {
      unsafe sqlite3_extended_result_codes(opened, 1)
      try unsafe prepare(opened)
    } catch {
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    shared = unsafe ConnectionState(opened)
    self.path = path
  }

  deinit {
    shared.finalizeAll()
    unsafe sqlite3_close_v2(handle)
  }

  private static func check(
    _ handle: OpaquePointer, _ role: Role, key: RawSpan, creating: Bool
  ) throws(DatabaseError) {
    // SQLCipher logs to standard error by default.
    try unsafe run(handle, "PRAGMA cipher_log_level = NONE")
    if !creating { try unsafe FileHeader(handle).refuseForeign() }
    let code = unsafe key.withUnsafeBytes { raw in
      unsafe sqlite3_key_v2(handle, "main", raw.baseAddress, Int32(raw.count))
    }
    guard code == SQLITE_OK else { throw DatabaseError(code: code, "key") }
    guard let version = try unsafe text(handle, "PRAGMA cipher_version"),
      Library.isSupported(cipherVersion: version)
    else { throw DatabaseError(.wrongLibrary, "load SQLCipher") }
    try unsafe role.apply(to: handle)
    // Nothing was written so far; this reads or makes the first page, and so proves the key.
    try unsafe run(handle, "SELECT count(*) FROM sqlite_schema")
    if role == .writer {
      guard try unsafe text(handle, "PRAGMA journal_mode = WAL") == "wal" else {
        throw DatabaseError(.cannotOpen, "switch to WAL")
      }
      // Without a key the file would silently be plaintext: prove that the cipher is on before a
      // row is written. Switching to WAL has just written the first page.
      try unsafe FileHeader(handle).refuseForeign()
    }
  }

  /// Runs SQL that gives nothing back, several statements if need be.
  package func execute(_ sql: String) throws(DatabaseError) {
    try unsafe Self.run(handle, sql)
  }

  static func run(_ handle: OpaquePointer, _ sql: String) throws(DatabaseError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, "execute") }
  }

  /// The first column of the first row as text.
  static func text(_ handle: OpaquePointer, _ sql: String) throws(DatabaseError) -> String? {
    var statement: OpaquePointer?
    defer { unsafe _ = sqlite3_finalize(statement) }
    var code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, "prepare") }
    code = unsafe sqlite3_step(statement)
    guard code == SQLITE_ROW else {
      if code == SQLITE_DONE { return nil }
      throw DatabaseError(code: code, "step")
    }
    guard let text = unsafe sqlite3_column_text(statement, 0) else { return nil }
    return unsafe String(cString: text)
  }

  /// A statement, prepared once for this connection and kept.
  package func statement(_ sql: String) throws(DatabaseError) -> Statement {
    try shared.statement(sql)
  }

  /// The same, for what lives as long as a transaction and can't hold the connection itself.
  package var statements: StatementSource { StatementSource(state: shared) }

  /// How many rows the last statement changed.
  package var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

  package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
}

/// Where a connection's statements are kept.
///
/// It must not outlive the connection's turn: statements belong to the thread that has it.
package struct StatementSource {
  fileprivate let state: ConnectionState

  package func statement(_ sql: String) throws(DatabaseError) -> Statement {
    try state.statement(sql)
  }
}

/// What belongs to a connection and changes: its prepared statements and its durability.
///
/// Safe to hold: only its connection has it, and closes the handle after the statements.
@safe
final class ConnectionState {
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  var durability: Durability?

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let known = statements[sql] { return known }
    let fresh = try unsafe Statement(handle, sql)
    statements[sql] = fresh
    return fresh
  }

  func finalizeAll() { statements = [:] }
}
