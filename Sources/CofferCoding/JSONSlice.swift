/// One value of a checked document.
///
/// It is the document and a range in it: cheap to copy, and nothing is decoded before it is asked
/// for. It keeps the whole document in memory.
package struct JSONSlice: Sendable {
  package enum Kind: Sendable {
    case object, array, string, number, boolean, null
  }

  let document: [UInt8]
  let start: Int
  let end: Int

  /// The value in these bytes of a document that `JSONDocument` checked.
  init(document: [UInt8], start: Int, end: Int) {
    self.document = document
    self.start = start
    self.end = end
  }

  /// Where the value begins in its document.
  package var offset: Int { start }

  /// The bytes of the value exactly as they stand in the document.
  package var raw: [UInt8] { Array(document[start..<end]) }

  package var kind: Kind {
    switch document[start] {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  package var isNull: Bool { kind == .null }

  /// The text of a string, byte for byte.
  ///
  /// Throws `wrongKind`, or `illFormedText` as `JSONString.text` does.
  package func string() throws(JSONValueError) -> String {
    guard kind == .string else { throw .wrongKind }
    return try content.text()
  }

  /// The value of `true` or `false`; throws `wrongKind`.
  package func bool() throws(JSONValueError) -> Bool {
    guard kind == .boolean else { throw .wrongKind }
    return document[start] == UInt8(ascii: "t")
  }

  /// An integer, exact over the whole range of `Int64`.
  ///
  /// Read from a number without fraction and exponent (`-0` is 0), or from a string that spells it
  /// in canonical digits, as integers beyond 2^53 - 1 are printed; there `-0`, `+1` and leading
  /// zeros are refused. Throws `wrongKind`, `notAnInteger`, `outOfRange`, and `illFormedText` for a
  /// string that is no text at all.
  package func int64() throws(JSONValueError) -> Int64 {
    switch kind {
    case .number:
      return try Self.integer(document.span, start, end)
    case .string:
      var digits: [UInt8] = []
      try content.append(to: &digits)
      let first = digits.first == UInt8(ascii: "-") ? 1 : 0
      guard first < digits.count else { throw .notAnInteger }
      if digits[first] == UInt8(ascii: "0"), digits.count > 1 { throw .notAnInteger }
      return try Self.integer(digits.span, 0, digits.count)
    default:
      throw .wrongKind
    }
  }

  /// The elements of an array, in order; throws `wrongKind`.
  package var elements: JSONElements {
    get throws(JSONValueError) {
      guard kind == .array else { throw .wrongKind }
      return JSONElements(array: self)
    }
  }

  /// The members of an object, in order and with duplicates; throws `wrongKind`.
  package var members: JSONMembers {
    get throws(JSONValueError) {
      guard kind == .object else { throw .wrongKind }
      return JSONMembers(object: self)
    }
  }

  private var content: JSONString {
    JSONString(document: document, start: start + 1, end: end - 1)
  }

  private static func integer(
    _ text: borrowing Span<UInt8>, _ start: Int, _ end: Int
  ) throws(JSONValueError) -> Int64 {
    let isNegative = text[start] == UInt8(ascii: "-")
    var value: Int64 = 0
    var fits = true
    // To the end, even when it is too large: 1e3 and a thousand digits differ in what is wrong.
    for index in (isNegative ? start + 1 : start)..<end {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { throw .notAnInteger }
      // Negative all along: -2^63 has no positive twin.
      let (tenfold, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (next, tooLow) = tenfold.subtractingReportingOverflow(Int64(digit))
      fits = fits && !tooLarge && !tooLow
      value = next
    }
    if !isNegative, value == .min { fits = false }
    guard fits else { throw .outOfRange }
    return isNegative ? value : -value
  }
}
