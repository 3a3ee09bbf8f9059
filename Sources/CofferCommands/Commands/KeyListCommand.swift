import Coffer
import CofferCoding

enum KeyListCommand: Command {
  static let name = "key list"
  static let summary = "Show the slots of a store"
  static let discussion = """
    Needs no secret, so what it shows is unverified: it is what the file says, and someone may have \
    changed it. `coffer key check` verifies it.
    """
  static let arguments = [Argument.store]
  static let options = [OptionSection([.json])]
  static let examples = ["coffer key list ann.coffer"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let path = input.text(.store)
    let keyring = try await ParsedArguments.keyring(at: path, output)
    if keyring.isCopy { ParsedArguments.warn(of: .keyringCopyUsed, path, output) }
    if input.isJSON {
      for slot in keyring.slots { output.json { describe(slot, &$0) } }
      return
    }
    var table = Table()
    table.add("SLOT", "SECRET", "MADE", "COST", "LABEL")
    for slot in keyring.slots {
      table.add(
        "\(slot.id)", slot.kind.words, Moment.short(clamped(slot.created)), cost(of: slot),
        "\(slot.label)")
    }
    table.print(on: output)
    output.note("unverified: this is what the file says; `coffer key check` verifies it")
  }

  private static func describe(_ slot: Slot, _ json: inout JSONObjectWriter) {
    json.member("slot", slot.id.description)
    json.member("kind", slot.kind.name)
    json.member("created", slot.created)
    if let passes = slot.passes { json.member("passes", passes) }
    if let memory = slot.memory { json.member("memory", memory) }
    json.member("label", slot.label)
    json.member("verified", false)
  }

  private static func cost(of slot: Slot) -> TerminalText {
    guard let passes = slot.passes, let memory = slot.memory else { return "-" }
    return "\(Quantity.memory(memory)), \(passes, of: "pass", "passes")"
  }

  /// Seconds as the file says them, as milliseconds.
  private static func clamped(_ seconds: Int64) -> Int64 {
    seconds.multipliedReportingOverflow(by: 1_000).overflow ? .max : seconds * 1_000
  }
}
