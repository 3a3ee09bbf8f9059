import CofferSystem
import Testing

@testable import CofferDatabase

/// Databases that are not encrypted: the relay's.
@Suite struct UnencryptedTests {
  let file: DatabaseFile
  init() throws { file = try DatabaseFile() }

  private func kind(_ body: () throws(DatabaseError) -> Void) -> DatabaseError.Kind? {
    do throws(DatabaseError) {
      try body()
      return nil
    } catch { return error.kind }
  }

  private func create() throws(DatabaseError) {
    let connection = try Connection(unencrypted: file.path, applicationID: 7, creating: true)
    try connection.execute("CREATE TABLE t (a)")
  }

  @Test func itsFileBearsItsIdBeforeAnythingElse() throws {
    let connection = try Connection(
      unencrypted: file.path, applicationID: 0x8123_4567, creating: true)
    // The WAL has nothing yet: the header of the file itself says it.
    let header = try Files.content(of: file.path, limit: 1 << 16).prefix(72)
    #expect(header.prefix(15) == ArraySlice("SQLite format 3".utf8))
    #expect(Array(header[68..<72]) == [0x81, 0x23, 0x45, 0x67])
    let mode = try connection.statement("PRAGMA journal_mode").first { $0.text(0) }
    #expect(mode == "wal")
  }

  @Test func neitherKindOpensTheOther() throws {
    try create()
    #expect(
      kind { () throws(DatabaseError) in _ = try file.connect() } == .notADatabase)
    try Files.remove(file.path)
    _ = try file.create()
    #expect(
      kind { () throws(DatabaseError) in
        _ = try Connection(unencrypted: file.path, applicationID: 7, creating: true)
      } == .notADatabase)
  }

  @Test func anotherIdOrNoFileIsRefused() throws {
    #expect(
      kind { () throws(DatabaseError) in
        _ = try Connection(unencrypted: file.path, applicationID: 7)
      } == .cannotOpen)
    try create()
    for id: UInt32 in [0, 8] {
      #expect(
        kind { () throws(DatabaseError) in
          _ = try Connection(unencrypted: file.path, applicationID: id, creating: true)
        } == .notADatabase)
    }
  }

  @Test func itsReaderCannotWrite() throws {
    try create()
    let reader = try Connection(unencrypted: file.path, applicationID: 7, role: .reader)
    #expect(
      kind { () throws(DatabaseError) in try reader.execute("INSERT INTO t VALUES (1)") }
        == .readOnly)
  }

  /// Killed between the first page and the end of its journal: opening takes the page back.
  @Test func whoeverDiedMakingItLeavesNothingThatIsRefused() throws {
    try create()
    do {
      let connection = try Connection(unencrypted: file.path, applicationID: 7)
      try connection.execute("PRAGMA journal_mode = DELETE")
    }
    // A journal of a file that had no pages, as SQLite's file format describes it (section 3).
    var journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    journal += [0, 0, 0, 0] + [1, 2, 3, 4] + [0, 0, 0, 0] + [0, 0, 2, 0] + [0, 0, 0x10, 0]
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    let path = "\(file.path)-journal"
    try Files.replace(path, with: journal, through: "\(path).tmp")
    try create()
    let again = try Connection(unencrypted: file.path, applicationID: 7)
    #expect(try again.rowCount("t") == 0)
  }
}
