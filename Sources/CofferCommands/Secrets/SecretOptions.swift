extension Option {
  // A secret never comes as an argument: others could read it in the list of processes.

  static let passphraseFile = Option.value(
    "passphrase-file", "FILE", "a file with the passphrase; - is standard input",
    completing: .file)
  static let passphraseCommand = Option.value(
    "passphrase-command", "COMMAND", "a shell command that prints the passphrase")
  static let keyFile = Option.value(
    "key-file", "FILE", "a key file: 32 bytes, or 64 hex digits", completing: .file)
  static let recoveryFile = Option.value(
    "recovery-file", "FILE", "a file with a recovery code; - is standard input",
    completing: .file)
  static let allowMemory = Option.flag(
    "allow-memory", "let a passphrase take all the memory its slot asks for")
  static let acceptOldKeyring = Option.flag(
    "accept-old-keyring", "open although someone put an older keyring back")

  static let newPassphraseFile = Option.value(
    "new-passphrase-file", "FILE", "a file with it; - is standard input", completing: .file)
  static let newPassphraseCommand = Option.value(
    "new-passphrase-command", "COMMAND", "a shell command that prints it")
  static let newKeyFile = Option.value(
    "new-key-file", "FILE", "a key file: 32 bytes, or 64 hex digits", completing: .file)
  static let newRecovery = Option.flag(
    "new-recovery", "issue a recovery code and print it, once")

  static let kdf = Option.value(
    "kdf", "COST",
    """
    what trying a passphrase costs: interactive (2 passes over 64\u{a0}MiB), moderate (3 over \
    256\u{a0}MiB, the default) or sensitive (4 over 1\u{a0}GiB)
    """,
    completing: .words(["interactive", "moderate", "sensitive"]))
  static let label = Option.value(
    "label", "TEXT", "a name for the slot, up to 64 bytes; not secret")
}

extension OptionSection {
  /// The secret that opens a store.
  static let secret = OptionSection(
    "Secret (one of these; else it is asked for)",
    [.passphraseFile, .passphraseCommand, .keyFile, .recoveryFile, .allowMemory])

  /// The secret that a slot is made for.
  static let newSecret = OptionSection(
    "New secret (one of these; else a passphrase is asked for)",
    [.newPassphraseFile, .newPassphraseCommand, .newKeyFile, .newRecovery])
}
