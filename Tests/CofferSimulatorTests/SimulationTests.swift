import CofferSystem
import Testing

@testable import CofferSimulator

@Suite struct SimulationTests {
  @Test func scratch() async throws {
    let first = UInt64(ThisProcess.environment("SEED") ?? "1") ?? 1
    let count = UInt64(ThisProcess.environment("SEEDS") ?? "3") ?? 3
    var levers = LeverCounts()
    for seed in first..<first + count {
      let start = Clock.monotonicMilliseconds
      var options = Simulation.Options()
      if ThisProcess.environment("TRACE") != nil { options.trace = { print("T", $0) } }
      let report = try await Simulation(seed: seed, options: options).run()
      levers.add(report.levers)
      print(
        "seed \(seed) steps \(report.steps) calls \(report.calls) reopens \(report.reopens) events \(report.events) ms \(Clock.monotonicMilliseconds - start)"
      )
      for v in report.violations.prefix(5) { print("  VIOLATION \(v)") }
      #expect(report.violations.isEmpty)
    }
    for lever in Lever.allCases { print("  \(lever.rawValue): \(levers[lever])") }
  }
}
