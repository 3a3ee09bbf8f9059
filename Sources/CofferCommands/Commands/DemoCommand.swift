import Coffer
import CofferKeys
import CofferSystem

enum DemoCommand: Command {
  static let name = "demo"
  static let summary = "Show what a store does, in a minute and a temporary folder"
  static let discussion = """
    Makes a store, receives a conversation in many pages, kills itself with SIGKILL in the middle \
    several times, goes on, checks everything, shows the conversation, and what a thief would see of \
    the files. Leaves nothing behind.
    """
  static let keep = Option.flag("keep", "leave the store for a look")
  static let options = [OptionSection([keep])]
  static let examples = ["coffer demo"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    do {
      let folder = try Files.makeTemporaryFolder("coffer-demo")
      let demo = Demo(folder: folder, output: output, seed: 7)
      let isClean = try await demo.run()
      if input.has(keep) {
        output.line()
        output.line("The store stays, and so does the key file that opens it:")
        output.line("  coffer read \(demo.store) hiking --key-file \(demo.keyFile)")
      } else {
        try Files.removeTree(folder)
      }
      guard isClean else { throw CommandFailure(.badData, "the store is not clean") }
    } catch { throw ChaosCommand.failure(error) }
  }
}

/// The story that `demo` tells, step by step.
struct Demo {
  let folder: String
  let output: Output
  let seed: UInt64

  var store: String { "\(folder)/ben.coffer" }
  var keyFile: String { "\(folder)/ben.key" }

  private static let messages: Int64 = 3_000
  private static let kills = 5
  /// About as many moments as one page has: each statement has one before and one after it.
  private static let momentsInAPage = 310

  /// Whether the store is clean at the end.
  func run() async throws -> Bool {
    output.line("Coffer: an encrypted store for a messaging client, in six steps")
    try await make()
    try await receive()
    let isClean = try await check()
    try await show()
    try spy()
    output.line()
    output.line(
      isClean
        ? "Done: nothing lost, nothing doubled, every page and every rule as it should be."
        : "Done, and not as it should be: see above.")
    return isClean
  }

  private func step(_ number: Int, _ text: TerminalText) {
    output.line()
    output.line("\(number). \(text)")
  }

  private func open() async throws -> Store {
    try await Store.open(at: store, with: .keyFile(KeyFile(path: keyFile)))
  }

  // MARK: Steps

  private func make() async throws {
    step(1, "A new store for Ben's phone, opened by a key file of 32 random bytes.")
    var random = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    try Files.replace(keyFile, with: key, through: "\(keyFile).new")
    let made = try await Store.create(
      at: store, account: "ben", device: 1,
      with: NewSlot(.keyFile(KeyFile(path: keyFile)), label: "demo"))
    let facts = try await made.information()
    output.line("   \(store), SQLCipher \(facts.cipherVersion)")
    await made.close()
  }

  private func receive() async throws {
    let pages = Self.messages / ChaosInbox.pageSize
    step(2, "Ben was away: \(grouped: Self.messages) messages in \(pages) pages wait for him.")
    output.line("   Each page and the cursor that counts it commit together, or not at all.")
    step(3, "The app is killed in the middle of it, \(Self.kills) times (SIGKILL, no warning).")
    var order = ChaosOrder(store: store, keyFile: keyFile, seed: seed, last: Self.messages)
    for kill in 1...Self.kills {
      // Some pages on, in the middle of one.
      order.killAt = Self.momentsInAPage * (5 + kill) + 40 * kill
      guard try child(order) == .killed(signal: 9) else { throw ChaosFailure.childFailed }
      let opened = try await open()
      let (cursor, held) = (try await opened.cursor(), try await opened.information().messages)
      await opened.close()
      output.line(
        "   killed, opened again: cursor at \(grouped: cursor), \(grouped: held) messages held\(held == cursor ? ", none missing" : ": THEY DIFFER")"
      )
    }
    order.killAt = nil
    guard try child(order) == .exited(0) else { throw ChaosFailure.childFailed }
    output.line("   the rest arrives in peace")
  }

  private func child(_ order: ChaosOrder) throws(SystemError) -> ChildProcess.Ending {
    try ChildProcess(
      ThisProcess.executablePath(), ChaosChildArguments.encode(order), piped: ChaosChild.marks,
      silenced: [0, 1]
    ).waitReading()
  }

  private func check() async throws -> Bool {
    step(4, "Everything is checked.")
    let opened = try await open()
    let output = output
    let result = try await opened.verify { output.line("   \($0.rawValue)") }
    let cursor = try await opened.cursor()
    await opened.close()
    for finding in result.findings { output.line("   FOUND: \(finding.text)") }
    let isWhole = result.messages == Self.messages && cursor == Self.messages
    output.line(
      "   \(result.isClean && isWhole ? "clean" : "NOT CLEAN"): \(grouped: result.messages) messages of \(grouped: Self.messages), cursor at \(grouped: cursor)"
    )
    return result.isClean && isWhole
  }

  private func show() async throws {
    step(5, "What Ben sees, newest last.")
    let opened = try await open()
    try await opened.send(Draft("On my way, save me some soup!", to: "hiking"))
    let page = try await opened.timeline(of: "hiking", limit: 9)
    await opened.close()
    for case .message(let message) in page.entries {
      let name = message.sender.padding(to: 5)
      let mark = message.state == .pending ? "  (waits for the network, safe on the disk)" : ""
      output.line("   \(name)  \(message.text ?? "")\(mark)")
    }
  }

  private func spy() throws {
    step(6, "What a thief sees of the same files.")
    // The store is closed: nothing in this process has these files open through SQLite.
    var hits = 0
    var size = 0
    for name in try Files.names(in: store) {
      let content = try Files.content(of: "\(store)/\(name)", limit: 1 << 28)
      size += content.count
      for word in ["soup", "hiking", "SQLite format 3"] where content.contains(Array(word.utf8)) {
        hits += 1
      }
    }
    let head = try OpenFile("\(store)/store-1.db", .read).readAll(limit: 47)
    for start in stride(from: 0, to: 48, by: 16) {
      let bytes = head[start..<(start + 16)]
      let hex = bytes.map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined(separator: " ")
      let text = String(
        decoding: bytes.map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: ".") },
        as: UTF8.self)
      output.line("   \(hex)  \(text)")
    }
    output.line("   “soup”, “hiking” or a database header in \(grouped: size) bytes: \(hits) times")
  }
}

extension ChildProcess {
  /// Reads its pipe to the end, so that it never waits for a reader, and then for its own end.
  consuming func waitReading() throws(SystemError) -> Ending {
    while try read(limit: 256) != nil {}
    return try wait()
  }
}

extension String {
  /// The text with spaces behind it, up to so many characters.
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
