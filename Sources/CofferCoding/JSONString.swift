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
    if shape.hasEscapes { return String(decoding: try unescaped(), as: UTF8.self) }
    return String(decoding: document[start..<end], as: UTF8.self)
  }

  /// The same string without escapes, in a buffer of its own if it had any.
  ///
  /// Throws `illFormedText` as `text` does.
  func resolved() throws(JSONValueError) -> JSONName {
    let shape = shape
    guard shape.isUTF8 else { throw .illFormedText }
    guard shape.hasEscapes else { return JSONName(buffer: document, start: start, end: end) }
    let bytes = try unescaped()
    return JSONName(buffer: bytes, start: 0, end: bytes.count)
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

  private func unescaped() throws(JSONValueError) -> [UInt8] {
    let text = document.span
    var bytes: [UInt8] = []
    // No escape is shorter than what it stands for.
    bytes.reserveCapacity(end - start)
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
    return bytes
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

/// Well-formed UTF-8 somewhere in a buffer, free of escapes.
struct JSONName: Sendable {
  let buffer: [UInt8]
  let start: Int
  let end: Int

  var text: String { String(decoding: buffer[start..<end], as: UTF8.self) }

  /// Whether the bytes are the same.
  ///
  /// `String` would compare by canonical equivalence, by which different names are equal.
  func isSame(as name: String) -> Bool {
    let name = name.utf8
    guard name.count == end - start else { return false }
    let text = buffer.span
    var index = start
    for byte in name {
      if text[index] != byte { return false }
      index += 1
    }
    return true
  }

  func isSame(as other: JSONName) -> Bool {
    guard other.end - other.start == end - start else { return false }
    let text = buffer.span
    let otherText = other.buffer.span
    for distance in 0..<end - start
    where text[start + distance] != otherText[other.start + distance] {
      return false
    }
    return true
  }

  /// A number that different names have in common only by chance.
  ///
  /// Seeded anew in every process, so that nobody can prepare names that collide.
  var hash: Int {
    let text = buffer.span
    var hasher = Hasher()
    for index in start..<end { hasher.combine(text[index]) }
    return hasher.finalize()
  }
}
