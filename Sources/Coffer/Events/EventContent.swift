import CofferCoding

extension Event {
  /// An event as a row keeps it: a CBOR map of its kind and the fields of that kind.
  var encodedContent: [UInt8] { CBORValue.map([CBORMember(kind.rawValue, body)]).encoded }

  /// Reads `encodedContent`; nothing for anything else, which in a row of ours is damage.
  init?(content: [UInt8]) {
    guard let value = try? CBORValue(decoding: content), case .map(let members) = value,
      members.count == 1, let kind = Kind(rawValue: members[0].key),
      let event = try? Event(kind, body: members[0].value)
    else { return nil }
    self = event
  }
}
