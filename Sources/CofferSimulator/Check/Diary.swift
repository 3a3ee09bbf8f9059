import Coffer

/// What a device's person was told and has seen: the simulation's own record, against which the
/// store is held.
struct Diary: Sendable {
  /// A message, by what no server gives it.
  struct Key: Hashable, Sendable {
    let sender: String
    let id: EventID
  }

  /// A draft that `send` accepted.
  struct Written: Sendable {
    let id: EventID
    let conversation: String
    var text: String
    /// Whether its text may be another one by now.
    var isChanged = false
    /// Whether it may be gone: taken back before anybody had it.
    var mayBeGone = false
  }

  private let account: String
  private(set) var written: [Written] = []
  /// Texts that were, or may have been, wiped here by the person's word.
  private(set) var wiped: Set<Key> = []
  private(set) var maybeWiped: Set<Key> = []
  /// Allowed to fall from failed to pending.
  private var retried: Set<EventID> = []
  /// Given up at some time: its place in the order is free.
  private(set) var hasFailed: Set<EventID> = []
  /// When each event that was ever in the outbox got its place there: a rising count.
  private(set) var places: [EventID: Int] = [:]
  /// The outbox's own number of it, by which a new place is noticed.
  private var numbers: [EventID: Int64] = [:]
  /// Where the overview moved the cursor over items that were not pulled, in this epoch.
  private(set) var jumps: [ClosedRange<Int64>] = []
  /// By conversation, where each epoch of the server begins in the local numbering.
  private(set) var bases: [String: [(epoch: Int64, base: Int64)]] = [:]

  /// By conversation, the local seqs of events that this device ever had.
  private(set) var held: [String: Set<Int64>] = [:]

  private var placed = 0
  private var states: [EventID: Int64] = [:]
  private var tombstones: Set<Key> = []
  private var cursor: Int64 = 0
  private var epoch: Int64?

  init(account: String) { self.account = account }

  // MARK: What the person does

  mutating func wrote(_ id: EventID, _ text: String, in conversation: String) {
    written.append(Written(id: id, conversation: conversation, text: text))
  }

  mutating func changed(_ id: EventID) {
    for place in written.indices where written[place].id == id { written[place].isChanged = true }
  }

  /// A delete of the person; `isCertain` once the store has said so.
  mutating func deleted(_ key: Key, isCertain: Bool) {
    if isCertain { wiped.insert(key) } else { maybeWiped.insert(key) }
    guard key.sender == account else { return }
    for place in written.indices where written[place].id == key.id {
      written[place].mayBeGone = true
    }
  }

  /// Before the call, since a kill in it may leave it done.
  mutating func willRetry(_ id: EventID) { retried.insert(id) }

  /// Its entry may leave the outbox with it, where its message was deleted meanwhile.
  mutating func gaveUp(_ id: EventID) { hasFailed.insert(id) }

  mutating func jumped(_ range: ClosedRange<Int64>) { jumps.append(range) }

  // MARK: What the store shows

  /// Takes note of what is there now, and gives what fell although it may only rise.
  mutating func observe(_ rows: StoreRows) -> [(Invariant, String)] {
    var faults: [(Invariant, String)] = []
    if rows.relayEpoch == epoch, rows.cursor < cursor {
      faults.append((.cursorStandsForItems, "the cursor fell from \(cursor) to \(rows.cursor)"))
    }
    for message in rows.messages {
      let key = Key(sender: message.sender, id: message.eventID)
      if message.deletedSeq != nil {
        if message.text != nil || message.hasContent {
          faults.append((.statesOnlyRise, "tombstone \(message.eventID) has a body"))
        }
      } else if tombstones.contains(key) {
        faults.append((.statesOnlyRise, "tombstone \(message.eventID) came back"))
      }
      guard message.sender == account, let known = states[message.eventID] else { continue }
      let isRetry = known == 2 && message.state == 1 && retried.contains(message.eventID)
      if message.state < known, !isRetry {
        faults.append(
          (.statesOnlyRise, "\(message.eventID) fell from state \(known) to \(message.state)"))
      }
    }
    remember(rows)
    return faults
  }

  /// Forgets what a power loss may have undone, and begins with what is there.
  mutating func begin(with rows: StoreRows) {
    states = [:]
    tombstones = []
    for address in Array(held.keys) {
      // Below the floor nobody can tell what was undone; what was held there stays held.
      let floor = rows.conversations.first { $0.address == address }?.floor ?? 0
      held[address] = held[address]?.filter { $0 < floor }
    }
    if rows.relayEpoch != epoch { jumps = [] }
    for address in Array(bases.keys) {
      bases[address]?.removeAll { $0.epoch > rows.relayEpoch ?? 0 }
    }
    remember(rows)
  }

  private mutating func remember(_ rows: StoreRows) {
    if rows.relayEpoch != epoch {
      jumps = []
      // What was cleared, the server may number anew: nothing here knows it any more.
      let there = Set(rows.messages.map { Key(sender: $0.sender, id: $0.eventID) })
      tombstones.formIntersection(there)
      wiped.formIntersection(there)
      states = states.filter { there.contains(Key(sender: account, id: $0.key)) }
    }
    cursor = rows.cursor
    epoch = rows.relayEpoch
    for message in rows.messages {
      if message.deletedSeq != nil {
        tombstones.insert(Key(sender: message.sender, id: message.eventID))
      }
      if message.sender == account { states[message.eventID] = message.state }
    }
    for entry in rows.outbox {
      if numbers[entry.eventID] != entry.place {
        numbers[entry.eventID] = entry.place
        placed += 1
        places[entry.eventID] = placed
      }
      // What waits for a message that was given up lets everything else go first too.
      if entry.isFailed || rows.waitsForFailed(entry) { hasFailed.insert(entry.eventID) }
    }
    var addresses: [Int64: String] = [:]
    for conversation in rows.conversations { addresses[conversation.id] = conversation.address }
    for message in rows.messages {
      if let seq = message.seq {
        held[addresses[message.conversation] ?? "", default: []].insert(seq)
      }
    }
    for event in rows.events where event.kind != 7 {
      held[addresses[event.conversation] ?? "", default: []].insert(event.seq)
    }
    guard let epoch else { return }
    for conversation in rows.conversations {
      var known = bases[conversation.address] ?? []
      if known.last?.epoch == epoch { known.removeLast() }
      known.append((epoch, conversation.base))
      bases[conversation.address] = known
    }
  }
}
