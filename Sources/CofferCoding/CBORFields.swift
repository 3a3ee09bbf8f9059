/// The members of a map, taken out by name.
///
/// For maps whose names are known: what nobody took is unknown, and `refuseUnknown` says so. Names
/// are compared by their bytes.
package struct CBORFields: Sendable {
  private var members: [CBORMember]

  /// Throws `wrongKind` for anything but a map.
  package init(_ value: CBORValue) throws(CBORValueError) {
    guard case .map(let members) = value else { throw .wrongKind }
    self.members = members
  }

  /// Whether a member of that name is left.
  package func has(_ name: String) -> Bool {
    members.contains { CBORMember.isSame($0.key, name) }
  }

  /// Takes the member of that name, `null` included, or nothing if there is none.
  package mutating func take(_ name: String) -> CBORValue? {
    guard let index = members.firstIndex(where: { CBORMember.isSame($0.key, name) }) else {
      return nil
    }
    return members.remove(at: index).value
  }

  /// As `take`; throws `missingMember` if there is none.
  package mutating func value(_ name: String) throws(CBORValueError) -> CBORValue {
    guard let value = take(name) else { throw .missingMember }
    return value
  }

  /// Throws `unknownMember` if there is anything that nobody took.
  package func refuseUnknown() throws(CBORValueError) {
    guard members.isEmpty else { throw .unknownMember }
  }

  // MARK: Of one kind

  // Each throws `missingMember`, or `wrongKind`.

  package mutating func integer(_ name: String) throws(CBORValueError) -> Int64 {
    guard case .integer(let value) = try value(name) else { throw .wrongKind }
    return value
  }

  package mutating func bytes(_ name: String) throws(CBORValueError) -> [UInt8] {
    guard case .bytes(let value) = try value(name) else { throw .wrongKind }
    return value
  }

  package mutating func text(_ name: String) throws(CBORValueError) -> String {
    guard case .text(let value) = try value(name) else { throw .wrongKind }
    return value
  }

  package mutating func bool(_ name: String) throws(CBORValueError) -> Bool {
    guard case .bool(let value) = try value(name) else { throw .wrongKind }
    return value
  }

  package mutating func array(_ name: String) throws(CBORValueError) -> [CBORValue] {
    guard case .array(let elements) = try value(name) else { throw .wrongKind }
    return elements
  }

  package mutating func fields(_ name: String) throws(CBORValueError) -> CBORFields {
    try CBORFields(try value(name))
  }
}
