/// Crockford's base 32, for codes that people copy by hand.
///
/// Five bits a letter, the high bits first, in the alphabet
/// `0123456789ABCDEFGHJKMNPQRSTVWXYZ`. Unused bits of the last letter are zero. Codes are secrets,
/// so letters are found by arithmetic, without branches or tables; only lengths show, and where
/// dashes and spaces stand.
package enum Base32 {
  /// How many letters so many bytes take.
  package static func letterCount(ofBytes count: Int) -> Int { (count * 8 + 4) / 5 }

  /// Writes the letters of `bytes` and gives their count, or nothing if they do not fit.
  package static func encode(_ bytes: RawSpan, into output: inout MutableRawSpan) -> Int? {
    let count = letterCount(ofBytes: bytes.byteCount)
    guard output.byteCount >= count else { return nil }
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    var written = 0
    for index in 0..<bytes.byteCount {
      pending = pending << 8 | UInt32(bytes.byte(index))
      bits += 8
      while bits >= 5 {
        bits -= 5
        output.setByte(written, letter(pending >> bits & 31))
        written += 1
      }
    }
    if bits > 0 { output.setByte(written, letter(pending << (5 - bits) & 31)) }
    return count
  }

  /// Writes the bytes that `text` spells and gives their count.
  ///
  /// Case does not matter, `O` reads as 0, `I` and `L` read as 1, and dashes and spaces are passed
  /// over. Nothing if another character occurs, if bits are left over that are not zero, if a
  /// letter is too many, or if the bytes do not fit. A failure leaves remains in `output`, which
  /// its owner wipes.
  package static func decode(_ text: RawSpan, into output: inout MutableRawSpan) -> Int? {
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    var written = 0
    var valid: UInt32 = .max
    for index in 0..<text.byteCount {
      let character = text.byte(index)
      if character == UInt8(ascii: "-") || character == UInt8(ascii: " ") { continue }
      let letter = value(character)
      valid &= letter.valid
      pending = pending << 5 | letter.value
      bits += 5
      guard bits >= 8 else { continue }
      guard written < output.byteCount else { return nil }
      bits -= 8
      output.setByte(written, UInt8(truncatingIfNeeded: pending >> bits))
      written += 1
    }
    let rest = pending & ((1 << bits) - 1)
    return valid == .max && bits < 5 && rest == 0 ? written : nil
  }

  /// The letters of `bytes`, for what is no secret.
  package static func encode(_ bytes: [UInt8]) -> String {
    var letters = [UInt8](repeating: 0, count: letterCount(ofBytes: bytes.count))
    var span = letters.mutableSpan
    var output = unsafe span.mutableBytes
    _ = encode(unsafe bytes.span.bytes, into: &output)
    return String(decoding: letters, as: UTF8.self)
  }

  /// The bytes that `text` spells, for what is no secret.
  package static func decode(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    var bytes = [UInt8](repeating: 0, count: letters.count * 5 / 8)
    var span = bytes.mutableSpan
    var output = unsafe span.mutableBytes
    guard let count = decode(unsafe letters.span.bytes, into: &output) else { return nil }
    return Array(bytes[..<count])
  }

  /// The letter of a value below 32.
  ///
  /// Digits, then letters with I, L, O and U left out: each gap adds one to the distance.
  @inline(__always)
  private static func letter(_ value: UInt32) -> UInt8 {
    var letter = 48 &+ value
    letter &+= above(9, value) & 7
    letter &+= above(17, value) & 1
    letter &+= above(19, value) & 1
    letter &+= above(21, value) & 1
    letter &+= above(26, value) & 1
    return UInt8(truncatingIfNeeded: letter)
  }

  /// The value of a letter, and all ones or zero for whether it is one.
  @inline(__always)
  private static func value(_ character: UInt8) -> (value: UInt32, valid: UInt32) {
    let plain = UInt32(character)
    // a...z to A...Z, and nothing else.
    let folded = plain &- (range(plain, 0x61, 0x7a) & 0x20)
    var value: UInt32 = 0
    var valid: UInt32 = 0
    add(folded, "0", "9", 0, &value, &valid)
    add(folded, "A", "H", 10, &value, &valid)
    add(folded, "I", "I", 1, &value, &valid)
    add(folded, "J", "K", 18, &value, &valid)
    add(folded, "L", "L", 1, &value, &valid)
    add(folded, "M", "N", 20, &value, &valid)
    add(folded, "O", "O", 0, &value, &valid)
    add(folded, "P", "T", 22, &value, &valid)
    add(folded, "V", "Z", 27, &value, &valid)
    return (value, valid)
  }

  @inline(__always)
  private static func add(
    _ letter: UInt32, _ first: Unicode.Scalar, _ last: Unicode.Scalar, _ base: UInt32,
    _ value: inout UInt32, _ valid: inout UInt32
  ) {
    let mask = range(letter, first.value, last.value)
    value |= mask & (letter &- first.value &+ base)
    valid |= mask
  }

  /// All ones if `value` is above `bound`, else zero; both are small.
  @inline(__always)
  private static func above(_ bound: UInt32, _ value: UInt32) -> UInt32 {
    UInt32(bitPattern: Int32(bitPattern: bound &- value) >> 31)
  }

  @inline(__always)
  private static func range(_ value: UInt32, _ first: UInt32, _ last: UInt32) -> UInt32 {
    above(first &- 1, value) & ~above(last, value)
  }
}
