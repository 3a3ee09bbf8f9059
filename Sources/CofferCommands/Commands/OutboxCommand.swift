import Coffer
import CofferCoding

enum OutboxCommand: Command {
  private static let limit = Option.value(
    "limit", "NUMBER", "at most so many (100 where it is left out)")

  static let name = "outbox"
  static let summary = "List the messages that wait for the server, oldest first"
  static let discussion = """
    A client sends them and has `receive` read an ack for each. The id stays the same however often \
    one is tried, so the server can tell a repeat.
    """
  static let arguments = [Argument.store]
  static let options = [OptionSection([limit, .json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer outbox ann.coffer --json"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let limit = try input.integer(limit, in: 1...1_000_000) ?? 100
    try await input.withStore(output) { store throws(CommandFailure) in
      let entries = try await CommandFailure.catching { () throws(StoreError) in
        try await store.outbox(limit: Int(limit))
      }
      var table = Table()
      for entry in entries where !output.hasFailed {
        if input.isJSON {
          output.json { json in
            json.member("id", entry.id.description)
            json.member("conversation", entry.conversation)
            if let text = text(of: entry) { json.member("text", text) }
            json.member("attempts", entry.attempts)
            json.member("created_at", entry.createdAt)
          }
        } else {
          let line =
            (text(of: entry) ?? "").prefix(200).split(separator: "\n").first.map(String.init) ?? ""
          table.add(
            "\(entry.id)", Moment.short(entry.createdAt),
            TerminalText("\(entry.conversation)").fitted(to: 24),
            TerminalText("\(line)").fitted(to: 40))
        }
      }
      table.print(on: output)
      if entries.isEmpty, !input.isJSON { output.line("Nothing waits.") }
    }
  }

  private static func text(of entry: OutboxEntry) -> String? {
    switch entry.event {
    case .message(let text, _), .edit(_, let text): text
    default: nil
    }
  }
}
