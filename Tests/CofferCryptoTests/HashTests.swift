import CofferCrypto
import Testing

@Suite struct HashTests {
  private func hash(_ bytes: [UInt8]) throws -> [UInt8] {
    try BLAKE2b.hash(unsafe bytes.span.bytes)
  }

  /// Made with Python's hashlib, `blake2b(…, digest_size=32)`.
  @Test func knownAnswers() throws {
    #expect(
      try hash([]) == hex("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"))
    #expect(
      try hash(Array("abc".utf8))
        == hex("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"))
  }

  @Test func piecesGiveTheSameHash() throws {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    for step in [1, 7, 128, 129, 1_000] {
      var hash = try BLAKE2b()
      for start in stride(from: 0, to: bytes.count, by: step) {
        let piece = Array(bytes[start..<min(start + step, bytes.count)])
        hash.update(unsafe piece.span.bytes)
      }
      #expect(hash.finish() == (try self.hash(bytes)))
    }
  }

  @Test func theGuardedHashIsTheSame() throws {
    let bytes: [UInt8] = [1, 2, 3]
    var hash = try BLAKE2b()
    hash.update(unsafe bytes.span.bytes)
    #expect(array(try hash.finishGuarded()) == (try self.hash(bytes)))
  }
}

@Suite struct Argon2idTests {
  private func derive(passes: UInt32, memory: UInt64) throws(CryptoError) -> [UInt8] {
    let passphrase = Array("password".utf8)
    let salt = Array("somesaltsomesalt".utf8)
    return array(
      try Argon2id.derive(
        unsafe passphrase.span.bytes, salt: unsafe salt.span.bytes, passes: passes,
        memory: memory))
  }

  /// Made with argon2-cffi, which is the reference code.
  @Test func knownAnswer() throws {
    #expect(
      try derive(passes: 2, memory: 8 << 20)
        == hex("fd7e44552d83db6b9c2bc9dbd6d88fe0facd11df4654ac21fe8013fd7a05ebc3"))
  }

  @Test(
    arguments: [
      (0, 64 << 20), (17, 64 << 20), (1, 8 << 20 - 1), (1, 4 << 30 + 1), (16, 1 << 30 + 1),
      (5, 4 << 30), (UInt32.max, UInt64.max), (1, 0),
    ] as [(UInt32, UInt64)])
  func costsOutOfBoundsAreNeverTried(passes: UInt32, memory: UInt64) {
    #expect(throws: CryptoError.costOutOfBounds) { try derive(passes: passes, memory: memory) }
  }

  @Test func theBoundsAreInside() {
    #expect(Argon2id.allows(passes: 1, memory: 8 << 20))
    #expect(Argon2id.allows(passes: 4, memory: 4 << 30))
    #expect(Argon2id.allows(passes: 16, memory: 1 << 30))
  }
}
