/// The steps through JSON text that checking and reading share.
///
/// The functions that find the end of a value are for text that was checked; on other text they
/// give a wrong end, but never one beyond the text.
enum JSONScan {
  @inline(__always)
  static func spaceEnd(_ text: borrowing Span<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < text.count {
      switch text[index] {
      case 0x20, 0x0a, 0x0d, 0x09: index += 1
      default: return index
      }
    }
    return index
  }

  static func digitsEnd(_ text: borrowing Span<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < text.count, text[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    return index
  }

  /// The byte after the closing quote of the string that opens at `start`.
  @inline(__always)
  static func stringEnd(_ text: borrowing Span<UInt8>, _ start: Int) -> Int {
    var index = start + 1
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") { return index + 1 }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return text.count
  }

  /// The byte after the value that begins at `start`.
  static func valueEnd(_ text: borrowing Span<UInt8>, _ start: Int) -> Int {
    var index = start
    var depth = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        index = stringEnd(text, index)
        if depth == 0 { return index }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        index += 1
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        // At depth 0 this closes what the number, `true`, `false` or `null` stands in.
        if depth == 0 { return index }
        index += 1
        depth -= 1
        if depth == 0 { return index }
      case UInt8(ascii: ","), 0x20, 0x0a, 0x0d, 0x09:
        if depth == 0 { return index }
        index += 1
      default:
        index += 1
      }
    }
    return text.count
  }

  /// What a backslash and this letter stand for, `u` aside.
  @inline(__always)
  static func simpleEscape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  @inline(__always)
  static func hexadecimalValue(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit) - 55
    default: nil
    }
  }

  /// Whether the bytes are well-formed UTF-8 (Unicode 16, table 3-7).
  static func isUTF8(_ text: borrowing Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var index = start
    while index < end {
      let lead = text[index]
      index += 1
      if lead < 0x80 { continue }
      // The second byte keeps out overlong forms, surrogates and what lies beyond U+10FFFF.
      var second: ClosedRange<UInt8> = 0x80...0xbf
      var rest = 0
      switch lead {
      case 0xc2...0xdf: break
      case 0xe0: (second, rest) = (0xa0...0xbf, 1)
      case 0xed: (second, rest) = (0x80...0x9f, 1)
      case 0xe1...0xef: rest = 1
      case 0xf0: (second, rest) = (0x90...0xbf, 2)
      case 0xf1...0xf3: rest = 2
      case 0xf4: (second, rest) = (0x80...0x8f, 2)
      default: return false
      }
      guard index + rest < end, second.contains(text[index]) else { return false }
      index += 1
      for _ in 0..<rest {
        guard text[index] & 0xc0 == 0x80 else { return false }
        index += 1
      }
    }
    return true
  }
}
