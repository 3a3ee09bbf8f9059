import CofferCoding
import CofferCrypto
import Testing

@testable import CofferKeys

@Suite final class KeyringDamageTests {
  let master: MasterKey
  let keyring: Keyring
  let text: [UInt8]

  /// A passphrase slot, a key file slot with a label, and a slot of the secret service.
  init() throws {
    let environment = environment(3)
    let new = try Keyring.make(
      for: try keyFile(filledWith: 1), label: "stick", environment: environment)
    let secret = try service([UInt8](repeating: 2, count: 32))
    let cheap = try Slot(
      wrapping: new.master, under: .passphrase(try passphrase("p")), strength: .weakest,
      environment: environment)
    let desktop = try Slot(
      wrapping: new.master, under: .secretService(secret), environment: environment)
    keyring = try new.keyring.adding(cheap, master: new.master)
      .adding(desktop, master: new.master)
    text = try keyring.text()
    master = new.takeMaster()
  }

  private func error(_ text: [UInt8]) -> KeyError? {
    failure { () throws(KeyError) in _ = try Keyring(text: text) }
  }

  /// The text with other lines and a digest that fits them, as someone without the key can make it.
  private func forged(_ change: (inout [String]) -> Void) throws -> [UInt8] {
    var lines = String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    lines.removeLast(3)
    change(&lines)
    return try sealed(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func sealed(_ content: [UInt8]) throws -> [UInt8] {
    let digest = Hexadecimal.encode(try BLAKE2b.hash(unsafe content.span.bytes))
    return content + Array("digest \(digest)\nmac \(Hexadecimal.encode(keyring.mac))\n".utf8)
  }

  @Test func everyFlippedByteIsNamedBeforeASecretIsAskedFor() throws {
    let macLine = text.count - 69
    for index in text.indices {
      for flip in [0x01, 0x20, 0x80] as [UInt8] {
        var damaged = text
        damaged[index] ^= flip
        if index < 15 {
          #expect(error(damaged) == .damaged(.notAKeyring))
        } else if index < macLine {
          #expect(error(damaged) == .damaged(.digest), "byte \(index)")
        } else if let error = error(damaged) {
          guard case .damaged(.line) = error else {
            Issue.record("byte \(index): \(error)")
            continue
          }
        } else {
          let read = try Keyring(text: damaged)
          #expect(failure { () throws(KeyError) in try read.verify(with: master) } == .tampered)
        }
      }
    }
  }

  @Test func everyChangeWithARightDigestIsSeenWithASecret() throws {
    let end = text.count - 69 - 72
    let credential = try keyFile(filledWith: 1)
    var seen: [String: Int] = [:]
    for index in 0..<end {
      for flip in [0x01, 0x04] as [UInt8] {
        var content = Array(text[..<end])
        content[index] ^= flip
        let changed = try sealed(content)
        let error = failure { () throws(KeyError) in
          _ = try Keyring(text: changed).unlock(with: credential)
        }
        switch error {
        case .damaged(.notAKeyring): seen["none", default: 0] += 1
        case .damaged(.line): seen["line", default: 0] += 1
        case .damaged(.box): seen["box", default: 0] += 1
        case .newer: seen["newer", default: 0] += 1
        case .wrongSecret: seen["wrong", default: 0] += 1
        case .tampered: seen["tampered", default: 0] += 1
        default: Issue.record("byte \(index): \(String(describing: error))")
        }
      }
    }
    // Each way of noticing has had its turn.
    #expect(seen.count == 6, "\(seen)")
  }

  @Test func everyTruncationIsDamage() {
    for length in text.indices {
      guard case .damaged = error(Array(text.prefix(length))) else {
        Issue.record("\(length) bytes")
        continue
      }
    }
    #expect(error(text + [10]) == .damaged(.digest))
    #expect(error([]) == .damaged(.notAKeyring))
    #expect(error([UInt8](repeating: 0, count: 1_000)) == .damaged(.notAKeyring))
    #expect(error(text + [UInt8](repeating: 10, count: 65_536)) == .damaged(.tooLong))
  }

  @Test func whatIsNewerIsNamed() throws {
    let version = try forged { $0[0] = "coffer-keyring 2" }
    #expect(error(version) == .newer(.version(2)))
    let kind = try forged { $0[4] = "slot 0011223344556677 passkey anything else" }
    #expect(error(kind) == .newer(.slotKind("passkey")))
    let strange = try forged { $0[4] = "slot 0011223344556677 \u{1b}[31m x" }
    #expect(error(strange) == .damaged(.line(5)))
  }

  @Test(
    arguments: [
      (0, "coffer-keyring 01"), (0, "coffer-keyring "), (0, "coffer-keyring 1 "),
      (0, "coffer-keyring 1\r"), (1, "store 00"), (1, "stores"), (2, "revision 0"),
      (2, "revision 01"), (2, "revision +1"), (2, "revision -1"), (2, "revision 1 1"),
      (2, "revision  1"), (2, "Revision 1"), (2, ""), (2, "revision 9223372036854775808"),
      (2, "revision 99999999999999999999"), (3, "epoch 0"), (3, "epoch"), (3, "epoch \u{661}"),
      (4, "slot"), (4, ""), (4, "slot 1"), (4, " slot"),
    ])
  func everyValueHasOneForm(line: Int, replacement: String) throws {
    let changed = try forged { $0[line] = replacement }
    #expect(error(changed) == .damaged(.line(line + 1)))
  }

  @Test func everyFieldOfASlotHasOneForm() throws {
    let wrong: [(Int, String)] = [
      (1, "0011"), (1, "001122334455667G"), (3, "01"), (3, "-1"), (3, "9223372036854775808"),
      (4, ""), (4, "00"), (5, "00"), (6, "-"), (7, ""), (8, ""), (8, "c3RpY2s"),
      (8, "c3RpY2t="), (8, "c3Rp Y2s="), (8, "gICA"), (8, "===="),
      (8, Base64.encode([UInt8](repeating: 0x61, count: 65))),
    ]
    for (field, replacement) in wrong {
      let changed = try forged { lines in
        var fields = lines[4].split(separator: " ").map(String.init)
        fields[field] = replacement
        lines[4] = fields.joined(separator: " ")
      }
      #expect(error(changed) == .damaged(.line(5)), "\(field) \(replacement)")
    }
    for field in [1, 5, 6, 7] {
      let changed = try forged { lines in
        var fields = lines[4].split(separator: " ").map(String.init)
        fields[field] = fields[field].uppercased()
        lines[4] = fields.joined(separator: " ")
      }
      #expect(error(changed) == .damaged(.line(5)))
    }
  }

  @Test func slotsAreCounted() throws {
    #expect(error(try forged { $0.removeSubrange(4...) }) == .damaged(.line(5)))
    #expect(error(try forged { $0.append($0[4]) }) == .damaged(.line(8)))
    func copies(_ count: Int, of line: Int) throws -> [UInt8] {
      try forged { lines in
        let fields = lines[line].split(separator: " ").map(String.init)
        let text = (0..<count).map { index in
          let id = Hexadecimal.encode(UInt64(index).bigEndianBytes)
          return ([fields[0], id] + fields[2...]).joined(separator: " ")
        }
        lines.replaceSubrange(4..., with: text)
      }
    }
    #expect(error(try copies(32, of: 4)) == nil)
    #expect(error(try copies(33, of: 4)) == .damaged(.line(37)))
    #expect(error(try copies(8, of: 5)) == nil)
    #expect(error(try copies(9, of: 5)) == .damaged(.line(13)))
  }

  @Test func hugeCostsAreNeverTried() throws {
    func error(passes: UInt32, memory: UInt64) throws -> KeyError? {
      let changed = try forged { lines in
        var fields = lines[5].split(separator: " ").map(String.init)
        fields[4] =
          Hexadecimal.encode(passes.bigEndianBytes + memory.bigEndianBytes)
          + String(repeating: "0", count: 32)
        lines[5] = fields.joined(separator: " ")
      }
      let secret = Credential.passphrase(try passphrase("p"))
      // The other slots still open: nobody can lock the owner out with one line.
      let other = try Keyring(text: changed)
      let key = try keyFile(filledWith: 1)
      #expect(failure { () throws(KeyError) in _ = try other.unlock(with: key) } == .tampered)
      return failure { () throws(KeyError) in _ = try other.unlock(with: secret) }
    }
    let bad: [(UInt32, UInt64)] = [
      (0, 64 << 20), (17, 8 << 20), (1, 1 << 20), (1, 1 << 40), (16, 2 << 30), (.max, .max),
    ]
    for (passes, memory) in bad {
      let found = try error(passes: passes, memory: memory)
      #expect(found == .costOutOfBounds(passes: passes, memory: memory))
    }
    let large = try error(passes: 1, memory: 2 << 30)
    #expect(large == .costNeedsConsent(memory: 2 << 30))
  }

  @Test func aSlotFromAnotherStoreDoesNotOpen() throws {
    let other = try Keyring.make(for: try keyFile(filledWith: 9), environment: environment(4))
    let line = String(decoding: try other.keyring.text(), as: UTF8.self).split(separator: "\n")[4]
    let changed = try forged { $0[4] = String(line) }
    let error = failure { () throws(KeyError) in
      _ = try Keyring(text: changed).unlock(with: try keyFile(filledWith: 9))
    }
    #expect(error == .wrongSecret)
  }

  /// Lines and bytes moved, doubled, dropped and changed, with a digest that fits.
  @Test func randomChangesNeverPass() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = Seeded(seed)
    let content = Array(text.dropLast(69 + 72))
    let key = try keyFile(filledWith: 1)
    for _ in 0..<2_000 {
      var changed = content
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0..<changed.count, using: &random)
        let other = Int.random(in: 0..<changed.count, using: &random)
        let piece = changed[min(place, other)..<min(max(place, other), min(place, other) + 40)]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
        case 1: changed.remove(at: place)
        case 2: changed.insert(changed[other], at: place)
        case 3: changed.insert(contentsOf: piece, at: other)
        default: changed.removeSubrange(piece.indices)
        }
        if changed.isEmpty { changed = content }
      }
      if changed == content { continue }
      let forged = try sealed(changed)
      let error = failure { () throws(KeyError) in
        _ = try Keyring(text: forged).unlock(with: key)
      }
      #expect(error != nil, "seed \(seed)")
    }
  }
}
