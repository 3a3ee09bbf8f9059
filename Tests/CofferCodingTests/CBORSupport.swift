import Testing

@testable package import CofferCoding

extension CBORValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(arrayLiteral elements: CBORValue...) { self = .array(elements) }
  package init(dictionaryLiteral members: (String, CBORValue)...) {
    self = .map(members.map { CBORMember($0.0, $0.1) })
  }
}

/// The bytes of lowercase hexadecimal digits.
func unhex(_ digits: String) throws -> [UInt8] {
  try #require(Hexadecimal.decodeLowercase(digits))
}

/// Why bytes are refused, or nothing if they are accepted.
func cborRefusal(_ bytes: [UInt8]) -> CBORError? {
  do throws(CBORError) { _ = try CBORValue(decoding: bytes) } catch { return error }
  return nil
}

/// What a reader throws, or nothing.
func cborFault<Value>(_ body: () throws(CBORValueError) -> Value) -> CBORValueError? {
  do throws(CBORValueError) { _ = try body() } catch { return error }
  return nil
}

extension CBORValue {
  static func nested(_ depth: Int, in map: Bool = false) -> CBORValue {
    (0..<depth).reduce(0) { inner, _ in map ? ["a": inner] : [inner] }
  }

  static func random(_ depth: Int, _ random: inout Seeded) -> CBORValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2, 3:
      let shift = Int64.random(in: 0..<64, using: &random)
      return .integer(Int64.random(in: .min ... .max, using: &random) >> shift)
    case 4: return .bytes(random.bytes(Int.random(in: 0..<300, using: &random)))
    case 5: return .text(Tree.text(&random))
    case 6:
      let count = Int.random(in: 0..<5, using: &random)
      return .array((0..<count).map { _ in .random(depth - 1, &random) })
    default:
      var keys: Set<[UInt8]> = []
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        keys.insert(Array(Tree.text(&random).utf8))
      }
      // Swift's own sets come in another order each time, so that the seed would not repeat it.
      let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }.shuffled(using: &random)
      return .map(
        sorted.map { CBORMember(String(decoding: $0, as: UTF8.self), .random(depth - 1, &random)) })
    }
  }
}
