import CofferCoding
import CofferCrypto
import CofferSystem
import Testing

@testable import CofferCommands

/// Each class of bad input has its exit code, one clear error, and changes nothing.
@Suite struct ExitCodeTests {
  /// Runs and expects a failure that says `words`, on standard error alone.
  private func expect(
    _ code: Int32, _ words: String, _ scratch: Scratch, _ command: [String], input: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try scratch.snapshot()
    let outcome = try scratch.run(command, input: input)
    #expect(outcome.code == code, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.out.isEmpty, sourceLocation: sourceLocation)
    #expect(outcome.error.hasPrefix("error: "), sourceLocation: sourceLocation)
    #expect(outcome.error.contains(words), "\(outcome.error)", sourceLocation: sourceLocation)
    let after = try scratch.snapshot()
    #expect(Set(after.keys) == Set(before.keys), sourceLocation: sourceLocation)
    #expect(after == before, "files changed", sourceLocation: sourceLocation)
  }

  static let onStores: [[String]] = [
    ["info"], ["key", "list"], ["key", "check"], ["key", "add", "--new-recovery"], ["receive"],
    ["conversations"], ["gaps"], ["outbox"], ["quarantine"], ["verify"],
  ]

  @Test(arguments: onStores)
  func aMissingPathIsNotFoundAndNothingIsMade(command: [String]) throws {
    let scratch = try Scratch()
    try scratch.keyFile()
    let secret = command == ["key", "list"] ? [] : ["--key-file", "ann.key"]
    try expect(66, "there is nothing at missing", scratch, command + ["missing"] + secret)
  }

  @Test func createOverAnythingIsForbidden() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try scratch.write("file", "text")
    try Files.makeFolder(scratch.path("folder"))
    _ = try scratch.shell("ln -s nowhere dangling")
    for name in ["ann.coffer", "ann.coffer/", "file", "folder", "dangling"] {
      try expect(
        73, "is there already", scratch,
        ["create", name, "--account", "ann", "--device", "1", "--key-file", "ann.key"])
    }
    #expect(try scratch.shell("readlink dangling").out == "nowhere\n")
  }

  @Test(arguments: [
    ("plain.db", "an unencrypted SQLite database"), ("empty", "an empty file"),
    ("image.png", "a file"), ("folder", "a folder"), ("/dev/null", "a file"),
  ])
  func whatIsNoStoreIsNamed(name: String, kind: String) throws {
    let scratch = try Scratch()
    try scratch.keyFile()
    try scratch.write(
      "plain.db", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84))
    try scratch.write("empty", "")
    try scratch.write("image.png", [0x89, 0x50, 0x4e, 0x47])
    try Files.makeFolder(scratch.path("folder"))
    try expect(65, "\(name) is \(kind)", scratch, ["info", name, "--key-file", "ann.key"])
  }

  @Test func damageIsToldApartFromAWrongKey() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try scratch.keyFile("other.key", 8)
    let open = ["info", "ann.coffer", "--key-file"]
    try expect(77, "wrong key", scratch, open + ["other.key"])

    let keyring = try scratch.read("ann.coffer/keyring")
    func put(_ name: String, _ text: String) throws {
      try Files.removeIfThere(scratch.path(name))
      try scratch.write(name, text)
    }
    func both(_ text: String) throws {
      try put("ann.coffer/keyring", text)
      try put("ann.coffer/keyring.copy", text)
    }
    try both(keyring.replacing("revision 1", with: "revision 2"))
    try expect(65, "digest", scratch, open + ["ann.key"])
    try both(Self.sealed(keyring.replacing("coffer-keyring 1", with: "coffer-keyring 2")))
    try expect(65, "newer version", scratch, open + ["ann.key"])
    try both("hello\n")
    try expect(65, "damaged", scratch, open + ["ann.key"])
    try Files.remove(scratch.path("ann.coffer/keyring"))
    try expect(65, "no `keyring`", scratch, open + ["ann.key"])
    try both(keyring)

    let database = try Files.content(of: scratch.path("ann.coffer/store-1.db"), limit: 1 << 24)
    try Files.remove(scratch.path("ann.coffer/store-1.db"))
    try expect(65, "is missing", scratch, open + ["ann.key"])
    try scratch.write("ann.coffer/store-1.db", [0xff, 0xff] + database.dropFirst(2))
    let outcome = try scratch.run(open + ["ann.key"])
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("first page"))
  }

  /// A keyring with the digest that belongs to its content, though not its code.
  private static func sealed(_ keyring: String) throws -> String {
    let end = try #require(keyring.firstRange(of: "digest ")?.lowerBound)
    let text = String(keyring[..<end])
    let digest = unsafe try BLAKE2b.hash(Array(text.utf8).span.bytes)
    return "\(text)digest \(Hexadecimal.encode(digest))\nmac \(String(repeating: "0", count: 64))\n"
  }

  @Test func verifyFindsADamagedPage() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let path = scratch.path("ann.coffer/store-1.db")
    var database = try Files.content(of: path, limit: 1 << 24)
    database[3 * 4096 + 100] ^= 1
    try Files.remove(path)
    try scratch.write("ann.coffer/store-1.db", database)
    let outcome = try scratch.run(["verify", "ann.coffer", "--key-file", "ann.key"])
    #expect(outcome.code == 65)
    #expect(outcome.out.contains("found in the pages"))
    #expect(outcome.error.contains("not as it should be"))
  }

  @Test func aCleanStoreVerifies() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let outcome = try scratch.run(["verify", "ann.coffer", "--key-file", "ann.key"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.out.hasSuffix("clean: 0 messages in 0 conversations, 122 kB\n"))
    #expect(outcome.error.isEmpty)
  }

  @Test func aFullDeviceIsAnInputOutputError() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    for command in [
      "coffer info ann.coffer --key-file ann.key", "coffer --version", "coffer help",
      "coffer key list ann.coffer",
    ] {
      let outcome = try scratch.shell("\(command) > /dev/full")
      #expect(outcome.code == 74, "\(command)")
      #expect(outcome.error.contains("No space left on device"))
    }
  }

  @Test func aRecoveryCodeThatCouldNotBeWrittenIsSaid() throws {
    let scratch = try Scratch()
    let outcome = try scratch.shell(
      "coffer create a --account ann --device 1 --recovery > /dev/full")
    #expect(outcome.code == 74)
    #expect(outcome.error.contains("recovery code could not be written"))
  }

  @Test func wrongValuesAreUsageErrors() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let create = ["create", "new", "--key-file", "ann.key"]
    try expect(64, "--device", scratch, create + ["--account", "a", "--device", "0"])
    try expect(64, "an account", scratch, create + ["--account", "", "--device", "1"])
    try expect(
      64, "64 bytes", scratch,
      create + ["--account", "a", "--device", "1", "--label", String(repeating: "x", count: 65)])
    try expect(
      64, "--kdf takes interactive, moderate or sensitive", scratch,
      create + ["--account", "a", "--device", "1", "--kdf", "cheap"])
    try expect(
      66, "no folder", scratch,
      ["create", "no/where", "--account", "a", "--device", "1", "--key-file", "ann.key"])
    let secret = ["--key-file", "ann.key"]
    try expect(
      64, "--before", scratch, ["read", "ann.coffer", "x", "--before", "7"] + secret)
    try expect(64, "--limit", scratch, ["read", "ann.coffer", "x", "--limit", "0"] + secret)
    try expect(64, "--id", scratch, ["send", "ann.coffer", "x", "--id", "7"] + secret)
    try expect(64, "a slot is", scratch, ["key", "remove", "ann.coffer", "7"] + secret)
  }

  @Test func slotsFollowTheirRules() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let secret = ["--key-file", "ann.key"]
    let list = try scratch.run(["key", "list", "ann.coffer", "--json"]).out
    let slot = String(list.dropFirst(9).prefix(16))
    try expect(
      66, "no slot", scratch, ["key", "remove", "ann.coffer", "0000000000000000"] + secret)
    let last = try scratch.run(["key", "remove", "ann.coffer", slot] + secret)
    #expect(last.code == 73)
    #expect(last.error.contains("the last slot"))

    try scratch.keyFile("new.key", 9)
    let changed = try scratch.run(
      ["key", "change", "ann.coffer", slot, "--new-key-file", "new.key"] + secret)
    #expect(changed.code == 0)
    #expect(try scratch.run(["key", "check", "ann.coffer"] + secret).code == 77)
    let check = try scratch.run(["key", "check", "ann.coffer", "--key-file", "new.key"])
    #expect(check.code == 0)
  }
}

extension String {
  /// Every occurrence of one text changed for another.
  func replacing(_ old: String, with new: String) -> String {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return (parts + [rest]).joined(separator: new)
  }
}
