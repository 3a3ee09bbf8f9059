import CofferCoding
import CofferSystem
import Testing

@testable import CofferCommands

/// No secret and no message text stands in what the tool says when something is wrong.
@Suite struct LeakTests {
  private static let passphrase = "MARKER-passphrase-7f3a9c"
  private static let message = "MARKER-message-51be08"

  private static func assertClean(_ outcome: Scratch.Outcome, _ what: String) {
    let all = outcome.out + outcome.error
    #expect(!all.contains("MARKER"), "\(what): \(all)")
    for secret in [passphrase, message] {
      let bytes = Array(secret.utf8)
      #expect(!all.contains(Hexadecimal.encode(bytes)), "\(what)")
      #expect(!all.contains(Base64.encode(bytes).prefix(16)), "\(what)")
    }
    #expect(!all.lowercased().contains("token") && !all.contains("near \""), "\(what)")
  }

  @Test func noErrorHoldsASecret() async throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try await scratch.makeStore("p.coffer", passphrase: Array(Self.passphrase.utf8))
    try scratch.write("wrong", Self.passphrase + "x")
    try scratch.write("key", Array(Self.passphrase.utf8))
    try scratch.write("nul", Self.passphrase + "\0")
    try scratch.write("invalid", Array(Self.passphrase.utf8) + [0xff])
    let command = "printf '\(Self.passphrase)'"
    for options in [
      ["--passphrase-file", "wrong"], ["--key-file", "key"], ["--recovery-file", "wrong"],
      ["--passphrase-file", "nul"], ["--passphrase-file", "invalid"],
      ["--passphrase-command", "\(command); exit 3"], ["--passphrase-command", "\(command)y"],
      ["--passphrase-command", command, "--passphrase-file", "wrong"],
      ["--passphrase-command", command, "--passphrase-command", command],
    ] {
      for verb in [["info"], ["key", "check"], ["verify"]] {
        let outcome = try scratch.run(verb + ["p.coffer"] + options)
        #expect(outcome.code != 0)
        Self.assertClean(outcome, "\(verb) \(options[0]) \(outcome.code)")
      }
    }
    let damaged = ["info", "p.coffer", "--passphrase-command", command]
    #expect(try scratch.run(damaged).code == 0)
    let database = scratch.path("p.coffer/store-1.db")
    let content = try Files.content(of: database, limit: 1 << 24)
    try Files.remove(database)
    try scratch.write("p.coffer/store-1.db", [1, 2] + content.dropFirst(2))
    let outcome = try scratch.run(damaged)
    #expect(outcome.code == 65)
    Self.assertClean(outcome, "damaged page")
  }

  @Test func noErrorHoldsTheTextOfAMessage() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let secret = ["--key-file", "ann.key"]
    let id = "0190b3c8-7a10-7c3f-8d52-000000000001"
    func item(_ text: String) -> String {
      """
      {"inbox":1,"conversation":"hiking","seq":1,"sender":"bob","device":1,"id":"\(id)",\
      "sent_at":1,"message":{"text":"\(text)"}}
      """
    }
    let first = "{\"page\":{\"base\":0,\"next\":1,\"items\":[\(item(Self.message))]}}"
    Self.assertClean(
      try scratch.run(["receive", "ann.coffer"] + secret, input: first), "receive")
    for line in [
      "{\"\(Self.message)\":1}", "{\"page\":{\"\(Self.message)\":1}}", "{\"push\":\(Self.message)}",
      "{\"ack\":{\"id\":\"\(Self.message)\",\"seq\":1}}", "\"\(Self.message)\"", Self.message,
      "{\"page\":{\"base\":\"\(Self.message)\",\"next\":1,\"items\":[]}}",
      "{\"items\":[\(item(Self.message))",
      "{\"page\":{\"base\":9,\"next\":10,\"items\":[\(item(Self.message))]}}",
    ] {
      let outcome = try scratch.run(["receive", "ann.coffer"] + secret, input: line)
      #expect(outcome.code == 65 || outcome.code == 73, "\(line)")
      Self.assertClean(outcome, line)
    }
    for options in [["--id", id], ["--id", "\(id)0"]] {
      let send = ["send", "ann.coffer", "hiking"] + options + secret
      _ = try scratch.run(send, input: "other")
      Self.assertClean(try scratch.run(send, input: Self.message), "send \(options)")
    }
    let set = "{\"push\":\(item("\\ud83d \(Self.message)").replacing("box\":1", with: "box\":2"))}"
    _ = try scratch.run(["receive", "ann.coffer"] + secret, input: set)
    Self.assertClean(try scratch.run(["quarantine", "ann.coffer"] + secret), "quarantine")
    Self.assertClean(try scratch.run(["verify", "ann.coffer"] + secret), "verify")
    let read = try scratch.shell(
      "coffer read ann.coffer hiking --key-file ann.key > /dev/full")
    #expect(read.code == 74)
    Self.assertClean(read, "read")
  }
}
