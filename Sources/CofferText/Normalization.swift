import CUTF8Proc

/// Unicode normalization form C, in memory that the caller owns.
///
/// Made for secrets: nothing is allocated here and no copy is left behind, so a caller that hands in
/// guarded memory knows where every byte of the text is.
///
/// Unassigned code points are refused because only assigned ones are promised the same normal form
/// by every later Unicode version (UAX #15, section 3). Compatibility forms stay what they are: a
/// ligature is not its letters, a no-break space is not a space.
package enum Normalization {
  private static let options = utf8proc_option_t(
    UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_REJECTNA.rawValue)

  /// How many bytes of working memory `compose` needs for this text.
  ///
  /// Four for each code point of the decomposed form, and room for a terminator.
  package static func workspaceSize(for text: RawSpan) throws(TextError) -> Int {
    try check(text)
    let needed = unsafe text.withUnsafeBytes { source in
      unsafe utf8proc_decompose(
        source.bindMemory(to: UInt8.self).baseAddress, source.count, nil, 0, options)
    }
    return (try count(needed) + 1) * MemoryLayout<Int32>.stride
  }

  /// Puts the composed form at the start of `workspace` and gives its length in bytes.
  ///
  /// What stands behind it in `workspace` are remains of the text: the caller wipes them.
  package static func compose(
    _ text: RawSpan, in workspace: inout MutableRawSpan
  ) throws(TextError) -> Int {
    let needed = try workspaceSize(for: text)
    guard workspace.byteCount >= needed else { throw .noRoom }
    let written = unsafe text.withUnsafeBytes { source in
      unsafe workspace.withUnsafeMutableBytes { target -> Int in
        guard let start = target.baseAddress,
          UInt(bitPattern: start) % UInt(MemoryLayout<Int32>.alignment) == 0
        else { return misaligned }
        let room = target.count / MemoryLayout<Int32>.stride
        let numbers = unsafe start.bindMemory(to: Int32.self, capacity: room)
        let decomposed = unsafe utf8proc_decompose(
          source.bindMemory(to: UInt8.self).baseAddress, source.count, numbers, room, options)
        // reencode writes one terminator behind its result, for which `needed` has room.
        guard decomposed >= 0, decomposed < room else { return decomposed }
        return unsafe utf8proc_reencode(numbers, decomposed, options)
      }
    }
    if written == misaligned { throw .noRoom }
    return try count(written)
  }

  /// A result that utf8proc never gives.
  private static let misaligned = Int.min

  private static func check(_ text: RawSpan) throws(TextError) {
    if text.isEmpty { throw .empty }
    let hasNUL = unsafe text.withUnsafeBytes { unsafe $0.contains(0) }
    if hasNUL { throw .containsNUL }
  }

  private static func count(_ result: Int) throws(TextError) -> Int {
    switch result {
    case 0...: return result
    case Int(UTF8PROC_ERROR_NOTASSIGNED): throw .unassigned
    case Int(UTF8PROC_ERROR_OVERFLOW): throw .noRoom
    default: throw .invalidUTF8
    }
  }
}
