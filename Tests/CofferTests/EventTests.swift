import CofferDatabase
import Testing

@testable import Coffer

/// Edits, deletes and reactions, in the order of their seqs.
@Suite struct EventTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func anEditReplacesTheTextAndMovesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(2)])
    let result = try await store.receive([event(3, .edit(of: message(1), text: "better"))])
    #expect(result.updated == 1)
    #expect(try await store.shown() == ["better", "message 2"])
    #expect(try await store.conversations().first?.newest?.text == "message 2")
    #expect(try await store.conversations().first?.maxSeq == 3)
    #expect(try await store.isClean())
  }

  @Test func anOlderEditThatComesLaterChangesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive([
      item(1), event(5, .edit(of: message(1), text: "second")),
      event(3, .edit(of: message(1), text: "first")),
    ])
    #expect(try await store.shown() == ["second", "[2-2]", "[4-4]"])
    #expect(try await store.isClean())
  }

  /// The first text is what a message is recognised by: a copy of it is no other body.
  @Test func aCopyOfAnEditedMessageIsADuplicateAndAnotherBodyIsNot() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), event(2, .edit(of: message(1), text: "better"))])
    #expect(try await store.receive([item(1)]).duplicate == 1)
    #expect(try await store.receive([item(1, text: "better")]).quarantined == 1)
    #expect(try await store.shown() == ["better"])
    #expect(try await store.isClean())
  }

  @Test func aDeleteLeavesThePlaceAndNothingElse() async throws {
    let store = try await scratch.create()
    try await store.receive([
      item(1, text: "secret one"), event(2, .edit(of: message(1), text: "secret two")),
      event(3, .reaction(to: message(1), emoji: "👍", isAdded: true), from: "cem"),
      event(4, .delete(message(1))),
    ])
    #expect(try await store.shown() == ["-"])
    #expect(try await store.conversations().first?.unread == 0)
    let texts = try await store.rows(
      "hex(content), hex(target_id)) FROM events WHERE content IS NOT NULL AND kind <> 4")
    #expect(texts.isEmpty)
    #expect(try await store.rows("emoji) FROM reactions").isEmpty)
    #expect(try await store.isClean())
  }

  @Test func theSecondDeleteIsNoOp() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), event(2, .delete(message(1)))])
    let before = try await store.outcome().first
    try await store.receive([event(3, .delete(message(1)))])
    #expect(try await store.outcome().first == before)
    #expect(try await store.conversations().first?.unread == 0)
    #expect(try await store.isClean())
  }

  @Test func aForeignAuthorChangesNothingAndItsSeqIsHeld() async throws {
    let store = try await scratch.create()
    try await store.receive([
      item(1), event(2, .edit(of: message(1), text: "forged"), from: "mallory"),
      event(3, .delete(message(1)), from: "mallory"),
    ])
    #expect(try await store.shown() == ["message 1", "!2", "!3"])
    #expect(
      try await store.reasons()
        == Array(repeating: QuarantineReason.foreignAuthor.rawValue, count: 2))
    #expect(try await store.gaps().isEmpty)
    #expect(try await store.isClean())
  }

  /// Mallory knows the id of a message that Ann has not delivered yet: her delete of "her own"
  /// message of that id must not hide Ann's.
  @Test func nobodySquatsOnAnothersID() async throws {
    let store = try await scratch.create()
    try await store.receive([
      event(2, .delete(message(1, of: "mallory")), from: "mallory"), item(1),
    ])
    #expect(try await store.shown() == ["message 1"])
    #expect(try await store.isClean())
  }

  @Test func aDeleteInOneConversationLeavesTheSameIDInAnother() async throws {
    let store = try await scratch.create()
    try await store.receive([
      item(1), item(1, in: "work", seq: 1), event(2, .delete(message(1)), in: "work"),
    ])
    #expect(try await store.shown() == ["message 1"])
    #expect(try await store.isClean())
  }

  @Test func aReactionIsOneAnAccountAndEmoji() async throws {
    let store = try await scratch.create()
    func react(_ number: Int, _ emoji: String, _ isAdded: Bool, _ sender: String) -> Item {
      event(number, .reaction(to: message(1), emoji: emoji, isAdded: isAdded), from: sender)
    }
    try await store.receive([
      item(1), react(2, "👍", true, "cem"), react(3, "👍", true, "cem"), react(4, "🎉", true, "cem"),
      react(5, "👍", true, "dora"), react(7, "👍", false, "cem"), react(6, "👍", true, "cem"),
    ])
    let shown = try await store.rows(
      """
      emoji, a.address, seq) FROM reactions JOIN accounts a ON a.id = account_id
      WHERE added = 1 ORDER BY emoji, a.address
      """)
    #expect(shown == ["🎉|cem|4", "👍|dora|5"])
    #expect(try await store.isClean())
  }

  @Test func theIDOfAMessageUsedForAnotherKindIsSetAside() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), event(1, .edit(of: message(1), text: "x"))])
    #expect(try await store.reasons() == [QuarantineReason.otherBody.rawValue])
    try await store.receive([event(2, .edit(of: message(1), text: "a"))])
    #expect(try await store.receive([event(2, .edit(of: message(1), text: "a"))]).duplicate == 1)
    #expect(try await store.receive([event(2, .edit(of: message(1), text: "b"))]).quarantined == 1)
    #expect(try await store.shown() == ["a"])
    #expect(try await store.isClean())
  }

  @Test func aHundredThousandTombstonesInOnePageAreOneCommit() async throws {
    let store = try await scratch.create()
    let count = 100_000
    try await store.receive((1...10).map { item($0) })
    let items = (0..<count).map { index in
      event(
        100 + index, .delete(message(index % 20 + 1)), seq: Int64(index + 21),
        inbox: Int64(index + 1))
    }
    let start = ContinuousClock.now
    let result = try await store.receive(Page(base: 0, next: Int64(count), items: items))
    #expect(result.updated + result.waiting == count)
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(
      try await store.shown().prefix(11) == (Array(repeating: "-", count: 10) + ["[11-20]"])[...])
  }
}
