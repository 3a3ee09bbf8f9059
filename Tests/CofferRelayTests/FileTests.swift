import Coffer
import CofferDatabase
import CofferSystem
import Testing

@testable import CofferRelay

/// What the relay's file is, and what it holds.
@Suite struct FileTests {
  let file: RelayFile
  init() throws { file = try RelayFile() }

  private func failure(_ path: String) async -> EmbeddedRelayError? {
    do throws(EmbeddedRelayError) {
      await (try EmbeddedRelay(path: path)).close()
      return nil
    } catch { return error }
  }

  @Test func whatWasSentIsThereForWhoeverOpensTheFileNext() async throws {
    let first = try await file.open()
    let ann = try await first.device("ann")
    try await ann.seq(create(1, with: "ben"))
    let overview = try await ann.overview()
    await first.relay.close()
    #expect(try Files.names(in: file.folder) == ["relay.db"])
    let second = try await file.open()
    #expect(try await second.connection("ann", 1).overview() == overview)
    #expect(try await second.device("ben").pull().told == ["1 create"])
  }

  @Test func aForeignFileIsRefusedAndNotTouched() async throws {
    let key = "x'" + String(repeating: "2d", count: 32) + "'"
    let encrypted = "\(file.folder)/encrypted.db"
    do {
      let keyBytes = Array(key.utf8)
      let connection = try unsafe Connection(encrypted, key: keyBytes.span.bytes, creating: true)
      try connection.execute("CREATE TABLE t (a)")
    }
    let foreign = "\(file.folder)/foreign.db"
    do {
      let connection = try Connection(unencrypted: foreign, applicationID: 7, creating: true)
      try connection.execute("CREATE TABLE t (a)")
    }
    let text = "\(file.folder)/notes.txt"
    try Files.replace(text, with: Array("Bread, apples.\n".utf8), through: "\(text).tmp")
    let short = "\(file.folder)/short"
    // Two bytes: SQLite takes a file of one for an empty one.
    try Files.replace(short, with: [1, 2], through: "\(short).tmp")
    for path in [encrypted, foreign, text, short] {
      let before = try Files.content(of: path, limit: 1 << 20)
      let refusal = await failure(path)
      #expect(refusal == .foreign(path: path), "\(path)")
      #expect(try Files.content(of: path, limit: 1 << 20) == before)
    }
    #expect(
      try Files.names(in: file.folder) == ["encrypted.db", "foreign.db", "notes.txt", "short"])
    guard case .database(file.folder, _, _) = await failure(file.folder) else {
      Issue.record("a folder was opened")
      return
    }
  }

  @Test func aNewerFileIsRefused() async throws {
    await (try await file.open()).relay.close()
    do {
      let connection = try Connection(
        unencrypted: file.path, applicationID: RelaySchema.applicationID)
      try connection.execute("PRAGMA user_version = 9")
    }
    #expect(
      await failure(file.path) == .newerSchema(path: file.path, found: 9, supported: 1))
  }

  @Test func anEmptyFileIsAsGoodAsNone() async throws {
    try Files.replace(file.path, with: [], through: "\(file.path).tmp")
    let world = try await file.open()
    try await world.device("ann").seq(create(1))
  }

  @Test func manyMayMakeTheFileAtOnce() async throws {
    let file = file
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let world = try await file.open()
          let epoch = try await world.device("ann").overview().epoch
          await world.relay.close()
          return epoch
        }
      }
      let epochs = try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
      #expect(epochs.count == 1)
    }
    #expect(try file.find("SELECT count(*) FROM devices") == ["1"])
  }

  /// Nothing is there but addresses, ids, numbers, times, digests and the bytes that were sent.
  @Test func theFileHoldsWhatTheContractNeedsAndNothingElse() async throws {
    let world = try await EmbeddedWorld(
      file: file, relay: EmbeddedRelay(path: file.path, clock: { 1_700 }, hook: nil))
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(message(2))
    let phone = try await world.device("ben", 2)
    try await ben.seq(receipt(3, delivered: 2, read: 1))
    try await world.relay.block("eve", by: "ann")
    try await world.cutHistory(of: "hiking", below: 2)

    #expect(
      try file.find("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") == [
        "accounts", "blocks", "conversations", "devices", "events", "inbox", "members", "receipts",
        "relay", "starts",
      ])
    func table(_ columns: String, _ table: String) throws -> [String] {
      // All columns of the table, so that none is forgotten here.
      let all = try file.find("SELECT name FROM pragma_table_info('\(table)')")
      #expect(all.joined(separator: " ") == columns)
      return try file.find(
        "SELECT concat_ws(' ', \(all.map { "coalesce(\($0), '-')" }.joined(separator: ", ")))"
          + " FROM (SELECT "
          + all.map { "CASE typeof(\($0)) WHEN 'blob' THEN hex(\($0)) ELSE \($0) END AS \($0)" }
          .joined(separator: ", ") + " FROM \(table))")
    }
    #expect(try table("id epoch", "relay") == ["1 1700"])
    #expect(try table("id address", "accounts") == ["1 ann", "2 ben", "3 eve"])
    #expect(
      try table("id account_id number head floor", "devices")
        == ["1 1 1 3 0", "2 2 1 2 1", "3 2 2 1 0"])
    #expect(
      try table("id address newest_seq deleted", "conversations") == ["1 hiking 2 0"])
    #expect(
      try table("conversation_id account_id since_seq until_seq", "members")
        == ["1 1 1 -", "1 2 1 -"])
    #expect(try table("device_id conversation_id first_seq", "starts") == ["3 1 3"])
    #expect(try table("account_id sender_id", "blocks") == ["1 3"])
    let (first, second) = (create(1, with: "ben"), message(2))
    let digests = try file.find("SELECT hex(digest) FROM events ORDER BY id")
    #expect(
      try table("id conversation_id seq sender_id device event_id sent_at digest payload", "events")
        == [
          "1 1 1 1 1 \(hex(first.id)) 1700000000001 \(digests[0]) -",
          "2 1 2 1 1 \(hex(second.id)) 1700000000002 \(digests[1]) \(hex(second.payload))",
        ])
    #expect(
      try table(
        "conversation_id account_id delivered read device event_id sent_at", "receipts")
        == ["1 2 2 1 1 \(hex(id(3))) 1700000000003"])
    #expect(
      try table("device_id number conversation_id event account_id first last", "inbox") == [
        "1 1 1 1 - - -", "1 2 1 2 - - -", "1 3 1 - 2 - -", "2 2 1 2 - - -", "3 1 1 - 2 - -",
      ])
    #expect(try await phone.pull().count == 1)
  }

  @Test func whatIsDiscardedIsInNoFileAnyMore() async throws {
    let world = try await file.open()
    let ann = try await world.device("ann")
    _ = try await world.device("ben")
    let secret = "the kingfisher by the weir"
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(outgoing(2, .message(text: secret)))
    #expect(try await isSomewhere(secret))
    try await world.expunge(2...2, of: "hiking")
    #expect(try await !isSomewhere(secret))
  }

  private func isSomewhere(_ text: String) async throws -> Bool {
    let wanted = Array(text.utf8)
    for name in try Files.names(in: file.folder) {
      let bytes = try Files.content(of: "\(file.folder)/\(name)", limit: 1 << 26)
      let starts = bytes.indices.dropLast(wanted.count)
      if starts.contains(where: { bytes[$0...].starts(with: wanted) }) { return true }
    }
    return false
  }

  private func hex(_ id: EventID) -> String {
    id.description.filter { $0 != "-" }.uppercased()
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = Array("0123456789ABCDEF")
      return "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }
}
