import CofferDatabase
import Testing

@testable import Coffer

@Suite struct ReceiveTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  // MARK: The cursor

  @Test func aPageCommitsWithItsCursor() async throws {
    let store = try await scratch.create()
    let result = try await store.receive(page(1...50))
    #expect(result.inserted == 50)
    #expect(result.cursor == 50)
    #expect(try await store.shown() == (1...50).map { "message \($0)" })
    #expect(try await store.isClean())
    await store.close()
    let again = try await scratch.open()
    #expect(try await again.cursor() == 50)
    #expect(try await again.shown().count == 50)
    await again.close()
  }

  @Test func theSamePageAgainChangesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...50))
    let again = try await store.receive(page(1...50))
    #expect(again == ReceiveResult(cursor: 50))
    #expect(try await store.shown().count == 50)
  }

  @Test func aStalePageNeverMovesTheCursorBack() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...50))
    let stale = try await store.receive(page(1...20))
    #expect(stale.cursor == 50)
    #expect(try await store.cursor() == 50)
  }

  @Test func anOverlappingPageAppliesOnlyWhatIsNew() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...50))
    let result = try await store.receive(page(31...80))
    #expect(result.inserted == 30)
    #expect(result.duplicate == 20)
    #expect(result.cursor == 80)
    #expect(try await store.isClean())
  }

  @Test func aPageAboveTheCursorIsRefusedAndNothingOfItApplied() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...10))
    await #expect(throws: StoreError.pageAhead(base: 20, cursor: 10)) {
      try await store.receive(page(21...30))
    }
    #expect(try await store.shown().count == 10)
    #expect(try await store.cursor() == 10)
  }

  @Test(arguments: [(-1, 5), (5, 4), (.min, .max)] as [(Int64, Int64)])
  func aPageWithBadBoundsIsRefused(base: Int64, next: Int64) async throws {
    let store = try await scratch.create()
    await #expect(throws: StoreError.badPage(base: base, next: next)) {
      try await store.receive(Page(base: base, next: next, items: []))
    }
  }

  @Test func theCursorGoesUpToTheLargestNumber() async throws {
    let store = try await scratch.create()
    try await store.receive(Page(base: 0, next: .max, items: [item(1, inbox: .max)]))
    #expect(try await store.cursor() == .max)
    #expect(try await store.shown() == ["message 1"])
    #expect(try await store.isClean())
  }

  // MARK: Pushes

  @Test func theNextPushMovesTheCursor() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let result = try await store.receive(push: item(4))
    #expect(result.cursor == 4)
    #expect(result.pullFrom == nil)
  }

  @Test func aPushThatJumpsIsShownAtOnceAndTheCursorWaits() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let result = try await store.receive(push: item(6))
    #expect(result.inserted == 1)
    #expect(result.cursor == 3)
    #expect(result.pullFrom == 3)
    #expect(try await store.shown().suffix(2) == ["[4-5]", "message 6"])
    // The page brings it again: recognised by its number, not opened.
    let pull = try await store.receive(page(4...6))
    #expect(pull.inserted == 2)
    #expect(pull.duplicate == 1)
    #expect(pull.cursor == 6)
    #expect(try await store.isClean())
  }

  @Test func pushesThatConnectAreSwallowedInOneStep() async throws {
    let store = try await scratch.create()
    for number in [3, 2, 5] { try await store.receive(push: item(number)) }
    #expect(try await store.cursor() == 0)
    let result = try await store.receive(push: item(1))
    #expect(result.cursor == 3)
    #expect(result.pullFrom == 3)
    #expect(try await store.receive(push: item(4)).cursor == 5)
    #expect(try await store.receive(push: item(5)).duplicate == 1)
    #expect(try await store.isClean())
  }

  @Test func aPageSwallowsThePushesBeyondIt() async throws {
    let store = try await scratch.create()
    try await store.receive(push: item(4))
    #expect(try await store.receive(page(1...3)).cursor == 4)
    #expect(try await store.isClean())
  }

  @Test(arguments: [0, -3, .min] as [Int64])
  func aPushWhoseNumberLiesBelowEveryCursorIsSetAsideNotDropped(number: Int64) async throws {
    let store = try await scratch.create()
    let result = try await store.receive(push: item(1, inbox: number))
    #expect(result.quarantined == 1)
    #expect(
      try await store.quarantine().map(\.reason) == [QuarantineReason.inboxOutOfRange.rawValue])
    #expect(try await store.isClean())
  }

  @Test func theCursorGoesOverWhatConnectsAndStopsAtTheFirstHole() async throws {
    let store = try await scratch.create()
    try await store.sql(
      """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO ahead SELECT i FROM n WHERE i <> 40000
      """)
    #expect(try await store.receive(push: item(21, inbox: 1)).cursor == 39_999)
    #expect(try await store.receive(push: item(22, inbox: 39_999)).duplicate == 1)
    #expect(try await store.receive(push: item(23, inbox: 40_000)).cursor == 50_000)
    #expect(try await store.isClean())
  }

  @Test func aNumberThatWasPushedIsNotAppliedAgainWhateverComesUnderIt() async throws {
    let store = try await scratch.create()
    try await store.receive(push: item(3))
    let pull = try await store.receive(
      Page(base: 0, next: 3, items: [item(1), item(2), item(9, inbox: 3)]))
    #expect(pull.inserted == 2)
    #expect(pull.duplicate == 1)
    #expect(try await store.shown() == ["message 1", "message 2", "message 3"])
    #expect(try await store.isClean())
  }

  // MARK: Where a conversation begins

  @Test func whatWasClearedNeverComesBack() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...5))
    try await store.sql(
      """
      DELETE FROM messages WHERE seq <= 3;
      UPDATE conversations SET cleared_seq = 3, unread = 2;
      """)
    #expect(try await store.receive((1...3).map { item($0) }).duplicate == 3)
    #expect(try await store.shown() == ["message 4", "message 5"])
    #expect(try await store.isClean())
  }

  @Test func whatLiesBelowTheFirstSeqIsNoGap() async throws {
    let store = try await scratch.create()
    try await store.sql(
      "INSERT INTO conversations (address, first_seq, changed) VALUES ('hiking', 21, 0)")
    try await store.receive([item(25)])
    #expect(try await store.shown() == ["[21-24]", "message 25"])
    #expect(try await store.isClean())
  }

  @Test func whatWasReadOnAnotherDeviceIsNotUnread() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...1))
    try await store.sql("UPDATE conversations SET read_seq = 3, unread = 0")
    try await store.receive(page(2...5))
    #expect(try await store.conversations().first?.unread == 2)
    #expect(try await store.isClean())
  }

  // MARK: A full disk

  @Test func aFullDiskEndsThePageWithNothingApplied() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...5))
    let before = try await store.shown()
    // Room for some items of the page, and then for none at all.
    for room in [4, 0] {
      let pages = try await store.read { connection throws(DatabaseError) in
        try connection.statement("PRAGMA page_count").integer() ?? 0
      }
      try await store.sql("PRAGMA max_page_count = \(pages + Int64(room))")
      let items = (6...25).map { item($0, text: String(repeating: "z", count: 3000)) }
      await #expect(throws: StoreError.diskFull(path: store.databasePath)) {
        try await store.receive(Page(base: 5, next: 25, items: items))
      }
      #expect(try await store.cursor() == 5)
      #expect(try await store.shown() == before)
      #expect(try await store.quarantine().isEmpty)
      #expect(try await store.isClean())
    }
    try await store.sql("PRAGMA max_page_count = 1000000")
    #expect(try await store.receive(page(6...25)).inserted == 20)
    #expect(try await store.isClean())
  }

  // MARK: Without a cursor

  @Test func itemsWithoutACursorLeaveItAloneAndMayComeTwice() async throws {
    let store = try await scratch.create()
    let items = (1...5).map { item($0) }
    #expect(try await store.receive(items).inserted == 5)
    let again = try await store.receive(items)
    #expect(again.duplicate == 5)
    #expect(again.cursor == 0)
    #expect(try await store.shown().count == 5)
  }

  // MARK: Gaps. Held 1-100, then a limited page, then fills out of order (cases B14, traps 14).

  @Test func everyJumpRecordsAGapThatFillsFromAnySide() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...100))
    let limited = Page(
      base: 100, next: 150,
      items: (151...200).map { item($0, inbox: Int64($0 - 50)) })
    try await store.receive(limited)
    await store.close()
    let again = try await scratch.open()
    #expect(try await again.gaps().map(\.gap) == [Gap(first: 101, last: 150, isUnavailable: false)])
    try await again.receive((126...150).map { item($0) })
    #expect(try await again.gaps().map(\.gap) == [Gap(first: 101, last: 125, isUnavailable: false)])
    try await again.receive((101...125).map { item($0) })
    #expect(try await again.gaps().isEmpty)
    #expect(try await again.receive((101...150).map { item($0) }).duplicate == 50)
    #expect(try await again.shown() == (1...200).map { "message \($0)" })
    #expect(try await again.isClean())
  }

  @Test func aFillInTheMiddleLeavesBothSides() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(10)])
    try await store.receive([item(5)])
    #expect(
      try await store.shown() == ["message 1", "[2-4]", "message 5", "[6-9]", "message 10"])
    #expect(try await store.isClean())
  }

  @Test func aConversationThatBeginsLateHasAGapAtItsHead() async throws {
    let store = try await scratch.create()
    try await store.receive([item(57)])
    #expect(try await store.shown() == ["[1-56]", "message 57"])
  }

  @Test func aPageNewestFirstKeepsTheNewestAsPreview() async throws {
    let store = try await scratch.create()
    try await store.receive((1...20).reversed().map { item($0) })
    let list = try await store.conversations()
    #expect(list.first?.newest?.text == "message 20")
    #expect(list.first?.unread == 20)
    #expect(list.first?.hasGaps == false)
    #expect(try await store.isClean())
  }

  @Test func aBackfillNeverSetsThePreviewBack() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(9)])
    try await store.receive((2...8).map { item($0) })
    #expect(try await store.conversations().first?.newest?.seq == 9)
  }

  @Test func addressesThatOnlyLookTheSameAreTwo() async throws {
    let store = try await scratch.create()
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    try await store.receive([
      item(1, in: composed, from: composed), item(2, in: decomposed, seq: 1, from: decomposed),
    ])
    let addresses = try await store.conversations().map { Array($0.address.utf8) }
    #expect(Set(addresses) == [Array(composed.utf8), Array(decomposed.utf8)])
    #expect(try await store.isClean())
  }
}

extension ReceiveResult {
  init(cursor: Int64) {
    self.init()
    self.cursor = cursor
  }
}
