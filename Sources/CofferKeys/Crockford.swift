import CofferCrypto

/// Crockford's base32 letters of a secret, by arithmetic alone: no branch and no table depends on it.
///
/// The alphabet is `0123456789ABCDEFGHJKMNPQRSTVWXYZ`: no I, L, O and U.
enum Crockford {
  /// All ones where `low <= value <= high`, else zero; all three below 2^31.
  private static func mask(_ value: Int32, _ low: Int32, _ high: Int32) -> Int32 {
    ((low - 1 - value) & (value - high - 1)) >> 31
  }

  /// The letter that stands for the five bits at place `index`, the most significant first.
  static func letter(at index: Int, of bits: RawSpan) -> UInt8 {
    let start = 5 * index
    let first = Int32(bits[start / 8])
    let second = start / 8 + 1 < bits.byteCount ? Int32(bits[start / 8 + 1]) : 0
    let value = (first << 8 | second) >> Int32(11 - start % 8) & 31
    var letter = value + 48
    letter += mask(value, 10, 31) & 7
    letter += mask(value, 18, 31) & 1
    letter += mask(value, 20, 31) & 1
    letter += mask(value, 22, 31) & 1
    letter += mask(value, 27, 31) & 1
    return UInt8(truncatingIfNeeded: letter)
  }

  /// The five bits of a letter of either case, O as 0, I and L as 1; negative where it is none.
  static func value(_ letter: UInt8) -> Int32 {
    let typed = Int32(letter)
    let letter = typed - (mask(typed, 97, 122) & 32)
    var value: Int32 = 0
    var isKnown: Int32 = 0
    func take(_ low: Int32, _ high: Int32, _ offset: Int32) {
      let mask = mask(letter, low, high)
      value |= mask & (letter - offset)
      isKnown |= mask
    }
    take(48, 57, 48)  // 0...9
    take(65, 72, 55)  // A...H
    take(73, 73, 72)  // I, as 1
    take(74, 75, 56)  // J, K
    take(76, 76, 75)  // L, as 1
    take(77, 78, 57)  // M, N
    take(79, 79, 79)  // O, as 0
    take(80, 84, 58)  // P...T
    take(86, 90, 59)  // V...Z
    return value | ~isKnown
  }

  /// Puts five-bit values behind each other, the most significant bit first.
  static func pack(_ values: RawSpan, into bits: inout MutableRawSpan) {
    var gathered: UInt32 = 0
    var count = 0
    var offset = 0
    for index in 0..<values.byteCount {
      gathered = gathered << 5 | UInt32(values[index] & 31)
      count += 5
      if count >= 8 {
        count -= 8
        bits.storeBytes(
          of: UInt8(truncatingIfNeeded: gathered >> UInt32(count)), toByteOffset: offset,
          as: UInt8.self)
        offset += 1
      }
    }
    if count > 0 {
      bits.storeBytes(
        of: UInt8(truncatingIfNeeded: gathered << UInt32(8 - count)), toByteOffset: offset,
        as: UInt8.self)
    }
  }
}
