import CSodium

/// Secret bytes with one owner, in memory of their own.
///
/// `sodium_malloc` puts them at the end of a page between two forbidden ones, behind a canary, locks
/// the page so that it is not swapped, and keeps it out of core dumps. They are wiped and freed when
/// the value ends. One allocation costs at least four pages and a few system calls.
///
/// Where the limit of locked memory is reached (8 MiB for most users) the memory is guarded and wiped
/// all the same, but may be swapped; where the system gives none at all, making a value throws
/// `noMemory`.
@safe
package struct GuardedBytes: ~Copyable {
  private let address: UnsafeMutableRawPointer
  package let count: Int

  /// Makes `count` zero bytes.
  package init(count: Int) throws(CryptoError) {
    try Sodium.start()
    guard count >= 0 else { throw .wrongLength }
    guard let address = unsafe sodium_malloc(count) else { throw .noMemory }
    unsafe sodium_memzero(address, count)
    unsafe self.address = address
    self.count = count
  }

  package init(copying bytes: RawSpan) throws(CryptoError) {
    try self.init(count: bytes.byteCount)
    replace(at: 0, with: bytes)
  }

  package init(randomCount count: Int, from random: RandomSource) throws(CryptoError) {
    try self.init(count: count)
    withMutableBytes { random.fill(&$0) }
  }

  deinit {
    // Wipes before it unmaps, and aborts if someone wrote past the bounds.
    unsafe sodium_free(address)
  }

  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe UnsafeRawBufferPointer(start: address, count: count).bytes)
  }

  package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withMutableBytes(in: 0..<count, body)
  }

  /// Lends a part, which must lie inside.
  package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
    in range: Range<Int>, _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let buffer = unsafe UnsafeMutableRawBufferPointer(
      start: address.advanced(by: range.lowerBound), count: range.count)
    var bytes = unsafe buffer.mutableBytes
    return try body(&bytes)
  }

  /// Copies `bytes` to the place `offset`; they must fit.
  package mutating func replace(at offset: Int, with bytes: RawSpan) {
    precondition(offset >= 0 && offset <= count && bytes.byteCount <= count - offset)
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe address.advanced(by: offset).copyMemory(from: start, byteCount: source.count)
    }
  }

  /// A copy of a part, in guarded memory of its own.
  package borrowing func copy(_ range: Range<Int>) throws(CryptoError) -> GuardedBytes {
    try withBytes { bytes throws(CryptoError) in
      try GuardedBytes(copying: bytes.extracting(range))
    }
  }

  /// Whether both hold the same bytes, in time that depends on the lengths only.
  package borrowing func isEqual(to other: borrowing GuardedBytes) -> Bool {
    withBytes { mine in other.withBytes { ConstantTime.areEqual(mine, $0) } }
  }
}

// One owner, and changes need exclusive access: nothing is shared between threads but reads.
extension GuardedBytes: @unchecked Sendable {}
