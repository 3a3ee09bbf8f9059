package import CofferCrypto

/// A recovery code: 20 random bytes that a person keeps on paper.
///
/// 160 random bits can't be guessed, so no costly derivation is needed. The last four of the 36
/// letters are a checksum: a mistyped code is told apart from a wrong one before anything is tried.
public struct RecoveryCode: ~Copyable, Sendable {
  static let size = 20
  private static let letters = 36
  /// Nine groups of four letters with dashes between them.
  public static let textLength = 44

  let secret: GuardedBytes

  /// Draws a new code from the system's randomness.
  public static func generate() throws(KeyError) -> RecoveryCode { try generate(from: .system) }

  package static func generate(from random: RandomSource) throws(KeyError) -> RecoveryCode {
    RecoveryCode(
      secret: try crypto { () throws(CryptoError) in
        try GuardedBytes(randomCount: size, from: random)
      })
  }

  private init(secret: consuming GuardedBytes) { self.secret = secret }

  /// Takes a code as a person types it.
  ///
  /// Letters of either case, with dashes, spaces and line ends wherever they are; O is taken as 0, I
  /// and L as 1.
  public init(typed text: RawSpan) throws(KeyError) {
    var decoded = try crypto { () throws(CryptoError) in try GuardedBytes(count: Self.letters) }
    var count = 0
    var firstBad = 0
    decoded.withMutableBytes { decoded in
      for index in 0..<text.byteCount {
        let letter = text[index]
        if Self.isSeparator(letter) { continue }
        let value = Crockford.value(letter)
        if value < 0, firstBad == 0 { firstBad = count + 1 }
        if count < Self.letters {
          decoded.storeBytes(
            of: UInt8(truncatingIfNeeded: value), toByteOffset: count, as: UInt8.self)
        }
        count += 1
      }
    }
    guard count == Self.letters else { throw .mistypedRecoveryCode(.length(count)) }
    guard firstBad == 0 else { throw .mistypedRecoveryCode(.letter(firstBad)) }

    var bits = try crypto { () throws(CryptoError) in try GuardedBytes(count: Self.size + 3) }
    bits.withMutableBytes { bits in
      decoded.withBytes { Crockford.pack($0, into: &bits) }
    }
    let secret = try crypto { () throws(CryptoError) in try bits.copy(0..<Self.size) }
    let expected = try Self.withChecksum(secret)
    guard bits.isEqual(to: expected) else { throw .mistypedRecoveryCode(.checksum) }
    self.secret = secret
  }

  /// Lends the 44 letters and dashes, in guarded memory, to be shown once.
  public borrowing func withText<Result: ~Copyable>(
    _ body: (RawSpan) throws(KeyError) -> Result
  ) throws(KeyError) -> Result {
    let bits = try Self.withChecksum(secret)
    var text = try crypto { () throws(CryptoError) in try GuardedBytes(count: Self.textLength) }
    text.withMutableBytes { text in
      bits.withBytes { bits in
        for index in 0..<Self.letters {
          text.storeBytes(
            of: Crockford.letter(at: index, of: bits), toByteOffset: index + index / 4,
            as: UInt8.self)
        }
      }
      for group in 1..<Self.letters / 4 {
        text.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 5 * group - 1, as: UInt8.self)
      }
    }
    return try text.withBytes(body)
  }

  /// The 20 bytes, the 20 bits of checksum and four zero bits: 23 bytes.
  ///
  /// The checksum says something of the code, 20 bits of it at most, and never leaves guarded memory
  /// without it.
  private static func withChecksum(_ secret: borrowing GuardedBytes) throws(KeyError)
    -> GuardedBytes
  {
    try crypto { () throws(CryptoError) in
      var hash = try BLAKE2b()
      hash.update(unsafe Label.recoveryChecksum.bytes.span.bytes)
      secret.withBytes { hash.update($0) }
      let digest = try hash.finishGuarded()
      var bits = try GuardedBytes(count: size + 3)
      secret.withBytes { bits.replace(at: 0, with: $0) }
      bits.withMutableBytes { bits in
        digest.withBytes { digest in
          bits.storeBytes(of: digest[0], toByteOffset: size, as: UInt8.self)
          bits.storeBytes(of: digest[1], toByteOffset: size + 1, as: UInt8.self)
          bits.storeBytes(of: digest[2] & 0xf0, toByteOffset: size + 2, as: UInt8.self)
        }
      }
      return bits
    }
  }

  private static func isSeparator(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
      UInt8(ascii: "\t"):
      true
    default: false
    }
  }
}
