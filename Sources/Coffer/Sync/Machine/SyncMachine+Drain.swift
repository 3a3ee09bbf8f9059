/// What goes out: side by side for different conversations, one after the other within one.
struct DrainLane: Sendable {
  var isNeeded = true
  var isClaiming = false
  /// Events that were claimed and not settled.
  var sending = 0
  /// When the next entry is due; nothing while none waits.
  var dueAt: Int64?
  /// Events that the server did not allow while it may have forgotten this device.
  var doubted: Set<EventID> = []

  var isQuiet: Bool { !isNeeded && !isClaiming && sending == 0 }
}

extension SyncMachine {
  mutating func stepDrain() {
    guard drain.isNeeded, !drain.isClaiming, drain.sending < options.sends else { return }
    drain.isNeeded = false
    drain.isClaiming = true
    work(.claim(limit: options.sends - drain.sending))
  }

  mutating func take(_ answer: SyncAnswer, to claimed: ClaimedEvent) {
    switch answer {
    case .accepted(let acceptance):
      if let epoch, acceptance.epoch != epoch {
        // Its seq is one of another numbering; asked again, the server gives it again.
        doubtEpoch()
        work(.letGo(claimed))
      } else {
        work(.accept(claimed, acceptance))
      }
    case .failed(.unreachable): work(.letGo(claimed))
    case .failed(.retryable(let asked)): work(.postpone(claimed, asked: asked))
    case .failed(.refused(.notAllowed)) where drain.doubted.insert(claimed.event.id).inserted:
      isRegistered = false
      work(.letGo(claimed))
    case .failed(.refused(let refusal)): work(.fail(claimed, refusal))
    default: work(.postpone(claimed, asked: nil))
    }
  }

  mutating func takeDrain(_ outcome: SyncOutcome, of task: SyncTask) {
    switch (task, outcome) {
    case (.claim(let limit), .claimed(let claimed, let due, let pending)):
      drain.isClaiming = false
      drain.sending += claimed.count
      drain.dueAt = due.map { max($0, now + 1) }
      // With room left, there is nothing more before its time; without, the next to end asks again.
      if claimed.count == limit { drain.isNeeded = true }
      progress.pending = pending
      for event in claimed { ask(.send(event)) }
    case (.claim, _):
      drain.isClaiming = false
      drain.isNeeded = true
    case (.accept(let claimed, _), .failed(.otherEpoch)): work(.letGo(claimed))
    default:
      drain.sending -= 1
      drain.isNeeded = true
      settle(task, outcome)
    }
  }

  private mutating func settle(_ task: SyncTask, _ outcome: SyncOutcome) {
    switch (task, outcome) {
    case (.accept(let claimed, _), .received(let result)):
      drain.doubted.remove(claimed.event.id)
      progress.sent += 1
      cursor = max(cursor, result.cursor)
      fill.isNeeded = true
    case (_, .postponed(.failed)): progress.failed += 1
    default: break
    }
  }
}
