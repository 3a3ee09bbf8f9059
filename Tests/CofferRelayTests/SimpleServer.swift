import Coffer
import Testing

/// A server as simple as it can be told: who got what is noted when it happens.
struct SimpleServer {
  struct Device: Hashable {
    var account: String
    var number: UInt32
  }

  struct Event {
    var id: EventID
    var sender: Device
    var isGone = false
  }

  enum Waiting: Equatable {
    case event(Int64)
    case receipt(String)
    case expunged(ClosedRange<Int64>)
  }

  /// Of one conversation: the relay keeps conversations apart by their rows.
  var events: [Event] = []
  var members: Set<String> = []
  var isDeleted = false
  /// The seqs that an account may see, whether it has devices or not.
  var seen: [String: Set<Int64>] = [:]
  /// The seqs that a device may see.
  var visible: [Device: Set<Int64>] = [:]
  var inbox: [Device: [(number: Int64, Waiting)]] = [:]
  var head: [Device: Int64] = [:]
  var floor: [Device: Int64] = [:]
  var receipts: [String: Receipt] = [:]

  var devices: [Device] {
    visible.keys.sorted { ($0.account, $0.number) < ($1.account, $1.number) }
  }

  var newest: Int64 { Int64(events.count) }

  mutating func register(_ device: Device) {
    guard visible[device] == nil else { return }
    let isFirst = !visible.keys.contains { $0.account == device.account }
    visible[device] = isFirst ? seen[device.account, default: []] : []
    floor[device] = 0
    head[device] = 0
    inbox[device] = []
    for seq in visible[device, default: []].sorted() where !events[Int(seq) - 1].isGone {
      put(.event(seq), to: device)
    }
  }

  private mutating func put(_ waiting: Waiting, to device: Device) {
    head[device, default: 0] += 1
    inbox[device, default: []].append((head[device, default: 0], waiting))
  }

  mutating func send(_ id: EventID, from sender: Device, _ change: ConversationChange?) {
    events.append(Event(id: id, sender: sender))
    var reached = members
    switch change {
    case .create(_, let named): members = Set(named + [sender.account])
    case .join(let account): members.insert(account)
    case .leave: members.remove(sender.account)
    case .remove(let account): members.remove(account)
    case .delete: isDeleted = true
    case .title, nil: break
    }
    reached.formUnion(members)
    for account in reached { seen[account, default: []].insert(newest) }
    for device in devices where reached.contains(device.account) {
      visible[device, default: []].insert(newest)
      put(.event(newest), to: device)
    }
  }

  mutating func take(_ receipt: Receipt, from sender: Device) {
    let known = receipts[sender.account] ?? Receipt(delivered: 0, read: 0)
    let raised = Receipt(
      delivered: max(known.delivered, receipt.delivered), read: max(known.read, receipt.read))
    guard raised != known else { return }
    receipts[sender.account] = raised
    for device in devices where device != sender && members.contains(device.account) {
      inbox[device, default: []].removeAll { $0.1 == .receipt(sender.account) }
      put(.receipt(sender.account), to: device)
    }
  }

  mutating func release(_ number: Int64, of device: Device) {
    discard(upTo: min(number, head[device, default: 0]), of: device)
  }

  private mutating func discard(upTo number: Int64, of device: Device) {
    floor[device] = max(floor[device, default: 0], number)
    inbox[device, default: []].removeAll { $0.number <= number }
  }

  mutating func cut(below seq: Int64) {
    for device in devices {
      let lost = drop(from: device) { $0 < seq }
      if let last = lost.max() { discard(upTo: last, of: device) }
    }
    for index in events.indices where Int64(index + 1) < seq { events[index].isGone = true }
  }

  mutating func expunge(_ range: ClosedRange<Int64>) {
    for device in devices {
      drop(from: device) { range.contains($0) }
      if members.contains(device.account) { put(.expunged(range), to: device) }
    }
    for seq in range { events[Int(seq) - 1].isGone = true }
  }

  /// Takes the bodies out of an inbox; gives the numbers they had.
  @discardableResult
  private mutating func drop(
    from device: Device, where isLost: (Int64) -> Bool
  ) -> [Int64] {
    var lost: [Int64] = []
    let events = events
    inbox[device, default: []].removeAll { number, waiting in
      guard case .event(let seq) = waiting, isLost(seq), events[Int(seq) - 1].sender != device
      else { return false }
      lost.append(number)
      return true
    }
    return lost
  }

  mutating func beginEpoch() {
    events = []
    receipts = [:]
    seen = [:]
    for device in devices {
      visible[device] = []
      inbox[device] = []
      (head[device], floor[device]) = (0, 0)
    }
  }

  // MARK: What it would answer

  func told(_ seq: Int64, to device: Device) -> String {
    let event = events[Int(seq) - 1]
    if visible[device]?.contains(seq) != true { return "\(seq) none" }
    if event.sender == device { return "\(seq) accepted" }
    return event.isGone ? "\(seq) gone" : "\(seq) \(event.id)"
  }

  func waiting(for device: Device) -> [String] {
    inbox[device, default: []].map { number, waiting in
      switch waiting {
      case .event(let seq): return "\(number): \(told(seq, to: device))"
      case .receipt(let account):
        let receipt = receipts[account] ?? Receipt(delivered: 0, read: 0)
        return "\(number): \(account) has \(receipt.delivered), read \(receipt.read)"
      case .expunged(let range):
        return "\(number): expunged \(range.lowerBound)-\(range.upperBound)"
      }
    }
  }
}
