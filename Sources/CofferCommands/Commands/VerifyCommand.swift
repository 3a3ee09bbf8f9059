import Coffer
import CofferCoding

enum VerifyCommand: Command {
  static let name = "verify"
  static let summary = "Check a whole store, page by page and rule by rule"
  static let discussion = """
    Authenticates every page of the database, checks its tables, and checks every rule that the rows \
    obey after each commit. Changes nothing. Ends with 0 for a clean store, and with 65 for one that \
    is not.
    """
  static let arguments = [Argument.store]
  static let options = [OptionSection([.json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer verify ann.coffer"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let path = input.text(.store)
    try await input.withStore(output) { store throws(CommandFailure) in
      let showsSteps = !input.isJSON
      let result = try await CommandFailure.catching { () throws(StoreError) in
        try await store.verify { step in
          if showsSteps { output.line("\(step.rawValue) …") }
        }
      }
      if input.isJSON { json(result, output) } else { report(result, output) }
      guard result.isClean else {
        throw CommandFailure(
          .badData, "\(path) is not as it should be: \(result.findings.count, of: "finding")",
          hint: "keep the folder as it is and work on a copy of it; nothing was changed")
      }
    }
  }

  private static func json(_ result: Verification, _ output: Output) {
    output.json { document in
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
  }

  private static func report(_ result: Verification, _ output: Output) {
    for finding in result.findings {
      output.line("found in the \(finding.area.rawValue): \(finding.text)")
    }
    guard result.isClean else { return }
    output.line(
      "clean: \(result.messages, of: "message") in \(result.conversations, of: "conversation"), \(Quantity.bytes(result.bytes))"
    )
  }
}
