import Coffer
import CofferCoding

enum OutboxCommand: Command {
  private static let limit = Option.value(
    "limit", "NUMBER", "at most so many (100 where it is left out)")

  static let name = "outbox"
  static let summary = "List what waits for the server, oldest first"
  static let discussion = """
    Messages, edits, deletes, reactions and changes of conversations, in the order in which they are \
    sent. `sync` sends them; or a client of yours does, and has `receive` read an ack for each. The \
    id stays the same however often one is tried, so the server can tell a repeat.

    What was given up says why, and waits for `retry` or `cancel`; the others of its conversation go \
    on. With --json each line holds the event in the form in which `receive` reads it.
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
          output.json { describe(entry, &$0) }
        } else {
          table.add(
            "\(entry.id)", Moment.short(entry.createdAt),
            TerminalText("\(entry.conversation)").fitted(to: 24),
            words(of: entry.event).fitted(to: 40), state(of: entry))
        }
      }
      table.print(on: output)
      if entries.isEmpty, !input.isJSON { output.line("Nothing waits.") }
    }
  }

  private static func describe(_ entry: OutboxEntry, _ json: inout JSONObjectWriter) {
    json.member("id", entry.id.description)
    json.member("position", entry.position)
    json.member("conversation", entry.conversation)
    json.member("attempts", entry.attempts)
    json.member("retry_at", entry.retryAt)
    json.member("created_at", entry.createdAt)
    if let failure = entry.failure { json.member("failure", failure) } else { json.null("failure") }
    if let event = entry.event { event.write(to: &json) } else { json.null("message") }
  }

  private static func words(of event: Event?) -> TerminalText {
    switch event {
    case .message(let text, _): "\(firstLine(text))"
    case .edit(_, let text): "edit: \(firstLine(text))"
    case .delete: "delete of a message"
    case .reaction(_, let emoji, let isAdded):
      isAdded ? "reaction \(emoji)" : "no reaction \(emoji)"
    case .change(let change): words(of: change)
    // It is on its way and can't be called back, and was deleted here.
    case nil: "[deleted]"
    case .receipt: "receipt"
    }
  }

  private static func words(of change: ConversationChange) -> TerminalText {
    switch change {
    case .create(let title, _): title.map { "new conversation: \($0)" } ?? "new conversation"
    case .join(let account): "adds \(account)"
    case .leave: "leaves the conversation"
    case .remove(let account): "removes \(account)"
    case .title(let title): "title: \(title)"
    case .delete: "deletes the conversation"
    }
  }

  private static func state(of entry: OutboxEntry) -> TerminalText {
    if let failure = entry.failure { return "failed: \(failure)" }
    return entry.attempts > 0 ? "tried \(entry.attempts, of: "time")" : ""
  }

  private static func firstLine(_ text: String) -> String {
    text.prefix(200).split(separator: "\n").first.map(String.init) ?? ""
  }
}
