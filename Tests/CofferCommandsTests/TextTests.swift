import Testing

@testable import CofferCommands

@Suite struct TextTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
    ("a\nb\tc\rd", "a\\u{a}b\\u{9}c\\u{d}d"),
    ("\u{9b}2J\u{7f}\0", "\\u{9b}2J\\u{7f}\\u{0}"),
    ("\u{202e}txt.exe\u{2066}", "\\u{202e}txt.exe\\u{2066}"),
    ("\u{2028}", "\\u{2028}"),
    ("שלום\u{200f} مرحبا 山田 👩‍👩‍👧 é", "שלום\u{200f} مرحبا 山田 👩‍👩‍👧 é"),
    ("a\\u{1b}", "a\\u{1b}"),
  ])
  func whatATerminalWouldObeyIsEscaped(text: String, expected: String) {
    #expect(TerminalText("\(text)").text == expected)
    #expect(TerminalText("<\(text)>").text == "<\(expected)>")
  }

  @Test func whatTheProgramSaysItselfIsNotEscaped() {
    let inner: TerminalText = "\u{1b}[K"
    #expect(TerminalText("\(inner)").text == "\u{1b}[K")
  }

  @Test func quotedTextIsCutShort() {
    let text = TerminalText("\(quoting: String(repeating: "x", count: 100))").text
    #expect(text == "“\(String(repeating: "x", count: 60))…”")
  }

  @Test(arguments: [("ann", 3), ("山田", 4), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("", 0)])
  func columnsAreCounted(text: String, columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }

  @Test func aTextIsFittedWithAnEllipsis() {
    #expect(TerminalText("abcdef").fitted(to: 4).text == "abc…")
    #expect(TerminalText("abcd").fitted(to: 4).text == "abcd")
    #expect(TerminalText("山田山田").fitted(to: 4).text == "山…")
  }

  @Test func numbersAreReadable() {
    #expect(Quantity.grouped(0) == "0")
    #expect(Quantity.grouped(1_234_567) == "1,234,567")
    #expect(Quantity.grouped(.min) == "-9,223,372,036,854,775,808")
    #expect(TerminalText("\(1, of: "gap"), \(2, of: "gap")").text == "1 gap, 2 gaps")
    #expect(Quantity.bytes(999).text == "999 bytes")
    #expect(Quantity.bytes(4_250).text == "4.2 kB")
    #expect(Quantity.bytes(110_000_000).text == "110 MB")
    #expect(Quantity.bytes(.max).text == "9,223,372,036 GB")
    #expect(Quantity.memory(64 << 20).text == "64 MiB")
    #expect(Quantity.memory(1 << 30).text == "1 GiB")
  }

  @Test func listsReadAsSentences() {
    #expect(TerminalText.list(["a"], "or").text == "a")
    #expect(TerminalText.list(["a", "b"], "or").text == "a or b")
    #expect(TerminalText.list(["a", "b", "c"], "and").text == "a, b and c")
  }

  @Test func wrappingKeepsCodeTogether() {
    #expect(Wrapping.wrap("see `key rotate` there", width: 10) == ["see", "`key rotate`", "there"])
    #expect(
      Wrapping.paragraphs("a\nb\n\n  code  x\n\nc", width: 80)
        == ["a b", "", "  code  x", "", "c"])
  }

  @Test func tablesLineUpWithoutTrailingSpaces() {
    let recorder = Recorder()
    let output = recorder.output()
    var table = Table()
    table.add("a", "bb", "")
    table.add("山田", "c", "d")
    table.print(on: output)
    #expect(throws: Never.self) { try output.finish() }
    #expect(recorder.out == "a     bb\n山田  c   d\n")
  }
}
