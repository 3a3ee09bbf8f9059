/// A generator that repeats itself from a seed (SplitMix64), so that a failure can be run again.
struct Seeded: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(_ seed: UInt64 = .random(in: .min ... .max)) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }
}

/// Runs a coder from span to span into a buffer of `capacity` bytes; gives what it says it wrote.
func run(
  _ input: [UInt8], capacity: Int, _ coder: (RawSpan, inout MutableRawSpan) -> Int?
) -> [UInt8]? {
  var buffer = [UInt8](repeating: 0, count: capacity)
  var span = buffer.mutableSpan
  var output = unsafe span.mutableBytes
  guard let count = coder(unsafe input.span.bytes, &output) else { return nil }
  return Array(buffer[..<count])
}
