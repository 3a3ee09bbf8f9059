import Coffer

enum ReadCommand: Command {
  private static let limit = Option.value(
    "limit", "NUMBER", "at most so many messages (50 where it is left out)")
  private static let before = Option.value(
    "before", "POSITION", "go on where an earlier page began, such as seq:101")

  private static let ids = Option.flag("ids", "show the id of each message, for `edit` and others")

  static let name = "read"
  static let summary = "Show a conversation"
  static let discussion = """
    The newest messages, oldest first, in the server's order; those that it does not have yet come \
    last. What is missing stands as a line of its own between what it separates.

    Our own messages have a mark: … waits for the server, ✗ failed, ✓ sent, ✓✓ delivered, ●● read. \
    Below a message stands what belongs to it: why it failed, that it was edited, who reacted. What \
    we wrote ourselves shows at once, edits and reactions too, before the server has it.

    With --json an entry is a line: {"message":{…}}, {"gap":{…}} or {"unreadable":{…}}; the last line \
    is {"older":POSITION}, or null where the conversation begins. A reply names the sender and the id \
    of what it answers.
    """
  static let arguments = [Argument.store, .conversation]
  static let options = [OptionSection([limit, before, ids, .json, .acceptOldKeyring]), .secret]
  static let examples = [
    "coffer read ann.coffer hiking", "coffer read ann.coffer hiking --before seq:101 --limit 100",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let limit = try input.integer(limit, in: 1...1_000_000) ?? 50
    let position = try position(input)
    try await input.withStore(output) { store throws(CommandFailure) in
      let page = try await CommandFailure.catching { () throws(StoreError) in
        try await store.timeline(
          of: input.text(.conversation), before: position, limit: Int(limit))
      }
      if input.isJSON {
        TimelineJSON.print(page, on: output)
      } else {
        Transcript(page, showsIDs: input.has(ids)).print(on: output)
      }
    }
  }

  private static func position(
    _ input: ParsedArguments
  ) throws(CommandFailure) -> TimelinePage.Position? {
    guard let text = input[before] else { return nil }
    guard let position = TimelinePage.Position(text) else {
      throw .usage(
        "--before takes a position as an earlier page shows it, not \(quoting: text)",
        hint: "such as seq:101")
    }
    return position
  }
}

extension TimelinePage.Position {
  /// `seq:101` for a place among what the server has, `row:7` for one behind it.
  var text: String {
    switch self {
    case .row(let row): "row:\(row)"
    case .seq(let seq): "seq:\(seq)"
    }
  }

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int64(parts[1]), number >= 1 else { return nil }
    switch parts[0] {
    case "row": self = .row(number)
    case "seq": self = .seq(number)
    default: return nil
    }
  }
}

extension MessageState {
  var name: String {
    switch self {
    case .incoming: "incoming"
    case .pending: "pending"
    case .failed: "failed"
    case .sent: "sent"
    case .delivered: "delivered"
    case .read: "read"
    }
  }

  /// What stands beside a message of ours.
  var mark: TerminalText {
    switch self {
    case .incoming: ""
    case .pending: "…"
    case .failed: "✗"
    case .sent: "✓"
    case .delivered: "✓✓"
    case .read: "●●"
    }
  }
}
