/// A small seeded generator (Steele, Lea, Flood: SplitMix64), so that a run replays.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64
  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// True once in `count` times.
  package mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// Small numbers often, large ones rarely, so that both ends of a range are met.
  package mutating func skewed(_ range: ClosedRange<Int>) -> Int {
    let span = range.upperBound - range.lowerBound
    guard span > 0 else { return range.lowerBound }
    let bits = Int.random(in: 0...(Int.bitWidth - span.leadingZeroBitCount), using: &self)
    let most = min(span, (1 << bits) - 1)
    return range.lowerBound + Int.random(in: 0...most, using: &self)
  }
}
