import CofferSystem
import Coffer

/// A life of a store, call by call, the same for everyone who knows its seed.
///
/// A process that was killed and the one that killed it agree on what comes next without a word.
package struct Script: Sendable {
  package let seed: UInt64
  package let steps: [ScriptStep]

  package init(seed: UInt64, length: Int = 240) {
    self.seed = seed
    var builder = ScriptBuilder(seed)
    var steps = [builder.page(of: 40), builder.page(of: 40)]
    var deck: [ScriptVerb] = []
    while steps.count < length {
      // Once in the middle, since everything counts anew after it.
      if steps.count == length * 3 / 5 {
        steps.append(builder.epoch())
        steps.append(builder.page(of: 30))
      }
      if deck.isEmpty { deck = builder.shuffledDeck() }
      if let verb = deck.popLast(), let step = builder.step(verb) { steps.append(step) }
    }
    self.steps = steps
  }
}

/// Writes a script: the server of a store that does not exist yet.
struct ScriptBuilder {
  static let conversations = ["hiking", "classmates", "work"]
  private static let people = ["ann", "chen", "dora"]
  static let account = "ben"

  /// How often each verb stands in a deck.
  private static let weights: [(verb: ScriptVerb, count: Int)] = [
    (.page, 8), (.push, 6), (.items, 2), (.overview, 2), (.fill, 5), (.send, 9), (.edit, 4),
    (.delete, 5), (.cancel, 2), (.react, 4), (.change, 3), (.draft, 2), (.retry, 3), (.claim, 9),
    (.acknowledge, 7), (.postpone, 2), (.release, 2), (.fail, 3), (.markRead, 3), (.clear, 1),
    (.harden, 3),
  ]

  /// One conversation as the server has it.
  private struct Talk {
    var newest: Int64 = 0
    var messages: [MessageReference] = []
    var own: [EventID] = []
    /// Seqs that the store was never given, with what the server has there.
    var withheld: [(seq: Int64, item: Item?)] = []
  }

  private var random: SplitMix64
  private var talks = conversations.map { _ in Talk() }
  /// What lies in the inbox above the cursor, and which of it was pushed.
  private var waiting: [(item: Item, isAhead: Bool)] = []
  private var cursor: Int64 = 0
  private var currentEpoch: Int64 = 1
  private var count: UInt64 = 0

  init(_ seed: UInt64) { random = SplitMix64(seed) }

  mutating func shuffledDeck() -> [ScriptVerb] {
    Self.weights.flatMap { [ScriptVerb](repeating: $0.verb, count: $0.count) }
      .shuffled(using: &random)
  }

  mutating func step(_ verb: ScriptVerb) -> ScriptStep? {
    let place = Int.random(in: 0..<talks.count, using: &random)
    let address = Self.conversations[place]
    switch verb {
    case .page: return page(of: random.skewed(1...60))
    case .push: return push()
    case .items: return .items((0..<random.skewed(1...5)).map { _ in unnumbered() })
    case .overview: return overview()
    case .fill: return fill(place)
    case .send:
      let id = freshID()
      talks[place].own.append(id)
      return .send(Draft("mine \(count)", to: address, id: id))
    case .edit: return own(place).map { .edit($0, text: "edited \(count)") }
    case .delete:
      let reference =
        random.one(in: 3)
        ? talks[place].messages.randomElement(using: &random)
        : own(place).map { MessageReference(sender: Self.account, id: $0) }
      return reference.map { .delete($0) }
    case .cancel: return own(place).map { .cancel($0) }
    case .react:
      let isAdded = !random.one(in: 3)
      return talks[place].messages.suffix(20).randomElement(using: &random).map {
        .react($0, emoji: "👍🏽", isAdded: isAdded)
      }
    case .change:
      count += 1
      if random.one(in: 3) {
        return .change("made-\(count)", .create(title: "Made \(count)", members: Self.people))
      }
      return .change(address, random.one(in: 2) ? .title("Title \(count)") : .join("emre"))
    case .draft:
      return .draft(random.one(in: 3) ? nil : "typed \(count)", in: address)
    case .retry: return .retry
    case .claim: return .claim
    case .acknowledge:
      talks[place].newest += 1
      talks[place].withheld.append((talks[place].newest, nil))
      return .acknowledge(address, seq: talks[place].newest)
    case .postpone: return .postpone(asked: random.one(in: 2) ? nil : 40_000)
    case .release: return .release
    case .fail: return .fail
    case .markRead:
      return .markRead(address, upTo: Int64.random(in: 0...talks[place].newest, using: &random))
    case .clear:
      return .clear(address, upTo: Int64.random(in: 0...talks[place].newest / 2, using: &random))
    case .harden: return .harden
    case .epoch: return nil
    }
  }

  private mutating func own(_ place: Int) -> EventID? {
    count += 1
    // Mostly one of the last, which is still on its way.
    return random.one(in: 3)
      ? talks[place].own.randomElement(using: &random)
      : talks[place].own.suffix(3).randomElement(using: &random)
  }

  private mutating func freshID() -> EventID {
    count += 1
    return EventID(
      high: count << 16 | 0x7000, low: 0x8000_0000_0000_0000 | random.next() >> 2)
  }

  // MARK: The inbox

  mutating func page(of length: Int) -> ScriptStep {
    while waiting.count < length { waiting.append((arrival(), false)) }
    let base = cursor
    let items = waiting.prefix(length).map(\.item)
    waiting.removeFirst(length)
    cursor += Int64(length)
    swallow()
    return .page(Page(base: base, next: base + Int64(length), items: items, epoch: currentEpoch))
  }

  /// The next item, or one further on.
  private mutating func push() -> ScriptStep {
    let distance = random.skewed(1...6)
    while waiting.count < distance { waiting.append((arrival(), false)) }
    let item = waiting[distance - 1].item
    waiting[distance - 1].isAhead = true
    swallow()
    return .push(item, epoch: currentEpoch)
  }

  private mutating func swallow() {
    while let first = waiting.first, first.isAhead {
      waiting.removeFirst()
      cursor += 1
    }
  }

  private mutating func arrival() -> Item {
    var item = unnumbered()
    item.envelope.inbox = cursor + Int64(waiting.count) + 1
    return item
  }

  mutating func epoch() -> ScriptStep {
    currentEpoch += 1
    cursor = 0
    waiting = []
    for place in talks.indices {
      talks[place].newest = 0
      talks[place].withheld = []
    }
    return .epoch(currentEpoch)
  }

  // MARK: Beside the inbox

  /// Heads some way further on; what lies between is withheld.
  private mutating func overview() -> ScriptStep {
    let head = cursor + Int64(waiting.count)
    let moves = !waiting.contains { $0.isAhead }
    if moves {
      for entry in waiting {
        guard let seq = entry.item.envelope.seq,
          let place = Self.conversations.firstIndex(of: entry.item.envelope.conversation)
        else { continue }
        talks[place].withheld.append((seq, entry.item))
      }
      waiting = []
      cursor = head
    }
    var heads: [Overview.Head] = []
    for place in talks.indices {
      for _ in 0..<random.skewed(0...8) {
        let item = event(message(), in: place)
        talks[place].withheld.append((talks[place].newest, item))
      }
      let newest = event(message(), in: place)
      heads.append(
        Overview.Head(
          conversation: Self.conversations[place], from: 1, newestSeq: talks[place].newest,
          newest: Self.relayed(newest), receipts: ["ann": Receipt(delivered: 1, read: 0)]))
    }
    return .overview(
      Overview(epoch: currentEpoch, head: head, conversations: heads), movesCursor: moves)
  }

  private mutating func fill(_ place: Int) -> ScriptStep? {
    let wanted = talks[place].withheld.suffix(random.skewed(1...12))
    guard let first = wanted.map(\.seq).min(), let last = wanted.map(\.seq).max() else {
      return nil
    }
    let answers = wanted.sorted { $0.seq < $1.seq }.map { seq, item -> History.Answer in
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .none(seq)
      case 1: .gone(seq)
      default: item.map { .item(Self.relayed($0)) } ?? .none(seq)
      }
    }
    return .fill(
      Self.conversations[place], first...last, History(epoch: currentEpoch, answers: answers))
  }

  private static func relayed(_ item: Item) -> RelayItem {
    guard case .event(let event) = item.body else { return RelayItem(item.envelope, .accepted) }
    let envelope = item.envelope
    let payload = Payload(
      conversation: envelope.conversation, id: envelope.id, sentAt: envelope.sentAt, event: event)
    return RelayItem(envelope, .payload(payload.encoded))
  }

  // MARK: Events

  private mutating func message() -> Event {
    count += 1
    return .message(text: "message \(count)")
  }

  /// Something that one of the others does, at the next seq of its conversation.
  private mutating func unnumbered() -> Item {
    let place = Int.random(in: 0..<talks.count, using: &random)
    // Pages have gaps to record.
    if random.one(in: 8) {
      let item = event(message(), in: place)
      talks[place].withheld.append((talks[place].newest, item))
    }
    let newest = talks[place].newest
    let target = talks[place].messages.suffix(30).randomElement(using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1:
      if let target {
        count += 1
        return event(.edit(of: target, text: "edited \(count)"), in: place, by: target.sender)
      }
    case 2:
      if let target { return event(.delete(target), in: place, by: target.sender) }
    case 3, 4:
      if let target {
        return event(
          .reaction(to: target, emoji: "🐄", isAdded: !random.one(in: 3)), in: place)
      }
    case 5:
      count += 1
      return event(.change(.title("Title \(count)")), in: place)
    case 6:
      let person = Self.people.randomElement(using: &random) ?? "ann"
      return event(.change(random.one(in: 2) ? .join(person) : .remove(person)), in: place)
    case 7 where newest > 0:
      return event(
        .receipt(Receipt(delivered: newest, read: Int64.random(in: 0...newest, using: &random))),
        in: place)
    case 8 where newest > 3:
      let first = Int64.random(in: 1...newest - 1, using: &random)
      var item = event(.receipt(Receipt(delivered: 0, read: 0)), in: place)
      item.body = .expunged(first...min(newest, first + 2))
      return item
    default: break
    }
    return event(message(), in: place)
  }

  private mutating func event(_ event: Event, in place: Int, by author: String? = nil) -> Item {
    let sender = author ?? Self.people.randomElement(using: &random) ?? "ann"
    let id = freshID()
    var seq: Int64?
    if event.isSequenced {
      talks[place].newest += 1
      seq = talks[place].newest
    }
    if case .message = event {
      talks[place].messages.append(MessageReference(sender: sender, id: id))
    }
    return Item(
      Envelope(
        conversation: Self.conversations[place], seq: seq, sender: sender, device: 1, id: id,
        sentAt: 1_790_000_000_000 + Int64(count)),
      .event(event))
  }
}
