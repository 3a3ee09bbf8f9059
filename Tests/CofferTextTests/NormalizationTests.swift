import CofferText
import Testing

@Suite struct NormalizationTests {
  private func compose(_ bytes: [UInt8]) throws(TextError) -> [UInt8] {
    let size = try Normalization.workspaceSize(for: unsafe bytes.span.bytes)
    var workspace = [UInt32](repeating: 0, count: size / 4)
    var span = workspace.mutableSpan
    var raw = unsafe span.mutableBytes
    let count = try Normalization.compose(unsafe bytes.span.bytes, in: &raw)
    return (0..<count).map { unsafe raw.bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }

  private func compose(_ text: String) throws(TextError) -> String {
    String(decoding: try compose(Array(text.utf8)), as: UTF8.self)
  }

  /// Compares bytes: `==` of strings would find canonical equivalents equal.
  private func expect(_ text: String, becomes other: String) throws {
    #expect(Array(try compose(text).utf8) == Array(other.utf8))
  }

  @Test func decomposedTextComposes() throws {
    try expect("Zu\u{308}rich-e\u{301}", becomes: "Z\u{fc}rich-\u{e9}")
    try expect("Z\u{fc}rich-\u{e9}", becomes: "Z\u{fc}rich-\u{e9}")
    try expect("\u{1112}\u{1161}\u{11ab}", becomes: "\u{d55c}")
    try expect("q\u{307}\u{323}", becomes: "q\u{323}\u{307}")
    try expect("\u{1e9b}\u{323}", becomes: "\u{1e9b}\u{323}")
    // Excluded from composition: stays apart in form C.
    try expect("\u{958}", becomes: "\u{915}\u{93c}")
    try expect("\u{212b}", becomes: "\u{c5}")
  }

  @Test(arguments: ["\u{fb01}", "a\u{a0}", " ", "\u{2460}", "\u{ff21}", "👨‍👩‍👧‍👦", "test''123"])
  func compatibilityFormsStay(text: String) throws { try expect(text, becomes: text) }

  @Test func theLongestExpansionFits() throws {
    let text = String(repeating: "\u{390}\u{1f82}\u{d55c}", count: 500)
    try expect(text, becomes: text)
  }

  @Test(arguments: [
    [0xff], [0x61, 0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80],
    [0xe2, 0x82], [0xf8, 0x88, 0x80, 0x80, 0x80],
  ])
  func invalidTextIsRefused(bytes: [UInt8]) {
    #expect(throws: TextError.invalidUTF8) { try compose(bytes) }
  }

  @Test func whatCannotBeComparedForeverIsRefused() {
    #expect(throws: TextError.empty) { try compose([]) }
    #expect(throws: TextError.containsNUL) { try compose([0x61, 0, 0x62]) }
    #expect(throws: TextError.unassigned) { try compose("a\u{378}") }
    #expect(throws: TextError.unassigned) { try compose("\u{ffff}") }
  }

  @Test func memoryThatIsTooSmallIsRefused() throws {
    let text = Array("abc".utf8)
    var workspace = [UInt32](repeating: 0, count: 3)
    #expect(throws: TextError.noRoom) {
      var span = workspace.mutableSpan
      var raw = unsafe span.mutableBytes
      _ = try Normalization.compose(unsafe text.span.bytes, in: &raw)
    }
  }
}
