import CofferSystem
import Testing

@testable import CofferDatabase

final class DatabaseFile {
  let folder: String
  var path: String { "\(folder)/test.db" }

  init() throws { folder = try Files.makeTemporaryFolder("coffer-db") }
  deinit { try? Files.removeTree(folder) }

  static let key = "x'" + String(repeating: "2d", count: 32) + "'"
  static let otherKey = "x'" + String(repeating: "2e", count: 32) + "'"

  func connect(
    key: String = key, creating: Bool = false, _ role: Role = .writer
  ) throws(DatabaseError) -> Connection {
    let bytes = Array(key.utf8)
    return try unsafe Connection(path, key: bytes.span.bytes, creating: creating, role: role)
  }

  /// A database with one table of numbers.
  func create() throws(DatabaseError) -> Connection {
    let connection = try connect(creating: true)
    try connection.execute("CREATE TABLE numbers (value INTEGER CHECK (value < 100), text TEXT)")
    return connection
  }
}

@Suite struct ConnectionTests {
  let file: DatabaseFile
  init() throws { file = try DatabaseFile() }

  private func kind(_ body: () throws(DatabaseError) -> Void) -> DatabaseError.Kind? {
    do throws(DatabaseError) {
      try body()
      return nil
    } catch { return error.kind }
  }

  @Test func valuesComeBackAsTheyWent() throws {
    let connection = try file.connect(creating: true)
    try connection.execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d BLOB) STRICT")
    let insert = try connection.statement("INSERT INTO t VALUES (?, ?, ?, ?)")
    let id = Bytes16(high: 0x0102_0304_0506_0708, low: .max)
    let rows: [(Int64?, String?, [UInt8]?)] = [
      (.min, "", []), (.max, "a\u{0}b", [0, 255]), (nil, nil, nil), (0, "\u{1f600}e\u{301}", [1]),
    ]
    for (number, text, bytes) in rows { try insert.run(number, text, bytes, id) }
    let read = try connection.statement("SELECT a, b, c, d FROM t ORDER BY rowid").all { row in
      (
        row.optionalInteger(0), row.optionalText(1).map { Array($0.utf8) },
        row.isNull(2) ? nil : row.bytes(2), row.bytes16(3)
      )
    }
    #expect(read.count == rows.count)
    for (left, right) in zip(read, rows) {
      #expect(left.0 == right.0)
      #expect(left.1 == right.1.map { Array($0.utf8) })
      #expect(left.2 == right.2)
      #expect(left.3 == id)
    }
  }

  @Test func aValueThatCannotBeBoundIsAnErrorAndNotNull() throws {
    let connection = try file.connect(creating: true)
    let statement = try connection.statement("SELECT ?")
    let second: [any Bindable] = [Int64(1), "text", [UInt8](), [UInt8]([1])]
    for value in second {
      #expect(
        kind { () throws(DatabaseError) in
          value.bind(to: statement, at: 2)
          try statement.run()
        } == .misuse)
    }
    #expect(try statement.integer(7) == 7)
  }

  @Test func theSettingsAreThoseOfTheDesign() throws {
    let connection = try file.create()
    let expected: [(String, String)] = [
      ("foreign_keys", "1"), ("journal_mode", "wal"), ("temp_store", "2"),
      ("cache_size", "-8000"), ("secure_delete", "1"), ("trusted_schema", "0"),
      ("page_size", "4096"), ("journal_size_limit", "16777216"),
    ]
    for (name, value) in expected {
      #expect(try connection.statement("PRAGMA \(name)").first { $0.text(0) } == value, "\(name)")
    }
    #expect(
      kind { () throws(DatabaseError) in
        try connection.execute("SELECT \"no column\"")
      } != nil)
    #expect(
      kind { () throws(DatabaseError) in
        try connection.execute(
          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '' WHERE name = 'numbers'")
      } != nil)
  }

  @Test func aWrongKeyAMissingAndAPlainFileAreToldApart() throws {
    #expect(kind { () throws(DatabaseError) in _ = try file.connect() } == .cannotOpen)
    #expect(try Files.names(in: file.folder).isEmpty)
    _ = try file.create()
    #expect(
      kind { () throws(DatabaseError) in _ = try file.connect(key: DatabaseFile.otherKey) }
        == .notADatabase)
    // Not the raw form: SQLCipher would derive another key from it, which does not fit.
    #expect(
      kind { () throws(DatabaseError) in
        _ = try file.connect(key: String(DatabaseFile.key.dropLast()))
      } == .notADatabase)
    for (content, operation) in [
      ([], "empty"), (Array("SQLite format 3\0".utf8), "unencrypted"),
    ] as [([UInt8], String)] {
      try Files.replace(file.path, with: content, through: "\(file.path).tmp")
      do {
        _ = try file.connect()
        Issue.record("opened")
      } catch {
        #expect(error.kind == .notADatabase)
        #expect(error.operation == operation)
      }
    }
  }

  @Test func aPlainLibraryOrAnOldCipherIsRefused() {
    for (version, isSupported) in [
      ("4.6.1 community", true), ("4.5.0", true), ("5.0 x", true), ("4.10.0 community", true),
      ("4.4.3 community", false), ("3.4.1", false), ("", false), ("x", false),
    ] { #expect(Library.isSupported(cipherVersion: version) == isSupported, "\(version)") }
    #expect(throws: Never.self) { try Library.check() }
  }

  @Test func aReaderCannotWrite() throws {
    let writer = try file.create()
    try writer.execute("INSERT INTO numbers VALUES (1, 'one')")
    let reader = try file.connect(.reader)
    #expect(
      kind { () throws(DatabaseError) in
        try reader.execute("INSERT INTO numbers VALUES (2, 'two')")
      } == .readOnly)
    #expect(try reader.statement("SELECT count(*) FROM numbers").integer() == 1)
  }
}

@Suite struct TransactionTests {
  let file: DatabaseFile
  init() throws { file = try DatabaseFile() }

  private struct Refusal: DatabaseFailure {
    init() {}
    init(_ error: DatabaseError) {}
  }

  private func count(_ connection: borrowing Connection) throws(DatabaseError) -> Int64? {
    try connection.statement("SELECT count(*) FROM numbers").integer()
  }

  @Test func whatThrowsLeavesNothing() throws {
    let connection = try file.create()
    #expect(throws: Refusal.self) {
      try connection.transaction(.process) { connection throws(Refusal) in
        do throws(DatabaseError) {
          try connection.statement("INSERT INTO numbers VALUES (1, 'one')").run()
        } catch { throw Refusal(error) }
        throw Refusal()
      }
    }
    #expect(try count(connection) == 0)
    let isOpen = connection.isInTransaction
    #expect(!isOpen)
  }

  @Test func aSavepointTakesBackOnlyItsOwn() throws {
    let connection = try file.create()
    try connection.transaction(.powerLoss) { connection throws(DatabaseError) in
      let insert = try connection.statement("INSERT INTO numbers VALUES (?, 'x')")
      try connection.savepoint { () throws(DatabaseError) in try insert.run(1) }
      do throws(DatabaseError) {
        try connection.savepoint { () throws(DatabaseError) in
          try insert.run(2)
          try insert.run(100)
        }
      } catch { guard error.kind == .constraint else { throw error } }
      try connection.savepoint { () throws(DatabaseError) in try insert.run(3) }
    }
    #expect(
      try connection.statement("SELECT value FROM numbers").all { $0.integer(0) } == [1, 3])
  }

  @Test func theDurabilityIsSetBeforeTheTransaction() throws {
    let connection = try file.create()
    for (durability, level) in [(Durability.powerLoss, 2), (.process, 1), (.powerLoss, 2)] {
      try connection.transaction(durability) { connection throws(DatabaseError) in
        #expect(try connection.statement("PRAGMA synchronous").integer() == Int64(level))
      }
    }
  }

  @Test func aFullDiskEndsTheTransactionAndNothingElse() throws {
    let connection = try file.create()
    try connection.execute("PRAGMA max_page_count = 4")
    do {
      try connection.transaction(.process) { connection throws(DatabaseError) in
        let insert = try connection.statement("INSERT INTO numbers VALUES (1, ?)")
        for _ in 0..<100 { try insert.run(String(repeating: "x", count: 1000)) }
      }
      Issue.record("it fitted")
    } catch { #expect(error.kind == .full) }
    let isOpen = connection.isInTransaction
    #expect(!isOpen)
    #expect(try count(connection) == 0)
    try connection.transaction(.process) { connection throws(DatabaseError) in
      try connection.statement("INSERT INTO numbers VALUES (1, 'small')").run()
    }
    #expect(try count(connection) == 1)
  }

  @Test func anotherWriterIsBusyOnlyAfterTheTimeout() throws {
    let first = try file.create()
    let second = try file.connect()
    try second.execute("PRAGMA busy_timeout = 50")
    try first.execute("BEGIN IMMEDIATE")
    #expect(throws: DatabaseError.self) {
      try second.transaction(.process) { _ throws(DatabaseError) in }
    }
    try first.execute("COMMIT")
    #expect(throws: Never.self) {
      try second.transaction(.process) { _ throws(DatabaseError) in }
    }
  }

  @Test func aSnapshotDoesNotMove() throws {
    let writer = try file.create()
    let reader = try file.connect(.reader)
    try reader.snapshot { reader throws(DatabaseError) in
      #expect(try count(reader) == 0)
      try writer.execute("INSERT INTO numbers VALUES (1, 'one')")
      #expect(try count(reader) == 0)
    }
    #expect(try count(reader) == 1)
  }
}

@Suite struct MigrationTests {
  let file: DatabaseFile
  init() throws { file = try DatabaseFile() }

  @Test func migrationsRunOnceAndInOrder() throws {
    let connection = try file.create()
    let steps = [
      Migration(version: 1, sql: "INSERT INTO numbers VALUES (1, '')"),
      Migration(version: 2, sql: "INSERT INTO numbers VALUES (2, '')"),
    ]
    try connection.migrate([steps[0]])
    try connection.migrate(steps)
    try connection.migrate(steps)
    #expect(
      try connection.statement("SELECT value FROM numbers").all { $0.integer(0) } == [1, 2])
    #expect(try connection.userVersion == 2)
  }

  @Test func aMigrationThatFailsLeavesTheVersionBefore() throws {
    let connection = try file.create()
    #expect(throws: DatabaseError.self) {
      try connection.migrate([
        Migration(version: 1, sql: "INSERT INTO numbers VALUES (1, ''); SELECT nonsense")
      ])
    }
    #expect(try connection.userVersion == 0)
    #expect(try connection.statement("SELECT count(*) FROM numbers").integer() == 0)
  }
}
