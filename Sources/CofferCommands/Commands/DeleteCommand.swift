import Coffer

enum DeleteCommand: Command {
  static let name = "delete"
  static let summary = "Delete a message: yours everywhere, another's only here"
  static let discussion = """
    Its text, earlier texts and reactions are gone from this store when the command ends. Of a \
    message of yours that may have left, a word to delete it goes to everybody who has it; what \
    they did with it meanwhile nobody can take back.
    """
  static let arguments = [Argument.store, .event]
  static let options = [OptionSection([.sender, .json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer delete ann.coffer 0190b3c8-7a10-7c3f-8d52-6f1e2a3b4c5d"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let id = try input.eventID(.event)
    try await input.withStore(output) { store throws(CommandFailure) in
      let message = try await input.message(id, in: store)
      try await CommandFailure.catching { () throws(StoreError) in
        try await store.delete(message)
      }
      output.done("Deleted.", input)
    }
  }
}
