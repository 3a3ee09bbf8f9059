import Coffer
import Testing

@testable import CofferSimulator

/// What `Relay` promises, on the model that everything else is held against.
@Suite struct ModelRelayTests {
  static let ann = ModelRelay.Party("ann", 1)
  static let ben = ModelRelay.Party("ben", 1)
  static let second = ModelRelay.Party("ben", 2)
  var relay = ModelRelay()

  init() throws {
    for party in [Self.ann, Self.ben, Self.second] { relay.register(party) }
    _ = try relay.send(
      Self.event(1, .change(.create(title: "Hiking", members: ["ben"]))), from: Self.ann)
  }

  static func event(
    _ number: UInt64, _ event: Event, in conversation: String = "hiking"
  ) -> OutgoingEvent {
    let id = EventID(high: 0x7000, low: 0x8000_0000_0000_0000 | number)
    var change: ConversationChange?
    if case .change(let known) = event { change = known }
    return OutgoingEvent(
      conversation: conversation, id: id, isSequenced: event.isSequenced, change: change,
      sentAt: Int64(number),
      payload: Payload(conversation: conversation, id: id, sentAt: Int64(number), event: event)
        .encoded)
  }

  private func seqs(_ party: ModelRelay.Party, after cursor: Int64 = 0) throws -> [Int64?] {
    try relay.inbox(of: party, after: cursor, limit: 100).items.map(\.envelope.seq)
  }

  @Test mutating func theSameEventAgainGetsTheFirstAnswerAndChangesNothing() throws {
    let event = Self.event(2, .message(text: "a"))
    let first = try relay.send(event, from: Self.ben)
    #expect(first == Acceptance(seq: 2, epoch: 1))
    _ = try relay.send(Self.event(3, .message(text: "b")), from: Self.ann)
    #expect(try relay.send(event, from: Self.ben) == first)
    #expect(try seqs(Self.ann) == [1, 2, 3])
    var other = event
    other.payload.append(0)
    #expect(throws: RelayError.refused(.idUsedOtherwise)) {
      try relay.send(other, from: Self.ben)
    }
  }

  @Test mutating func theSameIDFromTwoAccountsIsTwoEvents() throws {
    let event = Self.event(2, .message(text: "a"))
    #expect(try relay.send(event, from: Self.ben).seq == 2)
    #expect(try relay.send(event, from: Self.ann).seq == 3)
  }

  @Test mutating func theSendingDeviceGetsNoBodyAndItsSiblingDoes() throws {
    let event = Self.event(2, .message(text: "a"))
    _ = try relay.send(event, from: Self.ben)
    #expect(try relay.inbox(of: Self.ben, after: 1, limit: 9).items.map(\.content) == [.accepted])
    #expect(
      try relay.inbox(of: Self.second, after: 1, limit: 9).items.map(\.content)
        == [.payload(event.payload)])
  }

  @Test mutating func aReceiptTakesNoSeqAndReachesEverybodyElse() throws {
    let receipt = Self.event(2, .receipt(Receipt(delivered: 1, read: 1)))
    #expect(try relay.send(receipt, from: Self.ben) == Acceptance(seq: nil, epoch: 1))
    #expect(try seqs(Self.ben) == [1])
    #expect(try seqs(Self.second) == [1, nil])
    #expect(try seqs(Self.ann) == [1, nil])
    let head = try #require(try relay.overview(of: Self.ann).conversations.first)
    #expect(head.receipts == ["ben": Receipt(delivered: 1, read: 1)])
  }

  @Test mutating func whoLeavesSeesItsOwnLeavingAndNothingAfter() throws {
    _ = try relay.send(Self.event(2, .change(.leave)), from: Self.ben)
    _ = try relay.send(Self.event(3, .message(text: "gone?")), from: Self.ann)
    _ = try relay.send(Self.event(4, .change(.join("ben"))), from: Self.ann)
    #expect(try seqs(Self.second) == [1, 2, 4])
    let answers = try relay.history(of: "hiking", 2...4, for: Self.second).answers
    #expect(answers.count == 3 && answers[1] == .none(3))
    let head = try #require(try relay.overview(of: Self.second).conversations.first)
    #expect(head.from == 1 && head.newestSeq == 4)
  }

  @Test mutating func strangersAndTheDeadAreRefused() throws {
    _ = try relay.send(
      Self.event(2, .change(.create(title: nil, members: [])), in: "a"), from: Self.ann)
    #expect(throws: RelayError.refused(.notAMember)) {
      try relay.send(Self.event(3, .message(text: "x"), in: "a"), from: Self.ben)
    }
    #expect(throws: RelayError.refused(.unknownConversation)) {
      try relay.send(Self.event(4, .message(text: "x"), in: "b"), from: Self.ben)
    }
    _ = try relay.send(Self.event(5, .change(.delete), in: "a"), from: Self.ann)
    #expect(throws: RelayError.refused(.conversationDeleted)) {
      try relay.send(Self.event(6, .message(text: "x"), in: "a"), from: Self.ann)
    }
    #expect(throws: RelayError.refused(.conversationExists)) {
      try relay.send(
        Self.event(7, .change(.create(title: nil, members: [])), in: "a"), from: Self.ben)
    }
  }

  @Test mutating func nothingIsDiscardedUntilItIsReleased() throws {
    for number in 2...9 {
      _ = try relay.send(Self.event(UInt64(number), .message(text: "\(number)")), from: Self.ann)
    }
    let page = try relay.inbox(of: Self.ben, after: 3, limit: 2)
    #expect(page.base == 3 && page.next == 5 && page.more && page.items.count == 2)
    #expect(try seqs(Self.ben).count == 9)
    try relay.release(Self.ben, upTo: 4, epoch: 1)
    #expect(throws: RelayError.expired(head: 9, epoch: 1)) {
      try relay.inbox(of: Self.ben, after: 3, limit: 2)
    }
    #expect(try seqs(Self.ben, after: 4).count == 5)
  }

  @Test mutating func whatWasCutIsGoneAndNeverSilentlyMissing() throws {
    for number in 2...5 {
      _ = try relay.send(Self.event(UInt64(number), .message(text: "\(number)")), from: Self.ann)
    }
    relay.cutHistory(of: "hiking", upTo: 2)
    relay.expunge(4...4, of: "hiking", id: EventID(high: 1, low: 2), at: 0)
    let answers = try relay.history(of: "hiking", 1...5, for: Self.ben).answers
    #expect(answers[0] == .gone(1) && answers[1] == .gone(2) && answers[3] == .gone(4))
    #expect(try relay.overview(of: Self.ben).conversations.first?.digest == nil)
    #expect(try relay.inbox(of: Self.ben, after: 5, limit: 1).items[0].content == .expunged(4...4))
  }

  @Test mutating func aNewEpochNumbersWhatIsLeftAnewAndForgetsTheRest() throws {
    let kept = Self.event(2, .message(text: "kept"))
    let lost = Self.event(3, .message(text: "lost"))
    _ = try relay.send(kept, from: Self.ann)
    _ = try relay.send(lost, from: Self.ann)
    relay.beginEpoch { _, seq in seq == 2 }
    #expect(try relay.inbox(of: Self.ben, after: 0, limit: 9).items.map(\.envelope.seq) == [1])
    #expect(try relay.send(kept, from: Self.ann) == Acceptance(seq: 1, epoch: 2))
    #expect(try relay.send(lost, from: Self.ann) == Acceptance(seq: 2, epoch: 2))
    try relay.release(Self.ben, upTo: 2, epoch: 1)
    #expect(try seqs(Self.ben).count == 2)
  }

  @Test mutating func aDeviceSeesNothingFromBeforeItWasRegistered() throws {
    let late = ModelRelay.Party("ann", 2)
    relay.register(late)
    #expect(try relay.overview(of: late).conversations.isEmpty)
    _ = try relay.send(Self.event(2, .message(text: "a")), from: Self.ben)
    let head = try #require(try relay.overview(of: late).conversations.first)
    #expect(head.from == 2 && head.newestSeq == 2)
  }

  @Test mutating func digestsDifferExactlyWhereTheEventsDo() throws {
    let before = try relay.overview(of: Self.ben).conversations[0].digest
    #expect(before?.count == 32)
    #expect(try relay.overview(of: Self.second).conversations[0].digest == before)
    _ = try relay.send(Self.event(2, .message(text: "a")), from: Self.ann)
    #expect(try relay.overview(of: Self.ben).conversations[0].digest != before)
  }
}
