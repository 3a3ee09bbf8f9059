package import Coffer
import CofferCrypto
package import CofferDatabase
import Synchronization

/// Makes the calls of a script.
///
/// Before each, its clock and its randomness begin anew from the number of the step, so that what a
/// call leaves does not depend on which process made those before.
package final class ScriptPlayer: Sendable {
  package let script: Script
  private let bytes: SeededBytes
  private let now: Mutex<Int64>
  /// Between two steps; some dozen of them outlast a lease.
  private static let pace: Int64 = 8_000
  private static let lease = Lease(Bytes16(high: 1, low: 1))

  package init(_ script: Script) {
    self.script = script
    bytes = SeededBytes(script.seed)
    now = Mutex(SimulatedClock.start)
  }

  /// What the script's store is to be made and opened with.
  package func options(_ hook: StatementHook? = nil) -> Store.Options {
    var options = Store.Options()
    options.clock = { self.now.withLock { $0 } }
    options.random = bytes.source
    options.hook = hook
    return options
  }

  /// Makes one call; one that the rows forbid changes nothing.
  package func play(_ number: Int, on store: Store) async throws {
    bytes.restart(script.seed &+ UInt64(number) &* 0x9e37_79b9)
    now.withLock { $0 = SimulatedClock.start + Int64(number) * Self.pace }
    do throws(StoreError) { try await make(script.steps[number], store) } catch {
      switch error {
      case .conflict, .unknownEvent: break
      default: throw error
      }
    }
  }

  private func make(_ step: ScriptStep, _ store: Store) async throws(StoreError) {
    switch step {
    case .page(let page): try await store.receive(page)
    case .push(let item, let epoch): try await store.receive(push: item, epoch: epoch)
    case .items(let items): try await store.receive(items)
    case .overview(let overview, let moves):
      try await store.receive(overview, movesCursor: moves)
    case .fill(let address, let range, let history):
      try await store.fill(address, range, with: history)
    case .epoch(let epoch): try await store.beginEpoch(epoch)
    case .send(let draft): try await store.send(draft)
    case .edit(let id, let text): try await store.edit(id, text: text)
    case .delete(let reference): try await store.delete(reference)
    case .cancel(let id): try await store.cancel(id)
    case .react(let reference, let emoji, let isAdded):
      try await store.react(to: reference, emoji: emoji, isAdded: isAdded)
    case .change(let address, let change): try await store.change(address, change)
    case .draft(let text, let address): try await store.setDraft(text, for: address)
    case .markRead(let address, let seq): try await store.markRead(address, upTo: seq)
    case .clear(let address, let seq): try await store.clear(address, upTo: seq)
    case .harden: _ = try await store.harden()
    case .retry:
      guard let failed = try await entry(store, "failed = 1", in: nil) else { return }
      try await store.retry(failed)
    case .claim: _ = try await store.claim(by: Self.lease, limit: 2)
    case .acknowledge(let address, let seq):
      guard let claimed = try await entry(store, "payload IS NOT NULL", in: address) else { return }
      try await store.acknowledge(claimed, seq: seq)
    case .postpone, .release, .fail:
      guard let claimed = try await entry(store, "leased_by IS NOT NULL", in: nil) else { return }
      try await settle(claimed, step, store)
    }
  }

  private func settle(
    _ claimed: EventID, _ step: ScriptStep, _ store: Store
  ) async throws(StoreError) {
    switch step {
    case .postpone(let asked):
      _ = try await store.postpone(claimed, by: Self.lease, asked: asked)
    case .fail: try await store.fail(claimed, by: Self.lease, .blocked)
    default: try await store.letGo(claimed, by: Self.lease)
    }
  }

  /// The oldest entry of the outbox that `condition`, a text of ours, is true of.
  private func entry(
    _ store: Store, _ condition: String, in address: String?
  ) async throws(StoreError) -> EventID? {
    do throws(DatabaseError) {
      return try await store.database.read { connection throws(DatabaseError) in
        try connection.statement(
          """
          SELECT event_id FROM outbox o JOIN conversations c ON c.id = o.conversation_id
          WHERE \(condition) AND (?1 IS NULL OR c.address = ?1) ORDER BY o.id LIMIT 1
          """
        ).first(address) { EventID($0.bytes16(0)) }
      }
    } catch { throw StoreError(error) }
  }
}

/// Counts the moments of a call's transactions: each statement has one before and one after it.
package final class MomentCounter: Sendable {
  private struct State {
    var isCounting = false
    var count = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var hook: StatementHook {
    StatementHook { moment, sql in
      self.state.withLock { state in
        if sql.hasPrefix("BEGIN IMMEDIATE"), moment == .after { state.isCounting = true }
        if state.isCounting { state.count += 1 }
        if sql == "COMMIT", moment == .after { state.isCounting = false }
      }
    }
  }

  /// How many there were since the last time, from `BEGIN` to `COMMIT`.
  package func take() -> Int {
    state.withLock { state in
      defer { state.count = 0 }
      return state.count
    }
  }
}
