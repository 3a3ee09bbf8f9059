import Coffer
import Testing

@testable import CofferRelay

/// Whatever happens to a conversation, every answer is what a simple model gives.
@Suite struct RandomRelayTests {
  @Test func everySeqIsAccountedForAsInASimpleModel() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = Seeded(seed)
    for round in 0..<6 {
      let world = try await RelayFile().open()
      var run = Run(world: world, random: random, note: "seed \(seed), round \(round)")
      try await run.begin()
      for step in 1...120 {
        try await run.step()
        if step.isMultiple(of: 10) { try await run.check() }
      }
      random = run.random
      await world.relay.close()
    }
  }
}

private struct Run {
  let world: EmbeddedWorld
  var random: Seeded
  let note: String
  var server = SimpleServer()
  var count = 0

  private static let accounts = ["ann", "ben", "cid", "dan"]

  mutating func begin() async throws {
    let ann = SimpleServer.Device(account: "ann", number: 1)
    try await register(ann)
    try await send(.change(.create(title: nil, members: ["ben", "cid"])), from: ann)
  }

  private func relay(_ device: SimpleServer.Device) -> any Relay {
    world.connection(device.account, device.number)
  }

  private mutating func register(_ device: SimpleServer.Device) async throws {
    try await relay(device).register()
    server.register(device)
  }

  private mutating func send(_ event: Event, from device: SimpleServer.Device) async throws {
    count += 1
    let outgoing = outgoing(count, event)
    if server.members.isEmpty || server.members.contains(device.account) {
      server.send(outgoing.id, from: device, outgoing.change)
      #expect(try await relay(device).seq(outgoing) == server.newest, "\(note)")
    } else {
      #expect(await relay(device).failure(outgoing) == .refused(.notAMember), "\(note)")
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func step() async throws {
    let device = pick(server.devices)
    let account = pick(Self.accounts)
    let newest = server.newest
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: try await send(.message(text: "m"), from: device)
    case 45..<53: try await send(.change(.join(account)), from: device)
    // Somebody must stay to go on.
    case 53..<58 where account != "ann":
      try await send(.change(.remove(account)), from: device)
    case 58..<60 where device.account != "ann": try await send(.change(.leave), from: device)
    case 60..<68:
      let number = UInt32.random(in: 1...3, using: &random)
      try await register(SimpleServer.Device(account: account, number: number))
    case 68..<82 where server.members.contains(device.account):
      count += 1
      let receipt = Receipt(
        delivered: Int64.random(in: 0...newest, using: &random),
        read: Int64.random(in: 0...newest, using: &random))
      server.take(receipt, from: device)
      try await relay(device).seq(outgoing(count, .receipt(receipt)))
    case 82..<92:
      let number = Int64.random(in: 0...(server.head[device, default: 0] + 2), using: &random)
      server.release(number, of: device)
      try await relay(device).release(
        upTo: number, epoch: try await relay(device).overview().epoch)
    case 92..<95:
      let seq = Int64.random(in: 0...(newest / 2 + 1), using: &random)
      server.cut(below: seq)
      try await world.cutHistory(of: "hiking", below: seq)
    case 95..<98 where newest > 0:
      let first = Int64.random(in: 1...newest, using: &random)
      let last = Int64.random(in: first...newest, using: &random)
      server.expunge(first...last)
      try await world.expunge(first...last, of: "hiking")
    case 99 where Int.random(in: 0..<3, using: &random) == 0:
      server.beginEpoch()
      try await world.beginEpoch()
    default: break
    }
  }

  // MARK: Checks

  func check() async throws {
    for device in server.devices {
      let relay = relay(device)
      let visible = server.visible[device, default: []]
      let overview = try await relay.overview()
      #expect(overview.head == server.head[device], "\(note)")
      try await checkInbox(of: device, epoch: overview.epoch)
      guard let first = visible.min(), let last = visible.max() else {
        #expect(overview.conversations.isEmpty, "\(note)")
        continue
      }
      let head = try #require(overview.conversations.first, "\(note)")
      #expect(head.from == first && head.newestSeq == last, "\(note)")
      #expect(head.receipts == server.receipts, "\(note)")
      #expect(head.digest == digest(first...last, device), "\(note)")
      let history = try await relay.history(of: "hiking", 1...(server.newest + 3))
      let expected = (1...last).map { server.told($0, to: device) }
      #expect(history.answers.map(Self.told) == expected, "\(note)")
      let expectedNewest = expected.last.flatMap { $0.hasSuffix("gone") ? nil : $0 }
      #expect(head.newest.map(Self.told) == expectedNewest, "\(note)")
    }
  }

  private func checkInbox(of device: SimpleServer.Device, epoch: Int64) async throws {
    let floor = server.floor[device, default: 0]
    let items = try await relay(device).pull(after: floor, limit: 7)
    #expect(
      items.map { "\($0.envelope.inbox ?? 0): \(Self.told($0))" } == server.waiting(for: device),
      "\(note)")
    guard floor > 0 else { return }
    await #expect(
      throws: RelayError.expired(head: server.head[device, default: 0], epoch: epoch), "\(note)"
    ) { try await relay(device).inbox(after: floor - 1, limit: 7) }
  }

  private static func told(_ item: RelayItem) -> String {
    guard let seq = item.envelope.seq, case .payload(let bytes) = item.content else {
      return item.told
    }
    let isWhole = (try? Payload(decoding: bytes))?.id == item.envelope.id
    return isWhole ? "\(seq) \(item.envelope.id)" : "\(seq) undecodable"
  }

  private static func told(_ answer: History.Answer) -> String {
    switch answer {
    case .item(let item): told(item)
    case .none(let seq): "\(seq) none"
    case .gone(let seq): "\(seq) gone"
    }
  }

  private func digest(
    _ range: ClosedRange<Int64>, _ device: SimpleServer.Device
  ) -> [UInt8]? {
    let seqs = max(range.lowerBound, range.upperBound - 255)...range.upperBound
    if seqs.contains(where: { server.told($0, to: device).hasSuffix("gone") }) { return nil }
    return try? overviewDigest(
      seqs.map { seq in
        let isHidden = server.told(seq, to: device).hasSuffix("none")
        return (seq, isHidden ? EventID(high: 0, low: 0) : server.events[Int(seq) - 1].id)
      })
  }
}
