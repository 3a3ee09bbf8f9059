import Coffer

enum EditCommand: Command {
  static let name = "edit"
  static let summary = "Give a message of yours another text"
  static let discussion = """
    \(TextInput.words)

    What has not left yet is rewritten. Else the new text is shown at once, and waits in the outbox \
    behind the message. Prints the id under which it goes to the server.
    """
  static let arguments = [Argument.store, .event]
  static let options = [OptionSection([TextInput.file, .json, .acceptOldKeyring]), .secret]
  static let examples = [
    "printf 'By six' | coffer edit ann.coffer 0190b3c8-7a10-7c3f-8d52-6f1e2a3b4c5d"
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let id = try input.eventID(.event)
    let readers = TextInput.readers(input)
    try await input.withStore(output, standardInput: readers) { store throws(CommandFailure) in
      let text = try TextInput.read(input, output)
      let sent = try await CommandFailure.catching { () throws(StoreError) in
        try await store.edit(id, text: text)
      }
      output.sent(sent, input)
    }
  }
}
