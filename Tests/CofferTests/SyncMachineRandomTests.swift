import CofferSystem
import Testing

@testable import Coffer

/// The machine against a server, a store and a clock that do anything, and then behave.
@Suite struct SyncMachineRandomTests {
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func whateverHappenedItComesToRestWithEverythingHereAndSent(seed: UInt64) {
    var random = SplitMix64(seed)
    let isOnce = Int.random(in: 0..<4, using: &random) == 0
    let world = RandomWorld(isOnce ? .once : .always, seed)
    world.bench.tell(.start)
    for _ in 0..<Int.random(in: 1...200, using: &random) where !world.bench.isEnded {
      world.interfere(&random)
    }
    world.heal()
    #expect(world.isAtRest, "seed \(seed)")
    guard !world.bench.isEnded else { return }
    #expect(world.bench.cursor == world.head, "seed \(seed)")
    #expect(world.bench.epoch == world.epoch, "seed \(seed)")
    #expect(world.bench.queue.isEmpty, "seed \(seed)")
    #expect(world.bench.gaps.isEmpty, "seed \(seed)")
    #expect(world.bench.waiting.isEmpty, "seed \(seed)")
    world.bench.tell(.stop)
    #expect(world.bench.isEnded && world.bench.problem == nil, "seed \(seed)")
  }
}

/// A server that gives the right answers, unless it is in trouble.
private final class RandomWorld {
  let bench: SyncBench
  var head: Int64 = 0
  var floor: Int64 = 0
  var epoch: Int64 = 1
  private var written = 0

  init(_ mode: SyncMachine.Mode, _ seed: UInt64) {
    bench = SyncBench(mode) { options in
      options.pageLimit = 5
      options.farBehind = 30
      options.isSealed = seed % 3 == 0
    }
    bench.epoch = seed % 5 == 0 ? nil : 1
  }

  private var isQuiet: Bool { bench.asked.isEmpty }
  var isAtRest: Bool { isQuiet || bench.isEnded }

  func interfere(_ random: inout SplitMix64) {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: head += Int64.random(in: 1...80, using: &random)
    case 1:
      (head, floor) = (Int64.random(in: 0...20, using: &random), 0)
      epoch += 1
    case 2: floor = Int64.random(in: floor...max(floor, head), using: &random)
    case 3: bench.tell(.pushed(.connected))
    case 4: bench.tell(.pushed(.disconnected))
    case 5:
      head += 1
      bench.tell(pushed(head, epoch: epoch))
    case 6:
      bench.tell(
        pushed(
          Int64.random(in: 1...head + 9, using: &random),
          epoch: Int64.random(in: max(epoch - 1, 1)...epoch, using: &random)))
    case 7:
      written += 1
      bench.queue.append(claimed(written, in: "c\(written % 3)"))
      bench.tell(.outboxChanged)
    case 8: bench.gaps.append(Stretch("c\(Int.random(in: 0..<3, using: &random))", 1...4))
    case 9: bench.tell(.wanted("c\(Int.random(in: 0..<3, using: &random))"))
    case 10:
      bench.waiting.append(
        WaitingReceipt(event: claimed(written + 1_000).event, delivered: 1, read: 1))
    case 11: bench.now += Int64.random(in: 0...600_000, using: &random)
    case 12: bench.now -= Int64.random(in: 0...600_000, using: &random)
    case 13: bench.failure = Bool.random(using: &random) ? .busy(path: "x") : nil
    case 14: bench.tell(.woke)
    default:
      guard let place = bench.asked.indices.randomElement(using: &random) else { return }
      let request = bench.asked.remove(at: place)
      let answer: SyncAnswer =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .failed(.unreachable)
        case 1: .failed(.retryable(after: Bool.random(using: &random) ? 1_500 : nil))
        default: self.answer(to: request)
        }
      settle(request, answer)
    }
  }

  /// Everything is answered as it should be, for as long as something is asked.
  func heal() {
    bench.failure = nil
    // What a claim gave and nobody took is due again.
    for _ in 0..<3 where !bench.isEnded {
      bench.now += 3_700_000
      bench.tell(.pushed(.connected))
      bench.tell(.outboxChanged)
      var rounds = 0
      while let request = bench.asked.first, rounds < 2_000 {
        rounds += 1
        bench.asked.removeFirst()
        settle(request, answer(to: request))
        if isQuiet, let wake = bench.wake, wake - bench.now < 3_600_000, rounds < 1_000 {
          bench.now = max(bench.now, wake)
          bench.tell(.woke)
        }
      }
    }
  }

  private func settle(_ request: SyncRequest, _ answer: SyncAnswer) {
    switch (request, answer) {
    case (.send, .accepted(let acceptance)) where acceptance.epoch == bench.epoch: break
    // Let go of or put off: it is claimed again.
    case (.send(let claimed), _): bench.queue.append(claimed)
    case (.history(let conversation, _), .history(let history)) where history.epoch == bench.epoch:
      bench.gaps.removeAll { $0.conversation == conversation }
    case (.receipt(let receipt), .accepted(let acceptance)) where acceptance.epoch == bench.epoch:
      _ = receipt
    case (.receipt(let receipt), _): bench.waiting.append(receipt)
    default: break
    }
    bench.tell(.answered(request, answer))
  }

  private func answer(to request: SyncRequest) -> SyncAnswer {
    switch request {
    case .register, .release: return .done
    case .inbox(let cursor, let limit):
      if cursor < floor { return .failed(.expired(head: head, epoch: epoch)) }
      let next = max(cursor, min(head, cursor + Int64(limit)))
      return .page(
        InboxPage(epoch: epoch, base: cursor, next: next, more: next < head, items: []))
    case .overview:
      return .overview(Overview(epoch: epoch, head: head, conversations: []))
    case .history(_, let range):
      return .history(History(epoch: epoch, answers: range.map { .none($0) }))
    case .send, .receipt: return .accepted(Acceptance(seq: 1, epoch: epoch))
    }
  }
}
