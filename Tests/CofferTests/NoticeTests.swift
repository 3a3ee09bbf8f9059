import CofferKeys
import CofferSystem
import Testing

@testable import Coffer

@Suite struct NoticeTests {
  @Test func aCopyThatCannotBeWrittenIsSaid() async throws {
    let scratch = try Scratch()
    let store = try await scratch.create()
    // A folder in its place: the copy cannot be renamed over it.
    try Files.remove("\(scratch.store)/keyring.copy")
    try Files.makeFolder("\(scratch.store)/keyring.copy")
    try await store.addSlot(NewSlot(scratch.credential(9)))
    #expect(store.notices == [.keyringCopyStale])
    await store.close()
    let again = try await Store.open(at: scratch.store, with: scratch.credential(9))
    #expect(again.notices.isEmpty)
    await again.close()
  }

  @Test func aPageThatLeavesPushesWaitingSaysWhereToPull() async throws {
    let scratch = try Scratch()
    let store = try await scratch.create()
    try await store.receive(push: item(9))
    #expect(try await store.receive(page(1...4)).pullFrom == 4)
    #expect(try await store.receive(page(5...8)).pullFrom == nil)
  }

  @Test func anEpochThatWasStagedAndNotCommittedGoes() async throws {
    let scratch = try Scratch()
    await (try scratch.create()).close()
    let file = KeyringFile(folder: scratch.store)
    let keyring = try file.read().keyring
    let unlocked = try keyring.unlock(with: scratch.credential())
    let next = try keyring.advancing(slots: keyring.slots, master: unlocked.master)
    do {
      let locked = try file.lock()
      try locked.stage(next)
    }
    for name in ["store-2.db", "store-2.db-wal"] {
      try Files.replace("\(scratch.store)/\(name)", with: [1], through: "\(scratch.store)/x")
    }
    let store = try await scratch.open()
    #expect(store.notices.isEmpty)
    for name in ["store-2.db", "store-2.db-wal", "keyring.new"] {
      #expect(try !Files.isThere("\(scratch.store)/\(name)"), "\(name)")
    }
    await store.close()
  }
}
