import Testing

@testable import CofferCoding

@Suite struct JSONDocumentTests {
  static let sample = """
    {"a":[1,-2.5e+3,0,-0,true,false,null],"é\\n\\u00e9\\ud83d\\ude00":{},"b":[[],{"c":"x\\\\"}]}
    """

  @Test(arguments: [
    "null", " true ", "\t\r\nfalse\n", "0", "-0", "1e5", "1E-5", "0.5", "-12.25e+10", "\"\"",
    "[]", "[ ]", "{}", "{ }", "[1,[2],{}]", "{\"\":0}", "{\"a\" : 1 , \"b\" : 2}",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0aF9\"", "\"\u{7f}\u{2028}\"", sample,
  ])
  func soundTextIsAccepted(text: String) throws {
    #expect(refusal(text) == nil)
  }

  @Test(arguments: [
    ("", JSONError.Code.unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("[", .unexpectedEnd, 1),
    ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("{\"a\"", .unexpectedEnd, 4),
    ("{\"a\":", .unexpectedEnd, 5), ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2),
    ("\"\\u12", .unexpectedEnd, 5), ("tru", .unexpectedEnd, 3), ("-", .unexpectedEnd, 1),
    ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
    ("]", .unexpectedByte, 0), ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1),
    ("[1 2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2), ("{]", .unexpectedByte, 1),
    ("{\"a\":1,}", .unexpectedByte, 7), ("{,}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1),
    ("{'a':1}", .unexpectedByte, 1), ("{1:2}", .unexpectedByte, 1), ("{\"a\"}", .unexpectedByte, 4),
    ("{\"a\",1}", .unexpectedByte, 4), ("{\"a\":}", .unexpectedByte, 5),
    ("{\"a\":1 \"b\":2}", .unexpectedByte, 7), ("{\"a\":1]", .unexpectedByte, 6),
    ("trUe", .unexpectedByte, 2), ("True", .unexpectedByte, 0), ("nulL", .unexpectedByte, 3),
    ("NaN", .unexpectedByte, 0), ("Infinity", .unexpectedByte, 0), ("+1", .unexpectedByte, 0),
    (".5", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0), ("/**/1", .unexpectedByte, 0),
    ("\u{b}1", .unexpectedByte, 0), ("\u{a0}1", .unexpectedByte, 0), ("\0", .unexpectedByte, 0),
    ("[true1]", .unexpectedByte, 5), ("[0x1]", .unexpectedByte, 2),
    ("01", .invalidNumber, 0), ("-01", .invalidNumber, 0), ("00", .invalidNumber, 0),
    ("[-]", .invalidNumber, 2), ("[1.]", .invalidNumber, 3), ("[1.e1]", .invalidNumber, 3),
    ("[1e]", .invalidNumber, 3), ("[1e+]", .invalidNumber, 4), ("-a", .invalidNumber, 1),
    ("--1", .invalidNumber, 1), ("-.5", .invalidNumber, 1),
    ("\"\n\"", .controlCharacter, 1), ("\"a\u{0}\"", .controlCharacter, 2),
    ("\"\u{1f}\"", .controlCharacter, 1), ("{\"\t\":1}", .controlCharacter, 2),
    ("\"\\x\"", .invalidEscape, 1), ("\"\\'\"", .invalidEscape, 1), ("\"\\\n\"", .invalidEscape, 1),
    ("\"\\U0041\"", .invalidEscape, 1), ("\"\\u00g0\"", .invalidEscape, 1),
    ("\"\\u 123\"", .invalidEscape, 1), ("\"\\u12\"]]", .invalidEscape, 1),
    ("1 2", .trailingBytes, 2), ("{}x", .trailingBytes, 2), ("[]]", .trailingBytes, 2),
    ("null\0", .trailingBytes, 4), ("1,", .trailingBytes, 1), ("truex", .trailingBytes, 4),
    ("\"a\"\"b\"", .trailingBytes, 3), ("{}\n{}", .trailingBytes, 3), ("1.5.5", .trailingBytes, 3),
    ("\u{feff}{}", .byteOrderMark, 0), ("{}\u{feff}", .trailingBytes, 2),
  ])
  func badTextIsRefusedAtItsByte(text: String, code: JSONError.Code, offset: Int) {
    #expect(refusal(text) == JSONError(code: code, offset: offset))
  }

  @Test func thirtyTwoLevelsAreReadAndThirtyThreeAreNot() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      func nested(_ depth: Int) -> String {
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      }
      #expect(refusal(nested(32)) == nil)
      let error = JSONError(code: .tooDeep, offset: 32 * open.utf8.count)
      #expect(refusal(nested(33)) == error)
    }
    let pairs = String(repeating: "[{\"a\":", count: 16)
    #expect(refusal(pairs + "0" + String(repeating: "}]", count: 16)) == nil)
    // Side by side is not deep.
    #expect(refusal("[" + String(repeating: "[],", count: 1000) + "{}]") == nil)
  }

  @Test func tenMillionLevelsDoNotOverflowTheStack() {
    let open = [UInt8](repeating: UInt8(ascii: "["), count: 10_000_000)
    #expect(refusal(open) == JSONError(code: .tooDeep, offset: 32))
  }

  @Test func theSizeLimitIsTheLastSizeRead() throws {
    #expect(try JSONDocument.parse(Array("[1]".utf8), limit: 3).kind == .array)
    #expect(throws: JSONError(code: .tooLarge, offset: 2)) {
      try JSONDocument.parse(Array("[1]".utf8), limit: 2)
    }
    #expect(JSONDocument.sizeLimit == 67_108_864)
  }

  @Test func everyTruncationIsRefused() {
    let whole = Array(Self.sample.utf8)
    for count in 0..<whole.count {
      #expect(refusal(Array(whole[..<count])) != nil, "\(count) bytes")
    }
    #expect(refusal(whole) == nil)
  }

  @Test func flippedBitsNeverCrashAReader() {
    let whole = Array(Self.sample.utf8)
    for bit in 0..<whole.count * 8 {
      var bytes = whole
      bytes[bit / 8] ^= 1 << (bit % 8)
      readAll(bytes)
    }
  }

  @Test func randomTokensNeverCrashAReader() {
    let tokens =
      [
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\\", "\\u", "\\ud83d", "d", "1", "-", ".",
        "e",
        "true", "null", " ", "\n", "\u{e9}", "0",
      ].map { Array($0.utf8) } + [[0xc3], [0xff], [0]]
    var random = Seeded()
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<12, using: &random)
      readAll((0..<count).flatMap { _ in tokens.randomElement(using: &random) ?? [] })
    }
  }

  private func readAll(_ bytes: [UInt8]) {
    guard let slice = try? JSONDocument.parse(bytes) else { return }
    _ = try? Tree(slice)
    _ = try? slice.int64()
    _ = try? JSONObject(slice)
  }
}
