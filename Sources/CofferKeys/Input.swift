import CofferCrypto
import CofferSystem

/// What was read of a file or pipe, in guarded memory.
struct Input: ~Copyable {
  private let bytes: GuardedBytes
  let count: Int

  /// Reads to the end, or until `limit` bytes are read, whatever comes first.
  init(
    atMost limit: Int, _ read: (inout MutableRawSpan) throws(SystemError) -> Int
  ) throws(KeyError) {
    var bytes = try crypto { () throws(CryptoError) in try GuardedBytes(count: limit) }
    var count = 0
    while count < limit {
      let got = try bytes.withMutableBytes(in: count..<limit) { rest throws(KeyError) in
        try system { () throws(SystemError) in try read(&rest) }
      }
      if got == 0 { break }
      count += got
    }
    self.bytes = bytes
    self.count = count
  }

  /// Lends what was read.
  borrowing func withBytes<Result: ~Copyable>(
    _ body: (RawSpan) throws(KeyError) -> Result
  ) throws(KeyError) -> Result {
    let count = count
    return try bytes.withBytes { bytes throws(KeyError) in try body(bytes.extracting(0..<count)) }
  }
}
