/// Why a server did not do what it was asked.
public enum RelayError: Error, Sendable, Equatable {
  /// It was not reached: nobody counts that as a try.
  case unreachable
  /// It may work later; after so many milliseconds, where the server says.
  case retryable(after: Int64? = nil)
  /// It will never work.
  case refused(Refusal)
  /// Items of the inbox after the cursor were discarded; its highest number is `head`.
  case expired(head: Int64, epoch: Int64)
}

/// Why a server will never take an event.
public enum Refusal: String, Sendable, Equatable, CaseIterable {
  case conversationDeleted = "the conversation was deleted"
  case unknownConversation = "the conversation is unknown"
  case conversationExists = "the conversation exists already"
  case notAMember = "this account is no member of the conversation"
  case blocked = "the recipient does not accept it"
  case tooLarge = "it is too large"
  case idUsedOtherwise = "its id was used for another event"
  case notAllowed = "it is not allowed"
}
