/// How the tool ends, as scripts see it; numbers follow `sysexits.h` where that has one.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case ok = 0
  case otherFailure = 1
  case usage = 64
  case badData = 65
  case notFound = 66
  case forbidden = 73
  case inputOutput = 74
  case busy = 75
  case wrongKey = 77

  var meaning: String {
    switch self {
    case .ok: "done"
    case .otherFailure: "another failure"
    case .usage: "wrong usage, or a secret that can't be one"
    case .badData: "damaged, foreign, newer or malformed data"
    case .notFound: "not found"
    case .forbidden: "it would overwrite something, or the state forbids it"
    case .inputOutput: "input or output failed: no permission, no space"
    case .busy: "another process holds it"
    case .wrongKey: "wrong key"
    }
  }
}

/// Why a command ended early: what happened, to which file, and what to do next.
///
/// It never holds a secret, a piece of one, or the text of a message.
package struct CommandFailure: Error, Sendable, Equatable {
  package let code: ExitCode
  package let message: TerminalText
  package private(set) var hints: [TerminalText]

  package init(_ code: ExitCode, _ message: TerminalText, hint: TerminalText...) {
    self.code = code
    self.message = message
    hints = hint
  }

  package static func usage(_ message: TerminalText, hint: TerminalText? = nil) -> CommandFailure {
    let failure = CommandFailure(.usage, message)
    return hint.map { failure.adding(hint: $0) } ?? failure
  }

  package func adding(hint: TerminalText) -> CommandFailure {
    var failure = self
    failure.hints.append(hint)
    return failure
  }

  /// The same failure, with the place where it happened before it.
  package func at(_ place: TerminalText) -> CommandFailure {
    var failure = CommandFailure(code, "\(place): \(message)")
    failure.hints = hints
    return failure
  }
}
