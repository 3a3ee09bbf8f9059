import Coffer

enum ReactCommand: Command {
  private static let emoji = Argument("EMOJI", "one emoji, or any text of up to 64 bytes")
  private static let takeBack = Option.flag("take-back", "take the reaction back")

  static let name = "react"
  static let summary = "Add a reaction to a message, or take it back"
  static let discussion = """
    One of each emoji an account. Prints the id under which it goes to the server.
    """
  static let arguments = [Argument.store, .event, emoji]
  static let options = [OptionSection([.sender, takeBack, .json, .acceptOldKeyring]), .secret]
  static let examples = [
    "coffer react ann.coffer 0190b3c8-7a10-7c3f-8d52-6f1e2a3b4c5d 👍 --sender bob"
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let id = try input.eventID(.event)
    try await input.withStore(output) { store throws(CommandFailure) in
      let message = try await input.message(id, in: store)
      let sent = try await CommandFailure.catching { () throws(StoreError) in
        try await store.react(
          to: message, emoji: input.text(emoji), isAdded: !input.has(takeBack))
      }
      output.sent(sent, input)
    }
  }
}
