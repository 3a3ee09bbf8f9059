import CofferSystem

/// How far a long piece of work is, on a terminal's standard error.
///
/// It shows nothing before a second has passed, and is erased at the end.
package struct Progress {
  private static let firstAfter: Int64 = 1_000
  private static let interval: Int64 = 100

  private let output: Output
  private let noun: String
  private let now: @Sendable () -> Int64
  private let start: Int64
  private var shownAt: Int64
  private var count: Int64 = 0

  /// `noun` is what is counted, in the singular; `now` gives milliseconds.
  package init(
    of noun: String, _ output: Output,
    now: @escaping @Sendable () -> Int64 = { Clock.monotonicMilliseconds }
  ) {
    self.output = output
    self.noun = noun
    self.now = now
    start = now()
    shownAt = start
  }

  package mutating func advance(by more: Int) {
    count += Int64(more)
    guard output.errorIsTerminal else { return }
    let time = now()
    guard time - start >= Self.firstAfter, time - shownAt >= Self.interval else { return }
    shownAt = time
    let rate = count * 1_000 / (time - start)
    output.transient("\(count, of: noun), \(grouped: rate) a second")
  }

  package func finish() { output.eraseTransient() }
}
