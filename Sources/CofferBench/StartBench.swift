import CofferSystem

/// How long a static `coffer --version` takes from start to end, beside `/bin/true`.
struct StartBench {
  let options: Options
  let report: Report

  private static let runs = 300

  func run() throws {
    guard let binary = options.staticBinary else {
      return try skip("no --static FILE was given")
    }
    guard (try? Files.status(binary).isRegularFile) == true else {
      return try skip("there is no file \(binary)")
    }
    var ours = Fastest()
    var other = Fastest()
    for _ in 0..<Self.runs {
      ours.note(nanoseconds: try Self.time(binary, ["--version"]))
      other.note(nanoseconds: try Self.time("/bin/true", []))
    }
    try report.add(
      Measurement(
        name: "start", rows: 0, unit: .milliseconds, ours: ours.seconds * 1e3,
        otherName: "true", other: other.seconds * 1e3, limit: 4 * options.slack))
  }

  private func skip(_ reason: String) throws {
    try report.add(Skipped(name: "start", reason: reason))
  }

  /// Elapsed time of one run.
  private static func time(_ binary: String, _ arguments: [String]) throws -> Int64 {
    let start = Clock.monotonicNanoseconds
    let ending = try ChildProcess(binary, arguments, silenced: [1, 2]).wait()
    let elapsed = Clock.monotonicNanoseconds - start
    guard ending == .exited(0) else { throw BenchError.failed("\(binary) ended with \(ending)") }
    return elapsed
  }
}
