package import CofferCoding

// The JSON form of an item, described in Keys/formats.md. It is read here, and written in
// Item+JSON.swift.

extension Arrival {
  /// Reads one item; whatever is wrong with it stays its own affair.
  package init(_ slice: JSONSlice) {
    var inbox: Int64?
    var envelope: Envelope?
    do throws(ItemFault) {
      guard slice.kind == .object else { throw ItemFault(reason: .notAnObject) }
      var fields = try JSONEventFields(slice)
      // A sound number lets a spoilt item keep its place in the inbox.
      inbox = try? fields.integer("inbox", .inboxOutOfRange)
      let sound = try Envelope(&fields)
      envelope = sound
      let kind = try ItemKind(&fields)
      let item = try kind.item(sound, &fields)
      if let fault = item.seqFault { throw ItemFault(reason: fault) }
      self = .item(item)
    } catch {
      self = .spoilt(
        SpoiltItem(inbox: inbox, envelope: envelope, raw: slice.raw, reason: error.reason))
    }
  }
}

extension Envelope {
  fileprivate init(_ fields: inout JSONEventFields) throws(ItemFault) {
    let device = try fields.integer("device", .deviceOutOfRange)
    guard let device = UInt32(exactly: device) else { throw ItemFault(reason: .deviceOutOfRange) }
    let id = try fields.id("id")
    self.init(
      inbox: fields.has("inbox") ? try fields.integer("inbox", .inboxOutOfRange) : nil,
      conversation: try fields.text("conversation"),
      seq: fields.has("seq") ? try fields.integer("seq", .seqOutOfRange) : nil,
      sender: try fields.text("sender"), device: device, id: id,
      sentAt: try fields.integer("sent_at", .timeOutOfRange))
    if let fault { throw ItemFault(reason: fault) }
  }
}

/// The one member of an item besides its envelope.
private enum ItemKind {
  case event(Event.Kind)
  case accepted
  case expunged
  case payload

  private static let all: [ItemKind] =
    Event.Kind.allCases.map { .event($0) } + [.accepted, .expunged, .payload]

  private var name: String {
    switch self {
    case .event(let kind): kind.rawValue
    case .accepted: "accepted"
    case .expunged: "expunged"
    case .payload: "payload"
    }
  }

  /// What kind of item these are the fields of, and nothing besides.
  init(_ fields: inout JSONEventFields) throws(ItemFault) {
    let kinds = Self.all.filter { fields.has($0.name) }
    guard kinds.count < 2 else { throw ItemFault(reason: .severalKinds) }
    try fields.refuseUnknown(besides: kinds.map(\.name))
    guard let kind = kinds.first else { throw ItemFault(reason: .missingField) }
    self = kind
  }

  func item(
    _ envelope: Envelope, _ fields: inout JSONEventFields
  ) throws(ItemFault) -> Item {
    switch self {
    case .event(let kind):
      return Item(envelope, .event(try Event(kind, try fields.fields(name))))
    case .accepted:
      try fields.flag(name)
      return Item(envelope, .accepted)
    case .expunged:
      return Item(envelope, .expunged(try Self.seqs(try fields.fields(name))))
    case .payload:
      guard let payload = Base64.decode(try fields.text(name)) else {
        throw ItemFault(reason: .badPayload)
      }
      return try Payload(decoding: payload).item(in: envelope)
    }
  }

  private static func seqs(
    _ fields: consuming JSONEventFields
  ) throws(ItemFault) -> ClosedRange<Int64> {
    let first = try fields.integer("first", .seqOutOfRange)
    let last = try fields.integer("last", .seqOutOfRange)
    try fields.refuseUnknown()
    guard first >= 1, first <= last else { throw ItemFault(reason: .seqOutOfRange) }
    return first...last
  }
}
