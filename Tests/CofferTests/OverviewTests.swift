import Testing

@testable import Coffer

/// A snapshot of the server's heads, taken after a long time away.
@Suite struct OverviewTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func head(
    _ conversation: String = "hiking", from: Int64 = 1, newest: Int64, item: Int? = nil,
    receipts: [String: Receipt] = [:]
  ) -> Overview.Head {
    let newestItem = item.map { number in
      let made = CofferTests.item(number, in: conversation, seq: newest)
      return RelayItem(made.envelope, .payload(made.payload))
    }
    return Overview.Head(
      conversation: conversation, from: from, newestSeq: newest, newest: newestItem,
      receipts: receipts)
  }

  private func overview(_ head: Int64, _ heads: Overview.Head...) -> Overview {
    Overview(epoch: 7, head: head, conversations: heads)
  }

  @Test func theCursorJumpsAndWhatItSkipsIsAGap() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...4))
    let result = try await store.receive(
      overview(900, head(newest: 500, item: 500), head("work", newest: 20, item: 700)),
      movesCursor: true)
    #expect(result.cursor == 900)
    #expect(
      try await store.shown() == [
        "message 1", "message 2", "message 3", "message 4", "[5-499]", "message 500",
      ])
    #expect(try await store.shown("work") == ["[1-19]", "message 700"])
    #expect(try await store.isClean())
  }

  /// Held 100, a push brings 105, the overview 500: the worst trap of all.
  ///
  /// 101 to 104 must not be
  /// forgotten because the highest seq known is 105.
  @Test func aPushBeforeTheOverviewLosesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...100))
    try await store.receive(push: item(105))
    try await store.receive(overview(600, head(newest: 500, item: 500)), movesCursor: true)
    let gaps = try await store.gaps(of: "hiking").map { [$0.gap.first, $0.gap.last] }
    #expect(gaps == [[101, 104], [106, 499]])
    #expect(try await store.isClean())
  }

  @Test func aStaleOverviewMovesNothingBack() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...50))
    let before = try await store.outcome()
    let result = try await store.receive(
      overview(30, head(newest: 90, item: 90)), movesCursor: true)
    #expect(result.cursor == 50)
    #expect(try await store.outcome() == before)
    // The head is new, one conversation of it is not.
    try await store.receive(overview(60, head(newest: 40, item: 40)), movesCursor: true)
    #expect(try await store.cursor() == 60)
    #expect(try await store.outcome() == before)
  }

  @Test func aSealedInboxGetsHeadsAndKeepsItsCursor() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    try await store.receive(overview(90, head(newest: 42)), movesCursor: false)
    #expect(try await store.cursor() == 3)
    #expect(try await store.gaps(of: "hiking").map { [$0.gap.first, $0.gap.last] } == [[4, 42]])
    // The pull goes on from the old cursor and finds its place.
    try await store.receive(page(4...42))
    #expect(try await store.gaps(of: "hiking").isEmpty)
    #expect(try await store.isClean())
  }

  @Test func whatLiesBeforeOurTimeIsNoGap() async throws {
    let store = try await scratch.create()
    try await store.receive(overview(5, head(from: 40, newest: 45, item: 45)), movesCursor: true)
    #expect(try await store.shown() == ["[40-44]", "message 45"])
    #expect(try await store.receive([item(39)]).duplicate == 1)
    #expect(try await store.isClean())
  }

  @Test func whatAheadHoldsIsSwallowed() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    try await store.receive(push: item(7))
    #expect(try await store.receive(overview(6), movesCursor: true).cursor == 7)
    #expect(try await store.isClean())
  }

  @Test func receiptsOfAnOverviewRaiseStates() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let id = try await store.send(Draft("mine", to: "hiking"))
    try await store.acknowledge(id, seq: 4)
    try await store.receive(
      overview(9, head(newest: 4, receipts: ["ann": Receipt(delivered: 4, read: 2)])),
      movesCursor: true)
    #expect(try await store.rows("state) FROM messages WHERE sender_id = 1") == ["4"])
    #expect(try await store.isClean())
  }

  @Test func anAbsurdHeadIsIgnored() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let before = try await store.outcome()
    let result = try await store.receive(
      overview(
        9, head(newest: .max), head("", newest: 4), head("x", from: 0, newest: 4),
        head("y", from: .max, newest: .max), head("z", from: .max, newest: 4),
        head("hiking", from: 1 << 50, newest: 1 << 50), head("w", from: 9, newest: 7)),
      movesCursor: true)
    #expect(result.quarantined == 7)
    #expect(try await store.outcome() == before)
    #expect(try await store.isClean())
  }
}
