/// Base 64 of RFC 4648, section 4: the standard alphabet, padded.
///
/// For what is no secret: it looks letters up in the open.
package enum Base64 {
  /// The letters of `bytes`, padded to a multiple of four.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let second = left > 1 ? UInt32(bytes[index + 1]) : 0
      let third = left > 2 ? UInt32(bytes[index + 2]) : 0
      let group = UInt32(bytes[index]) << 16 | second << 8 | third
      text.append(letter(group >> 18))
      text.append(letter(group >> 12 & 63))
      text.append(left > 1 ? letter(group >> 6 & 63) : padding)
      text.append(left > 2 ? letter(group & 63) : padding)
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that `text` spells, or nothing if it is not the one form that `encode` gives.
  package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

  /// The bytes that `text` spells, or nothing if it is not the one form that `encode` gives.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var letters = text.count
    while letters > 0, text.count - letters < 2, text[letters - 1] == padding { letters -= 1 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    for index in 0..<letters {
      guard let value = value(text[index]) else { return nil }
      pending = pending << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
      }
    }
    // Two texts for the same bytes would defeat whoever compares texts.
    guard pending & ((1 << bits) - 1) == 0 else { return nil }
    return bytes
  }

  private static let padding = UInt8(ascii: "=")

  private static func letter(_ value: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: value)
    return switch value {
    case 0..<26: value + 65
    case 26..<52: value + 71
    case 52..<62: value - 4
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func value(_ letter: UInt8) -> UInt32? {
    switch letter {
    case 0x41...0x5a: UInt32(letter) - 65
    case 0x61...0x7a: UInt32(letter) - 71
    case 0x30...0x39: UInt32(letter) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
