import Testing

@testable import CofferCoding

@Suite struct JSONValueTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-1", -1), ("7", 7), ("\"7\"", 7), ("\"-7\"", -7), ("\"0\"", 0),
      ("9007199254740991", 9_007_199_254_740_991), ("9007199254740992", 9_007_199_254_740_992),
      ("9007199254740993", 9_007_199_254_740_993), ("\"9007199254740993\"", 9_007_199_254_740_993),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("\"9223372036854775807\"", .max), ("\"-9223372036854775808\"", .min), ("\"\\u0037\"", 7),
    ] as [(String, Int64)])
  func integersAreExact(text: String, value: Int64) throws {
    #expect(try json(text).int64() == value)
  }

  @Test(arguments: [
    ("1e3", JSONValueError.notAnInteger), ("1.0", .notAnInteger), ("1.5", .notAnInteger),
    ("-1E0", .notAnInteger), ("99999999999999999999999.5", .notAnInteger),
    ("\"007\"", .notAnInteger), ("\"-0\"", .notAnInteger), ("\"+1\"", .notAnInteger),
    ("\"\"", .notAnInteger), ("\"-\"", .notAnInteger), ("\" 1\"", .notAnInteger),
    ("\"1 \"", .notAnInteger), ("\"1e3\"", .notAnInteger), ("\"1.0\"", .notAnInteger),
    ("\"0x1\"", .notAnInteger), ("\"--1\"", .notAnInteger), ("\"٣\"", .notAnInteger),
    ("9223372036854775808", .outOfRange), ("-9223372036854775809", .outOfRange),
    ("\"9223372036854775808\"", .outOfRange), ("18446744073709551615", .outOfRange),
    ("18446744073709551616", .outOfRange), ("18446744073709551617", .outOfRange),
    ("100000000000000000000000000000000000000000", .outOfRange),
    ("true", .wrongKind), ("null", .wrongKind), ("[]", .wrongKind), ("{}", .wrongKind),
    ("\"\\ud800\"", .illFormedText),
  ])
  func whatIsNoIntegerIsRefused(text: String, error: JSONValueError) throws {
    let slice = try json(text)
    #expect(valueError { () throws(JSONValueError) in try slice.int64() } == error)
  }

  @Test func everyReaderRefusesOtherKinds() throws {
    let kinds: [(String, JSONSlice.Kind)] = [
      ("{}", .object), ("[]", .array), ("\"\"", .string), ("-1", .number), ("true", .boolean),
      ("false", .boolean), ("null", .null),
    ]
    for (text, kind) in kinds {
      let slice = try json(text)
      #expect(slice.kind == kind)
      #expect(slice.isNull == (kind == .null))
      #expect(
        (valueError { () throws(JSONValueError) in try slice.string() } == .wrongKind)
          == (kind != .string))
      #expect(
        (valueError { () throws(JSONValueError) in try slice.bool() } == .wrongKind)
          == (kind != .boolean))
      #expect(
        (valueError { () throws(JSONValueError) in try slice.elements } == .wrongKind)
          == (kind != .array))
      #expect(
        (valueError { () throws(JSONValueError) in try slice.members } == .wrongKind)
          == (kind != .object))
    }
    #expect(try json("true").bool())
    #expect(try !json("false").bool())
  }

  @Test(
    arguments: [
      ("", []), ("a\u{7f}", [0x61, 0x7f]), ("\\u0000", [0]), ("a\\u0000b", [0x61, 0, 0x62]),
      ("\\\"\\\\\\/\\b\\f\\n\\r\\t", [0x22, 0x5c, 0x2f, 8, 12, 10, 13, 9]),
      ("\\u00e9", [0xc3, 0xa9]), ("\\u00E9", [0xc3, 0xa9]), ("e\\u0301", [0x65, 0xcc, 0x81]),
      ("\u{e9}", [0xc3, 0xa9]), ("e\u{301}", [0x65, 0xcc, 0x81]), ("\\uffff", [0xef, 0xbf, 0xbf]),
      ("\\ud83d\\ude00", [0xf0, 0x9f, 0x98, 0x80]), ("\u{1f600}", [0xf0, 0x9f, 0x98, 0x80]),
      ("\\uD800\\uDC00", [0xf0, 0x90, 0x80, 0x80]), ("\\udbff\\udfff", [0xf4, 0x8f, 0xbf, 0xbf]),
      ("\\ud7ff\\ue000", [0xed, 0x9f, 0xbf, 0xee, 0x80, 0x80]), ("\\ufeff", [0xef, 0xbb, 0xbf]),
      ("\\\\ud83d", [0x5c, 0x75, 0x64, 0x38, 0x33, 0x64]), ("\\ufffd", [0xef, 0xbf, 0xbd]),
    ] as [(String, [UInt8])])
  func textIsByteExact(escaped: String, bytes: [UInt8]) throws {
    #expect(Array(try jsonString(Array(escaped.utf8)).string().utf8) == bytes)
  }

  @Test(arguments: [
    "\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83d\\ud83d", "\\ud83dx", "\\ud83d\\n",
    "\\ud83d \\ude00", "\\ud83d\\\\ude00", "a\\uDFFFb", "\\ud83d\\ude00\\ud83d", "\\ud83d\\u0041",
  ])
  func aLoneSurrogateIsNoText(escaped: String) throws {
    let slice = try jsonString(Array(escaped.utf8))
    #expect(valueError { () throws(JSONValueError) in try slice.string() } == .illFormedText)
  }

  @Test(
    arguments: [
      [0xc3, 0x28], [0xc0, 0x80], [0xc1, 0xbf], [0x80], [0xff], [0xfe], [0xc3], [0xe2, 0x82],
      [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf],
      [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xf0, 0x9f, 0x98],
      [0xf0, 0x9f, 0x98, 0x5c, 0x6e],
      // CESU-8: a pair of surrogates, three bytes each.
      [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
      // Half a character before an escape that would complete it.
      [0xc3, 0x5c, 0x75, 0x30, 0x30, 0x61, 0x39],
    ] as [[UInt8]])
  func invalidUTF8IsNoText(bytes: [UInt8]) throws {
    let slice = try jsonString([0x61] + bytes)
    #expect(valueError { () throws(JSONValueError) in try slice.string() } == .illFormedText)
  }

  @Test func aBackslashAfterHalfACharacterIsStillAnEscape() {
    #expect(refusal([0x22, 0xc3, 0x5c, 0x22]) != nil)
    #expect(refusal([0x22, 0xc3, 0x22]) == nil)
  }

  @Test func utf8IsJudgedAsTheStandardLibraryDoes() throws {
    var random = Seeded()
    for _ in 0..<20_000 {
      // Bytes near the borders of table 3-7, so that many of them are well-formed.
      let bytes = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        [
          0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
          0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5,
        ].randomElement(using: &random) ?? 0x41 as UInt8
      }
      let isText = Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
      let slice = try jsonString(bytes)
      #expect(((try? slice.string()) != nil) == isText, "\(bytes), seed \(random.seed)")
    }
  }

  @Test func aLoneSurrogateSpoilsOnlyItsOwnString() throws {
    let page = try json("[\"before\",\"\\ud83d\",\"\\ude00\",\"after\"]")
    // The two halves of a pair do not meet across fields.
    #expect(try page.elements.map { try? $0.string() } == ["before", nil, nil, "after"])
    let bytes = Array("{\"a\":\"".utf8) + [0xc3, 0x28] + Array("\",\"b\":\"x\"}".utf8)
    let object = try JSONObject(JSONDocument.parse(bytes))
    #expect(try object["b"]?.string() == "x")
    #expect((try? object["a"]?.string()) == nil)
  }

  @Test func rawIsTheValueExactly() throws {
    let document = try json(" { \"a\" : [ 1 , \"]\\\"\" ] , \"b\":-1.50E+2 , \"c\" : { } } ")
    let raw = try document.members.map { String(decoding: $0.value.raw, as: UTF8.self) }
    #expect(raw == ["[ 1 , \"]\\\"\" ]", "-1.50E+2", "{ }"])
    #expect(try document.members.map { $0.value.offset } == [9, 29, 46])
    #expect(document.raw.count == 50)
    #expect(document.offset == 1)
  }

  @Test func emptyContainersHaveNothingInThem() throws {
    #expect(try json("[ \n ]").elements.map(\.kind) == [])
    #expect(try json("{ \n }").members.map(\.value.kind) == [])
    #expect(try json("[[],[[]],{}]").elements.map(\.kind) == [.array, .array, .object])
  }
}
