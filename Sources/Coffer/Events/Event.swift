/// A message, by what no server gives it: its sender and the id that the sender made.
///
/// The author is part of it, so that nobody's edit or delete reaches another one's message.
public struct MessageReference: Sendable, Hashable {
  /// The account that sent it.
  public var sender: String
  public var id: EventID

  public init(sender: String, id: EventID) {
    self.sender = sender
    self.id = id
  }

  /// Byte for byte: addresses that only look the same are two.
  public static func == (left: MessageReference, right: MessageReference) -> Bool {
    left.id == right.id && Address(text: left.sender) == Address(text: right.sender)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(Address(text: sender))
    hasher.combine(id)
  }
}

/// What a member of a conversation says or does.
///
/// All but receipts take a seq of their conversation. Their bytes are described in Keys/formats.md.
public enum Event: Sendable, Equatable {
  /// A new message; its text is kept byte for byte.
  case message(text: String, replyTo: MessageReference? = nil)
  /// Another text for a message of the same sender.
  case edit(of: MessageReference, text: String)
  /// A message of the same sender is to be gone everywhere.
  case delete(MessageReference)
  /// One an account and emoji: added, or taken back.
  case reaction(to: MessageReference, emoji: String, isAdded: Bool)
  case receipt(Receipt)
  case change(ConversationChange)
}

/// How far an account has a conversation: watermarks that only rise.
public struct Receipt: Sendable, Equatable {
  /// Every seq up to here is on a device of its own.
  public var delivered: Int64
  /// It has read up to here.
  public var read: Int64

  public init(delivered: Int64, read: Int64) {
    self.delivered = delivered
    self.read = read
  }
}

/// A change of a conversation itself.
public enum ConversationChange: Sendable, Equatable {
  /// Its beginning: the sender and all others are members from here on.
  case create(title: String?, members: [String])
  case join(String)
  /// The sender leaves.
  case leave
  case remove(String)
  case title(String)
  /// Nobody can write to it any more; what was said stays until somebody clears it.
  case delete
}
