import CofferCoding
package import CofferCrypto

/// The 32 random bytes that every key of one store comes from.
package struct MasterKey: ~Copyable, Sendable {
  package static let size = 32

  package let store: StoreID
  let secret: GuardedBytes

  /// Draws the master key of a new store, or the next one of a store that is rotated.
  package init(store: StoreID, from random: RandomSource) throws(KeyError) {
    secret = try crypto { () throws(CryptoError) in
      try GuardedBytes(randomCount: Self.size, from: random)
    }
    self.store = store
  }

  /// Takes over 32 bytes; nothing where they are not 32.
  package init?(store: StoreID, secret: consuming GuardedBytes) {
    guard secret.count == Self.size else { return nil }
    self.secret = secret
    self.store = store
  }

  /// The key of the database of one epoch.
  package borrowing func databaseKey(epoch: UInt64) throws(KeyError) -> GuardedBytes {
    try Derivation.key(.databaseKey, suffix: epoch.bigEndianBytes, from: secret, store: store)
  }

  /// The database key as SQLCipher takes a raw one: 67 bytes, `x'`, 64 hex digits, `'`.
  ///
  /// Without that frame SQLCipher would take the bytes as a passphrase and derive another key, with
  /// no word about it.
  package borrowing func sqlCipherKey(epoch: UInt64) throws(KeyError) -> GuardedBytes {
    let key = try databaseKey(epoch: epoch)
    var text = try crypto { () throws(CryptoError) in
      try GuardedBytes(count: 2 * key.count + 3)
    }
    text.withMutableBytes { text in
      text.storeBytes(of: UInt8(ascii: "x"), toByteOffset: 0, as: UInt8.self)
      text.storeBytes(of: UInt8(ascii: "'"), toByteOffset: 1, as: UInt8.self)
      text.storeBytes(of: UInt8(ascii: "'"), toByteOffset: text.byteCount - 1, as: UInt8.self)
    }
    let digits = text.withMutableBytes(in: 2..<2 + 2 * key.count) { digits in
      key.withBytes { Hexadecimal.encode($0, into: &digits) }
    }
    guard digits == 2 * key.count else { throw .noMemory }
    return text
  }

  /// The key under which the keyring's last line authenticates all above it.
  package borrowing func keyringMACKey() throws(KeyError) -> GuardedBytes {
    try Derivation.key(.keyringMAC, from: secret, store: store)
  }

  /// The code that belongs in the keyring's last line.
  borrowing func keyringMAC(of text: [UInt8]) throws(KeyError) -> [UInt8] {
    let key = try keyringMACKey()
    return try crypto { () throws(CryptoError) in
      try key.withBytes { key throws(CryptoError) in
        try HMACSHA256.code(for: unsafe text.span.bytes, key: key)
      }
    }
  }
}
