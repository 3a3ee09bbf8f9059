package import CofferCoding
import CofferSystem
import Synchronization

/// The only writer of the tool.
///
/// Standard output carries the result: text for a person, or with `--json` one document a line.
/// Standard error carries everything else. What can't be written to standard output is noted and
/// ends the command with its own exit code; what can't be written to standard error is lost.
package final class Output: Sendable {
  typealias Writer = @Sendable (RawSpan) throws(SystemError) -> Void

  private struct State {
    var buffer: [UInt8] = []
    var problem: SystemError?
    var hasTransient = false
  }

  private let state = Mutex(State())
  private let write: Writer
  private let writeError: Writer
  /// Whether a person reads standard output.
  package let isTerminal: Bool
  /// Whether a person reads standard error.
  package let errorIsTerminal: Bool

  init(
    isTerminal: Bool = false, errorIsTerminal: Bool = false, write: @escaping Writer,
    writeError: @escaping Writer
  ) {
    self.isTerminal = isTerminal
    self.errorIsTerminal = errorIsTerminal
    self.write = write
    self.writeError = writeError
  }

  /// The streams of this process.
  package static func standard() -> Output {
    Output(
      isTerminal: StandardStream.output.isTerminal,
      errorIsTerminal: StandardStream.error.isTerminal,
      write: { bytes throws(SystemError) in try StandardStream.output.write(bytes) },
      writeError: { bytes throws(SystemError) in try StandardStream.error.write(bytes) })
  }

  // MARK: The result

  package func line(_ text: TerminalText = "") { result(Array(text.text.utf8), endsLine: true) }

  /// One JSON document, exact, on a line of its own.
  package func json(_ body: (inout JSONObjectWriter) -> Void) {
    result(JSONWriter().object(body), endsLine: true)
  }

  /// Bytes as they are.
  package func raw(_ bytes: [UInt8]) { result(bytes, endsLine: true) }

  /// A secret that a person asked for, between two texts, from guarded memory to the stream.
  ///
  /// It never gets into the buffer, which nobody wipes.
  package func secret(_ text: RawSpan, between before: String, and after: String) {
    state.withLock { state in
      state.buffer += before.utf8
      flush(&state)
      guard state.problem == nil else { return }
      do throws(SystemError) { try write(text) } catch { state.problem = error }
      state.buffer += "\(after)\n".utf8
      flush(&state)
    }
  }

  /// What the program says of itself, such as help.
  package func page(_ text: String) { result(Array(text.utf8), endsLine: false) }

  /// Whether standard output has failed, so that more work for it is in vain.
  package var hasFailed: Bool { state.withLock { $0.problem != nil } }

  /// Writes what is buffered; throws if anything of the result could not be written.
  package func finish() throws(CommandFailure) {
    let problem = state.withLock { state in
      flush(&state)
      return state.problem
    }
    guard let problem else { return }
    throw CommandFailure(
      .inputOutput, "cannot write to standard output: \(problem.reason)")
  }

  private func result(_ bytes: [UInt8], endsLine: Bool) {
    state.withLock { state in
      guard state.problem == nil else { return }
      state.buffer += bytes
      if endsLine { state.buffer.append(UInt8(ascii: "\n")) }
      if isTerminal || state.buffer.count > 1 << 16 { flush(&state) }
    }
  }

  private func flush(_ state: inout State) {
    guard !state.buffer.isEmpty, state.problem == nil else { return }
    eraseTransient(&state)
    do throws(SystemError) { try write(unsafe state.buffer.span.bytes) } catch {
      state.problem = error
    }
    state.buffer = []
  }

  // MARK: Everything else

  package func note(_ text: TerminalText) { error("\(text)") }

  package func warning(_ text: TerminalText, hint: TerminalText? = nil) {
    error("warning: \(text)")
    if let hint { error("hint: \(hint)") }
  }

  package func failure(_ failure: CommandFailure) {
    error("error: \(failure.message)")
    for hint in failure.hints { error("hint: \(hint)") }
  }

  /// Help that nobody asked for.
  package func errorPage(_ text: String) { errorBytes(Array(text.utf8)) }

  /// A line that the next one replaces; only for a terminal.
  package func transient(_ text: TerminalText) {
    state.withLock { state in
      flush(&state)
      state.hasTransient = true
      send(Array("\r\(text.text)\u{1b}[K".utf8))
    }
  }

  package func eraseTransient() { state.withLock { eraseTransient(&$0) } }

  private func eraseTransient(_ state: inout State) {
    guard state.hasTransient else { return }
    state.hasTransient = false
    send(Array("\r\u{1b}[K".utf8))
  }

  private func send(_ bytes: [UInt8]) { try? writeError(unsafe bytes.span.bytes) }

  private func error(_ text: TerminalText) { errorBytes(Array("\(text.text)\n".utf8)) }

  private func errorBytes(_ bytes: [UInt8]) {
    state.withLock { state in
      // In the order in which things happened, where both streams are one terminal.
      flush(&state)
      eraseTransient(&state)
      send(bytes)
    }
  }
}
