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
    // Edits, deletes and reactions, some of them before their message; members and receipts.
    let (ann, dora) = (reference(1, "ann"), reference(5000, "dora"))
    try await store.receive([
      event(30, seq: 15, .change(.create(title: "Ridge walk", members: ["ben", "dora", "eva"]))),
      event(31, seq: 16, .edit(of: ann, text: "message 1, edited")),
      event(32, seq: 17, .delete(reference(2, "ann"))),
      event(33, seq: 18, .reaction(to: ann, emoji: "👍", isAdded: true)),
      event(34, seq: 19, from: "dora", .edit(of: dora, text: "of one that is not here")),
      event(35, seq: 20, from: "dora", .delete(reference(5001, "dora"))),
      event(36, seq: 21, .change(.remove("eva"))),
      event(37, seq: nil, .receipt(Receipt(delivered: 9, read: 4))),
    ])
    let sent = try await store.send(Draft("sent and acknowledged", to: "hiking", id: id(100)))
    try await store.acknowledge(sent, seq: 22)
    // One that was given up, one whose bytes are fixed, and what waits behind them.
    let lease = store.makeLease()
    for number in [103, 104] {
      try await store.send(Draft("no. \(number)", to: "hiking", id: id(number)))
      _ = try await store.claim(by: lease, limit: 1)
      if number == 103 { try await store.fail(id(number), by: lease, .blocked) }
    }
    try await store.edit(id(104), text: "no. 104, edited")
    try await store.send(Draft("still pending", to: "hiking", replyTo: ann, id: id(101)))
    try await store.send(Draft("pending too, ö", to: "work", id: id(102)))
    try await store.react(to: ann, emoji: "🌧")
    try await store.setDraft("half a sentence", for: "hiking")
    try await store.markRead("work", upTo: 1)
    try await store.sql(
      """
      UPDATE conversations SET muted = 1 WHERE id = 1;
      UPDATE gaps SET status = 1 WHERE conversation_id = 2;
      INSERT INTO envelopes SELECT id, 2, 1, x'c0ffee' FROM outbox LIMIT 1;
      """)
    await store.close()
  }

  private func reference(_ number: Int, _ sender: String) -> MessageReference {
    MessageReference(sender: sender, id: id(number))
  }

  private func event(
    _ number: Int, seq: Int64?, from sender: String = "ann", _ event: Event
  ) -> Item {
    Item(
      Envelope(
        conversation: "hiking", seq: seq, sender: sender, device: 1, id: id(number),
        sentAt: 1_790_000_050_000),
      .event(event))
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
