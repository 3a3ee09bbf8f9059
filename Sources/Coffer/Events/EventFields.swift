/// Why an item or its payload can't be read.
package struct ItemFault: Error, Equatable {
  package let reason: QuarantineReason
}

/// The members of a map in CBOR or of an object in JSON: events have one shape in both.
///
/// Each call throws the fault of a member that is missing or of another kind. What was not asked for
/// by name is unknown.
protocol EventFields {
  mutating func text(_ name: String) throws(ItemFault) -> String
  mutating func texts(_ name: String) throws(ItemFault) -> [String]
  /// An integer of 64 bits; `outOfRange` says what is wrong with a larger one.
  mutating func integer(
    _ name: String, _ outOfRange: QuarantineReason
  ) throws(ItemFault) -> Int64
  mutating func bool(_ name: String) throws(ItemFault) -> Bool
  mutating func reference(_ name: String) throws(ItemFault) -> MessageReference
  mutating func fields(_ name: String) throws(ItemFault) -> Self
  func has(_ name: String) -> Bool
  /// A field that is not understood would be lost without a word: the item waits, whole.
  func refuseUnknown() throws(ItemFault)
}

extension Event {
  /// What its format calls it.
  package enum Kind: String, Sendable, CaseIterable {
    case message, edit, delete, reaction, receipt, change
  }

  package var kind: Kind {
    switch self {
    case .message: .message
    case .edit: .edit
    case .delete: .delete
    case .reaction: .reaction
    case .receipt: .receipt
    case .change: .change
    }
  }

  /// Reads the fields of a kind, and refuses any other.
  init(_ kind: Kind, _ fields: consuming some EventFields) throws(ItemFault) {
    switch kind {
    case .message:
      self = .message(
        text: try fields.text("text"),
        replyTo: fields.has("reply") ? try fields.reference("reply") : nil)
    case .edit:
      self = .edit(of: try fields.reference("of"), text: try fields.text("text"))
    case .delete:
      self = .delete(try fields.reference("of"))
    case .reaction:
      self = .reaction(
        to: try fields.reference("to"), emoji: try fields.text("emoji"),
        isAdded: try fields.bool("added"))
    case .receipt:
      self = .receipt(
        Receipt(
          delivered: try fields.integer("delivered", .seqOutOfRange),
          read: try fields.integer("read", .seqOutOfRange)))
    case .change:
      self = .change(try ConversationChange(&fields))
    }
    try fields.refuseUnknown()
  }
}

extension ConversationChange {
  fileprivate enum Kind: String, CaseIterable {
    case create, join, leave, remove, title, delete
  }

  fileprivate init(_ fields: inout some EventFields) throws(ItemFault) {
    let kinds = Kind.allCases.filter { fields.has($0.rawValue) }
    guard let kind = kinds.first else {
      try fields.refuseUnknown()
      throw ItemFault(reason: .missingField)
    }
    guard kinds.count == 1 else { throw ItemFault(reason: .severalKinds) }
    let name = kind.rawValue
    switch kind {
    case .create:
      var content = try fields.fields(name)
      self = .create(
        title: content.has("title") ? try content.text("title") : nil,
        members: try content.texts("members"))
      try content.refuseUnknown()
    case .join: self = .join(try fields.text(name))
    case .remove: self = .remove(try fields.text(name))
    case .title: self = .title(try fields.text(name))
    case .leave:
      try fields.flag(name)
      self = .leave
    case .delete:
      try fields.flag(name)
      self = .delete
    }
  }
}

extension EventFields {
  /// Something that is there or not; where it is, it says `true`.
  mutating func flag(_ name: String) throws(ItemFault) {
    guard try bool(name) else { throw ItemFault(reason: .wrongKind) }
  }
}
