import CofferSystem

/// What a `SyncEngine` does, as values: events go in, actions come out.
///
/// It knows no clock, no store and no network: time comes with the events, and whoever drives it does
/// what it says and tells it what came of that. Four lanes go on side by side, each with one thing at
/// a time but the drain: the inbox, the outbox, what is missing, and receipts.
package struct SyncMachine: Sendable {
  package enum Mode: Sendable {
    /// Ends when there is nothing left to do, or the server does not answer.
    case once
    /// Ends when it is stopped.
    case always
  }

  let options: SyncOptions
  let mode: Mode
  var jitter: SplitMix64
  var now: Int64 = 0
  var actions: [SyncAction] = []
  /// Questions and tasks that nobody told it of yet.
  private var onTheWay = 0

  // Where the store stands; nothing while it was not looked at.
  var isLooked = false
  var cursor: Int64 = 0
  var durableCursor: Int64 = 0
  var epoch: Int64?
  /// The server named another epoch: until it is asked afresh, nothing of it is taken or sent.
  var doubtsEpoch = false

  // The server.
  var isReachable = true
  var isRegistered = false
  var link = Retry()
  var lastHeard: Int64 = 0
  /// The store is held by another process.
  var storeRetry = Retry()

  var inbox = InboxLane()
  var drain = DrainLane()
  var fill = FillLane()
  var receipts = ReceiptLane()

  var progress = SyncProgress()
  private var toldProgress: SyncProgress?
  private var pollAt: Int64?
  private var isStarted = false
  private var isStopping = false
  private var isEnded = false
  private var problem: SyncError?

  /// `seed` is for the waits after failures.
  package init(_ options: SyncOptions = SyncOptions(), mode: Mode, seed: UInt64) {
    self.options = options
    self.mode = mode
    jitter = SplitMix64(seed)
  }

  /// What is to be done after an event; `now` is in milliseconds since 1970.
  package mutating func handle(_ event: SyncEvent, at now: Int64) -> [SyncAction] {
    guard !isEnded else { return [] }
    self.now = now
    actions = []
    switch event {
    case .start:
      isStarted = true
      lastHeard = now
    case .answered(let request, let answer):
      onTheWay -= 1
      take(answer, to: request)
    case .worked(let task, let outcome):
      onTheWay -= 1
      take(outcome, of: task)
    case .pushed(let push): take(push)
    case .outboxChanged:
      drain.isNeeded = true
      receipts.isNeeded = true
    case .wanted(let conversation): fill.want(conversation)
    case .woke: break
    case .stop: isStopping = true
    }
    look(at: now)
    if isStarted, !isStopping { step() }
    conclude()
    return actions
  }

  // MARK: Saying what to do

  mutating func ask(_ request: SyncRequest) {
    onTheWay += 1
    actions.append(.ask(request))
  }

  mutating func work(_ task: SyncTask) {
    onTheWay += 1
    actions.append(.work(task))
  }

  /// Starts whatever may start.
  private mutating func step() {
    if storeRetry.isWaiting(at: now) { return }
    guard isLooked else {
      if !inbox.isBusy {
        inbox.isBusy = true
        work(.look)
      }
      return
    }
    guard isReachable else { return }
    stepInbox()
    guard isRegistered, !doubtsEpoch else { return }
    stepDrain()
    // Nothing is known of the server's numbering before the first overview.
    guard epoch != nil, !inbox.needsOverview else { return }
    stepFill()
    stepReceipts()
  }

  private mutating func conclude() {
    if mode == .once, !isStopping, isStarted, isLooked, onTheWay == 0, isDone { isStopping = true }
    if isStopping, onTheWay == 0 {
      isEnded = true
      tell()
      actions.append(.end(problem))
      return
    }
    tell()
    if let next = nextWake { actions.append(.wake(at: next)) }
  }

  private mutating func tell() {
    progress.isOnline = isReachable && isRegistered
    progress.behind = max(inbox.head - cursor, 0)
    guard progress != toldProgress else { return }
    toldProgress = progress
    actions.append(.tell(progress))
  }

  private var isDone: Bool {
    inbox.isDone && inbox.isCaughtUp && !isHardeningDue && drain.isQuiet && fill.isDone(options)
      && !receipts.isNeeded
  }

  // MARK: Times

  /// Has what waited for its time be needed again.
  private mutating func look(at now: Int64) {
    if !isReachable, !link.isWaiting(at: now) { reconnect() }
    if let due = drain.dueAt, due <= now {
      drain.dueAt = nil
      drain.isNeeded = true
    }
    guard mode == .always, isStarted else { return }
    if let poll = pollAt, now < poll, poll - now <= options.poll { return }
    if pollAt != nil {
      drain.isNeeded = true
      receipts.isNeeded = true
      // A connection that died without a word would never say that there is something.
      if now - lastHeard >= 10 * options.poll { inbox.needsPull = true }
    }
    pollAt = now + options.poll
  }

  private var nextWake: Int64? {
    var times = [storeRetry.at, drain.dueAt, pollAt]
    if isReachable {
      times += [inbox.retry.at, inbox.hardenAt, fill.retry.at, receipts.retry.at]
    } else {
      times.append(link.at)
    }
    return times.compactMap { $0 }.filter { $0 > now }.min()
  }

  // MARK: The server and the store

  /// The server was not reached; everything waits until it is, or until it is time to try.
  mutating func disconnect() {
    if mode == .once { stop(.relay(.unreachable)) }
    guard isReachable else { return }
    isReachable = false
    link.fail(at: now, &jitter)
  }

  /// Tries again what waited for the server.
  private mutating func reconnect() {
    isReachable = true
    inbox.needsPull = true
    drain.isNeeded = true
    receipts.isNeeded = true
  }

  mutating func heard() {
    lastHeard = now
    link.succeed()
  }

  /// The server named another epoch than ours.
  mutating func doubtEpoch() {
    doubtsEpoch = true
    inbox.needsOverview = true
  }

  /// Ends once everything that is on its way has come back.
  mutating func stop(_ problem: SyncError?) {
    isStopping = true
    if self.problem == nil { self.problem = problem }
  }

  /// What the store could not do.
  mutating func fail(_ error: StoreError) {
    switch error {
    case .busy:
      storeRetry.fail(at: now, &jitter)
      if mode == .once, storeRetry.isHopeless { stop(.store(error)) }
    case .otherEpoch:
      // Another process has gone on; where to is seen afresh.
      isLooked = false
      doubtEpoch()
    default: stop(.store(error))
    }
  }

  private mutating func take(_ push: RelayPush) {
    switch push {
    case .connected:
      // After a long time it may be better not to pull everything.
      if now - lastHeard > 600_000 { inbox.needsOverview = true }
      heard()
      inbox.retry.succeed()
      fill.retry.succeed()
      receipts.retry.succeed()
      fill.stuck = []
      fill.isNeeded = true
      reconnect()
    case .disconnected:
      guard mode == .always else { return }
      disconnect()
    case .item(let item, let epoch): take(item, of: epoch)
    }
  }
}
