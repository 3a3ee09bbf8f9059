import Coffer
import CofferDatabase
import CofferKeys
import CofferRelay
import CofferSystem
import Synchronization

/// One device of the story: its store is open only while it is used, as an app's is.
struct DemoDevice: Sendable {
  let name: TerminalText
  let path: String
  private let account: String
  private let device: UInt32
  private let keyFile: String
  private let relay: EmbeddedRelay

  init(
    _ name: TerminalText, _ account: String, _ device: UInt32, _ folder: String, _ keyFile: String,
    _ relay: EmbeddedRelay
  ) {
    self.name = name
    self.account = account
    self.device = device
    self.keyFile = keyFile
    self.relay = relay
    path = "\(folder)/\(account)-\(device).coffer"
  }

  func make() async throws {
    let made = try await Store.create(
      at: path, account: account, device: device,
      with: NewSlot(.keyFile(KeyFile(path: keyFile)), label: "demo"))
    await made.close()
  }

  @discardableResult
  func use<Result: Sendable>(
    _ body: (Store) async throws -> Result
  ) async throws -> Result {
    let store = try await Store.open(at: path, with: .keyFile(KeyFile(path: keyFile)))
    let result: Result
    do { result = try await body(store) } catch {
      await store.close()
      throw error
    }
    await store.close()
    return result
  }

  func sync() async throws {
    try await use { store in
      try await SyncEngine(store, relay: relay.connection(account: account, device: device))
        .syncOnce()
    }
  }

  /// Syncs over a connection that loses every answer to what is sent.
  func sync(losingAnswers: Bool) async throws(SyncError) {
    let store: Store
    do throws(StoreError) {
      store = try await Store.open(at: path, with: try keyed())
    } catch { throw .store(error) }
    let connection = LossyRelay(relay: relay.connection(account: account, device: device))
    do throws(SyncError) {
      try await SyncEngine(store, relay: connection).syncOnce()
    } catch {
      await store.close()
      throw error
    }
    await store.close()
  }

  private func keyed() throws(StoreError) -> Credential {
    do throws(KeyError) { return .keyFile(try KeyFile(path: keyFile)) } catch {
      throw .key(error, path: path)
    }
  }

  /// Syncs in another process, which kills itself at its n-th statement.
  func syncAndDie(at statement: Int) throws(SystemError) -> ChildProcess.Ending {
    try ChildProcess(
      ThisProcess.executablePath(),
      [
        DemoChildCommand.name, path, keyFile, relay.path, account, String(device),
        String(statement),
      ], piped: 3, silenced: [0, 1]
    ).waitReading()
  }

  /// The conversation as every device of every member should show it.
  func transcript() async throws -> [TerminalText] {
    let page = try await use { store in try await store.timeline(of: "hiking", limit: 100) }
    return page.entries.map { entry in
      switch entry {
      case .message(let message):
        let text: TerminalText = message.text.map { "\($0)" } ?? "[deleted]"
        return "\(TerminalText("\(message.sender)").padded(to: 5))\(text)"
      case .gap(let gap): return "[\(gap.first) to \(gap.last) missing]"
      case .unreadable: return "[unreadable]"
      }
    }
  }
}

/// A relay whose answers to what is sent never arrive.
private struct LossyRelay: Relay {
  let relay: EmbeddedConnection

  func register() async throws(RelayError) { try await relay.register() }

  func send(_ event: OutgoingEvent) async throws(RelayError) -> Acceptance {
    _ = try await relay.send(event)
    throw .unreachable
  }

  func inbox(after cursor: Int64, limit: Int) async throws(RelayError) -> InboxPage {
    try await relay.inbox(after: cursor, limit: limit)
  }

  func release(upTo number: Int64, epoch: Int64) async throws(RelayError) {
    try await relay.release(upTo: number, epoch: epoch)
  }

  func overview() async throws(RelayError) -> Overview { try await relay.overview() }

  func history(
    of conversation: String, _ range: ClosedRange<Int64>
  ) async throws(RelayError) -> History {
    try await relay.history(of: conversation, range)
  }

  func pushes() -> AsyncStream<RelayPush> { relay.pushes() }
}

/// The process that `demo` kills: it syncs a store, and kills itself on the way.
enum DemoChildCommand: Command {
  private static let names = ["STORE", "KEYFILE", "RELAY", "ACCOUNT", "DEVICE", "KILLAT"]

  static let name = "demo-child"
  static let summary = "Sync once and die on the way, for `coffer demo`"
  static let arguments = names.map { Argument($0, "set by `coffer demo`") }
  static let isHidden = true

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let words = arguments.map(input.text)
    guard let device = UInt32(words[4]), let killAt = Int(words[5]) else {
      throw .usage("`demo-child` is only for `coffer demo`")
    }
    let left = Mutex(killAt)
    var options = Store.Options()
    options.hook = StatementHook { _, _ in
      let isNow = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isNow { ThisProcess.killItself() }
    }
    do {
      let store = try await Store.open(
        at: words[0], with: .keyFile(KeyFile(path: words[1])), options: options)
      let relay = try await EmbeddedRelay(path: words[2])
      try await SyncEngine(store, relay: relay.connection(account: words[3], device: device))
        .syncOnce()
      await relay.close()
      await store.close()
    } catch { throw ChaosCommand.failure(error) }
  }
}

extension ChildProcess {
  /// Reads its pipe to the end, so that it never waits for a reader, and then for its own end.
  consuming func waitReading() throws(SystemError) -> Ending {
    while try read(limit: 256) != nil {}
    return try wait()
  }
}
