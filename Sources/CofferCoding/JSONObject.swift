/// The members of an object by name, each name once (RFC 7493, section 2.3).
///
/// For objects of a few members, which it looks through one by one. Names are compared by their
/// bytes, after escapes are resolved.
package struct JSONObject: Sendable {
  /// More members than any object of ours has, and few enough to compare them all.
  package static let memberLimit = 1024

  private struct Member: Sendable {
    let name: JSONName
    let hash: Int
    let value: JSONSlice
  }

  private var members: [Member] = []

  /// Reads the names of an object, but none of its values.
  ///
  /// Throws `wrongKind`, `duplicateKey`, `tooManyMembers`, or `illFormedText` for a name that is
  /// no text.
  package init(_ slice: JSONSlice) throws(JSONValueError) {
    members.reserveCapacity(8)
    for (key, value) in try slice.members {
      guard members.count < Self.memberLimit else { throw .tooManyMembers }
      let name = try key.resolved()
      // Long names that differ in their last byte would make comparing them all slow.
      let hash = name.hash
      for other in members where other.hash == hash && other.name.isSame(as: name) {
        throw .duplicateKey
      }
      members.append(Member(name: name, hash: hash, value: value))
    }
  }

  package var count: Int { members.count }

  /// The names in the order of the document.
  package var keys: [String] { members.map(\.name.text) }

  /// The value of that name, `null` included, or nothing if there is no such member.
  package subscript(name: String) -> JSONSlice? {
    for member in members where member.name.isSame(as: name) { return member.value }
    return nil
  }

  /// The names that are not among `known`, in the order of the document.
  package func keys(besides known: [String]) -> [String] {
    var unknown: [String] = []
    for member in members
    where !known.contains(where: { member.name.isSame(as: $0) }) {
      unknown.append(member.name.text)
    }
    return unknown
  }
}
