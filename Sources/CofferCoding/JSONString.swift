/// A string of a checked document as it stands there, between its quotes.
package struct JSONString: Sendable {
  private let document: [UInt8]
  private let start: Int
  private let end: Int

  /// The bytes of `document` between two quotes.
  init(document: [UInt8], start: Int, end: Int) {
    self.document = document
    self.start = start
    self.end = end
  }

  /// The text, byte for byte; U+0000 is a character like others.
  ///
  /// Throws `illFormedText` for invalid UTF-8 and for a surrogate escape without its other half.
  /// Nothing is ever replaced by U+FFFD. Noncharacters pass, though RFC 7493 would have them
  /// refused: they are valid UTF-8, and what someone sent is kept.
  package func text() throws(JSONValueError) -> String {
    let shape = shape
    guard shape.isUTF8 else { throw .illFormedText }
    guard shape.hasEscapes else { return String(decoding: document[start..<end], as: UTF8.self) }
    var bytes: [UInt8] = []
    // No escape is shorter than what it stands for.
    bytes.reserveCapacity(end - start)
    try unescape(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text as UTF-8; throws `illFormedText` as `text` does.
  package func append(to bytes: inout [UInt8]) throws(JSONValueError) {
    let shape = shape
    guard shape.isUTF8 else { throw .illFormedText }
    if shape.hasEscapes {
      try unescape(into: &bytes)
    } else {
      bytes.append(contentsOf: document[start..<end])
    }
  }

  private var shape: (isUTF8: Bool, hasEscapes: Bool) {
    let text = document.span
    var hasEscapes = false
    var isASCII = true
    for index in start..<end {
      let byte = text[index]
      if byte == UInt8(ascii: "\\") { hasEscapes = true }
      if byte >= 0x80 { isASCII = false }
    }
    return (isASCII || JSONScan.isUTF8(text, start, end), hasEscapes)
  }

  private func unescape(into bytes: inout [UInt8]) throws(JSONValueError) {
    let text = document.span
    var index = start
    while index < end {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < end else {
        bytes.append(byte)
        index += 1
        continue
      }
      if let character = JSONScan.simpleEscape(text[index + 1]) {
        bytes.append(character)
        index += 2
        continue
      }
      guard var code = unit(text, index) else { throw .illFormedText }
      index += 6
      if (0xd800...0xdbff).contains(code) {
        guard let low = unit(text, index), (0xdc00...0xdfff).contains(low) else {
          throw .illFormedText
        }
        code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        index += 6
      }
      // Only the low half of a pair is left to fail here.
      guard let scalar = Unicode.Scalar(code), let character = UTF8.encode(scalar) else {
        throw .illFormedText
      }
      bytes.append(contentsOf: character)
    }
  }

  /// The code unit of a `\uXXXX` escape at `start`, or nothing if there is none.
  private func unit(_ text: borrowing Span<UInt8>, _ start: Int) -> UInt32? {
    guard start + 6 <= end, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var code: UInt32 = 0
    for index in start + 2..<start + 6 {
      guard let digit = JSONScan.hexadecimalValue(text[index]) else { return nil }
      code = code << 4 | digit
    }
    return code
  }
}
