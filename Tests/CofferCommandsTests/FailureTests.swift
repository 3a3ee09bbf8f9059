import Coffer
import CofferKeys
import CofferSystem
import Testing

@testable import CofferCommands

/// Every error of the layers below has its exit code, in one table.
@Suite struct FailureTests {
  private static let id = EventID(high: 1, low: 2)

  static let store: [(StoreError, ExitCode)] = [
    (.noStore(path: "p"), .notFound), (.notAStore(path: "p", .folder), .badData),
    (.alreadyThere(path: "p"), .forbidden), (.keyringMissing(path: "p"), .badData),
    (.databaseMissing(path: "p"), .badData),
    (.oldKeyring(path: "p", found: 1, remembered: 2), .forbidden),
    (.damaged(path: "p", .page), .badData), (.damaged(path: "p", .firstPage), .badData),
    (.newerSchema(path: "p", found: 2, supported: 1), .badData),
    (.foreignDatabase(path: "p"), .badData), (.badPage(base: 2, next: 1), .badData),
    (.pageAhead(base: 2, cursor: 1), .forbidden), (.unknownConversation("c"), .notFound),
    (.otherEpoch(found: 2, expected: 1), .forbidden), (.unknownItem(3), .notFound),
    (.unknownEvent(id), .notFound), (.conflict(.idUsedOtherwise(id)), .forbidden),
    (.textTooLong(bytes: 1), .badData), (.badAddress, .usage), (.closed, .otherFailure),
    (.busy(path: "p"), .busy), (.diskFull(path: "p"), .inputOutput),
    (.readOnly(path: "p"), .inputOutput), (.outOfMemory, .otherFailure),
    (.database(path: "p", code: 522, reason: "r"), .inputOutput),
    (.database(path: "p", code: 1, reason: "r"), .otherFailure), (.wrongLibrary, .otherFailure),
  ]

  @Test(arguments: store.indices)
  func storeErrorsHaveTheirCode(index: Int) {
    let (error, code) = Self.store[index]
    #expect(CommandFailure(error).code == code, "\(error)")
  }

  static let keys: [(KeyError, ExitCode)] = [
    (.wrongSecret, .wrongKey), (.tampered, .badData), (.damaged(.digest), .badData),
    (.newer(.version(2)), .badData), (.missing, .badData), (.alreadyThere, .forbidden),
    (.busy, .busy), (.changedMeanwhile, .busy), (.noMemory, .otherFailure),
    (.unavailable, .otherFailure), (.lastSlot, .forbidden), (.tooManySlots(limit: 8), .forbidden),
    (.duplicateSlot, .forbidden), (.noSuchSlot, .notFound), (.onlySecretService, .forbidden),
    (.labelTooLong, .usage), (.costOutOfBounds(passes: 1, memory: 1), .usage),
    (.costNeedsConsent(memory: 1 << 31), .usage), (.badPassphrase(.empty), .usage),
    (.keyFileLength(31), .usage), (.mistypedRecoveryCode(.checksum), .usage),
  ]

  @Test(arguments: keys.indices)
  func keyErrorsHaveTheirCode(index: Int) {
    let (error, code) = Self.keys[index]
    #expect(CommandFailure(error, path: "p").code == code, "\(error)")
    #expect(CommandFailure(.key(error, path: "p")).code == code, "\(error)")
  }

  /// ENOENT, ENOTDIR, EEXIST, EAGAIN; no permission, no space, an input/output error.
  @Test(
    arguments: [
      (2, .notFound), (20, .notFound), (17, .forbidden), (11, .busy), (13, .inputOutput),
      (28, .inputOutput), (5, .inputOutput), (30, .inputOutput),
    ] as [(Int32, ExitCode)])
  func systemErrorsHaveTheirCode(number: Int32, code: ExitCode) {
    let error = SystemError(code: number, operation: "open", path: "some/file")
    let failure = CommandFailure(error)
    #expect(failure.code == code)
    #expect(failure.message.text == "cannot open some/file: \(error.reason)")
  }

  @Test func aStoreThatIsHeldTooLongIsBusy() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let lock = try FileLock(scratch.path("ann.coffer/lock"), .exclusive, timeout: 0)
    let outcome = try scratch.run(["info", "ann.coffer", "--key-file", "ann.key"])
    _ = consume lock
    #expect(outcome.code == 75)
    #expect(outcome.error.contains("another process holds"))
  }
}
