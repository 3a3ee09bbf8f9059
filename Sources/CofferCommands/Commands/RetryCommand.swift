import Coffer

enum RetryCommand: Command {
  private static let entry = Argument("ID", "the id of an entry, as `coffer outbox` shows it")

  static let name = "retry"
  static let summary = "Send again what was given up"
  static let discussion = """
    It keeps its id and its bytes, so that it can't arrive twice, and becomes the last of its \
    conversation's queue. What waits for its next try is tried at once.
    """
  static let arguments = [Argument.store, entry]
  static let options = [OptionSection([.json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer retry ann.coffer 0190b3c8-7a10-7c3f-8d52-6f1e2a3b4c5d"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let id = try input.eventID(entry)
    try await input.withStore(output) { store throws(CommandFailure) in
      try await CommandFailure.catching { () throws(StoreError) in try await store.retry(id) }
      output.done("It is tried again at the next sync.", input)
    }
  }
}
