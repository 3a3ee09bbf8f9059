import CSodium

/// Argon2id version 1.3 (RFC 9106) with one lane: makes a passphrase expensive to guess.
package enum Argon2id {
  package static let saltSize = 16

  /// Whether these costs are within the bounds.
  ///
  /// The costs stand in a file that an attacker may have written, so they are bounded both ways: low
  /// ones would make guessing cheap, high ones would let an open hang or eat the memory. 8 MiB to
  /// 4 GiB, 1 to 16 passes, and passes times MiB at most 16,384.
  package static func allows(passes: UInt32, memory: UInt64) -> Bool {
    guard (1...16).contains(passes), (8 << 20...4 << 30).contains(memory) else { return false }
    return UInt64(passes) * memory <= 16_384 << 20
  }

  /// Derives `count` bytes; takes `passes` times `memory` worth of time on the calling thread.
  package static func derive(
    _ passphrase: RawSpan, salt: RawSpan, passes: UInt32, memory: UInt64, count: Int = 32
  ) throws(CryptoError) -> GuardedBytes {
    guard allows(passes: passes, memory: memory) else { throw .costOutOfBounds }
    guard salt.byteCount == saltSize, count >= 16 else { throw .wrongLength }
    var output = try GuardedBytes(count: count)
    let code = output.withMutableBytes { bytes in
      unsafe bytes.withAddress { output, count in
        unsafe passphrase.withAddress { passphrase, length in
          unsafe salt.withAddress { salt, _ in
            unsafe passphrase.withMemoryRebound(to: CChar.self, capacity: length) { passphrase in
              unsafe crypto_pwhash(
                output, UInt64(count), passphrase, UInt64(length), salt, UInt64(passes),
                Int(memory), crypto_pwhash_ALG_ARGON2ID13)
            }
          }
        }
      }
    }
    // The lengths were checked, so all that is left to fail is the memory.
    guard code == 0 else { throw .noMemory }
    return output
  }
}
