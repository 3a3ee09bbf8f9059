import Coffer
import CofferCoding

enum DraftCommand: Command {
  private static let set = Option.flag("set", "keep the text on standard input as the draft")
  private static let forget = Option.flag("forget", "forget the draft")

  static let name = "draft"
  static let summary = "Show, keep or forget what was typed and not sent"
  static let discussion = """
    A conversation has one draft. It never leaves this store; `coffer send` of the very same text \
    forgets it. With --set the text comes from standard input or --text-file.
    """
  static let arguments = [Argument.store, .conversation]
  static let options = [
    OptionSection([set, forget, TextInput.file, .json, .acceptOldKeyring]), .secret,
  ]
  static let examples = [
    "coffer draft ann.coffer hiking", "printf 'Back before' | coffer draft ann.coffer hiking --set",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    guard !(input.has(set) && input.has(forget)) else {
      throw .usage("--set and --forget exclude each other")
    }
    guard input.has(set) || input[TextInput.file] == nil else {
      throw .usage("--text-file goes with --set")
    }
    let readers = input.has(set) ? TextInput.readers(input) : []
    let conversation = input.text(.conversation)
    try await input.withStore(output, standardInput: readers) { store throws(CommandFailure) in
      if input.has(set) || input.has(forget) {
        let text = input.has(set) ? try TextInput.read(input, output) : nil
        try await CommandFailure.catching { () throws(StoreError) in
          try await store.setDraft(text, for: conversation)
        }
        output.done(text == nil ? "Forgotten." : "Kept.", input)
        return
      }
      try await show(conversation, of: store, input, output)
    }
  }

  private static func show(
    _ conversation: String, of store: Store, _ input: ParsedArguments, _ output: Output
  ) async throws(CommandFailure) {
    let known = try await CommandFailure.catching { () throws(StoreError) in
      try await store.conversations(limit: .max)
    }
    // Byte for byte: addresses that only look the same are two.
    guard let found = known.first(where: { $0.address.utf8.elementsEqual(conversation.utf8) })
    else { throw CommandFailure(StoreError.unknownConversation(conversation)) }
    if input.isJSON {
      output.json { json in
        if let draft = found.draft { json.member("draft", draft) } else { json.null("draft") }
      }
    } else if let draft = found.draft {
      if output.isTerminal { output.line("\(draft)") } else { output.raw(Array(draft.utf8)) }
    } else {
      output.note("there is no draft")
    }
  }
}
