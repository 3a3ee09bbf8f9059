import CofferCrypto
import Synchronization

@testable import Coffer

/// A clock that a test sets, and random bytes that it can repeat.
final class Hands: Sendable {
  private let time = Mutex(Int64(1_700_000_000_000))
  private let state: Mutex<UInt64>

  init(seed: UInt64 = 1) { state = Mutex(seed) }

  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  var options: Store.Options {
    var options = Store.Options()
    options.clock = { [self] in now }
    options.random = RandomSource { [self] bytes in
      state.withLock { state in
        for index in 0..<bytes.byteCount {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes.storeBytes(
            of: UInt8(truncatingIfNeeded: state >> 33), toByteOffset: index, as: UInt8.self)
        }
      }
    }
    return options
  }
}

extension OutboxEntry {
  /// The text of a message or an edit.
  var text: String? {
    switch event {
    case .message(let text, _), .edit(_, let text): text
    default: nil
    }
  }
}

extension ClaimedEvent {
  var opened: Event? { try? Payload(decoding: event.payload).event }

  /// What it says, in a few words.
  var said: String {
    switch opened {
    case .message(let text, _): text
    case .edit(_, let text): "edit: \(text)"
    case .delete: "delete"
    case .reaction(_, let emoji, let isAdded): isAdded ? "+\(emoji)" : "-\(emoji)"
    case .change: "change"
    case .receipt, nil: "?"
    }
  }
}

extension Store {
  /// Our message, by its id.
  func reference(_ id: EventID) -> MessageReference { MessageReference(sender: "ben", id: id) }

  /// The messages of a conversation, oldest first.
  func messages(_ conversation: String = "hiking") async throws -> [Message] {
    try await timeline(of: conversation, limit: 1000).entries.compactMap {
      if case .message(let message) = $0 { message } else { nil }
    }
  }

  func message(_ id: EventID, in conversation: String = "hiking") async throws -> Message? {
    try await messages(conversation).first { $0.eventID == id }
  }

  /// What is claimed next, in words.
  func said(by lease: Lease, limit: Int = 10) async throws -> [String] {
    try await claim(by: lease, limit: limit).map(\.said)
  }
}
