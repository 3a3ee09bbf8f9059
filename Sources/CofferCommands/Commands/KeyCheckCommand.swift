import Coffer
import CofferCoding

enum KeyCheckCommand: Command {
  static let name = "key check"
  static let summary = "Try a secret without opening the database"
  static let discussion = "Tells which slot the secret opens, and verifies the keyring with it."
  static let arguments = [Argument.store]
  static let options = [OptionSection([.json]), .secret]
  static let examples = ["coffer key check ann.coffer --key-file ann.key"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let path = input.text(.store)
    let source = try SecretSource.opening(input)
    let keyring = try await ParsedArguments.keyring(at: path, output)
    if keyring.isCopy { ParsedArguments.warn(of: .keyringCopyUsed, path, output) }
    let credential = try input.credential(source, keyring, output)
    var options = Store.Options()
    options.allowsAnyMemory = input.has(.allowMemory)
    let slot: SlotID
    do throws(StoreError) {
      slot = try await Store.check(at: path, with: credential, options: options)
    } catch { throw ParsedArguments.failure(error, source, keyring, path) }
    let fitting = keyring.slots.first { $0.id == slot }
    if input.isJSON {
      output.json { check in
        check.member("slot", slot.description)
        if let fitting { check.member("kind", fitting.kind.name) }
        check.member("verified", true)
      }
    } else {
      let kind = fitting.map { $0.kind.words } ?? "secret"
      output.line("This \(kind) opens slot \(slot); the keyring is unchanged since it was written.")
    }
  }
}
