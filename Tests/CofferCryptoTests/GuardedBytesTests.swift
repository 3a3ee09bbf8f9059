import CofferCrypto
import Testing

@Suite struct GuardedBytesTests {
  @Test func newBytesAreZero() throws {
    for count in [0, 1, 31, 4_096, 100_000] {
      let bytes = try GuardedBytes(count: count)
      #expect(array(bytes) == [UInt8](repeating: 0, count: count))
    }
    #expect(throws: CryptoError.wrongLength) { _ = try GuardedBytes(count: -1) }
    #expect(throws: CryptoError.noMemory) { _ = try GuardedBytes(count: Int.max) }
  }

  @Test func changesStay() throws {
    var bytes = try guarded([1, 2, 3, 4])
    let part: [UInt8] = [9, 8]
    bytes.replace(at: 1, with: unsafe part.span.bytes)
    bytes.withMutableBytes(in: 3..<4) { $0.storeBytes(of: 7, toByteOffset: 0, as: UInt8.self) }
    #expect(array(bytes) == [1, 9, 8, 7])
    #expect(array(try bytes.copy(1..<3)) == [9, 8])
  }

  @Test func equalityLooksAtEveryByte() throws {
    let bytes = try guarded([1, 2, 3])
    func isEqual(_ other: [UInt8]) throws -> Bool { bytes.isEqual(to: try guarded(other)) }
    #expect(try isEqual([1, 2, 3]))
    #expect(try !isEqual([1, 2, 2]))
    #expect(try !isEqual([0, 2, 3]))
    #expect(try !isEqual([1, 2]))
    #expect(try !isEqual([1, 2, 3, 0]))
  }

  @Test func aThousandLiveAtOnceBeyondTheLockedLimit() throws {
    // 2,500 locked pages are 10 MB, more than the usual limit of 8 MiB.
    func nest(_ depth: Int) throws {
      let bytes = try GuardedBytes(randomCount: 32, from: .system)
      if depth > 0 { try nest(depth - 1) }
      #expect(bytes.count == 32)
    }
    try nest(2_500)
  }

  @Test func writingBeyondTheEndEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      var bytes = try GuardedBytes(count: 4)
      let five: [UInt8] = [1, 2, 3, 4, 5]
      bytes.replace(at: 0, with: unsafe five.span.bytes)
    }
  }

  @Test func randomnessIsInjected() throws {
    let fixed = RandomSource { bytes in
      for index in 0..<bytes.byteCount {
        bytes.storeBytes(of: UInt8(index), toByteOffset: index, as: UInt8.self)
      }
    }
    #expect(fixed.bytes(4) == [0, 1, 2, 3])
    #expect(array(try GuardedBytes(randomCount: 3, from: fixed)) == [0, 1, 2])
    #expect(RandomSource.system.bytes(16) != RandomSource.system.bytes(16))
  }
}
