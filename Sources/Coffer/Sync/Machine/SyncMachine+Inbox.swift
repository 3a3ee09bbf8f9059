/// What comes in.
struct InboxLane: Sendable {
  var isBusy = false
  var needsOverview = true
  var needsPull = true
  /// The overview is to move the cursor, for the server has discarded what comes after it.
  var isExpired = false
  /// An overview that waits for its epoch to begin.
  var held: Overview?
  /// An overview whose digests are to be compared once everything it knew of is here.
  var toCompare: Overview?
  /// Whether the heads in it were recorded.
  var isRecorded = false

  /// The highest number that the server named.
  var head: Int64 = 0
  var isCaughtUp = false
  /// Full pages in a row.
  var fullPages = 0
  var retry = Retry()

  /// Pushes that are being applied.
  var pushes = 0
  /// Items since the cursor was made durable.
  var unsaved = 0
  var hardenAt: Int64?
  var needsHarden = false

  /// Whether nothing of it is to be done before what has time.
  var isQuiet: Bool { !isBusy && !needsOverview && !needsPull && pushes == 0 }
  var isDone: Bool { isQuiet && toCompare == nil }
}

extension SyncMachine {
  mutating func stepInbox() {
    guard !inbox.isBusy, !inbox.retry.isWaiting(at: now) else { return }
    if !isRegistered {
      begin(.register)
    } else if inbox.needsOverview {
      begin(.overview)
    } else if isHardeningDue {
      inbox.isBusy = true
      work(.harden)
    } else if inbox.needsPull {
      inbox.needsPull = false
      begin(.inbox(after: cursor, limit: options.pageLimit))
    } else if let overview = inbox.toCompare {
      inbox.isBusy = true
      compare(overview)
    }
  }

  private mutating func begin(_ request: SyncRequest) {
    inbox.isBusy = true
    ask(request)
  }

  /// Whether what came may be discarded by the server once it is durable, and it is time for that.
  var isHardeningDue: Bool {
    guard cursor > durableCursor else { return false }
    if inbox.unsaved >= SyncOptions.durableEvery { return true }
    if inbox.needsPull { return false }
    return inbox.needsHarden || (inbox.hardenAt.map { $0 <= now } ?? false)
  }

  /// First the heads, which bring what the inbox never did, then the digests.
  private mutating func compare(_ overview: Overview) {
    if !inbox.isRecorded, cursor <= overview.head {
      inbox.isRecorded = true
      work(.overview(overview, movesCursor: false))
    } else {
      inbox.toCompare = nil
      work(.compare(overview))
    }
  }

  // MARK: What the server said

  mutating func takeInbox(_ answer: SyncAnswer, to request: SyncRequest) {
    inbox.isBusy = false
    switch (request, answer) {
    case (.register, .done):
      isRegistered = true
      drain.isNeeded = true
    case (.overview, .overview(let overview)):
      inbox.retry.succeed()
      take(overview)
    case (.inbox, .page(let page)): take(page)
    case (.release, _): break
    case (_, .failed(let error)): fail(error, of: request)
    default: break
    }
  }

  private mutating func fail(_ error: RelayError, of request: SyncRequest) {
    if case .inbox = request { inbox.needsPull = true }
    switch error {
    case .unreachable: break
    case .retryable(let asked): failInbox(asked)
    case .refused:
      // A server that has forgotten this device is told of it again, once.
      if request == .register || inbox.retry.failures > 0 {
        stop(.relay(error))
      } else {
        isRegistered = false
        failInbox(0)
      }
    case .expired(let head, _):
      // The second time in a row it is the server that is confused.
      if inbox.isExpired { failInbox(nil) }
      inbox.isExpired = true
      inbox.head = head
      inbox.needsOverview = true
    }
  }

  private mutating func failInbox(_ asked: Int64?) {
    inbox.retry.fail(at: now, asked: asked, &jitter)
    if mode == .once, inbox.retry.isHopeless { stop(.relay(.retryable())) }
  }

  /// Only an overview begins an epoch: it is the one answer that was certainly asked for after the
  /// last one began, since this lane does one thing at a time.
  private mutating func take(_ overview: Overview) {
    if epoch != overview.epoch {
      inbox.held = overview
      inbox.isBusy = true
      work(.begin(epoch: overview.epoch, from: epoch))
      return
    }
    doubtsEpoch = false
    inbox.needsOverview = false
    inbox.needsPull = true
    inbox.head = overview.head
    inbox.toCompare = overview
    let isFar = overview.head - cursor > options.farBehind
    let moves = inbox.isExpired || (isFar && !options.isSealed)
    inbox.isRecorded = isFar || moves
    guard inbox.isRecorded else { return }
    inbox.isBusy = true
    work(.overview(overview, movesCursor: moves))
  }

  private mutating func take(_ page: InboxPage) {
    guard page.epoch == epoch else {
      inbox.needsPull = true
      doubtEpoch()
      return
    }
    if page.next <= cursor, page.items.isEmpty {
      // A page of nothing that is not the last would be asked for for ever.
      if page.more {
        inbox.needsPull = true
        failInbox(nil)
      } else {
        catchUp()
      }
      return
    }
    inbox.isBusy = true
    work(.receive(page))
  }

  mutating func take(_ item: RelayItem, of epoch: Int64) {
    // What cannot be taken is pulled.
    guard isLooked, isRegistered, !doubtsEpoch, epoch == self.epoch,
      inbox.pushes < SyncOptions.pushes
    else {
      inbox.needsPull = true
      return
    }
    inbox.pushes += 1
    work(.push(item, epoch: epoch))
  }

  private mutating func catchUp() {
    inbox.retry.succeed()
    inbox.isExpired = false
    inbox.isCaughtUp = true
    inbox.fullPages = 0
    inbox.head = cursor
    inbox.needsHarden = cursor > durableCursor
    progress.isCaughtUp = true
    fill.isNeeded = true
    receipts.isNeeded = true
  }

  // MARK: What came of it in the store

  mutating func takeInbox(_ outcome: SyncOutcome, of task: SyncTask) {
    if case .push = task { inbox.pushes -= 1 } else { inbox.isBusy = false }
    switch (task, outcome) {
    case (.look, .position(let position)): stand(at: position)
    case (.begin, .position(let position)):
      let isOther = position.epoch != epoch && epoch != nil
      stand(at: position)
      if isOther {
        inbox.toCompare = nil
        fill.forget()
      }
      if let held = inbox.held, held.epoch == epoch { take(held) }
      inbox.held = nil
    case (.receive(let page), .received(let result)): take(result, of: page)
    case (.receive, .failed): inbox.needsPull = true
    case (.push, .received(let result)):
      note(result, items: 1)
      if inbox.hardenAt == nil, cursor > durableCursor {
        inbox.hardenAt = now + SyncOptions.durableAfter
      }
      if result.pullFrom != nil { inbox.needsPull = true }
    case (.push, .failed): inbox.needsPull = true
    case (.overview, .received(let result)):
      note(result, items: 0)
      inbox.needsHarden = cursor > durableCursor
    case (.overview, .failed): inbox.isRecorded = false
    case (.compare(let overview), .differences(let stretches)):
      if overview.epoch == epoch { fill.refetch = stretches }
    case (.harden, .position(let position)):
      stand(at: position)
      inbox.unsaved = 0
      inbox.hardenAt = nil
      inbox.needsHarden = false
      if let epoch, durableCursor > 0 {
        begin(.release(upTo: durableCursor, epoch: epoch))
      }
    default: break
    }
  }

  private mutating func stand(at position: SyncPosition) {
    isLooked = true
    cursor = position.cursor
    durableCursor = position.durableCursor
    epoch = position.epoch
  }

  private mutating func take(_ result: ReceiveResult, of page: InboxPage) {
    inbox.retry.succeed()
    inbox.isExpired = false
    note(result, items: page.items.count)
    if page.more {
      inbox.needsPull = true
      inbox.fullPages += 1
      // It may be so much that the newest should come first.
      if inbox.fullPages >= 2, inbox.head == cursor, !options.isSealed {
        inbox.fullPages = 0
        inbox.needsOverview = true
      }
    } else if result.pullFrom != nil, page.next > page.base {
      inbox.needsPull = true
    } else {
      catchUp()
    }
  }

  /// What any call that applied something says.
  private mutating func note(_ result: ReceiveResult, items: Int) {
    cursor = result.cursor
    inbox.head = max(inbox.head, cursor)
    inbox.unsaved += items
    progress.pulled += items
    fill.isNeeded = true
    receipts.isNeeded = true
  }
}
