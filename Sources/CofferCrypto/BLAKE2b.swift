import CSodium

/// BLAKE2b with 32 bytes of output and no key (RFC 7693), fed piece by piece.
///
/// The state lives in guarded memory, for it may have swallowed a secret.
@safe
package struct BLAKE2b: ~Copyable {
  package static let size = 32

  private var memory: GuardedBytes

  package init() throws(CryptoError) {
    // 384 bytes at the end of a page lie on a boundary of 64, which the state asks for.
    memory = try GuardedBytes(count: crypto_generichash_statebytes())
    unsafe withState { unsafe _ = crypto_generichash_init($0, nil, 0, Self.size) }
  }

  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withAddress { address, count in
      unsafe withState { unsafe _ = crypto_generichash_update($0, address, UInt64(count)) }
    }
  }

  /// Ends the hash; the 32 bytes stay in guarded memory.
  package consuming func finishGuarded() throws(CryptoError) -> GuardedBytes {
    var digest = try GuardedBytes(count: Self.size)
    digest.withMutableBytes { bytes in
      unsafe bytes.withAddress { address, count in
        unsafe withState { unsafe _ = crypto_generichash_final($0, address, count) }
      }
    }
    return digest
  }

  /// Ends the hash where it is not secret.
  package consuming func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.size)
    unsafe withState { state in
      unsafe digest.withUnsafeMutableBufferPointer { digest in
        guard let address = digest.baseAddress else { return }
        unsafe _ = crypto_generichash_final(state, address, digest.count)
      }
    }
    return digest
  }

  /// The hash of one piece.
  package static func hash(_ bytes: RawSpan) throws(CryptoError) -> [UInt8] {
    var hash = try BLAKE2b()
    hash.update(bytes)
    return hash.finish()
  }

  private mutating func withState(_ body: (OpaquePointer) -> Void) {
    memory.withMutableBytes { bytes in
      unsafe bytes.withAddress { address, _ in unsafe body(OpaquePointer(address)) }
    }
  }
}
