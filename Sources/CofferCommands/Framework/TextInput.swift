import Coffer
import CofferCoding
import CofferSystem

/// A text that a person writes, from standard input or a file: never from an argument, which others
/// could see.
enum TextInput {
  static let file = Option.value(
    "text-file", "FILE", "read the text from a file instead of standard input", completing: .file)

  static let words = """
    Reads the text from standard input, never from an argument, which others could see. Every byte \
    counts, a newline at the end too: use printf instead of echo. The text is UTF-8 of up to 16 MiB.
    """

  private static let limit = 16 << 20

  /// Where the text comes from; `-` is standard input.
  static func path(_ input: ParsedArguments) -> String { input[file] ?? "-" }

  /// What else reads standard input, so that a secret does not.
  static func readers(_ input: ParsedArguments) -> [TerminalText] {
    path(input) == "-" ? ["the text"] : []
  }

  static func read(_ input: ParsedArguments, _ output: Output) throws(CommandFailure) -> String {
    let path = path(input)
    if path == "-", StandardStream.input.isTerminal {
      output.note("Type the text; Ctrl-D on a line of its own ends it.")
    }
    let name = path == "-" ? "standard input" : path
    let bytes = try CommandFailure.catching { () throws(SystemError) in
      path == "-"
        ? try StandardStream.input.readAll(limit: limit)
        : try OpenFile(path, .read).readAll(limit: limit)
    }
    guard bytes.count <= limit else {
      throw CommandFailure(.badData, "\(name) has more than 16 MiB, the most that a text may have")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.badData, "\(name) is not valid UTF-8")
    }
    return text
  }
}

extension Argument {
  static let event = Argument("ID", "the id of a message, as `coffer read --json` shows it")
}

extension Option {
  static let sender = Option.value(
    "sender", "ADDRESS", "who sent that message; without it, it is one of this account")
}

extension ParsedArguments {
  func eventID(_ argument: Argument) throws(CommandFailure) -> EventID {
    try Self.event(text(argument), argument.placeholder)
  }

  func eventID(_ option: Option) throws(CommandFailure) -> EventID? {
    guard let text = self[option] else { return nil }
    return try Self.event(text, option.spelling)
  }

  private static func event(_ text: String, _ name: String) throws(CommandFailure) -> EventID {
    guard let event = EventID(text) else {
      throw .usage("\(name) takes a UUID, not \(quoting: text)")
    }
    return event
  }

  /// The message that an argument and `--sender` name.
  func message(
    _ id: EventID, in store: Store
  ) async throws(CommandFailure) -> MessageReference {
    if let sender = self[.sender] { return MessageReference(sender: sender, id: id) }
    let own = try await CommandFailure.catching { () throws(StoreError) in
      try await store.information().account
    }
    return MessageReference(sender: own, id: id)
  }
}

extension Output {
  /// The id under which something goes to the server; nothing where nothing has to.
  func sent(_ id: EventID?, _ input: ParsedArguments) {
    if input.isJSON {
      json { if let id { $0.member("id", id.description) } else { $0.null("id") } }
    } else if let id {
      line("\(id)")
    } else {
      note("that is so already; nothing was changed")
    }
  }

  /// What was done, in words; with `--json` an object that says that it was.
  func done(_ words: TerminalText, _ input: ParsedArguments) {
    if input.isJSON { json { $0.member("done", true) } } else { line(words) }
  }
}
