import Synchronization
import Testing

@testable import CofferSimulator

/// The simulation in small; `coffer chaos --seeds` is the same for as long as one likes.
@Suite struct SimulationTests {
  @Test func noSeedBreaksARule() async throws {
    let first = UInt64.random(in: 0 ... .max >> 1)
    for seed in first..<first + 3 {
      let report = try await Simulation(seed: seed).run()
      #expect(report.violations.isEmpty, "seed \(seed)")
      #expect(report.steps > 100 && report.events > 0, "seed \(seed)")
    }
  }

  @Test func theSameSeedIsTheSameRunToTheLastStep() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    let (first, second) = (Recorder(), Recorder())
    let report = try await Simulation(seed: seed, options: first.options).run()
    #expect(try await Simulation(seed: seed, options: second.options).run() == report)
    let difference = zip(first.lines, second.lines).first { $0 != $1 }
    #expect(difference == nil && first.lines.count == second.lines.count, "seed \(seed)")
  }

  @Test func thingsHappenInTheOrderOfTheirTimes() {
    var schedule = Schedule<Int>()
    for (number, time) in [5, 1, 5, 3, 1].enumerated() { schedule.plan(number, at: Int64(time)) }
    schedule.removeAll { $0 == 3 }
    var order: [Int] = []
    while let next = schedule.next() { order.append(next.happening) }
    #expect(order == [1, 4, 0, 2])
  }
}

/// Keeps what a run says.
private final class Recorder: Sendable {
  private let kept = Mutex<[String]>([])
  var lines: [String] { kept.withLock { $0 } }

  var options: Simulation.Options {
    var options = Simulation.Options()
    options.acts = 60
    // When, who and what; what dictionaries and sets hold is printed in the order of a hash.
    options.trace = { line in
      self.kept.withLock { $0.append(String(line.prefix { $0 != "(" })) }
    }
    return options
  }
}
