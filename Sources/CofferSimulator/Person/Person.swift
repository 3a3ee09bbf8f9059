import CofferSystem
import Coffer

/// What a person does next with a device: chosen from what the device shows.
struct Act: Sendable {
  enum Kind: Sendable {
    case send(Draft)
    case edit(EventID, text: String)
    case delete(MessageReference)
    case cancel(EventID)
    case retry(EventID)
    case react(MessageReference, emoji: String, isAdded: Bool)
    case markRead(String, upTo: Int64)
    case clear(String)
    case draft(String, in: String)
    case change(String, ConversationChange)
  }

  let lever: Lever
  let kind: Kind
}

/// Chooses acts; all that it knows is what the screen would show.
struct Person: Sendable {
  /// Every account of the simulation.
  let accounts: [String]
  /// The conversation that nobody leaves or deletes, so that there is always one.
  static let home = "home"

  /// Counts texts and conversations, so that none is there twice.
  private var count = 0
  /// Ids that somebody else used on purpose.
  private var reused: Set<EventID> = []

  init(accounts: [String]) { self.accounts = accounts }

  private static let levers: [(lever: Lever, weight: Int)] = [
    (.send, 30), (.reply, 6), (.sameID, 2), (.edit, 9), (.delete, 6), (.cancel, 4), (.retry, 6),
    (.react, 9), (.markRead, 10), (.clear, 1), (.draft, 3), (.create, 3), (.title, 3), (.join, 3),
    (.leave, 2), (.remove, 2), (.deleteConversation, 1),
  ]

  /// What is done with a device that shows these rows; nothing where it shows nothing to do it to.
  mutating func act(
    on rows: StoreRows, of party: ModelRelay.Party, _ random: inout SplitMix64
  ) -> Act? {
    let total = Self.levers.reduce(0) { $0 + $1.weight }
    var left = Int.random(in: 0..<total, using: &random)
    for (lever, weight) in Self.levers {
      left -= weight
      if left < 0 { return act(lever, rows, party, &random).map { Act(lever: lever, kind: $0) } }
    }
    return nil
  }

  private mutating func act(
    _ lever: Lever, _ rows: StoreRows, _ party: ModelRelay.Party, _ random: inout SplitMix64
  ) -> Act.Kind? {
    let account = party.account
    if lever == .create { return create(party, &random) }
    // Home is met half of the time, so that something happens in it.
    let others = rows.conversations.filter { $0.address != Self.home && $0.deletedSeq == nil }
    let homes = rows.conversations.filter { $0.address == Self.home }
    let choice = random.one(in: 2) && !homes.isEmpty ? homes : others + homes
    guard let conversation = choice.randomElement(using: &random) else { return nil }
    let address = conversation.address
    let shown = rows.messages.filter { $0.conversation == conversation.id && $0.deletedSeq == nil }
    let own = shown.filter { $0.sender == account }
    let isHome = address == Self.home
    switch lever {
    case .send: return .send(Draft(text(party), to: address))
    case .reply:
      return shown.randomElement(using: &random).map {
        .send(Draft(text(party), to: address, replyTo: Self.reference($0)))
      }
    case .sameID:
      let foreign = rows.messages.filter { $0.sender != account }.randomElement(using: &random)
      guard let foreign,
        !rows.messages.contains(where: { $0.sender == account && $0.eventID == foreign.eventID }),
        reused.insert(foreign.eventID).inserted
      else { return nil }
      return .send(Draft(text(party), to: address, id: foreign.eventID))
    case .edit:
      let text = text(party)
      return recent(own, &random).map { .edit($0.eventID, text: text) }
    case .delete:
      // Mostly one's own; another's is deleted only here.
      return recent(random.one(in: 4) ? shown : own, &random).map {
        .delete(Self.reference($0))
      }
    case .cancel: return rows.outbox.randomElement(using: &random).map { .cancel($0.eventID) }
    case .retry:
      return rows.outbox.filter(\.isFailed).randomElement(using: &random).map {
        .retry($0.eventID)
      }
    case .react:
      let emoji = ["👍🏽", "🐄", "❤"].randomElement(using: &random) ?? "❤"
      return recent(shown, &random).map {
        .react(Self.reference($0), emoji: emoji, isAdded: !random.one(in: 3))
      }
    case .markRead:
      guard conversation.maxSeq > conversation.readSeq else { return nil }
      let upTo = Int64.random(in: conversation.readSeq + 1...conversation.maxSeq, using: &random)
      return .markRead(address, upTo: random.one(in: 2) ? conversation.maxSeq : upTo)
    case .clear: return .clear(address)
    case .draft: return .draft(text(party), in: address)
    case .title: return .change(address, .title(text(party)))
    case .join: return .change(address, .join(accounts.randomElement(using: &random) ?? account))
    case .leave: return isHome ? nil : .change(address, .leave)
    case .remove:
      return isHome
        ? nil : .change(address, .remove(accounts.randomElement(using: &random) ?? account))
    case .deleteConversation: return isHome ? nil : .change(address, .delete)
    default: return nil
    }
  }

  private mutating func create(
    _ party: ModelRelay.Party, _ random: inout SplitMix64
  ) -> Act.Kind {
    count += 1
    let members = accounts.filter { _ in !random.one(in: 3) }
    return .change(
      "talk-\(count)", .create(title: random.one(in: 2) ? text(party) : nil, members: members))
  }

  private mutating func text(_ party: ModelRelay.Party) -> String {
    count += 1
    return "\(party.account)/\(party.number) says \(count)"
  }

  /// Mostly one of the last, which may not have left yet.
  private func recent(
    _ messages: [StoreRows.Message], _ random: inout SplitMix64
  ) -> StoreRows.Message? {
    random.one(in: 2)
      ? messages.suffix(3).randomElement(using: &random) : messages.randomElement(using: &random)
  }

  private static func reference(_ message: StoreRows.Message) -> MessageReference {
    MessageReference(sender: message.sender, id: message.eventID)
  }
}
