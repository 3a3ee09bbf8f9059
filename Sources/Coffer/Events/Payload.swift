import CofferCoding

/// What an event's sender hands to the server, and what is sealed where messages are: described in
/// Keys/formats.md.
///
/// The envelope around it is the server's. What both of them say must agree.
package struct Payload: Sendable, Equatable {
  package var conversation: String
  package var id: EventID
  /// Milliseconds since 1970 as the sender's clock had it.
  package var sentAt: Int64
  package var event: Event

  package init(conversation: String, id: EventID, sentAt: Int64, event: Event) {
    self.conversation = conversation
    self.id = id
    self.sentAt = sentAt
    self.event = event
  }

  /// The one encoding of it.
  package var encoded: [UInt8] {
    CBORValue.map([
      CBORMember("conversation", .text(conversation)),
      CBORMember("id", .bytes(id.array)),
      CBORMember("kind", .text(event.kind.rawValue)),
      CBORMember("sent_at", .integer(sentAt)),
      CBORMember("body", event.body),
    ]).encoded
  }

  /// Reads what `encoded` gives, and nothing else.
  ///
  /// What this version does not know, a kind or a field, is refused: it would be lost without a
  /// word.
  package init(decoding bytes: [UInt8]) throws(ItemFault) {
    let value: CBORValue
    do throws(CBORError) { value = try CBORValue(decoding: bytes) } catch {
      throw ItemFault(reason: .badPayload)
    }
    var fields = try CBOREventFields(value)
    conversation = try fields.text("conversation")
    guard Envelope.isAddress(conversation) else { throw ItemFault(reason: .badConversation) }
    id = try fields.id("id")
    sentAt = try fields.integer("sent_at", .timeOutOfRange)
    guard sentAt >= 0 else { throw ItemFault(reason: .timeOutOfRange) }
    guard let kind = Event.Kind(rawValue: try fields.text("kind")) else {
      throw ItemFault(reason: .unknownKind)
    }
    let body = try fields.value("body")
    try fields.refuseUnknown()
    event = try Event(kind, body: body)
  }

  /// The item that it makes in the envelope it came in.
  ///
  /// Its own time counts, since its sender said it. Throws `otherEnvelope` if the server says that
  /// it is another event, or one of another conversation.
  package func item(in envelope: Envelope) throws(ItemFault) -> Item {
    guard id == envelope.id,
      Address(text: conversation) == Address(text: envelope.conversation)
    else { throw ItemFault(reason: .otherEnvelope) }
    var envelope = envelope
    envelope.sentAt = sentAt
    return Item(envelope, .event(event))
  }
}

extension Arrival {
  /// An item as the server hands it over.
  ///
  /// One whose payload can't be read keeps it in its raw form, as `payload`.
  package init(_ item: RelayItem) {
    let envelope = item.envelope
    let raw: [UInt8]
    let reason: QuarantineReason
    switch item.content {
    case .accepted:
      self = .item(Item(envelope, .accepted))
      return
    case .expunged(let range):
      self = .item(Item(envelope, .expunged(range)))
      return
    case .payload(let bytes):
      raw = envelope.json(payload: bytes)
      do throws(ItemFault) {
        let opened = try Payload(decoding: bytes).item(in: envelope)
        if let fault = opened.seqFault { throw ItemFault(reason: fault) }
        self = .item(opened)
        return
      } catch { reason = error.reason }
    }
    self = .spoilt(
      SpoiltItem(inbox: envelope.inbox, envelope: envelope, raw: raw, reason: reason))
  }
}
