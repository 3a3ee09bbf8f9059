import CofferDatabase
import Synchronization
import Testing

@testable import Coffer

@Suite struct OutboxQueueTests {
  let scratch: Scratch
  let hands = Hands()
  init() throws { scratch = try Scratch() }

  private func made() async throws -> Store {
    let store = try await scratch.create(options: hands.options)
    try await store.receive(page(1...3))
    try await store.receive([item(50, in: "work", seq: 1)])
    return store
  }

  private func text(_ claimed: [ClaimedEvent]) -> [String] { claimed.map(\.said) }

  // MARK: Claiming

  @Test func aClaimTakesOneHeadOfEachConversation() async throws {
    let store = try await made()
    for number in 1...3 { try await store.send(Draft("h\(number)", to: "hiking")) }
    try await store.send(Draft("w1", to: "work"))
    let lease = store.makeLease()
    #expect(try await store.said(by: lease) == ["h1", "w1"])
    // The same drain gets no second one either.
    #expect(try await store.said(by: lease) == [])
    #expect(try await store.said(by: store.makeLease()) == [])
    #expect(try await store.isClean())
  }

  @Test func aClaimTakesNoMoreThanItsLimit() async throws {
    let store = try await made()
    try await store.send(Draft("h1", to: "hiking"))
    try await store.send(Draft("w1", to: "work"))
    let lease = store.makeLease()
    #expect(try await store.said(by: lease, limit: 1) == ["h1"])
    #expect(try await store.said(by: lease, limit: 1) == ["w1"])
  }

  @Test func theBytesAreTheSameAtEveryTry() async throws {
    let store = try await made()
    let id = try await store.send(
      Draft("mine", to: "hiking", replyTo: MessageReference(sender: "ann", id: eventID(1))))
    let lease = store.makeLease()
    let first = try #require(try await store.claim(by: lease, limit: 1).first)
    #expect(first.event.id == id)
    #expect(
      first.opened
        == .message(text: "mine", replyTo: MessageReference(sender: "ann", id: eventID(1))))
    #expect(try Payload(decoding: first.event.payload).sentAt == hands.now)
    _ = try await store.postpone(id, by: lease)
    // An edit does not reach what was handed over, and a later try is not another time.
    try await store.edit(id, text: "other")
    hands.now += 3_600_000
    let second = try #require(try await store.claim(by: lease, limit: 1).first)
    #expect(second.event == first.event)
    #expect(second.attempts == 1)
  }

  @Test func aDeadDrainsLeaseEndsAndItsEntryGoesUnderTheSameID() async throws {
    let store = try await made()
    let id = try await store.send(Draft("mine", to: "hiking"))
    let first = try await store.claim(by: store.makeLease(), limit: 1)
    await store.close()
    let again = try await scratch.open(options: hands.options)
    #expect(try await again.said(by: again.makeLease()) == [])
    let due = try #require(try await again.nextDue())
    #expect(due == hands.now + Lease.duration)
    hands.now = due
    let second = try await again.claim(by: again.makeLease(), limit: 1)
    #expect(second.map(\.event.id) == [id])
    #expect(second == first)
    #expect(try await again.isClean())
  }

  @Test func aClockSetBackHoldsNothingUp() async throws {
    let store = try await made()
    let id = try await store.send(Draft("mine", to: "hiking"))
    try await store.send(Draft("work", to: "work"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 2)
    _ = try await store.postpone(id, by: lease, asked: 60_000)
    hands.now -= 365 * 86_400_000
    #expect(try await store.said(by: store.makeLease()) == ["mine", "work"])
  }

  @Test func whoLostItsLeaseNeitherFailsNorPostpones() async throws {
    let store = try await made()
    let id = try await store.send(Draft("mine", to: "hiking"))
    let old = store.makeLease()
    _ = try await store.claim(by: old, limit: 1)
    hands.now += Lease.duration
    let new = store.makeLease()
    #expect(try await store.said(by: new) == ["mine"])
    #expect(try await store.fail(id, by: old, .blocked) == false)
    #expect(try await store.postpone(id, by: old) == .notOurs)
    try await store.letGo(id, by: old)
    #expect(try await store.said(by: old) == [])
    #expect(try await store.outbox().first?.failure == nil)
    // Its word that the server has it is taken all the same.
    try await store.acknowledge(id, seq: 4)
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.fail(id, by: new, .blocked) == false)
    #expect(try await store.message(id)?.state == .sent)
  }

  /// The echo comes by the inbox before the answer, which then is an error.
  @Test func anEchoThatComesBeforeAFailureMakesItSent() async throws {
    let store = try await made()
    let id = try await store.send(Draft("mine", to: "hiking"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 1)
    var echo = item(4, from: "ben")
    echo.envelope.id = id
    echo.body = .accepted
    try await store.receive(push: echo)
    #expect(try await store.fail(id, by: lease, .tooLarge) == false)
    #expect(try await store.postpone(id, by: lease) == .notOurs)
    #expect(try await store.messages().filter { $0.eventID == id }.map(\.state) == [.sent])
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.isClean())
  }

  @Test func manyDrainsNeverHaveTwoOfAConversation() async throws {
    let store = try await made()
    for number in 1...30 {
      try await store.send(Draft("h\(number)", to: "hiking"))
      try await store.send(Draft("w\(number)", to: "work"))
    }
    let tally = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let lease = store.makeLease()
          while try await store.outboxCounts().pending > 0 {
            for claimed in try await store.claim(by: lease, limit: 1) {
              let conversation = claimed.event.conversation
              let count = tally.count(claimed.said, in: conversation)
              await Task.yield()
              try await store.acknowledge(
                claimed.event.id, seq: count + (conversation == "hiking" ? 3 : 1))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(tally.said("hiking") == (1...30).map { "h\($0)" })
    #expect(tally.said("work") == (1...30).map { "w\($0)" })
    #expect(try await store.isClean())
  }

  // MARK: Waiting

  @Test func aHeadThatWaitsHoldsUpItsConversationAndNoOther() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    try await store.send(Draft("h2", to: "hiking"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 1)
    let until = try #require(
      try await store.postpone(id, by: lease, asked: 5_000).waiting)
    #expect(until >= hands.now + 5_000)
    try await store.send(Draft("w1", to: "work"))
    #expect(try await store.said(by: lease) == ["w1"])
    try await store.acknowledge(
      try #require(try await store.outbox().last?.id), seq: 2)
    #expect(try await store.nextDue() == until)
    hands.now = until - 1
    #expect(try await store.said(by: lease) == [])
    hands.now = until
    #expect(try await store.said(by: lease) == ["h1"])
  }

  @Test func waitsDoubleWithFullJitterAndEnd() {
    let backoff = Backoff()
    for (attempts, most) in [(1, 1_000), (2, 2_000), (9, 256_000), (10, 300_000), (99, 300_000)] {
      #expect(backoff.delay(after: Int64(attempts), asked: nil, random: UInt64(most)) == most)
      #expect(backoff.delay(after: Int64(attempts), asked: nil, random: UInt64(most) + 1) == 0)
    }
    #expect(backoff.delay(after: 1, asked: 7_000, random: 5) == 7_000)
    #expect(backoff.delay(after: 1, asked: .max, random: .max) == Backoff.longest)
    #expect(backoff.delay(after: .max, asked: -1, random: 0) == 0)
  }

  @Test func anUnreachableServerChargesNoAttempt() async throws {
    let store = try await made()
    let id = try await store.send(Draft("mine", to: "hiking"))
    let lease = store.makeLease()
    for _ in 0..<100 {
      _ = try await store.claim(by: lease, limit: 1)
      try await store.letGo(id, by: lease)
    }
    let entry = try #require(try await store.outbox().first)
    #expect(entry.attempts == 0)
    #expect(entry.retryAt == 0)
  }

  @Test func whatIsTriedTooOftenIsGivenUpAndTheNextGoesOn() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    try await store.send(Draft("h2", to: "hiking"))
    let lease = store.makeLease()
    var backoff = Backoff()
    backoff.attempts = 3
    for attempt in 1...3 {
      #expect(try await store.said(by: lease) == ["h1"])
      let outcome = try await store.postpone(id, by: lease, backoff: backoff)
      #expect((outcome == .failed) == (attempt == 3))
      hands.now += 3_600_000
    }
    #expect(try await store.message(id)?.state == .failed)
    #expect(try await store.message(id)?.failure == "it was tried 3 times")
    #expect(try await store.said(by: lease) == ["h2"])
    #expect(try await store.isClean())
  }

  // MARK: Failing

  @Test func aRefusedMessageFailsWithItsReasonAndTheNextGoesOn() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    try await store.send(Draft("h2", to: "hiking"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 1)
    #expect(try await store.fail(id, by: lease, .blocked))
    let message = try #require(try await store.message(id))
    #expect(message.state == .failed)
    #expect(message.failure == Refusal.blocked.rawValue)
    #expect(try await store.outbox().map(\.failure) == [Refusal.blocked.rawValue, nil])
    #expect(try await store.outboxCounts() == OutboxCounts(pending: 1, failed: 1))
    let conversation = try #require(try await store.conversations().first)
    #expect(conversation.pending == 1)
    #expect(conversation.failed == 1)
    #expect(try await store.said(by: lease) == ["h2"])
    #expect(try await store.isClean())
  }

  @Test func aLateAcknowledgementOfAFailedMessageMakesItSent() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 1)
    try await store.fail(id, by: lease, .blocked)
    try await store.acknowledge(id, seq: 4)
    let message = try #require(try await store.message(id))
    #expect(message.state == .sent)
    #expect(message.failure == nil)
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.isClean())
  }

  @Test func aFailedMessagesEditsWaitAndLaterMessagesDoNot() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 1)
    try await store.edit(id, text: "better")
    try await store.react(to: store.reference(id), emoji: "👍")
    try await store.send(Draft("h2", to: "hiking"))
    try await store.fail(id, by: lease, .tooLarge)
    let second = try await store.claim(by: lease, limit: 5)
    #expect(text(second) == ["h2"])
    try await store.acknowledge(second[0].event.id, seq: 4)
    #expect(try await store.said(by: lease) == [])
    #expect(try await store.nextDue() == nil)
    #expect(try await store.message(id)?.text == "better")
    #expect(try await store.isClean())

    // Once the message arrived after all, they follow.
    try await store.acknowledge(id, seq: 5)
    #expect(try await store.said(by: lease) == ["edit: better"])
  }

  // MARK: Retrying

  @Test func aRetryGoesUnderTheSameIDWithTheSameBytesAsTheLast() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    let lease = store.makeLease()
    let first = try await store.claim(by: lease, limit: 1)
    let edit = try await store.edit(id, text: "better")
    try await store.send(Draft("h2", to: "hiking"))
    try await store.fail(id, by: lease, .blocked)
    try await store.retry(id)
    #expect(try await store.message(id)?.state == .pending)
    #expect(try await store.outbox().map(\.text) == ["h2", "h1", "better"])
    #expect(try await store.outbox().map(\.attempts) == [0, 0, 0])
    #expect(try await store.isClean())

    var sent: [ClaimedEvent] = []
    for seq in 4...6 as ClosedRange<Int64> {
      let next = try #require(try await store.claim(by: lease, limit: 1).first)
      sent.append(next)
      if next.event.id == edit { break }
      try await store.acknowledge(next.event.id, seq: seq)
    }
    #expect(text(sent) == ["h2", "h1", "edit: better"])
    #expect(sent[1].event == first[0].event)
    // A new entry still comes last.
    try await store.send(Draft("h3", to: "hiking"))
    #expect(try await store.outbox().map(\.text) == ["better", "h3"])
  }

  @Test func aRetryWhileItIsTriedChangesNothing() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    try await store.send(Draft("h2", to: "hiking"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 1)
    try await store.retry(id)
    try await store.retry(id)
    #expect(try await store.outbox().map(\.text) == ["h1", "h2"])
    #expect(try await store.said(by: store.makeLease()) == [])
    try await store.acknowledge(id, seq: 4)
    try await store.retry(id)
    #expect(try await store.outbox().map(\.text) == ["h2"])
    await #expect(throws: StoreError.unknownEvent(eventID(99))) {
      try await store.retry(eventID(99))
    }
  }

  @Test func aRetryEndsAWait() async throws {
    let store = try await made()
    let id = try await store.send(Draft("h1", to: "hiking"))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 1)
    _ = try await store.postpone(id, by: lease, asked: 60_000)
    #expect(try await store.said(by: lease) == [])
    try await store.retry(id)
    #expect(try await store.said(by: lease) == ["h1"])
  }
}

/// What many drains have sent, in order.
private final class Tally: Sendable {
  private let sent = Mutex<[String: [String]]>([:])

  /// How many there are of a conversation, with this one.
  func count(_ text: String, in conversation: String) -> Int64 {
    sent.withLock { sent in
      sent[conversation, default: []].append(text)
      return Int64(sent[conversation]?.count ?? 0)
    }
  }

  func said(_ conversation: String) -> [String] { sent.withLock { $0[conversation] ?? [] } }
}

extension Postponement {
  var waiting: Int64? { if case .waits(let until) = self { until } else { nil } }
}
