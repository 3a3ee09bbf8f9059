/// What is known of an event before it is opened.
public struct Envelope: Sendable, Equatable {
  /// Its number in this device's inbox; nothing where no cursor of ours counts it.
  public var inbox: Int64?
  /// The relay's id of the conversation.
  public var conversation: String
  /// Its position in the conversation, from 1, as the server counts; nothing for what takes none.
  public var seq: Int64?
  /// The account that sent it.
  public var sender: String
  /// The device of that account, from 1.
  public var device: UInt32
  /// The id its sender gave it.
  public var id: EventID
  /// Milliseconds since 1970 as the sender's clock had it: for display, never for order.
  public var sentAt: Int64

  public init(
    inbox: Int64? = nil, conversation: String, seq: Int64?, sender: String, device: UInt32,
    id: EventID, sentAt: Int64
  ) {
    self.inbox = inbox
    self.conversation = conversation
    self.seq = seq
    self.sender = sender
    self.device = device
    self.id = id
    self.sentAt = sentAt
  }
}

/// One event as it comes from the inbox.
public struct Item: Sendable, Equatable {
  public enum Body: Sendable, Equatable {
    case event(Event)
    /// The server's word to the device that sent an event: it has its place.
    case accepted
    /// The server no longer serves these seqs: they are marked, and nothing is erased.
    case expunged(ClosedRange<Int64>)

    /// A new message.
    public static func message(text: String) -> Body { .event(.message(text: text)) }
  }

  public var envelope: Envelope
  public var body: Body

  public init(_ envelope: Envelope, _ body: Body) {
    self.envelope = envelope
    self.body = body
  }
}

/// A stretch of the inbox: everything above `base` up to `next`.
public struct Page: Sendable {
  /// The cursor this page follows.
  public let base: Int64
  /// The cursor once this page is applied.
  public let next: Int64
  /// The server's numbering that both belong to, where it has such a thing.
  public let epoch: Int64?
  let arrivals: [Arrival]

  public init(base: Int64, next: Int64, items: [Item], epoch: Int64? = nil) {
    self.init(base: base, next: next, arrivals: items.map { .item($0) }, epoch: epoch)
  }

  package init(base: Int64, next: Int64, arrivals: [Arrival], epoch: Int64? = nil) {
    self.base = base
    self.next = next
    self.arrivals = arrivals
    self.epoch = epoch
  }

  /// A page as a relay hands it over.
  public init(_ page: InboxPage) {
    self.init(
      base: page.base, next: page.next, arrivals: page.items.map { Arrival($0) },
      epoch: page.epoch)
  }
}

/// An item that could be read, or one that could not.
package enum Arrival: Sendable {
  case item(Item)
  case spoilt(SpoiltItem)

  var inbox: Int64? {
    switch self {
    case .item(let item): item.envelope.inbox
    case .spoilt(let item): item.inbox
    }
  }
}

/// An item that breaks a rule of its format, with as much of it as could be read.
package struct SpoiltItem: Sendable {
  var inbox: Int64?
  /// There when only the body is at fault: then the item holds its seq.
  var envelope: Envelope?
  var raw: [UInt8]
  var reason: QuarantineReason
}

/// What an item may hold.
enum ItemLimits {
  /// 16 MiB of UTF-8.
  static let text = 16 << 20
  static let address = 512
  static let emoji = 64
  /// A jump in a conversation's seq beyond this is taken for a fault of the server.
  static let jump: Int64 = 10_000_000
  /// What a conversation that is new here may begin with; far from where numbers overflow.
  static let head: Int64 = 1 << 53
}

extension Envelope {
  /// The rule that it breaks, if any.
  var fault: QuarantineReason? {
    if let seq, seq < 1 { return .seqOutOfRange }
    if let inbox, inbox < 1 { return .inboxOutOfRange }
    if device < 1 { return .deviceOutOfRange }
    if sentAt < 0 { return .timeOutOfRange }
    if !Self.isAddress(conversation) { return .badConversation }
    if !Self.isAddress(sender) { return .badSender }
    return nil
  }

  /// An address is 1 to 512 bytes without control characters.
  package static func isAddress(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      unsafe !bytes.isEmpty && bytes.count <= ItemLimits.address
        && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
  }
}

extension Item.Body {
  var fault: QuarantineReason? {
    switch self {
    case .event(let event): event.fault
    case .expunged(let range): range.lowerBound < 1 ? .seqOutOfRange : nil
    case .accepted: nil
    }
  }
}
