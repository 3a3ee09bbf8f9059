/// Checks texts against the grammar of RFC 8259, without building anything from them.
///
/// The I-JSON rules of RFC 7493 hold where values are read: `JSONString` refuses ill-formed text
/// and `JSONObject` duplicate names. So a bad message of a page spoils itself, not its neighbours.
package enum JSONDocument {
  package static let sizeLimit = 64 << 20
  package static let depthLimit = 32

  /// Checks the whole text and gives its one value.
  ///
  /// The text may have white space around its value, but no byte order mark. Takes constant memory
  /// beyond the text, whatever is in it.
  package static func parse(
    _ bytes: [UInt8], limit: Int = sizeLimit
  ) throws(JSONError) -> JSONSlice {
    guard bytes.count <= limit else { throw JSONError(code: .tooLarge, offset: limit) }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      throw JSONError(code: .byteOrderMark, offset: 0)
    }
    let value = try check(bytes.span)
    return JSONSlice(document: bytes, start: value.lowerBound, end: value.upperBound)
  }

  private enum Expected {
    case value, valueOrEnd, member, memberOrEnd, separator
  }

  private static func check(_ text: borrowing Span<UInt8>) throws(JSONError) -> Range<Int> {
    var index = JSONScan.spaceEnd(text, 0)
    let start = index
    var depth = 0
    // One bit a level, the innermost lowest: set for an object.
    var kinds: UInt64 = 0
    var expected = Expected.value
    repeat {
      index = JSONScan.spaceEnd(text, index)
      guard index < text.count else {
        throw JSONError(code: .unexpectedEnd, offset: text.count)
      }
      let byte = text[index]
      switch expected {
      case .valueOrEnd where byte == UInt8(ascii: "]"),
        .memberOrEnd where byte == UInt8(ascii: "}"):
        index += 1
        depth -= 1
        kinds >>= 1
        expected = .separator
      case .value, .valueOrEnd:
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          guard depth < depthLimit else { throw JSONError(code: .tooDeep, offset: index) }
          let isObject = byte == UInt8(ascii: "{")
          index += 1
          depth += 1
          kinds = kinds << 1 | (isObject ? 1 : 0)
          expected = isObject ? .memberOrEnd : .valueOrEnd
        } else {
          index = try checkScalar(text, index)
          expected = .separator
        }
      case .member, .memberOrEnd:
        guard byte == UInt8(ascii: "\"") else {
          throw JSONError(code: .unexpectedByte, offset: index)
        }
        index = try checkString(text, index)
        index = JSONScan.spaceEnd(text, index)
        index = try checkLiteral(text, index, ":")
        expected = .value
      case .separator:
        let isObject = kinds & 1 == 1
        if byte == UInt8(ascii: ",") {
          index += 1
          expected = isObject ? .member : .value
        } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          index += 1
          depth -= 1
          kinds >>= 1
        } else {
          throw JSONError(code: .unexpectedByte, offset: index)
        }
      }
    } while depth > 0
    let end = index
    index = JSONScan.spaceEnd(text, index)
    guard index == text.count else { throw JSONError(code: .trailingBytes, offset: index) }
    return start..<end
  }

  private static func checkScalar(
    _ text: borrowing Span<UInt8>, _ start: Int
  ) throws(JSONError) -> Int {
    switch text[start] {
    case UInt8(ascii: "\""): try checkString(text, start)
    case UInt8(ascii: "t"): try checkLiteral(text, start, "true")
    case UInt8(ascii: "f"): try checkLiteral(text, start, "false")
    case UInt8(ascii: "n"): try checkLiteral(text, start, "null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try checkNumber(text, start)
    default: throw JSONError(code: .unexpectedByte, offset: start)
    }
  }

  private static func checkLiteral(
    _ text: borrowing Span<UInt8>, _ start: Int, _ literal: String
  ) throws(JSONError) -> Int {
    var index = start
    for byte in literal.utf8 {
      guard index < text.count else { throw JSONError(code: .unexpectedEnd, offset: index) }
      guard text[index] == byte else { throw JSONError(code: .unexpectedByte, offset: index) }
      index += 1
    }
    return index
  }

  private static func checkString(
    _ text: borrowing Span<UInt8>, _ start: Int
  ) throws(JSONError) -> Int {
    var index = start + 1
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") { return index + 1 }
      if byte < 0x20 { throw JSONError(code: .controlCharacter, offset: index) }
      if byte == UInt8(ascii: "\\") { index = try checkEscape(text, index) } else { index += 1 }
    }
    throw JSONError(code: .unexpectedEnd, offset: text.count)
  }

  private static func checkEscape(
    _ text: borrowing Span<UInt8>, _ start: Int
  ) throws(JSONError) -> Int {
    guard start + 1 < text.count else {
      throw JSONError(code: .unexpectedEnd, offset: text.count)
    }
    if JSONScan.simpleEscape(text[start + 1]) != nil { return start + 2 }
    guard text[start + 1] == UInt8(ascii: "u") else {
      throw JSONError(code: .invalidEscape, offset: start)
    }
    for index in start + 2..<start + 6 {
      guard index < text.count else {
        throw JSONError(code: .unexpectedEnd, offset: text.count)
      }
      guard JSONScan.hexadecimalValue(text[index]) != nil else {
        throw JSONError(code: .invalidEscape, offset: start)
      }
    }
    return start + 6
  }

  private static func checkNumber(
    _ text: borrowing Span<UInt8>, _ start: Int
  ) throws(JSONError) -> Int {
    var index = start
    if text[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    index = try checkDigits(text, index)
    guard text[first] != UInt8(ascii: "0") || index == first + 1 else {
      throw JSONError(code: .invalidNumber, offset: start)
    }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index = try checkDigits(text, index + 1)
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
        index += 1
      }
      index = try checkDigits(text, index)
    }
    return index
  }

  private static func checkDigits(
    _ text: borrowing Span<UInt8>, _ start: Int
  ) throws(JSONError) -> Int {
    guard start < text.count else {
      throw JSONError(code: .unexpectedEnd, offset: text.count)
    }
    let end = JSONScan.digitsEnd(text, start)
    guard end > start else { throw JSONError(code: .invalidNumber, offset: start) }
    return end
  }
}
