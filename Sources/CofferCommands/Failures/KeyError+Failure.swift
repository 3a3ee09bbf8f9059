import CofferKeys

extension CommandFailure {
  /// Words and exit code for what went wrong with a secret or a keyring.
  ///
  /// `path` is the store, the keyring or the file that the secret came from.
  init(_ error: KeyError, path: String) {
    // "the keyring of" a store is clearer than of a keyring.
    let path = path.hasSuffix("/keyring") ? String(path.dropLast(8)) : path
    switch error {
    case .wrongSecret:
      self.init(.wrongKey, "the secret opens no slot of \(path)")
    case .tampered:
      self.init(
        .badData, "the keyring of \(path) was changed by someone who has no key to it",
        hint: "bring the folder's `keyring` back from a copy you trust")
    case .damaged(let damage):
      self.init(
        .badData, "the keyring of \(path) is damaged: \(Self.words(for: damage))",
        hint: "bring the folder's `keyring` back from a copy; the database was not touched")
    case .newer(let format):
      self.init(
        .badData,
        "a newer version of Coffer wrote the keyring of \(path): \(Self.words(for: format))",
        hint: "open it with that version")
    case .missing:
      self.init(
        .badData, "the keyring of \(path) is missing",
        hint: "bring it back from a copy: without it no secret opens the database")
    case .alreadyThere: self.init(.forbidden, "\(path) has a keyring already")
    case .busy:
      self.init(
        .busy, "another process is changing the keyring of \(path)", hint: "try again in a moment")
    case .changedMeanwhile:
      self.init(
        .busy, "another process changed the keyring of \(path) meanwhile; nothing was changed here",
        hint: "look at `coffer key list`, then try again")
    case .system(let error): self.init(error)
    case .noMemory:
      self.init(
        .otherFailure, "the system gave no memory for a secret or for its derivation",
        hint: "a passphrase slot needs as much free memory as `coffer key list` shows for it")
    case .unavailable: self.init(.otherFailure, "libsodium could not start on this machine")

    case .lastSlot:
      self.init(
        .forbidden, "this is the last slot of \(path): nobody could open the store any more",
        hint: "add another secret first: `coffer key add`")
    case .tooManySlots(let limit):
      self.init(
        .forbidden, "\(path) has \(limit) slots of this kind already, and that is the most",
        hint: "remove one first: `coffer key remove`")
    case .duplicateSlot: self.init(.forbidden, "\(path) has a slot of this id already")
    case .noSuchSlot:
      self.init(
        .notFound, "\(path) has no slot of this id", hint: "`coffer key list` shows the slots")
    case .onlySecretService:
      self.init(
        .forbidden, "only the desktop's secret service would open \(path), and that is easily lost",
        hint: "keep a passphrase, a key file or a recovery code beside it")
    case .labelTooLong: self.init(.usage, "a label has at most 64 bytes")
    case .costOutOfBounds(let passes, let memory):
      self.init(
        .usage,
        "a passphrase slot of \(path) asks for \(passes, of: "pass", "passes") of \(Quantity.memory(memory)), outside what is allowed"
      )
    case .costNeedsConsent(let memory):
      self.init(
        .usage, "trying a passphrase on \(path) would take \(Quantity.memory(memory)) of memory",
        hint: "add --allow-memory if that is yours to give")

    case .badPassphrase(let problem):
      self.init(.usage, "\(Self.words(for: problem))")
      if problem == .invalidUTF8 {
        self = adding(hint: "for a secret of any bytes use a key file: 32 bytes, --key-file")
      }
    case .keyFileLength(let length):
      self.init(
        .usage,
        "a key file needs 32 bytes, or 64 hexadecimal digits; \(path) has \(Self.size(length))",
        hint: "`head -c 32 /dev/urandom > FILE` makes one")
    case .mistypedRecoveryCode(let problem):
      self.init(.usage, "the recovery code was mistyped: \(Self.words(for: problem))")
    }
  }

  /// Never more than 66 bytes are read of what has no length of its own.
  private static func size(_ length: Int) -> TerminalText {
    switch length {
    case 64, 65: "\(length) bytes that are not all digits"
    case 66: "66 bytes or more"
    default: "\(length, of: "byte")"
    }
  }

  private static func words(for damage: KeyringDamage) -> TerminalText {
    switch damage {
    case .notAKeyring: "it does not begin as a keyring does"
    case .tooLong: "it is longer than any keyring"
    case .digest: "its digest does not fit its content"
    case .line(let number): "line \(number) does not have its one allowed form"
    case .box(let slot): "slot \(slot) fits the secret but does not open"
    case .counter: "a counter has reached its end"
    }
  }

  private static func words(for format: NewerFormat) -> TerminalText {
    switch format {
    case .version(let version): "version \(version)"
    case .slotKind(let kind): "a slot of kind \(quoting: kind)"
    }
  }

  private static func words(for problem: PassphraseProblem) -> TerminalText {
    switch problem {
    case .empty: "the passphrase is empty"
    case .invalidUTF8: "the passphrase is not valid UTF-8"
    case .containsNUL: "the passphrase has a NUL character in it"
    case .unassigned: "the passphrase has a character that this version's Unicode does not know"
    case .tooLong: "the passphrase is longer than \(grouped: Passphrase.longest) bytes"
    }
  }

  private static func words(for problem: RecoveryCodeProblem) -> TerminalText {
    switch problem {
    case .length(let count): "it has \(count, of: "letter") instead of 36"
    case .letter(let place): "letter \(place) is none that a code has"
    case .checksum: "its letters do not fit together"
    }
  }
}
