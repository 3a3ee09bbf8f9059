/// Why a text is not JSON that this package reads, and where.
///
/// It never holds a piece of the text.
package struct JSONError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    /// The text is longer than its limit.
    case tooLarge
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep
    case byteOrderMark
    case unexpectedEnd
    case unexpectedByte
    case controlCharacter
    case invalidEscape
    case invalidNumber
    /// The text goes on after its value.
    case trailingBytes
  }

  package let code: Code
  /// The byte at which reading stopped, counted from 0.
  package let offset: Int
}

/// Why a value of a sound document is not what its reader asked for.
package enum JSONValueError: Error, Sendable, Equatable {
  case wrongKind
  /// A string with invalid UTF-8, or with half of a surrogate pair.
  case illFormedText
  /// A number with a fraction or an exponent, or a string that is not one in canonical digits.
  case notAnInteger
  /// An integer that does not fit in 64 bits.
  case outOfRange
  case duplicateKey
  /// An object of more members than `JSONObject` holds.
  case tooManyMembers
}
