import CofferDatabase
import Testing

@testable import Coffer

@Suite struct OutboxTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func storeWithConversation() async throws -> Store {
    let store = try await scratch.create()
    try await store.receive(page(1...3))
    return store
  }

  private func states(_ store: Store) async throws -> [MessageState] {
    try await store.timeline(of: "hiking").entries.compactMap {
      if case .message(let message) = $0 { message.state } else { nil }
    }
  }

  @Test func aDraftIsAPendingRowAndAnOutboxEntry() async throws {
    let store = try await storeWithConversation()
    let id = try await store.send(Draft("Back before dark?", to: "hiking"))
    #expect(try await store.shown().last == "Back before dark?")
    #expect(try await states(store).last == .pending)
    #expect(try await store.outbox().map(\.id) == [id])
    #expect(try await store.conversations().first?.newest?.text == "Back before dark?")
    #expect(try await store.isClean())
    await store.close()
    #expect(try await scratch.open().outbox().map(\.id) == [id])
  }

  @Test func whatIsWrittenHereWaitsForTheDiskAndWhatArrivesDoesNot() async throws {
    let store = try await storeWithConversation()
    // NORMAL is 1, FULL is 2.
    #expect(try await synchronous(store) == 1)
    try await store.send(Draft("mine", to: "hiking"))
    #expect(try await synchronous(store) == 2)
  }

  private func synchronous(_ store: Store) async throws -> Int64? {
    try await store.withWriter { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        try connection.statement("PRAGMA synchronous").integer()
      }
    }
  }

  @Test func anUnknownConversationIsAnErrorAndWritesNothing() async throws {
    let store = try await storeWithConversation()
    await #expect(throws: StoreError.unknownConversation("nowhere")) {
      try await store.send(Draft("hello", to: "nowhere"))
    }
    #expect(try await store.outbox().isEmpty)
  }

  @Test func whatIsPendingStaysBehindEverythingThatArrives() async throws {
    let store = try await storeWithConversation()
    try await store.send(Draft("first", to: "hiking"))
    try await store.send(Draft("second", to: "hiking"))
    try await store.receive(page(4...6))
    #expect(try await store.shown().suffix(3) == ["message 6", "first", "second"])
    #expect(try await store.conversations().first?.newest?.text == "second")
    #expect(try await store.isClean())
  }

  @Test func anAcknowledgedMessageGetsItsPlaceAndLeavesTheOutbox() async throws {
    let store = try await storeWithConversation()
    let id = try await store.send(Draft("mine", to: "hiking"))
    #expect(try await store.acknowledge(id, seq: 4).updated == 1)
    #expect(try await states(store).last == .sent)
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.isClean())
  }

  @Test func acknowledgingTwiceChangesNothing() async throws {
    let store = try await storeWithConversation()
    let id = try await store.send(Draft("mine", to: "hiking"))
    try await store.acknowledge(id, seq: 4)
    #expect(try await store.acknowledge(id, seq: 4).duplicate == 1)
    await #expect(throws: StoreError.conflict(.acknowledgedElsewhere(id, seq: 4))) {
      try await store.acknowledge(id, seq: 5)
    }
  }

  @Test func anAcknowledgementThatJumpsRecordsAGap() async throws {
    let store = try await storeWithConversation()
    let id = try await store.send(Draft("mine", to: "hiking"))
    try await store.acknowledge(id, seq: 9)
    #expect(try await store.shown().suffix(2) == ["[4-8]", "mine"])
    #expect(try await store.isClean())
  }

  @Test func anAcknowledgementOntoATakenSeqChangesNothing() async throws {
    let store = try await storeWithConversation()
    let id = try await store.send(Draft("mine", to: "hiking"))
    await #expect(throws: StoreError.conflict(.seqTaken(2, conversation: "hiking"))) {
      try await store.acknowledge(id, seq: 2)
    }
    for seq in [0, -1, .max, 10_000_004] as [Int64] {
      await #expect(throws: StoreError.conflict(.seqOutOfReach(seq, conversation: "hiking"))) {
        try await store.acknowledge(id, seq: seq)
      }
    }
    #expect(try await store.outbox().map(\.id) == [id])
    #expect(try await store.isClean())
  }

  @Test func anUnknownIDCannotBeAcknowledged() async throws {
    let store = try await storeWithConversation()
    await #expect(throws: StoreError.unknownEvent(id(99))) {
      try await store.acknowledge(id(99), seq: 4)
    }
    // Someone else's message is not ours to acknowledge.
    await #expect(throws: StoreError.unknownEvent(id(1))) {
      try await store.acknowledge(id(1), seq: 4)
    }
  }

  @Test func ourOwnEchoLandsOnItsRow() async throws {
    let store = try await storeWithConversation()
    let sent = try await store.send(Draft("mine", to: "hiking"))
    var echo = item(4, from: "ben", text: "mine")
    echo.envelope.id = sent
    let result = try await store.receive(Page(base: 3, next: 4, items: [echo]))
    #expect(result.updated == 1)
    #expect(try await states(store).last == .sent)
    #expect(try await store.acknowledge(sent, seq: 4).duplicate == 1)
    #expect(try await store.conversations().first?.unread == 3)
    #expect(try await store.isClean())
  }

  @Test func anEchoWithAnotherBodyLeavesOurRowAlone() async throws {
    let store = try await storeWithConversation()
    let sent = try await store.send(Draft("mine", to: "hiking"))
    var echo = item(4, from: "ben", text: "forged")
    echo.envelope.id = sent
    #expect(try await store.receive(push: echo).quarantined == 1)
    #expect(try await store.outbox().map(\.id) == [sent])
    #expect(try await store.isClean())
  }

  /// A false echo keeps the seq that it names, but only for the message whose id it bears.
  @Test(arguments: [false, true])
  func aFalseEchoKeepsNothingFromItsMessage(byAcknowledgement: Bool) async throws {
    let store = try await storeWithConversation()
    let sent = try await store.send(Draft("mine", to: "hiking"))
    let other = try await store.send(Draft("another", to: "hiking"))
    var echo = item(4, from: "ben", text: "forged")
    echo.envelope.id = sent
    try await store.receive(push: echo)
    await #expect(throws: StoreError.conflict(.seqTaken(4, conversation: "hiking"))) {
      try await store.acknowledge(other, seq: 4)
    }
    if byAcknowledgement {
      #expect(try await store.acknowledge(sent, seq: 4).updated == 1)
    } else {
      echo.envelope.inbox = 5
      echo.body = .message(text: "mine")
      #expect(try await store.receive(push: echo).updated == 1)
    }
    #expect(try await store.outbox().map(\.id) == [other])
    #expect(try await store.shown().suffix(2) == ["mine", "another"])
    #expect(try await store.isClean())
  }

  @Test func whatOurOtherDeviceSentIsSentAndNotUnread() async throws {
    let store = try await storeWithConversation()
    try await store.receive(push: item(4, from: "ben"))
    #expect(try await states(store).last == .sent)
    #expect(try await store.conversations().first?.unread == 3)
    #expect(try await store.isClean())
  }

  @Test func oneIDIsOneMessage() async throws {
    let store = try await storeWithConversation()
    try await store.receive([item(50, in: "work", seq: 1)])
    let draft = Draft("mine", to: "hiking", id: id(77))
    try await store.send(draft)
    #expect(try await store.send(draft) == id(77))
    #expect(try await store.outbox().count == 1)
    for other in [
      Draft("other", to: "hiking", id: id(77)), Draft("mine", to: "work", id: id(77)),
    ] {
      await #expect(throws: StoreError.conflict(.idUsedOtherwise(id(77)))) {
        try await store.send(other)
      }
    }
    #expect(try await store.isClean())
  }

  @Test func idsRiseWithTheClockAndAreVersion7() async throws {
    var options = Store.Options()
    options.clock = { 0x0123_4567_89ab }
    let made = options.makeID()
    #expect(made.description.hasPrefix("01234567-89ab-7"))
    #expect(EventID(made.description) == made)
    #expect(EventID(made.description.uppercased()) == made)
    for bad in ["", "x", String(made.description.dropLast()), made.description + "0"] {
      #expect(EventID(bad) == nil)
    }
  }

  @Test func manyWritersAndAPageNeverMeetALock() async throws {
    let store = try await storeWithConversation()
    await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<25 {
            try await store.send(Draft("\(writer) \(number)", to: "hiking"))
          }
        }
      }
      group.addTask {
        for number in 1...20 {
          let first = 4 + (number - 1) * 50
          try await store.receive(page(first...(first + 49)))
        }
      }
      group.addTask { for _ in 0..<50 { _ = try await store.timeline(of: "hiking") } }
    }
    #expect(try await store.outbox(limit: 1000).count == 200)
    #expect(try await store.cursor() == 1003)
    #expect(try await store.isClean())
  }
}
