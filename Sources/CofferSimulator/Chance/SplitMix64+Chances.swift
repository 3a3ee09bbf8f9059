package import CofferSystem

extension SplitMix64 {
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
