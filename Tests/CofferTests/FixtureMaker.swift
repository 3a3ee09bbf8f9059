import CofferDatabase
import CofferSystem
import Testing

@testable import Coffer

/// Makes a store with something in every table, for the fixture of a schema's version; see
/// `Fixtures/README.md`.
struct FixtureMaker {
  let scratch: Scratch

  /// The clock of the store: fixtures differ in nothing but what their version changed.
  private static var options: Store.Options {
    var options = Store.Options()
    options.clock = { 1_790_000_100_000 }
    return options
  }

  func make() async throws {
    let store = try await scratch.create(options: Self.options)
    // Two conversations, a jump, a message at two seqs, and one that can't be read.
    try await store.receive(page(1...4))
    try await store.receive(
      Page(
        base: 4, next: 8,
        arrivals: [
          .item(item(5, in: "work", seq: 1, from: "cem", text: "Grüße, 🌍")),
          .item(item(6, seq: 9, from: "dora", text: "two\nlines")),
          .item(item(2, inbox: 7, seq: 11)),
          .spoilt(
            SpoiltItem(
              inbox: 8, envelope: item(8, seq: 12).envelope, raw: Array("{}".utf8),
              reason: .missingField)),
        ]))
    try await store.receive(push: item(20, in: "work", seq: 9))
    let sent = try await store.send(Draft("sent and acknowledged", to: "hiking", id: id(100)))
    try await store.acknowledge(sent, seq: 14)
    try await store.send(Draft("still pending", to: "hiking", id: id(101)))
    try await store.send(Draft("pending too, ö", to: "work", id: id(102)))
    try await store.sql(
      """
      UPDATE conversations SET draft = 'half a sentence', muted = 1 WHERE id = 1;
      UPDATE gaps SET status = 1 WHERE conversation_id = 2;
      INSERT INTO members VALUES (1, 1, 1, NULL, 1), (1, 2, 1, 9, 1);
      INSERT INTO receipts VALUES (1, 2, 9, 4, 1);
      INSERT INTO reactions VALUES (1, 2, '👍', 9, 1), (1, 1, '👍', 10, 0);
      INSERT INTO envelopes SELECT id, 2, 1, x'c0ffee' FROM outbox LIMIT 1;
      """)
    await store.close()
  }
}

@Suite struct FixtureTests {
  @Test func theMakerOfFixturesFillsEveryTable() async throws {
    let scratch = try Scratch()
    try await FixtureMaker(scratch: scratch).make()
    let connection = try scratch.rawConnection()
    let tables = try connection.allTables()
    for table in try connection.rows(of: tables) {
      #expect(!table.rows.isEmpty, "\(table.name)")
    }
    #expect(try await scratch.open().isClean())
  }

  @Test(.enabled(if: ThisProcess.environment("COFFER_FIXTURE") == "1", "writes a file to commit"))
  func aFixtureOfThisVersionIsMade() async throws {
    let scratch = try Scratch()
    try await FixtureMaker(scratch: scratch).make()
    let target = "\(Fixtures.folder)/version-\(Schema.version)"
    try scratch.copyFolder(scratch.store, to: target)
    let connection = try scratch.rawConnection()
    let tables = try connection.allTables()
    let text = try connection.rows(of: tables).map(\.text).joined()
    try OpenFile("\(target).rows", .create).write(Array(text.utf8))
  }
}
