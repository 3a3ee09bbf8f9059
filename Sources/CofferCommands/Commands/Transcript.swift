import Coffer

/// A page of a conversation for a person.
struct Transcript {
  private static let widestSender = 20

  private let page: TimelinePage
  private let showsIDs: Bool
  /// Columns of the longest sender.
  private let senderWidth: Int
  /// The page's messages, for the replies to them.
  private let messages: [MessageReference: Message]

  init(_ page: TimelinePage, showsIDs: Bool = false) {
    self.page = page
    self.showsIDs = showsIDs
    var messages: [MessageReference: Message] = [:]
    for case .message(let message) in page.entries { messages[message.reference] = message }
    self.messages = messages
    let widths = page.entries.map { entry in
      switch entry {
      case .message(let message): TerminalText("\(message.sender)").columns
      case .unreadable(let event): TerminalText("\(event.sender)").columns
      case .gap: 0
      }
    }
    senderWidth = min(widths.max() ?? 0, Self.widestSender)
  }

  func print(on output: Output) {
    if let older = page.older {
      output.line("··· older messages: --before \(older.text) ···")
    }
    var day: TerminalText?
    for entry in page.entries where !output.hasFailed {
      switch entry {
      case .message(let message):
        let today = Moment.day(message.sentAt)
        if today != day { output.line(heading(today)) }
        day = today
        print(message, on: output)
      case .gap(let gap): output.line(line(for: gap))
      case .unreadable(let event):
        output.line(
          "       \(sender(event.sender))     [could not be read: see `coffer quarantine`]")
      }
    }
    if page.entries.isEmpty { output.line("No messages yet.") }
  }

  private func heading(_ day: TerminalText) -> TerminalText {
    "── \(day) \(TerminalText("─").repeated(60 - day.columns))"
  }

  private func sender(_ address: String) -> TerminalText {
    TerminalText("\(address)").fitted(to: senderWidth).padded(to: senderWidth)
  }

  private func print(_ message: Message, on output: Output) {
    let head: TerminalText =
      "\(Moment.time(message.sentAt))  \(sender(message.sender)) \(message.state.mark.padded(to: 2))  "
    var lines: [TerminalText] = []
    if let reply = message.replyTo, !message.isDeleted { lines.append(answered(reply)) }
    lines += text(of: message)
    let facts = facts(of: message)
    if !facts.isEmpty { lines.append("╰ \(facts.joined(" · "))") }
    // What goes on does so under its beginning, so that no text can pass for a message.
    for (index, line) in lines.enumerated() {
      output.line((index == 0 ? head : TerminalText(" ").repeated(head.columns)) + line)
    }
  }

  private func text(of message: Message) -> [TerminalText] {
    guard let text = message.text else { return ["[deleted]"] }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { "\(String($0))" }
  }

  /// What a message answers, in a line.
  private func answered(_ reference: MessageReference) -> TerminalText {
    let known = messages[reference].map { message in
      message.text.map { TerminalText("\(String($0.prefix(200).prefix { $0 != "\n" }))") }
        ?? "[deleted]"
    }
    return TerminalText("↳ \(reference.sender): \(known ?? "an earlier message")").fitted(to: 50)
  }

  private func facts(of message: Message) -> [TerminalText] {
    var facts: [TerminalText] = []
    if let failure = message.failure { facts.append("failed: \(failure)") }
    if message.isEdited, !message.isDeleted { facts.append("edited") }
    if message.isExpunged { facts.append("the server no longer has it") }
    var emoji: [String] = []
    for reaction in message.reactions where !emoji.contains(reaction.emoji) {
      emoji.append(reaction.emoji)
    }
    for emoji in emoji {
      let names = message.reactions.filter { $0.emoji == emoji }.map {
        TerminalText("\($0.sender)")
      }
      let who: TerminalText = names.count > 3 ? "\(names.count)" : names.joined(", ")
      facts.append("\(TerminalText("\(emoji)").fitted(to: 12)) \(who)")
    }
    if showsIDs { facts.append("\(message.eventID)") }
    return facts
  }

  private func line(for gap: Gap) -> TerminalText {
    let count = gap.last - gap.first + 1
    let range: TerminalText = count == 1 ? "\(gap.first)" : "\(gap.first)-\(gap.last)"
    let what: TerminalText =
      gap.isUnavailable
      ? "\(count, of: "message is", "messages are") lost: the server no longer has \(count == 1 ? "it" : "them")"
      : "\(count, of: "message is", "messages are") missing"
    return "··· \(what) (\(range)) ···"
  }
}
