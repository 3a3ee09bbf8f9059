import Coffer
import CofferDatabase
import CofferSystem
import Synchronization
import Testing

@testable import CofferRelay

/// Several processes on one file, and processes that die.
@Suite struct SharedFileTests {
  let file: RelayFile
  init() throws { file = try RelayFile() }

  /// Every id once, and seqs without a hole.
  private func expectDense(_ count: Int) async throws {
    #expect(try file.find("SELECT count(*) FROM events") == ["\(count)"])
    #expect(try file.find("SELECT max(seq) FROM events") == ["\(count)"])
    #expect(try file.find("SELECT count(DISTINCT seq) FROM events") == ["\(count)"])
    let world = try await file.open()
    let items = try await world.connection("ann", 1).pull()
    #expect(items.map { $0.envelope.inbox } == (1...count).map { Int64($0) })
    #expect(items.map { $0.envelope.seq } == (1...count).map { Int64($0) })
  }

  @Test func sendersSideBySideGetDenseSeqsAndNoIdTwice() async throws {
    let file = file
    let first = try await file.open()
    try await first.device("ann").seq(create(1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for process in 0..<4 {
        group.addTask {
          let world = try await file.open()
          let device = try await world.device("ann", UInt32(2 + process % 2))
          for number in 0..<40 {
            // Two of them send the same events, as a retry through another process would.
            let answer = try await device.send(message(100 + number + 100 * (process / 2)))
            #expect(try await device.send(message(100 + number + 100 * (process / 2))) == answer)
          }
          await world.relay.close()
        }
      }
      try await group.waitForAll()
    }
    try await expectDense(81)
  }

  @Test func processesSideBySideGetDenseSeqsAndNoIdTwice() async throws {
    let path = file.path
    let first = try await file.open()
    try await first.device("ann").seq(create(1))
    await first.relay.close()
    await withTaskGroup(of: Void.self) { group in
      for process in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, process = process as Int] in
            let relay = try await EmbeddedRelay(path: path)
            let device = relay.connection(account: "ann", device: UInt32(2 + process))
            try await device.register()
            for number in 0..<30 { _ = try await device.send(message(100 * process + number + 2)) }
          }
        }
      }
    }
    try await expectDense(91)
  }

  /// Killed before and after every statement of a send, from the first one on.
  @Test func aSendThatIsKilledLeavesAllOrNothing() async throws {
    let path = file.path
    let first = try await file.open()
    let ann = try await first.device("ann")
    _ = try await first.device("ben")
    try await ann.seq(create(1, with: "ben"))
    await first.relay.close()
    let moments = try await momentsOfASend()
    #expect(moments > 20)
    for moment in 1...moments {
      let event = moment + 2
      await #expect(processExitsWith: .signal(9)) {
        [path = path as String, moment = moment as Int, event = event as Int] in
        let countdown = Countdown(moment)
        let relay = try await EmbeddedRelay(path: path, clock: { 0 }, hook: countdown.hook)
        countdown.arm()
        _ = try await relay.connection(account: "ann", device: 1).send(message(event))
      }
      let world = try await file.open()
      let (sender, receiver) = (world.connection("ann", 1), world.connection("ben", 1))
      // The retry brings what is missing and nothing twice.
      #expect(try await sender.seq(message(event)) == Int64(event))
      for items in try await [receiver.pull(), sender.pull()] {
        #expect(items.map { $0.envelope.seq } == (1...event).map { Int64($0) })
        #expect(items.map { $0.envelope.inbox } == (1...event).map { Int64($0) })
      }
      await world.relay.close()
    }
  }

  /// How many moments a send has: each statement has one before and one after it.
  private func momentsOfASend() async throws -> Int {
    let counter = Countdown(.max)
    let relay = try await EmbeddedRelay(path: file.path, clock: { 0 }, hook: counter.hook)
    counter.arm()
    try await relay.connection(account: "ann", device: 1).seq(message(2))
    let count = counter.count
    await relay.close()
    return count
  }
}

/// Kills the process at the n-th moment after it is armed and a transaction has begun.
private final class Countdown: Sendable {
  private let kill: Int
  private let state = Mutex((isArmed: false, hasBegun: false, count: 0))

  init(_ kill: Int) { self.kill = kill }

  var hook: StatementHook {
    StatementHook { [self] _, sql in step(begins: sql.hasPrefix("BEGIN IMMEDIATE")) }
  }

  var count: Int { state.withLock { $0.count } }

  func arm() { state.withLock { $0.isArmed = true } }

  private func step(begins: Bool) {
    let isNow = state.withLock { state in
      guard state.isArmed else { return false }
      if begins { state.hasBegun = true }
      if state.hasBegun { state.count += 1 }
      return state.count == kill
    }
    if isNow { ThisProcess.killItself() }
  }
}
