import CofferSystem
import CofferDatabase
import Testing

@testable import Coffer

@Suite struct TimelineTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func pagesJoinWithoutARowTwiceOrMissing() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    let store = try await scratch.create()
    var items: [Item] = []
    for number in 1...120 where Int.random(in: 0..<4, using: &random) > 0 {
      items.append(item(number))
    }
    try await store.receive(items)
    for number in 1...7 { try await store.send(Draft("pending \(number)", to: "hiking")) }
    let whole = try await store.timeline(of: "hiking", limit: 1000)
    #expect(whole.older == nil)
    for limit in [1, 2, 7, 50, 127, 128] {
      var entries: [TimelinePage.Entry] = []
      var position: TimelinePage.Position?
      repeat {
        let page = try await store.timeline(of: "hiking", before: position, limit: limit)
        entries = page.entries + entries
        position = page.older
      } while position != nil
      #expect(entries == whole.entries, "seed \(seed), limit \(limit)")
    }
  }

  @Test func theBeginningIsReachedOnlyWhenItsFirstSeqIsAccountedFor() async throws {
    let store = try await scratch.create()
    try await store.receive((5...10).map { item($0) })
    let newest = try await store.timeline(of: "hiking", limit: 6)
    #expect(newest.older == .seq(5))
    let rest = try await store.timeline(of: "hiking", before: newest.older, limit: 6)
    #expect(rest.entries == [.gap(Gap(first: 1, last: 4, isUnavailable: false))])
    #expect(rest.older == nil)
  }

  /// Repeats are held and not shown, so that any number of gaps may lie between two messages.
  @Test func aPageOfManyGapsIsNoLongerThanItsLimit() async throws {
    let store = try await scratch.create()
    var items = [item(1)] + (1...200).map { item(1, seq: Int64($0 * 2 + 1)) }
    items += (1...9).map { item($0 + 1, seq: Int64(500 + $0 * 3)) }
    try await store.receive(items)
    let whole = try await store.timeline(of: "hiking", limit: .max)
    #expect(whole.entries.count == 10 + 200 + 9)
    #expect(whole.older == nil)
    for limit in [1, 2, 5, 9, 10, 11, 100] {
      var entries: [TimelinePage.Entry] = []
      var position: TimelinePage.Position?
      repeat {
        let page = try await store.timeline(of: "hiking", before: position, limit: limit)
        #expect(page.entries.count <= 3 * limit)
        entries = page.entries + entries
        position = page.older
      } while position != nil
      #expect(entries == whole.entries, "limit \(limit)")
    }
  }

  @Test func aPageReadsOnlyTheGapsThatItShows() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1, seq: 5)])
    let plan = try await store.read { connection throws(DatabaseError) in
      try connection.statement("EXPLAIN QUERY PLAN \(TimelineReader.gapsSQL)")
        .all(1, 2, 3, 4) { $0.text(3) }
    }
    #expect(plan.contains { $0.contains("first>? AND first<?") }, "\(plan)")
  }

  @Test func anUnknownConversationIsAnErrorAndAnEmptyOneIsNot() async throws {
    let store = try await scratch.create()
    await #expect(throws: StoreError.unknownConversation("x")) { try await store.timeline(of: "x") }
    await #expect(throws: StoreError.unknownConversation("x")) { try await store.gaps(of: "x") }
  }

  @Test func orderIsTheServersWhateverTheClocksSay() async throws {
    let store = try await scratch.create()
    var items = (1...5).map { item($0) }
    for index in items.indices { items[index].envelope.sentAt = Int64(1000 - index * 100) }
    try await store.receive(items)
    #expect(try await store.shown() == (1...5).map { "message \($0)" })
  }

  @Test func conversationsComeByArrival() async throws {
    let store = try await scratch.create()
    try await store.receive([
      item(1, in: "a", seq: 1), item(2, in: "b", seq: 1), item(3, in: "c", seq: 1),
    ])
    try await store.receive([item(4, in: "a", seq: 2)])
    #expect(try await store.conversations().map(\.address) == ["a", "c", "b"])
    try await store.send(Draft("hello", to: "b"))
    #expect(try await store.conversations().map(\.address) == ["b", "a", "c"])
  }
}
