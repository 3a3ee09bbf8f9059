import Coffer
import CofferKeys
import CofferSystem

/// Two processes open and close a store and write to it, while a third receives pages.
struct ReopenRun {
  struct Report: Sendable, Equatable {
    var reopens = 0
    /// Pages that the third process was told are committed.
    var pages = 0
    /// Messages that those pages held, and those that are there.
    var expected: Int64 = 0
    var found: Int64 = 0
    /// Messages that were accepted to be sent, and those that wait.
    var sent = 0
    var waiting: Int64 = 0
    var isClean = false

    var isSound: Bool { isClean && expected <= found && Int64(sent) == waiting }
    var lost: Int64 { max(0, expected - found) + max(0, Int64(sent) - waiting) }
  }

  let executable: String
  let folder: String
  let seed: UInt64

  func run(reopens: Int) async throws -> Report {
    let store = "\(folder)/shared"
    let keyFile = "\(folder)/key"
    try Files.replace(
      keyFile, with: [UInt8](repeating: 1, count: 32), through: "\(keyFile).new")
    let made = try await Store.create(
      at: store, account: "ben", device: 1, with: NewSlot(.keyFile(KeyFile(path: keyFile))))
    try await made.receive(ChaosInbox(seed: seed).page(after: 0, until: ChaosInbox.pageSize))
    await made.close()

    var order = ChaosOrder(store: store, keyFile: keyFile, seed: seed, last: .max)
    let receiver = try start(order)
    order.reopens = reopens
    let first = try start(order)
    let second = try start(order)
    var report = Report()
    report.reopens = 2 * reopens
    // A full pipe would hold a child up: the two write a few bytes, and the third is drained first
    // once it is killed, which ends it in the middle of whatever it does.
    for child in [try finish(first), try finish(second)] { report.sent += child }
    receiver.kill()
    report.pages = try count(.commit, of: receiver)
    _ = try receiver.wait()

    let opened = try await Store.open(at: store, with: .keyFile(KeyFile(path: keyFile)))
    let facts = try await opened.information()
    report.isClean = try await opened.verify().isClean
    report.waiting = facts.pending
    report.found = facts.messages - facts.pending
    report.expected = Int64(report.pages + 1) * ChaosInbox.pageSize
    let cursor = try await opened.cursor()
    await opened.close()
    guard cursor == report.found else { throw ChaosFailure.cursorDiffers }
    return report
  }

  private func start(_ order: ChaosOrder) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      executable, ChaosChildArguments.encode(order), piped: ChaosChild.marks, silenced: [0, 1])
  }

  private func finish(_ child: consuming ChildProcess) throws -> Int {
    let sent = try count(.sent, of: child)
    guard try child.wait() == .exited(0) else { throw ChaosFailure.childFailed }
    return sent
  }

  /// Reads a child's marks until it ends.
  private func count(
    _ mark: ChaosChild.Mark, of child: borrowing ChildProcess
  ) throws(SystemError) -> Int {
    var count = 0
    while let bytes = try child.read(limit: 4096) {
      count += bytes.count { $0 == mark.rawValue }
    }
    return count
  }
}
