import CofferCrypto
import Testing

@Suite struct HKDFTests {
  private func derive(
    salt: [UInt8], key: [UInt8], info: [UInt8], count: Int
  ) throws(CryptoError) -> [UInt8] {
    array(
      try HKDF.derive(
        salt: unsafe salt.span.bytes, key: unsafe key.span.bytes, info: unsafe info.span.bytes,
        count: count))
  }

  /// RFC 5869, appendix A.1 to A.3.
  @Test func theRFCsAnswers() throws {
    #expect(
      try derive(
        salt: hex("000102030405060708090a0b0c"), key: [UInt8](repeating: 0x0b, count: 22),
        info: hex("f0f1f2f3f4f5f6f7f8f9"), count: 42)
        == hex(
          """
          3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
          """))
    #expect(
      try derive(
        salt: Array(0x60...0xaf), key: Array(0x00...0x4f), info: Array(0xb0...0xff), count: 82)
        == hex(
          """
          b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6
          5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
          """))
    #expect(
      try derive(salt: [], key: [UInt8](repeating: 0x0b, count: 22), info: [], count: 42)
        == hex(
          """
          8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
          """))
  }

  @Test func anEmptySaltEqualsZeros() throws {
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(
      try derive(salt: [], key: [1, 2, 3], info: [4], count: 64)
        == derive(salt: zeros, key: [1, 2, 3], info: [4], count: 64))
  }

  @Test func outputIsBounded() throws {
    #expect(try derive(salt: [1], key: [2], info: [], count: 255 * 32).count == 8_160)
    #expect(throws: CryptoError.wrongLength) {
      try derive(salt: [1], key: [2], info: [], count: 255 * 32 + 1)
    }
    #expect(try derive(salt: [1], key: [2], info: [], count: 0) == [])
  }

  @Test func wycheproof() throws {
    for test in try WycheproofCase.all("hkdf_sha256") {
      let count = test.test["size"] as? Int ?? 0
      let result = try? derive(
        salt: test.bytes("salt"), key: test.bytes("ikm"), info: test.bytes("info"), count: count)
      #expect((result == test.bytes("okm")) == test.isValid, "\(test.id)")
    }
  }
}
