import CofferDatabase
import CofferSystem
import Synchronization
import Testing

@testable import Coffer

/// Migrations while other processes come, and in processes that are killed.
@Suite(.serialized) struct MigrationProcessTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try OpenFile("\(scratch.folder)/key", .create).write([UInt8](repeating: 7, count: 32))
  }

  /// A process of its own that opens the store and shows what it is: the tool built beside these
  /// tests.
  private static func opener(_ scratch: Scratch) throws -> ChildProcess {
    let tools = Files.parent(of: try ThisProcess.executablePath())
    return try ChildProcess(
      "\(tools)/coffer", ["info", scratch.store, "--key-file", "\(scratch.folder)/key"],
      silenced: [0, 1])
  }

  private func expectMigrated(_ note: String = "") async throws {
    let before = try Fixtures.rows("version-1")
    let store = try await scratch.open()
    #expect(try await store.rows(of: before) == before, "\(note)")
    #expect(try await store.information().schemaVersion == Schema.version)
    #expect(try await store.isClean())
    await store.close()
  }

  @Test func aProcessThatOpensMeanwhileWaitsAndMigratesNothing() async throws {
    try scratch.copyFixture("version-1")
    let second = Mutex<ChildProcess?>(nil)
    let scratch = scratch
    var options = Store.Options()
    options.hook = StatementHook { moment, sql in
      guard moment == .before, sql.contains("DROP TABLE reactions") else { return }
      do {
        try second.withLock { $0 = try Self.opener(scratch) }
      } catch { Issue.record(error) }
      // Long enough for it to come to the lock.
      Clock.sleep(nanoseconds: 200_000_000)
    }
    let store = try await scratch.open(options: options)
    let child = second.withLock { $0.take() }
    let ending = try child?.wait()
    #expect(ending == .exited(0))
    await store.close()
    try await expectMigrated()
  }

  @Test func processesThatOpenAtOnceMigrateOnce() async throws {
    for _ in 0..<5 {
      try scratch.copyFixture("version-1")
      let first = try Self.opener(scratch)
      let second = try Self.opener(scratch)
      let third = try Self.opener(scratch)
      let endings = try [first.wait(), second.wait(), third.wait()]
      #expect(endings == [.exited(0), .exited(0), .exited(0)])
      try await expectMigrated()
    }
  }

  @Test func aProcessKilledWhileItOpensLosesNothing() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    var kills = 0
    for _ in 0..<40 {
      try scratch.copyFixture("version-1")
      let child = try Self.opener(scratch)
      Clock.sleep(nanoseconds: Int64.random(in: 0...25_000_000, using: &random))
      child.kill()
      if case .killed = try child.wait() { kills += 1 }
      try await expectMigrated("seed \(seed)")
    }
    #expect(kills > 0)
  }
}
