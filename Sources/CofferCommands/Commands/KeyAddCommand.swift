import Coffer
import CofferCoding

enum KeyAddCommand: Command {
  static let name = "key add"
  static let summary = "Let one more secret open a store"
  static let discussion = """
    Opens the store with a secret it has, then makes a slot for a new one. A store has at most 32 \
    slots, 8 of them for passphrases.
    """
  static let arguments = [Argument.store]
  static let options = [
    OptionSection([.label, .kdf, .json, .acceptOldKeyring]), .newSecret, .secret,
  ]
  static let examples = [
    "coffer key add ann.coffer --new-recovery",
    "coffer key add ann.coffer --new-key-file ann.key --label \"key on the stick\"",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let maker = try SlotMaker(input, output)
    try await input.withStore(output, new: maker.source) { store throws(CommandFailure) in
      try await maker.make { slot throws(StoreError) in try await store.addSlot(slot) }
    }
  }
}

/// What `key add` and `key change` share: reads a new secret, has a slot made, says which.
struct SlotMaker {
  let source: SecretSource?
  private let input: ParsedArguments
  private let output: Output
  private let label: String
  private let strength: PassphraseStrength

  /// Checks all options before anything is opened.
  init(_ input: ParsedArguments, _ output: Output) throws(CommandFailure) {
    source = try SecretSource.new(input)
    label = try input.slotLabel()
    strength = try input.strength()
    self.input = input
    self.output = output
  }

  func make(
    _ change: (consuming NewSlot) async throws(StoreError) -> SlotID
  ) async throws(CommandFailure) {
    if case .issuedCode = source {
      let issued = try IssuedCode.make()
      let id = try await run(.recoveryCode(try issued.forSlot()), change)
      try report(id, issued)
    } else {
      let credential = try input.newCredential(
        source, output,
        hint:
          "give it with --new-passphrase-file, --new-passphrase-command, --new-key-file or --new-recovery"
      )
      let id = try await run(credential, change)
      if input.isJSON {
        output.json { $0.member("slot", id.description) }
      } else {
        output.line("Made slot \(id).")
      }
    }
  }

  private func run(
    _ credential: consuming Credential,
    _ change: (consuming NewSlot) async throws(StoreError) -> SlotID
  ) async throws(CommandFailure) -> SlotID {
    do throws(StoreError) {
      return try await change(NewSlot(credential, label: label, strength: strength))
    } catch { throw CommandFailure(error) }
  }

  private func report(
    _ id: SlotID, _ issued: borrowing IssuedCode
  ) throws(CommandFailure) {
    try issued.show(under: "Made slot \(id).", "slot", id, asJSON: input.isJSON, on: output)
    guard !output.hasFailed else {
      throw CommandFailure(
        .inputOutput, "slot \(id) was made, but its recovery code could not be written",
        hint: "nobody has that code: remove the slot with `coffer key remove`")
    }
  }
}

extension ParsedArguments {
  /// The id of a slot as someone typed it.
  func slot(_ argument: Argument) throws(CommandFailure) -> SlotID {
    guard let id = SlotID(text(argument)) else {
      throw .usage(
        "a slot is 16 hexadecimal digits, not \(quoting: text(argument))",
        hint: "`coffer key list \(text(.store))` shows the slots")
    }
    return id
  }
}

extension Argument {
  static let slot = Argument("SLOT", "the id of a slot, as `key list` shows it")
}
