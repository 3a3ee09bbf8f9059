import Coffer
import CofferSystem

/// Runs the measurements that were asked for.
enum Bench {
  /// Gives the exit code.
  static func run(_ words: [String?]) async -> Int32 {
    do {
      guard let options = try Options(words) else {
        try StandardStream.output.write(Array(Options.help.utf8))
        return 0
      }
      let report = Report()
      let folder = try Files.makeTemporaryFolder("coffer-bench")
      defer { try? Files.removeTree(folder) }
      try await measure(options, folder, report)
      report.printTable()
      return report.isWithinLimits ? 0 : 1
    } catch BenchError.usage(let text) {
      Report.tell("error: \(text)\nhint: coffer-bench --help")
      return 64
    } catch BenchError.failed(let text) {
      Report.tell("error: \(text)")
    } catch {
      Report.tell("error: \(error)")
    }
    return 1
  }

  private static func measure(
    _ options: Options, _ folder: String, _ report: Report
  ) async throws {
    // Small things first, while this process is small too.
    if options.wants("start") { try StartBench(options: options, report: report).run() }
    if options.wants("memory") {
      try await MemoryBench(folder: folder, report: report).run()
    }
    let apply = ApplyBench(options: options, folder: folder, report: report)
    if options.wants("apply") { try await apply.intoEmptyStores() }
    guard options.wants("apply") || options.wants("open") else { return }

    let sizes = [10_000, 100_000, options.rows].filter { $0 <= options.rows }
    var stores: [BigStore] = []
    for rows in Set(options.wants("open") ? sizes : [options.rows]).sorted() {
      stores.append(try await BigStore(rows: rows, in: folder))
    }
    if options.wants("open") {
      try await OpenBench(options: options, report: report, stores: stores).run()
    }
    if let biggest = stores.last {
      if options.wants("apply") {
        let seed = try BigSeed(rows: biggest.rows, key: biggest.file.key, in: folder)
        try await apply.into(biggest, seed: seed)
      }
      try await verify(biggest)
    }
    for store in stores { await store.file.store.close() }
  }

  /// The store that both sides have written to obeys every rule.
  private static func verify(_ big: BigStore) async throws {
    let start = Clock.monotonicNanoseconds
    let elapsed: @Sendable () -> String = {
      "\((Double(Clock.monotonicNanoseconds - start) / 1e9).fixed(1)) s"
    }
    let result = try await big.file.store.verify { step in
      Report.tell("verify, \(elapsed()): \(step.rawValue)")
    }
    guard result.isClean else { throw BenchError.failed("verify: \(result.findings)") }
    Report.tell("verified \(result.messages) messages in \(elapsed()): clean")
  }
}
