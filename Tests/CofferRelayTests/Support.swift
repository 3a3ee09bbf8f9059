import Coffer
import CofferCrypto
import CofferDatabase
import CofferSystem
import Testing

@testable import CofferRelay

/// A server, whatever it is made of, and what its operator does to it.
protocol RelayWorld: Sendable {
  func connection(_ account: String, _ device: UInt32) -> any Relay
  func expunge(_ range: ClosedRange<Int64>, of conversation: String) async throws
  func cutHistory(of conversation: String, below seq: Int64) async throws
  func beginEpoch() async throws
}

/// The servers that keep the contract; each gives a new world.
enum RelayKind: String, CaseIterable, CustomTestStringConvertible {
  case embedded

  var testDescription: String { rawValue }

  func world() async throws -> any RelayWorld {
    switch self {
    case .embedded: try await RelayFile().open()
    }
  }
}

/// A relay's file in a folder of its own, removed with it.
final class RelayFile: Sendable {
  let folder: String
  var path: String { "\(folder)/relay.db" }

  init() throws { folder = try Files.realPath(Files.makeTemporaryFolder("coffer-relay")) }
  deinit { try? Files.removeTree(folder) }

  /// One more process, as far as the file can tell.
  func open() async throws -> EmbeddedWorld {
    EmbeddedWorld(file: self, relay: try await EmbeddedRelay(path: path))
  }

  /// What SQL finds in the file: the first column of every row.
  func find(_ sql: String) throws -> [String] {
    let connection = try Connection(
      unencrypted: path, applicationID: RelaySchema.applicationID, role: .reader)
    return try connection.statement(sql).all { $0.text(0) }
  }
}

struct EmbeddedWorld: RelayWorld {
  let file: RelayFile
  let relay: EmbeddedRelay

  func connection(_ account: String, _ device: UInt32) -> any Relay {
    relay.connection(account: account, device: device)
  }

  func expunge(_ range: ClosedRange<Int64>, of conversation: String) async throws {
    try await relay.expunge(range, of: conversation)
  }

  func cutHistory(of conversation: String, below seq: Int64) async throws {
    try await relay.cutRetention(of: conversation, below: seq)
  }

  func beginEpoch() async throws { try await relay.beginEpoch() }
}

extension RelayWorld {
  /// A device that has registered.
  func device(_ account: String, _ number: UInt32 = 1) async throws -> any Relay {
    let relay = connection(account, number)
    try await relay.register()
    return relay
  }
}

/// The `number`-th id of a test.
func id(_ number: Int) -> EventID {
  EventID(high: 0x0190_0000_0000_7000 &+ UInt64(number) << 16, low: 0x8000_0000_0000_0000)
}

func outgoing(
  _ number: Int, in conversation: String = "hiking", _ event: Event
) -> OutgoingEvent {
  let payload = Payload(
    conversation: conversation, id: id(number), sentAt: 1_700_000_000_000 + Int64(number),
    event: event)
  var isReceipt = false
  var change: ConversationChange?
  switch event {
  case .receipt: isReceipt = true
  case .change(let made): change = made
  default: break
  }
  return OutgoingEvent(
    conversation: conversation, id: id(number), isSequenced: !isReceipt, change: change,
    sentAt: payload.sentAt, payload: payload.encoded)
}

/// The `number`-th message of a test.
func message(_ number: Int, in conversation: String = "hiking") -> OutgoingEvent {
  outgoing(number, in: conversation, .message(text: "message \(number)"))
}

func create(_ number: Int, _ conversation: String = "hiking", with members: String...)
  -> OutgoingEvent
{
  outgoing(number, in: conversation, .change(.create(title: nil, members: members)))
}

func receipt(
  _ number: Int, in conversation: String = "hiking", delivered: Int64, read: Int64 = 0
) -> OutgoingEvent {
  outgoing(number, in: conversation, .receipt(Receipt(delivered: delivered, read: read)))
}

extension Relay {
  /// Sends and gives the seq.
  @discardableResult
  func seq(_ event: OutgoingEvent) async throws -> Int64? { try await send(event).seq }

  /// The whole inbox after a number, in pages of `limit`, checked for what every page must keep.
  func pull(after cursor: Int64 = 0, limit: Int = 50) async throws -> [RelayItem] {
    var cursor = cursor
    var items: [RelayItem] = []
    while true {
      let page = try await inbox(after: cursor, limit: limit)
      #expect(page.base == cursor)
      #expect(page.items.count <= limit)
      #expect(page.next == page.items.last?.envelope.inbox ?? cursor)
      var number = page.base
      for item in page.items {
        let inbox = try #require(item.envelope.inbox)
        #expect(inbox > number)
        number = inbox
      }
      items += page.items
      cursor = page.next
      if !page.more { return items }
    }
  }

  /// Why a call is refused; fails where it is not.
  func failure(_ event: OutgoingEvent) async -> RelayError? {
    do throws(RelayError) {
      _ = try await send(event)
      return nil
    } catch { return error }
  }
}

/// The digest that `Overview.Head.digest` describes.
func overviewDigest(_ ids: [(Int64, EventID)]) throws -> [UInt8] {
  var bytes: [UInt8] = []
  for (seq, id) in ids {
    for word in [UInt64(seq), id.bytes.high, id.bytes.low] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
    }
  }
  return try unsafe BLAKE2b.hash(bytes.span.bytes)
}

extension RelayItem {
  /// In a few letters: its seq, and its text, `accepted`, or what else it is.
  var told: String {
    let seq = envelope.seq.map { "\($0) " } ?? ""
    switch content {
    case .accepted: return "\(seq)accepted"
    case .expunged(let range): return "expunged \(range.lowerBound)-\(range.upperBound)"
    case .payload(let bytes):
      guard let payload = try? Payload(decoding: bytes), payload.id == envelope.id else {
        return "\(seq)undecodable"
      }
      switch payload.event {
      case .message(let text, _): return "\(seq)\(text)"
      case .receipt(let receipt):
        return "\(envelope.sender) has \(receipt.delivered), read \(receipt.read)"
      case .change(let change): return "\(seq)\(change)".split(separator: "(")[0].description
      default: return "\(seq)event"
      }
    }
  }
}

extension History {
  var told: [String] {
    answers.map { answer in
      switch answer {
      case .item(let item): item.told
      case .none(let seq): "\(seq) none"
      case .gone(let seq): "\(seq) gone"
      }
    }
  }
}

extension Array where Element == RelayItem {
  var told: [String] { map(\.told) }
}
