import Testing

@testable import CofferCoding

@Suite struct CBORRefusalTests {
  @Test(arguments: [
    ("", CBORError.Code.unexpectedEnd, 0),
    ("18", .unexpectedEnd, 0), ("1b00000000000000", .unexpectedEnd, 0),
    ("42aa", .unexpectedEnd, 0), ("8201", .unexpectedEnd, 0), ("a16161", .unexpectedEnd, 3),
    ("0000", .trailingBytes, 1), ("f600", .trailingBytes, 1),
    // Heads that are longer than they need be.
    ("1800", .notShortest, 0), ("1817", .notShortest, 0), ("1900ff", .notShortest, 0),
    ("1a0000ffff", .notShortest, 0), ("1b00000000ffffffff", .notShortest, 0),
    ("3817", .notShortest, 0), ("580161", .notShortest, 0), ("780161", .notShortest, 0),
    ("980100", .notShortest, 0), ("b801616100", .notShortest, 0), ("a178016100", .notShortest, 1),
    // Lengths left open.
    ("5f42010243030405ff", .indefiniteLength, 0), ("7f61616162ff", .indefiniteLength, 0),
    ("9fff", .indefiniteLength, 0), ("bf616101ff", .indefiniteLength, 0),
    ("ff", .indefiniteLength, 0), ("81ff", .indefiniteLength, 1),
    // Heads without a meaning.
    ("1c", .reservedHead, 0), ("1f", .reservedHead, 0), ("3f", .reservedHead, 0),
    ("5d", .reservedHead, 0), ("df", .reservedHead, 0), ("fe", .reservedHead, 0),
    // Integers beyond 64 bits with a sign.
    ("1b8000000000000000", .outOfRange, 0), ("3b8000000000000000", .outOfRange, 0),
    ("1bffffffffffffffff", .outOfRange, 0), ("3bffffffffffffffff", .outOfRange, 0),
    // Texts that are none.
    ("61ff", .illFormedText, 0), ("62c080", .illFormedText, 0), ("63eda080", .illFormedText, 0),
    ("61c3", .illFormedText, 0), ("64f4908080", .illFormedText, 0), ("a161ff00", .illFormedText, 1),
    // Keys.
    ("a10102", .keyNotText, 1), ("a1416102", .keyNotText, 1), ("a1f602", .keyNotText, 1),
    ("a1f97e0002", .keyNotText, 1), ("a1806102", .keyNotText, 1),
    ("a2616200616100", .unsortedKeys, 4), ("a262616100616200", .unsortedKeys, 5),
    ("a2616100616101", .duplicateKey, 4), ("a260006000", .duplicateKey, 3),
    // What this package does not speak, from RFC 8949, appendix A.
    ("f7", .undefined, 0), ("f0", .simpleValue, 0), ("f8ff", .simpleValue, 0),
    ("f818", .simpleValue, 0), ("e0", .simpleValue, 0),
    ("f90000", .floatingPoint, 0), ("f97e00", .floatingPoint, 0),
    ("fa47c35000", .floatingPoint, 0), ("fb3ff199999999999a", .floatingPoint, 0),
    ("f9", .floatingPoint, 0),
    ("c249010000000000000000", .tag, 0), ("c074323031332d30332d32315432303a30343a30305a", .tag, 0),
    ("d9d9f700", .tag, 0), ("81c100", .tag, 1),
  ])
  func whatIsNotDeterministicOrNotSpokenIsRefused(
    hex: String, code: CBORError.Code, offset: Int
  ) throws {
    #expect(cborRefusal(try unhex(hex)) == CBORError(code: code, offset: offset))
  }

  @Test func aLengthIsNotBelievedBeforeTheBytesAreThere() throws {
    for major in ["5", "7", "9", "b"] {
      for length in ["b7fffffffffffffff", "bffffffffffffffff", "b0000000100000000", "affffffff"] {
        let bytes = try unhex(major + length)
        #expect(cborRefusal(bytes)?.code == .unexpectedEnd)
        #expect(cborRefusal(bytes + [0, 0, 0])?.code == .unexpectedEnd)
        #expect(cborRefusal([0x81] + bytes)?.code == .unexpectedEnd)
      }
    }
    // Two members take four bytes at least.
    #expect(cborRefusal([0xa2, 0x60, 0x00, 0x00]) == CBORError(code: .unexpectedEnd, offset: 0))
  }

  @Test(arguments: [false, true])
  func sixteenLevelsAreTheDeepest(inMaps: Bool) throws {
    let deepest = CBORValue.nested(CBORValue.depthLimit, in: inMaps)
    #expect(try CBORValue(decoding: deepest.encoded) == deepest)
    let deeper = CBORValue.nested(CBORValue.depthLimit + 1, in: inMaps)
    #expect(cborRefusal(deeper.encoded)?.code == .tooDeep)
    // Depth that nobody closes must end as early, long before the stack does.
    #expect(cborRefusal([UInt8](repeating: 0x81, count: 1 << 20))?.code == .tooDeep)
  }

  @Test func valuesAreCounted() throws {
    let most = CBORValue.array(.init(repeating: .null, count: CBORValue.valueLimit - 1))
    #expect(cborRefusal(most.encoded) == nil)
    let more = CBORValue.array(.init(repeating: .null, count: CBORValue.valueLimit))
    #expect(cborRefusal(more.encoded)?.code == .tooManyValues)
  }

  @Test func everyBeginningIsRefused() {
    var random = Seeded()
    for _ in 0..<200 {
      let bytes = CBORValue.random(4, &random).encoded
      for count in 0..<bytes.count {
        let code = cborRefusal(Array(bytes[..<count]))?.code
        #expect(code == .unexpectedEnd, "seed \(random.seed), \(count) of \(bytes.count)")
      }
    }
  }

  @Test func aFlippedBitIsRefusedOrAnotherValue() throws {
    var random = Seeded()
    for _ in 0..<100 {
      let value = CBORValue.random(4, &random)
      let bytes = value.encoded
      for index in bytes.indices {
        for bit in 0..<8 {
          var flipped = bytes
          flipped[index] ^= 1 << bit
          guard let other = try? CBORValue(decoding: flipped) else { continue }
          #expect(other.encoded == flipped, "seed \(random.seed)")
          #expect(other != value, "seed \(random.seed)")
        }
      }
    }
  }

  @Test func randomBytesAreRefusedOrHaveOneEncoding() throws {
    var random = Seeded()
    var accepted = 0
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int.random(in: 0..<24, using: &random))
      guard let value = try? CBORValue(decoding: bytes) else { continue }
      accepted += 1
      #expect(value.encoded == bytes, "seed \(random.seed)")
    }
    #expect(accepted > 0)
  }

  @Test func randomValuesComeBack() throws {
    var random = Seeded()
    for _ in 0..<1_000 {
      let value = CBORValue.random(5, &random)
      #expect(try CBORValue(decoding: value.encoded) == value, "seed \(random.seed)")
    }
  }
}
