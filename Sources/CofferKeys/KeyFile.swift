import CofferCoding
import CofferCrypto
import CofferSystem

/// A key file: 32 random bytes, or the same as 64 hex digits with or without a newline.
///
/// Anything else is refused with its length. It is never hashed or stretched into a key: a file of
/// another length is some other file, and one that may change.
public struct KeyFile: ~Copyable, Sendable {
  static let size = 32
  /// The longest form, 65 bytes, and one more to see that a file is longer.
  private static let limit = 66

  let secret: GuardedBytes
  /// Whether others than the owner may read the file, which is worth a warning.
  public let isReadableByOthers: Bool

  /// Reads a key file; never more than 66 bytes of it.
  public init(path: String) throws(KeyError) {
    let file = try system { () throws(SystemError) in try OpenFile(path, .read) }
    let status = try system { () throws(SystemError) in try file.status }
    let input = try Input(atMost: Self.limit) { bytes throws(SystemError) in
      try file.read(into: &bytes)
    }
    let length = status.isRegularFile ? max(input.count, Int(clamping: status.size)) : input.count
    secret = try input.withBytes { bytes throws(KeyError) in
      try Self.decode(bytes, length: length)
    }
    isReadableByOthers = status.isRegularFile && status.isReadableByOthers
  }

  /// Takes the content of a key file.
  package init(content: RawSpan) throws(KeyError) {
    secret = try Self.decode(content, length: content.byteCount)
    isReadableByOthers = false
  }

  private static func decode(
    _ content: RawSpan, length: Int
  ) throws(KeyError) -> GuardedBytes {
    if length == size, content.byteCount == size {
      return try crypto { () throws(CryptoError) in try GuardedBytes(copying: content) }
    }
    let digits = 2 * size
    let hasNewline =
      length == digits + 1 && content.byteCount == length
      && content[digits] == UInt8(ascii: "\n")
    guard content.byteCount >= digits, length == digits || hasNewline else {
      throw .keyFileLength(length)
    }
    var secret = try crypto { () throws(CryptoError) in try GuardedBytes(count: size) }
    let isHex = secret.withMutableBytes {
      Hexadecimal.decode(content.extracting(0..<digits), into: &$0) == size
    }
    guard isHex else { throw .keyFileLength(length) }
    return secret
  }
}
