/// The text form of a UUID (RFC 9562, section 4): 8-4-4-4-12 hexadecimal digits.
package enum UUIDText {
  /// The 16 bytes that `text` spells in digits of either case, or nothing if it is anything else.
  package static func parse(_ text: String) -> [UInt8]? { parse(Array(text.utf8)) }

  /// The 16 bytes that `text` spells in digits of either case, or nothing if it is anything else.
  package static func parse(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == 36 else { return nil }
    var digits: [UInt8] = []
    digits.reserveCapacity(32)
    for (index, character) in text.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard character == UInt8(ascii: "-") else { return nil }
      } else {
        digits.append(character)
      }
    }
    return Hexadecimal.decode(digits)
  }

  /// The text of 16 bytes in lowercase, or nothing if there are not 16 of them.
  package static func format(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 16 else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, digit) in Hexadecimal.encode(bytes).utf8.enumerated() {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        text.append(UInt8(ascii: "-"))
      }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
