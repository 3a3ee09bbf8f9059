import Coffer

/// What the events that a device holds of a conversation amount to, worked out from the server's
/// record alone.
struct ServerView {
  struct Message {
    let key: Diary.Key
    let seq: Int64
    var text: String?
    var isDeleted = false
    var reactions: Set<Reaction> = []
    /// An edit or reaction came before it, which may have been dropped.
    var isUncertain = false
  }

  struct Reaction: Hashable {
    let account: String
    let emoji: String
  }

  private(set) var messages: [Message] = []
  private(set) var title: String?
  private(set) var members: Set<String> = []
  private(set) var isDeleted = false
  /// Only looked up.
  private var places: [Diary.Key: Int] = [:]
  private var seen: Set<Diary.Key> = []
  /// What was said of messages that are not here: only a new numbering brings them later.
  private var deleted: Set<Diary.Key> = []
  private var changed: Set<Diary.Key> = []
  private var cleared: Set<Diary.Key> = []
  /// Whether nobody can tell who is a member and what the title is.
  private(set) var isChangeUncertain = false

  /// Takes the next event; they come in the order of the local numbering.
  mutating func take(_ event: ModelRelay.StoredEvent, at seq: Int64) {
    // The same event at a second seq, after a new epoch, says nothing new.
    let key = Diary.Key(sender: event.sender.account, id: event.id)
    if cleared.contains(key) { isChangeUncertain = true }
    guard seen.insert(key).inserted, let payload = try? Payload(decoding: event.payload),
      payload.id == event.id
    else { return }
    switch payload.event {
    case .message(let text, _):
      places[key] = messages.count
      var message = Message(key: key, seq: seq, text: text)
      message.isUncertain = changed.contains(key)
      if deleted.contains(key) {
        message.text = nil
        message.isDeleted = true
      }
      messages.append(message)
    case .edit(let target, let text):
      change(target, by: key.sender) { if !$0.isDeleted { $0.text = text } }
    case .delete(let target):
      if target.sender == key.sender {
        deleted.insert(Diary.Key(sender: target.sender, id: target.id))
      }
      change(target, by: key.sender) { message in
        message.text = nil
        message.isDeleted = true
        message.reactions = []
      }
    case .reaction(let target, let emoji, let isAdded):
      let reaction = Reaction(account: key.sender, emoji: emoji)
      change(target, by: target.sender) { message in
        if message.isDeleted { return }
        if isAdded {
          message.reactions.insert(reaction)
        } else {
          message.reactions.remove(reaction)
        }
      }
    case .change(let change): take(change, by: key.sender)
    case .receipt: break
    }
  }

  /// Takes an event of which the history is gone here.
  mutating func take(cleared event: ModelRelay.StoredEvent, at seq: Int64) {
    guard let payload = try? Payload(decoding: event.payload), payload.id == event.id,
      case .change(let change) = payload.event
    else { return }
    // Whether a second one counts is a matter of what was cleared before it came.
    let key = Diary.Key(sender: event.sender.account, id: event.id)
    if !cleared.insert(key).inserted || seen.contains(key) { isChangeUncertain = true }
    take(change, by: event.sender.account)
  }

  /// Changes a message, if it is there and this account may.
  private mutating func change(
    _ target: MessageReference, by account: String, _ body: (inout Message) -> Void
  ) {
    guard target.sender == account else { return }
    let key = Diary.Key(sender: target.sender, id: target.id)
    guard let place = places[key] else {
      changed.insert(key)
      return
    }
    body(&messages[place])
  }

  private mutating func take(_ change: ConversationChange, by account: String) {
    switch change {
    case .create(let title, let members):
      self.title = title
      self.members.formUnion(members + [account])
    case .join(let account): members.insert(account)
    case .leave: members.remove(account)
    case .remove(let account): members.remove(account)
    case .title(let title): self.title = title
    case .delete: isDeleted = true
    }
  }
}

extension ModelRelay {
  /// Invariant 9: what a device holds of each conversation, against what the server has.
  func agreementFaults(_ rows: StoreRows, _ diary: Diary, of party: Party) -> [String] {
    guard let place = place(of: party) else { return [] }
    var faults: [String] = []
    for (index, conversation) in conversations.enumerated() {
      let visible = conversation.events.filter { isVisible($0.seq, of: index, to: devices[place]) }
      guard let newest = visible.last?.seq else { continue }
      guard let row = rows.conversations.first(where: { $0.address == conversation.address })
      else {
        faults.append("\(conversation.address) is not there")
        continue
      }
      let seqs = rows.seqs(of: row.id)
      if row.maxSeq != row.base + newest {
        faults.append(
          "\(conversation.address): its highest seq is \(row.maxSeq), not \(row.base + newest)")
      }
      for seq in 1...newest where row.base + seq >= row.floor && seqs.held[row.base + seq] == nil {
        let gap = seqs.gap(at: row.base + seq)
        // What the server said of a stretch was said of our own events in it too.
        let isGone =
          isGone(conversation.events[Int(seq) - 1], of: index)
          || !isVisible(seq, of: index, to: devices[place])
        if gap == nil { faults.append("\(conversation.address): seq \(seq) is nowhere") }
        // Before its time lies what a new numbering began with while it was away.
        let isSeen = isVisible(seq, of: index, to: devices[place])
        if gap?.isOpen == true || isSeen && !isGone {
          faults.append("\(conversation.address): seq \(seq) is served, and still missing")
        }
      }
      let view = view(of: conversation.address, row, seqs, diary, for: place, &faults)
      faults += compare(view, row, rows, diary, of: party)
    }
    return faults
  }

  /// Folds what is held, epoch after epoch.
  private func view(
    of address: String, _ row: StoreRows.Conversation, _ seqs: StoreRows.Seqs, _ diary: Diary,
    for place: Int, _ faults: inout [String]
  ) -> ServerView {
    var view = ServerView()
    // What this device sent comes back without a body: where that was cleared, it is gone.
    var forgotten: Set<EventID> = []
    let bases = diary.bases[address] ?? []
    for local in (diary.held[address] ?? []).sorted() {
      guard let span = bases.last(where: { $0.base < local }) else { continue }
      let all = span.epoch <= past.count ? past[Int(span.epoch) - 1] : conversations
      let seq = local - span.base
      guard let conversation = all.first(where: { $0.address == address }),
        seq <= conversation.newest
      else {
        faults.append("\(address): seq \(local) is held, and the server never had it")
        continue
      }
      let event = conversation.events[Int(seq) - 1]
      guard let holder = seqs.held[local] else {
        // Cleared since: what it said of the conversation still counts.
        view.take(cleared: event, at: local)
        if event.sender == devices[place].party { forgotten.insert(event.id) }
        continue
      }
      if holder.isNone { continue }
      if holder.key != Diary.Key(sender: event.sender.account, id: event.id) {
        faults.append("\(address): seq \(local) is another event than the server's")
      }
      if event.sender == devices[place].party,
        forgotten.contains(event.id) || row.clearedSeq > 0 && holder.isUnreadable
      {
        continue
      }
      view.take(event, at: local)
    }
    return view
  }

  private func compare(
    _ view: ServerView, _ row: StoreRows.Conversation, _ rows: StoreRows, _ diary: Diary,
    of party: Party
  ) -> [String] {
    var faults: [String] = []
    var there: [Diary.Key: StoreRows.Message] = [:]
    for message in rows.messages where message.conversation == row.id && message.seq != nil {
      there[Diary.Key(sender: message.sender, id: message.eventID)] = message
    }
    for expected in view.messages {
      guard let found = there.removeValue(forKey: expected.key) else {
        faults.append("\(row.address): message \(expected.key.id) is not there")
        continue
      }
      if found.seq != expected.seq {
        faults.append(
          "\(row.address): message \(expected.key.id) is at \(found.seq ?? 0), not \(expected.seq)")
      }
      let isWiped = diary.wiped.contains(expected.key)
      let mayBeWiped = diary.maybeWiped.contains(expected.key) && found.text == nil
      if isWiped || mayBeWiped {
        if found.text != nil { faults.append("\(row.address): a deleted message has a text") }
        continue
      }
      if expected.isUncertain, !expected.isDeleted { continue }
      if found.text != expected.text || (found.deletedSeq != nil) != expected.isDeleted {
        faults.append(
          "\(row.address): message \(expected.key.id) says \(found.text ?? "-"), not "
            + "\(expected.text ?? "-")")
      }
      let reactions = Set(
        rows.reactions.filter { $0.message == found.id && $0.isAdded }.map {
          ServerView.Reaction(account: $0.account, emoji: $0.emoji)
        })
      if reactions != expected.reactions {
        faults.append(
          "\(row.address): message \(expected.key.id) has \(reactions.count) reactions, not "
            + "\(expected.reactions.count)")
      }
    }
    if let extra = there.values.map(\.eventID.description).min() {
      faults.append("\(row.address): message \(extra) is there, and the server never had it")
    }
    if view.isChangeUncertain { return faults }
    // A conversation that was made here has its title before the server has taken it.
    if let title = view.title, row.title != title {
      faults.append("\(row.address): its title is \(row.title ?? "-"), not \(title)")
    }
    let members = Set(
      rows.members.filter { $0.conversation == row.id && $0.isCurrent }.map(\.account))
    if members != view.members {
      faults.append(
        "\(row.address): its members are \(members.sorted()), not \(view.members.sorted())")
    }
    return faults
  }
}
