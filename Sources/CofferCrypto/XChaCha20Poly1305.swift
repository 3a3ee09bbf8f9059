import CSodium

/// XChaCha20-Poly1305 as the IETF draft has it: authenticated encryption with a 24-byte nonce.
///
/// A nonce of 24 bytes may be drawn at random: after 2^80 boxes under one key, two have met with a
/// chance of 2^-32. The cipher does not commit to its key (one box can be made to open under two), so
/// whoever tries several keys compares a commitment first.
package enum XChaCha20Poly1305 {
  package static let keySize = 32
  package static let nonceSize = 24
  package static let tagSize = 16

  /// Encrypts `plaintext`; the result is 16 bytes longer.
  package static func seal(
    _ plaintext: RawSpan, key: RawSpan, nonce: RawSpan, additionalData: RawSpan
  ) throws(CryptoError) -> [UInt8] {
    try Sodium.start()
    guard key.byteCount == keySize, nonce.byteCount == nonceSize else { throw .wrongLength }
    var box = [UInt8](repeating: 0, count: plaintext.byteCount + tagSize)
    let code = box.withMutableRawSpan { bytes in
      unsafe bytes.withAddress { box, _ in
        unsafe plaintext.withAddress { plain, count in
          unsafe additionalData.withAddress { data, dataCount in
            unsafe withAddresses(nonce, key) { nonce, key in
              unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                box, nil, plain, UInt64(count), data, UInt64(dataCount), nil, nonce, key)
            }
          }
        }
      }
    }
    guard code == 0 else { throw .wrongLength }
    return box
  }

  /// Decrypts `box` into guarded memory; gives nothing out unless all of it is authentic.
  package static func open(
    _ box: RawSpan, key: RawSpan, nonce: RawSpan, additionalData: RawSpan
  ) throws(CryptoError) -> GuardedBytes {
    guard key.byteCount == keySize, nonce.byteCount == nonceSize else { throw .wrongLength }
    guard box.byteCount >= tagSize else { throw .notAuthentic }
    var plaintext = try GuardedBytes(count: box.byteCount - tagSize)
    let code = plaintext.withMutableBytes { bytes in
      unsafe bytes.withAddress { plain, _ in
        unsafe box.withAddress { box, count in
          unsafe additionalData.withAddress { data, dataCount in
            unsafe withAddresses(nonce, key) { nonce, key in
              unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                plain, nil, nil, box, UInt64(count), data, UInt64(dataCount), nonce, key)
            }
          }
        }
      }
    }
    guard code == 0 else { throw .notAuthentic }
    return plaintext
  }

  private static func withAddresses(
    _ nonce: RawSpan, _ key: RawSpan,
    _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Int32
  ) -> Int32 {
    unsafe nonce.withAddress { nonce, _ in
      unsafe key.withAddress { key, _ in unsafe body(nonce, key) }
    }
  }
}
