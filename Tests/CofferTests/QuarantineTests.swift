import CofferCoding
import Testing

@testable import Coffer

@Suite struct QuarantineTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func reasons(_ store: Store) async throws -> [String] {
    try await store.quarantine().map(\.reason)
  }

  @Test func oneBadItemIsSetAsideAndItsPageGoesOn() async throws {
    let store = try await scratch.create()
    var bad = item(2)
    bad.envelope.seq = -4
    let result = try await store.receive(Page(base: 0, next: 3, items: [item(1), bad, item(3)]))
    #expect(result.inserted == 2)
    #expect(result.quarantined == 1)
    #expect(result.cursor == 3)
    #expect(try await reasons(store) == [QuarantineReason.seqOutOfRange.rawValue])
    #expect(try await store.isClean())
  }

  @Test func theSameIDTwiceIsOneRow() async throws {
    let store = try await scratch.create()
    let result = try await store.receive(
      Page(
        base: 0, next: 2,
        items: [
          item(1), item(1, inbox: 2),
        ]))
    #expect(result.inserted == 1)
    #expect(result.duplicate == 1)
    #expect(try await store.isClean())
  }

  @Test func theSameIDAtASecondSeqHoldsThatSeqToo() async throws {
    let store = try await scratch.create()
    let result = try await store.receive([item(1), item(1, seq: 2), item(3)])
    #expect(result.inserted == 2)
    #expect(result.duplicate == 1)
    #expect(try await store.shown() == ["message 1", "message 3"])
    #expect(try await store.gaps().isEmpty)
    #expect(try await store.isClean())
  }

  @Test(arguments: [1, 2] as [Int64])
  func theSameIDWithAnotherBodyKeepsTheFirst(seq: Int64) async throws {
    let store = try await scratch.create()
    let result = try await store.receive([item(1), item(1, seq: seq, text: "other")])
    #expect(result.quarantined == 1)
    #expect(try await store.shown().first == "message 1")
    #expect(try await reasons(store) == [QuarantineReason.otherBody.rawValue])
    #expect(try await store.isClean())
  }

  /// A seq that a placeholder keeps is still its message's: what can be read now is not a repeat.
  @Test func aMessageThatCanBeReadNowTakesThePlaceOfItsPlaceholder() async throws {
    let store = try await scratch.create()
    let long = String(repeating: "x", count: ItemLimits.text + 1)
    try await store.receive([item(1), item(2, text: long)])
    #expect(try await store.shown() == ["message 1", "!2"])
    #expect(try await store.receive([item(2)]).inserted == 1)
    #expect(try await store.shown() == ["message 1", "message 2"])
    let list = try await store.conversations()
    #expect(list.first?.newest?.text == "message 2")
    #expect(list.first?.unread == 2)
    #expect(try await store.receive([item(2)]).duplicate == 1)
    #expect(try await store.isClean())
  }

  @Test func anItemWhoseTextIsNoneKeepsItsPlace() async throws {
    let store = try await scratch.create()
    let json = String(decoding: item(2, text: "%").json, as: UTF8.self)
    let raw = json.split(separator: "%").joined(separator: "\\ud83d")
    let spoilt = Arrival(try JSONDocument.parse(Array(raw.utf8)))
    let result = try await store.receive([.item(item(1)), spoilt, .item(item(3))])
    #expect(result.quarantined == 1)
    #expect(try await store.shown() == ["message 1", "!2", "message 3"])
    #expect(try await store.gaps().isEmpty)
    #expect(try await reasons(store) == [QuarantineReason.illFormedText.rawValue])
    #expect(try await store.receive([item(2)]).inserted == 1)
    #expect(try await store.isClean())
  }

  @Test func aLateCopyOfATombstoneIsADuplicate() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(2)])
    try await store.sql(
      """
      UPDATE messages SET text = NULL, deleted_seq = 0 WHERE seq = 1;
      UPDATE conversations SET unread = 1;
      """)
    #expect(try await store.receive([item(1), item(1, seq: 3)]).duplicate == 2)
    #expect(try await store.quarantine().isEmpty)
    #expect(try await store.shown() == ["-", "message 2"])
    #expect(try await store.isClean())
  }

  @Test func anotherBodyUnderARepeatedIDIsSetAsideNotDropped() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(1, seq: 2)])
    #expect(try await store.receive([item(1, seq: 2)]).duplicate == 1)
    #expect(try await store.receive([item(1, seq: 2, text: "other")]).quarantined == 1)
    #expect(try await reasons(store) == [QuarantineReason.otherBody.rawValue])
    #expect(try await store.shown() == ["message 1"])
    #expect(try await store.isClean())
  }

  @Test func theSameIDInAnotherConversationKeepsTheFirst() async throws {
    let store = try await scratch.create()
    let result = try await store.receive([item(1), item(1, in: "work")])
    #expect(result.quarantined == 1)
    #expect(try await store.shown() == ["message 1"])
    #expect(try await store.shown("work") == ["!1"])
    #expect(try await reasons(store) == [QuarantineReason.otherConversation.rawValue])
    #expect(try await store.isClean())
  }

  @Test func theSameIDOfAnotherSenderIsAnotherMessage() async throws {
    let store = try await scratch.create()
    #expect(try await store.receive([item(1), item(1, seq: 2, from: "eve")]).inserted == 2)
    #expect(try await store.isClean())
  }

  @Test func aSeqThatIsTakenIsNotTakenAgain() async throws {
    let store = try await scratch.create()
    let result = try await store.receive([item(1), item(2, seq: 1)])
    #expect(result.quarantined == 1)
    #expect(try await store.shown() == ["message 1"])
    #expect(try await reasons(store) == [QuarantineReason.seqTaken.rawValue])
    #expect(try await store.isClean())
  }

  @Test func aJumpOfMoreThanTenMillionRaisesNothing() async throws {
    let store = try await scratch.create()
    let result = try await store.receive([
      item(1), item(2, seq: 10_000_002), item(3, in: "new", seq: .max),
    ])
    #expect(result.quarantined == 2)
    #expect(try await store.conversations().map(\.address) == ["hiking"])
    #expect(try await store.conversations().first?.maxSeq == 1)
    #expect(try await store.receive([item(4, seq: 10_000_001)]).inserted == 1)
    #expect(try await store.isClean())
  }

  @Test func theSameBadItemIsKeptOnce() async throws {
    let store = try await scratch.create()
    let bad = item(1, seq: 0)
    #expect(try await store.receive([bad]).quarantined == 1)
    #expect(try await store.receive([bad]).duplicate == 1)
    let kept = try await store.quarantine()
    #expect(kept.count == 1)
    #expect(kept.first?.attempts == 2)
  }

  @Test func itemsOutsideTheirPageAreSetAside() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...5))
    let result = try await store.receive(
      Page(
        base: 5, next: 8,
        items: [
          item(6, inbox: 6), item(7, inbox: 9), item(8, inbox: 6), item(9, inbox: 5),
        ]))
    #expect(result.inserted == 1)
    #expect(result.quarantined == 3)
    #expect(result.cursor == 8)
    #expect(
      try await Set(reasons(store)) == [
        QuarantineReason.outsideItsPage.rawValue, QuarantineReason.notRising.rawValue,
      ])
    #expect(try await store.isClean())
  }

  @Test func anItemKeptAsItCameReadsBackTheSame() async throws {
    let store = try await scratch.create()
    let bad = item(1, seq: 0, text: "a \"quoted\"\u{0} line\n\u{1f600}")
    try await store.receive([bad])
    #expect(try await store.quarantine().first?.raw == bad.json)
  }

  @Test(arguments: ["", "\u{0}", "a\u{0}b", " ", "\u{1f468}\u{200d}\u{1f469}", "e\u{301}"])
  func textIsKeptByteForByte(text: String) async throws {
    let store = try await scratch.create()
    try await store.receive([item(1, text: text)])
    let entries = try await store.timeline(of: "hiking").entries
    guard case .message(let message) = entries.first else {
      Issue.record("no message")
      return
    }
    #expect(message.text.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test func textEndsAtSixteenMebibytes() async throws {
    let store = try await scratch.create()
    let most = String(repeating: "x", count: ItemLimits.text)
    #expect(try await store.receive([item(1, text: most)]).inserted == 1)
    #expect(try await store.receive([item(2, text: most + "x")]).quarantined == 1)
    #expect(try await store.shown().last == "!2")
    try await store.receive([item(3)])
    await #expect(throws: StoreError.textTooLong(bytes: ItemLimits.text + 1)) {
      try await store.send(Draft(most + "x", to: "hiking"))
    }
    try await store.send(Draft(most, to: "hiking"))
    #expect(try await store.isClean())
  }

  @Test(arguments: [
    "", "a\nb", "\u{7f}", String(repeating: "a", count: 513),
  ]) func anAddressThatIsNoneIsSetAside(address: String) async throws {
    let store = try await scratch.create()
    let result = try await store.receive([item(1, in: address), item(2, from: address)])
    #expect(result.quarantined == 2)
    #expect(try await store.conversations().isEmpty)
  }
}
