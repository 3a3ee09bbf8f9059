/// The bytes written so far, handed from the writer of a container to those inside it and back.
struct JSONOutput {
  private(set) var bytes: [UInt8] = []
  private let escapesLineSeparators: Bool

  init(escapesLineSeparators: Bool) { self.escapesLineSeparators = escapesLineSeparators }

  mutating func object<Failure: Error>(
    _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    raw("{")
    var writer = JSONObjectWriter(lend())
    do throws(Failure) { try body(&writer) } catch {
      self = writer.finish()
      raw("}")
      throw error
    }
    self = writer.finish()
    raw("}")
  }

  mutating func array<Failure: Error>(
    _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    raw("[")
    var writer = JSONArrayWriter(lend())
    do throws(Failure) { try body(&writer) } catch {
      self = writer.finish()
      raw("]")
      throw error
    }
    self = writer.finish()
    raw("]")
  }

  /// Gives the buffer away, since a second reference to it would make the next byte copy it all.
  private mutating func lend() -> JSONOutput {
    let lent = self
    bytes = []
    return lent
  }

  mutating func raw(_ text: StaticString) { bytes.append(contentsOf: text.description.utf8) }

  mutating func slice(_ value: JSONSlice) {
    let document = value.document
    let text = document.span
    var index = value.start
    while index < value.end {
      let byte = text[index]
      let next = byte == UInt8(ascii: "\"") ? JSONScan.stringEnd(text, index) : index + 1
      // White space between tokens may break the line; inside strings line ends are escaped.
      if byte > 0x20 { bytes.append(contentsOf: document[index..<next]) }
      index = next
    }
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    let exact: Int64 = 9_007_199_254_740_991
    let isSafe = Int64(exactly: value).map { (-exact...exact).contains($0) } ?? false
    if !isSafe { bytes.append(UInt8(ascii: "\"")) }
    bytes.append(contentsOf: String(value).utf8)
    if !isSafe { bytes.append(UInt8(ascii: "\"")) }
  }

  mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0a: raw("\\n")
      case 0x0d: raw("\\r")
      case 0x09: raw("\\t")
      case 0..<0x20: control(byte)
      default:
        bytes.append(byte)
        if escapesLineSeparators, byte == 0xa8 || byte == 0xa9 { escapeLineSeparator() }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func control(_ byte: UInt8) {
    raw("\\u00")
    bytes.append(contentsOf: Hexadecimal.encode([byte]).utf8)
  }

  /// Escapes the character just written if it is U+2028 or U+2029 (E2 80 A8, E2 80 A9).
  private mutating func escapeLineSeparator() {
    let isFirst = bytes.last == 0xa8
    guard bytes.suffix(3).starts(with: [0xe2, 0x80]) else { return }
    bytes.removeLast(3)
    raw("\\u202")
    bytes.append(isFirst ? UInt8(ascii: "8") : UInt8(ascii: "9"))
  }
}
