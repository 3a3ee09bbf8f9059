import Coffer

enum ClearCommand: Command {
  private static let upTo = Option.value("up-to", "SEQ", "only up to this seq")
  private static let yes = Option.flag("yes", "do it; without it nothing is removed")

  static let name = "clear"
  static let summary = "Remove the history of a conversation from this store"
  static let discussion = """
    Here, for good: no server and no other device brings it back to this store, and nobody else \
    loses anything. What waits in the outbox stays and is sent.
    """
  static let arguments = [Argument.store, .conversation]
  static let options = [OptionSection([upTo, yes, .json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer clear ann.coffer hiking --up-to 1200 --yes"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let seq = try input.integer(upTo, in: 1...Int64.max)
    let conversation = input.text(.conversation)
    try await input.withStore(output) { store throws(CommandFailure) in
      guard input.has(yes) else {
        _ = try await CommandFailure.catching { () throws(StoreError) in
          try await store.timeline(of: conversation, limit: 1)
        }
        throw CommandFailure(
          .forbidden, "the history of \(quoting: conversation) would be gone for good",
          hint: "--yes removes it; nothing was changed")
      }
      try await CommandFailure.catching { () throws(StoreError) in
        try await store.clear(conversation, upTo: seq)
      }
      output.done("Removed.", input)
    }
  }
}
