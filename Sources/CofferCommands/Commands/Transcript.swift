import Coffer

/// A page of a conversation for a person.
struct Transcript {
  private static let widestSender = 20

  private let page: TimelinePage
  /// Columns of the longest sender.
  private let senderWidth: Int

  /// `own` is the address of our own account.
  init(_ page: TimelinePage, own: String) {
    self.page = page
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
    guard let text = message.text else {
      output.line("\(head)[deleted]")
      return
    }
    // A newline of the text goes on under its beginning, so that none can pass for a message.
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    for (index, line) in lines.enumerated() {
      let start = index == 0 ? head : TerminalText(" ").repeated(head.columns)
      output.line("\(start)\(String(line))")
    }
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
