import CofferSystem
import Testing

@testable import CofferCommands

/// Commands that change something, where they can't: one clear error, its exit code, and nothing
/// changed.
@Suite struct ChangeExitCodeTests {
  private static let someID = "0190b3c8-7a10-7c3f-8d52-000000000001"

  /// With STORE for the store, and HIKING for a conversation where there is one.
  static let commands: [[String]] = [
    ["send", "STORE", "HIKING"], ["mark-read", "STORE", "HIKING"],
    ["clear", "STORE", "HIKING", "--yes"], ["draft", "STORE", "HIKING"],
    ["draft", "STORE", "HIKING", "--set"], ["edit", "STORE", someID], ["delete", "STORE", someID],
    ["react", "STORE", someID, "👍"], ["retry", "STORE", someID], ["cancel", "STORE", someID],
    ["conversation", "title", "STORE", "HIKING"],
    ["conversation", "add", "STORE", "HIKING", "bob"],
    ["conversation", "remove", "STORE", "HIKING", "bob"],
    ["conversation", "leave", "STORE", "HIKING"], ["conversation", "close", "STORE", "HIKING"],
    ["gaps", "STORE", "HIKING", "--fill", "--relay", "relay"],
    ["sync", "STORE", "--relay", "relay"],
  ]

  private func words(_ command: [String], store: String) -> [String] {
    command.map { $0 == "STORE" ? store : $0 == "HIKING" ? "hiking" : $0 }
  }

  private func expect(
    _ code: Int32, _ scratch: Scratch, _ command: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try scratch.snapshot()
    let outcome = try scratch.run(command, input: "text")
    #expect(outcome.code == code, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.out.isEmpty, sourceLocation: sourceLocation)
    #expect(outcome.error.hasPrefix("error: "), sourceLocation: sourceLocation)
    #expect(try scratch.snapshot() == before, sourceLocation: sourceLocation)
  }

  @Test(arguments: commands)
  func withoutAStoreThereIsNothingToChange(command: [String]) throws {
    let scratch = try Scratch()
    try scratch.keyFile()
    try expect(66, scratch, words(command, store: "missing") + ["--key-file", "ann.key"])
  }

  @Test(arguments: commands)
  func aWrongKeyChangesNothing(command: [String]) throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try scratch.keyFile("other.key", 8)
    try expect(77, scratch, words(command, store: "ann.coffer") + ["--key-file", "other.key"])
  }

  /// An unknown conversation, message, entry or relay.
  @Test(arguments: commands)
  func whatIsUnknownIsNotFound(command: [String]) throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try expect(66, scratch, words(command, store: "ann.coffer") + ["--key-file", "ann.key"])
  }

  @Test(arguments: [
    ["edit", "STORE", "7"], ["delete", "STORE", "0190b3c8"], ["react", "STORE", "x", "👍"],
    ["retry", "STORE", "-"], ["cancel", "STORE", ""],
    ["mark-read", "STORE", "hiking", "--up-to", "0"],
    ["clear", "STORE", "hiking", "--yes", "--up-to", "x"], ["sync", "STORE"],
    ["send", "STORE", "hiking", "--reply-to", "7"], ["gaps", "STORE", "--fill"],
    ["conversation", "create", "STORE", "hiking"], ["conversation"], ["draft", "STORE"],
  ])
  func wrongWordsAreUsageErrors(command: [String]) throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try expect(64, scratch, words(command, store: "ann.coffer") + ["--key-file", "ann.key"])
  }

  @Test func aConversationIsMadeOnce() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let create = [
      "conversation", "create", "ann.coffer", "hiking", "bob", "--key-file", "ann.key",
    ]
    #expect(try scratch.run(create).code == 0)
    try expect(73, scratch, create)
  }
}

/// `sync --watch` in a process of its own.
@Suite struct WatchTests {
  @Test func whatIsWrittenMeanwhileIsPassedOnAndControlCEndsIt() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let outcome = try scratch.shell(
      """
      key='--key-file ann.key'
      coffer conversation create ann.coffer hiking bob $key > made
      coffer sync ann.coffer --relay relay --new-relay --watch $key > watched 2> watched.error &
      watch=$!
      printf 'Back before dark?' | coffer send ann.coffer hiking $key > sent
      tries=0
      until coffer outbox ann.coffer $key | grep -q 'Nothing waits'; do
        sleep 0.05; tries=$((tries + 1)); [ $tries -lt 200 ] || break
      done
      kill -INT $watch; wait $watch; echo "ended $?"
      coffer read ann.coffer hiking $key | tail -1
      """)
    #expect(outcome.out.hasPrefix("ended 0\n"), "\(outcome)")
    #expect(outcome.out.contains("✓   Back before dark?"), "\(outcome)")
    #expect(try scratch.read("watched").contains("2 events sent"))
    #expect(try scratch.read("watched.error").contains("Ctrl-C ends it"))
  }
}
