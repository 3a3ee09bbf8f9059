/// What is missing, and what the server has otherwise.
struct FillLane: Sendable {
  var isNeeded = true
  var isBusy = false
  /// Conversations that somebody looks at, the last first.
  var wants: [String] = []
  /// Stretches that are asked for although they are here.
  var refetch: [Stretch] = []
  /// Gaps that the server did not account for.
  var stuck: Set<StuckGap> = []
  /// What was found last.
  var previous: Stretch?
  var retry = Retry()

  mutating func want(_ conversation: String) {
    drop(conversation)
    wants.insert(conversation, at: 0)
  }

  mutating func drop(_ conversation: String) {
    wants.removeAll { Address(text: $0) == Address(text: conversation) }
  }

  /// Seqs of an older numbering mean nothing.
  mutating func forget() {
    refetch = []
    stuck = []
    previous = nil
  }

  func isDone(_ options: SyncOptions) -> Bool {
    !isBusy && wants.isEmpty && refetch.isEmpty && !(isNeeded && options.fillsInBackground)
  }
}

extension SyncMachine {
  mutating func stepFill() {
    guard !fill.isBusy, !fill.retry.isWaiting(at: now) else { return }
    if let wanted = fill.wants.first {
      findGap(of: wanted)
    } else if inbox.isDone, inbox.isCaughtUp {
      // In the background only what the inbox does not bring anyway.
      if let stretch = fill.refetch.popLast() {
        fill.isBusy = true
        ask(.history(stretch.conversation, stretch.range))
      } else if fill.isNeeded, options.fillsInBackground {
        fill.isNeeded = false
        findGap(of: nil)
      }
    }
  }

  private mutating func findGap(of conversation: String?) {
    fill.isBusy = true
    work(.findGap(of: conversation, besides: fill.stuck, limit: options.fillLimit))
  }

  mutating func take(_ answer: SyncAnswer, to stretch: Stretch) {
    switch answer {
    case .history(let history) where history.epoch != epoch:
      giveBack()
      doubtEpoch()
    case .history(let history) where !history.answers.isEmpty:
      fill.retry.succeed()
      work(.fill(stretch, history))
    case .history, .failed(.refused), .failed(.expired):
      giveBack()
      fill.stuck.insert(StuckGap(stretch))
    case .failed(.retryable(let asked)):
      giveBack()
      fill.retry.fail(at: now, asked: asked, &jitter)
      if mode == .once, fill.retry.isHopeless { stop(.relay(.retryable())) }
    default: giveBack()
    }
  }

  /// What was found is still missing, and may be found again.
  private mutating func giveBack() {
    fill.isBusy = false
    fill.isNeeded = true
    fill.previous = nil
  }

  mutating func takeFill(_ outcome: SyncOutcome, of task: SyncTask) {
    fill.isBusy = false
    switch (task, outcome) {
    case (.findGap(let conversation, _, _), .gap(nil)):
      if let conversation { fill.drop(conversation) }
    case (.findGap, .gap(let stretch?)):
      if stretch == fill.previous {
        // The answer left its end as missing as before.
        fill.stuck.insert(StuckGap(stretch))
        fill.previous = nil
        fill.isNeeded = true
        return
      }
      fill.previous = stretch
      fill.isBusy = true
      ask(.history(stretch.conversation, stretch.range))
    case (.fill(_, let history), .received):
      progress.filled += history.answers.count
      fill.isNeeded = true
      receipts.isNeeded = true
    case (.fill(let stretch, _), .failed):
      fill.stuck.insert(StuckGap(stretch))
      fill.isNeeded = true
    case (.findGap, .failed): fill.isNeeded = true
    default: break
    }
  }
}
