import Coffer
import CofferKeys
import CofferSystem
import Testing

@testable import CofferCommands

/// A folder for one test, removed with it, in which the built tool runs.
final class Scratch {
  struct Outcome: Equatable {
    let code: Int32
    let out: String
    let error: String
  }

  let folder: String

  init() throws { folder = try Files.makeTemporaryFolder("coffer-commands-test") }
  deinit { try? Files.removeTree(folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try OpenFile(path(name), .create).write(bytes)
    return path(name)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Files.content(of: path(name), limit: 1 << 28), as: UTF8.self)
  }

  /// Every file below the folder with its content.
  func snapshot(_ below: String = "") throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try Files.names(in: path(below)) {
      let relative = below.isEmpty ? name : "\(below)/\(name)"
      // A dangling link has no status.
      guard let status = try? Files.status(path(relative)) else {
        found["\(relative)@"] = []
        continue
      }
      if status.isFolder {
        found.merge(try snapshot(relative)) { first, _ in first }
        found["\(relative)/"] = []
      } else if !name.hasPrefix(".output") {
        found[relative] = try Files.content(of: path(relative), limit: 1 << 28)
      }
    }
    return found
  }

  /// Runs the tool in the folder, without a terminal; `input` is its standard input.
  @discardableResult
  func run(_ words: [String], input: String = "") throws -> Outcome {
    let quoted = words.map(Self.quoted).joined(separator: " ")
    return try shell("coffer \(quoted)", input: input)
  }

  /// Runs a script in the folder, where `coffer` is the built tool.
  func shell(_ script: String, input: String = "") throws -> Outcome {
    for name in [".output.in", ".output.out", ".output.error"] {
      try Files.removeIfThere(path(name))
    }
    try write(".output.in", input)
    let place = Self.quoted(folder)
    let tools = Self.quoted(Files.parent(of: try ThisProcess.executablePath()))
    let child = try ChildProcess(
      "/usr/bin/env",
      [
        "TZ=UTC", "setsid", "-w", "/bin/sh", "-c",
        "cd \(place); PATH=\(tools):$PATH; exec <.output.in >.output.out 2>.output.error; \(script)",
      ])
    guard case .exited(let code) = try child.wait() else {
      Issue.record("\(script) was killed")
      return Outcome(code: -1, out: "", error: "")
    }
    return Outcome(
      code: code, out: try read(".output.out"), error: try read(".output.error"))
  }

  static func quoted(_ word: String) -> String {
    "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  // MARK: Stores

  /// A key file that is quick to open a store with.
  @discardableResult
  func keyFile(_ name: String = "ann.key", _ byte: UInt8 = 7) throws -> String {
    try write(name, [UInt8](repeating: byte, count: 32))
  }

  /// A store `ann.coffer` that `ann.key` opens.
  func makeStore() throws {
    try keyFile()
    let made = try run([
      "create", "ann.coffer", "--account", "ann", "--device", "1", "--key-file", "ann.key",
    ])
    try #require(made.code == 0, "\(made)")
  }

  /// A store that a passphrase opens at the least cost, through the library.
  func makeStore(_ name: String, passphrase: [UInt8]) async throws {
    let secret = unsafe try Passphrase(utf8: passphrase.span.bytes)
    let slot = NewSlot(.passphrase(secret), strength: .weakest)
    let store = try await Store.create(at: path(name), account: "ann", device: 1, with: slot)
    await store.close()
  }
}

/// Remembers what an `Output` wrote.
final class Recorder: Sendable {
  private let bytes = Mutexed()

  func output(
    isTerminal: Bool = false, failing code: Int32? = nil
  ) -> Output {
    let bytes = bytes
    return Output(
      isTerminal: isTerminal, errorIsTerminal: isTerminal,
      write: { span throws(SystemError) in
        if let code { throw SystemError(code: code, operation: "write") }
        bytes.append(span, toError: false)
      },
      writeError: { span throws(SystemError) in bytes.append(span, toError: true) })
  }

  var out: String { bytes.text(ofError: false) }
  var error: String { bytes.text(ofError: true) }
}
