/// Splits a stream of bytes into lines, one at a time, in memory bounded by the longest line.
///
/// Lines end with `\n` or `\r\n`; the last may end with the stream. Empty lines are passed over but
/// counted.
package struct JSONLines: ~Copyable, Sendable {
  package enum Line: Sendable, Equatable {
    /// A line without its end, and its number counted from 1.
    case line(number: Int, bytes: [UInt8])
    /// A line longer than the limit, which was passed over.
    case tooLong(number: Int)
  }

  private let limit: Int
  private var chunk: [UInt8]
  private var position = 0
  private var available = 0
  private var number = 0
  private var isAtEnd = false

  package init(limit: Int = JSONDocument.sizeLimit, chunkSize: Int = 1 << 16) {
    self.limit = limit
    chunk = [UInt8](repeating: 0, count: max(chunkSize, 1))
  }

  /// The next line, or nothing at the end of the stream.
  ///
  /// `read` fills the front of a buffer and gives how many bytes it wrote, 0 at the end. Where it
  /// throws, what was read of the line is lost.
  package mutating func next<Failure: Error>(
    _ read: (inout MutableRawSpan) throws(Failure) -> Int
  ) throws(Failure) -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if position == available {
        if !isAtEnd { try refill(read) }
        if isAtEnd {
          number += 1
          return finish(line, isTooLong)
        }
      }
      let end = lineEnd()
      // One byte more than the limit: a carriage return, which is no part of the line.
      if isTooLong || end - position - 1 > limit - line.count {
        isTooLong = true
        line = []
      } else {
        line.append(contentsOf: chunk[position..<end])
      }
      position = end
      guard end < available else { continue }
      position += 1
      number += 1
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if let finished = finish(line, isTooLong) { return finished }
      line = []
      isTooLong = false
    }
  }

  private func finish(_ line: [UInt8], _ isTooLong: Bool) -> Line? {
    if isTooLong || line.count > limit { return .tooLong(number: number) }
    return line.isEmpty ? nil : .line(number: number, bytes: line)
  }

  /// Where the line in the chunk ends: at a line feed, or with the chunk.
  private func lineEnd() -> Int {
    let bytes = chunk.span
    var end = position
    while end < available, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  private mutating func refill<Failure: Error>(
    _ read: (inout MutableRawSpan) throws(Failure) -> Int
  ) throws(Failure) {
    var span = chunk.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = try read(&buffer)
    position = 0
    available = min(max(count, 0), chunk.count)
    isAtEnd = available == 0
  }
}
