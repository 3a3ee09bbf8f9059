import Testing

@testable import CofferCoding

@Suite struct HexadecimalTests {
  @Test func everyByteMakesItsTwoDigitsAndComesBack() {
    let all = Array(UInt8.min ... .max)
    let digits = Array("0123456789abcdef")
    let expected = all.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    #expect(Hexadecimal.encode(all) == expected)
    #expect(Hexadecimal.decode(expected) == all)
    #expect(Hexadecimal.decode(expected.uppercased()) == all)
    #expect(Hexadecimal.decodeLowercase(expected) == all)
    #expect(
      run(all, capacity: 512) { Hexadecimal.encode($0, into: &$1) } == Array(expected.utf8))
    #expect(
      run(Array(expected.utf8), capacity: 256) { Hexadecimal.decode($0, into: &$1) } == all)
  }

  @Test func onlyDigitsAreDigits() {
    for byte in UInt8.min ... .max {
      let isLower = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
      let isUpper = (0x41...0x46).contains(byte)
      for pair in [[byte, 0x30], [0x30, byte]] {
        #expect((Hexadecimal.decode(pair) != nil) == (isLower || isUpper), "byte \(byte)")
        #expect((Hexadecimal.decodeLowercase(pair) != nil) == isLower, "byte \(byte)")
      }
    }
  }

  @Test(arguments: ["0", "abc", "0x", " 00", "00 ", "0g", "é"])
  func malformedTextIsRefused(text: String) {
    #expect(Hexadecimal.decode(text) == nil)
  }

  @Test func nothingIsNoDigits() {
    #expect(Hexadecimal.encode([]) == "")
    #expect(Hexadecimal.decode("") == [])
  }

  @Test func aBufferTooSmallIsRefused() {
    #expect(run([1, 2], capacity: 3) { Hexadecimal.encode($0, into: &$1) } == nil)
    #expect(run([0x30, 0x30], capacity: 0) { Hexadecimal.decode($0, into: &$1) } == nil)
    #expect(run([0x41, 0x41], capacity: 1) { Hexadecimal.decodeLowercase($0, into: &$1) } == nil)
  }
}
