import CofferSystem
import Testing

@testable import CofferCommands

/// The kill test in small; `coffer chaos` is the same for as long as one likes.
@Suite(.serialized) struct ChaosTests {
  let folder: String
  init() throws { folder = try Files.makeTemporaryFolder("coffer-chaos-test") }

  /// The command that was built beside these tests.
  private static func executable() throws -> String {
    "\(Files.parent(of: try ThisProcess.executablePath()))/coffer"
  }

  private func run(_ cursor: ChaosCursor) throws -> ChaosRun {
    try ChaosRun(
      executable: Self.executable(), folder: folder, seed: UInt64.random(in: 0 ... .max),
      cursor: cursor)
  }

  @Test func noKillLosesOrDoublesAMessage() async throws {
    var run = try run(.store)
    try await run.run(kills: 30) { _ in }
    #expect(run.report.isSound, "seed \(run.seed): \(run.report)")
    #expect(run.report.kills == 30)
    #expect(run.report.inPage > 15)
    #expect(run.report.behind == 0)
    try Files.removeTree(folder)
  }

  @Test func aCursorInAnotherFileLosesMessagesAndIsFoundOut() async throws {
    var run = try run(.settingsFile)
    try await run.run(kills: 10) { _ in }
    #expect(!run.report.isSound, "seed \(run.seed): \(run.report)")
    #expect(run.report.lost > 0)
    try Files.removeTree(folder)
  }

  @Test func everyCallIsAllOrNothingWhenItsProcessIsKilled() async throws {
    var run = try await KillRun(
      executable: Self.executable(), folder: folder, seed: UInt64.random(in: 0 ... .max))
    try await run.run(kills: 40) { _ in }
    #expect(run.report.isSound, "seed \(run.seed): \(run.report)")
    #expect(run.report.inTransaction >= 24, "seed \(run.seed): \(run.report)")
    try Files.removeTree(folder)
  }

  @Test func openingAndClosingTakesNobodysLocks() async throws {
    let report = try await ReopenRun(
      executable: Self.executable(), folder: folder, seed: 1
    ).run(reopens: 60)
    #expect(report.isSound, "\(report)")
    #expect(report.sent == 120)
    #expect(report.pages > 0)
    try Files.removeTree(folder)
  }
}
