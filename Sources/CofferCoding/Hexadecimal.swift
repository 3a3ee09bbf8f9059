/// Bytes as hexadecimal digits, two a byte, the high half first.
///
/// Keys pass through here, so the work on a digit has no branch and no table: its time does not
/// depend on what the digit is. Only lengths show.
package enum Hexadecimal {
  /// The bytes in lowercase digits.
  package static func encode(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Writes the lowercase digits of `bytes` and gives their count, or nothing if they do not fit.
  package static func encode(_ bytes: RawSpan, into output: inout MutableRawSpan) -> Int? {
    guard output.byteCount / 2 >= bytes.byteCount else { return nil }
    for index in 0..<bytes.byteCount {
      let byte = bytes.byte(index)
      output.setByte(index * 2, digit(byte >> 4))
      output.setByte(index * 2 + 1, digit(byte & 15))
    }
    return bytes.byteCount * 2
  }

  /// The bytes that `text` spells in digits of either case, or nothing if it is anything else.
  package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

  /// The bytes that `text` spells in digits of either case, or nothing if it is anything else.
  package static func decode(_ text: [UInt8]) -> [UInt8]? { decode(text, foldingCase: true) }

  /// As `decode`, but refuses uppercase, so that every value has one form.
  package static func decodeLowercase(_ text: String) -> [UInt8]? {
    decodeLowercase(Array(text.utf8))
  }

  /// As `decode`, but refuses uppercase, so that every value has one form.
  package static func decodeLowercase(_ text: [UInt8]) -> [UInt8]? {
    decode(text, foldingCase: false)
  }

  /// Writes the bytes that digits of either case spell and gives their count.
  ///
  /// Nothing if the text is malformed or does not fit. Malformed text leaves remains in `output`,
  /// which its owner wipes.
  package static func decode(_ text: RawSpan, into output: inout MutableRawSpan) -> Int? {
    decode(text, into: &output, foldingCase: true)
  }

  /// As `decode`, but refuses uppercase, so that every value has one form.
  package static func decodeLowercase(_ text: RawSpan, into output: inout MutableRawSpan) -> Int? {
    decode(text, into: &output, foldingCase: false)
  }

  private static func decode(_ text: [UInt8], foldingCase: Bool) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: text.count / 2)
    var span = bytes.mutableSpan
    var output = unsafe span.mutableBytes
    let count = decode(unsafe text.span.bytes, into: &output, foldingCase: foldingCase)
    return count == nil ? nil : bytes
  }

  private static func decode(
    _ text: RawSpan, into output: inout MutableRawSpan, foldingCase: Bool
  ) -> Int? {
    let count = text.byteCount / 2
    guard text.byteCount % 2 == 0, output.byteCount >= count else { return nil }
    let caseBit: UInt32 = foldingCase ? 0x20 : 0
    // No early way out: the time must not tell where a wrong digit stands.
    var valid: UInt32 = 0xff
    for index in 0..<count {
      let high = value(text.byte(index * 2), caseBit)
      let low = value(text.byte(index * 2 + 1), caseBit)
      valid &= high.valid & low.valid
      output.setByte(index, UInt8(truncatingIfNeeded: high.value << 4 | low.value))
    }
    return valid == 0xff ? count : nil
  }

  /// The digit of a value below 16.
  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 {
    let value = UInt32(value)
    // All ones from ten on: 39 more lead from "0" to "a".
    let isLetter = (9 &- value) >> 8
    return UInt8(truncatingIfNeeded: 48 &+ value &+ (isLetter & 39))
  }

  /// The value of a digit, and 0xff or 0 for whether it is one.
  @inline(__always)
  private static func value(_ digit: UInt8, _ caseBit: UInt32) -> (value: UInt32, valid: UInt32) {
    let decimal = UInt32(digit) ^ 48
    let letter = (UInt32(digit) | caseBit) &- 87
    // A subtraction that wraps sets the bits above the byte, which makes them a mask.
    let isDecimal = ((decimal &- 10) >> 8) & 0xff
    let isLetter = (((letter &- 10) ^ (letter &- 16)) >> 8) & 0xff
    return ((isDecimal & decimal) | (isLetter & letter), isDecimal | isLetter)
  }
}
