import CofferDatabase
import CofferSystem
import Synchronization
import Testing

@testable import Coffer

/// Stores that older versions wrote, opened by this one.
@Suite struct MigrationTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let versions = Array(1..<Schema.version)

  // MARK: What it keeps

  @Test(arguments: versions)
  func everyReleasedSchemaHasItsFixture(version: Int64) throws {
    try scratch.copyFixture("version-\(version)")
    let connection = try scratch.rawConnection()
    let found = try connection.userVersion
    #expect(found == version)
    let tables = try connection.allTables()
    let rows = try connection.rows(of: tables)
    #expect(try rows == Fixtures.rows("version-\(version)"))
  }

  /// Outbox, gaps, quarantine, ahead, cursor, previews, counts, sequences: everything.
  @Test(arguments: versions)
  func noValueOfAnyRowIsChanged(version: Int64) async throws {
    let before = try Fixtures.rows("version-\(version)")
    try scratch.copyFixture("version-\(version)")
    let store = try await scratch.open()
    let after = try await store.rows(of: before)
    for (before, after) in zip(before, after) { #expect(after == before) }
    #expect(try await store.information().schemaVersion == Schema.version)
    #expect(try await store.isClean())
  }

  @Test func whatVersion1HeldIsShownAndGoesOn() async throws {
    try scratch.copyFixture("version-1")
    let store = try await scratch.open()
    #expect(
      try await store.shown() == [
        "message 1", "message 2", "[3-4]", "message 4", "!6", "sent and acknowledged", "[8-9]",
        "still pending",
      ])
    #expect(
      try await store.shown("work") == [
        "message 3", "Grüße, 🌍", "[3-8]", "message 20", "pending too, ö",
      ])
    #expect(try await store.cursor() == 8)
    let outbox = try await store.outbox()
    #expect(outbox.map(\.text) == ["still pending", "pending too, ö"])
    #expect(outbox.map(\.createdAt) == [1_796_093_984_318, 1_796_093_984_331])
    #expect(try await store.quarantine().map(\.inbox) == [6])

    // The next page connects with the push that was ahead, and what waits gets its place.
    let next = Page(base: 8, next: 19, items: [item(9, in: "hiking", seq: 3)])
    #expect(try await store.receive(next).cursor == 20)
    try await store.acknowledge(outbox[0].id, seq: 11)
    #expect(try await store.shown().suffix(2) == ["[8-9]", "still pending"])
    #expect(try await store.isClean())
  }

  /// What a migration adds has the value that older rows should have.
  @Test func whatVersion2AddsIsEmpty() async throws {
    try scratch.copyFixture("version-1")
    let store = try await scratch.open()
    let added = try await store.rows(of: [
      TableRows(
        name: "conversations",
        columns: ["id", "title_seq", "deleted_seq", "delivered_told", "read_told"]),
      TableRows(name: "messages", columns: ["sum(expunged)"]),
      TableRows(name: "outbox", columns: ["id", "payload", "failed"]),
    ])
    #expect(
      added.map(\.rows) == [
        ["1, 0, NULL, 0, 0", "2, 0, NULL, 0, 0"], ["0"], ["2, NULL, 0", "3, NULL, 0"],
      ])
  }

  /// A migrated store and a new one differ in nothing that a query could see.
  @Test(arguments: versions)
  func aMigratedStoreHasTheTablesOfANewOne(version: Int64) async throws {
    try scratch.copyFixture("version-\(version)")
    let migrated = try await scratch.open()
    let other = try Scratch()
    let made = try await other.create()
    let parts = TableRows(name: "sqlite_schema", columns: ["type", "name", "tbl_name", "sql"])
    #expect(try await migrated.rows(of: [parts]) == made.rows(of: [parts]))
  }

  /// A process of the older version may have died with commits in the WAL.
  @Test func whatVersion1LeftInItsWALIsMigratedToo() async throws {
    try scratch.copyFixture("version-1")
    let other = try Scratch()
    do {
      let connection = try scratch.rawConnection()
      try connection.execute("UPDATE conversations SET draft = 'half a sentence' WHERE id = 1")
      // While it is open, as a kill would leave it.
      try other.copyFolder(scratch.store, to: other.store)
    }
    #expect(try Files.status("\(other.store)/store-1.db-wal").size > 0)
    let store = try await other.open()
    let drafts = TableRows(name: "conversations", columns: ["draft"])
    #expect(try await store.rows(of: [drafts])[0].rows == ["NULL", "'half a sentence'"])
    #expect(try await store.information().schemaVersion == Schema.version)
  }

  // MARK: What it refuses

  @Test(arguments: [Schema.version + 1, 99, Int64(Int32.max)])
  func aNewerVersionIsRefusedAndNoByteChanges(version: Int64) async throws {
    try scratch.copyFixture("version-1")
    do {
      let connection = try scratch.rawConnection()
      try connection.execute("PRAGMA user_version = \(version)")
    }
    let before = try scratch.files()
    let path = "\(scratch.store)/store-1.db"
    for _ in 0..<2 {
      await #expect(
        throws: StoreError.newerSchema(path: path, found: version, supported: Schema.version)
      ) { try await scratch.open() }
      #expect(try scratch.files() == before)
    }
  }

  // MARK: Kills

  /// The files as a kill at each statement of the migration would leave them, before and after it.
  private func moments() async throws -> [Scratch] {
    try scratch.copyFixture("version-1")
    let copies = Mutex<[Scratch]>([])
    let scratch = scratch
    var options = Store.Options()
    options.hook = StatementHook { _, _ in
      copies.withLock { copies in
        do {
          let copy = try Scratch()
          try copy.copyFolder(scratch.store, to: copy.store)
          copies.append(copy)
        } catch { Issue.record(error) }
      }
    }
    let store = try await scratch.open(options: options)
    let during = copies.withLock { $0 }
    await store.close()
    return during
  }

  private func expectWhole(_ copy: Scratch, _ moment: Int) async throws -> Int64 {
    let found = try { try copy.rawConnection().userVersion }()
    let before = try Fixtures.rows("version-1")
    let store = try await copy.open()
    #expect(try await store.rows(of: before) == before, "moment \(moment)")
    #expect(try await store.information().schemaVersion == Schema.version)
    #expect(try await store.isClean(), "moment \(moment)")
    await store.close()
    return found
  }

  @Test func aMigrationKilledAtAnyStatementStartsAgain() async throws {
    let copies = try await moments()
    #expect(copies.count > 40)
    var versions: [Int64] = []
    for (moment, copy) in copies.enumerated() {
      versions.append(try await expectWhole(copy, moment))
    }
    // All of a version or nothing of it, and never back.
    #expect(Set(versions) == Set(1...Schema.version))
    #expect(versions == versions.sorted())
  }

  /// A kill in the middle of a write leaves a part of the WAL: at each frame, and within it.
  @Test func aMigrationWhoseWALIsCutAnywhereIsTheOldStoreOrTheNew() async throws {
    let copies = try await moments()
    let last = try #require(copies.last)
    let path = "\(last.store)/store-1.db-wal"
    let wal = try Files.content(of: path, limit: 1 << 24)
    #expect(wal.count > 5 * 4120)
    // A header, then frames of a page and 24 bytes.
    let cuts = [0] + Array(stride(from: 32, through: wal.count, by: 2060))
    #expect(cuts.last == wal.count)
    var versions: Set<Int64> = []
    for (moment, cut) in cuts.enumerated() {
      let copy = try Scratch()
      try copy.copyFolder(last.store, to: copy.store)
      try Files.remove("\(copy.store)/store-1.db-wal")
      try OpenFile("\(copy.store)/store-1.db-wal", .create).write(Array(wal[..<cut]))
      versions.insert(try await expectWhole(copy, moment))
    }
    #expect(versions == [1, Schema.version])
  }
}
