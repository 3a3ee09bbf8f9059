import Coffer
import CofferCrypto
import CofferDatabase
import CofferSystem

@testable import CofferSimulator

/// A folder for one test, removed with it.
final class Scratch {
  let folder: String
  var store: String { "\(folder)/ben.coffer" }

  init() throws { folder = try Files.realPath(Files.makeTemporaryFolder("coffer-simulator")) }
  deinit { try? Files.removeTree(folder) }

  private func credential() throws -> Credential {
    let key = [UInt8](repeating: 7, count: 32)
    return .keyFile(unsafe try KeyFile(content: key.span.bytes))
  }

  private func options(_ hook: StatementHook?) -> Store.Options {
    var options = Store.Options()
    options.clock = { 1_790_000_000_000 }
    options.random = SeededBytes(1).source
    options.hook = hook
    return options
  }

  func create(_ hook: StatementHook? = nil) async throws -> Store {
    try await Store.create(
      at: store, account: "ben", device: 1, with: NewSlot(credential()), options: options(hook))
  }

  func open(_ hook: StatementHook? = nil) async throws -> Store {
    try await Store.open(at: store, with: credential(), options: options(hook))
  }
}

func page(_ range: ClosedRange<Int64>) -> Page {
  Page(
    base: range.lowerBound - 1, next: range.upperBound,
    items: range.map { number in
      Item(
        Envelope(
          inbox: number, conversation: "hiking", seq: number, sender: "ann", device: 1,
          id: EventID(high: 0x7000, low: 0x8000_0000_0000_0000 | UInt64(number)), sentAt: number),
        .message(text: "message \(number)"))
    })
}
