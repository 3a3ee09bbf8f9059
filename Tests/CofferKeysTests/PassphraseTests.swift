import CofferCrypto
import CofferSystem
import Testing

@testable import CofferKeys

@Suite struct PassphraseTests {
  /// Whether a store made with one passphrase opens with the other.
  private func opens(_ made: String, _ typed: String) throws -> Bool {
    let credential = Credential.passphrase(try passphrase(made))
    let new = try Keyring.make(
      for: credential, strength: .weakest, environment: environment())
    let keyring = new.keyring
    let other = Credential.passphrase(try passphrase(typed))
    let error = failure { () throws(KeyError) in _ = try keyring.unlock(with: other) }
    #expect(error == nil || error == .wrongSecret)
    return error == nil
  }

  @Test(arguments: [
    "test'123", "'", "''", "a\"b", "a;DROP TABLE x;--", "x\\'y", "%s %n", " ", "a\n", "\u{7f}\t",
  ])
  func everyCharacterIsOnlyACharacter(text: String) throws {
    #expect(try opens(text, text))
    #expect(try !opens(text, text + text))
  }

  @Test func canonicalEquivalentsAreTheSame() throws {
    #expect(try opens("Z\u{fc}rich-\u{e9}", "Zu\u{308}rich-e\u{301}"))
    #expect(try opens("Zu\u{308}rich-e\u{301}", "Z\u{fc}rich-\u{e9}"))
    #expect(try opens("\u{d55c}\u{ae00}", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"))
    #expect(try opens("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"))
  }

  @Test func compatibilityFormsStayDifferent() throws {
    #expect(try !opens("\u{fb01}", "fi"))
    #expect(try !opens("a\u{a0}", "a "))
    #expect(try !opens("a", "a "))
    #expect(try !opens("test'123", "test''123"))
  }

  @Test(
    arguments: [
      ([], .empty), ([0xff, 0xfe], .invalidUTF8), ([0x61, 0xc3], .invalidUTF8),
      ([0x61, 0, 0x62], .containsNUL), (Array("\u{378}".utf8), .unassigned),
      ([UInt8](repeating: 0x61, count: 65_537), .tooLong),
    ] as [([UInt8], PassphraseProblem)])
  func whatCannotBeAPassphraseIsRefused(bytes: [UInt8], problem: PassphraseProblem) {
    #expect(failure { () throws(KeyError) in _ = try passphrase(bytes) } == .badPassphrase(problem))
  }

  @Test func theLongestIsTaken() throws {
    let long = try passphrase([UInt8](repeating: 0x61, count: 65_536))
    #expect(long.normalized.count == 65_536)
  }

  @Test(
    arguments: [
      ("secret\n", "secret"), ("secret\r\n", "secret"), ("secret\n\n", "secret\n"),
      ("secret", "secret"), (" secret \n", " secret "), ("secret\r", "secret\r"),
    ])
  func exactlyOneLineEndIsDropped(content: String, kept: String) async throws {
    try await withFolder { folder in
      let path = "\(folder)/passphrase"
      try write(Array(content.utf8), to: path)
      let read = try Passphrase(file: path)
      #expect(array(read.normalized) == Array(kept.utf8))
      #expect(read.isEqual(to: try passphrase(kept)))
    }
  }

  @Test func filesThatHoldNoneAreRefused() async throws {
    try await withFolder { folder in
      let contents: [([UInt8], PassphraseProblem)] = [
        ([], .empty), ([10], .empty), ([13, 10], .empty),
        ([UInt8](repeating: 0x61, count: 70_000), .tooLong),
      ]
      for (content, problem) in contents {
        let path = "\(folder)/\(content.count)"
        try write(content, to: path)
        let error = failure { () throws(KeyError) in _ = try Passphrase(file: path) }
        #expect(error == .badPassphrase(problem))
      }
      let zeros = failure { () throws(KeyError) in _ = try Passphrase(file: "/dev/zero") }
      #expect(zeros == .badPassphrase(.tooLong))
      let missing = failure { () throws(KeyError) in _ = try Passphrase(file: "\(folder)/none") }
      guard case .system(let error) = missing else {
        Issue.record("\(String(describing: missing))")
        return
      }
      #expect(error.isNotFound)
    }
  }

  @Test func aFileOfTheGreatestLengthMayEndInALineEnd() async throws {
    try await withFolder { folder in
      try write([UInt8](repeating: 0x61, count: 65_536) + [13, 10], to: "\(folder)/long")
      #expect(try Passphrase(file: "\(folder)/long").normalized.count == 65_536)
    }
  }
}
