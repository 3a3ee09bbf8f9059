import Testing

@testable import CofferCoding

@Suite struct JSONWriterTests {
  private struct Failure: Error {}

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func everyKindIsWrittenOnOneLine() {
    let bytes = JSONWriter().object {
      $0.member("a", 1)
      $0.member("b", "x")
      $0.member("c", true)
      $0.null("d")
      $0.object("e") { $0.member("f", false) }
      $0.array("g") {
        $0.element(-1)
        $0.element("y")
        $0.element(false)
        $0.null()
        $0.object { _ in }
        $0.array { $0.element(UInt8.max) }
      }
      $0.object("h") { _ in }
      $0.array("i") { _ in }
    }
    let expected =
      #"{"a":1,"b":"x","c":true,"d":null,"e":{"f":false},"#
      + #""g":[-1,"y",false,null,{},[255]],"h":{},"i":[]}"#
    #expect(text(bytes) == expected)
    #expect(text(JSONWriter().array { _ in }) == "[]")
  }

  @Test func integersBeyondDoublesAreStrings() throws {
    let bytes = JSONWriter().array {
      $0.element(9_007_199_254_740_991)
      $0.element(9_007_199_254_740_992)
      $0.element(-9_007_199_254_740_991)
      $0.element(-9_007_199_254_740_992)
      $0.element(Int64.max)
      $0.element(Int64.min)
      $0.element(UInt64.max)
      $0.element(UInt8.max)
    }
    let expected =
      #"[9007199254740991,"9007199254740992",-9007199254740991,"-9007199254740992","#
      + #""9223372036854775807","-9223372036854775808","18446744073709551615",255]"#
    #expect(text(bytes) == expected)
    let read = try JSONDocument.parse(bytes).elements.prefix(6).map { try $0.int64() }
    #expect(read.last == .min)
    #expect(read[1] == 9_007_199_254_740_992)
  }

  @Test func onlyWhatMustBeIsEscaped() {
    let bytes = JSONWriter().array {
      $0.element("\"\\/\u{8}\t\n\u{b}\u{c}\r\u{0}\u{1f}\u{7f}é\u{2028}😀")
    }
    let expected =
      #"["\"\\/\u0008\t\n\u000b\u000c\r\u0000\u001f"# + "\u{7f}é\u{2028}😀\"]"
    #expect(Array(expected.utf8) == bytes)
  }

  @Test func lineSeparatorsAreEscapedOnRequest() {
    let bytes = JSONWriter(escapesLineSeparators: true).array {
      $0.element("a\u{2028}b\u{2029}c\u{2027}\u{202a}\u{e9}\u{a8}\u{a9}")
    }
    #expect(
      Array((#"["a\u2028b\u2029c"# + "\u{2027}\u{202a}\u{e9}\u{a8}\u{a9}\"]").utf8) == bytes)
  }

  @Test func aThrowInsideClosesWhatWasOpen() throws {
    let bytes = JSONWriter().object { outer in
      do {
        try outer.array("a") { inner throws(Failure) in
          inner.element(1)
          try inner.object { _ throws(Failure) in throw Failure() }
        }
      } catch {}
      outer.member("b", 2)
    }
    #expect(text(bytes) == #"{"a":[1,{}],"b":2}"#)
  }

  @Test func aSliceGoesThroughWithoutItsWhiteSpace() throws {
    let slice = try json("{\n \"a b\" : [ 1 ,\r\n\"\\\" x\" ] ,\t\"c\": -1.50E2 }")
    let bytes = JSONWriter().array {
      $0.element(slice)
      $0.object { $0.member("d", slice) }
    }
    let inner = #"{"a b":[1,"\" x"],"c":-1.50E2}"#
    #expect(text(bytes) == "[\(inner),{\"d\":\(inner)}]")
  }

  @Test func randomDocumentsComeBack() throws {
    var random = Seeded()
    for _ in 0..<300 {
      let trees = (0..<3).map { _ in Tree.random(4, &random) }
      for escapes in [false, true] {
        let bytes = JSONWriter(escapesLineSeparators: escapes).array { writer in
          for tree in trees { tree.write(to: &writer) }
        }
        #expect(!bytes.contains(UInt8(ascii: "\n")))
        let read = try JSONDocument.parse(bytes)
        #expect(try Tree(read) == .array(trees), "seed \(random.seed)")
        let again = JSONWriter(escapesLineSeparators: escapes).array { writer in
          if let elements = try? read.elements { for slice in elements { writer.element(slice) } }
        }
        #expect(again == bytes, "seed \(random.seed)")
      }
    }
  }
}
