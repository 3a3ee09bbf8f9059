import CofferCrypto
package import CofferSystem
import CofferText

/// A passphrase, in guarded memory and in Unicode normalization form C.
///
/// The same passphrase typed on two systems may come as different bytes (é as one code point or as
/// two); in the composed form they are the same. Compatibility forms stay different, and so does
/// every space: a ligature is not its letters. Invalid UTF-8, NUL, unassigned code points and an
/// empty passphrase are refused.
public struct Passphrase: ~Copyable, Sendable {
  /// The most bytes of UTF-8 that are taken.
  public static let longest = 65_536
  /// Two bytes more for a line end, and one more to see that an input is too long.
  private static let limit = longest + 3

  let normalized: GuardedBytes

  /// Takes a passphrase as a screen hands it over; every byte counts, a line end too.
  public init(utf8: RawSpan) throws(KeyError) {
    guard utf8.byteCount <= Self.longest else { throw .badPassphrase(.tooLong) }
    normalized = try Self.normalize(utf8)
  }

  /// Takes a passphrase as a file or a program gives it: one line end behind it is dropped.
  ///
  /// The line end is LF or CR LF. Spaces, and any further line end, belong to the passphrase.
  public init(line: RawSpan) throws(KeyError) {
    var count = line.byteCount
    if count > 0, line[count - 1] == UInt8(ascii: "\n") {
      count -= 1
      if count > 0, line[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    }
    try self.init(utf8: line.extracting(0..<count))
  }

  /// Reads a file, straight into guarded memory; one line end behind the passphrase is dropped.
  public init(file path: String) throws(KeyError) {
    let file = try system { () throws(SystemError) in try OpenFile(path, .read) }
    try self.init(reading: file)
  }

  /// Reads an open file or a pipe to its end; one line end behind the passphrase is dropped.
  package init(reading file: borrowing OpenFile) throws(KeyError) {
    let input = try Input(atMost: Self.limit) { bytes throws(SystemError) in
      try file.read(into: &bytes)
    }
    self = try input.withBytes { bytes throws(KeyError) in try Passphrase(line: bytes) }
  }

  /// Reads standard input to its end; one line end behind the passphrase is dropped.
  package init(reading stream: StandardStream) throws(KeyError) {
    let input = try Input(atMost: Self.limit) { bytes throws(SystemError) in
      try stream.read(into: &bytes)
    }
    self = try input.withBytes { bytes throws(KeyError) in try Passphrase(line: bytes) }
  }

  /// Asks a person at the terminal; what is typed is not shown.
  public static func prompt(_ text: String) throws(KeyError) -> Passphrase {
    // A terminal hands over lines of at most 4,096 bytes.
    var buffer = try crypto { () throws(CryptoError) in try GuardedBytes(count: 4_096) }
    let count = try buffer.withMutableBytes { bytes throws(KeyError) in
      try system { () throws(SystemError) in try Terminal.askHidden(text, into: &bytes) }
    }
    guard count <= buffer.count else { throw .badPassphrase(.tooLong) }
    return try buffer.withBytes { bytes throws(KeyError) in
      try Passphrase(utf8: bytes.extracting(0..<count))
    }
  }

  /// Whether both are the same passphrase: for asking twice.
  public borrowing func isEqual(to other: borrowing Passphrase) -> Bool {
    normalized.isEqual(to: other.normalized)
  }

  private static func normalize(_ utf8: RawSpan) throws(KeyError) -> GuardedBytes {
    let size = try text { () throws(TextError) in try Normalization.workspaceSize(for: utf8) }
    var workspace = try crypto { () throws(CryptoError) in try GuardedBytes(count: size) }
    let count = try workspace.withMutableBytes { bytes throws(KeyError) in
      try text { () throws(TextError) in try Normalization.compose(utf8, in: &bytes) }
    }
    // The workspace, with what is left of the decomposed text, is wiped as it goes out of scope.
    return try crypto { () throws(CryptoError) in try workspace.copy(0..<count) }
  }

  private static func text<Result>(
    _ body: () throws(TextError) -> Result
  ) throws(KeyError) -> Result {
    do throws(TextError) { return try body() } catch { throw KeyError(error) }
  }
}
