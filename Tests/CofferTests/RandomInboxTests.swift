import CofferSystem
import Testing

@testable import Coffer

/// A hostile and forgetful server: pages, pushes and items in any order, with repeats and lies.
@Suite struct RandomInboxTests {
  @Test func whateverComesTheRulesHoldAndNothingIsLost() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    for _ in 0..<6 {
      let scratch = try Scratch()
      var store = try await scratch.create()
      var cursor: Int64 = 0
      for _ in 0..<30 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          // A page from somewhere at or below the cursor.
          let base = Int64.random(in: max(0, cursor - 10)...cursor, using: &random)
          let next = base + Int64.random(in: 0...12, using: &random)
          let items = base < next ? (base + 1...next).map { Self.item($0, &random) } : []
          cursor = try await store.receive(Page(base: base, next: next, items: items)).cursor
        case 5..<7:
          let number = Int64.random(in: 1...(cursor + 6), using: &random)
          cursor = try await store.receive(push: Self.item(number, &random)).cursor
        case 7:
          let items = (0..<5).map { _ in
            Self.item(Int64.random(in: 1...60, using: &random), &random)
          }
          try await store.receive(items)
        case 8:
          if try await store.conversations().contains(where: { $0.address == "c0" }) {
            try await store.send(Draft("mine", to: "c0"))
          }
        default:
          await store.close()
          store = try await scratch.open()
          #expect(try await store.cursor() == cursor, "seed \(seed)")
        }
      }
      let result = try await store.verify()
      #expect(result.isClean, "seed \(seed): \(result.findings)")
      await store.close()
    }
  }

  /// What the server says is number `inbox`: mostly the same thing each time, sometimes a lie.
  private static func item(_ inbox: Int64, _ random: inout SplitMix64) -> Item {
    let number = Int(inbox)
    var made = honest(number)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: made.envelope.seq = Int64.random(in: -2...40, using: &random)
    case 1: made.envelope.id = id(Int.random(in: 1...60, using: &random))
    case 2: made.envelope.conversation = "c\(Int.random(in: 0...3, using: &random))"
    case 3: made.body = .message(text: "another body")
    case 4: made.envelope.sender = "ben"
    default: break
    }
    return made
  }

  private static func honest(_ number: Int) -> Item {
    CofferTests.item(
      number, inbox: Int64(number), in: "c\(number % 3)", seq: Int64(number / 3 + 1))
  }
}
