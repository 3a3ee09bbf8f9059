import Testing

@testable import Coffer

/// History that a person removed.
@Suite struct ClearTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func whatWasClearedNeverComesBack() async throws {
    let store = try await scratch.create()
    try await store.receive([
      item(1), event(2, .edit(of: message(1), text: "x")), item(5),
      event(6, .reaction(to: message(1), emoji: "👍", isAdded: true)), item(7),
    ])
    try await store.clear("hiking", upTo: 6)
    #expect(try await store.shown() == ["message 7"])
    try await store.receive((1...6).map { item($0) })
    try await store.fill("hiking", 1...6, with: History(epoch: 1, answers: [.gone(2), .none(3)]))
    #expect(try await store.shown() == ["message 7"])
    #expect(try await store.gaps().isEmpty)
    #expect(try await store.conversations().first?.unread == 1)
    #expect(try await store.isClean())
    // What comes after it does.
    try await store.receive([item(8)])
    #expect(try await store.shown() == ["message 7", "message 8"])
  }

  @Test func whatIsPendingStaysAndIsSentAllTheSame() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    let mine = try await store.send(Draft("mine", to: "hiking"))
    try await store.clear("hiking")
    #expect(try await store.shown() == ["mine"])
    try await store.acknowledge(mine, seq: 4)
    #expect(try await store.shown() == ["mine"])
    #expect(try await store.isClean())
  }

  /// The server had taken our message before what was cleared, and its word comes late.
  @Test func aLateWordOnWhatWasClearedEndsItsWaiting() async throws {
    for way in 0..<3 {
      let scratch = try Scratch()
      let store = try await scratch.create()
      try await store.receive(page(1...3))
      let mine = try await store.send(Draft("mine", to: "hiking"))
      try await store.receive([item(5)])
      try await store.clear("hiking")
      let envelope = Envelope(
        conversation: "hiking", seq: 4, sender: "ben", device: 1, id: mine, sentAt: 1)
      switch way {
      case 0: try await store.acknowledge(mine, seq: 4)
      case 1: try await store.receive([Item(envelope, .accepted)])
      default: try await store.receive([Item(envelope, .message(text: "mine"))])
      }
      #expect(try await store.outbox().isEmpty)
      #expect(try await store.shown().isEmpty)
      #expect(try await store.isClean())
      await store.close()
    }
  }

  @Test func clearingTwiceAndNothingChangesNothing() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    try await store.clear("hiking", upTo: 2)
    let before = try await store.outcome()
    try await store.clear("hiking", upTo: 1)
    try await store.clear("hiking", upTo: 0)
    #expect(try await store.outcome() == before)
    await #expect(throws: StoreError.unknownConversation("nowhere")) {
      try await store.clear("nowhere")
    }
  }
}
