extension RawSpan {
  /// One byte of the span.
  ///
  /// Safe: the load checks its bounds, and every bit pattern is a valid `UInt8`.
  @inline(__always)
  func byte(_ offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}

extension MutableRawSpan {
  @inline(__always)
  mutating func setByte(_ offset: Int, _ byte: UInt8) {
    storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }
}
