import Coffer
import CofferCoding
import CofferSystem

enum SendCommand: Command {
  private static let textFile = Option.value(
    "text-file", "FILE", "read the text from a file instead of standard input", completing: .file)
  private static let id = Option.value(
    "id", "UUID", "the message's id; the same text again under one id is one message")
  private static let textLimit = 16 << 20

  static let name = "send"
  static let summary = "Write a message to be sent"
  static let discussion = """
    Reads the text from standard input, never from an argument, which others could see. Every byte \
    counts, a newline at the end too: use printf instead of echo. The text is UTF-8 of up to 16 MiB.

    The message is safe on the disk when the command ends, and waits in the outbox until `receive` \
    reads its ack. Prints its id.
    """
  static let arguments = [Argument.store, .conversation]
  static let options = [OptionSection([textFile, id, .json, .acceptOldKeyring]), .secret]
  static let examples = ["printf 'Back before dark?' | coffer send ann.coffer hiking"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let event = try eventID(input)
    let path = input[textFile] ?? "-"
    let others: [TerminalText] = path == "-" ? ["the text"] : []
    try await input.withStore(output, standardInput: others) { store throws(CommandFailure) in
      let text = try text(path, output)
      let sent = try await CommandFailure.catching { () throws(StoreError) in
        try await store.send(Draft(text, to: input.text(.conversation), id: event))
      }
      if input.isJSON {
        output.json { $0.member("id", sent.description) }
      } else {
        output.line("\(sent)")
      }
    }
  }

  private static func eventID(_ input: ParsedArguments) throws(CommandFailure) -> EventID? {
    guard let text = input[id] else { return nil }
    guard let event = EventID(text) else {
      throw .usage("--id takes a UUID, not \(quoting: text)")
    }
    return event
  }

  private static func text(_ path: String, _ output: Output) throws(CommandFailure) -> String {
    let name = path == "-" ? "standard input" : path
    if path == "-", StandardStream.input.isTerminal {
      output.note("Type the message; Ctrl-D on a line of its own ends it.")
    }
    let bytes = try CommandFailure.catching { () throws(SystemError) in
      path == "-"
        ? try StandardStream.input.readAll(limit: textLimit)
        : try OpenFile(path, .read).readAll(limit: textLimit)
    }
    guard bytes.count <= textLimit else {
      throw CommandFailure(.badData, "\(name) has more than 16 MiB, the most that a text may have")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.badData, "\(name) is not valid UTF-8")
    }
    return text
  }
}
