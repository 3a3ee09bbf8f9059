import CSodium

/// Where random bytes come from: the system, or a seed in a simulation.
package struct RandomSource: Sendable {
  private let fillBytes: @Sendable (inout MutableRawSpan) -> Void

  package init(_ fill: @escaping @Sendable (inout MutableRawSpan) -> Void) { fillBytes = fill }

  /// The system's generator; libsodium ends the process rather than give weak bytes.
  package static let system = RandomSource { bytes in
    unsafe bytes.withAddress { address, count in unsafe randombytes_buf(address, count) }
  }

  package func fill(_ bytes: inout MutableRawSpan) { fillBytes(&bytes) }

  /// Random bytes that are not secret: ids, salts, nonces.
  package func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withMutableRawSpan { fill(&$0) }
    return bytes
  }
}
