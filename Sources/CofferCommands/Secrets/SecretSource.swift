/// Where a secret comes from, as the options say.
enum SecretSource: Sendable, Equatable {
  case passphraseFile(String, Option)
  case passphraseCommand(String, Option)
  case keyFile(String, Option)
  case recoveryFile(String, Option)
  /// A new recovery code, for a new slot only.
  case issuedCode(Option)

  static func == (left: SecretSource, right: SecretSource) -> Bool { left.words == right.words }

  /// The source of the secret that opens a store; nothing where a person must be asked.
  static func opening(_ input: ParsedArguments) throws(CommandFailure) -> SecretSource? {
    try only([
      input[.passphraseFile].map { .passphraseFile($0, .passphraseFile) },
      input[.passphraseCommand].map { .passphraseCommand($0, .passphraseCommand) },
      input[.keyFile].map { .keyFile($0, .keyFile) },
      input[.recoveryFile].map { .recoveryFile($0, .recoveryFile) },
    ])
  }

  /// The source of the first secret of a new store.
  static func first(_ input: ParsedArguments) throws(CommandFailure) -> SecretSource? {
    try only([
      input[.passphraseFile].map { .passphraseFile($0, .passphraseFile) },
      input[.passphraseCommand].map { .passphraseCommand($0, .passphraseCommand) },
      input[.keyFile].map { .keyFile($0, .keyFile) },
    ])
  }

  /// The source of the secret for a new slot.
  static func new(_ input: ParsedArguments) throws(CommandFailure) -> SecretSource? {
    try only([
      input[.newPassphraseFile].map { .passphraseFile($0, .newPassphraseFile) },
      input[.newPassphraseCommand].map { .passphraseCommand($0, .newPassphraseCommand) },
      input[.newKeyFile].map { .keyFile($0, .newKeyFile) },
      input.has(.newRecovery) ? .issuedCode(.newRecovery) : nil,
    ])
  }

  /// Two sources for one secret are an error: any order between them would surprise somebody.
  private static func only(_ sources: [SecretSource?]) throws(CommandFailure) -> SecretSource? {
    let given = sources.compactMap { $0 }
    guard given.count > 1 else { return given.first }
    throw .usage(
      "two sources for one secret: \(TerminalText.list(given.map(\.option), "and"))",
      hint: "give one of them")
  }

  private var option: TerminalText {
    switch self {
    case .passphraseFile(_, let option), .passphraseCommand(_, let option),
      .keyFile(_, let option), .recoveryFile(_, let option), .issuedCode(let option):
      "\(option.spelling)"
    }
  }

  /// The option as it was typed; a command is left out, since it may hold what nobody should see.
  var words: TerminalText {
    switch self {
    case .passphraseFile(let path, _), .keyFile(let path, _), .recoveryFile(let path, _):
      "\(option) \(path)"
    case .passphraseCommand, .issuedCode: option
    }
  }

  var readsStandardInput: Bool {
    switch self {
    case .passphraseFile("-", _), .recoveryFile("-", _): true
    default: false
    }
  }

  /// Standard input can be read once; `others` are those that read it besides.
  static func checkStandardInput(
    _ sources: [SecretSource?], _ others: [TerminalText] = []
  ) throws(CommandFailure) {
    let readers = sources.compactMap { $0 }.filter(\.readsStandardInput).map(\.words) + others
    guard readers.count > 1 else { return }
    throw .usage(
      "standard input can't be read twice: \(TerminalText.list(readers, "and")) both need it",
      hint: "read one of them from a file")
  }
}
