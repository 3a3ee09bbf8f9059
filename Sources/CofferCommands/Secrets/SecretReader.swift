import CofferKeys
import CofferSystem

/// Reads secrets from where the options say, straight into guarded memory.
struct SecretReader {
  let output: Output

  /// Reads the secret of a source; an issued code is not read but made, elsewhere.
  func credential(from source: SecretSource) throws(CommandFailure) -> Credential {
    switch source {
    case .passphraseFile(let path, _):
      return .passphrase(try passphrase(file: path))
    case .passphraseCommand(let command, let option):
      return .passphrase(try passphrase(command: command, option))
    case .keyFile(let path, _):
      return .keyFile(try keyFile(path))
    case .recoveryFile(let path, _):
      return .recoveryCode(try recoveryCode(file: path))
    case .issuedCode:
      return .recoveryCode(try Self.keys("-") { () throws(KeyError) in try .generate() })
    }
  }

  private func passphrase(file path: String) throws(CommandFailure) -> Passphrase {
    try Self.keys(path) { () throws(KeyError) in
      if path == "-" { return try Passphrase(reading: StandardStream.input) }
      return try Passphrase(reading: try open(path))
    }
  }

  private func recoveryCode(file path: String) throws(CommandFailure) -> RecoveryCode {
    try Self.keys(path) { () throws(KeyError) in
      if path == "-" { return try RecoveryCode(reading: StandardStream.input) }
      return try RecoveryCode(reading: try open(path))
    }
  }

  private func keyFile(_ path: String) throws(CommandFailure) -> KeyFile {
    let file = try Self.keys(path) { () throws(KeyError) in try KeyFile(path: path) }
    if file.isReadableByOthers { warnOfReaders(path) }
    return file
  }

  private func open(_ path: String) throws(KeyError) -> OpenFile {
    do throws(SystemError) {
      let file = try OpenFile(path, .read)
      let status = try file.status
      if status.isRegularFile, status.isReadableByOthers { warnOfReaders(path) }
      return file
    } catch { throw .system(error) }
  }

  private func warnOfReaders(_ path: String) {
    output.warning(
      "others can read \(path)", hint: "`chmod 600` makes it yours alone")
  }

  private func passphrase(
    command: String, _ option: Option
  ) throws(CommandFailure) -> Passphrase {
    let child = try CommandFailure.catching { () throws(SystemError) in
      try ChildProcess("/bin/sh", ["-c", command], piped: 1)
    }
    let outcome = PassphraseOutcome(reading: child)
    // It would block for ever on a pipe that nobody reads.
    let isCutOff = outcome.isCutOff
    if isCutOff { child.kill() }
    let ending: ChildProcess.Ending
    do throws(SystemError) { ending = try child.wait() } catch { throw CommandFailure(error) }
    switch consume outcome {
    case .read(let passphrase):
      guard ending == .exited(0) else { throw Self.failed(option, ending) }
      return passphrase
    case .failed(let error):
      guard ending == .exited(0) || isCutOff else { throw Self.failed(option, ending) }
      throw CommandFailure(error, path: option.spelling)
    }
  }

  /// Never what it printed: that may be a piece of the secret.
  private static func failed(_ option: Option, _ ending: ChildProcess.Ending) -> CommandFailure {
    switch ending {
    case .exited(let status):
      CommandFailure(
        .otherFailure, "the command of \(option.spelling) failed with exit status \(status)")
    case .killed(let signal):
      CommandFailure(
        .otherFailure, "the command of \(option.spelling) was killed by signal \(signal)")
    }
  }

  static func keys<Result: ~Copyable>(
    _ path: String, _ body: () throws(KeyError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(KeyError) { return try body() } catch {
      throw CommandFailure(error, path: path == "-" ? "standard input" : path)
    }
  }
}

/// What a child printed: a passphrase, or why it is none.
private enum PassphraseOutcome: ~Copyable {
  case read(Passphrase)
  case failed(KeyError)

  /// Whether reading ended before the child's output did.
  var isCutOff: Bool {
    switch self {
    case .failed(let error): error == .badPassphrase(.tooLong)
    case .read: false
    }
  }

  init(reading child: borrowing ChildProcess) {
    do throws(KeyError) {
      switch child.output {
      case .some(let pipe): self = .read(try Passphrase(reading: pipe))
      case .none: self = .failed(.badPassphrase(.empty))
      }
    } catch { self = .failed(error) }
  }
}
