import Testing

@testable import CofferCoding

@Suite struct Base32Tests {
  @Test(
    arguments: [
      ([], ""), ([0x00], "00"), ([0xff], "ZW"), ([0x66, 0x6f, 0x6f], "CSQPY"),
      ([0x66, 0x6f, 0x6f, 0x62, 0x61, 0x72], "CSQPYRK1E8"),
      // The 32 values in order: the whole alphabet.
      (
        [
          0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf, 0x84, 0x65, 0x3a, 0x56, 0xd7,
          0xc6, 0x75, 0xbe, 0x77, 0xdf,
        ], "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
      ),
    ] as [([UInt8], String)])
  func bytesAndLettersAgree(bytes: [UInt8], letters: String) {
    #expect(Base32.encode(bytes) == letters)
    #expect(Base32.decode(letters) == bytes)
    #expect(Base32.decode(letters.lowercased()) == bytes)
  }

  @Test func lookalikesAndSeparatorsAreForgiven() {
    #expect(Base32.decode("oOiI lL-1 0") == Base32.decode("00111110"))
    #expect(Base32.decode("oOiI lL-1 0") != nil)
    #expect(Base32.decode("--  --") == [])
  }

  @Test func onlyTheAlphabetIsAccepted() {
    let accepted = Set("0123456789abcdefghjkmnpqrstvwxyzABCDEFGHJKMNPQRSTVWXYZoOiIlL".utf8)
    for byte in UInt8.min ... .max where byte != 0x2d && byte != 0x20 {
      let text = [byte] + Array("0000000".utf8)
      let bytes = run(text, capacity: 5) { Base32.decode($0, into: &$1) }
      #expect((bytes != nil) == accepted.contains(byte), "byte \(byte)")
    }
    #expect(Base32.decode("UU") == nil)
  }

  @Test(arguments: ["0", "000", "000000", "ZZ", "01", "000000000"])
  func aLetterTooManyOrBitsLeftOverAreRefused(text: String) {
    #expect(Base32.decode(text) == nil)
  }

  @Test func aBufferTooSmallIsRefused() {
    #expect(run([1, 2], capacity: 3) { Base32.encode($0, into: &$1) } == nil)
    #expect(run(Array("0000".utf8), capacity: 1) { Base32.decode($0, into: &$1) } == nil)
  }

  @Test func randomBytesComeBack() {
    var random = Seeded()
    for count in 0..<100 {
      let bytes = random.bytes(count)
      let letters = Base32.encode(bytes)
      #expect(letters.utf8.count == Base32.letterCount(ofBytes: count))
      #expect(Base32.decode(letters) == bytes, "seed \(random.seed)")
    }
  }
}
