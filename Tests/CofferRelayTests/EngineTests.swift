import Coffer
import CofferDatabase
import Testing

@testable import CofferRelay

/// Stores and a server, kept in step by engines that end when they are.
@Suite struct EngineTests {
  @Test func whatOneWritesTheOtherReads() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    let hello = try await ann.send("hello")
    try await ann.store.send(Draft("are you there?", to: "hiking", replyTo: hello))
    let sent = try await ann.sync()
    #expect(sent.sent == 2)
    #expect(sent.pending == 0)
    try await ben.sync()
    #expect(try await ben.shown() == ["hello", "are you there?"])
    #expect(try await ben.messages().last?.replyTo == hello)
    for device in [ann, ben] { #expect(try await device.isClean()) }
  }

  @Test func whatIsWrittenOfflineArrivesInOrderOnAllDevices() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    let second = try await house.device("ben", 2)
    try await second.sync()
    let first = try await ann.send("m0")
    try await ann.sync()
    for number in 1...12 { try await ann.send("m\(number)") }
    try await ann.store.edit(first.id, text: "m0, corrected")
    let gone = try await ann.send("oops")
    try await ann.store.react(to: first, emoji: "👍")
    try await ben.send("hi from ben")
    ann.relay.goOffline()
    await #expect(throws: SyncError.relay(.unreachable)) { try await ann.sync() }
    #expect(try await ann.store.outbox().allSatisfy { $0.attempts == 0 })
    ann.relay.goOffline(false)
    try await ann.sync()
    try await ann.store.delete(gone)
    for device in [ann, ben, second, ann, ben, second] { try await device.sync() }
    let expected =
      ["m0, corrected"] + (1...12).map { "m\($0)" } + ["-", "hi from ben"]
    for device in [ann, ben, second] {
      #expect(try await device.shown() == expected)
      #expect(try await device.messages()[0].reactions.map(\.emoji) == ["👍"])
      #expect(try await device.isClean())
    }
  }

  /// Twenty messages, and a third of all calls and answers lost.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func aBadNetworkLosesNothingAndSendsNothingTwice(seed: UInt64) async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    for number in 1...20 { try await ann.send("m\(number)") }
    ann.relay.lose(30, seed: seed)
    ben.relay.lose(30, seed: seed + 100)
    try await ann.syncStubbornly()
    try await ben.syncStubbornly()
    try await ben.syncStubbornly()
    let expected = (1...20).map { "m\($0)" }
    #expect(try await ann.shown() == expected, "seed \(seed)")
    #expect(try await ben.shown() == expected, "seed \(seed)")
    #expect(try await ann.messages().allSatisfy { $0.state.rawValue >= 3 })
    for device in [ann, ben] { #expect(try await device.isClean()) }
  }

  @Test func farBehindTheNewestIsThereFirstAndTheRestIsFilled() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    for number in 1...60 { try await ann.send("m\(number)") }
    try await ann.sync()
    try await ben.sync { options in
      options.farBehind = 20
      options.fillsInBackground = false
    }
    #expect(try await ben.shown() == ["[2-60]", "m60"])
    let engine = ben.engine {
      $0.fillsInBackground = false
      $0.fillLimit = 25
    }
    await engine.wants("hiking")
    #expect(try await engine.syncOnce().filled == 59)
    #expect(try await ben.shown() == (1...60).map { "m\($0)" })
    #expect(try await ben.isClean())
  }

  @Test func whatTheServerHasDiscardedIsAnUnavailableGap() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    for number in 1...10 { try await ann.send("m\(number)") }
    try await ann.sync()
    try await house.relay.cutRetention(of: "hiking", below: 8)
    try await ben.sync()
    #expect(try await ben.shown() == ["[2-7]!", "m7", "m8", "m9", "m10"])
    #expect(try await ben.isClean())
    try await ann.send("m11")
    try await ann.sync()
    try await ben.sync()
    #expect(try await ben.shown().last == "m11")
    // Nobody asks for it again.
    #expect(ben.relay.calls.filter { $0 == "history" }.count <= 3)
  }

  @Test func aServerThatLostItsNumberingLosesNothingHere() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    for number in 1...5 { try await ann.send("m\(number)") }
    try await ann.sync()
    try await ben.sync()
    let epoch = try await house.relay.beginEpoch()
    try await ann.send("m6")
    try await ben.send("n1")
    for device in [ann, ben, ann, ben] { try await device.sync() }
    for device in [ann, ben] {
      #expect(try await device.store.syncPosition().epoch == epoch)
      #expect(try await device.shown() == (1...6).map { "m\($0)" } + ["n1"])
      #expect(try await device.isClean())
    }
  }

  @Test func receiptsRaiseStatesAndEachIsToldOnce() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    try await ann.send("one")
    try await ann.send("two")
    try await ann.sync()
    #expect(try await ann.messages().map(\.state) == [.sent, .sent])
    try await ben.sync()
    try await ann.sync()
    #expect(try await ann.messages().map(\.state) == [.delivered, .delivered])
    try await ben.store.markRead("hiking", upTo: 2)
    try await ben.sync()
    try await ann.sync()
    #expect(try await ann.messages().map(\.state) == [.read, .delivered])
    for _ in 1...3 {
      try await ben.sync()
      try await ann.sync()
    }
    #expect(ben.relay.calls.filter { $0 == "receipt" }.count == 2)
    // What she wrote herself is nothing that anybody waits to hear of.
    #expect(ann.relay.calls.filter { $0 == "receipt" }.count == 0)
  }

  @Test func aRefusalFailsItsMessageAndNothingElse() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    try await ann.store.change("notes", .create(title: nil, members: []))
    try await house.relay.block("ann", by: "ben")
    let refused = try await ann.send("hello?")
    try await ann.send("to myself", to: "notes")
    let progress = try await ann.sync()
    #expect(progress.failed == 1)
    #expect(try await ann.messages().map(\.failure) == [Refusal.blocked.rawValue])
    #expect(try await ann.messages("notes").map(\.state) == [.sent])
    try await house.relay.block("ann", by: "ben", false)
    try await ann.store.retry(refused.id)
    try await ann.sync()
    try await ben.sync()
    #expect(try await ben.shown() == ["hello?"])
  }

  @Test func theServerDiscardsOnlyWhatIsDurable() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    for number in 1...5 { try await ann.send("m\(number)") }
    try await ann.sync()
    let other = house.relay.connection(account: "ben", device: 1)
    let before = try await ben.store.syncPosition()
    #expect(before.durableCursor == before.cursor)
    try await ben.sync()
    let position = try await ben.store.syncPosition()
    #expect(position.durableCursor == position.cursor)
    // Below it, the server has nothing any more.
    await #expect(throws: RelayError.self) { _ = try await other.inbox(after: 0, limit: 10) }
    #expect(try await other.inbox(after: position.durableCursor, limit: 10).items.isEmpty)
  }

  @Test func whatIsOtherwiseHereIsAskedForAtTheStart() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    for number in 1...5 { try await ann.send("m\(number)") }
    try await ann.sync()
    try await ben.sync()
    #expect(!ben.relay.calls.contains("history"))
    // As if the server had once said that this seq was nothing for this device.
    try await ben.store.database.write { connection throws(DatabaseError) in
      try connection.execute(
        """
        DELETE FROM messages WHERE seq = 4;
        INSERT INTO events (conversation_id, seq, event_id, kind, applied, changed)
        SELECT id, 4, zeroblob(16), 7, 1, 1 FROM conversations;
        UPDATE conversations SET unread = unread - 1;
        """)
    }
    #expect(try await ben.shown() == ["m1", "m2", "m4", "m5"])
    try await ben.sync()
    #expect(try await ben.shown() == (1...5).map { "m\($0)" })
    #expect(try await ben.isClean())
  }

  @Test func aNewDeviceSeesWhatItMayAndNoMore() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    for number in 1...5 { try await ann.send("m\(number)") }
    try await ann.sync()
    try await ben.sync()
    let second = try await house.device("ben", 2)
    try await second.sync()
    try await ann.send("m6")
    try await ann.sync()
    try await second.sync()
    #expect(try await second.shown() == ["m6"])
    #expect(try await second.store.timeline(of: "hiking").older == nil)
    #expect(try await second.isClean())
  }
}
