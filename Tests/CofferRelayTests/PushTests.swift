import Coffer
import CofferSystem
import Testing

@testable import CofferRelay

/// What comes over the live connection.
@Suite struct PushTests {
  @Test func pushesBeginWithConnectedAndBringWhatComesFromAnyProcess() async throws {
    let file = try RelayFile()
    let (here, there) = (try await file.open(), try await file.open())
    let (ann, ben) = (try await there.device("ann"), try await here.device("ben"))
    try await ann.seq(create(1, with: "ben"))
    var pushes = ben.pushes().makeAsyncIterator()
    #expect(await pushes.next() == .connected)
    try await ann.seq(message(2))
    let items = try await ben.pull(after: 1)
    let epoch = try await ben.overview().epoch
    #expect(await pushes.next() == .item(items[0], epoch: epoch))
    // Of a process of its own too, and what takes no seq.
    try await here.device("ben", 2).seq(receipt(3, delivered: 2))
    let read = try await ben.pull(after: 2)
    #expect(read.told == ["ben has 2, read 0"])
    #expect(await pushes.next() == .item(read[0], epoch: epoch))
    // Numbers that begin again are pushed as they are.
    let next = try await there.relay.beginEpoch()
    try await ann.seq(message(4))
    guard case .item(let item, next)? = await pushes.next() else {
      Issue.record("nothing of the new epoch")
      return
    }
    #expect(item.envelope.inbox == 1 && item.envelope.seq == 1)
  }

  @Test func muchAtOnceIsLeftToAPull() async throws {
    let world = try await RelayFile().open()
    let (ann, ben) = (try await world.device("ann"), try await world.device("ben"))
    var lookout = Lookout(world.relay.connection(account: "ben", device: 1))
    let (stream, listener) = AsyncStream.makeStream(
      of: RelayPush.self, bufferingPolicy: .bufferingOldest(Limits.pushes))
    #expect(await lookout.look(tell: listener))
    try await ann.seq(create(1, with: "ben"))
    for number in 2...300 { try await ann.seq(message(number)) }
    #expect(await lookout.look(tell: listener))
    try await ann.seq(message(301))
    #expect(await lookout.look(tell: listener))
    listener.finish()
    var told: [String] = []
    for await push in stream {
      if case .item(let item, _) = push { told.append(item.told) } else { told.append("\(push)") }
    }
    #expect(told == ["connected", "connected", "301 message 301"])
    #expect(try await ben.overview().head == 301)
  }

  @Test func whereNobodyTakesThemAPullIsAskedForOnceThereIsRoom() async throws {
    let world = try await RelayFile().open()
    let (ann, _) = (try await world.device("ann"), try await world.device("ben"))
    var lookout = Lookout(world.relay.connection(account: "ben", device: 1))
    let (stream, listener) = AsyncStream.makeStream(
      of: RelayPush.self, bufferingPolicy: .bufferingOldest(2))
    #expect(await lookout.look(tell: listener))
    try await ann.seq(create(1, with: "ben"))
    try await ann.seq(message(2))
    #expect(await lookout.look(tell: listener))
    #expect(await lookout.look(tell: listener))
    var pushes = stream.makeAsyncIterator()
    #expect(await pushes.next() == .connected)
    guard case .item(let item, _)? = await pushes.next() else {
      Issue.record("the first item was dropped")
      return
    }
    #expect(item.told == "1 create")
    #expect(await lookout.look(tell: listener))
    #expect(await pushes.next() == .connected)
  }

  @Test func theyEndWithWhoeverListens() async throws {
    let world = try await RelayFile().open()
    let ben = try await world.device("ben")
    let listener = Task {
      var count = 0
      for await _ in ben.pushes() { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(60))
    listener.cancel()
    #expect(await listener.value <= 1)
  }

  @Test func aRelayThatIsClosedIsUnreachable() async throws {
    let world = try await RelayFile().open()
    let ben = try await world.device("ben")
    var pushes = ben.pushes().makeAsyncIterator()
    #expect(await pushes.next() == .connected)
    await world.relay.close()
    #expect(await pushes.next() == .disconnected)
    await #expect(throws: RelayError.unreachable) { try await ben.overview() }
    await #expect(throws: RelayError.unreachable) { try await ben.send(message(1)) }
  }
}
