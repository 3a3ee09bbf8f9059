import Coffer

enum CancelCommand: Command {
  private static let entry = Argument("ID", "the id of an entry, as `coffer outbox` shows it")

  static let name = "cancel"
  static let summary = "Take back what waits in the outbox"
  static let discussion = """
    What has not left is removed. A message that may be on the server is deleted instead, as \
    `coffer delete` does. Anything else that may be there can't be taken back.
    """
  static let arguments = [Argument.store, entry]
  static let options = [OptionSection([.json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer cancel ann.coffer 0190b3c8-7a10-7c3f-8d52-6f1e2a3b4c5d"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let id = try input.eventID(entry)
    try await input.withStore(output) { store throws(CommandFailure) in
      try await CommandFailure.catching { () throws(StoreError) in try await store.cancel(id) }
      output.done("Taken back.", input)
    }
  }
}
