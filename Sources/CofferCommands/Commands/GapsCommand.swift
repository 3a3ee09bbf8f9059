import Coffer
import CofferCoding

enum GapsCommand: Command {
  private static let conversation = Argument(
    "CONVERSATION", "its address; all conversations where it is left out", isOptional: true)
  private static let fill = Option.flag("fill", "fetch what is missing, then list what is left")
  private static let relay = Option.value(
    "relay", "FILE", "the file of the embedded relay, for --fill", completing: .file)

  static let name = "gaps"
  static let summary = "List what is missing"
  static let discussion = """
    A gap is a stretch of a conversation's seqs that was never received. With --fill the server is \
    asked for it, of this conversation or of all.
    """
  static let arguments = [Argument.store, conversation]
  static let options = [OptionSection([fill, relay, .json, .acceptOldKeyring]), .secret]
  static let examples = [
    "coffer gaps ann.coffer hiking", "coffer gaps ann.coffer hiking --fill --relay relay.db",
  ]
  private static let limit = 1_000_000

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    guard input.has(fill) == (input[relay] != nil) else {
      throw .usage("--fill and --relay go together")
    }
    try await input.withStore(output) { store throws(CommandFailure) in
      if input.has(fill) { try await fillGaps(of: store, input) }
      let gaps = try await CommandFailure.catching { () throws(StoreError) in
        try await store.gaps(of: input.optional(conversation), limit: limit)
      }
      var table = Table()
      for (address, gap) in gaps {
        if input.isJSON {
          output.json { json in
            json.member("conversation", address)
            json.member("first", gap.first)
            json.member("last", gap.last)
            json.member("unavailable", gap.isUnavailable)
          }
        } else {
          table.add(
            "\(address)", gap.first == gap.last ? "\(gap.first)" : "\(gap.first)-\(gap.last)",
            "\(gap.last - gap.first + 1, of: "message")",
            gap.isUnavailable ? "lost: the server no longer has them" : "")
        }
      }
      table.print(on: output)
      if gaps.isEmpty, !input.isJSON { output.line("Nothing is missing.") }
    }
  }

  private static func fillGaps(
    of store: Store, _ input: ParsedArguments
  ) async throws(CommandFailure) {
    var options = SyncOptions()
    options.fillsInBackground = input.optional(conversation) == nil
    try await input.withEngine(store, options: options) { engine throws(CommandFailure) in
      if let wanted = input.optional(conversation) { await engine.wants(wanted) }
      do throws(SyncError) { try await engine.syncOnce() } catch { throw CommandFailure(error) }
    }
  }
}
