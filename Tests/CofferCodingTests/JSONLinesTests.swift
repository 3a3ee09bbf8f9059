import Testing

@testable import CofferCoding

@Suite struct JSONLinesTests {
  private struct Broken: Error, Equatable {}

  /// Gives `bytes` in pieces of at most `size` bytes.
  private struct Source {
    var bytes: ArraySlice<UInt8>
    let size: Int
    var failsAt = Int.max

    mutating func read(_ buffer: inout MutableRawSpan) throws(Broken) -> Int {
      if bytes.startIndex >= failsAt { throw Broken() }
      let count = min(size, buffer.byteCount, bytes.count)
      for (offset, byte) in bytes.prefix(count).enumerated() {
        buffer.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
      }
      bytes = bytes.dropFirst(count)
      return count
    }
  }

  private func lines(
    _ bytes: [UInt8], limit: Int = 100, chunk: Int = 8, size: Int = 8, failsAt: Int = .max
  ) throws -> [JSONLines.Line] {
    var source = Source(bytes: bytes[...], size: size, failsAt: failsAt)
    var reader = JSONLines(limit: limit, chunkSize: chunk)
    var lines: [JSONLines.Line] = []
    while let line = try reader.next({ (buffer) throws(Broken) in try source.read(&buffer) }) {
      lines.append(line)
    }
    // The end stays the end.
    let more = try reader.next { (buffer) throws(Broken) in try source.read(&buffer) }
    #expect(more == nil)
    return lines
  }

  private func line(_ number: Int, _ text: String) -> JSONLines.Line {
    .line(number: number, bytes: Array(text.utf8))
  }

  @Test(arguments: [1, 2, 3, 4, 7, 64], [1, 3, 64])
  func everyCutOfTheStreamGivesTheSameLines(chunk: Int, size: Int) throws {
    let bytes = Array("one\ntwo\r\n\n\r\nlonger line\n \nr\rr\r\nlast".utf8)
    let expected = [
      line(1, "one"), line(2, "two"), line(5, "longer line"), line(6, " "), line(7, "r\rr"),
      line(8, "last"),
    ]
    #expect(try lines(bytes, chunk: chunk, size: size) == expected)
    #expect(try lines(bytes + [0x0a], chunk: chunk, size: size) == expected)
  }

  @Test(arguments: ["", "\n", "\r\n", "\n\n\r\n"])
  func nothingButLineEndsIsNoLine(text: String) throws {
    #expect(try lines(Array(text.utf8)) == [])
  }

  @Test(arguments: [1, 2, 3, 5, 64], ["\n", "\r\n"])
  func aLineTooLongIsNamedAndTheNextIsRead(chunk: Int, end: String) throws {
    let text = "12345\(end)123456\(end)x\(end)123456789012345\(end)12345\(end)1234567"
    let expected = [
      line(1, "12345"), .tooLong(number: 2), line(3, "x"), .tooLong(number: 4), line(5, "12345"),
      .tooLong(number: 6),
    ]
    #expect(try lines(Array(text.utf8), limit: 5, chunk: chunk) == expected)
  }

  @Test func aFailedReadIsThrownAsItIs() throws {
    let bytes = Array("one\ntwo\n".utf8)
    #expect(throws: Broken()) { try lines(bytes, size: 2, failsAt: 4) }
  }

  @Test func eachLineIsADocument() throws {
    let bytes = Array("{\"a\":1}\r\n[2]\n".utf8)
    let kinds = try lines(bytes).map { line in
      guard case .line(_, let bytes) = line else { return JSONSlice.Kind.null }
      return try JSONDocument.parse(bytes).kind
    }
    #expect(kinds == [.object, .array])
  }
}
