import CofferSystem

extension CommandFailure {
  /// Words and exit code for a system call that failed.
  init(_ error: SystemError) {
    let code: ExitCode =
      if error.isNotFound { .notFound } else if error.isAlreadyThere {
        .forbidden
      } else if error
        .wouldBlock
      { .busy } else { .inputOutput }
    let verb = Self.verb(error.operation)
    if error.path.isEmpty {
      self.init(code, "cannot \(verb): \(error.reason)")
    } else {
      self.init(code, "cannot \(verb) \(error.path): \(error.reason)")
    }
  }

  /// What a person would call a system call.
  private static func verb(_ operation: String) -> TerminalText {
    switch operation {
    case "stat", "statvfs": "look at"
    case "mkdir", "mkdtemp": "make the folder"
    case "unlink", "rmdir": "remove"
    case "fsync": "save"
    case "pipe": "make a pipe for"
    case "wait": "wait for"
    default: "\(operation)"
    }
  }

  /// Runs system calls and gives their errors as failures.
  static func catching<Result: ~Copyable>(
    system body: () throws(SystemError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(SystemError) { return try body() } catch { throw CommandFailure(error) }
  }
}
