extension SyncMachine {
  mutating func take(_ answer: SyncAnswer, to request: SyncRequest) {
    if case .failed(.unreachable) = answer { disconnect() } else { heard() }
    switch request {
    case .register, .inbox, .overview, .release: takeInbox(answer, to: request)
    case .send(let claimed): take(answer, to: claimed)
    case .history(let conversation, let range):
      take(answer, to: Stretch(conversation, range))
    case .receipt(let receipt): take(answer, to: receipt)
    }
  }

  mutating func take(_ outcome: SyncOutcome, of task: SyncTask) {
    if case .failed(let error) = outcome { fail(error) } else { storeRetry.succeed() }
    switch task {
    case .look, .begin, .receive, .push, .overview, .compare, .harden:
      takeInbox(outcome, of: task)
    case .claim, .accept, .postpone, .letGo, .fail: takeDrain(outcome, of: task)
    case .findGap, .fill: takeFill(outcome, of: task)
    case .findReceipts, .noteTold: takeReceipts(outcome, of: task)
    }
  }
}
