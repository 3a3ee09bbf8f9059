/// When something that failed may be tried again.
struct Retry: Sendable {
  private(set) var failures = 0
  /// Nothing while it may be tried.
  private(set) var at: Int64?

  /// Whether somebody who waits should be told that it does not work.
  var isHopeless: Bool { failures >= 5 }

  mutating func fail(at now: Int64, asked: Int64? = nil, _ jitter: inout Jitter) {
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

/// Numbers that need not be secret, repeatable from their seed: SplitMix64 (Steele, Lea, Flood, 2014).
struct Jitter: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
