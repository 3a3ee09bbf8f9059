import Coffer

enum KeyChangeCommand: Command {
  static let name = "key change"
  static let summary = "Put a new secret in the place of another"
  static let discussion = """
    Makes a slot for the new secret and removes the old slot, in one step.

    What it can't do: whoever copied the old keyring and knows the old secret still opens that copy. \
    Only a new master key ends that; `key rotate` will come.
    """
  static let arguments = [Argument.store, .slot]
  static let options = [
    OptionSection([.label, .kdf, .json, .acceptOldKeyring]), .newSecret, .secret,
  ]
  static let examples = ["coffer key change ann.coffer 5d41402abc4b2a76"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let old = try input.slot(.slot)
    let maker = try SlotMaker(input, output)
    try await input.withStore(output, new: maker.source) { store throws(CommandFailure) in
      try await input.requireSlot(old, in: store)
      try await maker.make { slot throws(StoreError) in
        try await store.replaceSlot(old, with: slot)
      }
    }
  }
}

extension ParsedArguments {
  /// Looks for a slot before anything is asked for or changed.
  func requireSlot(_ id: SlotID, in store: Store) async throws(CommandFailure) {
    let slots = try await CommandFailure.catching { () throws(StoreError) in
      try await store.slots()
    }
    guard slots.contains(where: { $0.id == id }) else {
      throw CommandFailure(KeyError.noSuchSlot, path: text(.store))
    }
  }
}
