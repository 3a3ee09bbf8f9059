package import Coffer

/// The server of a simulation: a pure value that keeps the contract of `Relay`.
///
/// It never forgets anything itself, so that what devices hold can be compared with it; what it
/// discarded is only no longer served. Nothing here is looked through in the order of a hash.
package struct ModelRelay: Sendable {
  /// One device of an account.
  package struct Party: Sendable, Hashable {
    package let account: String
    package let number: UInt32

    package init(_ account: String, _ number: UInt32) {
      self.account = account
      self.number = number
    }
  }

  struct Device: Sendable {
    let party: Party
    /// Item `n` has the number n + 1.
    var inbox: [RelayItem] = []
    /// Nothing up to here is served any more.
    var discarded: Int64 = 0
    /// What the device itself allowed.
    var released: Int64 = 0
    /// By conversation, the first seq since it was registered.
    var floors: [Int64] = []
  }

  struct StoredEvent: Sendable {
    let seq: Int64
    let sender: Party
    let id: EventID
    let sentAt: Int64
    let payload: [UInt8]
    /// Still known, and no longer served.
    var isExpunged = false
  }

  struct Membership: Sendable {
    let account: String
    let since: Int64
    var until: Int64?
  }

  struct Conversation: Sendable {
    let address: String
    /// Event `n` has the seq n + 1.
    var events: [StoredEvent] = []
    /// In the order of their beginning; one account may have several.
    var members: [Membership] = []
    var title: String?
    var isDeleted = false
    /// Nothing up to here is served any more.
    var goneUpTo: Int64 = 0
    var receipts: [(account: String, receipt: Receipt)] = []

    var newest: Int64 { Int64(events.count) }

    func has(_ account: String) -> Bool {
      members.contains { $0.account == account && $0.until == nil }
    }

    var current: [String] { members.filter { $0.until == nil }.map(\.account) }
  }

  private(set) package var epoch: Int64 = 1
  /// The conversations as they were at the end of each epoch before.
  private(set) var past: [[Conversation]] = []
  var devices: [Device] = []
  var conversations: [Conversation] = []
  /// What was answered to whom, for ever; only looked up.
  var answers: [Sent: Answered] = [:]
  /// What is to be pushed, oldest first, until somebody takes it.
  private var pushes: [(to: Party, item: RelayItem)] = []

  package init() {}

  struct Sent: Hashable {
    let account: String
    let id: EventID
  }

  struct Answered: Sendable, Equatable {
    let conversation: String
    let payload: [UInt8]
    let seq: Int64?
  }

  // MARK: Devices

  /// Makes a device known; it may see what comes from now on.
  package mutating func register(_ party: Party) {
    guard place(of: party) == nil else { return }
    devices.append(Device(party: party, floors: conversations.map { $0.newest + 1 }))
  }

  package var parties: [Party] { devices.map(\.party) }

  func place(of party: Party) -> Int? { devices.firstIndex { $0.party == party } }

  func registered(_ party: Party) throws(RelayError) -> Int {
    guard let place = place(of: party) else { throw .refused(.notAllowed) }
    return place
  }

  func index(of address: String) -> Int? {
    conversations.firstIndex { $0.address == address }
  }

  /// Whether a device may have a seq: its account was a member then, and it was registered.
  func isVisible(_ seq: Int64, of conversation: Int, to device: Device) -> Bool {
    let floor = conversation < device.floors.count ? device.floors[conversation] : 1
    return seq >= floor
      && conversations[conversation].members.contains {
        $0.account == device.party.account && seq >= $0.since && seq <= $0.until ?? .max
      }
  }

  /// Whether a device may see anything of a conversation.
  func shows(_ address: String, to party: Party) -> Bool {
    guard let index = index(of: address), let place = place(of: party) else { return false }
    return conversations[index].events.contains {
      isVisible($0.seq, of: index, to: devices[place])
    }
  }

  // MARK: Inboxes

  /// Puts one more item into a device's inbox and has it pushed.
  mutating func deliver(_ envelope: Envelope, _ content: RelayItem.Content, to place: Int) {
    var envelope = envelope
    envelope.inbox = Int64(devices[place].inbox.count) + 1
    let item = RelayItem(envelope, content)
    devices[place].inbox.append(item)
    pushes.append((devices[place].party, item))
  }

  package mutating func takePushes() -> [(to: Party, item: RelayItem)] {
    defer { pushes = [] }
    return pushes
  }

  /// An event as a device gets it.
  func item(_ event: StoredEvent, of conversation: Int, for party: Party) -> RelayItem {
    RelayItem(
      Envelope(
        conversation: conversations[conversation].address, seq: event.seq,
        sender: event.sender.account, device: event.sender.number, id: event.id,
        sentAt: event.sentAt),
      event.sender == party ? .accepted : .payload(event.payload))
  }

  // MARK: A new numbering

  /// Loses its numbering, as after a restore from a backup: of each conversation the events of
  /// `kept` are there and numbered anew, every inbox begins again, and what else was answered is
  /// forgotten.
  package mutating func beginEpoch(keeping kept: (_ address: String, _ seq: Int64) -> Bool) {
    epoch += 1
    let old = conversations
    past.append(old)
    let before = answers
    answers = [:]
    pushes = []
    for place in devices.indices {
      devices[place] = Device(
        party: devices[place].party, floors: old.map { _ in 1 })
    }
    for (index, conversation) in old.enumerated() {
      conversations[index] = Conversation(
        address: conversation.address,
        members: conversation.current.map { Membership(account: $0, since: 1) },
        title: conversation.title, isDeleted: conversation.isDeleted)
      for event in conversation.events
      where kept(conversation.address, event.seq) && event.seq > conversation.goneUpTo
        && !event.isExpunged
      {
        append(
          payload: event.payload, id: event.id, sentAt: event.sentAt, from: event.sender, to: index)
        let sent = Sent(account: event.sender.account, id: event.id)
        if let answer = before[sent] {
          answers[sent] = Answered(
            conversation: answer.conversation, payload: answer.payload,
            seq: conversations[index].newest)
        }
      }
    }
  }

  /// Gives an event the next seq and every device that may see it an item.
  mutating func append(
    payload: [UInt8], id: EventID, sentAt: Int64, from sender: Party, to index: Int
  ) {
    let event = StoredEvent(
      seq: conversations[index].newest + 1, sender: sender, id: id, sentAt: sentAt,
      payload: payload)
    conversations[index].events.append(event)
    for place in devices.indices
    where isVisible(event.seq, of: index, to: devices[place]) {
      let item = item(event, of: index, for: devices[place].party)
      deliver(item.envelope, item.content, to: place)
    }
  }
}
