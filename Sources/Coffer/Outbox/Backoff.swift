/// How long an entry waits for its next try.
package struct Backoff: Sendable, Equatable {
  /// Milliseconds that the first wait takes at most; each further one twice as many.
  package var first: Int64 = 1_000
  /// What the doubling ends with.
  package var most: Int64 = 300_000
  /// How often an entry is tried before it is given up.
  package var attempts: Int64 = 30

  package init() {}

  /// No wait is longer, whatever the server asks for: an entry that is to wait longer by our clock
  /// was written when the clock was wrong, and is due.
  static let longest: Int64 = 3_600_000

  /// Milliseconds before the next try, after so many: any number up to the limit, since those who
  /// failed together should not come again together; at least what the server asked for.
  ///
  /// Full jitter, as in "Exponential Backoff and Jitter" (AWS Architecture Blog, 2015).
  func delay(after attempts: Int64, asked: Int64?, random: UInt64) -> Int64 {
    let doublings = min(max(attempts - 1, 0), 30)
    let limit = min(max(first, 1) << doublings, most)
    let jitter = Int64(random % UInt64(max(limit, 0) + 1))
    return min(max(jitter, asked ?? 0), Self.longest)
  }
}
