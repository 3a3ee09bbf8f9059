import Coffer
import Testing

@testable import CofferRelay

/// What the embedded relay decides beyond the contract.
@Suite struct EmbeddedTests {
  let world: EmbeddedWorld
  init() async throws { world = try await RelayFile().open() }

  @Test func anAccountNamedBeforeItRegisteredGetsAllSinceItJoined() async throws {
    let ann = try await world.device("ann")
    try await ann.seq(create(1))
    try await ann.seq(message(2))
    try await ann.seq(outgoing(3, .change(.join("ben"))))
    try await ann.seq(message(4))
    try await ann.seq(create(5, "sailing", with: "ben"))
    try await ann.seq(outgoing(6, .change(.remove("ben"))))
    try await ann.seq(message(7))
    let ben = try await world.device("ben")
    #expect(
      try await ben.pull().told == ["3 join", "4 message 4", "5 remove", "1 create"])
    let overview = try await ben.overview()
    #expect(overview.head == 4)
    #expect(overview.conversations.map(\.from) == [3, 1])
    #expect(overview.conversations.map(\.newestSeq) == [5, 1])
    // Its second device comes later, and sees what comes later.
    let phone = try await world.device("ben", 2)
    try await ann.seq(message(8, in: "sailing"))
    #expect(try await phone.pull().told == ["2 message 8"])
    #expect(try await phone.overview().conversations.map(\.from) == [2])
  }

  @Test func newerReceiptsTakeThePlaceOfOnesThatNobodyReleased() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    let phone = try await world.device("ben", 2)
    try await ann.seq(create(1, with: "ben"))
    for number in 2...20 { try await ann.seq(message(number)) }
    for seq in 1...20 { try await ben.seq(receipt(100 + seq, delivered: Int64(seq))) }
    try await phone.seq(receipt(200, delivered: 5, read: 5))
    try await ben.seq(receipt(201, delivered: 20))
    #expect(try await ann.pull(after: 20).told == ["ben has 20, read 5"])
    #expect(try await ann.overview().head == 41)
    // Nothing was discarded that nothing newer stands for.
    #expect(try await ann.pull().count == 21)
    #expect(try await phone.pull(after: 20).told == ["ben has 20, read 5"])
    #expect(try await ben.pull(after: 20).told == ["ben has 20, read 5"])
  }

  @Test func aReceiptThatCannotBeReadOrSaysMoreThanThereIsChangesNothing() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    #expect(try await ben.send(receipt(2, delivered: 9)).seq == nil)
    #expect(try await ann.overview().conversations[0].receipts.isEmpty)
    #expect(try await ann.pull(after: 1).isEmpty)
    var broken = receipt(3, delivered: 1)
    broken.payload[0] ^= 1
    #expect(await ben.failure(broken) == .refused(.notAllowed))
    var other = receipt(4, delivered: 1)
    other.id = id(5)
    #expect(await ben.failure(other) == .refused(.notAllowed))
    var unsequenced = message(6)
    unsequenced.isSequenced = false
    #expect(await ben.failure(unsequenced) == .refused(.notAllowed))
    try await ben.seq(message(7))
    #expect(await ben.failure(receipt(7, delivered: 1)) == .refused(.idUsedOtherwise))
    #expect(await ben.failure(receipt(8, in: "x", delivered: 1)) == .refused(.unknownConversation))
    // Whoever has the last word of a conversation may still say so.
    try await ann.seq(outgoing(9, .change(.delete)))
    #expect(try await ben.send(receipt(10, delivered: 3)).seq == nil)
    #expect(try await ann.overview().conversations[0].receipts["ben"]?.delivered == 3)
  }

  @Test func whoeverBlocksGetsNothingNewFromThemAlone() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(create(2, "three", with: "ben", "cid"))
    try await ann.seq(create(3, "two", with: "cid"))
    try await world.relay.block("ann", by: "ben")
    #expect(await ann.failure(message(4)) == .refused(.blocked))
    #expect(await ann.failure(create(5, "new", with: "ben")) == .refused(.blocked))
    #expect(await ann.failure(outgoing(6, in: "two", .change(.join("ben")))) == .refused(.blocked))
    #expect(try await ann.seq(message(7, in: "three")) == 2)
    #expect(try await ben.seq(message(8)) == 2)
    #expect(try await ann.seq(outgoing(9, .change(.leave))) == 3)
    try await world.relay.block("ann", by: "ben", false)
    #expect(try await ann.seq(create(5, "new", with: "ben")) == 1)
  }

  @Test func whatIsTooLargeOrNamesNobodyIsRefused() async throws {
    let ann = try await world.device("ann")
    try await ann.seq(create(1))
    var large = message(2)
    large.payload = [UInt8](repeating: 0, count: 17 << 20 | 1)
    #expect(await ann.failure(large) == .refused(.tooLarge))
    large.payload.removeLast()
    #expect(try await ann.seq(large) == 2)
    #expect(await ann.failure(outgoing(3, .change(.join("")))) == .refused(.notAllowed))
    #expect(await ann.failure(outgoing(3, .change(.remove("a\u{7}")))) == .refused(.notAllowed))
    #expect(await ann.failure(create(3, "new", with: "ben", "")) == .refused(.notAllowed))
    #expect(await ann.failure(create(3, "", with: "ben")) == .refused(.notAllowed))
    var early = message(3)
    early.sentAt = -1
    #expect(await ann.failure(early) == .refused(.notAllowed))
    for (account, device) in [("", UInt32(1)), ("cid", 0), (String(repeating: "c", count: 513), 1)]
    {
      await #expect(throws: RelayError.refused(.notAllowed)) {
        try await world.connection(account, device).register()
      }
    }
    #expect(try world.file.find("SELECT address FROM accounts") == ["ann"])
    #expect(try world.file.find("SELECT address FROM conversations") == ["hiking"])
  }

  @Test func addressesThatOnlyLookTheSameAreTwo() async throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let (ann, ben) = (try await world.device(composed), try await world.device(decomposed))
    try await ann.seq(create(1, composed))
    #expect(await ben.failure(message(2, in: composed)) == .refused(.notAMember))
    try await ben.seq(create(2, decomposed))
    #expect(
      try await ann.overview().conversations.map { Array($0.conversation.utf8) }
        == [Array(composed.utf8)])
    try await ann.seq(outgoing(3, in: composed, .change(.join(decomposed))))
    // One account's device is not taken for the other's.
    #expect(
      try await ben.pull().map(\.content) == [
        .accepted,
        .payload(
          outgoing(3, in: composed, .change(.join(decomposed))).payload),
      ])
  }

  @Test func changesOfMembersThatChangeNothingAreTakenAsEvents() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ann", "ben", "ben"))
    #expect(try await ann.seq(outgoing(2, .change(.join("ben")))) == 2)
    #expect(try await ann.seq(outgoing(3, .change(.remove("eve")))) == 3)
    #expect(try await ben.pull().told == ["1 create", "2 join", "3 remove"])
    #expect(try world.file.find("SELECT count(*) FROM members WHERE until_seq IS NULL") == ["2"])
  }

  @Test func anAnswerTakesAThousandSeqsOrThirtyTwoMebibytesFromTheTop() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...1100 { try await ann.seq(message(number)) }
    let top = try await ben.history(of: "hiking", 1...Int64.max)
    #expect(top.answers.count == 1000)
    #expect(top.told.first == "101 message 101" && top.told.last == "1100 message 1100")
    let rest = try await ben.history(of: "hiking", -5...100)
    #expect(rest.answers.count == 100 && rest.told.first == "1 create")
    #expect(try await ben.history(of: "hiking", 2000...3000).answers.isEmpty)

    try await ann.seq(create(2000, "large", with: "ben"))
    for number in 2001...2005 {
      var large = message(number, in: "large")
      large.payload = [UInt8](repeating: 0, count: 10 << 20)
      try await ann.seq(large)
    }
    let three = try await ben.history(of: "large", 1...6)
    #expect(three.told == ["4 undecodable", "5 undecodable", "6 undecodable"])
    let page = try await ben.inbox(after: 1101, limit: 50)
    #expect(page.items.count == 3 && page.more && page.next == 1104)
    #expect(try await ben.pull(after: 1101).count == 5)
  }

  @Test func retentionLeavesNoHoleThatNobodySees() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(create(2, "sailing", with: "ben"))
    for number in 3...6 { try await ann.seq(message(number)) }
    try await ben.release(upTo: 3, epoch: try await ben.overview().epoch)
    try await world.cutHistory(of: "hiking", below: 4)
    let overview = try await ben.overview()
    // The third of hiking was number 4.
    await #expect(throws: RelayError.expired(head: 6, epoch: overview.epoch)) {
      try await ben.inbox(after: 3, limit: 50)
    }
    #expect(try await ben.pull(after: 4).told == ["4 message 5", "5 message 6"])
    #expect(
      try await ben.history(of: "hiking", 1...5).told.prefix(4)
        == ["1 gone", "2 gone", "3 gone", "4 message 5"])
    #expect(overview.conversations[0].digest == nil && overview.conversations[1].digest != nil)
    // The sender needs no body, so nothing was lost for it.
    #expect(try await ann.pull().count == 6)
    #expect(try await ann.history(of: "hiking", 1...5).answers.count == 5)
    #expect(try await ann.overview().conversations[0].digest != nil)
  }

  @Test func whatIsExpungedBeforeItWasFetchedIsSaidInItsPlace() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...5 { try await ann.seq(message(number)) }
    try await world.expunge(2...99, of: "hiking")
    try await world.expunge(50...99, of: "hiking")
    try await world.expunge(1...1, of: "nowhere")
    #expect(try await ben.pull().told == ["1 create", "expunged 2-5"])
    #expect(try await ann.pull().count == 6)
    #expect(try await ben.overview().conversations[0].newest == nil)
  }

  @Test func aNewEpochKeepsWhoIsThereAndWhatWasEverTaken() async throws {
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    let cid = try await world.device("cid")
    try await ann.seq(create(1, with: "ben", "cid"))
    try await ann.seq(message(2))
    try await cid.seq(outgoing(3, .change(.leave)))
    try await ann.seq(create(4, "sailing"))
    try await ann.seq(outgoing(5, in: "sailing", .change(.delete)))
    let epoch = try await ann.overview().epoch
    let next = try await world.relay.beginEpoch()
    #expect(next > epoch)
    #expect(try await ann.overview() == Overview(epoch: next, head: 0, conversations: []))
    #expect(try await ben.pull().isEmpty)
    #expect(try await ann.send(message(2)) == Acceptance(seq: 1, epoch: next))
    #expect(try await ann.send(message(2)) == Acceptance(seq: 1, epoch: next))
    #expect(try await ann.seq(create(1, with: "ben", "cid")) == 2)
    #expect(try await cid.seq(outgoing(3, .change(.leave))) == 3)
    #expect(try await ben.pull().told == ["1 message 2", "2 create", "3 leave"])
    // Whoever had left does not come back by it.
    #expect(try await cid.pull().isEmpty)
    #expect(await cid.failure(message(6)) == .refused(.notAMember))
    #expect(await ann.failure(message(7, in: "sailing")) == .refused(.conversationDeleted))
    #expect(await ann.failure(outgoing(2, .message(text: "x"))) == .refused(.idUsedOtherwise))
    #expect(try await world.relay.beginEpoch() > next)
  }
}
