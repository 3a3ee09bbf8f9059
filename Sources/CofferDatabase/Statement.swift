import CSQLCipher

/// A prepared statement: bind, step, read columns, and start again.
///
/// Safe to hold: the handle never leaves this class, and SQLite keeps what is left of a closed
/// connection until its last statement is finalized. The handle is constant, since every read of a
/// variable one would be checked for exclusive access, several times a column.
@safe @usableFromInline
package final class Statement {
  private let handle: OpaquePointer
  /// The code of a binding that failed.
  ///
  /// SQLite would go on with NULL in its place; the next step throws it instead.
  private var bindingFailure: Int32?

  init(_ connection: OpaquePointer, _ sql: String) throws(DatabaseError) {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, "prepare") }
    guard let prepared = unsafe prepared else { throw DatabaseError(.misuse, "prepare") }
    unsafe handle = prepared
  }

  deinit { unsafe sqlite3_finalize(handle) }

  // MARK: Running

  /// Runs to the end, whatever rows it gives.
  @inlinable
  package func run<each Value: Bindable>(_ values: repeat each Value) throws(DatabaseError) {
    var index: Int32 = 1
    repeat (each values).bind(to: self, at: next(&index))
    defer { reset() }
    while try step() {}
  }

  /// Calls `body` with each row.
  @inlinable
  package func forEach<each Value: Bindable>(
    _ values: repeat each Value, do body: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var index: Int32 = 1
    repeat (each values).bind(to: self, at: next(&index))
    defer { reset() }
    while try step() { try body(Row(self)) }
  }

  /// What `body` makes of the first row, or nothing where there is none.
  @inlinable
  package func first<each Value: Bindable, Result>(
    _ values: repeat each Value, read body: (Row) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result? {
    var index: Int32 = 1
    repeat (each values).bind(to: self, at: next(&index))
    defer { reset() }
    return try step() ? try body(Row(self)) : nil
  }

  /// What `body` makes of every row.
  @inlinable
  package func all<each Value: Bindable, Result>(
    _ values: repeat each Value, read body: (Row) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> [Result] {
    var index: Int32 = 1
    repeat (each values).bind(to: self, at: next(&index))
    defer { reset() }
    var results: [Result] = []
    while try step() { results.append(try body(Row(self))) }
    return results
  }

  /// The first column of the first row.
  @inlinable
  package func integer<each Value: Bindable>(
    _ values: repeat each Value
  ) throws(DatabaseError) -> Int64? {
    try first(repeat each values) { $0.integer(0) }
  }

  @usableFromInline
  func next(_ index: inout Int32) -> Int32 {
    defer { index += 1 }
    return index
  }

  @usableFromInline
  package func step() throws(DatabaseError) -> Bool {
    if let code = bindingFailure {
      bindingFailure = nil
      throw DatabaseError(code: code, "bind")
    }
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw DatabaseError(code: code, "step")
  }

  /// Makes it ready for the next run; bound values are let go by the next binding.
  @usableFromInline
  package func reset() { unsafe _ = sqlite3_reset(handle) }

  // MARK: Binding. SQLITE_TRANSIENT has SQLite copy at once, so nothing outlives the call.

  @usableFromInline
  func bind(_ value: Int64, at index: Int32) {
    check(unsafe sqlite3_bind_int64(handle, index, value))
  }

  @usableFromInline
  func bindNull(at index: Int32) { check(unsafe sqlite3_bind_null(handle, index)) }

  @usableFromInline
  func bind(_ value: String, at index: Int32) {
    var value = value
    let code = value.withUTF8 { raw in
      unsafe raw.withMemoryRebound(to: CChar.self) { chars in
        // An empty buffer may have no address, and no address would bind NULL.
        unsafe sqlite3_bind_text64(
          handle, index, chars.baseAddress ?? emptyText, UInt64(chars.count), transient,
          UInt8(SQLITE_UTF8))
      }
    }
    check(code)
  }

  @usableFromInline
  func bind(bytes raw: UnsafeRawBufferPointer, at index: Int32) {
    if unsafe raw.isEmpty {
      check(unsafe sqlite3_bind_zeroblob(handle, index, 0))
    } else {
      check(
        unsafe sqlite3_bind_blob64(
          handle, index, raw.baseAddress, UInt64(raw.count), transient))
    }
  }

  private func check(_ code: Int32) {
    if code != SQLITE_OK { bindingFailure = code }
  }

  // MARK: Reading

  @usableFromInline
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  @usableFromInline
  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  @usableFromInline
  func text(_ column: Int32) -> String {
    guard let pointer = unsafe sqlite3_column_text(handle, column) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    let bytes = unsafe UnsafeBufferPointer(start: pointer, count: count)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  func withBytes<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let pointer = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe body(UnsafeRawBufferPointer(start: pointer, count: count))
  }
}

/// SQLite's marker for "copy it now".
private var transient: sqlite3_destructor_type {
  unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// An address for texts of no bytes; immutable, never freed, so safe to share.
private nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
  let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  unsafe pointer.initialize(to: 0)
  return unsafe UnsafePointer(pointer)
}()
