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
  /// Its position; nothing while it has none.
  public let seq: Int64?
  /// The address of its sender.
  public let sender: String
  /// The id its sender gave it.
  public let eventID: EventID
  public let state: MessageState
  /// Its text, byte for byte; nothing for what has none.
  ///
  /// An edit of ours shows at once, while it still waits for the server.
  public internal(set) var text: String?
  /// The message that it answers.
  public internal(set) var replyTo: MessageReference?
  /// Whether it said something else before.
  public internal(set) var isEdited: Bool
  /// Whether it is a tombstone: only its place is left.
  public let isDeleted: Bool
  /// Whether the server no longer serves it; what is here stays.
  public let isExpunged: Bool
  /// Who reacted to it, oldest first; ours show at once.
  public internal(set) var reactions: [Reaction] = []
  /// Why it was given up, where it was.
  public internal(set) var failure: String?
  /// Milliseconds since 1970 by the sender's clock; display only.
  public let sentAt: Int64
  /// Milliseconds since 1970 by ours; display only.
  public let receivedAt: Int64

  /// How edits, deletes, reactions and replies name it.
  public var reference: MessageReference { MessageReference(sender: sender, id: eventID) }
}

/// One account's reaction to a message.
public struct Reaction: Sendable, Hashable {
  /// The address of the account.
  public let sender: String
  public let emoji: String
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
  /// How many of its outbox entries wait for the server.
  public let pending: Int64
  /// How many of them were given up.
  public let failed: Int64
  /// What was typed and not sent.
  public let draft: String?
  /// The last message of its timeline, if it has one; its reactions are not read.
  public let newest: Message?
  /// The highest seq known of.
  public let maxSeq: Int64
  public let hasGaps: Bool
}
