// C functions take an address and a length. libsodium declares most addresses as never null, but an
// empty span may have none: it then lends the address of a byte that nobody reads.

extension RawSpan {
  func withAddress<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
    unsafe withUnsafeBytes { raw in
      if let start = unsafe raw.bindMemory(to: UInt8.self).baseAddress {
        return unsafe body(start, raw.count)
      }
      var nothing: UInt8 = 0
      return unsafe body(&nothing, 0)
    }
  }
}

extension MutableRawSpan {
  mutating func withAddress<Result>(
    _ body: (UnsafeMutablePointer<UInt8>, Int) -> Result
  ) -> Result {
    unsafe withUnsafeMutableBytes { raw in
      if let start = unsafe raw.bindMemory(to: UInt8.self).baseAddress {
        return unsafe body(start, raw.count)
      }
      var nothing: UInt8 = 0
      return unsafe body(&nothing, 0)
    }
  }
}

extension Array<UInt8> {
  /// Lends bytes that are not secret as a span to write to.
  mutating func withMutableRawSpan<Result: ~Copyable, Failure: Error>(
    _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = mutableSpan
    var bytes = unsafe span.mutableBytes
    return try body(&bytes)
  }
}
