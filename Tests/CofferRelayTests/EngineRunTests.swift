import Coffer
import Synchronization
import Testing

@testable import CofferRelay

/// Engines that run until they are stopped.
@Suite struct EngineRunTests {
  @Test func whatIsWrittenIsThereWithoutAnybodyAsking() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    let engines = [ann.engine(), ben.engine()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for engine in engines { group.addTask { try await engine.run() } }
      for number in 1...5 {
        try await ann.send("a\(number)")
        #expect(try await eventually { try await ben.shown().last == "a\(number)" })
        try await ben.send("b\(number)")
        #expect(try await eventually { try await ann.shown().last == "b\(number)" })
      }
      try await ben.store.markRead("hiking")
      #expect(
        try await eventually {
          try await ann.messages().filter { $0.sender == "ann" }.allSatisfy { $0.state == .read }
        })
      for engine in engines { await engine.stop() }
      try await group.waitForAll()
    }
    for device in [ann, ben] {
      #expect(try await device.store.outbox().isEmpty)
      #expect(try await device.isClean())
    }
  }

  @Test func cancellingItsTaskEndsIt() async throws {
    let house = try await Household()
    let (ann, _) = try await house.annAndBen()
    let progress = Mutex(SyncProgress())
    let engine = ann.engine { options in
      options.onProgress = { news in progress.withLock { $0 = news } }
    }
    let task = Task { try await engine.run() }
    #expect(try await eventually { progress.withLock { $0.isOnline && $0.isCaughtUp } })
    await #expect(throws: SyncError.running) { try await engine.syncOnce() }
    task.cancel()
    try await task.value
    // It can be run again.
    try await engine.syncOnce()
  }

  @Test func itGoesOnWhenTheServerIsThereAgain() async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    ann.relay.goOffline()
    let engine = ann.engine()
    let task = Task { try await engine.run() }
    try await ann.send("written offline")
    try await Task.sleep(for: .milliseconds(50))
    #expect(try await ann.store.outbox().map(\.attempts) == [0])
    ann.relay.goOffline(false)
    #expect(try await eventually { try await ann.store.outbox().isEmpty })
    await engine.stop()
    try await task.value
    try await ben.sync()
    #expect(try await ben.shown() == ["written offline"])
  }

  /// Both run, and lose a fifth of everything, while both write.
  @Test(arguments: [11, 12] as [UInt64])
  func twoPeopleOverABadNetworkEndWithTheSame(seed: UInt64) async throws {
    let house = try await Household()
    let (ann, ben) = try await house.annAndBen()
    ann.relay.lose(20, seed: seed)
    ben.relay.lose(20, seed: seed + 50)
    let engines = [ann.engine(), ben.engine()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for engine in engines { group.addTask { try await engine.run() } }
      var random = Seeded(seed)
      for number in 1...15 {
        let device = Bool.random(using: &random) ? ann : ben
        let message = try await device.send("m\(number)")
        if number % 4 == 0 { try await device.store.edit(message.id, text: "e\(number)") }
        if number % 5 == 0 { try await device.store.delete(message) }
        try await Task.sleep(for: .milliseconds(10))
      }
      ann.relay.lose(0, seed: 1)
      ben.relay.lose(0, seed: 1)
      #expect(
        try await eventually {
          let pending =
            try await ann.store.outboxCounts().pending
            + ben.store.outboxCounts().pending
          let texts = try await (ann.shown(), ben.shown())
          return pending == 0 && texts.0 == texts.1
        }, "seed \(seed)")
      for engine in engines { await engine.stop() }
      try await group.waitForAll()
    }
    for device in [ann, ben] { #expect(try await device.isClean()) }
  }
}
