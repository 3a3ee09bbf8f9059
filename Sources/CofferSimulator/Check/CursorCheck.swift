import Coffer

// Invariants 1, 2, 3 and 6, from the rows alone and what the server and the person know.

extension StoreRows {
  /// What holds each seq of a conversation, and what is said to be missing.
  struct Seqs {
    struct Holder {
      let key: Diary.Key
      /// Whether it says that this device was never to have the seq.
      var isNone = false
      var isUnreadable = false
    }

    var held: [Int64: Holder] = [:]
    var gaps: [Gap] = []

    func gap(at seq: Int64) -> Gap? { gaps.first { $0.first <= seq && seq <= $0.last } }
  }

  func seqs(of conversation: Int64) -> Seqs {
    var seqs = Seqs()
    for row in messages where row.conversation == conversation {
      guard let seq = row.seq else { continue }
      seqs.held[seq] = Seqs.Holder(key: Diary.Key(sender: row.sender, id: row.eventID))
    }
    for row in events where row.conversation == conversation {
      seqs.held[row.seq] = Seqs.Holder(
        key: Diary.Key(sender: row.sender ?? "", id: row.eventID), isNone: row.kind == 7,
        isUnreadable: row.kind == 1)
    }
    seqs.gaps = gaps.filter { $0.conversation == conversation }
    return seqs
  }

  /// Invariant 2, seq by seq.
  var seqFaults: [String] {
    var faults: [String] = []
    for conversation in conversations {
      var seen: [Int64: Int] = [:]
      for row in messages where row.conversation == conversation.id {
        if let seq = row.seq { seen[seq, default: 0] += 1 }
      }
      for row in events where row.conversation == conversation.id { seen[row.seq, default: 0] += 1 }
      let holes = gaps.filter { $0.conversation == conversation.id }
      for gap in holes { for seq in gap.first...gap.last { seen[seq, default: 0] += 1 } }
      for (left, right) in zip(holes, holes.dropFirst())
      where left.last + 1 == right.first && left.isOpen == right.isOpen {
        faults.append("\(conversation.address): gaps touch at \(right.first)")
      }
      let floor = conversation.floor
      if floor <= conversation.maxSeq {
        for seq in floor...conversation.maxSeq where seen[seq] != 1 {
          faults.append("\(conversation.address): seq \(seq) is there \(seen[seq] ?? 0) times")
        }
      }
      let outside = seen.keys.filter { $0 < floor || $0 > conversation.maxSeq }.sorted()
      if let seq = outside.first {
        faults.append("\(conversation.address): seq \(seq) lies outside its range")
      }
    }
    return faults
  }

  /// Invariant 6.
  var derivedFaults: [String] {
    var faults: [String] = []
    for conversation in conversations {
      let rows = messages.filter { $0.conversation == conversation.id }
      let unread = rows.count {
        $0.state == 0 && $0.deletedSeq == nil && $0.seq ?? 0 > conversation.readSeq
      }
      if unread != conversation.unread {
        faults.append("\(conversation.address): \(unread) unread, not \(conversation.unread)")
      }
      // Pending messages stand last; a tombstone that nobody else knows of is not shown.
      let pending = rows.last { $0.seq == nil && $0.deletedSeq == nil }
      let placed = rows.filter { $0.seq != nil }.max { ($0.seq ?? 0) < ($1.seq ?? 0) }
      if (pending ?? placed)?.id != conversation.newestID {
        faults.append("\(conversation.address): the preview is not the newest message")
      }
    }
    return faults
  }

  /// Invariant 3.
  func draftFaults(_ diary: Diary, of account: String) -> [String] {
    var faults: [String] = []
    var own: [EventID: Message] = [:]
    for row in messages where row.sender == account { own[row.eventID] = row }
    for draft in diary.written {
      guard let row = own[draft.id] else {
        if draft.mayBeGone || isCleared(draft, diary) { continue }
        faults.append("draft \(draft.id) is not there")
        continue
      }
      if !draft.isChanged, row.deletedSeq == nil, row.text != draft.text {
        faults.append("draft \(draft.id) has another text")
      }
    }
    return faults
  }

  /// Whether a message that was acknowledged may have gone with the history.
  private func isCleared(_ draft: Diary.Written, _ diary: Diary) -> Bool {
    guard let row = conversations.first(where: { $0.address == draft.conversation }) else {
      return false
    }
    return row.clearedSeq > 0 && !outbox.contains { $0.eventID == draft.id }
  }
}

extension ModelRelay {
  /// Invariant 1: what lies at or below a device's cursor, and what came ahead of it.
  func cursorFaults(_ rows: StoreRows, _ diary: Diary, of party: Party) -> [String] {
    guard let place = place(of: party), rows.relayEpoch == epoch else { return [] }
    var faults: [String] = []
    let device = devices[place]
    if device.released > rows.cursor {
      faults.append(
        "the server may discard up to \(device.released), and the cursor is \(rows.cursor)")
    }
    if rows.cursor > Int64(device.inbox.count) {
      faults.append("the cursor \(rows.cursor) is above the inbox's head")
    }
    var seqs: [Int64: StoreRows.Seqs] = [:]
    let numbers = Array(1...max(1, min(rows.cursor, Int64(device.inbox.count)))) + rows.ahead
    for number in numbers
    where number <= device.inbox.count && (number <= rows.cursor || rows.ahead.contains(number)) {
      let item = device.inbox[Int(number) - 1]
      let isJumped = diary.jumps.contains { $0.contains(number) }
      if rows.quarantine.contains(where: { $0.inbox == number }) { continue }
      guard
        let conversation = rows.conversations.first(where: {
          $0.address == item.envelope.conversation
        })
      else {
        if !isJumped { faults.append("item \(number): its conversation is not there") }
        continue
      }
      let known = seqs[conversation.id] ?? rows.seqs(of: conversation.id)
      seqs[conversation.id] = known
      if let fault = fault(of: item, isJumped, conversation, known, rows, party) {
        faults.append("item \(number) (\(conversation.address)): \(fault)")
      }
    }
    return faults
  }

  private func fault(
    of item: RelayItem, _ isJumped: Bool, _ conversation: StoreRows.Conversation,
    _ known: StoreRows.Seqs, _ rows: StoreRows, _ party: Party
  ) -> String? {
    if let seq = item.envelope.seq {
      let local = seq + conversation.base
      if local < conversation.floor { return nil }
      if let holder = known.held[local] {
        let key = Diary.Key(sender: item.envelope.sender, id: item.envelope.id)
        return holder.key == key ? nil : "seq \(local) is held by another event"
      }
      guard known.gap(at: local) != nil else { return "seq \(local) is neither held nor missing" }
      return isJumped ? nil : "seq \(local) is said to be missing"
    }
    if isJumped { return nil }
    switch item.content {
    case .accepted: return nil
    case .expunged(let range):
      let isMarked = rows.messages.filter { $0.conversation == conversation.id }.allSatisfy {
        guard let seq = $0.seq, range.contains(seq - conversation.base) else { return true }
        return $0.isExpunged || $0.deletedSeq != nil
      }
      return isMarked ? nil : "\(range) is not marked as expunged"
    case .payload(let bytes):
      guard let payload = try? Payload(decoding: bytes), case .receipt(let receipt) = payload.event
      else { return nil }
      // Zero is no place, in whichever numbering.
      let read = receipt.read > 0 ? receipt.read + conversation.base : 0
      let delivered = receipt.delivered > 0 ? receipt.delivered + conversation.base : 0
      if item.envelope.sender == party.account {
        return conversation.readSeq >= read ? nil : "our own read marker is lost"
      }
      let mark = rows.receipts.first {
        $0.conversation == conversation.id && $0.account == item.envelope.sender
      }
      let isThere = mark?.read ?? 0 >= read && mark?.delivered ?? 0 >= delivered
      return isThere ? nil : "the receipt of \(item.envelope.sender) is lost"
    }
  }
}
