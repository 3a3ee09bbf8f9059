import CofferDatabase

/// A message to be sent.
public struct Draft: Sendable {
  public var text: String
  /// The address of its conversation.
  public var conversation: String
  /// The message that it answers.
  public var replyTo: MessageReference?
  /// Its id, where the caller made one; sending the same draft twice under one id is one message.
  public var id: EventID?

  public init(
    _ text: String, to conversation: String, replyTo: MessageReference? = nil, id: EventID? = nil
  ) {
    self.text = text
    self.conversation = conversation
    self.replyTo = replyTo
    self.id = id
  }
}

extension Store {
  /// Keeps what was typed in a conversation and not sent; nothing, or an empty text, forgets it.
  ///
  /// It never leaves this store. `send` forgets it in the same transaction when it sends that very
  /// text. Throws `unknownConversation` and `textTooLong`.
  public func setDraft(
    _ text: String?, for conversation: String
  ) async throws(StoreError) {
    if let text, text.utf8.count > ItemLimits.text {
      throw .textTooLong(bytes: text.utf8.count)
    }
    let draft = text.flatMap { $0.isEmpty ? nil : $0 }
    try await write(.powerLoss) { connection throws(StoreError) in
      let isKnown = try StoreError.catching { () throws(DatabaseError) in
        var counter = try ChangeCounter(connection)
        try connection.statement(
          "UPDATE conversations SET draft = ?, changed = ? WHERE address = ?"
        ).run(draft, counter.next(), conversation)
        guard connection.changes == 1 else { return false }
        try counter.save(connection)
        return true
      }
      guard isKnown else { throw .unknownConversation(conversation) }
    }
  }
}
