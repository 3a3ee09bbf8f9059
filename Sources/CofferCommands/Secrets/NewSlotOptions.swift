import Coffer
import CofferSystem

extension ParsedArguments {
  /// What trying a passphrase will cost.
  func strength() throws(CommandFailure) -> PassphraseStrength {
    try choice(
      .kdf,
      [
        ("interactive", .interactive), ("moderate", .moderate), ("sensitive", .sensitive),
      ]) ?? .moderate
  }

  /// The label of a new slot, checked before anything is asked for.
  func slotLabel() throws(CommandFailure) -> String {
    let label = self[.label] ?? ""
    guard label.utf8.count <= 64 else {
      throw CommandFailure(KeyError.labelTooLong, path: text(.store))
    }
    return label
  }

  /// Reads the secret for a new slot, or asks twice for a passphrase.
  func newCredential(
    _ source: SecretSource?, _ output: Output, hint: TerminalText
  ) throws(CommandFailure) -> Credential {
    guard let source else {
      return .passphrase(try SecretPrompt.newPassphrase(for: text(.store), hint: hint))
    }
    return try SecretReader(output: output).credential(from: source)
  }
}

/// Prints a recovery code, the only time it is ever shown.
struct IssuedCode: ~Copyable {
  private let code: RecoveryCode

  private init(_ code: consuming RecoveryCode) { self.code = code }

  static func make() throws(CommandFailure) -> IssuedCode {
    IssuedCode(try SecretReader.keys("-") { () throws(KeyError) in try .generate() })
  }

  /// The same code once more, for the slot.
  borrowing func forSlot() throws(CommandFailure) -> RecoveryCode {
    try SecretReader.keys("-") { () throws(KeyError) in try code.copy() }
  }

  /// Shows the code below what was made: `headline` for a person, its name and id in JSON.
  borrowing func show(
    under headline: TerminalText, _ name: String, _ id: some CustomStringConvertible,
    asJSON: Bool, on output: Output
  ) throws(CommandFailure) {
    if asJSON {
      try print(
        between: "{\"\(name)\":\"\(id)\",\"recovery_code\":\"", and: "\"}", on: output)
      return
    }
    output.line(headline)
    output.line()
    try print(between: "Recovery code:  ", and: "", on: output)
    output.line()
    output.line("Write it on paper now: it is never shown again, and it opens the store.")
  }

  /// Lends the letters as bytes between two others, none of which are kept.
  private borrowing func print(
    between before: String, and after: String, on output: Output
  ) throws(CommandFailure) {
    do throws(KeyError) {
      try code.withText { text throws(KeyError) in
        output.secret(text, between: before, and: after)
      }
    } catch { throw CommandFailure(error, path: "-") }
  }
}
