/// The members of an object by name, each name once (RFC 7493, section 2.3).
///
/// For objects of a few members, which it looks through one by one. Names are compared by their
/// bytes after escapes are resolved, never as `String`, to which different names are equal if they
/// are canonically equivalent.
package struct JSONObject: Sendable {
  /// More members than any object of ours has, and few enough to compare them all.
  package static let memberLimit = 1024

  /// Offsets only, so that looking through members counts no references.
  private struct Member: Sendable {
    let name: Range<Int>
    let hash: Int
    let value: Range<Int>
  }

  private let document: [UInt8]
  /// All names without escapes, one behind the other.
  private var names: [UInt8] = []
  private var members: [Member] = []

  /// Reads the names of an object, but none of its values.
  ///
  /// Throws `wrongKind`, `duplicateKey`, `tooManyMembers`, or `illFormedText` for a name that is
  /// no text.
  package init(_ slice: JSONSlice) throws(JSONValueError) {
    document = slice.document
    names.reserveCapacity(64)
    members.reserveCapacity(8)
    for (key, value) in try slice.members {
      guard members.count < Self.memberLimit else { throw .tooManyMembers }
      let start = names.count
      try key.append(to: &names)
      let name = start..<names.count
      // Long names that differ in their last byte would make comparing them all slow.
      let hash = hash(name)
      for other in members where other.hash == hash && isSame(other.name, name) {
        throw .duplicateKey
      }
      members.append(Member(name: name, hash: hash, value: value.start..<value.end))
    }
  }

  package var count: Int { members.count }

  /// The names in the order of the document.
  package var keys: [String] { members.map { text($0.name) } }

  /// The value of that name, `null` included, or nothing if there is no such member.
  package subscript(name: String) -> JSONSlice? {
    for member in members where isSame(member.name, name) {
      return JSONSlice(
        document: document, start: member.value.lowerBound, end: member.value.upperBound)
    }
    return nil
  }

  /// The names that are not among `known`, in the order of the document.
  package func keys(besides known: [String]) -> [String] {
    var unknown: [String] = []
    for member in members where !known.contains(where: { isSame(member.name, $0) }) {
      unknown.append(text(member.name))
    }
    return unknown
  }

  private func text(_ name: Range<Int>) -> String { String(decoding: names[name], as: UTF8.self) }

  private func isSame(_ name: Range<Int>, _ other: String) -> Bool {
    let other = other.utf8
    guard other.count == name.count else { return false }
    let names = names.span
    var index = name.lowerBound
    for byte in other {
      if names[index] != byte { return false }
      index += 1
    }
    return true
  }

  private func isSame(_ name: Range<Int>, _ other: Range<Int>) -> Bool {
    guard name.count == other.count else { return false }
    let names = names.span
    for distance in 0..<name.count
    where names[name.lowerBound + distance] != names[other.lowerBound + distance] {
      return false
    }
    return true
  }

  /// A number that different names have in common only by chance.
  ///
  /// Seeded anew in every process, so that nobody can prepare names that collide.
  private func hash(_ name: Range<Int>) -> Int {
    var hasher = Hasher()
    // Safe: the hasher reads the bytes within the call only.
    unsafe names[name].withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
