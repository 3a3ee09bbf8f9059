import CofferCoding
import Foundation
import Testing

@testable import CofferKeys

/// Everything in `Keys/vectors/keys.json`, which no code of ours has made.
@Suite struct VectorTests {
  let vectors: Vectors
  init() throws { vectors = try Vectors() }

  @Test(arguments: SlotKind.allCases)
  func everySecretOpensTheKeyring(kind: SlotKind) throws {
    let keyring = try vectors.keyring()
    let unlocked = try keyring.unlock(with: try vectors.credential(kind))
    #expect(unlocked.slot == keyring.slots.first { $0.kind == kind }?.id)
    #expect(hex(unlocked.master.secret) == (try vectors.text("master_key")))
  }

  @Test(arguments: SlotKind.allCases)
  func everyStepOfASlotIsTheOneGiven(kind: SlotKind) throws {
    let keyring = try vectors.keyring()
    let slot = try #require(keyring.slots.first { $0.kind == kind })
    let given = try #require(try vectors.map("slots")[kind.name] as? [String: String])
    let credential = try vectors.credential(kind)
    let secret = try credential.slotSecret(store: keyring.store, parameters: slot.parameters)
    #expect(hex(secret) == given["kek"])
    let keys = try SlotKeys(secret, store: keyring.store)
    #expect(hex(keys.wrap) == given["wrap_key"])
    #expect(Hexadecimal.encode(keys.commitment) == given["commitment"])
    #expect(Hexadecimal.encode(slot.commitment) == given["commitment"])
    #expect(Hexadecimal.encode(slot.box) == given["box"])
    let data = Slot.additionalData(
      kind: kind, id: slot.id, store: keyring.store, parameters: slot.parameters)
    #expect(Hexadecimal.encode(data) == given["ad"])
  }

  @Test func theTextIsTheSameToTheByte() throws {
    let keyring = try vectors.keyring()
    #expect(try keyring.text() == Array(try vectors.text("keyring").utf8))
    #expect("\(keyring.store)" == (try vectors.text("store_id")))
    #expect(keyring.revision == (try vectors.number("revision")))
    #expect(keyring.epoch == (try vectors.number("epoch")))
    #expect(keyring.slots.map(\.label) == ["laptop", "", "usb stick", ""])
    #expect(keyring.slots.map(\.created) == [0, 1, 2, 3].map { 1_764_500_000 + $0 })
    #expect(keyring.slots[0].passes == 3)
    #expect(keyring.slots[0].memory == 64 << 20)
    #expect(keyring.slots[1].passes == nil)
  }

  @Test func makingTheKeyringAgainGivesTheSameText() throws {
    let keyring = try vectors.keyring()
    let master = try vectors.master()
    let again = try Keyring(
      revision: keyring.revision, epoch: keyring.epoch, slots: keyring.slots, master: master)
    #expect(again == keyring)
    #expect(hex(try master.keyringMACKey()) == (try vectors.text("mac_key")))
  }

  @Test func databaseKeysAndTheirSQLCipherForm() throws {
    let master = try vectors.master()
    let answers = try #require(try vectors.map("database_key") as? [String: String])
    #expect(answers.count == 3)
    for (epoch, key) in answers {
      let epoch = try #require(UInt64(epoch))
      #expect(hex(try master.databaseKey(epoch: epoch)) == key)
      let text = String(decoding: array(try master.sqlCipherKey(epoch: epoch)), as: UTF8.self)
      #expect(text == "x'\(key)'")
    }
  }

  @Test func theRecoveryCodeReadsAndWrites() throws {
    let code = try recoveryCode(try vectors.text("recovery_code"))
    #expect(hex(code.secret) == (try vectors.text("recovery_bytes")))
    #expect(try text(of: code) == (try vectors.text("recovery_code")))
  }

  /// The same values stand in a second file beside the project, where it is there.
  @Test func theJudgesFileSaysTheSame() throws {
    guard let judge = try? Vectors("../shared/vectors/keys.json") else { return }
    for (name, value) in vectors.root {
      let other = try #require(judge.root[name])
      #expect((value as? NSObject) == (other as? NSObject), "\(name)")
    }
  }
}
