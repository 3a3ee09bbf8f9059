import CofferCrypto
import Testing

@testable import CofferKeys

@Suite struct KeyringRuleTests {
  let environment = CofferKeysTests.environment(7)

  private func slot(
    _ master: borrowing MasterKey, _ byte: UInt8, label: String = "", id: SlotID? = nil
  ) throws -> Slot {
    try Slot(
      wrapping: master, under: try keyFile(filledWith: byte), label: label, id: id,
      environment: environment)
  }

  private func serviceSlot(_ master: borrowing MasterKey, _ byte: UInt8) throws -> Slot {
    let secret = try service([UInt8](repeating: byte, count: 32))
    return try Slot(wrapping: master, under: .secretService(secret), environment: environment)
  }

  private func passphraseSlot(_ master: borrowing MasterKey) throws -> Slot {
    try Slot(
      wrapping: master, under: .passphrase(try passphrase("many")), strength: .weakest,
      environment: environment)
  }

  private func make() throws -> NewKeyring {
    try Keyring.make(for: try keyFile(filledWith: 1), label: "first", environment: environment)
  }

  @Test func everyKindOpensWhatItMade() throws {
    let new = try make()
    let code = try RecoveryCode.generate(from: environment.random)
    let typed = try recoveryCode(try text(of: code))
    var keyring = new.keyring
    keyring = try keyring.adding(try passphraseSlot(new.master), master: new.master)
    keyring = try keyring.adding(
      try Slot(wrapping: new.master, under: .recoveryCode(code), environment: environment),
      master: new.master)
    keyring = try keyring.adding(try serviceSlot(new.master, 9), master: new.master)
    #expect(keyring.revision == 4)
    keyring = try Keyring(text: try keyring.text())
    let credentials: (Int) throws -> Credential = { index in
      switch index {
      case 0: try keyFile(filledWith: 1)
      case 1: .passphrase(try passphrase("many"))
      case 2: .secretService(try service([UInt8](repeating: 9, count: 32)))
      default: try keyFile(filledWith: 1)
      }
    }
    for (index, place) in [(0, 0), (1, 1), (2, 3)] {
      let unlocked = try keyring.unlock(with: try credentials(index))
      #expect(unlocked.slot == keyring.slots[place].id)
      #expect(array(unlocked.master.secret) == array(new.master.secret))
    }
    let unlocked = try keyring.unlock(with: .recoveryCode(typed))
    #expect(unlocked.slot == keyring.slots[2].id)
    #expect(keyring.slots.allSatisfy { $0.created == 1_764_500_000 })
  }

  @Test func wrongSecretsOfEachKindFitNoSlot() throws {
    let keyring = try Vectors().keyring()
    let wrong = RandomSource { bytes in
      for index in 0..<bytes.byteCount {
        bytes.storeBytes(of: 5, toByteOffset: index, as: UInt8.self)
      }
    }
    func error(_ credential: borrowing Credential) -> KeyError? {
      do throws(KeyError) {
        _ = try keyring.unlock(with: credential)
        return nil
      } catch { return error }
    }
    #expect(error(.passphrase(try passphrase("correct horse"))) == .wrongSecret)
    #expect(error(.recoveryCode(try RecoveryCode.generate(from: wrong))) == .wrongSecret)
    #expect(error(try keyFile(filledWith: 5)) == .wrongSecret)
    #expect(error(.secretService(try ServiceSecret(from: wrong))) == .wrongSecret)
  }

  @Test func theRightBytesOfAnotherKindDoNotOpen() throws {
    let new = try make()
    let same = Credential.secretService(try service([UInt8](repeating: 1, count: 32)))
    let keyring = try new.keyring.adding(try serviceSlot(new.master, 2), master: new.master)
    let error = failure { () throws(KeyError) in
      _ = try keyring.unlock(with: same)
    }
    #expect(error == .wrongSecret)
  }

  @Test func theLastSlotStays() throws {
    let new = try make()
    let keyring = new.keyring
    let first = keyring.slots[0].id
    #expect(
      failure { () throws(KeyError) in
        _ = try keyring.removing(first, master: new.master, insist: true)
      } == .lastSlot)
    let two = try keyring.adding(try slot(new.master, 2), master: new.master)
    let one = try two.removing(first, master: new.master)
    #expect(one.slots == [two.slots[1]])
    #expect(one.revision == 3)
    #expect(
      failure { () throws(KeyError) in _ = try one.unlock(with: try keyFile(filledWith: 1)) }
        == .wrongSecret)
    #expect(
      failure { () throws(KeyError) in _ = try one.removing(first, master: new.master) }
        == .noSuchSlot)
  }

  @Test func onlyTheSecretServiceNeedsInsisting() throws {
    let new = try make()
    let first = new.keyring.slots[0].id
    let second = try serviceSlot(new.master, 2)
    let both = try new.keyring.adding(second, master: new.master)
    #expect(
      failure { () throws(KeyError) in _ = try both.removing(first, master: new.master) }
        == .onlySecretService)
    #expect(
      failure { () throws(KeyError) in
        _ = try new.keyring.replacing(first, with: second, master: new.master)
      } == .onlySecretService)
    let only = try both.removing(first, master: new.master, insist: true)
    #expect(try Keyring(text: try only.text()) == only)
    let secret = Credential.secretService(try service([UInt8](repeating: 3, count: 32)))
    #expect(
      failure { () throws(KeyError) in
        _ = try Keyring.make(for: secret, environment: environment)
      } == .onlySecretService)
  }

  @Test func thereAreLimits() throws {
    let new = try make()
    var keyring = new.keyring
    for byte in 2...32 {
      keyring = try keyring.adding(try slot(new.master, UInt8(byte)), master: new.master)
    }
    let one = try slot(new.master, 33)
    #expect(
      failure { () throws(KeyError) in _ = try keyring.adding(one, master: new.master) }
        == .tooManySlots(limit: 32))
    #expect(try Keyring(text: try keyring.text()) == keyring)

    keyring = new.keyring
    let same = try passphraseSlot(new.master)
    for _ in 0..<8 {
      let slot = Slot(
        id: SlotID(from: environment.random), kind: .passphrase, created: 0, label: "",
        parameters: same.parameters, commitment: same.commitment, nonce: same.nonce, box: same.box)
      keyring = try keyring.adding(slot, master: new.master)
    }
    #expect(
      failure { () throws(KeyError) in _ = try keyring.adding(same, master: new.master) }
        == .tooManySlots(limit: 8))
    #expect(
      failure { () throws(KeyError) in
        _ = try keyring.adding(new.keyring.slots[0], master: new.master)
      } == .duplicateSlot)
  }

  @Test func replacingKeepsThePlace() throws {
    let new = try make()
    let two = try new.keyring.adding(try slot(new.master, 2), master: new.master)
    let other = try slot(new.master, 3, label: "other")
    let changed = try two.replacing(two.slots[0].id, with: other, master: new.master)
    #expect(changed.slots == [other, two.slots[1]])
    #expect(changed.epoch == 1)
    #expect(try changed.slot(other.id).label == "other")
  }

  @Test func labelsAreAnyShortText() throws {
    let new = try make()
    for label in ["", "-", "\u{1b}[31m red", "two\nlines", String(repeating: "é", count: 32)] {
      let keyring = try new.keyring.adding(
        try slot(new.master, 2, label: label), master: new.master)
      let read = try Keyring(text: try keyring.text())
      #expect(Array(read.slots[1].label.utf8) == Array(label.utf8))
    }
    let error = failure { () throws(KeyError) in
      _ = try Slot(
        wrapping: new.master, under: try keyFile(filledWith: 2),
        label: String(repeating: "é", count: 33), environment: environment)
    }
    #expect(error == .labelTooLong)
  }

  @Test func aChangeNeverSealsWhatSomeoneSlippedIn() throws {
    let new = try make()
    let keyring = new.keyring
    let forged = Keyring(
      store: keyring.store, revision: 9, epoch: 1, slots: keyring.slots, mac: keyring.mac)
    let slot = try slot(new.master, 2)
    let error = failure { () throws(KeyError) in
      _ = try forged.adding(slot, master: new.master)
    }
    #expect(error == .tampered)
  }

  @Test func theNextEpochHasANewMasterKey() throws {
    let new = try make()
    let master = try MasterKey(store: new.keyring.store, from: environment.random)
    let next = try new.keyring.advancing(slots: [try slot(master, 1)], master: master)
    #expect(next.epoch == 2)
    #expect(next.revision == 2)
    let unlocked = try next.unlock(with: try keyFile(filledWith: 1))
    #expect(array(unlocked.master.secret) == array(master.secret))
    #expect(failure { () throws(KeyError) in try next.verify(with: new.master) } == .tampered)
  }

  @Test func slotIDsReadBack() throws {
    let id = SlotID(from: environment.random)
    #expect(SlotID("\(id)") == id)
    #expect(SlotID("\(id)".uppercased()) == id)
    #expect(SlotID("") == nil)
    #expect(SlotID("\(id)00") == nil)
  }
}
