import Coffer
import Testing

/// What any server promises about members, history and the overview.
@Suite struct HistoryContractTests {
  @Test(arguments: RelayKind.allCases)
  func aConversationBeginsWithItsCreationAndOnlyMembersWrite(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, eve) = (try await world.device("ann"), try await world.device("eve"))
    #expect(await ann.failure(message(1)) == .refused(.unknownConversation))
    try await ann.seq(create(1, with: "ben"))
    #expect(await eve.failure(create(2, with: "eve")) == .refused(.conversationExists))
    for (number, event) in [
      Event.message(text: "hello"), .change(.join("eve")), .change(.leave), .change(.remove("ann")),
      .change(.title("mine")), .change(.delete), .receipt(Receipt(delivered: 1, read: 1)),
    ].enumerated() {
      #expect(await eve.failure(outgoing(3 + number, event)) == .refused(.notAMember))
    }
    await #expect(throws: (any Error).self) { try await eve.history(of: "nowhere", 1...1) }
    #expect(try await eve.pull().isEmpty)
    #expect(try await eve.overview().conversations.isEmpty)
  }

  @Test(arguments: RelayKind.allCases)
  func whoeverLeavesGetsTheEventThatSaysSoAndNothingAfter(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    let cid = try await world.device("cid")
    try await ann.seq(create(1, with: "ben", "cid"))
    try await ann.seq(outgoing(2, .change(.remove("ben"))))
    try await cid.seq(outgoing(3, .change(.leave)))
    try await ann.seq(message(4))
    #expect(try await ben.pull().told == ["1 create", "2 remove"])
    #expect(try await cid.pull().told == ["1 create", "2 remove", "3 accepted"])
    #expect(await ben.failure(message(5)) == .refused(.notAMember))
    #expect(await cid.failure(message(5)) == .refused(.notAMember))
    // To them it ends where they left it.
    #expect(try await ben.overview().conversations[0].newestSeq == 2)
    #expect(try await cid.overview().conversations[0].newestSeq == 3)
    #expect(try await ben.history(of: "hiking", 1...2).told == ["1 create", "2 remove"])
    #expect(
      try await ann.history(of: "hiking", 1...4).told
        == ["1 accepted", "2 accepted", "3 leave", "4 accepted"])
  }

  @Test(arguments: RelayKind.allCases)
  func whoeverJoinsLaterSeesWhatComesFromThereOn(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1))
    try await ann.seq(message(2))
    try await ann.seq(outgoing(3, .change(.join("ben"))))
    try await ann.seq(message(4))
    #expect(try await ben.pull().told == ["3 join", "4 message 4"])
    let head = try await ben.overview().conversations[0]
    #expect(head.from == 3 && head.newestSeq == 4)
    #expect(
      try await ben.history(of: "hiking", 1...4).told
        == ["1 none", "2 none", "3 join", "4 message 4"])
    // Out and in again: what was said meanwhile is not for them.
    try await ann.seq(outgoing(5, .change(.remove("ben"))))
    try await ann.seq(message(6))
    try await ann.seq(outgoing(7, .change(.join("ben"))))
    #expect(
      try await ben.history(of: "hiking", 3...7).told
        == ["3 join", "4 message 4", "5 remove", "6 none", "7 join"])
    #expect(try await ben.overview().conversations[0].from == 3)
    #expect(try await ben.seq(message(8)) == 8)
  }

  @Test(arguments: RelayKind.allCases)
  func aLaterDeviceSeesWhatComesFromItsRegistrationOn(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let ann = try await world.device("ann")
    try await ann.seq(create(1))
    try await ann.seq(message(2))
    let phone = try await world.device("ann", 2)
    #expect(try await phone.pull().isEmpty)
    try await ann.seq(message(3))
    try await phone.seq(message(4))
    #expect(try await phone.pull().told == ["3 message 3", "4 accepted"])
    let head = try await phone.overview().conversations[0]
    #expect(head.from == 3 && head.newestSeq == 4)
    #expect(
      try await phone.history(of: "hiking", 1...4).told
        == ["1 none", "2 none", "3 message 3", "4 accepted"])
  }

  @Test(arguments: RelayKind.allCases)
  func nobodyWritesToADeletedConversation(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(message(2))
    try await ben.seq(outgoing(3, .change(.delete)))
    #expect(await ann.failure(message(4)) == .refused(.conversationDeleted))
    #expect(await ben.failure(outgoing(5, .change(.leave))) == .refused(.conversationDeleted))
    // What was taken before is answered as before.
    #expect(try await ann.seq(message(2)) == 2)
    #expect(try await ann.pull().told == ["1 accepted", "2 accepted", "3 delete"])
  }

  @Test(arguments: RelayKind.allCases)
  func theOverviewIsWhatTheDeviceSees(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(create(2, "sailing", with: "ben"))
    try await ben.seq(message(3, in: "sailing"))
    let overview = try await ben.overview()
    #expect(overview.head == 3)
    #expect(overview.conversations.map(\.conversation) == ["hiking", "sailing"])
    #expect(overview.conversations.map(\.newestSeq) == [1, 2])
    #expect(overview.conversations.map(\.from) == [1, 1])
    let newest = try #require(overview.conversations[1].newest)
    #expect(newest.told == "2 accepted")
    #expect(overview.conversations[0].newest?.told == "1 create")
    #expect(overview.epoch == (try await ann.overview().epoch))
  }

  @Test(arguments: RelayKind.allCases)
  func theDigestIsOfTheLastSeqsAndTheirIds(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1))
    try await ann.seq(outgoing(2, .change(.join("ben"))))
    for number in 3...9 { try await ann.seq(message(number)) }
    try await ann.seq(outgoing(10, .change(.remove("ben"))))
    try await ann.seq(message(11))
    try await ann.seq(outgoing(12, .change(.join("ben"))))
    let all = (1...12).map { (Int64($0), id($0)) }
    #expect(try await ann.overview().conversations[0].digest == overviewDigest(all))
    var seen = Array(all[1...])
    seen[9].1 = EventID(high: 0, low: 0)
    #expect(try await ben.overview().conversations[0].digest == overviewDigest(seen))
    for number in 13...300 { try await ann.seq(message(number)) }
    let last = (45...300).map { (Int64($0), id($0)) }
    #expect(try await ben.overview().conversations[0].digest == overviewDigest(last))
  }

  @Test(arguments: RelayKind.allCases)
  func whatIsCutIsGoneAndWhatIsExpungedIsSaid(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...8 { try await ann.seq(message(number)) }
    try await world.cutHistory(of: "hiking", below: 3)
    try await world.expunge(5...6, of: "hiking")
    #expect(
      try await ben.history(of: "hiking", 1...8).told
        == [
          "1 gone", "2 gone", "3 message 3", "4 message 4", "5 gone", "6 gone", "7 message 7",
          "8 message 8",
        ])
    #expect(try await ben.pull(after: 8).told == ["expunged 5-6"])
    #expect(try await ann.pull(after: 8).told == ["expunged 5-6"])
    #expect(try await ben.overview().conversations[0].digest == nil)
    #expect(try await ben.overview().conversations[0].newest?.told == "8 message 8")
    // Whatever became of its body, an event is known for ever.
    #expect(try await ann.seq(message(5)) == 5)
    #expect(try await ann.seq(message(2)) == 2)
    #expect(await ann.failure(outgoing(5, .message(text: "x"))) == .refused(.idUsedOtherwise))
  }

  @Test(arguments: RelayKind.allCases)
  func aNewEpochBeginsEveryNumberAgain(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...4 { try await ann.seq(message(number)) }
    try await ben.seq(receipt(5, delivered: 4))
    let before = try await ben.overview()
    try await world.beginEpoch()
    let after = try await ben.overview()
    #expect(after.epoch != before.epoch)
    // A cursor of the old numbering learns of the new one.
    let page = try await ben.inbox(after: before.head, limit: 50)
    #expect(page.epoch == after.epoch && page.items.isEmpty && page.next == before.head)
    // A release of the old numbering discards nothing in the new one.
    let seq = try await ann.seq(message(6))
    let head = try await ben.overview().head
    try await ben.release(upTo: before.head, epoch: before.epoch)
    let items = try await ben.pull(after: head - 1)
    #expect(items.told == ["\(try #require(seq)) message 6"])
    // What was taken before it is taken again, once.
    let again = try await ann.send(message(3))
    #expect(again.epoch == after.epoch)
    #expect(try await ann.send(message(3)) == again)
  }
}
