import Coffer
import CofferCoding

enum KeyRemoveCommand: Command {
  static let name = "key remove"
  static let summary = "Take a secret's power to open a store away"
  static let discussion = """
    The last slot can't be removed.

    What it can't do: whoever copied the old keyring and knows the old secret, or has the master \
    key, still opens that copy. Only a new master key ends that; `key rotate` will come.
    """
  static let arguments = [Argument.store, .slot]
  static let options = [OptionSection([.json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer key remove ann.coffer 5d41402abc4b2a76"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let id = try input.slot(.slot)
    try await input.withStore(output) { store throws(CommandFailure) in
      try await input.requireSlot(id, in: store)
      let left = try await CommandFailure.catching { () throws(StoreError) in
        try await store.removeSlot(id)
        return try await store.slots().count
      }
      if input.isJSON {
        output.json { answer in
          answer.member("removed", id.description)
          answer.member("slots", left)
        }
      } else {
        output.line("Removed slot \(id); \(left, of: "slot") left.")
      }
    }
  }
}
