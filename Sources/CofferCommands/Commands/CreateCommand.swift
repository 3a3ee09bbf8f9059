import Coffer
import CofferCoding
import CofferSystem

enum CreateCommand: Command {
  private static let account = Option.value(
    "account", "ADDRESS", "the address of the account that the store is for", required: true)
  private static let device = Option.value(
    "device", "NUMBER", "the number of this device of the account, from 1", required: true)
  private static let recovery = Option.flag(
    "recovery", "issue a recovery code and print it, once: the only secret, or one more")

  static let name = "create"
  static let summary = "Make a new store"
  static let discussion = """
    STORE becomes a folder that only you can read. Nothing may bear that name yet.

    Whoever loses every secret of a store loses the store: nobody can open it for them. \
    Write a recovery code on paper, and keep it elsewhere: --recovery issues one, beside another \
    secret or alone.
    """
  static let arguments = [Argument("STORE", "the folder to make", completing: .folder)]
  static let options = [
    OptionSection([account, device, .json]),
    OptionSection(
      "Secret (one of these; else a passphrase is asked for)",
      [.passphraseFile, .passphraseCommand, .keyFile, recovery, .kdf, .label]),
  ]
  static let examples = [
    "coffer create ann.coffer --account ann --device 1",
    "coffer create ann.coffer --account ann --device 1 --key-file key --recovery",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let path = input.text(.store)
    let number = try input.integer(device, in: 1...Int64(UInt32.max)) ?? 1
    let strength = try input.strength()
    let label = try input.slotLabel()
    let source = try SecretSource.first(input)
    try checkPlace(path)

    let credential: Credential
    let issued: IssuedCode?
    var second: RecoveryCode?
    if input.has(recovery) {
      let code = try IssuedCode.make()
      if let source {
        credential = try SecretReader(output: output).credential(from: source)
        second = try code.forSlot()
      } else {
        // A code alone is the store's only slot.
        credential = .recoveryCode(try code.forSlot())
      }
      issued = consume code
    } else {
      credential = try input.newCredential(
        source, output,
        hint: "give it with --passphrase-file, --passphrase-command, --key-file or --recovery")
      issued = nil
    }

    let store: Store
    do throws(StoreError) {
      store = try await Store.create(
        at: path, account: input.text(account), device: UInt32(number),
        with: NewSlot(credential, label: label, strength: strength), recovery: second)
    } catch { throw CommandFailure(error) }
    let id = store.id
    await store.close()
    try report(input, path, id, issued, output)
  }

  /// Asked before a secret is, so that nobody types one in vain; `Store.create` asks again.
  private static func checkPlace(_ path: String) throws(CommandFailure) {
    let isThere = try CommandFailure.catching { () throws(SystemError) in
      try Files.isThere(path)
    }
    if isThere { throw CommandFailure(StoreError.alreadyThere(path: path)) }
    let parent = Files.parent(of: path)
    let hasParent = try CommandFailure.catching { () throws(SystemError) in
      try Files.isThere(parent)
    }
    if !hasParent { throw CommandFailure(.notFound, "there is no folder \(parent)") }
  }

  private static func report(
    _ input: ParsedArguments, _ path: String, _ id: StoreID, _ issued: consuming IssuedCode?,
    _ output: Output
  ) throws(CommandFailure) {
    guard let issued else {
      if input.isJSON {
        output.json { $0.member("store", id.description) }
      } else {
        output.line("Made \(path), store \(id).")
      }
      return
    }
    try issued.show(
      under: "Made \(path), store \(id).", "store", id, asJSON: input.isJSON, on: output)
    guard !output.hasFailed else {
      throw CommandFailure(
        .inputOutput, "\(path) was made, but its recovery code could not be written",
        hint: "nobody has that code: remove its slot with `coffer key remove`",
        "if it is the only slot, nobody can open the store: delete it and make another")
    }
  }
}
