import Coffer

enum MarkReadCommand: Command {
  private static let upTo = Option.value("up-to", "SEQ", "only up to this seq")

  static let name = "mark-read"
  static let summary = "Mark a conversation as read"
  static let discussion = """
    The marker never moves back. The others and your other devices learn of it at the next sync.
    """
  static let arguments = [Argument.store, .conversation]
  static let options = [OptionSection([upTo, .json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer mark-read ann.coffer hiking"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let seq = try input.integer(upTo, in: 1...Int64.max)
    try await input.withStore(output) { store throws(CommandFailure) in
      try await CommandFailure.catching { () throws(StoreError) in
        try await store.markRead(input.text(.conversation), upTo: seq)
      }
      output.done("Marked as read.", input)
    }
  }
}
