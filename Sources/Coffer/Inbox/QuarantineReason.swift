/// Why an item was set aside, in words that a person can read.
public enum QuarantineReason: String, Sendable, Equatable {
  // Its format.
  case notAnObject = "it is no JSON object"
  case duplicateField = "it names a field twice"
  case unknownField = "it has a field this version does not know"
  case missingField = "it lacks a field"
  case wrongKind = "a field is of the wrong kind"
  case notAnInteger = "a number is no whole number"
  case illFormedText = "its text is not well-formed Unicode"
  case badID = "its id is no UUID"
  case seqOutOfRange = "its seq is out of range"
  case inboxOutOfRange = "its inbox number is out of range"
  case deviceOutOfRange = "its device number is out of range"
  case timeOutOfRange = "its time is out of range"
  case badConversation = "its conversation is no address"
  case badSender = "its sender is no address"
  case textTooLong = "its text is longer than 16 MiB"
  case badAccount = "it names an account that is no address"
  case badEmoji = "its emoji is not 1 to 64 bytes long"
  case severalKinds = "it is of several kinds at once"
  case unsequenced = "it has a seq, and its kind takes none"

  // Its payload.
  case badPayload = "its payload is not in the format of payloads"
  case unknownKind = "it is of a kind that this version does not know"
  case otherEnvelope = "its payload names another conversation or id"

  // Its place in the inbox.
  case outsideItsPage = "its inbox number lies outside its page"
  case notRising = "its inbox number does not rise within its page"
  case noInboxNumber = "it has no inbox number"
  case outsideItsRange = "it lies outside the range that was asked for"

  // What the store holds already.
  case seqTaken = "its seq is held by another event"
  case otherBody = "its id was used with another body"
  case otherConversation = "its id was used in another conversation"
  case foreignAuthor = "it is about a message of somebody else"
  case unknownAcceptance = "it accepts an event that is not known here"
  case refused = "a rule of the tables refuses it"
  case jump = "its seq jumps more than 10,000,000"
}
