package import Coffer
import CofferCrypto
import CofferDatabase

// What a device asks for.

extension ModelRelay {
  package func inbox(
    of party: Party, after cursor: Int64, limit: Int
  ) throws(RelayError) -> InboxPage {
    let device = devices[try registered(party)]
    let head = Int64(device.inbox.count)
    if cursor < device.discarded { throw .expired(head: head, epoch: epoch) }
    // A cursor of another numbering gets an empty page, and learns the epoch from it.
    guard cursor < head else {
      return InboxPage(epoch: epoch, base: cursor, next: cursor, more: false, items: [])
    }
    let next = min(head, cursor + Int64(limit))
    return InboxPage(
      epoch: epoch, base: cursor, next: next, more: next < head,
      items: Array(device.inbox[Int(cursor)..<Int(next)]))
  }

  package mutating func release(
    _ party: Party, upTo number: Int64, epoch: Int64
  ) throws(RelayError) {
    let place = try registered(party)
    guard epoch == self.epoch else { return }
    let upTo = min(number, Int64(devices[place].inbox.count))
    devices[place].released = max(devices[place].released, upTo)
    devices[place].discarded = max(devices[place].discarded, upTo)
  }

  package func overview(of party: Party) throws(RelayError) -> Overview {
    let device = devices[try registered(party)]
    var heads: [Overview.Head] = []
    for index in conversations.indices {
      let conversation = conversations[index]
      let visible = conversation.events.filter { isVisible($0.seq, of: index, to: device) }
      guard let first = visible.first, let last = visible.last else { continue }
      heads.append(
        Overview.Head(
          conversation: conversation.address, from: first.seq, newestSeq: last.seq,
          newest: isServed(last, of: index, to: party) ? item(last, of: index, for: party) : nil,
          receipts: Dictionary(uniqueKeysWithValues: conversation.receipts),
          digest: digest(of: index, first.seq...last.seq, for: device)))
    }
    return Overview(epoch: epoch, head: Int64(device.inbox.count), conversations: heads)
  }

  /// Answers from the top of the range, and not for more than `historyLimit` seqs.
  package func history(
    of address: String, _ range: ClosedRange<Int64>, for party: Party
  ) throws(RelayError) -> History {
    let device = devices[try registered(party)]
    guard let index = index(of: address),
      let newest = conversations[index].events.last(where: {
        isVisible($0.seq, of: index, to: device)
      })?.seq
    else { throw .refused(.unknownConversation) }
    let last = min(range.upperBound, newest)
    let first = max(range.lowerBound, 1, last - Self.historyLimit + 1)
    guard first <= last else { return History(epoch: epoch, answers: []) }
    let answers = conversations[index].events[Int(first) - 1..<Int(last)].map {
      event -> History.Answer in
      if !isVisible(event.seq, of: index, to: device) { return .none(event.seq) }
      if !isServed(event, of: index, to: party) { return .gone(event.seq) }
      return .item(item(event, of: index, for: party))
    }
    return History(epoch: epoch, answers: answers)
  }

  private static let historyLimit: Int64 = 25

  /// Whether a device still gets an event: what it sent itself has no body, and is never gone.
  func isServed(_ event: StoredEvent, of index: Int, to party: Party) -> Bool {
    event.sender == party || !isGone(event, of: index)
  }

  func isGone(_ event: StoredEvent, of index: Int) -> Bool {
    event.seq <= conversations[index].goneUpTo || event.isExpunged
  }

  /// What a device's last seqs should hold; nothing where some of them are gone.
  private func digest(
    of index: Int, _ range: ClosedRange<Int64>, for device: Device
  ) -> [UInt8]? {
    let first = max(range.lowerBound, range.upperBound - Overview.digestLength + 1)
    var bytes: [UInt8] = []
    for event in conversations[index].events[Int(first) - 1..<Int(range.upperBound)] {
      let isVisible = isVisible(event.seq, of: index, to: device)
      if isVisible, !isServed(event, of: index, to: device.party) { return nil }
      let id = event.id.bytes
      for word in [UInt64(event.seq), isVisible ? id.high : 0, isVisible ? id.low : 0] {
        for shift in stride(from: 56, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
      }
    }
    return try? unsafe BLAKE2b.hash(bytes.span.bytes)
  }
}

// What a server does of its own accord.

extension ModelRelay {
  /// Serves nothing of a conversation up to a seq any more.
  package mutating func cutHistory(of address: String, upTo seq: Int64) {
    guard let index = index(of: address) else { return }
    conversations[index].goneUpTo = max(
      conversations[index].goneUpTo, min(seq, conversations[index].newest))
  }

  /// Discards what a device left in its inbox for too long.
  package mutating func cutInbox(of party: Party, upTo number: Int64) {
    guard let place = place(of: party) else { return }
    devices[place].discarded = max(
      devices[place].discarded, min(number, Int64(devices[place].inbox.count)))
  }

  /// Serves a stretch of a conversation no longer and says so to everyone who had it.
  package mutating func expunge(
    _ range: ClosedRange<Int64>, of address: String, id: EventID, at now: Int64
  ) {
    guard let index = index(of: address), range.upperBound <= conversations[index].newest,
      let first = conversations[index].members.first
    else { return }
    for seq in range { conversations[index].events[Int(seq) - 1].isExpunged = true }
    let envelope = Envelope(
      conversation: address, seq: nil, sender: first.account, device: 1, id: id, sentAt: now)
    for place in devices.indices
    where conversations[index].has(devices[place].party.account) {
      deliver(envelope, .expunged(range), to: place)
    }
  }

  /// Gives out an event that no honest device would send, under somebody's name.
  package mutating func inject(
    payload: [UInt8], id: EventID, to address: String, from party: Party, at now: Int64
  ) {
    guard let index = index(of: address) else { return }
    append(payload: payload, id: id, sentAt: now, from: party, to: index)
  }

  package func head(of party: Party) -> Int64 {
    place(of: party).map { Int64(devices[$0].inbox.count) } ?? 0
  }

  package var addresses: [String] { conversations.map(\.address) }
}
