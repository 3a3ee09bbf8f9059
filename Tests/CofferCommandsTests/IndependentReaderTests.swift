import Coffer
import CofferKeys
import CofferSystem
import Testing

@testable import CofferCommands

/// A store is opened without Coffer: keys by Python, pages by the `sqlcipher` shell.
///
/// Where Python's `cryptography` and `argon2-cffi` or the shell are not installed, this says that it
/// was skipped; `Keys/vectors` is checked everywhere.
@Suite struct IndependentReaderTests {
  private static let script = "\(Files.parent(of: #filePath))/../../Keys/generate/read_store.py"

  static let canRun: Bool = {
    let probe = "command -v sqlcipher && python3 -c 'import argon2, cryptography'"
    guard let child = try? ChildProcess("/bin/sh", ["-c", probe], silenced: [0, 1, 2]) else {
      return false
    }
    return (try? child.wait()) == .exited(0)
  }()

  @Test(.enabled(if: canRun, "needs sqlcipher, and Python with argon2-cffi and cryptography"))
  func pythonAndTheShellReadWhatCofferWrote() async throws {
    let folder = try Files.makeTemporaryFolder("coffer-reader")
    defer { try? Files.removeTree(folder) }
    let run = try SampleStore(folder: folder)
    try await run.make()
    let child = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", Self.script, run.store, "keyfile", run.keyFile,
        "SELECT 'cursor ' || value FROM sync_state WHERE key = 'inbox_cursor'",
      ], piped: 1)
    var output: [UInt8] = []
    while let bytes = try child.read(limit: 4096) { output += bytes }
    #expect(try child.wait() == .exited(0))
    #expect(String(decoding: output, as: UTF8.self).contains("cursor 50"))
  }
}

private struct SampleStore {
  let store: String
  let keyFile: String

  init(folder: String) throws {
    store = "\(folder)/store"
    keyFile = "\(folder)/key"
    try Files.replace(
      keyFile, with: (0..<32).map { UInt8($0) }, through: "\(keyFile).new")
  }

  func make() async throws {
    let made = try await Store.create(
      at: store, account: "ben", device: 1, with: NewSlot(.keyFile(KeyFile(path: keyFile))))
    try await made.receive(ChaosInbox(seed: 1).page(after: 0, until: 50))
    await made.close()
  }
}
