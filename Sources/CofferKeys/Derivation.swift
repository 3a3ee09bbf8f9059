import CofferCrypto

/// Every key of a store comes from another one by HKDF, salted with the store's id.
enum Derivation {
  /// Derives `count` bytes from `secret` for the purpose that `label` and `suffix` name.
  ///
  /// `secret` must be random or come from Argon2; a passphrase as it was typed must not get here.
  static func key(
    _ label: Label, suffix: [UInt8] = [], from secret: borrowing GuardedBytes, store: StoreID,
    count: Int = 32
  ) throws(KeyError) -> GuardedBytes {
    let info = label.bytes + suffix
    return try crypto { () throws(CryptoError) in
      try secret.withBytes { secret throws(CryptoError) in
        try HKDF.derive(
          salt: unsafe store.bytes.span.bytes, key: secret, info: unsafe info.span.bytes,
          count: count)
      }
    }
  }
}

extension FixedWidthInteger {
  /// The bytes, most significant first.
  var bigEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> Self(8 * $0)) }
  }

  /// Reads bytes, most significant first.
  init(bigEndianBytes bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self($1) }
  }
}
