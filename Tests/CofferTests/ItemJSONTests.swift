import CofferCoding
import Testing

@testable import Coffer

@Suite struct ItemJSONTests {
  private static let ann = MessageReference(sender: "ann", id: id(3))

  static let events: [Event] = [
    .message(text: "a \"quoted\"\u{0} line\n\u{1f600}"), .message(text: "", replyTo: ann),
    .edit(of: ann, text: "e\u{301}"), .delete(ann),
    .reaction(to: ann, emoji: "+1", isAdded: true), .reaction(to: ann, emoji: "-", isAdded: false),
    .receipt(Receipt(delivered: .max, read: 0)),
    .change(.create(title: nil, members: [])),
    .change(.create(title: "t", members: ["ben", "e\u{301}", "\u{e9}"])),
    .change(.join("eve")), .change(.leave), .change(.remove("eve")), .change(.title("")),
    .change(.delete),
  ]

  static let bodies: [Item.Body] =
    events.map { .event($0) } + [.accepted, .expunged(1...1), .expunged(7...Int64.max)]

  private func json(_ text: String) throws -> Arrival {
    Arrival(try JSONDocument.parse(Array(text.utf8)))
  }

  /// An item whose envelope is sound, with these members behind it.
  private func line(_ rest: String, seq: Bool = true) -> String {
    """
    {"conversation":"hiking","sender":"ann","device":1,"id":"\(id(1))","sent_at":5\
    \(seq ? ",\"seq\":4" : "")\(rest.isEmpty ? "" : ",")\(rest)}
    """
  }

  private func reason(_ rest: String, seq: Bool = true) throws -> QuarantineReason? {
    guard case .spoilt(let item) = try json(line(rest, seq: seq)) else { return nil }
    #expect(item.envelope?.seq == (seq ? 4 : nil))
    #expect(item.raw == Array(line(rest, seq: seq).utf8))
    return item.reason
  }

  @Test(arguments: bodies)
  func everyBodyComesBack(body: Item.Body) throws {
    var item = item(1)
    item.body = body
    if item.seqFault != nil { item.envelope.seq = nil }
    let read = try readable(Arrival(try JSONDocument.parse(item.json)))
    #expect(read == item)
    #expect(read.json == item.json)
  }

  @Test(arguments: events)
  func everyEventComesBackFromItsPayload(event: Event) throws {
    let payload = Payload(conversation: "e\u{301}", id: id(1), sentAt: 0, event: event)
    let read = try Payload(decoding: payload.encoded)
    #expect(read.event == event)
    #expect(read.encoded == payload.encoded)
  }

  @Test func eventsAreComparedByTheirBytes() {
    #expect(Event.message(text: "\u{e9}") != .message(text: "e\u{301}"))
    #expect(Event.change(.title("\u{e9}")) != .change(.title("e\u{301}")))
    #expect(ConversationChange.title("\u{e9}") != .title("e\u{301}"))
  }

  @Test func anItemIsOfOneKind() throws {
    #expect(try reason("") == .missingField)
    #expect(try reason(#""accepted":true,"message":{"text":"x"}"#) == .severalKinds)
    #expect(try reason(#""poll":{}"#) == .unknownField)
    #expect(try reason(#""message":{"text":"x"},"poll":{}"#) == .unknownField)
    #expect(try reason(#""message":{"text":"x","style":1}"#) == .unknownField)
    #expect(try reason(#""change":{"join":"a","leave":true}"#) == .severalKinds)
    #expect(try reason(#""change":{}"#) == .missingField)
    #expect(try reason(#""change":{"mute":true}"#) == .unknownField)
  }

  @Test func wrongKindsAreTold() throws {
    #expect(try reason(#""message":"x""#) == .wrongKind)
    #expect(try reason(#""message":{"text":"x","reply":null}"#) == .wrongKind)
    #expect(try reason(#""delete":{"of":"ann"}"#) == .wrongKind)
    #expect(try reason(#""delete":{"of":["ann"]}"#) == .wrongKind)
    #expect(try reason(#""delete":{"of":["ann","\#(id(3))",1]}"#) == .wrongKind)
    #expect(try reason(#""delete":{"of":["ann","x"]}"#) == .badID)
    #expect(try reason(#""delete":{"of":["\ud800","\#(id(3))"]}"#) == .illFormedText)
    #expect(try reason(#""change":{"leave":false}"#) == .wrongKind)
    #expect(try reason(#""change":{"create":{"members":[1]}}"#) == .wrongKind)
    #expect(try reason(#""accepted":false"#) == .wrongKind)
    #expect(try reason(#""accepted":{}"#) == .wrongKind)
    #expect(try reason(#""receipt":{"delivered":1,"read":1.5}"#, seq: false) == .notAnInteger)
    #expect(
      try reason(#""receipt":{"delivered":1,"read":9223372036854775808}"#, seq: false)
        == .seqOutOfRange)
    #expect(try reason(#""payload":7"#) == .wrongKind)
    #expect(try reason(#""payload":"Zg=""#) == .badPayload)
    #expect(try reason(#""payload":"Zg==""#) == .badPayload)
  }

  @Test func whatTakesASeqHasOneAndNothingElse() throws {
    #expect(try reason(#""message":{"text":"x"}"#, seq: false) == .missingField)
    #expect(try reason(#""change":{"leave":true}"#, seq: false) == .missingField)
    #expect(try reason(#""receipt":{"delivered":1,"read":1}"#) == .unsequenced)
    #expect(try reason(#""expunged":{"first":1,"last":2}"#) == .unsequenced)
    #expect(try reason(#""receipt":{"delivered":1,"read":1}"#, seq: false) == nil)
    #expect(try reason(#""expunged":{"first":1,"last":2}"#, seq: false) == nil)
    #expect(try reason(#""accepted":true"#) == nil)
    #expect(try reason(#""accepted":true"#, seq: false) == nil)
    let receipt = Payload(
      conversation: "hiking", id: id(1), sentAt: 5, event: .receipt(Receipt(delivered: 1, read: 1)))
    #expect(try reason("\"payload\":\"\(Base64.encode(receipt.encoded))\"") == .unsequenced)
  }

  @Test(arguments: [(0, 1), (2, 1), (-1, -1)])
  func aRangeIsOfSeqsInOrder(first: Int, last: Int) throws {
    #expect(
      try reason("\"expunged\":{\"first\":\(first),\"last\":\(last)}", seq: false)
        == .seqOutOfRange)
  }

  @Test func aPayloadThatCanBeReadNowIsTheItemThatItHolds() throws {
    let event = Event.edit(of: Self.ann, text: "x")
    let payload = Payload(conversation: "hiking", id: id(1), sentAt: 99, event: event)
    let text = line("\"payload\":\"\(Base64.encode(payload.encoded))\"")
    let item = try readable(json(text))
    #expect(item.body == .event(event))
    #expect(item.envelope.seq == 4)
    #expect(item.envelope.sentAt == 99)
  }

  @Test func theWordOfTheServerNeedsNoPayload() throws {
    let envelope = item(1).envelope
    #expect(
      try readable(Arrival(RelayItem(envelope, .accepted))) == Item(envelope, .accepted))
    #expect(
      try readable(Arrival(RelayItem(envelope, .expunged(3...4))))
        == Item(envelope, .expunged(3...4)))
  }

  /// As what a person writes is judged, and what comes in JSON.
  @Test func whatIsOutOfRangeIsAFault() {
    let nobody = MessageReference(sender: "", id: id(1))
    let long = String(repeating: "x", count: ItemLimits.text + 1)
    let faults: [(Event, QuarantineReason)] = [
      (.message(text: long), .textTooLong), (.edit(of: Self.ann, text: long), .textTooLong),
      (.change(.title(long)), .textTooLong),
      (.change(.create(title: long, members: [])), .textTooLong),
      (.message(text: "", replyTo: nobody), .badAccount), (.delete(nobody), .badAccount),
      (.edit(of: nobody, text: ""), .badAccount),
      (.reaction(to: nobody, emoji: "x", isAdded: true), .badAccount),
      (.reaction(to: Self.ann, emoji: "", isAdded: true), .badEmoji),
      (.receipt(Receipt(delivered: -1, read: 0)), .seqOutOfRange),
      (.change(.create(title: nil, members: ["ben", "a\nb"])), .badAccount),
      (.change(.join("")), .badAccount), (.change(.remove("")), .badAccount),
    ]
    for (event, reason) in faults { #expect(event.fault == reason) }
    for event in Self.events { #expect(event.fault == nil) }
  }
}
