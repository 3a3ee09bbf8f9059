import CofferCoding
import CofferSystem
import Testing

@testable import Coffer

/// Everything in `Keys/vectors/events.json`, which no code of ours has made.
@Suite struct PayloadVectorTests {
  let root: JSONObject

  init() throws {
    let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    root = try JSONObject(
      try JSONDocument.parse(
        try Files.content(of: project + "/Keys/vectors/events.json", limit: 1 << 20)))
  }

  @Test func everyPayloadAndItsItemAreReadAndWrittenAsGiven() throws {
    var kinds: Set<Event.Kind> = []
    for vector in try #require(root["accepted"]).elements {
      let vector = try JSONObject(vector)
      let name = try #require(vector["name"]).string()
      let json = try #require(vector["item"])
      let bytes = try payload(vector)
      let item = try readable(Arrival(json))
      #expect(item.json == json.raw, "\(name)")
      guard case .event(let event) = item.body else { throw ItemFault(reason: .missingField) }
      kinds.insert(event.kind)

      let envelope = item.envelope
      let payload = Payload(
        conversation: envelope.conversation, id: envelope.id, sentAt: envelope.sentAt,
        event: event)
      #expect(payload.encoded == bytes, "\(name)")
      let read = try Payload(decoding: bytes)
      #expect(read.encoded == bytes, "\(name)")
      #expect(try read.item(in: envelope) == item, "\(name)")
      #expect(try readable(Arrival(RelayItem(envelope, .payload(bytes)))) == item, "\(name)")
      #expect(event.fault == nil)
    }
    #expect(kinds == Set(Event.Kind.allCases))
  }

  /// Kept whole, in a form that is read again: a later version may understand it.
  @Test func whatIsRefusedKeepsItsPayload() throws {
    var reasons: Set<String> = []
    for vector in try #require(root["refused"]).elements {
      let vector = try JSONObject(vector)
      let name = try #require(vector["name"]).string()
      let reason = try #require(vector["reason"]).string()
      let bytes = try payload(vector)
      let envelope = try envelope(try #require(vector["item"]))

      guard case .spoilt(let spoilt) = Arrival(RelayItem(envelope, .payload(bytes))) else {
        Issue.record("\(name) was read")
        continue
      }
      #expect("\(spoilt.reason)" == reason, "\(name)")
      #expect(spoilt.envelope == envelope)
      #expect(spoilt.inbox == envelope.inbox)
      let raw = try JSONDocument.parse(spoilt.raw)
      #expect(try JSONObject(raw)["payload"]?.string() == Base64.encode(bytes))
      guard case .spoilt(let again) = Arrival(raw) else {
        Issue.record("\(name) was read")
        continue
      }
      #expect(again.reason == spoilt.reason)
      #expect(again.raw == spoilt.raw)
      #expect(again.envelope == envelope)
      reasons.insert(reason)
    }
    #expect(reasons.count == 13)
  }

  private func payload(_ vector: JSONObject) throws -> [UInt8] {
    let digits = try #require(vector["payload"]).string()
    return try #require(Hexadecimal.decodeLowercase(digits))
  }

  /// The envelope of an item without a body.
  private func envelope(_ slice: JSONSlice) throws -> Envelope {
    guard case .spoilt(let item) = Arrival(slice) else { throw ItemFault(reason: .unknownField) }
    #expect(item.reason == .missingField)
    return try #require(item.envelope)
  }
}

/// The item of an arrival that could be read.
func readable(_ arrival: Arrival) throws -> Item {
  switch arrival {
  case .item(let item): return item
  case .spoilt(let item): throw ItemFault(reason: item.reason)
  }
}
