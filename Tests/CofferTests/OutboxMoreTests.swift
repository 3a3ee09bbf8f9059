import CofferDatabase
import Testing

@testable import Coffer

/// Reactions, changes of conversations, drafts and what is listed.
@Suite struct OutboxMoreTests {
  let scratch: Scratch
  let hands = Hands()
  init() throws { scratch = try Scratch() }

  private let anns = MessageReference(sender: "ann", id: id(3))

  private func made() async throws -> Store {
    let store = try await scratch.create(options: hands.options)
    try await store.receive(page(1...3))
    return store
  }

  private func reactions(_ store: Store) async throws -> [String] {
    try await store.message(id(3))?.reactions.map { "\($0.sender) \($0.emoji)" } ?? []
  }

  // MARK: Reactions

  @Test func aReactionIsQueuedAndShownAtOnce() async throws {
    let store = try await made()
    let queued = try await store.react(to: anns, emoji: "👍")
    #expect(queued != nil)
    #expect(try await reactions(store) == ["ben 👍"])
    #expect(try await store.said(by: store.makeLease()) == ["+👍"])
    #expect(try await store.isClean())
  }

  @Test func oneAnAccountAndEmoji() async throws {
    let store = try await made()
    #expect(try await store.react(to: anns, emoji: "👍") != nil)
    #expect(try await store.react(to: anns, emoji: "👍") == nil)
    #expect(try await store.react(to: anns, emoji: "❤️") != nil)
    #expect(try await reactions(store) == ["ben 👍", "ben ❤️"])
    #expect(try await store.react(to: anns, emoji: "🙈", isAdded: false) == nil)
    #expect(try await store.outbox().count == 2)
  }

  @Test func takingBackWhatHasNotLeftSendsNothing() async throws {
    let store = try await made()
    try await store.react(to: anns, emoji: "👍")
    #expect(try await store.react(to: anns, emoji: "👍", isAdded: false) == nil)
    #expect(try await store.outbox().isEmpty)
    #expect(try await reactions(store) == [])
  }

  @Test func takingBackWhatHasLeftIsQueuedBehindIt() async throws {
    let store = try await made()
    let lease = store.makeLease()
    try await store.react(to: anns, emoji: "👍")
    _ = try await store.claim(by: lease, limit: 1)
    #expect(try await store.react(to: anns, emoji: "👍", isAdded: false) != nil)
    #expect(try await reactions(store) == [])
    #expect(try await store.outbox().count == 2)
    #expect(try await store.isClean())
  }

  @Test func anEmojiHas1To64Bytes() async throws {
    let store = try await made()
    for emoji in ["", String(repeating: "x", count: 65)] {
      await #expect(throws: StoreError.badEvent(.badEmoji)) {
        try await store.react(to: anns, emoji: emoji)
      }
    }
    await #expect(throws: StoreError.unknownEvent(id(9))) {
      try await store.react(to: MessageReference(sender: "ann", id: id(9)), emoji: "👍")
    }
  }

  // MARK: Replies

  @Test func aReplyNamesItsMessage() async throws {
    let store = try await made()
    let sent = try await store.send(Draft("yes", to: "hiking", replyTo: anns))
    #expect(try await store.message(sent)?.replyTo == anns)
    #expect(try await store.outbox().first?.event == .message(text: "yes", replyTo: anns))
    // The same draft without it is another message.
    await #expect(throws: StoreError.conflict(.idUsedOtherwise(sent))) {
      try await store.send(Draft("yes", to: "hiking", id: sent))
    }
    #expect(try await store.send(Draft("yes", to: "hiking", replyTo: anns, id: sent)) == sent)
    await #expect(throws: StoreError.badAddress) {
      try await store.send(
        Draft("yes", to: "hiking", replyTo: MessageReference(sender: "", id: id(3))))
    }
  }

  // MARK: Conversations

  @Test func aNewConversationIsThereAtOnceAndItsMessagesQueueBehindIt() async throws {
    let store = try await made()
    try await store.change("club", .create(title: "The club", members: ["ann"]))
    let message = try await store.send(Draft("welcome", to: "club"))
    let conversation = try #require(
      try await store.conversations().first { $0.address == "club" })
    #expect(conversation.title == "The club")
    #expect(conversation.pending == 2)
    let lease = store.makeLease()
    let create = try #require(try await store.claim(by: lease, limit: 5).first)
    #expect(create.event.change == .create(title: "The club", members: ["ann"]))
    #expect(create.opened == .change(.create(title: "The club", members: ["ann"])))
    #expect(try await store.said(by: lease) == [])
    #expect(try await store.outbox().map(\.id) == [create.event.id, message])
    #expect(try await store.isClean())

    await #expect(throws: StoreError.conflict(.conversationExists("club"))) {
      try await store.change("club", .create(title: nil, members: []))
    }
    await #expect(throws: StoreError.unknownConversation("nowhere")) {
      try await store.change("nowhere", .leave)
    }
    await #expect(throws: StoreError.badAddress) { try await store.change("", .leave) }
    await #expect(throws: StoreError.badEvent(.badAccount)) {
      try await store.change("club", .join(""))
    }
  }

  @Test func anIDOfAnotherKindOfEventIsNoMessages() async throws {
    let store = try await made()
    let change = try await store.change("hiking", .title("Hikes"))
    await #expect(throws: StoreError.conflict(.idUsedOtherwise(change))) {
      try await store.send(Draft("x", to: "hiking", id: change))
    }
  }

  // MARK: Drafts

  @Test func aDraftStaysUntilItsTextIsSent() async throws {
    let store = try await made()
    try await store.setDraft("Back bef", for: "hiking")
    await store.close()
    let again = try await scratch.open(options: hands.options)
    #expect(try await again.conversations().first?.draft == "Back bef")
    try await again.send(Draft("something else", to: "hiking"))
    #expect(try await again.conversations().first?.draft == "Back bef")
    try await again.send(Draft("Back bef", to: "hiking"))
    #expect(try await again.conversations().first?.draft == nil)
    try await again.setDraft("x", for: "hiking")
    try await again.setDraft("", for: "hiking")
    #expect(try await again.conversations().first?.draft == nil)
    await #expect(throws: StoreError.unknownConversation("nowhere")) {
      try await again.setDraft("x", for: "nowhere")
    }
    #expect(try await again.isClean())
  }

  // MARK: Listing

  @Test func theOutboxIsReadPageByPage() async throws {
    let store = try await made()
    for number in 1...25 { try await store.send(Draft("\(number)", to: "hiking")) }
    var found: [String?] = []
    var position: Int64 = 0
    while true {
      let entries = try await store.outbox(after: position, limit: 7)
      guard let last = entries.last else { break }
      found += entries.map(\.text)
      position = last.position
    }
    #expect(found == (1...25).map { "\($0)" })
  }

  /// Whatever is written between two pages of a conversation is shown in both.
  @Test func queuedEditsAreShownOnEveryPage() async throws {
    let store = try await made()
    var ids: [EventID] = []
    let lease = store.makeLease()
    for number in 4...9 {
      let id = try await store.send(Draft("m\(number)", to: "hiking"))
      _ = try await store.claim(by: lease, limit: 1)
      if number < 7 { try await store.acknowledge(id, seq: Int64(number)) }
      try await store.letGo(id, by: lease)
      ids.append(id)
    }
    // The head alone was handed over: the rest is rewritten, which shows the same.
    for (number, id) in ids.enumerated() { try await store.edit(id, text: "e\(number + 4)") }
    var shown: [String] = []
    var position: TimelinePage.Position?
    repeat {
      let page = try await store.timeline(of: "hiking", before: position, limit: 2)
      shown =
        page.entries.compactMap {
          if case .message(let message) = $0 { message.text } else { nil }
        } + shown
      position = page.older
    } while position != nil
    #expect(
      shown == ["message 1", "message 2", "message 3", "e4", "e5", "e6", "e7", "e8", "e9"])
  }

  @Test func twelveMessagesAndEditsInAirplaneModeArriveInOrder() async throws {
    let store = try await made()
    var expected: [String] = []
    let lease = store.makeLease()
    let first = try await store.send(Draft("0", to: "hiking"))
    _ = try await store.claim(by: lease, limit: 1)
    try await store.letGo(first, by: lease)
    expected.append("0")
    for number in 1...11 {
      try await store.send(Draft("\(number)", to: "hiking"))
      expected.append("\(number)")
      if number == 6 {
        try await store.edit(first, text: "zero")
        expected.append("edit: zero")
      }
    }
    await store.close()
    let again = try await scratch.open(options: hands.options)
    var sent: [String] = []
    var seq: Int64 = 4
    while let next = try await again.claim(by: lease, limit: 1).first {
      sent.append(next.said)
      if case .message = next.opened {
        try await again.acknowledge(next.event.id, seq: seq)
      } else {
        try await again.fail(next.event.id, by: lease, .notAllowed)
      }
      seq += 1
    }
    #expect(sent == expected)
  }
}

/// Leases of processes that died.
@Suite struct OrphanedLeaseTests {
  @Test func whatADeadProcessHeldIsFreeAtOnceAndWhatALivingOneHoldsIsNot() async throws {
    let scratch = try Scratch()
    let store = try await scratch.create()
    try await store.receive(page(1...1))
    let id = try await store.send(Draft("mine", to: "hiking"))
    let living = store.makeLease()
    #expect(try await store.claim(by: living, limit: 9).map(\.event.id) == [id])
    #expect(try await store.claim(by: store.makeLease(), limit: 9).isEmpty)
    // The same process number with another beginning: one that has ended.
    let dead = Lease(Bytes16(high: living.id.high, low: living.id.low ^ (1 << 40)))
    #expect(dead.isOrphaned && !living.isOrphaned)
    try await store.sql(
      """
      UPDATE outbox SET leased_by = unhex('\(EventID(dead.id).array.map(hex).joined())')
      """)
    #expect(try await store.claim(by: store.makeLease(), limit: 9).map(\.event.id) == [id])
    #expect(try await store.isClean())
  }

  private func hex(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }
}
