import Testing

@testable import Coffer

/// What goes out, what is filled, and receipts.
@Suite struct SyncLanesTests {
  private func isSend(_ request: SyncRequest) -> Bool {
    if case .send = request { true } else { false }
  }

  private let accepted = SyncAnswer.accepted(Acceptance(seq: 1, epoch: 1))

  // MARK: Sending

  @Test func soManyConversationsAreSentSideBySideAndNoMore() {
    let bench = SyncBench { $0.sends = 3 }
    bench.catchUp()
    bench.queue = (1...5).map { claimed($0, in: "c\($0)") }
    bench.tell(.outboxChanged)
    #expect(bench.asked.count == 3)
    bench.tell(.outboxChanged)
    #expect(bench.asked.count == 3)
    bench.answer(accepted)
    #expect(bench.asked.count == 3)
    bench.answer(accepted)
    bench.answer(accepted)
    #expect(bench.asked.count == 2)
    bench.answer(accepted)
    bench.answer(accepted)
    #expect(bench.asked == [] && bench.progress.sent == 5)
  }

  @Test func everyAnswerHasItsConsequence() {
    let bench = SyncBench()
    bench.catchUp()
    bench.queue = (1...4).map { claimed($0, in: "c\($0)") }
    bench.tell(.outboxChanged)
    bench.answer(accepted)
    bench.answer(.retryable(after: 9_000))
    bench.answer(.refused(.blocked))
    bench.answer(.expired(head: 1, epoch: 1))
    let results = bench.worked.filter {
      switch $0 {
      case .accept, .postpone, .fail, .letGo: true
      default: false
      }
    }
    #expect(
      results == [
        .accept(claimed(1, in: "c1"), Acceptance(seq: 1, epoch: 1)),
        .postpone(claimed(2, in: "c2"), asked: 9_000), .fail(claimed(3, in: "c3"), .blocked),
        .postpone(claimed(4, in: "c4"), asked: nil),
      ])
    #expect(bench.progress.failed == 1)
  }

  /// A server that has lost its devices says so of everything that is sent.
  @Test func aDeviceThatIsNotAllowedToSendIsMadeKnownAgainBeforeAnythingFails() {
    let bench = SyncBench()
    bench.catchUp()
    bench.queue = [claimed(1)]
    bench.tell(.outboxChanged)
    bench.queue = [claimed(1)]
    bench.answer(.refused(.notAllowed))
    #expect(bench.asked == [.register])
    bench.answer(.done)
    #expect(bench.asked == [.send(claimed(1))])
    bench.answer(.refused(.notAllowed))
    #expect(bench.worked.contains(.fail(claimed(1), .notAllowed)))
  }

  @Test func anEntryIsClaimedWhenItIsDue() {
    let bench = SyncBench()
    bench.catchUp()
    bench.due = bench.now + 4_000
    bench.tell(.outboxChanged)
    #expect(bench.wake == bench.now + 4_000)
    bench.due = nil
    bench.queue = [claimed(1)]
    bench.now += 4_000
    bench.tell(.woke)
    #expect(bench.asked == [.send(claimed(1))])
  }

  @Test func whatOtherProcessesWroteIsFoundAfterAWhile() {
    let bench = SyncBench()
    bench.catchUp()
    bench.queue = [claimed(1)]
    bench.now += 30_000
    bench.tell(.woke)
    #expect(bench.asked == [.send(claimed(1))])
  }

  @Test func theDrainDoesNotWaitForTheInbox() {
    let bench = SyncBench()
    bench.queue = [claimed(1)]
    bench.tell(.start)
    bench.answer(.done)
    #expect(bench.asked == [.overview, .send(claimed(1))])
  }

  // MARK: Filling

  private let hiking = Stretch("hiking", 5...9)
  private let work = Stretch("work", 2...3)

  private func history(_ stretch: Stretch) -> SyncAnswer {
    .history(History(epoch: 1, answers: stretch.range.map { .none($0) }))
  }

  @Test func whatSomebodyLooksAtComesFirstAndTheRestInTheBackground() {
    let bench = SyncBench()
    bench.gaps = [hiking, work]
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 100))
    // Before the inbox is here, only what is asked for.
    #expect(bench.asked == [.inbox(after: 0, limit: 50)])
    bench.tell(.wanted("work"))
    #expect(bench.asked.last == .history("work", 2...3))
    bench.gaps = [hiking]
    bench.answer(history(work)) { $0 == .history("work", 2...3) }
    #expect(bench.asked == [.inbox(after: 0, limit: 50)])
    bench.answer(bench.page(to: 100))
    bench.answer(.done) { if case .release = $0 { true } else { false } }
    #expect(bench.asked == [.history("hiking", 5...9)])
    bench.gaps = []
    bench.answer(history(hiking))
    #expect(bench.asked == [])
    #expect(bench.progress.filled == 7)
  }

  @Test func theBackgroundCanBeLeftAlone() {
    let bench = SyncBench { $0.fillsInBackground = false }
    bench.gaps = [hiking]
    bench.catchUp()
    #expect(bench.asked == [])
    bench.tell(.wanted("hiking"))
    #expect(bench.asked == [.history("hiking", 5...9)])
  }

  @Test func whatTheServerDoesNotAccountForIsNotAskedForAgain() {
    let bench = SyncBench()
    bench.gaps = [hiking, work]
    bench.catchUp()
    bench.answer(.history(History(epoch: 1, answers: [])))
    #expect(bench.asked == [.history("work", 2...3)])
    // Answers that leave its end missing are no better.
    bench.answer(history(work))
    #expect(bench.asked == [])
    // A new connection is a new chance.
    bench.tell(.pushed(.connected))
    bench.answer(bench.page(to: 0))
    #expect(bench.asked == [.history("hiking", 5...9)])
  }

  @Test func aFailedQuestionIsAskedAgainLater() {
    let bench = SyncBench()
    bench.gaps = [hiking]
    bench.catchUp()
    bench.answer(.retryable(after: 3_000))
    #expect(bench.asked == [])
    bench.now += 3_000
    bench.tell(.woke)
    #expect(bench.asked == [.history("hiking", 5...9)])
  }

  @Test func whereTheServerHasSomethingElseItIsAskedAgain() {
    let bench = SyncBench()
    bench.differences = [Stretch("hiking", 1...9)]
    bench.catchUp(to: 10)
    #expect(bench.asked == [.history("hiking", 1...9)])
    // Once: the digests are compared at the start.
    bench.answer(history(Stretch("hiking", 1...9)))
    #expect(bench.asked == [])
  }

  // MARK: Receipts

  private func receipt(_ number: Int) -> WaitingReceipt {
    WaitingReceipt(event: claimed(number, in: "c\(number)").event, delivered: 1, read: 0)
  }

  @Test func receiptsFollowWhatThePersonWrote() {
    let bench = SyncBench()
    bench.queue = [claimed(1)]
    bench.waiting = [receipt(9)]
    bench.catchUp(to: 1)
    #expect(bench.asked == [.send(claimed(1))])
    bench.answer(accepted)
    #expect(bench.asked == [.receipt(receipt(9))])
    // They never hold up a message.
    bench.queue = [claimed(2)]
    bench.tell(.outboxChanged)
    #expect(bench.asked.contains(.send(claimed(2))))
  }

  @Test func aReceiptIsRememberedOnceItIsKnownOrUnwanted() {
    let bench = SyncBench()
    bench.waiting = [receipt(1), receipt(2), receipt(3)]
    bench.catchUp(to: 1)
    bench.answer(.accepted(Acceptance(seq: nil, epoch: 1)))
    bench.answer(.refused(.notAMember))
    bench.answer(.retryable())
    #expect(
      bench.worked.filter { $0 == .noteTold(receipt(1)) || $0 == .noteTold(receipt(2)) }
        .count == 2)
    #expect(!bench.worked.contains(.noteTold(receipt(3))))
  }
}
