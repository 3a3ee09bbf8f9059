import CofferDatabase
import Testing

@testable import Coffer

/// The ways in which a schema for messages goes wrong, one test each, named after the rule.
@Suite struct SchemaTrapTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func seqs(_ store: Store) async throws -> [String] {
    try await store.rows("seq) FROM messages WHERE seq IS NOT NULL ORDER BY seq")
  }

  /// 1. A clash aborts one statement; a COMMIT after it would save the cursor without the page.
  @Test func aClashWithinAPageCostsOneItemAndNotThePage() async throws {
    let store = try await scratch.create()
    var items = (1...5).map { item($0) }
    items[2].envelope.seq = 2
    let result = try await store.receive(Page(base: 0, next: 5, items: items))
    #expect(result.inserted == 4 && result.quarantined == 1 && result.cursor == 5)
    #expect(
      try await store.shown() == ["message 1", "message 2", "[3-3]", "message 4", "message 5"])
    #expect(try await store.isClean())
  }

  /// 2. Promoting a pending row onto an occupied seq raises from inside DO UPDATE.
  @Test func anEchoOntoAnOccupiedSeqIsSetAside() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let mine = try await store.send(Draft("mine", to: "hiking"))
    var echo = item(4, seq: 2, from: "ben", text: "mine")
    echo.envelope.id = mine
    #expect(try await store.receive([echo]).quarantined == 1)
    #expect(try await store.shown() == ["message 1", "message 2", "message 3", "mine"])
    #expect(try await store.outbox().count == 1)
    #expect(try await store.isClean())
  }

  /// 3. A re-sync lowers the state, or wipes a known seq.
  @Test func aCopyLowersNoStateAndWipesNoSeq() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let mine = try await store.send(Draft("mine", to: "hiking"))
    try await store.acknowledge(mine, seq: 4)
    try await store.receive([receipt(4, 4)])
    var echo = item(4, from: "ben", text: "mine")
    echo.envelope.id = mine
    #expect(try await store.receive([echo]).duplicate == 1)
    #expect(try await store.acknowledge(mine, seq: 4).duplicate == 1)
    #expect(try await store.send(Draft("mine", to: "hiking", id: mine)) == mine)
    #expect(try await store.rows("seq, state) FROM messages WHERE sender_id = 1") == ["4|5"])
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.isClean())
  }

  /// 4. The same id in another conversation overwrites the wrong row.
  @Test func anIDInAnotherConversationOverwritesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1, text: "here"), item(1, in: "work", seq: 1, text: "there")])
    #expect(try await store.shown() == ["here"])
    #expect(try await store.shown("work") == ["!1"])
    #expect(try await store.isClean())
  }

  /// 5. max(x, NULL) is NULL, and >= lets a stale duplicate restore an old preview.
  @Test func theHighestSeqOnlyRisesAndThePreviewStays() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    try await store.receive([receipt(1, 1), item(2)])
    let conversation = try #require(await store.conversations().first)
    #expect(conversation.maxSeq == 3)
    #expect(conversation.newest?.text == "message 3")
    #expect(try await store.isClean())
  }

  /// 6. The cursor moves backwards on a stale page, or on a slow overview.
  @Test func theCursorNeverMovesBack() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...50))
    #expect(try await store.receive(page(1...20)).cursor == 50)
    let slow = Overview(
      epoch: 1, head: 30,
      conversations: [Overview.Head(conversation: "hiking", from: 1, newestSeq: 30)])
    #expect(try await store.receive(slow, movesCursor: true).cursor == 50)
  }

  /// 7. INSERT OR IGNORE and UPDATE lose a message whose seq is taken without a word.
  @Test func aMessageWhoseSeqIsTakenIsKeptInQuarantine() async throws {
    let store = try await scratch.create()
    let lost = item(2, seq: 1, text: "nobody loses me")
    try await store.receive([item(1), lost])
    #expect(try await store.quarantine().map(\.raw) == [lost.json])
    #expect(try await store.isClean())
  }

  /// 8. NULLs sort last in DESC: pending messages fall off the first page.
  @Test func pendingMessagesAreOnTheFirstPage() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...200))
    try await store.send(Draft("mine", to: "hiking"))
    #expect(try await store.shown(limit: 3) == ["message 199", "message 200", "mine"])
    let plan = try await store.read { connection throws(DatabaseError) in
      try connection.statement(
        """
        EXPLAIN QUERY PLAN SELECT id FROM messages
        WHERE conversation_id = 1 AND seq IS NULL ORDER BY id DESC LIMIT 50
        """
      ).all { $0.text(3) }
    }
    #expect(plan.allSatisfy { $0.contains("USING") && !$0.contains("TEMP B-TREE") }, "\(plan)")
  }

  /// 9. An acknowledgement onto an occupied seq raises; so does a swap of two.
  @Test func anAcknowledgementOntoAnOccupiedSeqChangesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...2))
    let first = try await store.send(Draft("first", to: "hiking"))
    let second = try await store.send(Draft("second", to: "hiking"))
    try await store.acknowledge(first, seq: 3)
    await #expect(throws: StoreError.conflict(.seqTaken(3, conversation: "hiking"))) {
      try await store.acknowledge(second, seq: 3)
    }
    await #expect(throws: StoreError.conflict(.acknowledgedElsewhere(first, seq: 3))) {
      try await store.acknowledge(first, seq: 4)
    }
    try await store.acknowledge(second, seq: 4)
    #expect(try await store.shown() == ["message 1", "message 2", "first", "second"])
    #expect(try await store.isClean())
  }

  /// 10. Row ids are reused: a reply, or a screen, points at another message.
  @Test func aRowNumberIsNeverUsedAgain() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...5))
    try await store.clear("hiking")
    try await store.receive([item(6)])
    #expect(try await store.rows("id) FROM messages") == ["6"])
  }

  /// 11. A late copy resurrects a tombstone; a tombstone for an unknown message breaks NOT NULL.
  @Test func noCopyBringsBackWhatWasDeleted() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), event(2, .delete(message(1))), event(5, .delete(message(4)))])
    try await store.receive(page(1...1))
    try await store.receive([item(1), item(1, seq: 3), item(4)])
    try await store.fill(
      "hiking", 1...4,
      with: History(
        epoch: 1,
        answers: [item(1), item(4)].map { .item(RelayItem($0.envelope, .payload($0.payload))) }))
    #expect(try await store.shown() == ["-", "-"])
    #expect(try await store.rows("text) FROM messages WHERE text IS NOT NULL").isEmpty)
    #expect(try await store.conversations().first?.unread == 0)
    #expect(try await store.isClean())
  }

  /// 12. A provisional "highest" seq blocks the real one.
  @Test func aPendingMessageHoldsNoSeq() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let mine = try await store.send(Draft("mine", to: "hiking"))
    try await store.receive([item(4), item(5)])
    try await store.acknowledge(mine, seq: 6)
    #expect(try await store.shown().last == "mine")
    #expect(try await store.gaps().isEmpty)
    #expect(try await store.isClean())
  }

  /// 13. An edit upserted like a message moves it and leaves a hole; a seq of an edit that nobody
  /// records is given to a message.
  @Test func anEditHoldsItsOwnSeqAndMovesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(2), event(3, .edit(of: message(1), text: "edited"))])
    #expect(try await store.shown() == ["edited", "message 2"])
    #expect(try await store.gaps().isEmpty)
    #expect(try await store.receive([item(9, seq: 3)]).quarantined == 1)
    #expect(try await seqs(store) == ["1", "2"])
    #expect(try await store.isClean())
  }

  /// 14. Shortening a gap forgets one side of a fill in its middle; "ignore if seq <= last" kills
  /// every backfill.
  @Test func aFillInTheMiddleSplitsTheGap() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(100)])
    try await store.receive([item(50)])
    let gaps = try await store.gaps().map { [$0.gap.first, $0.gap.last] }
    #expect(gaps == [[2, 49], [51, 99]])
    #expect(try await store.shown().contains("message 50"))
    #expect(try await store.isClean())
  }

  /// 16. A page given newest first feeds its oldest message to the preview.
  @Test func thePreviewIsTheNewestWhateverTheOrder() async throws {
    let store = try await scratch.create()
    try await store.receive((1...5).reversed().map { item($0) })
    #expect(try await store.conversations().first?.newest?.text == "message 5")
    #expect(try await store.isClean())
  }

  /// 17. A push above the cursor comes again in its page: it is recognised before it is opened.
  @Test func aPushIsNotAppliedAgainFromItsPage() async throws {
    let store = try await scratch.create()
    try await store.receive(push: item(3))
    // If it were looked at, another body would be found and set aside.
    var again = item(3)
    again.body = .event(.message(text: "other bytes"))
    let result = try await store.receive(
      Page(base: 0, next: 3, items: [item(1), item(2), again]))
    #expect(result.inserted == 2 && result.duplicate == 1)
    #expect(try await store.quarantine().isEmpty)
    #expect(try await store.shown() == ["message 1", "message 2", "message 3"])
    #expect(try await store.rows("inbox) FROM ahead").isEmpty)
  }
}
