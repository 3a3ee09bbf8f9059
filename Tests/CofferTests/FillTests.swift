import Testing

@testable import Coffer

/// The server's history closes gaps.
@Suite struct FillTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func answer(_ item: Item) -> History.Answer {
    .item(RelayItem(item.envelope, .payload(item.payload)))
  }

  private func history(_ range: ClosedRange<Int>) -> History {
    History(epoch: 7, answers: range.map { answer(item($0)) })
  }

  private func gaps(_ store: Store) async throws -> [[Int64]] {
    try await store.gaps(of: "hiking").map {
      [$0.gap.first, $0.gap.last, $0.gap.isUnavailable ? 1 : 0]
    }
  }

  /// Case B14: a limited page leaves a hole; it is filled from its end, then its beginning, then
  /// both again.
  @Test func aLimitedPageLeavesARecordedGapUntilItIsFilled() async throws {
    var store = try await scratch.create()
    try await store.receive(page(1...100))
    try await store.receive(
      Page(base: 100, next: 150, items: (151...200).map { item($0, inbox: Int64($0 - 50)) }))
    #expect(try await gaps(store) == [[101, 150, 0]])
    await store.close()
    store = try await scratch.open()
    #expect(try await gaps(store) == [[101, 150, 0]])
    try await store.fill("hiking", 126...150, with: history(126...150))
    #expect(try await gaps(store) == [[101, 125, 0]])
    try await store.fill("hiking", 101...125, with: history(101...125))
    #expect(try await gaps(store).isEmpty)
    let before = try await store.outcome()
    #expect(try await store.fill("hiking", 126...150, with: history(126...150)).duplicate == 25)
    #expect(try await store.fill("hiking", 101...125, with: history(101...125)).duplicate == 25)
    #expect(try await store.outcome() == before)
    #expect(try await store.cursor() == 150)
    #expect(try await store.shown(limit: 300) == (1...200).map { "message \($0)" })
    #expect(try await store.isClean())
  }

  @Test func whatIsGoneIsShownAndNotAskedForAgain() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(10)])
    try await store.fill(
      "hiking", 2...9,
      with: History(
        epoch: 7,
        answers: [.gone(2), .gone(3), .none(4), answer(item(5)), .gone(6), .gone(10), .none(1)]))
    #expect(try await gaps(store) == [[2, 3, 1], [6, 6, 1], [7, 9, 0]])
    #expect(try await store.openGaps().map(\.range) == [7...9])
    #expect(try await store.shown().contains("message 1"))
    // What arrives all the same fills it.
    try await store.receive([item(3), item(6)])
    #expect(try await gaps(store) == [[2, 2, 1], [7, 9, 0]])
    #expect(try await store.isClean())
  }

  @Test func anEditWaitsUntilTheBackfillBringsItsMessage() async throws {
    let store = try await scratch.create()
    try await store.receive([
      item(100, seq: 3), event(107, .edit(of: message(1), text: "edited"), seq: 4),
    ])
    try await store.fill("hiking", 1...2, with: history(1...2))
    #expect(try await store.shown() == ["edited", "message 2", "message 100"])
    #expect(try await store.isClean())
  }

  @Test func ourOwnMessageIsFoundInTheHistory() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(5)])
    let id = try await store.send(Draft("mine", to: "hiking"))
    let envelope = Envelope(
      conversation: "hiking", seq: 3, sender: "ben", device: 1, id: id, sentAt: 5)
    let result = try await store.fill(
      "hiking", 2...4, with: History(epoch: 7, answers: [.item(RelayItem(envelope, .accepted))]))
    #expect(result.updated == 1)
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.shown() == ["message 1", "[2-2]", "mine", "[4-4]", "message 5"])
    #expect(try await store.isClean())
  }

  @Test func anAnswerOutsideTheRangeIsSetAside() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(10)])
    try await store.fill("hiking", 2...4, with: History(epoch: 7, answers: [answer(item(6))]))
    #expect(try await store.reasons() == [QuarantineReason.outsideItsRange.rawValue])
    #expect(try await gaps(store) == [[2, 9, 0]])
    await #expect(throws: StoreError.unknownConversation("nowhere")) {
      try await store.fill("nowhere", 1...2, with: History(epoch: 7, answers: []))
    }
    #expect(try await store.isClean())
  }

  private func expunged(_ range: ClosedRange<Int64>) -> Item {
    Item(
      Envelope(
        conversation: "hiking", seq: nil, sender: "ann", device: 1, id: id(77), sentAt: 1),
      .expunged(range))
  }

  @Test func whatTheServerExpungesIsMarkedInWhateverOrderItComes() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(5), expunged(2...4), item(3)])
    #expect(try await store.rows("seq) FROM messages WHERE expunged = 1") == ["3"])
    #expect(try await gaps(store) == [[2, 2, 1], [4, 4, 1]])
    #expect(try await store.isClean())
  }

  @Test func whatLiesBelowAnExpungedStretchMayStillCome() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), expunged(4...5)])
    #expect(try await gaps(store) == [[2, 3, 0], [4, 5, 1]])
    #expect(try await store.isClean())
  }

  @Test func whatTheServerExpungesIsMarkedAndStays() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(2), item(5)])
    try await store.receive([expunged(2...7)])
    #expect(
      try await store.rows("seq) FROM messages WHERE expunged = 1 ORDER BY seq") == ["2", "5"])
    #expect(try await gaps(store) == [[3, 4, 1], [6, 7, 1]])
    try await store.receive([item(8), item(3)])
    #expect(
      try await store.shown() == [
        "message 1", "message 2", "message 3", "[4-4]", "message 5", "[6-7]", "message 8",
      ])
    #expect(try await store.isClean())
  }
}
