import Testing

@testable import CofferCoding

@Suite struct Base64Tests {
  /// The vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func theVectorsOfTheRFCHold(plain: String, text: String) {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zm8", "=", "====", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zm9v\n", "Zm 9",
    "Zm9-", "Zm9_", "=Zg=", "Zg=a", "Zmé",
  ])
  func whatEncodeNeverGivesIsRefused(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func allLettersComeBack() {
    let bytes = (0..<64).reduce(into: ([UInt8](), 0)) { result, value in
      result.1 = result.1 << 6 | value
      if value % 4 == 3 {
        result.0 += [16, 8, 0].map { UInt8(truncatingIfNeeded: result.1 >> $0) }
        result.1 = 0
      }
    }.0
    let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.decode(text) == bytes)
  }

  @Test func randomBytesComeBack() {
    var random = Seeded()
    for count in 0..<100 {
      let bytes = random.bytes(count)
      #expect(Base64.decode(Base64.encode(bytes)) == bytes, "seed \(random.seed)")
    }
  }
}
