import CofferSystem
import CofferDatabase
import Testing

@testable import Coffer

/// Every verb with every kind of event, from a server that repeats, forgets, contradicts itself and
/// lies: after each the rules hold.
@Suite struct RandomDoorTests {
  @Test(arguments: 0..<4)
  func whateverComesTheRulesHold(round: Int) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var world = HostileWorld(seed)
    let scratch = try Scratch()
    var store = try await scratch.create()
    for step in 0..<250 {
      let what = try await world.step(store)
      if step % 5 == 0 || step > 200 {
        let found = try await store.verify().findings
        #expect(found.isEmpty, "seed \(seed), step \(step), after \(what): \(found)")
        if !found.isEmpty { return }
      }
      if Int.random(in: 0..<20, using: &world.random) == 0 {
        await store.close()
        store = try await scratch.open()
      }
    }
    await store.close()
  }
}

private struct HostileWorld {
  var random: SplitMix64
  private var epoch: Int64 = 1
  private var mine: [EventID] = []
  private static let people = ["ann", "ben", "cem", "mallory"]
  private static let conversations = ["hiking", "work"]

  init(_ seed: UInt64) { random = SplitMix64(seed) }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(number(0...Int64(values.count - 1)))]
  }

  mutating func step(_ store: Store) async throws -> String {
    let cursor = try await store.cursor()
    switch number(0...13) {
    case 0...3:
      let base = max(0, cursor - number(0...4))
      let next = base + number(0...8)
      let items = base < next ? (base + 1...next).map { item(inbox: $0) } : []
      try await store.receive(Page(base: base, next: next, items: items, epoch: epoch))
      return "page"
    case 4:
      try await store.receive(push: item(inbox: number(1...cursor + 6)), epoch: epoch)
      return "push"
    case 5:
      try await store.receive((0..<4).map { _ in item(inbox: nil) })
      return "items"
    case 6:
      let heads = Self.conversations.map { name in
        let from = number(1...3)
        return Overview.Head(
          conversation: name, from: from, newestSeq: number(0...45),
          receipts: ["cem": Receipt(delivered: number(0...40), read: number(0...40))])
      }
      let overview = Overview(epoch: epoch, head: number(0...cursor + 9), conversations: heads)
      try await store.receive(overview, movesCursor: number(0...1) == 0)
      return "overview"
    case 7:
      return try await fill(store)
    case 8:
      guard number(0...5) == 0 else { return "nothing" }
      epoch += number(0...1)
      try await store.beginEpoch(epoch)
      return "epoch"
    case 9:
      return try await ours(store)
    case 10:
      do throws(StoreError) {
        if let id = mine.randomElement(using: &random) {
          try await store.acknowledge(id, seq: number(1...45), epoch: epoch)
        }
      } catch { guard isExpected(error) else { throw error } }
      return "acknowledge"
    case 11:
      return try await local(store)
    case 12:
      try await store.retryQuarantine()
      return "retry"
    default:
      _ = try await store.harden()
      return "harden"
    }
  }

  private func isExpected(_ error: StoreError) -> Bool {
    switch error {
    case .conflict, .unknownEvent, .unknownConversation: true
    default: false
    }
  }

  private mutating func fill(_ store: Store) async throws -> String {
    let name = pick(Self.conversations)
    let first = number(1...40)
    let range = first...(first + number(0...8))
    let answers = range.map { seq -> History.Answer in
      switch number(0...5) {
      case 0: return .none(seq)
      case 1: return .gone(seq)
      default:
        var made = item(inbox: nil)
        made.envelope.conversation = name
        if made.envelope.seq != nil { made.envelope.seq = seq }
        return .item(RelayItem(made.envelope, .payload(made.payload)))
      }
    }
    do throws(StoreError) {
      try await store.fill(name, range, with: History(epoch: epoch, answers: answers))
    } catch { guard error == .unknownConversation(name) else { throw error } }
    return "fill"
  }

  /// What the person does.
  private mutating func ours(_ store: Store) async throws -> String {
    let name = pick(Self.conversations)
    let target = mine.randomElement(using: &random)
    do throws(StoreError) {
      switch number(0...5) {
      case 0...2: mine.append(try await store.send(Draft("mine", to: name)))
      case 3: if let target { try await store.edit(target, text: "mine, edited") }
      case 4: if let target { try await store.cancel(target) }
      default:
        let id = try await store.react(
          to: message(Int(number(1...60))), emoji: "👍", isAdded: true)
        if let id { mine.append(id) }
      }
    } catch { guard isExpected(error) else { throw error } }
    return "ours"
  }

  private mutating func local(_ store: Store) async throws -> String {
    let name = pick(Self.conversations)
    do throws(StoreError) {
      if number(0...3) == 0 {
        try await store.clear(name, upTo: number(0...15))
      } else {
        try await store.markRead(name, upTo: number(0...45))
      }
    } catch { guard error == .unknownConversation(name) else { throw error } }
    return "clear or mark read"
  }

  /// Mostly what the server always says under a number, sometimes something else.
  private mutating func item(inbox: Int64?) -> Item {
    let count = Int(inbox ?? number(1...80))
    var made = honest(count)
    made.envelope.inbox = inbox
    switch number(0...14) {
    case 0: made.envelope.seq = number(-1...45)
    case 1: made.envelope.id = id(Int(number(1...60)))
    case 2: made.envelope.sender = pick(Self.people)
    case 3: made.body = body(Int(number(1...80)))
    case 4:
      if let id = mine.randomElement(using: &random) {
        made.envelope.id = id
        made.envelope.sender = "ben"
        made.body = number(0...2) == 0 ? .message(text: "mine") : .accepted
      }
    case 5:
      made.envelope.seq = nil
      let first = number(1...40)
      made.body = .expunged(first...(first + number(0...3)))
    default: break
    }
    return made
  }

  private func honest(_ count: Int) -> Item {
    let made = CofferTests.item(
      count, in: Self.conversations[count % 2], seq: Int64(count / 2 + 1),
      from: Self.people[count % 3 == 0 ? 2 : 0])
    var item = made
    item.body = body(count)
    if case .event(.receipt) = item.body { item.envelope.seq = nil }
    return item
  }

  private func body(_ count: Int) -> Item.Body {
    let target = message(
      max(1, count - 2 * (count % 7) + 4), of: Self.people[count % 3 == 0 ? 2 : 0])
    switch count % 11 {
    case 0: return .event(.edit(of: target, text: "edited by \(count)"))
    case 1: return .event(.delete(target))
    case 2: return .event(.reaction(to: target, emoji: "🎉", isAdded: count % 2 == 0))
    case 3: return .event(.receipt(Receipt(delivered: Int64(count / 2), read: Int64(count / 3))))
    case 4: return .event(.change(.join("cem")))
    case 5: return .event(.change(count % 2 == 0 ? .leave : .title("title \(count)")))
    default:
      return .event(.message(text: "message \(count)", replyTo: count % 4 == 0 ? target : nil))
    }
  }
}
