import Coffer
import Testing

/// What any server promises about sending and the inbox.
@Suite struct InboxContractTests {
  @Test(arguments: RelayKind.allCases)
  func everyEventTakesTheNextSeqOfItsConversation(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    #expect(try await ann.seq(create(1, with: "ben")) == 1)
    #expect(try await ben.seq(message(2)) == 2)
    #expect(try await ann.seq(create(3, "sailing", with: "ben")) == 1)
    #expect(try await ann.seq(message(4)) == 3)
    #expect(
      try await ben.pull().told == ["1 create", "2 accepted", "1 create", "3 message 4"])
  }

  @Test(arguments: RelayKind.allCases)
  func theSameEventIsAnsweredAsTheFirstTimeAndChangesNothing(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    let phone = try await world.device("ann", 2)
    try await ann.seq(create(1, with: "ben"))
    let first = try await ann.send(message(2))
    try await ann.seq(message(3))
    #expect(try await ann.send(message(2)) == first)
    #expect(try await phone.send(message(2)) == first)
    #expect(try await ann.seq(create(1, with: "ben")) == 1)
    #expect(try await ben.pull().told == ["1 create", "2 message 2", "3 message 3"])
  }

  @Test(arguments: RelayKind.allCases)
  func anIdIsOfOneEventOfItsSender(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(create(9, "sailing", with: "ben"))
    try await ann.seq(message(2))
    #expect(
      await ann.failure(outgoing(2, .message(text: "other"))) == .refused(.idUsedOtherwise))
    #expect(await ann.failure(message(2, in: "sailing")) == .refused(.idUsedOtherwise))
    // Another sender's ids are others.
    #expect(try await ben.seq(outgoing(2, .message(text: "mine"))) == 3)
  }

  @Test(arguments: RelayKind.allCases)
  func onlyTheSendingDeviceGetsAcceptedInPlaceOfTheBody(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let ann = try await world.device("ann")
    let phone = try await world.device("ann", 2)
    try await ann.seq(create(1, with: "ben"))
    try await phone.seq(message(2))
    #expect(try await ann.pull().told == ["1 accepted", "2 message 2"])
    let items = try await phone.pull()
    #expect(items.told == ["1 create", "2 accepted"])
    #expect(
      items[1].envelope
        == Envelope(
          inbox: 2, conversation: "hiking", seq: 2, sender: "ann", device: 2, id: id(2),
          sentAt: 1_700_000_000_002))
  }

  @Test(arguments: RelayKind.allCases)
  func pagesFollowEachOtherAndNothingIsDiscardedByReading(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...12 { try await ann.seq(message(number)) }
    let whole = try await ben.pull()
    #expect(whole.count == 12)
    #expect(try await ben.pull(limit: 1) == whole)
    #expect(try await ben.pull(limit: 5) == whole)
    #expect(try await ben.pull(after: 4, limit: 3) == Array(whole[4...]))
    let end = try await ben.inbox(after: 12, limit: 50)
    #expect(end.base == 12 && end.next == 12 && !end.more && end.items.isEmpty)
    let beyond = try await ben.inbox(after: 99, limit: 50)
    #expect(beyond.base == 99 && beyond.next == 99 && !beyond.more && beyond.items.isEmpty)
  }

  @Test(arguments: RelayKind.allCases)
  func releaseAloneDiscardsAndBelowItTheInboxIsExpired(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...5 { try await ann.seq(message(number)) }
    let epoch = try await ben.overview().epoch
    try await ben.release(upTo: 3, epoch: epoch + 1)
    #expect(try await ben.pull().count == 5)
    try await ben.release(upTo: 3, epoch: epoch)
    #expect(try await ben.pull(after: 3).told == ["4 message 4", "5 message 5"])
    await #expect(throws: RelayError.expired(head: 5, epoch: epoch)) {
      try await ben.inbox(after: 2, limit: 50)
    }
    // A late one with a lower number takes nothing back, and one that is too high nothing ahead.
    try await ben.release(upTo: 1, epoch: epoch)
    try await ben.release(upTo: 99, epoch: epoch)
    #expect(try await ben.pull(after: 5).isEmpty)
    try await ann.seq(message(6))
    #expect(try await ben.pull(after: 5).told == ["6 message 6"])
    // Another device's inbox is its own.
    #expect(try await ann.pull().count == 6)
  }

  @Test(arguments: RelayKind.allCases)
  func receiptsTakeNoSeqAndGoToEveryOtherDevice(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    let phone = try await world.device("ben", 2)
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(message(2))
    let head = try await ben.overview().head
    let answer = try await ben.send(receipt(3, delivered: 2, read: 1))
    #expect(answer.seq == nil)
    #expect(try await ben.send(receipt(3, delivered: 2, read: 1)) == answer)
    #expect(try await ann.pull(after: 2).told == ["ben has 2, read 1"])
    #expect(try await phone.pull(after: 2).told == ["ben has 2, read 1"])
    #expect(try await ben.pull(after: head).isEmpty)
    #expect(try await ann.seq(message(4)) == 3)
    for device in [ann, ben, phone] {
      #expect(
        try await device.overview().conversations[0].receipts["ben"]
          == Receipt(delivered: 2, read: 1))
    }
  }

  @Test(arguments: RelayKind.allCases)
  func watermarksOnlyRise(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...6 { try await ann.seq(message(number)) }
    try await ben.seq(receipt(7, delivered: 5, read: 2))
    try await ben.seq(receipt(8, delivered: 3, read: 4))
    try await ben.seq(receipt(9, delivered: 1, read: 1))
    #expect(
      try await ann.overview().conversations[0].receipts["ben"] == Receipt(delivered: 5, read: 4))
    // Nobody has what there is not.
    try await ben.seq(receipt(10, delivered: 99, read: 99))
    let told = try #require(try await ann.overview().conversations[0].receipts["ben"])
    #expect(told.delivered <= 6 && told.read <= 6)
  }

  @Test(arguments: RelayKind.allCases)
  func aDeviceThatNeverRegisteredIsRefusedEverything(_ kind: RelayKind) async throws {
    let world = try await kind.world()
    try await world.device("ann").seq(create(1, with: "ben"))
    let ben = world.connection("ben", 1)
    #expect(await ben.failure(message(2)) == .refused(.notAllowed))
    await #expect(throws: RelayError.refused(.notAllowed)) {
      try await ben.inbox(after: 0, limit: 1)
    }
    await #expect(throws: RelayError.refused(.notAllowed)) { try await ben.overview() }
    try await ben.register()
    try await ben.register()
    #expect(try await ben.seq(message(2)) == 2)
  }
}
