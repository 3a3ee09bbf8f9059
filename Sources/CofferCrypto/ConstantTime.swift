import CSodium

/// Comparison that does not tell by its time where two values differ.
package enum ConstantTime {
  /// Whether both hold the same bytes; lengths are not secret.
  package static func areEqual(_ left: RawSpan, _ right: RawSpan) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    if left.isEmpty { return true }
    return unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return false }
        return unsafe sodium_memcmp(first, second, left.count) == 0
      }
    }
  }
}

extension RawSpan {
  /// The byte at a place, with bounds checked.
  package subscript(_ offset: Int) -> UInt8 {
    // Every bit pattern is a byte and a byte needs no alignment; `unsafeLoad` checks the bounds.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
