import Coffer
import CofferSystem
import Synchronization
import Testing

@testable import CofferRelay

/// Devices with stores of their own, and the one server between them.
final class Household: Sendable {
  let folder: String
  let relay: EmbeddedRelay

  init() async throws {
    folder = try Files.realPath(Files.makeTemporaryFolder("coffer-engine"))
    relay = try await EmbeddedRelay(path: "\(folder)/relay.db")
  }

  deinit { try? Files.removeTree(folder) }

  func device(_ account: String, _ number: UInt32 = 1) async throws -> Device {
    let key = [UInt8](repeating: 7, count: 32)
    let store = try await Store.create(
      at: "\(folder)/\(account)-\(number)", account: account, device: number,
      with: NewSlot(.keyFile(unsafe try KeyFile(content: key.span.bytes))))
    return Device(store: store, relay: Unsteady(relay.connection(account: account, device: number)))
  }

  /// Ann and Ben, who share a conversation.
  func annAndBen() async throws -> (Device, Device) {
    let (ann, ben) = (try await device("ann"), try await device("ben"))
    try await ben.sync()
    try await ann.store.change("hiking", .create(title: nil, members: ["ben"]))
    try await ann.sync()
    try await ben.sync()
    return (ann, ben)
  }
}

struct Device: Sendable {
  let store: Store
  let relay: Unsteady

  func engine(_ change: (inout SyncOptions) -> Void = { _ in }) -> SyncEngine {
    var options = SyncOptions()
    change(&options)
    return SyncEngine(store, relay: relay, options: options)
  }

  @discardableResult
  func sync(_ change: (inout SyncOptions) -> Void = { _ in }) async throws -> SyncProgress {
    try await engine(change).syncOnce()
  }

  /// Syncs through whatever the network does.
  func syncStubbornly() async throws {
    for _ in 0..<1_000 {
      do throws(SyncError) { try await engine().syncOnce() } catch {
        guard case .relay = error else { throw error }
        continue
      }
      if try await store.outboxCounts().pending == 0 { return }
      // Nobody waits for the next try.
      for entry in try await store.outbox() { try await store.retry(entry.id) }
    }
    Issue.record("it never came through")
  }

  @discardableResult
  func send(_ text: String, to conversation: String = "hiking") async throws -> MessageReference {
    let id = try await store.send(Draft(text, to: conversation))
    return MessageReference(sender: relay.account, id: id)
  }

  func messages(_ conversation: String = "hiking") async throws -> [Message] {
    try await store.timeline(of: conversation, limit: 10_000).entries.compactMap {
      if case .message(let message) = $0 { message } else { nil }
    }
  }

  /// What is shown, gaps as `[first-last]` and tombstones as `-`.
  func shown(_ conversation: String = "hiking") async throws -> [String] {
    try await store.timeline(of: conversation, limit: 10_000).entries.map { entry in
      switch entry {
      case .message(let message): message.text ?? "-"
      case .gap(let gap): "[\(gap.first)-\(gap.last)]\(gap.isUnavailable ? "!" : "")"
      case .unreadable(let event): "!\(event.seq)"
      }
    }
  }

  func isClean() async throws -> Bool {
    let result = try await store.verify()
    if !result.isClean { Issue.record("\(result.findings)") }
    return result.isClean
  }
}

/// A relay over a network that can be told to fail.
final class Unsteady: Relay {
  private struct Trouble {
    var isOffline = false
    /// Of a hundred calls, so many are lost on their way, and so many answers.
    var lost: UInt64 = 0
    var random = Seeded(1)
    var calls: [String] = []
  }

  private let inner: EmbeddedConnection
  private let trouble = Mutex(Trouble())

  init(_ inner: EmbeddedConnection) { self.inner = inner }

  var account: String { inner.account }
  var calls: [String] { trouble.withLock { $0.calls } }

  func goOffline(_ isOffline: Bool = true) { trouble.withLock { $0.isOffline = isOffline } }

  func lose(_ percent: UInt64, seed: UInt64) {
    trouble.withLock { trouble in
      trouble.lost = percent
      trouble.random = Seeded(seed)
    }
  }

  private func pass<Value>(
    _ name: String, _ call: () async throws(RelayError) -> Value
  ) async throws(RelayError) -> Value {
    let (there, back) = trouble.withLock { trouble in
      trouble.calls.append(name)
      return (
        !trouble.isOffline && trouble.random.next() % 100 >= trouble.lost,
        trouble.random.next() % 100 >= trouble.lost
      )
    }
    guard there else { throw .unreachable }
    let value = try await call()
    guard back else { throw .unreachable }
    return value
  }

  func register() async throws(RelayError) {
    try await pass("register") { () async throws(RelayError) in try await inner.register() }
  }

  func send(_ event: OutgoingEvent) async throws(RelayError) -> Acceptance {
    try await pass(event.isSequenced ? "send" : "receipt") { () async throws(RelayError) in
      try await inner.send(event)
    }
  }

  func inbox(after cursor: Int64, limit: Int) async throws(RelayError) -> InboxPage {
    try await pass("inbox") { () async throws(RelayError) in
      try await inner.inbox(after: cursor, limit: limit)
    }
  }

  func release(upTo number: Int64, epoch: Int64) async throws(RelayError) {
    try await pass("release") { () async throws(RelayError) in
      try await inner.release(upTo: number, epoch: epoch)
    }
  }

  func overview() async throws(RelayError) -> Overview {
    try await pass("overview") { () async throws(RelayError) in try await inner.overview() }
  }

  func history(
    of conversation: String, _ range: ClosedRange<Int64>
  ) async throws(RelayError) -> History {
    try await pass("history") { () async throws(RelayError) in
      try await inner.history(of: conversation, range)
    }
  }

  func pushes() -> AsyncStream<RelayPush> { inner.pushes() }
}

/// Waits until something is so, for a few seconds.
func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<1_000 {
    if try await isSo() { return true }
    try await Task.sleep(for: .milliseconds(10))
  }
  return false
}
