import CofferCoding

// The CBOR form of an event's body, described in Keys/formats.md.

extension Event {
  /// Byte for byte: texts that only look the same are two.
  public static func == (left: Event, right: Event) -> Bool {
    left.kind == right.kind && left.body == right.body
  }

  /// The fields of its kind.
  var body: CBORValue {
    switch self {
    case .message(let text, nil): .map([CBORMember("text", .text(text))])
    case .message(let text, let target?):
      .map([CBORMember("text", .text(text)), CBORMember("reply", target.body)])
    case .edit(let target, let text):
      .map([CBORMember("of", target.body), CBORMember("text", .text(text))])
    case .delete(let target): .map([CBORMember("of", target.body)])
    case .reaction(let target, let emoji, let isAdded):
      .map([
        CBORMember("to", target.body), CBORMember("emoji", .text(emoji)),
        CBORMember("added", .bool(isAdded)),
      ])
    case .receipt(let receipt):
      .map([
        CBORMember("delivered", .integer(receipt.delivered)),
        CBORMember("read", .integer(receipt.read)),
      ])
    case .change(let change): .map([change.member])
    }
  }

  /// Reads `body`; throws the fault of what it can't take over whole.
  init(_ kind: Kind, body: CBORValue) throws(ItemFault) {
    try self.init(kind, try CBOREventFields(body))
    if let fault { throw ItemFault(reason: fault) }
  }
}

extension ConversationChange {
  /// Byte for byte: texts that only look the same are two.
  public static func == (left: ConversationChange, right: ConversationChange) -> Bool {
    left.member == right.member
  }

  fileprivate var member: CBORMember {
    switch self {
    case .create(let title, let members):
      var fields = [CBORMember("members", .array(members.map { .text($0) }))]
      if let title { fields.append(CBORMember("title", .text(title))) }
      return CBORMember("create", .map(fields))
    case .join(let account): return CBORMember("join", .text(account))
    case .leave: return CBORMember("leave", .bool(true))
    case .remove(let account): return CBORMember("remove", .text(account))
    case .title(let title): return CBORMember("title", .text(title))
    case .delete: return CBORMember("delete", .bool(true))
    }
  }
}

extension MessageReference {
  var body: CBORValue { .array([.text(sender), .bytes(id.array)]) }

  /// Reads `body`.
  init(body: CBORValue) throws(ItemFault) {
    guard case .array(let pair) = body, pair.count == 2, case .text(let sender) = pair[0],
      case .bytes(let bytes) = pair[1]
    else { throw ItemFault(reason: .wrongKind) }
    guard let id = EventID(array: bytes) else { throw ItemFault(reason: .badID) }
    self.init(sender: sender, id: id)
  }
}

/// The members of a CBOR map whose faults are those of an item.
struct CBOREventFields: EventFields {
  private var members: CBORFields

  init(_ value: CBORValue) throws(ItemFault) {
    members = try ItemFault.reading { () throws(CBORValueError) in try CBORFields(value) }
  }

  private mutating func reading<Value>(
    _ body: (inout CBORFields) throws(CBORValueError) -> Value
  ) throws(ItemFault) -> Value {
    try ItemFault.reading { () throws(CBORValueError) in try body(&members) }
  }

  mutating func text(_ name: String) throws(ItemFault) -> String {
    try reading { members throws(CBORValueError) in try members.text(name) }
  }

  mutating func texts(_ name: String) throws(ItemFault) -> [String] {
    let elements = try reading { members throws(CBORValueError) in try members.array(name) }
    var texts: [String] = []
    for element in elements {
      guard case .text(let text) = element else { throw ItemFault(reason: .wrongKind) }
      texts.append(text)
    }
    return texts
  }

  mutating func integer(
    _ name: String, _: QuarantineReason
  ) throws(ItemFault) -> Int64 {
    try reading { members throws(CBORValueError) in try members.integer(name) }
  }

  mutating func bool(_ name: String) throws(ItemFault) -> Bool {
    try reading { members throws(CBORValueError) in try members.bool(name) }
  }

  mutating func id(_ name: String) throws(ItemFault) -> EventID {
    try Self.id(try reading { members throws(CBORValueError) in try members.bytes(name) })
  }

  mutating func reference(_ name: String) throws(ItemFault) -> MessageReference {
    try MessageReference(body: try value(name))
  }

  mutating func fields(_ name: String) throws(ItemFault) -> CBOREventFields {
    try CBOREventFields(try value(name))
  }

  mutating func value(_ name: String) throws(ItemFault) -> CBORValue {
    try reading { members throws(CBORValueError) in try members.value(name) }
  }

  func has(_ name: String) -> Bool { members.has(name) }

  func refuseUnknown() throws(ItemFault) {
    try ItemFault.reading { () throws(CBORValueError) in try members.refuseUnknown() }
  }

  private static func id(_ bytes: [UInt8]) throws(ItemFault) -> EventID {
    guard let id = EventID(array: bytes) else { throw ItemFault(reason: .badID) }
    return id
  }
}

extension ItemFault {
  fileprivate static func reading<Value>(
    _ body: () throws(CBORValueError) -> Value
  ) throws(ItemFault) -> Value {
    do throws(CBORValueError) { return try body() } catch {
      switch error {
      case .wrongKind: throw ItemFault(reason: .wrongKind)
      case .missingMember: throw ItemFault(reason: .missingField)
      case .unknownMember: throw ItemFault(reason: .unknownField)
      }
    }
  }
}
