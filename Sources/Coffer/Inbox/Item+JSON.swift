package import CofferCoding

// The JSON form of an item, described in Keys/formats.md. It is parsed here and nowhere else.

extension Arrival {
  /// Reads one item; whatever is wrong with it stays its own affair.
  package init(_ slice: JSONSlice) {
    var inbox: Int64?
    var envelope: Envelope?
    do throws(ItemFault) {
      let fields = try ItemFields(slice)
      // A sound number lets a spoilt item keep its place in the inbox.
      inbox = try? fields.integer("inbox", .inboxOutOfRange)
      let sound = try fields.envelope()
      envelope = sound
      try fields.refuseUnknown()
      self = .item(Item(sound, try fields.body()))
    } catch {
      self = .spoilt(
        SpoiltItem(inbox: inbox, envelope: envelope, raw: slice.raw, reason: error.reason))
    }
  }
}

private struct ItemFault: Error {
  let reason: QuarantineReason
}

private struct ItemFields {
  static let names = [
    "inbox", "conversation", "seq", "sender", "device", "id", "sent_at", "message",
  ]

  private let object: JSONObject

  init(_ slice: JSONSlice) throws(ItemFault) {
    guard slice.kind == .object else { throw ItemFault(reason: .notAnObject) }
    object = try Self.reading { () throws(JSONValueError) in try JSONObject(slice) }
  }

  func envelope() throws(ItemFault) -> Envelope {
    let device = try integer("device", .deviceOutOfRange)
    guard let device = UInt32(exactly: device) else { throw ItemFault(reason: .deviceOutOfRange) }
    let idText = try string("id")
    guard let id = EventID(idText) else { throw ItemFault(reason: .badID) }
    let envelope = Envelope(
      inbox: object["inbox"] == nil ? nil : try integer("inbox", .inboxOutOfRange),
      conversation: try string("conversation"), seq: try integer("seq", .seqOutOfRange),
      sender: try string("sender"), device: device, id: id,
      sentAt: try integer("sent_at", .timeOutOfRange))
    if let fault = envelope.fault { throw ItemFault(reason: fault) }
    return envelope
  }

  func body() throws(ItemFault) -> Item.Body {
    guard let message = object["message"] else { throw ItemFault(reason: .missingField) }
    let fields = try Self.reading { () throws(JSONValueError) in try JSONObject(message) }
    guard let text = fields["text"] else { throw ItemFault(reason: .missingField) }
    // A field that is not understood would be lost without a word: the item waits, whole.
    guard fields.count == 1 else { throw ItemFault(reason: .unknownField) }
    return .message(text: try Self.reading { () throws(JSONValueError) in try text.string() })
  }

  func refuseUnknown() throws(ItemFault) {
    if !object.keys(besides: Self.names).isEmpty { throw ItemFault(reason: .unknownField) }
  }

  func integer(_ name: String, _ outOfRange: QuarantineReason) throws(ItemFault) -> Int64 {
    guard let value = object[name] else { throw ItemFault(reason: .missingField) }
    do throws(JSONValueError) { return try value.int64() } catch {
      switch error {
      case .outOfRange: throw ItemFault(reason: outOfRange)
      default: throw ItemFault(reason: Self.reason(error))
      }
    }
  }

  private func string(_ name: String) throws(ItemFault) -> String {
    guard let value = object[name] else { throw ItemFault(reason: .missingField) }
    return try Self.reading { () throws(JSONValueError) in try value.string() }
  }

  private static func reading<Value>(
    _ body: () throws(JSONValueError) -> Value
  ) throws(ItemFault) -> Value {
    do throws(JSONValueError) { return try body() } catch {
      throw ItemFault(reason: reason(error))
    }
  }

  private static func reason(_ error: JSONValueError) -> QuarantineReason {
    switch error {
    case .wrongKind: .wrongKind
    case .illFormedText: .illFormedText
    case .notAnInteger: .notAnInteger
    case .outOfRange: .notAnInteger
    case .duplicateKey: .duplicateField
    case .tooManyMembers: .unknownField
    }
  }
}

extension Item {
  /// The item in the form in which `Arrival` reads it.
  package var json: [UInt8] {
    JSONWriter().object { item in
      if let inbox = envelope.inbox { item.member("inbox", inbox) }
      item.member("conversation", envelope.conversation)
      if let seq = envelope.seq { item.member("seq", seq) }
      item.member("sender", envelope.sender)
      item.member("device", Int64(envelope.device))
      item.member("id", envelope.id.description)
      item.member("sent_at", envelope.sentAt)
      if case .event(.message(let text, _)) = body {
        item.object("message") { $0.member("text", text) }
      }
    }
  }
}
