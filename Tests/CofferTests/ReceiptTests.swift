import CofferSystem
import Testing

@testable import Coffer

/// States of our messages, and read markers.
@Suite struct ReceiptTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func states(_ store: Store) async throws -> [String] {
    try await store.rows("state) FROM messages WHERE sender_id = 1 ORDER BY coalesce(seq, 9999)")
  }

  /// A group of Ann, Ben (ourselves) and Cem in which Ben said something at 2 and 3.
  private func group() async throws -> Store {
    let store = try await scratch.create()
    try await store.receive([event(1, .change(.create(title: "Trip", members: ["ben", "cem"])))])
    for seq in [2, 3] as [Int64] {
      try await store.acknowledge(try await store.send(Draft("\(seq)", to: "hiking")), seq: seq)
    }
    return store
  }

  @Test func theStateIsWhatEveryOtherMemberReached() async throws {
    let store = try await group()
    try await store.receive([receipt(3, 3)])
    #expect(try await states(store) == ["3", "3"])
    try await store.receive([receipt(3, 2, from: "cem")])
    #expect(try await states(store) == ["5", "4"])
    #expect(try await store.isClean())
  }

  @Test func whoeverLeavesHoldsNobodyBackAndWhoeverJoinsLowersNothing() async throws {
    let store = try await group()
    try await store.receive([receipt(3, 3)])
    try await store.receive([event(4, .change(.leave), from: "cem")])
    #expect(try await states(store) == ["5", "5"])
    try await store.receive([event(5, .change(.join("dora")))])
    #expect(try await states(store) == ["5", "5"])
    try await store.acknowledge(try await store.send(Draft("6", to: "hiking")), seq: 6)
    try await store.receive([receipt(6, 6)])
    #expect(try await states(store) == ["5", "5", "3"])
    #expect(try await store.isClean())
  }

  /// Delivered before sent, read before delivered, each twice, in every order: the rank never
  /// drops and ends the same.
  @Test func receiptsAndAcknowledgementsComeInAnyOrder() async throws {
    let steps = ["ack", "delivered", "read", "echo", "delivered", "ack", "old"]
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    for round in 0..<60 {
      let scratch = try Scratch()
      let store = try await scratch.create()
      try await store.receive([event(1, .change(.create(title: nil, members: ["ben"])))])
      let mine = try await store.send(Draft("mine", to: "hiking"))
      var last = 1
      for step in steps.shuffled(using: &random) {
        switch step {
        case "ack": try await store.acknowledge(mine, seq: 2)
        case "delivered": try await store.receive([receipt(2, 0)])
        case "read": try await store.receive([receipt(0, 2)])
        case "old": try await store.receive([receipt(1, 1)])
        default:
          var echo = item(2, from: "ben", text: "mine")
          echo.envelope.id = mine
          try await store.receive([echo])
        }
        let now = try #require(Int(try await states(store)[0]))
        #expect(now >= last, "seed \(seed), round \(round), after \(step)")
        last = now
      }
      #expect(last == 5, "seed \(seed), round \(round)")
      await store.close()
    }
  }

  @Test func aWatermarkWaitsForRowsThatComeLater() async throws {
    let store = try await scratch.create()
    try await store.receive([receipt(8, 7)])
    for seq in [7, 8, 9] as [Int64] {
      try await store.acknowledge(try await store.send(Draft("\(seq)", to: "hiking")), seq: seq)
    }
    #expect(try await states(store) == ["5", "4", "3"])
    #expect(try await store.isClean())
  }

  @Test func ourOwnReadMarkerComesFromAnyDeviceOfOurs() async throws {
    let store = try await scratch.create()
    try await store.receive(page(1...5))
    #expect(try await store.conversations().first?.unread == 5)
    try await store.receive([receipt(0, 3, from: "ben")])
    #expect(try await store.conversations().first?.unread == 2)
    try await store.receive([receipt(0, 1, from: "ben")])
    #expect(try await store.conversations().first?.unread == 2)
    // A marker beyond what is here counts for what comes later.
    try await store.receive([receipt(0, 7, from: "ben")])
    try await store.receive([item(6), item(7), item(8)])
    #expect(try await store.conversations().first?.unread == 1)
    try await store.markRead("hiking")
    #expect(try await store.conversations().first?.unread == 0)
    #expect(try await store.isClean())
  }

  @Test func readingAGapCountsWhatFillsIt() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), item(10)])
    try await store.markRead("hiking", upTo: 4)
    try await store.receive([item(3), item(6)])
    #expect(try await store.conversations().first?.unread == 2)
    #expect(try await store.isClean())
  }

  @Test func anAbsurdWatermarkIsSetAside() async throws {
    let store = try await group()
    try await store.receive([receipt(.max, .max), receipt(3, .max - 5, from: "ben")])
    #expect(try await store.quarantine().count == 2)
    #expect(try await states(store) == ["3", "3"])
    #expect(try await store.isClean())
  }
}
