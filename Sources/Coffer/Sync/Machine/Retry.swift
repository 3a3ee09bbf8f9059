import CofferSystem

/// When something that failed may be tried again.
struct Retry: Sendable {
  private(set) var failures = 0
  /// Nothing while it may be tried.
  private(set) var at: Int64?

  /// Whether somebody who waits should be told that it does not work.
  var isHopeless: Bool { failures >= 5 }

  mutating func fail(at now: Int64, asked: Int64? = nil, _ jitter: inout SplitMix64) {
    failures += 1
    at = now + Backoff().delay(after: Int64(failures), asked: asked, random: jitter.next())
  }

  mutating func succeed() { self = Retry() }

  /// Whether it must wait.
  ///
  /// A time further away than any wait was written when the clock was wrong.
  mutating func isWaiting(at now: Int64) -> Bool {
    guard let at else { return false }
    if at > now, at <= now + Backoff.longest { return true }
    self.at = nil
    return false
  }
}
