@testable import Coffer

/// Drives a machine by hand: the store is a few numbers, and the test answers for the server.
final class SyncBench {
  var machine: SyncMachine
  var now: Int64 = 1_700_000_000_000

  // The store.
  var cursor: Int64 = 0
  var durable: Int64 = 0
  var epoch: Int64? = 1
  var queue: [ClaimedEvent] = []
  var due: Int64?
  var gaps: [Stretch] = []
  var waiting: [WaitingReceipt] = []
  var differences: [Stretch] = []
  /// Thrown by the next task.
  var failure: StoreError?

  /// What nobody answered yet.
  var asked: [SyncRequest] = []
  /// Every task there was.
  var worked: [SyncTask] = []
  var wake: Int64?
  var progress = SyncProgress()
  var isEnded = false
  var problem: SyncError?
  private var outcomes: [SyncEvent] = []

  init(_ mode: SyncMachine.Mode = .always, _ change: (inout SyncOptions) -> Void = { _ in }) {
    var options = SyncOptions()
    change(&options)
    machine = SyncMachine(options, mode: mode, seed: 1)
  }

  func tell(_ event: SyncEvent) {
    outcomes.append(event)
    while !outcomes.isEmpty {
      for action in machine.handle(outcomes.removeFirst(), at: now) { take(action) }
    }
  }

  private func take(_ action: SyncAction) {
    switch action {
    case .ask(let request): asked.append(request)
    case .work(let task):
      worked.append(task)
      outcomes.append(.worked(task, outcome(of: task)))
    case .wake(let time): wake = time
    case .tell(let news): progress = news
    case .end(let error):
      isEnded = true
      problem = error
    }
  }

  private func outcome(of task: SyncTask) -> SyncOutcome {
    if let error = failure {
      failure = nil
      return .failed(error)
    }
    switch task {
    case .look: return position
    case .begin(let new, let from):
      if epoch == from {
        if epoch != nil { (cursor, durable) = (0, 0) }
        epoch = new
      }
      return position
    case .receive(let page):
      cursor = max(cursor, page.next)
      return received()
    case .push(let item, _):
      let number = item.envelope.inbox ?? 0
      if number == cursor + 1 { cursor = number }
      return received(pullFrom: number > cursor ? cursor : nil)
    case .overview(let overview, let moves):
      if moves { cursor = max(cursor, overview.head) }
      return received()
    case .compare: return .differences(differences)
    case .harden:
      durable = cursor
      return position
    case .claim(let limit):
      let claimed = Array(queue.prefix(limit))
      queue.removeFirst(claimed.count)
      return .claimed(claimed, due: due, pending: Int64(queue.count + claimed.count))
    case .accept, .fill: return received()
    case .postpone: return .postponed(.waits(until: now + 1_000))
    case .fail: return .postponed(.failed)
    case .letGo, .noteTold: return .done
    case .findGap(let conversation, let stuck, _):
      return .gap(
        gaps.first { gap in
          (conversation == nil || conversation == gap.conversation)
            && !stuck.contains(StuckGap(gap))
        })
    case .findReceipts(let limit):
      let found = Array(waiting.prefix(limit))
      waiting.removeFirst(found.count)
      return .receipts(found)
    }
  }

  private var position: SyncOutcome {
    .position(SyncPosition(cursor: cursor, durableCursor: durable, epoch: epoch))
  }

  private func received(pullFrom: Int64? = nil) -> SyncOutcome {
    var result = ReceiveResult()
    result.cursor = cursor
    result.pullFrom = pullFrom
    return .received(result)
  }

  // MARK: The server's part

  /// Answers the oldest question.
  func answer(_ answer: SyncAnswer) {
    let request = asked.removeFirst()
    tell(.answered(request, answer))
  }

  func answer(_ error: RelayError) { answer(.failed(error)) }

  /// Answers the question that fits.
  func answer(_ answer: SyncAnswer, where fits: (SyncRequest) -> Bool) {
    guard let place = asked.firstIndex(where: fits) else { return }
    let request = asked.remove(at: place)
    tell(.answered(request, answer))
  }

  func overview(head: Int64, epoch: Int64 = 1) -> SyncAnswer {
    .overview(Overview(epoch: epoch, head: head, conversations: []))
  }

  func page(to next: Int64, more: Bool = false, epoch: Int64 = 1) -> SyncAnswer {
    .page(InboxPage(epoch: epoch, base: cursor, next: next, more: more, items: []))
  }

  /// Starts, and answers until everything is here; leaves open what is asked after that.
  func catchUp(to head: Int64 = 0) {
    tell(.start)
    answer(.done)
    answer(overview(head: head)) { $0 == .overview }
    answer(page(to: head)) { if case .inbox = $0 { true } else { false } }
    answer(.done) { if case .release = $0 { true } else { false } }
  }

  func count(_ fits: (SyncTask) -> Bool) -> Int { worked.filter(fits).count }
}

/// The `number`-th entry of an outbox.
func claimed(_ number: Int, in conversation: String = "hiking") -> ClaimedEvent {
  ClaimedEvent(
    event: OutgoingEvent(conversation: conversation, id: id(number), sentAt: 0, payload: [1]),
    attempts: 0)
}

func pushed(_ number: Int64, epoch: Int64 = 1) -> SyncEvent {
  let envelope = Envelope(
    inbox: number, conversation: "hiking", seq: number, sender: "ann", device: 1,
    id: id(Int(number)), sentAt: 0)
  return .pushed(.item(RelayItem(envelope, .payload([])), epoch: epoch))
}
