extension CBORValue {
  /// The one encoding of this value (RFC 8949, section 4.2.1).
  ///
  /// It does not check that the keys of a map differ: they come from the program. A decoder refuses
  /// such a map, and one that is nested too deep.
  package var encoded: [UInt8] {
    var writer = CBORWriter()
    writer.append(self)
    return writer.bytes
  }
}

/// The major types of a head (RFC 8949, section 3.1), in its upper three bits.
enum CBORMajor: UInt8 {
  case unsigned, negative, bytes, text, array, map, tag, simple
}

/// The simple values (section 3.3) that there are here, with their heads.
enum CBORSimple {
  static let `false`: UInt8 = 0xf4
  static let `true`: UInt8 = 0xf5
  static let null: UInt8 = 0xf6
}

private struct CBORWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: CBORValue) {
    switch value {
    case .integer(let value):
      // -1 - n is what major type 1 says, which is n with every bit turned over.
      value < 0 ? head(.negative, UInt64(~value)) : head(.unsigned, UInt64(value))
    case .bytes(let content):
      head(.bytes, UInt64(content.count))
      bytes.append(contentsOf: content)
    case .text(let text):
      append(text)
    case .array(let elements):
      head(.array, UInt64(elements.count))
      for element in elements { append(element) }
    case .map(let members):
      head(.map, UInt64(members.count))
      for member in CBORMember.sorted(members) {
        append(member.key)
        append(member.value)
      }
    case .bool(let value):
      bytes.append(value ? CBORSimple.true : CBORSimple.false)
    case .null:
      bytes.append(CBORSimple.null)
    }
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { content in
      head(.text, UInt64(content.count))
      unsafe bytes.append(contentsOf: content)
    }
  }

  /// A head that says its number in as few bytes as it takes.
  private mutating func head(_ major: CBORMajor, _ number: UInt64) {
    let type = major.rawValue << 5
    let (information, count): (UInt8, UInt64) =
      switch number {
      case ..<24: (UInt8(truncatingIfNeeded: number), 0)
      case ...0xff: (24, 1)
      case ...0xffff: (25, 2)
      case ...0xffff_ffff: (26, 4)
      default: (27, 8)
      }
    bytes.append(type | information)
    for index in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - index))))
    }
  }
}
