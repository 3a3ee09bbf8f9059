import Coffer
import CofferSystem

/// How much memory `coffer receive` needs at most for 8,010 messages, beside an empty file.
struct MemoryBench {
  let folder: String
  let report: Report

  /// The worst run with messages is held against the best without.
  private static let runs = 3
  private static let limit = 24.0

  func run() async throws {
    let binary = try Files.parent(of: ThisProcess.executablePath()) + "/coffer"
    guard try Files.isThere(binary) else {
      return try report.add(Skipped(name: "memory", reason: "there is no \(binary)"))
    }
    let keyFile = "\(folder)/key"
    let empty = "\(folder)/empty.jsonl"
    let full = "\(folder)/pages.jsonl"
    try OpenFile(keyFile, .create).write(StoreFile.keyFileContent)
    _ = try OpenFile(empty, .create)
    try Self.writePages(to: full)

    var least = Int64.max
    var most: Int64 = 0
    for run in 0..<Self.runs {
      for (input, messages) in [(empty, 0), (full, ApplyBench.messages)] {
        let file = try await StoreFile(named: "memory-\(run)-\(messages)", in: folder)
        await file.store.close()
        let arguments = ["receive", file.store.path, input, "--key-file", keyFile]
        let peak = try Self.peak(binary, arguments)
        guard try await Self.count(file, keyFile) == messages else {
          return try report.add(
            Skipped(name: "memory", reason: "\(binary) receive did not receive the messages"))
        }
        if messages == 0 { least = min(least, peak) } else { most = max(most, peak) }
      }
    }
    try report.add(
      Measurement(
        name: "memory", rows: ApplyBench.messages, unit: .mebibytes,
        ours: Double(most) / 1_048_576, otherName: "empty", other: Double(least) / 1_048_576,
        comparison: .difference, limit: Self.limit))
  }

  private static func writePages(to path: String) throws {
    let workload = try Workload()
    let file = try OpenFile(path, .create)
    for line in workload.next(ApplyBench.messages).lines(of: ApplyBench.pageSize) {
      try file.write(line)
    }
  }

  private static func count(_ file: StoreFile, _ keyFile: String) async throws -> Int {
    let store = try await Store.open(
      at: file.store.path, with: .keyFile(try KeyFile(path: keyFile)))
    let messages = try await store.information().messages
    await store.close()
    return Int(messages)
  }

  /// The peak that the system noted (`VmHWM`), which only rises, as last seen before the end.
  private static func peak(_ binary: String, _ arguments: [String]) throws -> Int64 {
    let child = try ChildProcess(binary, arguments, silenced: [1, 2])
    var peak: Int64 = 0
    while let seen = child.peakMemory {
      peak = max(peak, seen)
      Clock.sleep(nanoseconds: 200_000)
    }
    let ending = try child.wait()
    guard ending == .exited(0) else { throw BenchError.failed("\(binary) ended with \(ending)") }
    return peak
  }
}
