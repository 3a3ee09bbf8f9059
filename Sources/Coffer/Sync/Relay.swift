/// What the store asks of a server, as one device of an account sees it.
///
/// Every seq and inbox number is the server's own; the store knows where they lie in its numbering.
/// Every answer names the server's epoch: another one means that it has lost its numbering. Whatever
/// a call throws beyond what it documents is taken for a failure that passes.
public protocol Relay: Sendable {
  /// Makes this device known; the same again changes nothing.
  func register() async throws(RelayError)

  /// Takes an event and gives it the next seq of its conversation; receipts get none.
  ///
  /// The same sender and id again is answered as the first time, for ever, and changes nothing.
  func send(_ event: OutgoingEvent) async throws(RelayError) -> Acceptance

  /// This device's items above `cursor` in the order of the inbox, at most `limit`.
  ///
  /// Never discards. What this device sent itself comes as `accepted`. Throws `expired` when items
  /// after the cursor were discarded: never a page with a hole that nobody sees.
  func inbox(after cursor: Int64, limit: Int) async throws(RelayError) -> InboxPage

  /// Allows the server to discard the inbox up to a number; the only call that does.
  func release(upTo number: Int64, epoch: Int64) async throws(RelayError)

  /// One snapshot of the inbox's head and of every conversation.
  func overview() async throws(RelayError) -> Overview

  /// What is at each seq of a range, every one accounted for.
  func history(
    of conversation: String, _ range: ClosedRange<Int64>
  ) async throws(RelayError) -> History

  /// Items as they come, and whether the server can be reached; it may drop, repeat and reorder.
  func pushes() -> AsyncStream<RelayPush>
}

/// An event on its way to the server.
public struct OutgoingEvent: Sendable, Equatable {
  public var conversation: String
  public var id: EventID
  /// Whether it takes a seq; receipts do not.
  public var isSequenced: Bool
  /// What the server must know to serve a conversation: who its members are.
  public var change: ConversationChange?
  /// Milliseconds since 1970 by the sender's clock.
  public var sentAt: Int64
  /// The event itself; the same bytes at every try.
  public var payload: [UInt8]

  public init(
    conversation: String, id: EventID, isSequenced: Bool = true,
    change: ConversationChange? = nil, sentAt: Int64, payload: [UInt8]
  ) {
    self.conversation = conversation
    self.id = id
    self.isSequenced = isSequenced
    self.change = change
    self.sentAt = sentAt
    self.payload = payload
  }
}

/// The server's word that an event has its place.
public struct Acceptance: Sendable, Equatable {
  /// Nothing for receipts.
  public var seq: Int64?
  public var epoch: Int64

  public init(seq: Int64?, epoch: Int64) {
    self.seq = seq
    self.epoch = epoch
  }
}

/// One item of an inbox or a history, as the server hands it over.
public struct RelayItem: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    /// An event's bytes.
    case payload([UInt8])
    /// This device sent it; its body is in its outbox.
    case accepted
    /// The server no longer serves these seqs; what is here stays here.
    case expunged(ClosedRange<Int64>)
  }

  public var envelope: Envelope
  public var content: Content

  public init(_ envelope: Envelope, _ content: Content) {
    self.envelope = envelope
    self.content = content
  }
}

/// A stretch of the inbox: everything above `base` up to `next`.
public struct InboxPage: Sendable, Equatable {
  public var epoch: Int64
  public var base: Int64
  public var next: Int64
  /// Whether there is more after it.
  public var more: Bool
  public var items: [RelayItem]

  public init(epoch: Int64, base: Int64, next: Int64, more: Bool, items: [RelayItem]) {
    self.epoch = epoch
    self.base = base
    self.next = next
    self.more = more
    self.items = items
  }
}

/// What comes over the server's live connection.
public enum RelayPush: Sendable, Equatable {
  case item(RelayItem, epoch: Int64)
  /// The connection is there (again): what came meanwhile must be pulled.
  case connected
  case disconnected
}

/// What the server has at each seq of a range.
public struct History: Sendable, Equatable {
  public enum Answer: Sendable, Equatable {
    case item(RelayItem)
    /// Never meant for this device.
    case none(Int64)
    /// The server no longer has it.
    case gone(Int64)
  }

  public var epoch: Int64
  public var answers: [Answer]

  public init(epoch: Int64, answers: [Answer]) {
    self.epoch = epoch
    self.answers = answers
  }
}

/// One snapshot of what the server has for this device.
public struct Overview: Sendable, Equatable {
  public struct Head: Sendable, Equatable {
    public var conversation: String
    /// The first seq that this device may see.
    public var from: Int64
    public var newestSeq: Int64
    /// The newest event itself, where the server can read it.
    public var newest: RelayItem?
    /// How far each account has it.
    public var receipts: [String: Receipt]
    /// What the last `Overview.digestLength` seqs hold, to be compared with what is here.
    ///
    /// BLAKE2b-256 of `u64 seq || id` of each in turn; an id of zeros for what this device never
    /// gets. Nothing where some of them are gone.
    public var digest: [UInt8]?

    public init(
      conversation: String, from: Int64, newestSeq: Int64, newest: RelayItem? = nil,
      receipts: [String: Receipt] = [:], digest: [UInt8]? = nil
    ) {
      self.conversation = conversation
      self.from = from
      self.newestSeq = newestSeq
      self.newest = newest
      self.receipts = receipts
      self.digest = digest
    }
  }

  /// How many seqs a digest covers at most.
  public static let digestLength: Int64 = 256

  public var epoch: Int64
  /// The highest number of this device's inbox.
  public var head: Int64
  public var conversations: [Head]

  public init(epoch: Int64, head: Int64, conversations: [Head]) {
    self.epoch = epoch
    self.head = head
    self.conversations = conversations
  }
}
