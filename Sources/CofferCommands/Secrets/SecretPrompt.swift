import CofferKeys
import CofferSystem

/// Asks a person at the terminal for a secret.
enum SecretPrompt {
  /// Asks for what opens the store: its passphrase, or its recovery code where it has no other.
  static func secret(
    for path: String, slots: [Slot]
  ) throws(CommandFailure) -> Credential {
    if slots.contains(where: { $0.kind == .passphrase }) {
      return .passphrase(try passphrase("Passphrase for \(path): "))
    }
    if slots.contains(where: { $0.kind == .recovery }) {
      let code = try asking { () throws(KeyError) in
        try RecoveryCode.prompt(text("Recovery code for \(path): "))
      }
      return .recoveryCode(code)
    }
    throw .usage("\(path) opens with a key file: give it with --key-file")
  }

  /// Asks twice: nobody sees what was typed.
  static func newPassphrase(
    for path: String, hint: TerminalText
  ) throws(CommandFailure) -> Passphrase {
    let first = try asking(hint) { () throws(KeyError) in
      try Passphrase.prompt(text("New passphrase for \(path): "))
    }
    let second = try passphrase("The same once more: ")
    guard first.isEqual(to: second) else { throw .usage("the two passphrases differ") }
    return first
  }

  private static func passphrase(_ question: TerminalText) throws(CommandFailure) -> Passphrase {
    try asking { () throws(KeyError) in try Passphrase.prompt(question.text) }
  }

  private static func text(_ question: TerminalText) -> String { question.text }

  private static func asking<Result: ~Copyable>(
    _ hint: TerminalText = """
    give it with --passphrase-file, --passphrase-command, --key-file or --recovery-file
    """,
    _ body: () throws(KeyError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(KeyError) { return try body() } catch {
      if case .system(let problem) = error, problem.path == Terminal.path {
        throw .usage("there is no terminal to ask for the secret", hint: hint)
      }
      throw CommandFailure(error, path: "what was typed")
    }
  }
}
