import Coffer
import CofferCoding

enum VerifyCommand: Command {
  private static let repair = Option.flag("repair", "set right what follows from other rows")

  static let name = "verify"
  static let summary = "Check a whole store, page by page and rule by rule"
  static let discussion = """
    Authenticates every page of the database, checks its tables, and checks every rule that the rows \
    obey after each commit. Changes nothing. Ends with 0 for a clean store, and with 65 for one that \
    is not.

    With --repair it sets right what follows from other rows: gaps, counts of unread messages, \
    previews, states, entries of the outbox, rows that belonged to nothing. Each repair is shown. \
    No message is touched in its text, place, sender or id, and none is removed. What can't be \
    known from other rows stays a finding, and the command ends with 65. A store with a damaged page \
    is left as it is.
    """
  static let arguments = [Argument.store]
  static let options = [OptionSection([repair, .json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer verify ann.coffer", "coffer verify ann.coffer --repair"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let path = input.text(.store)
    try await input.withStore(output) { store throws(CommandFailure) in
      let showsSteps = !input.isJSON
      let progress: @Sendable (Store.VerificationStep) -> Void = { step in
        if showsSteps { output.line("\(step.rawValue) …") }
      }
      if input.has(repair) {
        try await mend(store, input, output, progress)
        return
      }
      let result = try await CommandFailure.catching { () throws(StoreError) in
        try await store.verify(progress: progress)
      }
      if input.isJSON {
        output.json { describe(result, &$0) }
      } else {
        report(result, output)
      }
      guard result.isClean else {
        throw failure(
          of: result, path,
          "keep the folder as it is and work on a copy of it; nothing was changed",
          "`coffer verify --repair` sets right what follows from other rows")
      }
    }
  }

  private static func mend(
    _ store: Store, _ input: ParsedArguments, _ output: Output,
    _ progress: @escaping @Sendable (Store.VerificationStep) -> Void
  ) async throws(CommandFailure) {
    let result = try await CommandFailure.catching { () throws(StoreError) in
      try await store.repair(progress: progress)
    }
    if input.isJSON {
      output.json { document in
        describe(result.after, &document)
        document.array("repairs") { repairs in
          for change in result.changes {
            repairs.object { object in
              object.member("repair", change.kind)
              object.member("count", change.count)
            }
          }
        }
      }
    } else {
      if result.changes.isEmpty {
        report(result.after, output)
      } else {
        for finding in result.before.findings { found(finding, output) }
        for change in result.changes {
          output.line("set right: \(grouped: change.count) \(change.text)")
        }
        report(result.after, output, "still found")
      }
    }
    guard !result.after.isClean else { return }
    if result.isBeyondRepair {
      throw failure(
        of: result.after, input.text(.store),
        "a damaged page can't be set right from other rows; nothing was changed")
    }
    throw failure(
      of: result.after, input.text(.store),
      "this can't be known from other rows; keep a copy of the folder")
  }

  private static func failure(
    of result: Verification, _ path: String, _ hints: TerminalText...
  ) -> CommandFailure {
    var failure = CommandFailure(
      .badData, "\(path) is not as it should be: \(result.findings.count, of: "finding")")
    for hint in hints where !result.isDamaged || hint == hints.first {
      failure = failure.adding(hint: hint)
    }
    return failure
  }

  private static func describe(_ result: Verification, _ document: inout JSONObjectWriter) {
    document.member("clean", result.isClean)
    document.member("messages", result.messages)
    document.member("conversations", result.conversations)
    document.member("bytes", result.bytes)
    document.array("findings") { findings in
      for finding in result.findings {
        findings.object { object in
          object.member("area", finding.area.rawValue)
          object.member("text", finding.text)
        }
      }
    }
  }

  private static func found(
    _ finding: Finding, _ output: Output, _ words: TerminalText = "found"
  ) {
    output.line("\(words) in the \(finding.area.rawValue): \(finding.text)")
  }

  private static func report(
    _ result: Verification, _ output: Output, _ words: TerminalText = "found"
  ) {
    for finding in result.findings { found(finding, output, words) }
    guard result.isClean else { return }
    output.line(
      "clean: \(result.messages, of: "message") in \(result.conversations, of: "conversation"), \(Quantity.bytes(result.bytes))"
    )
  }
}
