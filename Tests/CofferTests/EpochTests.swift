import Testing

@testable import Coffer

/// A server that lost its numbering, and cursors that survive power loss.
@Suite struct EpochTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func page(_ base: Int64, _ items: [Item], epoch: Int64) -> Page {
    let numbered = items.enumerated().map { index, item in
      var item = item
      item.envelope.inbox = base + Int64(index) + 1
      return item
    }
    return Page(base: base, next: base + Int64(items.count), items: numbered, epoch: epoch)
  }

  @Test func aNewEpochBeginsAboveWhatIsHereAndLosesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive(page(0, [item(1), item(2), item(5)], epoch: 1))
    let pending = try await store.send(Draft("mine", to: "hiking"))
    try await store.beginEpoch(2)
    #expect(try await store.syncPosition() == store.syncPosition())
    #expect(try await store.cursor() == 0)
    #expect(try await store.gaps().map { $0.gap.isUnavailable } == [true])
    // The server has message 5 again, under another seq, and goes on.
    try await store.receive(page(0, [item(5, seq: 1), item(6, seq: 2)], epoch: 2))
    try await store.acknowledge(pending, seq: 3, epoch: 2)
    #expect(
      try await store.shown() == [
        "message 1", "message 2", "[3-4]", "message 5", "message 6", "mine",
      ])
    #expect(try await store.rows("seq) FROM messages ORDER BY seq") == ["1", "2", "5", "7", "8"])
    #expect(try await store.openGaps().isEmpty)
    #expect(try await store.isClean())
  }

  @Test func whatCountsInAnotherEpochIsRefusedAndChangesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive(page(0, [item(1)], epoch: 1))
    let id = try await store.send(Draft("mine", to: "hiking"))
    let before = try await store.outcome()
    let refusal = StoreError.otherEpoch(found: 2, expected: 1)
    let foreign = page(1, [item(2)], epoch: 2)
    await #expect(throws: refusal) { try await store.receive(foreign) }
    await #expect(throws: refusal) { try await store.receive(push: item(2), epoch: 2) }
    await #expect(throws: refusal) { try await store.acknowledge(id, seq: 2, epoch: 2) }
    await #expect(throws: refusal) {
      try await store.fill("hiking", 1...2, with: History(epoch: 2, answers: []))
    }
    await #expect(throws: refusal) {
      try await store.receive(
        Overview(epoch: 2, head: 9, conversations: []), movesCursor: true)
    }
    #expect(try await store.outcome() == before)
    #expect(try await store.cursor() == 1)
  }

  @Test func theSameEpochAgainChangesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive(page(0, [item(1), item(4)], epoch: 1))
    try await store.beginEpoch(1)
    #expect(try await store.cursor() == 2)
    #expect(try await store.openGaps().map(\.range) == [2...3])
  }

  /// An edit that the server sends again under a higher seq must not win over a later one.
  @Test func aRepeatedEditDoesNotUndoALaterOne() async throws {
    let store = try await scratch.create()
    let first = Event.edit(of: message(1), text: "first")
    try await store.receive(
      page(
        0, [item(1), event(2, first), event(3, .edit(of: message(1), text: "second"))], epoch: 1))
    try await store.beginEpoch(2)
    try await store.receive(page(0, [item(1, seq: 1), event(2, first, seq: 2)], epoch: 2))
    #expect(try await store.shown() == ["second"])
    #expect(try await store.isClean())
  }

  @Test func aReceiptCountsInTheNumberingItComesIn() async throws {
    let store = try await scratch.create()
    try await store.receive(page(0, [item(1), item(2)], epoch: 1))
    let old = try await store.send(Draft("old", to: "hiking"))
    try await store.acknowledge(old, seq: 3, epoch: 1)
    try await store.beginEpoch(2)
    let new = try await store.send(Draft("new", to: "hiking"))
    try await store.acknowledge(new, seq: 2, epoch: 2)
    try await store.receive([receipt(1, 0)])
    #expect(
      try await store.rows("state) FROM messages WHERE sender_id = 1 ORDER BY seq") == ["4", "3"])
    try await store.receive([receipt(2, 2)])
    #expect(
      try await store.rows("state) FROM messages WHERE sender_id = 1 ORDER BY seq") == ["5", "5"])
    #expect(try await store.isClean())
  }

  @Test func onlyAHardenedCursorMayBeReleased() async throws {
    let store = try await scratch.create()
    try await store.receive(page(0, [item(1), item(2)], epoch: 4))
    var position = try await store.syncPosition()
    #expect(position.cursor == 2 && position.durableCursor == 0 && position.epoch == 4)
    position = try await store.harden()
    #expect(position.durableCursor == 2)
    await store.close()
    #expect(try await scratch.open().syncPosition() == position)
  }

  @Test func aQuarantinedItemOfAnOldEpochGoesWhereItsPlaceWasKept() async throws {
    let store = try await scratch.create()
    var strange = item(2)
    strange.body = .event(.message(text: "held back"))
    let spoilt = Arrival.spoilt(
      SpoiltItem(
        inbox: nil, envelope: strange.envelope, raw: strange.json, reason: .unknownField))
    try await store.receive(page(0, [item(1)], epoch: 1))
    _ = try await store.receive([spoilt])
    try await store.beginEpoch(2)
    try await store.receive(page(0, [item(9, seq: 1), item(10, seq: 2)], epoch: 2))
    #expect(try await store.retryQuarantine().inserted == 1)
    #expect(try await store.shown() == ["message 1", "held back", "message 9", "message 10"])
    #expect(try await store.quarantine().isEmpty)
    #expect(try await store.isClean())
  }

  /// Said in numbers that nobody uses any more, it would mark as read what nobody has seen.
  @Test func aQuarantinedReceiptOfAnOldEpochSaysNothingOfTheNewOne() async throws {
    let store = try await scratch.create()
    try await store.receive(page(0, [item(1)], epoch: 1))
    let word = receipt(2, 2)
    _ = try await store.receive([
      .spoilt(
        SpoiltItem(inbox: nil, envelope: word.envelope, raw: word.json, reason: .unknownField))
    ])
    try await store.beginEpoch(2)
    let new = try await store.send(Draft("new", to: "hiking"))
    try await store.acknowledge(new, seq: 1, epoch: 2)
    #expect(try await store.retryQuarantine().quarantined == 1)
    #expect(try await store.message(new)?.state == .sent)
    #expect(try await store.quarantine().map(\.attempts) == [2])
    #expect(try await store.isClean())
  }
}
