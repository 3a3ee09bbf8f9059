import Coffer
import CofferSystem
import Testing

@testable import CofferSimulator

/// That what a simulation calls a death leaves exactly what one would.
@Suite struct FreezerTests {
  /// Applies pages to a store that dies, and gives the store as it is opened afterwards.
  private func survive(
    _ death: Freezer.Death, _ scratch: Scratch, _ body: (Store) async throws -> Void
  ) async throws -> (store: Store, isInTransaction: Bool) {
    let freezer = Freezer(folder: scratch.store)
    let store = try await scratch.open(freezer.hook)
    try freezer.arm(death)
    try await body(store)
    let left = try freezer.strike()
    await store.close()
    try left.files.thaw(into: scratch.store)
    return (try await scratch.open(), left.isInTransaction)
  }

  @Test func aKillAtEveryMomentLeavesAllOfAPageOrNothing() async throws {
    let scratch = try Scratch()
    let made = try await scratch.create()
    try await made.receive(page(1...2))
    await made.close()
    var moment = 1
    var inside = 0
    while true {
      let (store, isInside) = try await survive(.kill(atMoment: moment), scratch) { store in
        try await store.receive(page(3...4))
      }
      let cursor = try await store.cursor()
      let isClean = try await store.verify().isClean
      let messages = try await store.information().messages
      await store.close()
      #expect(isClean && messages == cursor, "moment \(moment)")
      if isInside { inside += 1 }
      if cursor == 4 { break }
      #expect(cursor == 2 && isInside)
      moment += 1
    }
    #expect(inside > 10)
  }

  @Test func aPowerLossUndoesWhatNoFullCommitFollowed() async throws {
    let scratch = try Scratch()
    let made = try await scratch.create()
    await made.close()
    let (store, _) = try await survive(.powerLoss, scratch) { store in
      try await store.receive(page(1...2))
      try await store.send(Draft("stays", to: "hiking"))
      try await store.receive(page(3...4))
    }
    #expect(try await store.cursor() == 2)
    #expect(try await store.information().pending == 1)
    #expect(try await store.verify().isClean)
    await store.close()
  }

  @Test func equalStoresHaveEqualFingerprintsAndOthersDoNot() async throws {
    let (left, right) = (try Scratch(), try Scratch())
    let (one, two) = (try await left.create(), try await right.create())
    #expect(try await Fingerprint(of: one) == Fingerprint(of: two))
    try await one.receive(page(1...3))
    #expect(try await Fingerprint(of: one) != Fingerprint(of: two))
    try await two.receive(page(1...3))
    #expect(try await Fingerprint(of: one) == Fingerprint(of: two))
    await one.close()
    await two.close()
  }
}
