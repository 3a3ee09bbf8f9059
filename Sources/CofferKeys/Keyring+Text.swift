import CofferCoding
import CofferCrypto

// The text form: lines that end in LF, fields that one space parts, one form for every value.
extension Keyring {
  /// The most bytes that a keyring file may have.
  package static let longestText = 65_536
  static let firstWord = "coffer-keyring "
  static let version: UInt64 = 1

  /// The file as it stands on the disk.
  package func text() throws(KeyError) -> [UInt8] {
    try authenticatedText() + Self.line(["mac", Hexadecimal.encode(mac)])
  }

  /// Every line above the last, which authenticates them.
  func authenticatedText() throws(KeyError) -> [UInt8] {
    let text = slotText()
    let digest = try crypto { () throws(CryptoError) in
      try BLAKE2b.hash(unsafe text.span.bytes)
    }
    return text + Self.line(["digest", Hexadecimal.encode(digest)])
  }

  private func slotText() -> [UInt8] {
    var text = Array("\(Self.firstWord)\(Self.version)\n".utf8)
    text += Self.line(["store", "\(store)"])
    text += Self.line(["revision", "\(revision)"])
    text += Self.line(["epoch", "\(epoch)"])
    for slot in slots {
      let parameters = slot.parameters.map { Hexadecimal.encode($0.bytes) } ?? "-"
      let label = slot.label.isEmpty ? "-" : Base64.encode(Array(slot.label.utf8))
      text += Self.line([
        "slot", "\(slot.id)", slot.kind.name, "\(slot.created)", parameters,
        Hexadecimal.encode(slot.commitment), Hexadecimal.encode(slot.nonce),
        Hexadecimal.encode(slot.box),
        label,
      ])
    }
    return text
  }

  private static func line(_ fields: [String]) -> [UInt8] {
    Array(fields.joined(separator: " ").utf8) + [UInt8(ascii: "\n")]
  }
}

extension Keyring {
  /// Reads the text of a keyring; every value has one form, and nothing is guessed.
  ///
  /// The digest comes first, so that accidental damage is named before a version or a kind is
  /// believed and before anyone is asked for a secret.
  package init(text: [UInt8]) throws(KeyError) {
    guard text.count <= Self.longestText else { throw .damaged(.tooLong) }
    guard text.starts(with: Self.firstWord.utf8) else { throw .damaged(.notAKeyring) }
    let end = try Self.verifiedEnd(of: text)
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The digest's line and the mac's line; nothing stands behind the last line end.
    let count = text[..<end].count(where: { $0 == UInt8(ascii: "\n") })
    guard lines.count == count + 3, text[end - 1] == UInt8(ascii: "\n") else {
      throw .damaged(.line(lines.count))
    }

    var parser = KeyringParser(lines)
    let version = try parser.number(behind: "coffer-keyring", from: 0)
    guard version == Self.version else { throw .newer(.version(version)) }
    let store = try parser.store()
    let revision = try parser.number(behind: "revision", from: 1)
    let epoch = try parser.number(behind: "epoch", from: 1)
    var slots: [Slot] = []
    while slots.count < count - 4 { slots.append(try parser.slot()) }
    guard !slots.isEmpty else { throw .damaged(.line(5)) }
    parser.skipLine()
    let mac = try parser.mac()
    do throws(KeyError) { try Self.check(slots, insist: true) } catch {
      throw .damaged(.line(count))
    }
    self.init(store: store, revision: revision, epoch: epoch, slots: slots, mac: mac)
    // Whatever the parser lets pass: a text that is not the one this value has is refused.
    guard try self.text() == text else { throw .damaged(.line(1)) }
  }

  /// Where the digest's line begins, once it is found to be right.
  private static func verifiedEnd(of text: [UInt8]) throws(KeyError) -> Int {
    let macLine = 4 + 2 * HMACSHA256.size + 1
    let digestLine = 7 + 2 * BLAKE2b.size + 1
    let end = text.count - macLine - digestLine
    guard end > 0 else { throw .damaged(.digest) }
    let content = Array(text[..<end])
    let digest = try crypto { () throws(CryptoError) in
      try BLAKE2b.hash(unsafe content.span.bytes)
    }
    let line = line(["digest", Hexadecimal.encode(digest)])
    guard text[end..<end + digestLine].elementsEqual(line) else { throw .damaged(.digest) }
    return end
  }
}
