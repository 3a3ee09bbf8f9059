import CofferDatabase
import Testing

@testable import Coffer

/// Events that come before their message, and messages that come back.
@Suite struct EarlyEventTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func aDeleteWaitsForItsMessageAcrossARestart() async throws {
    var store = try await scratch.create()
    #expect(try await store.receive([event(5, .delete(message(2)))]).waiting == 1)
    await store.close()
    store = try await scratch.open()
    try await store.receive([item(1), item(2), item(3)])
    #expect(try await store.shown() == ["message 1", "-", "message 3", "[4-4]"])
    #expect(try await store.conversations().first?.unread == 2)
    #expect(try await store.isClean())
  }

  @Test func anEditWaitsForItsMessageAcrossARestart() async throws {
    var store = try await scratch.create()
    try await store.receive([
      event(7, .edit(of: message(2), text: "newest")),
      event(5, .edit(of: message(2), text: "newer")),
    ])
    await store.close()
    store = try await scratch.open()
    try await store.receive([item(2)])
    #expect(try await store.shown() == ["[1-1]", "newest", "[3-4]", "[6-6]"])
    #expect(try await store.isClean())
  }

  /// Once nothing is missing below it, the message an edit is about can only be one that this
  /// device never had.
  @Test func anEarlyEditIsDroppedWhenNoGapCanBringItsMessage() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), event(3, .edit(of: message(77), text: "of what?"))])
    #expect(try await store.rows("applied) FROM events WHERE kind = 3") == ["0"])
    try await store.receive([item(2)])
    #expect(try await store.rows("applied, content) FROM events WHERE kind = 3") == ["1"])
    #expect(try await store.isClean())
  }

  /// The text of an edit must not outlive the delete, even where the message never comes.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func nothingOfADeletedMessageWaitsForIt(order: [Int]) async throws {
    let store = try await scratch.create()
    let items = [
      event(5, .edit(of: message(1), text: "secret")), event(6, .delete(message(1))),
      event(7, .reaction(to: message(1), emoji: "👍", isAdded: true), from: "cem"),
    ]
    for index in order { try await store.receive([items[index]]) }
    #expect(
      try await store.rows("kind, applied, content IS NULL) FROM events ORDER BY seq")
        == ["3|1|1", "4|0|0", "5|1|1"])
    try await store.receive([item(1)])
    #expect(try await store.shown().first == "-")
    #expect(try await store.isClean())
  }

  /// Ten thousand edits of one message, before it and after its delete, take no quadratic time.
  @Test func manyEventsOfOneMessageAreBounded() async throws {
    let store = try await scratch.create()
    func edits(_ from: Int) -> [Item] {
      (from..<from + 10_000).map { event($0, .edit(of: message(1), text: "edit \($0)")) }
    }
    let start = ContinuousClock.now
    try await store.receive(edits(100))
    try await store.receive([item(1)])
    #expect(try await store.shown().first == "edit 10099")
    try await store.receive([event(20_000, .delete(message(1)))])
    try await store.receive(edits(30_000))
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(try await store.shown().first == "-")
    #expect(try await store.isClean())
  }

  @Test func anEarlyDeleteIsKeptWhateverIsMissing() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1), event(2, .delete(message(77)))])
    try await store.receive([item(77, seq: 3)])
    #expect(try await store.shown() == ["message 1", "-"])
    #expect(try await store.isClean())
  }

  /// Every order in which a message, two edits, two words on a reaction, and a second message can
  /// come, each twice: the outcome is that of the server's order.
  @Test func everyOrderComesToTheSame() async throws {
    try await expectEveryOrder([
      { item(1, in: $0, seq: 1) },
      { event(2, .edit(of: message(1), text: "first edit"), in: $0) },
      { event(3, .reaction(to: message(1), emoji: "👍", isAdded: true), in: $0, from: "cem") },
      { event(4, .edit(of: message(1), text: "second edit"), in: $0) },
      { event(5, .reaction(to: message(1), emoji: "👍", isAdded: false), in: $0, from: "cem") },
      { item(6, in: $0, seq: 6) },
    ])
  }

  @Test func noOrderBringsADeletedMessageBack() async throws {
    try await expectEveryOrder([
      { item(1, in: $0, seq: 1) },
      { event(2, .edit(of: message(1), text: "edited"), in: $0) },
      { event(3, .delete(message(1)), in: $0) },
      { event(4, .reaction(to: message(1), emoji: "👍", isAdded: true), in: $0, from: "cem") },
      { event(5, .edit(of: message(1), text: "too late"), in: $0) },
      { event(6, .delete(message(1)), in: $0) },
    ])
  }

  @Test func everyOrderOfMembershipComesToTheSame() async throws {
    try await expectEveryOrder([
      { event(1, .change(.create(title: "a", members: ["ben", "cem"])), in: $0) },
      { event(2, .change(.remove("cem")), in: $0) },
      { event(3, .change(.title("b")), in: $0) },
      { event(4, .change(.join("cem")), in: $0) },
      { event(5, .change(.leave), in: $0, from: "cem") },
      { event(6, .change(.title("c")), in: $0) },
    ])
  }

  /// Ids are the same in every conversation here, so each permutation has a sender of its own.
  private func expectEveryOrder(_ makers: [(String) -> Item]) async throws {
    let store = try await scratch.create()
    // Accounts get their numbers in one order.
    try await store.receive(["ann0", "cem", "dora"].map { item(900, in: "x", seq: 1, from: $0) })
    var expected: [String]?
    for (turn, order) in Self.permutations(makers.count).enumerated() {
      let conversation = "c\(turn)"
      for index in order {
        let made = renamed(makers[index](conversation), turn)
        try await store.receive([made, made])
      }
      for index in order.reversed() {
        #expect(
          try await store.receive([renamed(makers[index](conversation), turn)]).duplicate == 1)
      }
      let outcome = try await store.outcome(conversation).filter { !$0.hasPrefix("event") }
        .map { $0.replacing("ann\(turn)", with: "ann") }
      if expected == nil { expected = outcome }
      #expect(outcome == expected, "order \(order)")
    }
    #expect(
      try await store.quarantine().filter { $0.reason != QuarantineReason.seqTaken.rawValue }
        .isEmpty)
    #expect(try await store.isClean())
  }

  /// The same item with Ann under another name, since a message is its sender and its id.
  private func renamed(_ item: Item, _ turn: Int) -> Item {
    var item = item
    func name(_ sender: String) -> String { sender == "ann" ? "ann\(turn)" : sender }
    func target(_ reference: MessageReference) -> MessageReference {
      MessageReference(sender: name(reference.sender), id: reference.id)
    }
    item.envelope.sender = name(item.envelope.sender)
    if item.envelope.sender != "ann\(turn)" {
      item.envelope.id = EventID(high: item.envelope.id.bytes.high, low: 1 << 63 | UInt64(turn + 1))
    }
    switch item.body {
    case .event(.edit(let of, let text)): item.body = .event(.edit(of: target(of), text: text))
    case .event(.delete(let of)): item.body = .event(.delete(target(of)))
    case .event(.reaction(let to, let emoji, let isAdded)):
      item.body = .event(.reaction(to: target(to), emoji: emoji, isAdded: isAdded))
    default: break
    }
    return item
  }

  private static func permutations(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return permutations(count - 1).flatMap { shorter in
      (0...shorter.count).map { place in
        var longer = shorter
        longer.insert(count - 1, at: place)
        return longer
      }
    }
  }
}
