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
}
