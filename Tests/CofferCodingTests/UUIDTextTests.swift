import Testing

@testable import CofferCoding

@Suite struct UUIDTextTests {
  @Test func textAndBytesAgree() {
    // The example of RFC 9562, section 4.
    let text = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
    let bytes: [UInt8] = [
      0xf8, 0x1d, 0x4f, 0xae, 0x7d, 0xec, 0x11, 0xd0, 0xa7, 0x65, 0x00, 0xa0, 0xc9, 0x1e, 0x6b,
      0xf6,
    ]
    #expect(UUIDText.parse(text) == bytes)
    #expect(UUIDText.parse(text.uppercased()) == bytes)
    #expect(UUIDText.format(bytes) == text)
  }

  @Test(arguments: [
    "", "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf", "f81d4fae-7dec-11d0-a765-00a0c91e6bf66",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bfg", "f81d4fa-e7dec-11d0-a765-00a0c91e6bf6",
    "f81d4fae-7dec-11d0-a765-00a0c91e6b-6", " 81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    "f81d4fae 7dec 11d0 a765 00a0c91e6bf6",
  ])
  func anythingElseIsRefused(text: String) {
    #expect(UUIDText.parse(text) == nil)
  }

  @Test(arguments: [0, 15, 17, 32])
  func onlySixteenBytesHaveAText(count: Int) {
    #expect(UUIDText.format([UInt8](repeating: 0, count: count)) == nil)
  }
}
