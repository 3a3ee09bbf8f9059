import Testing

@testable import CofferCoding

@Suite struct CBORValueTests {
  /// The examples of RFC 8949, appendix A, that this package speaks.
  static let examples: [(CBORValue, String)] = [
    (0, "00"), (1, "01"), (10, "0a"), (23, "17"), (24, "1818"), (25, "1819"), (100, "1864"),
    (1000, "1903e8"), (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"),
    (-1, "20"), (-10, "29"), (-100, "3863"), (-1000, "3903e7"),
    (false, "f4"), (true, "f5"), (nil, "f6"),
    (.bytes([]), "40"), (.bytes([1, 2, 3, 4]), "4401020304"),
    ("", "60"), ("a", "6161"), ("IETF", "6449455446"), ("\"\\", "62225c"), ("\u{fc}", "62c3bc"),
    ("\u{6c34}", "63e6b0b4"), ("\u{10151}", "64f0908591"),
    ([], "80"), ([1, 2, 3], "83010203"), ([1, [2, 3], [4, 5]], "8301820203820405"),
    (
      .array((1...25).map { .integer($0) }),
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
    ),
    ([:], "a0"), (["a": 1, "b": [2, 3]], "a26161016162820203"),
    (["a", ["b": "c"]], "826161a161626163"),
    (
      ["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"],
      "a56161614161626142616361436164614461656145"
    ),
  ]

  @Test(arguments: examples)
  func theExamplesOfTheRFCHold(value: CBORValue, hex: String) throws {
    #expect(Hexadecimal.encode(value.encoded) == hex)
    #expect(try CBORValue(decoding: try unhex(hex)) == value)
  }

  @Test(arguments: [
    (Int64.max, "1b7fffffffffffffff"), (.min, "3b7fffffffffffffff"), (255, "18ff"),
    (256, "190100"), (65535, "19ffff"), (65536, "1a00010000"), (4_294_967_295, "1affffffff"),
    (4_294_967_296, "1b0000000100000000"), (-24, "37"), (-25, "3818"), (-256, "38ff"),
    (-257, "390100"), (-4_294_967_297, "3b0000000100000000"),
  ])
  func everyIntegerHasItsShortestHead(value: Int64, hex: String) throws {
    #expect(Hexadecimal.encode(CBORValue.integer(value).encoded) == hex)
    #expect(try CBORValue(decoding: try unhex(hex)) == .integer(value))
  }

  @Test(arguments: [(65535, "59ffff"), (65536, "5a00010000")])
  func longStringsComeBack(count: Int, head: String) throws {
    let value = CBORValue.bytes([UInt8](repeating: 7, count: count))
    #expect(value.encoded == (try unhex(head)) + [UInt8](repeating: 7, count: count))
    #expect(try CBORValue(decoding: value.encoded) == value)
  }

  @Test func keysAreSortedByTheirEncodings() throws {
    let value: CBORValue = ["b": 1, "aa": 2, "": 3, "a": 4, "\u{e9}": 5, "zz": 6]
    #expect(Hexadecimal.encode(value.encoded) == "a66003616104616201626161026" + "27a7a0662c3a905")
    guard case .map(let members) = try CBORValue(decoding: value.encoded) else {
      Issue.record("no map")
      return
    }
    #expect(members.map(\.key) == ["", "a", "b", "aa", "zz", "\u{e9}"])
  }

  @Test func textsThatOnlyLookTheSameAreNotEqual() throws {
    #expect(CBORValue.text("\u{e9}") != "e\u{301}")
    #expect(CBORValue.text("e\u{301}") == "e\u{301}")
    let both: CBORValue = ["\u{e9}": 1, "e\u{301}": 2]
    #expect(both != ["\u{e9}": 2, "e\u{301}": 1])
    #expect(try CBORValue(decoding: both.encoded) == both)
  }

  @Test func theOrderOfMembersIsNoDifference() {
    #expect(["a": 1, "b": 2] as CBORValue == ["b": 2, "a": 1])
    #expect(["a": 1, "b": 2] as CBORValue != ["a": 1])
    #expect([1, 2] as CBORValue != [2, 1])
    #expect(CBORValue.bytes([0x61]) != "a")
    #expect(CBORValue.integer(0) != false)
  }

  @Test func textIsKeptByteForByte() throws {
    let text = "\0e\u{301}\u{e9}\r\n\u{feff}\u{fffd}\u{ffff}"
    guard case .text(let read) = try CBORValue(decoding: CBORValue.text(text).encoded) else {
      Issue.record("no text")
      return
    }
    #expect(Array(read.utf8) == Array(text.utf8))
  }
}
