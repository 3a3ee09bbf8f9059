import CofferCoding
import CofferDatabase

/// What a message row holds besides its text: `messages.content`, as CBOR.
struct MessageContent: Equatable {
  /// The message that it answers.
  var reply: MessageReference?
  /// The text as it was sent, once an edit has replaced it.
  var first: String?
  /// What a later version put there stays.
  private var others: [CBORMember] = []

  init(reply: MessageReference? = nil) { self.reply = reply }

  /// Reads the column; what is no such map is damage.
  init(_ bytes: [UInt8]?) throws(DatabaseError) {
    guard let bytes else { return }
    guard let value = try? CBORValue(decoding: bytes), case .map(let members) = value else {
      throw DatabaseError(.corrupt, "read content")
    }
    for member in members {
      switch (member.key, member.value) {
      case (Self.replyKey, let value):
        guard let reference = try? MessageReference(body: value) else {
          throw DatabaseError(.corrupt, "read content")
        }
        reply = reference
      case (Self.firstKey, .text(let text)): first = text
      default: others.append(member)
      }
    }
  }

  private static let replyKey = "reply"
  private static let firstKey = "first"

  /// The column; NULL where there is nothing to say.
  var encoded: [UInt8]? {
    var members = others
    if let reply { members.append(CBORMember(Self.replyKey, reply.body)) }
    if let first { members.append(CBORMember(Self.firstKey, .text(first))) }
    return members.isEmpty ? nil : CBORValue.map(members).encoded
  }
}
