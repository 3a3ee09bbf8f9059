extension Option {
  // A secret never comes as an argument: others could read it in the list of processes.

  static let passphraseFile = Option.value(
    "passphrase-file", "FILE", "read the passphrase from a file, or from standard input (-)",
    completing: .file)
  static let passphraseCommand = Option.value(
    "passphrase-command", "COMMAND", "read the passphrase from what a shell command prints")
  static let keyFile = Option.value(
    "key-file", "FILE", "use a key file: 32 bytes, or 64 hexadecimal digits", completing: .file)
  static let recoveryFile = Option.value(
    "recovery-file", "FILE", "read a recovery code from a file, or from standard input (-)",
    completing: .file)
  static let acceptOldKeyring = Option.flag(
    "accept-old-keyring", "open although someone put an older keyring back")

  static let newPassphraseFile = Option.value(
    "new-passphrase-file", "FILE", "read the new passphrase from a file, or standard input (-)",
    completing: .file)
  static let newPassphraseCommand = Option.value(
    "new-passphrase-command", "COMMAND", "read it from what a shell command prints")
  static let newKeyFile = Option.value(
    "new-key-file", "FILE", "use a key file: 32 bytes, or 64 hexadecimal digits",
    completing: .file)
  static let newRecovery = Option.flag(
    "new-recovery", "issue a recovery code and print it, once")

  static let kdf = Option.value(
    "kdf", "COST",
    "what trying a passphrase costs: interactive (64 MiB, 2 passes), moderate (256 MiB, 3; what is taken) or sensitive (1 GiB, 4)",
    completing: .words(["interactive", "moderate", "sensitive"]))
  static let label = Option.value(
    "label", "TEXT", "a name for the slot, up to 64 bytes; not secret")
}

extension OptionSection {
  /// The secret that opens a store.
  static let secret = OptionSection(
    "Secret (one of these; else it is asked for)",
    [.passphraseFile, .passphraseCommand, .keyFile, .recoveryFile])

  /// The secret that a slot is made for.
  static let newSecret = OptionSection(
    "New secret (one of these; else a passphrase is asked for)",
    [.newPassphraseFile, .newPassphraseCommand, .newKeyFile, .newRecovery])
}
