extension Event {
  /// Whether it takes a seq of its conversation.
  package var isSequenced: Bool {
    if case .receipt = self { false } else { true }
  }

  /// The rule that what it holds breaks, if any, wherever it comes from.
  var fault: QuarantineReason? {
    switch self {
    case .message(let text, let target):
      Self.fault(text: text) ?? target.flatMap { Self.fault(account: $0.sender) }
    case .edit(let target, let text):
      Self.fault(account: target.sender) ?? Self.fault(text: text)
    case .delete(let target):
      Self.fault(account: target.sender)
    case .reaction(let target, let emoji, _):
      Self.fault(account: target.sender)
        ?? ((1...ItemLimits.emoji).contains(emoji.utf8.count) ? nil : .badEmoji)
    case .receipt(let receipt):
      receipt.delivered < 0 || receipt.read < 0 ? .seqOutOfRange : nil
    case .change(let change):
      Self.fault(change)
    }
  }

  private static func fault(_ change: ConversationChange) -> QuarantineReason? {
    switch change {
    case .create(let title, let members):
      title.flatMap { fault(text: $0) } ?? members.lazy.compactMap { fault(account: $0) }.first
    case .join(let account), .remove(let account): fault(account: account)
    case .title(let title): fault(text: title)
    case .leave, .delete: nil
    }
  }

  private static func fault(text: String) -> QuarantineReason? {
    text.utf8.count > ItemLimits.text ? .textTooLong : nil
  }

  private static func fault(account: String) -> QuarantineReason? {
    Envelope.isAddress(account) ? nil : .badAccount
  }
}

extension Item {
  /// The rule about a seq that it breaks, if any.
  ///
  /// The word that an event was accepted has one where that event has.
  var seqFault: QuarantineReason? {
    switch body {
    case .event(let event) where event.isSequenced: envelope.seq == nil ? .missingField : nil
    case .event, .expunged: envelope.seq == nil ? nil : .unsequenced
    case .accepted: nil
    }
  }
}
