/// How far we have what others wrote, said once the rest is done.
struct ReceiptLane: Sendable {
  var isNeeded = true
  var isFinding = false
  /// Receipts that were found and not settled.
  var sending = 0
  var retry = Retry()
}

extension SyncMachine {
  mutating func stepReceipts() {
    guard receipts.isNeeded, !receipts.isFinding, receipts.sending == 0, inbox.isQuiet,
      inbox.isCaughtUp, drain.isQuiet, !receipts.retry.isWaiting(at: now)
    else { return }
    receipts.isNeeded = false
    receipts.isFinding = true
    work(.findReceipts(limit: options.sends))
  }

  mutating func take(_ answer: SyncAnswer, to receipt: WaitingReceipt) {
    switch answer {
    case .accepted(let acceptance) where acceptance.epoch == epoch:
      receipts.retry.succeed()
      work(.noteTold(receipt))
    case .accepted:
      doubtEpoch()
      receipts.sending -= 1
      receipts.isNeeded = true
    // It will never want to know.
    case .failed(.refused): work(.noteTold(receipt))
    case .failed(.unreachable):
      receipts.sending -= 1
      receipts.isNeeded = true
    default:
      receipts.sending -= 1
      receipts.isNeeded = true
      var asked: Int64?
      if case .failed(.retryable(let after)) = answer { asked = after }
      receipts.retry.fail(at: now, asked: asked, &jitter)
      if mode == .once, receipts.retry.isHopeless { stop(.relay(.retryable())) }
    }
  }

  mutating func takeReceipts(_ outcome: SyncOutcome, of task: SyncTask) {
    switch (task, outcome) {
    case (.findReceipts(let limit), .receipts(let found)):
      receipts.isFinding = false
      receipts.sending = found.count
      if found.count == limit { receipts.isNeeded = true }
      for receipt in found { ask(.receipt(receipt)) }
    case (.findReceipts, _):
      receipts.isFinding = false
      receipts.isNeeded = true
    default: receipts.sending -= 1
    }
  }
}
