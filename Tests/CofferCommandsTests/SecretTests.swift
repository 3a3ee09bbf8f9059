import CofferSystem
import Testing

@testable import CofferCommands

@Suite struct SecretTests {
  private func check(_ scratch: Scratch, _ options: [String], input: String = "") throws
    -> Scratch.Outcome
  {
    try scratch.run(["key", "check", "p.coffer"] + options, input: input)
  }

  /// A store that `correct horse` opens, and `pass` with it.
  private func passphraseStore() async throws -> Scratch {
    let scratch = try Scratch()
    try await scratch.makeStore("p.coffer", passphrase: Array("correct horse".utf8))
    try scratch.write("pass", "correct horse\n")
    return scratch
  }

  @Test func everySourceOpens() async throws {
    let scratch = try await passphraseStore()
    try scratch.keyFile()
    #expect(try check(scratch, ["--passphrase-file", "pass"]).code == 0)
    #expect(try check(scratch, ["--passphrase-file", "-"], input: "correct horse\n").code == 0)
    #expect(try check(scratch, ["--passphrase-command", "cat pass"]).code == 0)
    #expect(
      try check(scratch, ["--passphrase-command", "printf 'correct horse\\r\\n'"]).code == 0)

    let secret = ["--passphrase-file", "pass"]
    let added = try scratch.run(
      ["key", "add", "p.coffer", "--new-key-file", "ann.key"] + secret)
    #expect(added.code == 0, "\(added)")
    #expect(try check(scratch, ["--key-file", "ann.key"]).code == 0)

    let issued = try scratch.run(["key", "add", "p.coffer", "--new-recovery", "--json"] + secret)
    let start = try #require(issued.out.firstRange(of: "recovery_code\":\"")?.upperBound)
    let code = String(issued.out[start...].prefix(44))
    try scratch.write("code", code.lowercased())
    #expect(try check(scratch, ["--recovery-file", "code"]).code == 0)
    #expect(try check(scratch, ["--recovery-file", "-"], input: "  \(code)\n").code == 0)
  }

  @Test func twoSourcesForOneSecretAreNamed() async throws {
    let scratch = try await passphraseStore()
    let sources = [
      ["--passphrase-file", "pass"], ["--passphrase-command", "cat pass"],
      ["--key-file", "ann.key"], ["--recovery-file", "code"],
    ]
    for (index, first) in sources.enumerated() {
      for second in sources[(index + 1)...] {
        let outcome = try check(scratch, first + second)
        #expect(outcome.code == 64)
        #expect(outcome.error.contains("two sources"))
        #expect(outcome.error.contains(first[0]) && outcome.error.contains(second[0]))
      }
    }
    let new = try scratch.run([
      "key", "add", "p.coffer", "--passphrase-file", "pass", "--new-recovery", "--new-key-file",
      "ann.key",
    ])
    #expect(new.code == 64)
    #expect(new.error.contains("--new-key-file and --new-recovery"))
  }

  @Test func standardInputServesOnce() async throws {
    let scratch = try await passphraseStore()
    for command in [
      ["receive", "p.coffer"], ["receive", "p.coffer", "-"], ["send", "p.coffer", "x"],
      ["key", "add", "p.coffer", "--new-passphrase-file", "-"],
    ] {
      let outcome = try scratch.run(command + ["--passphrase-file", "-"], input: "correct horse\n")
      #expect(outcome.code == 64, "\(command)")
      #expect(outcome.error.contains("standard input can't be read twice"))
    }
    try scratch.write("empty.jsonl", "")
    let file = try scratch.run(
      ["receive", "p.coffer", "empty.jsonl", "--passphrase-file", "-"], input: "correct horse\n")
    #expect(file.code == 0, "\(file)")
  }

  @Test func withoutATerminalTheOptionsAreListed() async throws {
    let scratch = try await passphraseStore()
    let open = try check(scratch, [])
    #expect(open.code == 64)
    for option in ["--passphrase-file", "--passphrase-command", "--key-file", "--recovery-file"] {
      #expect(open.error.contains(option))
    }
    let create = try scratch.run(["create", "new", "--account", "a", "--device", "1"])
    #expect(create.code == 64)
    #expect(create.error.contains("there is no terminal"))
    #expect(try !Files.isThere(scratch.path("new")))
  }

  @Test(
    arguments: [
      ("exit 3", 1, "exit status 3"), ("cat pass; exit 4", 1, "exit status 4"),
      ("kill -9 $$", 1, "killed by signal 9"), ("true", 64, "the passphrase is empty"),
      ("no-such-command 2>/dev/null", 1, "exit status 127"), ("yes", 64, "longer than 65,536"),
      ("printf wrong", 77, "--passphrase-command opens no slot"),
    ] as [(String, Int32, String)])
  func aFailingCommandIsSaid(_ command: String, code: Int32, words: String) async throws {
    let scratch = try await passphraseStore()
    let outcome = try check(scratch, ["--passphrase-command", command])
    #expect(outcome.code == code)
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }

  @Test(arguments: [0, 1, 31, 33, 48, 64, 66, 100_000])
  func aKeyFileOfAnotherLengthIsRefused(length: Int) async throws {
    let scratch = try await passphraseStore()
    try scratch.write("key", [UInt8](repeating: 0xa5, count: length))
    let outcome = try check(scratch, ["--key-file", "key"])
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("needs 32 bytes"))
  }

  @Test(
    arguments: [
      ("/dev/zero", 64), ("/", 74), ("missing", 66),
    ] as [(String, Int32)])
  func whatIsNoKeyFileEndsAtOnce(path: String, code: Int32) async throws {
    let scratch = try await passphraseStore()
    for option in ["--key-file", "--passphrase-file", "--recovery-file"] {
      #expect(try check(scratch, [option, path]).code == code, "\(option) \(path)")
    }
  }

  @Test func aKeyFileOfDigitsIsTheSameKey() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try scratch.write("hex", String(repeating: "07", count: 32) + "\n")
    #expect(try scratch.run(["key", "check", "ann.coffer", "--key-file", "hex"]).code == 0)
  }

  @Test func othersWhoCanReadASecretAreAWarning() async throws {
    let scratch = try await passphraseStore()
    #expect(try check(scratch, ["--passphrase-file", "pass"]).error.isEmpty)
    _ = try scratch.shell("chmod 644 pass")
    let outcome = try check(scratch, ["--passphrase-file", "pass"])
    #expect(outcome.code == 0)
    #expect(outcome.error.contains("warning: others can read pass"))
  }

  @Test(arguments: ["test'123", "'", "''", "a\"b", "a;DROP TABLE x;--", "x\\'y", "%s %n", " "])
  func anyCharactersMakeAPassphrase(passphrase: String) async throws {
    let scratch = try Scratch()
    try await scratch.makeStore("p.coffer", passphrase: Array(passphrase.utf8))
    #expect(try check(scratch, ["--passphrase-file", "-"], input: passphrase).code == 0)
    let info = try scratch.run(["info", "p.coffer", "--passphrase-file", "-"], input: passphrase)
    #expect(info.code == 0)
    let doubled = passphrase.replacing("'", with: "''") + "x"
    #expect(try check(scratch, ["--passphrase-file", "-"], input: doubled).code == 77)
  }

  @Test func unicodeFormsOfAPassphraseAreOne() async throws {
    let scratch = try Scratch()
    try await scratch.makeStore("p.coffer", passphrase: Array("Zu\u{308}rich-e\u{301} ﬁ".utf8))
    let file = ["--passphrase-file", "-"]
    #expect(try check(scratch, file, input: "Z\u{fc}rich-\u{e9} ﬁ\n").code == 0)
    #expect(try check(scratch, file, input: "Z\u{fc}rich-\u{e9} fi\n").code == 77)
    #expect(try check(scratch, file, input: "Z\u{fc}rich-\u{e9}\u{a0}ﬁ\n").code == 77)
    try scratch.write("invalid", [0xc3, 0x28])
    let invalid = try check(scratch, ["--passphrase-file", "invalid"])
    #expect(invalid.code == 64)
    #expect(invalid.error.contains("not valid UTF-8") && invalid.error.contains("--key-file"))
  }

  @Test func anEmptyPassphraseMakesNothing() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    for input in ["", "\n", "\r\n"] {
      let create = try scratch.run(
        ["create", "new", "--account", "a", "--device", "1", "--passphrase-file", "-"],
        input: input)
      #expect(create.code == 64)
      #expect(create.error.contains("the passphrase is empty"))
      let add = try scratch.run(
        ["key", "add", "ann.coffer", "--key-file", "ann.key", "--new-passphrase-file", "-"],
        input: input)
      #expect(add.code == 64)
    }
    #expect(try !Files.isThere(scratch.path("new")))
    let slots = try scratch.run(["key", "list", "ann.coffer", "--json"]).out
    #expect(slots.count { $0 == "\n" } == 1)
  }

  @Test(arguments: [("1234", "4 letters"), ("", "0 letters"), ("code", "4 letters")])
  func aMistypedRecoveryCodeIsToldApart(code: String, words: String) throws {
    let scratch = try Scratch()
    _ = try scratch.run(["create", "p.coffer", "--account", "a", "--device", "1", "--recovery"])
    let outcome = try check(scratch, ["--recovery-file", "-"], input: code)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }
}
