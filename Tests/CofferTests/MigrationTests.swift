import CofferDatabase
import CofferSystem
import Testing

@testable import Coffer

/// Stores that older versions wrote, opened by this one.
@Suite struct MigrationTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// A copy of the fixture; files in a repository may be read by others, a store's may not.
  private func copyFixture(_ name: String) throws {
    let source = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    try Files.makeFolder(scratch.store)
    for file in try Files.names(in: "/\(source)/Fixtures/\(name)") {
      let content = try Files.content(
        of: "/\(source)/Fixtures/\(name)/\(file)", limit: 1 << 24)
      try Files.replace(
        "\(scratch.store)/\(file)", with: content, through: "\(scratch.folder)/copied")
    }
  }

  @Test func whatVersion1HeldIsAllThere() async throws {
    try copyFixture("version-1")
    let store = try await scratch.open()
    #expect(
      try await store.shown() == [
        "message 1", "message 2", "[3-4]", "message 4", "!6", "sent and acknowledged", "[8-9]",
        "still pending",
      ])
    #expect(
      try await store.shown("work") == [
        "message 3", "Grüße, 🌍", "[3-8]", "message 20", "pending too, ö",
      ])
    #expect(try await store.cursor() == 8)
    #expect(try await store.outbox().map(\.text) == ["still pending", "pending too, ö"])
    #expect(try await store.outbox().allSatisfy { $0.createdAt > 0 })
    #expect(try await store.quarantine().map(\.inbox) == [6])
    #expect(try await store.information().schemaVersion == 2)
    #expect(try await store.isClean())
  }
}
