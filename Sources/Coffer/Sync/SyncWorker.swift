/// Does what a `SyncMachine` wants done with the store.
package struct SyncWorker: Sendable {
  private let store: Store
  private let lease: Lease
  private let backoff: Backoff

  package init(_ store: Store, _ options: SyncOptions) {
    self.store = store
    lease = store.makeLease()
    backoff = options.backoff
  }

  package func perform(_ task: SyncTask) async -> SyncOutcome {
    do throws(StoreError) { return try await work(task) } catch { return .failed(error) }
  }

  private func work(_ task: SyncTask) async throws(StoreError) -> SyncOutcome {
    switch task {
    case .look: return .position(try await store.syncPosition())
    case .begin(let epoch, let from):
      if try await store.syncPosition().epoch == from { try await store.beginEpoch(epoch) }
      return .position(try await store.syncPosition())
    case .receive(let page): return .received(try await store.receive(Page(page)))
    case .push(let item, let epoch):
      return .received(try await store.receive(push: Arrival(item), epoch: epoch))
    case .overview(let overview, let movesCursor):
      return .received(try await store.receive(overview, movesCursor: movesCursor))
    case .compare(let overview):
      return .differences(try await store.differences(from: overview))
    case .harden: return .position(try await store.harden())
    case .claim(let limit):
      let claimed = try await store.claim(by: lease, limit: limit)
      return .claimed(
        claimed, due: try await store.nextDue(), pending: try await store.outboxCounts().pending)
    case .accept(let claimed, let acceptance): return try await accept(claimed, acceptance)
    case .postpone(let claimed, let asked): return try await postpone(claimed, asked)
    case .letGo(let claimed):
      try await store.letGo(claimed.event.id, by: lease)
      return .done
    case .fail(let claimed, let refusal):
      let isOurs = try await store.fail(claimed.event.id, by: lease, refusal)
      return .postponed(isOurs ? .failed : .notOurs)
    case .findGap(let conversation, let stuck, let limit):
      return .gap(try await gap(of: conversation, besides: stuck, limit))
    case .fill(let stretch, let history):
      return .received(
        try await store.fill(stretch.conversation, stretch.range, with: history))
    case .findReceipts(let limit):
      return .receipts(try await store.waitingReceipts(limit: limit))
    case .noteTold(let receipt):
      try await store.noteTold(receipt)
      return .done
    }
  }

  private func accept(
    _ claimed: ClaimedEvent, _ acceptance: Acceptance
  ) async throws(StoreError) -> SyncOutcome {
    guard let seq = acceptance.seq else { return try await postpone(claimed, nil) }
    do throws(StoreError) {
      return .received(
        try await store.acknowledge(claimed.event.id, seq: seq, epoch: acceptance.epoch))
    } catch {
      switch error {
      // Removed meanwhile, with the history that it went into.
      case .unknownEvent: return .done
      // The server contradicts what it said before; it may come to itself.
      case .conflict: return try await postpone(claimed, nil)
      default: throw error
      }
    }
  }

  private func postpone(
    _ claimed: ClaimedEvent, _ asked: Int64?
  ) async throws(StoreError) -> SyncOutcome {
    .postponed(
      try await store.postpone(claimed.event.id, by: lease, asked: asked, backoff: backoff))
  }

  /// The upper part of the first gap that may be had.
  private func gap(
    of conversation: String?, besides stuck: Set<StuckGap>, _ limit: Int64
  ) async throws(StoreError) -> Stretch? {
    let gaps = try await store.openGaps(of: conversation, limit: stuck.count + 1)
    for (conversation, range) in gaps {
      let first = max(range.lowerBound, range.upperBound - limit + 1)
      let stretch = Stretch(conversation, first...range.upperBound)
      if !stuck.contains(StuckGap(stretch)) { return stretch }
    }
    return nil
  }
}

extension SyncRequest {
  /// Asks it.
  package func perform(with relay: some Relay) async -> SyncAnswer {
    do throws(RelayError) {
      switch self {
      case .register:
        try await relay.register()
        return .done
      case .inbox(let cursor, let limit):
        return .page(try await relay.inbox(after: cursor, limit: limit))
      case .overview: return .overview(try await relay.overview())
      case .history(let conversation, let range):
        return .history(try await relay.history(of: conversation, range))
      case .send(let claimed): return .accepted(try await relay.send(claimed.event))
      case .receipt(let receipt): return .accepted(try await relay.send(receipt.event))
      case .release(let number, let epoch):
        try await relay.release(upTo: number, epoch: epoch)
        return .done
      }
    } catch { return .failed(error) }
  }
}
