import Coffer
import CofferSystem

enum SendCommand: Command {
  private static let id = Option.value(
    "id", "UUID", "the message's id; the same text again under one id is one message")
  private static let replyTo = Option.value(
    "reply-to", "UUID", "the id of the message that it answers; --sender says whose")

  static let name = "send"
  static let summary = "Write a message to be sent"
  static let discussion = """
    \(TextInput.words)

    The message is safe on the disk when the command ends, and waits in the outbox until the server \
    has it: `coffer sync` brings it there. Prints its id.
    """
  static let arguments = [Argument.store, .conversation]
  static let options = [
    OptionSection([TextInput.file, id, replyTo, .sender, .json, .acceptOldKeyring]), .secret,
  ]
  static let examples = ["printf 'Back before dark?' | coffer send ann.coffer hiking"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let event = try input.eventID(id)
    let answered = try input.eventID(replyTo)
    guard answered != nil || input[.sender] == nil else {
      throw .usage("--sender says whose message --reply-to names, and there is no --reply-to")
    }
    let readers = TextInput.readers(input)
    try await input.withStore(output, standardInput: readers) { store throws(CommandFailure) in
      var draft = Draft("", to: input.text(.conversation), id: event)
      if let answered { draft.replyTo = try await input.message(answered, in: store) }
      if !readers.isEmpty, StandardStream.input.isTerminal {
        // Nobody should type a message for a conversation that is not there.
        try await CommandFailure.catching { () throws(StoreError) in
          _ = try await store.timeline(of: draft.conversation, limit: 1)
        }
      }
      draft.text = try TextInput.read(input, output)
      let written = draft
      let sent = try await CommandFailure.catching { () throws(StoreError) in
        try await store.send(written)
      }
      output.sent(sent, input)
    }
  }
}
