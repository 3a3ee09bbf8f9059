/// A value of the part of CBOR (RFC 8949) that this package speaks.
///
/// No tags, no floating point, no simple values but `false`, `true` and `null`, and text for keys.
/// What a value encodes to is fixed to the bit by the core deterministic encoding requirements
/// (section 4.2.1); Keys/formats.md has the rules.
package enum CBORValue: Sendable {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  /// In any order, each key once; encoding sorts them.
  case map([CBORMember])
  case bool(Bool)
  case null
}

/// A key of a map and what stands under it.
package struct CBORMember: Sendable {
  package let key: String
  package let value: CBORValue

  package init(_ key: String, _ value: CBORValue) {
    self.key = key
    self.value = value
  }
}

extension CBORValue: Equatable {
  /// Whether both encode to the same bytes.
  package static func == (left: CBORValue, right: CBORValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.text(let left), .text(let right)): CBORMember.isSame(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.map(let left), .map(let right)):
      left.count == right.count && CBORMember.sorted(left) == CBORMember.sorted(right)
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }
}

extension CBORMember: Equatable {
  package static func == (left: CBORMember, right: CBORMember) -> Bool {
    isSame(left.key, right.key) && left.value == right.value
  }

  /// Whether two texts are the same bytes: to `String` they are equal if they look the same.
  static func isSame(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    // Over the buffers, since the view of a string calls into the library for each byte.
    return left.withUTF8 { left in right.withUTF8 { right in unsafe left.elementsEqual(right) } }
  }

  /// The members by the bytewise order of their encoded keys (section 4.2.1).
  ///
  /// An encoded key begins with its length, and a longer one with a higher head: so the shorter key
  /// comes first, and of two of one length the lower in bytes.
  static func sorted(_ members: [CBORMember]) -> [CBORMember] {
    members.sorted { left, right in
      let (left, right) = (left.key.utf8, right.key.utf8)
      return left.count == right.count
        ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
  }
}
