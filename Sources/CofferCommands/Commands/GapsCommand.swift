import Coffer
import CofferCoding

enum GapsCommand: Command {
  private static let conversation = Argument(
    "CONVERSATION", "its address; all conversations where it is left out", isOptional: true)

  static let name = "gaps"
  static let summary = "List what is missing"
  static let discussion = "A gap is a stretch of a conversation's seqs that was never received."
  static let arguments = [Argument.store, conversation]
  static let options = [OptionSection([.json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer gaps ann.coffer hiking"]
  private static let limit = 1_000_000

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    try await input.withStore(output) { store throws(CommandFailure) in
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
}
