import CofferCrypto
import Testing

@Suite struct XChaCha20Poly1305Tests {
  private func seal(
    _ text: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try XChaCha20Poly1305.seal(
      unsafe text.span.bytes, key: unsafe key.span.bytes, nonce: unsafe nonce.span.bytes,
      additionalData: unsafe data.span.bytes)
  }

  private func open(
    _ box: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    array(
      try XChaCha20Poly1305.open(
        unsafe box.span.bytes, key: unsafe key.span.bytes, nonce: unsafe nonce.span.bytes,
        additionalData: unsafe data.span.bytes))
  }

  /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
  @Test func theDraftsAnswer() throws {
    let text = Array(
      """
      Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the \
      future, sunscreen would be it.
      """.utf8)
    let key = [UInt8](0x80...0x9f)
    let nonce = [UInt8](0x40...0x57)
    let data = hex("50515253c0c1c2c3c4c5c6c7")
    let box = try seal(text, key, nonce, data)
    #expect(
      box
        == hex(
          """
          bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f
          4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f
          76b2383565d3fff921f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
          """))
    #expect(try open(box, key, nonce, data) == text)
  }

  @Test func everyChangeIsNoticed() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 2, count: 24)
    let box = try seal([3, 4, 5], key, nonce, [6])
    for index in box.indices {
      var changed = box
      changed[index] ^= 0x10
      #expect(throws: CryptoError.notAuthentic) { try open(changed, key, nonce, [6]) }
    }
    for length in 0..<box.count {
      #expect(throws: CryptoError.notAuthentic) {
        try open(Array(box.prefix(length)), key, nonce, [6])
      }
    }
    #expect(throws: CryptoError.notAuthentic) { try open(box, key, nonce, [7]) }
    #expect(throws: CryptoError.wrongLength) { try open(box, [1], nonce, [6]) }
    #expect(throws: CryptoError.wrongLength) { try open(box, key, [2], [6]) }
    #expect(throws: CryptoError.wrongLength) { try seal([], key + [1], nonce, []) }
  }

  @Test func anEmptyTextHasABox() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 2, count: 24)
    let box = try seal([], key, nonce, [])
    #expect(box.count == 16)
    #expect(try open(box, key, nonce, []) == [])
  }

  @Test func wycheproof() throws {
    for test in try WycheproofCase.all("xchacha20_poly1305") {
      let (key, nonce, data) = (test.bytes("key"), test.bytes("iv"), test.bytes("aad"))
      let box = test.bytes("ct") + test.bytes("tag")
      let opened = try? open(box, key, nonce, data)
      #expect((opened == test.bytes("msg")) == test.isValid, "\(test.id)")
      if test.isValid {
        #expect(try seal(test.bytes("msg"), key, nonce, data) == box, "\(test.id)")
      }
    }
  }
}
