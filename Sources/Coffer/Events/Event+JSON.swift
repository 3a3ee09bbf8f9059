package import CofferCoding

// The JSON form of an event within an item, described in Keys/formats.md.

extension Event {
  /// Adds the member that is named as its kind and holds its fields.
  package func write(to item: inout JSONObjectWriter) {
    item.object(kind.rawValue) { fields in
      switch self {
      case .message(let text, let target):
        fields.member("text", text)
        if let target { target.write("reply", to: &fields) }
      case .edit(let target, let text):
        target.write("of", to: &fields)
        fields.member("text", text)
      case .delete(let target):
        target.write("of", to: &fields)
      case .reaction(let target, let emoji, let isAdded):
        target.write("to", to: &fields)
        fields.member("emoji", emoji)
        fields.member("added", isAdded)
      case .receipt(let receipt):
        fields.member("delivered", receipt.delivered)
        fields.member("read", receipt.read)
      case .change(let change):
        change.write(to: &fields)
      }
    }
  }
}

extension ConversationChange {
  fileprivate func write(to fields: inout JSONObjectWriter) {
    switch self {
    case .create(let title, let members):
      fields.object("create") { content in
        if let title { content.member("title", title) }
        content.array("members") { list in
          for member in members { list.element(member) }
        }
      }
    case .join(let account): fields.member("join", account)
    case .leave: fields.member("leave", true)
    case .remove(let account): fields.member("remove", account)
    case .title(let title): fields.member("title", title)
    case .delete: fields.member("delete", true)
    }
  }
}

extension MessageReference {
  fileprivate func write(_ name: String, to fields: inout JSONObjectWriter) {
    fields.array(name) { pair in
      pair.element(sender)
      pair.element(id.description)
    }
  }
}

/// The members of a JSON object whose faults are those of an item.
struct JSONEventFields: EventFields {
  private let object: JSONObject
  private var known: [String] = []

  init(_ slice: JSONSlice) throws(ItemFault) {
    object = try ItemFault.reading { () throws(JSONValueError) in try JSONObject(slice) }
  }

  mutating func text(_ name: String) throws(ItemFault) -> String {
    try Self.text(try value(name))
  }

  mutating func texts(_ name: String) throws(ItemFault) -> [String] {
    var texts: [String] = []
    for element in try elements(name) { texts.append(try Self.text(element)) }
    return texts
  }

  mutating func integer(
    _ name: String, _ outOfRange: QuarantineReason
  ) throws(ItemFault) -> Int64 {
    let value = try value(name)
    return try ItemFault.reading(outOfRange) { () throws(JSONValueError) in try value.int64() }
  }

  mutating func bool(_ name: String) throws(ItemFault) -> Bool {
    let value = try value(name)
    return try ItemFault.reading { () throws(JSONValueError) in try value.bool() }
  }

  mutating func id(_ name: String) throws(ItemFault) -> EventID {
    try Self.id(try value(name))
  }

  mutating func reference(_ name: String) throws(ItemFault) -> MessageReference {
    var pair: [JSONSlice] = []
    for element in try elements(name) {
      guard pair.count < 2 else { throw ItemFault(reason: .wrongKind) }
      pair.append(element)
    }
    guard pair.count == 2 else { throw ItemFault(reason: .wrongKind) }
    return MessageReference(sender: try Self.text(pair[0]), id: try Self.id(pair[1]))
  }

  mutating func fields(_ name: String) throws(ItemFault) -> JSONEventFields {
    try JSONEventFields(try value(name))
  }

  func has(_ name: String) -> Bool { object[name] != nil }

  func refuseUnknown() throws(ItemFault) { try refuseUnknown(besides: []) }

  /// As `refuseUnknown`, before these were asked for.
  func refuseUnknown(besides names: [String]) throws(ItemFault) {
    if !object.keys(besides: known + names).isEmpty { throw ItemFault(reason: .unknownField) }
  }

  private mutating func value(_ name: String) throws(ItemFault) -> JSONSlice {
    known.append(name)
    guard let value = object[name] else { throw ItemFault(reason: .missingField) }
    return value
  }

  private mutating func elements(_ name: String) throws(ItemFault) -> JSONElements {
    let value = try value(name)
    return try ItemFault.reading { () throws(JSONValueError) in try value.elements }
  }

  private static func text(_ value: JSONSlice) throws(ItemFault) -> String {
    try ItemFault.reading { () throws(JSONValueError) in try value.string() }
  }

  private static func id(_ value: JSONSlice) throws(ItemFault) -> EventID {
    guard let id = EventID(try text(value)) else { throw ItemFault(reason: .badID) }
    return id
  }
}

extension ItemFault {
  fileprivate static func reading<Value>(
    _ outOfRange: QuarantineReason = .notAnInteger,
    _ body: () throws(JSONValueError) -> Value
  ) throws(ItemFault) -> Value {
    do throws(JSONValueError) { return try body() } catch {
      switch error {
      case .wrongKind: throw ItemFault(reason: .wrongKind)
      case .illFormedText: throw ItemFault(reason: .illFormedText)
      case .notAnInteger: throw ItemFault(reason: .notAnInteger)
      case .outOfRange: throw ItemFault(reason: outOfRange)
      case .duplicateKey: throw ItemFault(reason: .duplicateField)
      case .tooManyMembers: throw ItemFault(reason: .unknownField)
      }
    }
  }
}
