import CofferSystem
import Coffer

// What is done from outside: by persons, by the server, to machines.

extension World {
  func interfere() async throws {
    // A while passes between two acts, but never more than until the next thing happens.
    let pause = Int64(random.skewed(1...20_000))
    clock.advance(to: min(clock.now + pause, schedule.nextTime ?? .max))
    let device = Int.random(in: devices.indices, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<options.deaths: try doom(device)
    case ..<(options.deaths + 6): goOffline(device)
    case ..<(options.deaths + 8): jump(device)
    case ..<(options.deaths + 16): interfereAsServer()
    default:
      guard let rows = try await devices[device].rows(),
        let act = person.act(on: rows, of: devices[device].party, &random)
      else { return }
      try await perform(act, by: device)
    }
  }

  // MARK: Machines

  private func doom(_ device: Int) throws {
    guard devices[device].store != nil, !devices[device].isDoomed else { return }
    if random.one(in: 3) {
      try devices[device].doom(.powerLoss, inCalls: random.skewed(1...40))
    } else {
      try devices[device].doom(
        .kill(atMoment: random.skewed(1...150)), inCalls: random.skewed(1...12))
    }
  }

  private func goOffline(_ device: Int) {
    guard devices[device].isOnline else { return }
    report.levers.pull(.offline)
    devices[device].isOnline = false
    let pause = Int64(random.skewed(500...1_200_000))
    schedule.plan(.online(device: device), at: clock.now + pause)
    if devices[device].store != nil { hear(.disconnected, device) }
  }

  private func jump(_ device: Int) {
    report.levers.pull(.clockJump)
    let distance = Int64(random.skewed(1_000...40 * 86_400_000))
    devices[device].clock.jump(by: random.one(in: 2) ? distance : -distance)
  }

  // MARK: The server

  private func interfereAsServer() {
    guard let address = server.addresses.randomElement(using: &random) else { return }
    let newest = server.newest(of: address)
    guard newest > 0 else { return }
    let party = server.parties.randomElement(using: &random)
    switch Int.random(in: 0..<18, using: &random) {
    case 0, 1:
      report.levers.pull(.cutHistory)
      server.cutHistory(of: address, upTo: Int64.random(in: 1...newest, using: &random))
    case 2...4:
      guard let party else { return }
      report.levers.pull(.cutInbox)
      server.cutInbox(of: party, upTo: Int64.random(in: 0...server.head(of: party), using: &random))
    case 5, 6:
      report.levers.pull(.expunge)
      let first = Int64.random(in: 1...newest, using: &random)
      server.expunge(
        first...min(newest, first + Int64(random.skewed(0...5))), of: address, id: freshID(),
        at: clock.now)
    case 7:
      report.levers.pull(.newEpoch)
      beginEpoch()
    case 8...11: inject(into: address, isDelete: false)
    case 12...14: inject(into: address, isDelete: true)
    default:
      guard let party else { return }
      report.levers.pull(.unreadable)
      let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
      server.inject(
        payload: bytes, id: freshID(), to: address,
        from: ModelRelay.Party(party.account, Self.strange), at: clock.now)
    }
    spreadPushes()
  }

  /// A device that no account of the simulation owns to.
  private static let strange: UInt32 = 9

  private func freshID() -> EventID {
    EventID(
      high: UInt64(clock.now) << 16 | 0x7000, low: 0x8000_0000_0000_0000 | random.next() >> 2)
  }

  private func beginEpoch() {
    let kind = Int.random(in: 0..<3, using: &random)
    trace("new epoch, kind \(kind)")
    var random = random
    var cuts: [String: Int64] = [:]
    for address in server.addresses {
      cuts[address] = Int64.random(in: 0...server.newest(of: address), using: &random)
    }
    server.beginEpoch { address, seq in
      switch kind {
      case 0: false
      case 1: seq <= cuts[address] ?? 0
      default: true
      }
    }
    self.random = random
  }

  /// An edit or a delete of a message that its sender did not write.
  private func inject(into address: String, isDelete: Bool) {
    guard let target = server.anyMessage(in: address, &random),
      let author = person.accounts.first(where: { $0 != target.sender })
    else { return }
    report.levers.pull(isDelete ? .foreignDelete : .foreignEdit)
    let event = isDelete ? Event.delete(target) : .edit(of: target, text: "forged")
    let id = freshID()
    let payload = Payload(conversation: address, id: id, sentAt: clock.now, event: event)
    server.inject(
      payload: payload.encoded, id: id, to: address,
      from: ModelRelay.Party(author, Self.strange), at: clock.now)
  }

  // MARK: Persons

  /// Does what a person wants, and notes what they were told.
  func perform(_ act: Act, by index: Int) async throws {
    guard devices[index].store != nil else { return }
    let device = devices[index]
    trace("\(device.name) wants \(act.kind)")
    let account = device.party.account
    var isDone = false
    switch act.kind {
    case .send(let draft):
      if case .done(let id) = try await call(
        index, expecting: Self.isRefusal,
        {
          store throws(StoreError) in try await store.send(draft)
        })
      {
        isDone = true
        device.diary.wrote(id, draft.text, in: draft.conversation)
      }
    case .edit(let id, let text):
      // Another device of the account may have written it.
      for other in devices where other.party.account == account { other.diary.changed(id) }
      isDone = try await perform(index) { store throws(StoreError) in
        try await store.edit(id, text: text)
      }
    case .delete(let reference):
      let key = Diary.Key(sender: reference.sender, id: reference.id)
      device.diary.deleted(key, isCertain: false)
      isDone = try await perform(index) { store throws(StoreError) in
        try await store.delete(reference)
      }
      if isDone { device.diary.deleted(key, isCertain: true) }
    case .cancel(let id):
      // A message is deleted with it; for anything else this says nothing.
      let key = Diary.Key(sender: account, id: id)
      device.diary.deleted(key, isCertain: false)
      isDone = try await perform(index) { store throws(StoreError) in try await store.cancel(id) }
      if isDone { device.diary.deleted(key, isCertain: true) }
    case .retry(let id):
      device.diary.willRetry(id)
      isDone = try await perform(index) { store throws(StoreError) in try await store.retry(id) }
    case .react(let reference, let emoji, let isAdded):
      isDone = try await perform(index) { store throws(StoreError) in
        try await store.react(to: reference, emoji: emoji, isAdded: isAdded)
      }
    case .markRead(let address, let seq):
      isDone = try await perform(index) { store throws(StoreError) in
        try await store.markRead(address, upTo: seq)
      }
    case .clear(let address):
      isDone = try await perform(index) { store throws(StoreError) in
        try await store.clear(address)
      }
    case .draft(let text, let address):
      isDone = try await perform(index) { store throws(StoreError) in
        try await store.setDraft(text, for: address)
      }
    case .change(let address, let change):
      isDone = try await perform(index) { store throws(StoreError) in
        try await store.change(address, change)
      }
    }
    if isDone { report.levers.pull(act.lever) }
    if device.store != nil { wakeOutbox(index) }
  }

  private func perform<Result>(
    _ index: Int, _ body: (Store) async throws(StoreError) -> Result
  ) async throws -> Bool {
    if case .done = try await call(index, expecting: Self.isRefusal, body) { return true }
    return false
  }

  /// What a person may be told: the row is gone, or is in no state for it.
  private static func isRefusal(_ error: StoreError) -> Bool {
    switch error {
    case .unknownEvent, .unknownConversation, .conflict: true
    default: false
    }
  }
}

extension ModelRelay {
  func newest(of address: String) -> Int64 {
    index(of: address).map { conversations[$0].newest } ?? 0
  }

  /// A message of a conversation, by what names it.
  func anyMessage(in address: String, _ random: inout SplitMix64) -> MessageReference? {
    guard let index = index(of: address),
      let event = conversations[index].events.randomElement(using: &random),
      let payload = try? Payload(decoding: event.payload), case .message = payload.event
    else { return nil }
    return MessageReference(sender: event.sender.account, id: event.id)
  }
}
