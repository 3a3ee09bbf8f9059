import CSodium

/// HMAC with SHA-256 (RFC 2104, RFC 4231).
package enum HMACSHA256 {
  package static let size = 32

  /// Writes the 32-byte code of `message` to `code`; keys of any length.
  package static func authenticate(
    _ message: RawSpan, key: RawSpan, into code: inout MutableRawSpan
  ) throws(CryptoError) {
    try Sodium.start()
    guard code.byteCount == size else { throw .wrongLength }
    unsafe code.withAddress { target, _ in
      unsafe Sodium.withWiped(crypto_auth_hmacsha256_state.self) { state in
        unsafe start(state, key)
        unsafe update(state, message)
        unsafe crypto_auth_hmacsha256_final(state, target)
      }
    }
  }

  /// The code of `message`, where it is to be published; secret codes go into guarded memory.
  package static func code(for message: RawSpan, key: RawSpan) throws(CryptoError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: size)
    try code.withMutableRawSpan { bytes throws(CryptoError) in
      try authenticate(message, key: key, into: &bytes)
    }
    return code
  }

  /// Whether `code` is the whole code of `message`, compared in constant time.
  package static func isValid(
    _ code: RawSpan, for message: RawSpan, key: RawSpan
  ) throws(CryptoError) -> Bool {
    let right = try self.code(for: message, key: key)
    return ConstantTime.areEqual(unsafe right.span.bytes, code)
  }

  static func start(_ state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>, _ key: RawSpan) {
    unsafe key.withAddress { address, count in
      unsafe _ = crypto_auth_hmacsha256_init(state, address, count)
    }
  }

  static func update(
    _ state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>, _ bytes: RawSpan
  ) {
    unsafe bytes.withAddress { address, count in
      unsafe _ = crypto_auth_hmacsha256_update(state, address, UInt64(count))
    }
  }
}
