import CofferCrypto
import Testing

@Suite struct HMACSHA256Tests {
  private func code(_ key: [UInt8], _ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try HMACSHA256.code(for: unsafe message.span.bytes, key: unsafe key.span.bytes)
  }

  /// RFC 4231, sections 4.2 to 4.4, 4.7 and 4.8.
  @Test func theRFCsAnswers() throws {
    #expect(
      try code([UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8))
        == hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
    #expect(
      try code(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    #expect(
      try code([UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50))
        == hex("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"))
    let long = [UInt8](repeating: 0xaa, count: 131)
    #expect(
      try code(long, Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
        == hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
    #expect(
      try code(
        long,
        Array(
          """
          This is a test using a larger than block-size key and a larger than block-size data. \
          The key needs to be hashed before being used by the HMAC algorithm.
          """.utf8))
        == hex("9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"))
  }

  @Test func onlyTheWholeCodeIsValid() throws {
    let (key, message): ([UInt8], [UInt8]) = ([1], [2])
    var right = try code(key, message)
    func isValid(_ code: [UInt8]) throws -> Bool {
      try HMACSHA256.isValid(
        unsafe code.span.bytes, for: unsafe message.span.bytes, key: unsafe key.span.bytes)
    }
    #expect(try isValid(right))
    #expect(try !isValid(Array(right.dropLast())))
    #expect(try !isValid([]))
    right[31] ^= 1
    #expect(try !isValid(right))
  }

  @Test func wycheproof() throws {
    for test in try WycheproofCase.all("hmac_sha256") {
      let size = (test.group["tagSize"] as? Int ?? 0) / 8
      let result = Array(try code(test.bytes("key"), test.bytes("msg")).prefix(size))
      #expect((result == test.bytes("tag")) == test.isValid, "\(test.id)")
    }
  }
}
