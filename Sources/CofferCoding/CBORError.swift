/// Why bytes are not CBOR that this package reads, and where.
///
/// It never holds a piece of them.
package struct CBORError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    case unexpectedEnd
    /// The bytes go on after their value.
    case trailingBytes
    /// A head says a number in more bytes than it needs.
    case notShortest
    /// A length that is left open, or a "break" that ends one.
    case indefiniteLength
    /// A head that no version of CBOR has given a meaning.
    case reservedHead
    /// An integer that does not fit in 64 bits with a sign.
    case outOfRange
    case illFormedText
    /// A key of a map that is no text.
    case keyNotText
    /// A key that does not come behind the one before it.
    case unsortedKeys
    case duplicateKey
    case tag
    case floatingPoint
    case undefined
    /// A simple value other than `false`, `true` and `null`.
    case simpleValue
    /// Arrays and maps are nested deeper than the limit.
    case tooDeep
    /// There are more values in it than the limit.
    case tooManyValues
  }

  package let code: Code
  /// Where the head stands that is at fault, counted from 0.
  package let offset: Int
}

/// Why a sound value is not what its reader asked for.
package enum CBORValueError: Error, Sendable, Equatable {
  case wrongKind
  case missingMember
  case unknownMember
}
