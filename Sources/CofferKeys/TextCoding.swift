import CofferCrypto

/// Hex and base64 of what is not secret, and hex of what is.
enum TextCoding {
  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Lowercase hex digits only.
  static func bytes(hex: some Collection<UInt8>) -> [UInt8]? {
    guard hex.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for letter in hex {
      let digit: UInt8
      switch letter {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = letter - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = letter - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  private static let base64Letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Base64 with padding (RFC 4648, section 4).
  static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let letter = base64Letters[Int(bits >> UInt32(18 - 6 * place) & 63)]
        text.append(place <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Only the one text that `base64` gives for the bytes.
  static func bytes(base64 text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for letter in text where letter != UInt8(ascii: "=") {
      guard let value = base64Letters.firstIndex(of: letter) else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xffff
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return base64(bytes).utf8.elementsEqual(text) ? bytes : nil
  }
}

// Secrets: neither branches nor table look-ups depend on their value, so that the time they take and
// the cache lines they touch say nothing of it.
extension TextCoding {
  /// All ones where `low <= value <= high`, else zero; all three below 2^31.
  static func mask(_ value: Int32, _ low: Int32, _ high: Int32) -> Int32 {
    ((low - 1 - value) & (value - high - 1)) >> 31
  }

  /// Writes the lowercase hex digits of `secret` at a place of `target`.
  static func writeHex(of secret: RawSpan, to target: inout MutableRawSpan, at offset: Int) {
    func digit(_ value: UInt8) -> UInt8 {
      let value = Int32(value)
      return UInt8(truncatingIfNeeded: value + 48 + (mask(value, 10, 15) & 39))
    }
    for index in 0..<secret.byteCount {
      let byte = secret[index]
      target.storeBytes(of: digit(byte >> 4), toByteOffset: offset + 2 * index, as: UInt8.self)
      target.storeBytes(of: digit(byte & 15), toByteOffset: offset + 2 * index + 1, as: UInt8.self)
    }
  }

  /// Reads hex digits of either case into `target`; false where one of them is none.
  ///
  /// Reads to the end whatever it finds, so that its time does not tell where.
  static func readHex(_ text: RawSpan, into target: inout MutableRawSpan) -> Bool {
    guard text.byteCount == 2 * target.byteCount else { return false }
    var valid: Int32 = -1
    func value(_ letter: UInt8) -> Int32 {
      let letter = Int32(letter)
      let digit = mask(letter, 48, 57)
      let lower = mask(letter, 97, 102)
      let upper = mask(letter, 65, 70)
      valid &= digit | lower | upper
      return (digit & (letter - 48)) | (lower & (letter - 87)) | (upper & (letter - 55))
    }
    for index in 0..<target.byteCount {
      let byte = value(text[2 * index]) << 4 | value(text[2 * index + 1])
      target.storeBytes(
        of: UInt8(truncatingIfNeeded: byte), toByteOffset: index, as: UInt8.self)
    }
    return valid == -1
  }
}
