import CSodium

/// HKDF with SHA-256 (RFC 5869), composed from libsodium's HMAC: 1.0.18 has no HKDF of its own.
package enum HKDF {
  /// The most bytes that one derivation gives.
  package static let longest = 255 * HMACSHA256.size

  /// Derives as many bytes as `output` holds.
  ///
  /// Only for keys that are already uniformly random or come from Argon2: HKDF does not make a
  /// guessable secret harder to guess. `salt` may be empty, which equals 32 zeros. `info` must name
  /// the purpose, and no purpose may be the beginning of another, so that no two derivations from one
  /// key can meet.
  package static func derive(
    salt: RawSpan, key: RawSpan, info: RawSpan, into output: inout MutableRawSpan
  ) throws(CryptoError) {
    try Sodium.start()
    guard output.byteCount <= longest else { throw .wrongLength }
    unsafe output.withAddress { target, length in
      let size = HMACSHA256.size
      unsafe Sodium.withWiped(crypto_auth_hmacsha256_state.self) { state in
        // Behind each other: the pseudorandom key, and the block before this one.
        unsafe Sodium.withWiped(UInt8.self, count: 2 * size) { extracted in
          let block = unsafe extracted.advanced(by: size)
          unsafe HMACSHA256.start(state, salt)
          unsafe HMACSHA256.update(state, key)
          unsafe crypto_auth_hmacsha256_final(state, extracted)
          var done = 0
          var number: UInt8 = 1
          while done < length {
            unsafe crypto_auth_hmacsha256_init(state, extracted, size)
            if done > 0 { unsafe crypto_auth_hmacsha256_update(state, block, UInt64(size)) }
            unsafe HMACSHA256.update(state, info)
            unsafe crypto_auth_hmacsha256_update(state, &number, 1)
            unsafe crypto_auth_hmacsha256_final(state, block)
            let count = min(size, length - done)
            unsafe target.advanced(by: done).update(from: block, count: count)
            done += count
            number &+= 1
          }
        }
      }
    }
  }

  package static func derive(
    salt: RawSpan, key: RawSpan, info: RawSpan, count: Int
  ) throws(CryptoError) -> GuardedBytes {
    guard count <= longest else { throw .wrongLength }
    var output = try GuardedBytes(count: count)
    try output.withMutableBytes { bytes throws(CryptoError) in
      try derive(salt: salt, key: key, info: info, into: &bytes)
    }
    return output
  }
}
