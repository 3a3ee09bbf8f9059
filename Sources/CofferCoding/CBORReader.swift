extension CBORValue {
  /// Arrays and maps within each other.
  package static let depthLimit = 16
  /// All values in one, keys aside: a byte of input can become many in memory.
  package static let valueLimit = 1 << 20

  /// Reads the one value that `bytes` encode, and no other encoding of it.
  ///
  /// Nothing is allocated by a length before so many bytes are there. What it reads, `encoded`
  /// gives back to the byte.
  package init(decoding bytes: [UInt8]) throws(CBORError) {
    var reader = CBORReader(bytes)
    self = try reader.value(0)
    try reader.finish()
  }
}

private struct CBORReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var left: Int { bytes.count - offset }

  func finish() throws(CBORError) {
    guard left == 0 else { throw CBORError(code: .trailingBytes, offset: offset) }
  }

  /// The next value; `depth` counts the arrays and maps around it.
  mutating func value(_ depth: Int) throws(CBORError) -> CBORValue {
    let start = offset
    count += 1
    guard count <= CBORValue.valueLimit else { throw fault(.tooManyValues, start) }
    let head = try head()
    switch head.major {
    case .unsigned:
      return .integer(try integer(head, start))
    case .negative:
      return .integer(~(try integer(head, start)))
    case .bytes:
      return .bytes(Array(bytes[try content(head, start)]))
    case .text:
      return .text(try text(head, start))
    case .array:
      return .array(try array(try length(head, 1, start), depth + 1, start))
    case .map:
      return .map(try map(try length(head, 2, start), depth + 1, start))
    case .tag:
      throw fault(.tag, start)
    case .simple:
      switch bytes[start] {
      case CBORSimple.false: return .bool(false)
      case CBORSimple.true: return .bool(true)
      case CBORSimple.null: return .null
      case 0xf7: throw fault(.undefined, start)
      case 0xf9...0xfb: throw fault(.floatingPoint, start)
      default: throw fault(.simpleValue, start)
      }
    }
  }

  private mutating func array(
    _ count: Int, _ depth: Int, _ start: Int
  ) throws(CBORError) -> [CBORValue] {
    guard depth <= CBORValue.depthLimit else { throw fault(.tooDeep, start) }
    // Nothing is reserved: arrays that each claim all that is left would ask for it many times.
    var elements: [CBORValue] = []
    for _ in 0..<count { elements.append(try value(depth)) }
    return elements
  }

  private mutating func map(
    _ count: Int, _ depth: Int, _ start: Int
  ) throws(CBORError) -> [CBORMember] {
    guard depth <= CBORValue.depthLimit else { throw fault(.tooDeep, start) }
    var members: [CBORMember] = []
    var previous = 0..<0
    for _ in 0..<count {
      let keyStart = offset
      let head = try head()
      guard head.major == .text else { throw fault(.keyNotText, keyStart) }
      let key = try text(head, keyStart)
      let encoded = keyStart..<offset
      if !bytes[previous].lexicographicallyPrecedes(bytes[encoded]) {
        let isSame = bytes[previous] == bytes[encoded]
        throw fault(isSame ? .duplicateKey : .unsortedKeys, keyStart)
      }
      previous = encoded
      members.append(CBORMember(key, try value(depth)))
    }
    return members
  }

  // MARK: Parts

  private struct Head {
    let major: CBORMajor
    let number: UInt64
  }

  /// A head with its number, which must not fit in a shorter one.
  private mutating func head() throws(CBORError) -> Head {
    let start = offset
    guard left > 0, let major = CBORMajor(rawValue: bytes[start] >> 5) else {
      throw fault(.unexpectedEnd, start)
    }
    let information = bytes[start] & 0x1f
    offset += 1
    switch information {
    case ..<24:
      return Head(major: major, number: UInt64(information))
    case 24...27:
      // What follows such a head of major type 7 is no number, and is refused whatever it is.
      if major == .simple { return Head(major: major, number: 0) }
      let size = 1 << (Int(information) - 24)
      guard left >= size else { throw fault(.unexpectedEnd, start) }
      var number: UInt64 = 0
      for byte in bytes[offset..<offset + size] { number = number << 8 | UInt64(byte) }
      offset += size
      // Every size has twice the bytes of the one before it, and the first follows five bits.
      let isShortest = size == 1 ? number >= 24 : number >> (4 * UInt64(size)) != 0
      guard isShortest else { throw fault(.notShortest, start) }
      return Head(major: major, number: number)
    case 31 where major != .unsigned && major != .negative && major != .tag:
      throw fault(.indefiniteLength, start)
    default:
      throw fault(.reservedHead, start)
    }
  }

  private func integer(_ head: Head, _ start: Int) throws(CBORError) -> Int64 {
    guard let number = Int64(exactly: head.number) else { throw fault(.outOfRange, start) }
    return number
  }

  /// How many there are of what takes at least `size` bytes each.
  private func length(_ head: Head, _ size: UInt64, _ start: Int) throws(CBORError) -> Int {
    guard head.number <= UInt64(left) / size else { throw fault(.unexpectedEnd, start) }
    return Int(head.number)
  }

  /// Where the content of a string lies; reading goes on behind it.
  private mutating func content(_ head: Head, _ start: Int) throws(CBORError) -> Range<Int> {
    let end = offset + (try length(head, 1, start))
    defer { offset = end }
    return offset..<end
  }

  private mutating func text(_ head: Head, _ start: Int) throws(CBORError) -> String {
    let content = try content(head, start)
    guard JSONScan.isUTF8(bytes.span, content.lowerBound, content.upperBound) else {
      throw fault(.illFormedText, start)
    }
    return String(decoding: bytes[content], as: UTF8.self)
  }

  private func fault(_ code: CBORError.Code, _ offset: Int) -> CBORError {
    CBORError(code: code, offset: offset)
  }
}
