import Coffer
import CofferCoding

enum ConversationsCommand: Command {
  private static let limit = Option.value(
    "limit", "NUMBER", "at most so many (1,000 where it is left out)")

  static let name = "conversations"
  static let summary = "List the conversations, the newest arrival first"
  static let discussion = """
    One line a conversation: how much of it is unread, what of it waits for the server or failed, \
    and its newest message, or what was typed and not sent. A count with a + is at least that, since \
    something is missing.
    """
  static let arguments = [Argument.store]
  static let options = [OptionSection([limit, .json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer conversations ann.coffer"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let limit = try input.integer(limit, in: 1...1_000_000) ?? 1_000
    try await input.withStore(output) { store throws(CommandFailure) in
      let list = try await CommandFailure.catching { () throws(StoreError) in
        try await store.conversations(limit: Int(limit))
      }
      if input.isJSON { json(list, output) } else { table(list, output) }
    }
  }

  private static func json(_ list: [Conversation], _ output: Output) {
    for conversation in list where !output.hasFailed {
      output.json { json in
        json.member("conversation", conversation.address)
        if let title = conversation.title {
          json.member("title", title)
        } else {
          json.null("title")
        }
        json.member("unread", conversation.unread)
        json.member("pending", conversation.pending)
        json.member("failed", conversation.failed)
        if let draft = conversation.draft {
          json.member("draft", draft)
        } else {
          json.null("draft")
        }
        json.member("max_seq", conversation.maxSeq)
        json.member("has_gaps", conversation.hasGaps)
        if let newest = conversation.newest {
          json.object("newest") { TimelineJSON.describe(newest, &$0) }
        } else {
          json.null("newest")
        }
      }
    }
  }

  private static func table(_ list: [Conversation], _ output: Output) {
    guard !list.isEmpty else { return output.line("No conversations yet.") }
    var table = Table()
    for conversation in list {
      let name = conversation.title ?? conversation.address
      table.add(
        TerminalText("\(name)").fitted(to: 24),
        counts(conversation), conversation.newest.map { Moment.short($0.sentAt) } ?? "",
        preview(conversation))
    }
    table.print(on: output)
  }

  private static func counts(_ conversation: Conversation) -> TerminalText {
    var counts: [TerminalText] = []
    if conversation.unread > 0 {
      counts.append("\(grouped: conversation.unread)\(conversation.hasGaps ? "+" : "") unread")
    }
    if conversation.pending > 0 { counts.append("\(grouped: conversation.pending) waiting") }
    if conversation.failed > 0 { counts.append("\(grouped: conversation.failed) failed") }
    return counts.joined(", ")
  }

  /// The first line of what was typed and not sent, else of the newest message.
  private static func preview(_ conversation: Conversation) -> TerminalText {
    if let draft = conversation.draft, !draft.isEmpty {
      return TerminalText("draft: \(firstLine(draft))").fitted(to: 40)
    }
    guard let newest = conversation.newest else { return "" }
    let text = newest.isDeleted ? "[deleted]" : firstLine(newest.text ?? "")
    return TerminalText("\(newest.sender): \(text)").fitted(to: 40)
  }

  private static func firstLine(_ text: String) -> String {
    text.prefix(200).split(separator: "\n").first.map(String.init) ?? ""
  }
}
