/// How far a message got; outgoing states are a rank that only rises.
public enum MessageState: Int, Sendable, CaseIterable {
  /// Someone else's; not a rank, a direction.
  case incoming = 0
  /// Written here, not acknowledged yet.
  case pending = 1
  /// Given up; an explicit retry is the one way down.
  case failed = 2
  /// The server has it, and its place is known.
  case sent = 3
  /// It reached every recipient.
  case delivered = 4
  /// Every recipient has read it.
  case read = 5
}

/// One message of a conversation.
public struct Message: Sendable, Equatable, Identifiable {
  /// The local row, never reused: the stable identity for a list on screen.
  public let id: Int64
  /// Its position, given by the server; nothing while it has none.
  public let seq: Int64?
  /// The address of its sender.
  public let sender: String
  /// The id its sender gave it.
  public let eventID: EventID
  public let state: MessageState
  /// Its text, byte for byte; nothing for what has none.
  public let text: String?
  /// Milliseconds since 1970 by the sender's clock; display only.
  public let sentAt: Int64
  /// Milliseconds since 1970 by ours; display only.
  public let receivedAt: Int64
}

/// A stretch of a conversation that is not here.
public struct Gap: Sendable, Equatable {
  public let first: Int64
  public let last: Int64
  /// Whether the server no longer has it.
  public let isUnavailable: Bool
}

/// An event that is held but could not be read; its bytes are in quarantine.
public struct UnreadableEvent: Sendable, Equatable {
  public let seq: Int64
  public let eventID: EventID
  public let sender: String
}

/// One conversation, as a list shows it.
public struct Conversation: Sendable, Equatable {
  public let address: String
  public let title: String?
  /// Incoming messages above our read marker; at least so many while a gap lies above it.
  public let unread: Int64
  /// The last message of its timeline, if it has one.
  public let newest: Message?
  /// The highest seq known of.
  public let maxSeq: Int64
  public let hasGaps: Bool
}
