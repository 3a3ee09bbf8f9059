import CofferCrypto

/// How much time and memory one guess at a passphrase takes.
public struct PassphraseStrength: Sendable, Hashable {
  public let passes: UInt32
  /// In bytes.
  public let memory: UInt64

  /// 64 MiB, 2 passes: for a phone.
  public static let interactive = PassphraseStrength(unchecked: 2, 64 << 20)
  /// 256 MiB, 3 passes: what is taken where nothing else is asked for.
  public static let moderate = PassphraseStrength(unchecked: 3, 256 << 20)
  /// 1 GiB, 4 passes.
  public static let sensitive = PassphraseStrength(unchecked: 4, 1 << 30)
  /// 8 MiB, 1 pass: too cheap for anything but tests.
  package static let weakest = PassphraseStrength(unchecked: 1, 8 << 20)

  /// Takes 1 to 16 passes and 8 MiB to 4 GiB, with passes times MiB at most 16,384.
  public init(passes: UInt32, memory: UInt64) throws(KeyError) {
    guard Argon2id.allows(passes: passes, memory: memory) else {
      throw .costOutOfBounds(passes: passes, memory: memory)
    }
    self.init(unchecked: passes, memory)
  }

  private init(unchecked passes: UInt32, _ memory: UInt64) {
    self.passes = passes
    self.memory = memory
  }
}

/// What a passphrase slot says about its derivation, as it stands in the file: not yet believed.
struct PassphraseParameters: Sendable, Equatable {
  static let size = 28

  let passes: UInt32
  let memory: UInt64
  let salt: [UInt8]

  /// A salt for each slot: equal passphrases give unequal keys.
  init(_ strength: PassphraseStrength, from random: RandomSource) {
    passes = strength.passes
    memory = strength.memory
    salt = random.bytes(Argon2id.saltSize)
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    passes = UInt32(bigEndianBytes: bytes[0..<4])
    memory = UInt64(bigEndianBytes: bytes[4..<12])
    salt = Array(bytes[12...])
  }

  var bytes: [UInt8] { passes.bigEndianBytes + memory.bigEndianBytes + salt }

  func derive(_ passphrase: borrowing Passphrase) throws(KeyError) -> GuardedBytes {
    let strength = try PassphraseStrength(passes: passes, memory: memory)
    return try crypto { () throws(CryptoError) in
      try passphrase.normalized.withBytes { passphrase throws(CryptoError) in
        try Argon2id.derive(
          passphrase, salt: unsafe salt.span.bytes, passes: strength.passes,
          memory: strength.memory)
      }
    }
  }
}
