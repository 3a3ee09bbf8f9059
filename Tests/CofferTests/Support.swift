import CofferDatabase
import CofferCrypto
import CofferSystem
import Testing

@testable import Coffer

/// A folder for one test, removed with it.
final class Scratch: Sendable {
  let folder: String
  var store: String { "\(folder)/alice.coffer" }

  init() throws { folder = try Files.realPath(Files.makeTemporaryFolder("coffer-test")) }
  deinit { try? Files.removeTree(folder) }

  /// 32 fixed bytes: a key file is quick, Argon2 would slow every test down.
  func credential(_ byte: UInt8 = 7) throws -> Credential {
    let bytes = [UInt8](repeating: byte, count: 32)
    return .keyFile(unsafe try KeyFile(content: bytes.span.bytes))
  }

  func create(options: Store.Options = .init()) async throws -> Store {
    try await Store.create(
      at: store, account: "ben", device: 1, with: NewSlot(credential()), options: options)
  }

  func open(options: Store.Options = .init()) async throws -> Store {
    try await Store.open(at: store, with: credential(), options: options)
  }

  /// Runs SQL on a closed store, as an attacker or an older version might have.
  func sql(_ text: String) async throws {
    let store = try await open()
    try await store.withWriter { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in try connection.execute(text) }
    }
    await store.close()
  }

  func files() throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try Files.names(in: store) {
      found[name] = try Files.content(of: "\(store)/\(name)", limit: 1 << 28)
    }
    return found
  }
}

/// The `number`-th id of a test.
func id(_ number: Int) -> EventID {
  EventID(high: 0x0190_0000_0000_7000 &+ UInt64(number) << 16, low: 0x8000_0000_0000_0000)
}

func item(
  _ number: Int, inbox: Int64? = nil, in conversation: String = "hiking", seq: Int64? = nil,
  from sender: String = "ann", text: String? = nil
) -> Item {
  Item(
    Envelope(
      inbox: inbox ?? Int64(number), conversation: conversation, seq: seq ?? Int64(number),
      sender: sender, device: 1, id: id(number), sentAt: 1_700_000_000_000 + Int64(number)),
    .message(text: text ?? "message \(number)"))
}

func page(_ range: ClosedRange<Int>, in conversation: String = "hiking") -> Page {
  Page(
    base: Int64(range.lowerBound - 1), next: Int64(range.upperBound),
    items: range.map { item($0, in: conversation) })
}

extension Store {
  /// The texts of a conversation in order; a gap as `[first-last]`, what is unreadable as `!seq`.
  func shown(_ conversation: String = "hiking", limit: Int = 1000) async throws -> [String] {
    try await timeline(of: conversation, limit: limit).entries.map { entry in
      switch entry {
      case .message(let message): message.text ?? "-"
      case .gap(let gap): "[\(gap.first)-\(gap.last)]"
      case .unreadable(let event): "!\(event.seq)"
      }
    }
  }

  /// Brings the rows into a state that no call makes yet.
  func sql(_ text: String) async throws {
    try await withWriter { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in try connection.execute(text) }
    }
  }

  func isClean() async throws -> Bool {
    let result = try await verify()
    if !result.isClean { Issue.record("\(result.findings)") }
    return result.isClean
  }
}
