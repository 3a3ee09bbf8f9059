import Testing

@testable import Coffer

/// What comes in, and how it begins and ends.
@Suite struct SyncMachineTests {
  private func isPull(_ request: SyncRequest) -> Bool {
    if case .inbox = request { true } else { false }
  }

  // MARK: Catching up

  @Test func itRegistersThenLooksAtHowMuchThereIsThenPulls() {
    let bench = SyncBench()
    bench.cursor = 7
    bench.tell(.start)
    #expect(bench.worked == [.look])
    #expect(bench.asked == [.register])
    bench.answer(.done)
    #expect(bench.asked == [.overview])
    bench.answer(bench.overview(head: 9))
    #expect(bench.asked == [.inbox(after: 7, limit: 50)])
  }

  @Test func pagesArePulledUntilThereAreNoMore() {
    let bench = SyncBench()
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 120))
    for next in [50, 100] as [Int64] {
      bench.answer(bench.page(to: next, more: true))
      #expect(bench.asked == [.inbox(after: next, limit: 50)])
      #expect(!bench.progress.isCaughtUp)
      #expect(bench.progress.behind == 120 - next)
    }
    bench.answer(bench.page(to: 120))
    #expect(bench.progress.isCaughtUp)
    #expect(!bench.asked.contains(where: isPull))
  }

  @Test func farBehindTheNewestComesFirst() {
    let bench = SyncBench()
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 501))
    #expect(bench.cursor == 501)
    #expect(bench.asked == [.inbox(after: 501, limit: 50)])
  }

  @Test func aSealedInboxIsNeverSkipped() {
    let bench = SyncBench { $0.isSealed = true }
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 8_010))
    // Its heads are shown, and it is read from where it was.
    #expect(bench.count { if case .overview(_, false) = $0 { true } else { false } } == 1)
    #expect(bench.asked == [.inbox(after: 0, limit: 50)])
  }

  @Test func aCatchUpThatTurnsOutLongIsLookedAtAgain() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(.pushed(.connected))
    bench.answer(bench.page(to: 60, more: true), where: isPull)
    bench.answer(bench.page(to: 110, more: true), where: isPull)
    #expect(bench.asked.contains(.overview))
    bench.answer(bench.overview(head: 3_000)) { $0 == .overview }
    #expect(bench.cursor == 3_000)
  }

  @Test func whatTheServerDiscardedIsSkippedEvenWhereItIsSealed() {
    let bench = SyncBench { $0.isSealed = true }
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 40))
    bench.answer(.expired(head: 40, epoch: 1))
    #expect(bench.asked == [.overview])
    bench.answer(bench.overview(head: 41))
    #expect(bench.cursor == 41)
    #expect(bench.asked == [.inbox(after: 41, limit: 50)])
    // Should the server discard that too, it is given time.
    bench.answer(.expired(head: 41, epoch: 1))
    #expect(bench.asked == [] && bench.wake != nil)
  }

  // MARK: Pushes

  @Test func theNextPushMovesTheCursorAndOneThatJumpsStartsAPull() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(pushed(11))
    #expect(bench.asked == [])
    bench.tell(pushed(13))
    #expect(bench.asked == [.inbox(after: 11, limit: 50)])
  }

  @Test func aNewConnectionStartsAPull() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(.pushed(.connected))
    #expect(bench.asked == [.inbox(after: 10, limit: 50)])
  }

  @Test func aPushOfAnotherEpochIsNotTaken() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(pushed(11, epoch: 2))
    #expect(bench.cursor == 10)
    #expect(bench.asked == [.inbox(after: 10, limit: 50)])
  }

  @Test func moreNumbersAheadThanTheServerHasAreNotPulledForEver() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(pushed(99))
    bench.answer(bench.page(to: 10), where: isPull)
    #expect(bench.asked == [])
  }

  // MARK: Epochs

  @Test func anotherEpochBeginsOnlyWithAnOverviewAskedForAfterIt() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(.pushed(.connected))
    bench.answer(bench.page(to: 12, epoch: 2), where: isPull)
    #expect(bench.epoch == 1 && bench.cursor == 10)
    #expect(bench.asked == [.overview])
    bench.answer(bench.overview(head: 3, epoch: 2))
    #expect(bench.epoch == 2)
    #expect(bench.asked.contains(.inbox(after: 0, limit: 50)))
  }

  @Test func nothingIsSentWhileTheEpochIsInDoubt() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.queue = [claimed(1)]
    bench.tell(.outboxChanged)
    bench.answer(.accepted(Acceptance(seq: 1, epoch: 2)))
    #expect(bench.worked.last == .letGo(claimed(1)))
    bench.queue = [claimed(1)]
    bench.tell(.outboxChanged)
    #expect(bench.asked == [.overview])
    bench.answer(bench.overview(head: 3, epoch: 2))
    #expect(bench.asked.contains(.send(claimed(1))))
  }

  @Test func theFirstEpochIsTakenOver() {
    let bench = SyncBench()
    bench.epoch = nil
    bench.cursor = 4
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 5, epoch: 9))
    #expect(bench.epoch == 9)
    #expect(bench.asked == [.inbox(after: 4, limit: 50)])
  }

  // MARK: Durable, then released

  @Test func onlyWhatIsDurableIsReleasedAndNotForEveryPage() {
    let bench = SyncBench { $0.pageLimit = 500 }
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 400))
    bench.answer(bench.page(to: 200, more: true))
    #expect(bench.count { $0 == .harden } == 0)
    bench.answer(bench.page(to: 400))
    #expect(bench.count { $0 == .harden } == 1)
    #expect(bench.asked.first == .release(upTo: 400, epoch: 1))
    bench.answer(.failed(.retryable()), where: { if case .release = $0 { true } else { false } })
    // What was pushed waits a while.
    bench.tell(pushed(401))
    #expect(bench.count { $0 == .harden } == 1)
    bench.now += SyncOptions.durableAfter
    bench.tell(.woke)
    #expect(bench.asked.contains(.release(upTo: 401, epoch: 1)))
  }

  // MARK: Offline

  @Test func offlineNothingIsAskedUntilItIsTime() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.queue = [claimed(1), claimed(2, in: "work")]
    bench.tell(.outboxChanged)
    #expect(bench.asked.count == 2)
    bench.answer(.unreachable)
    bench.answer(.unreachable)
    // Let go of, not charged.
    #expect(bench.count { if case .letGo = $0 { true } else { false } } == 2)
    #expect(bench.count { if case .postpone = $0 { true } else { false } } == 0)
    #expect(!bench.progress.isOnline)
    bench.tell(.outboxChanged)
    bench.tell(.wanted("hiking"))
    #expect(bench.asked == [])
    let wake = bench.wake ?? 0
    #expect((bench.now...bench.now + 1_000).contains(wake))
    bench.now = wake
    bench.tell(.woke)
    #expect(bench.asked.contains(.inbox(after: 10, limit: 50)))
  }

  @Test func aConnectionEndsTheWaiting() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(.pushed(.disconnected))
    #expect(!bench.progress.isOnline)
    bench.tell(.pushed(.connected))
    #expect(bench.progress.isOnline)
    #expect(bench.asked == [.inbox(after: 10, limit: 50)])
  }

  @Test func aClockSetBackHoldsNothingUp() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(.pushed(.disconnected))
    bench.now -= 365 * 86_400_000
    bench.tell(.woke)
    #expect(bench.asked == [.inbox(after: 10, limit: 50)])
  }

  @Test func waitsForAServerThatIsBusyGrowAndEnd() {
    let bench = SyncBench()
    bench.tell(.start)
    bench.answer(.done)
    var longest: Int64 = 0
    for attempt in 0..<40 {
      #expect(bench.asked == [.overview])
      bench.answer(.retryable(after: attempt == 3 ? 20_000 : nil))
      let wait = (bench.machine.inbox.retry.at ?? 0) - bench.now
      #expect(wait <= 300_000)
      if attempt == 0 { #expect(wait <= 1_000) }
      if attempt == 3 { #expect(wait >= 20_000) }
      longest = max(longest, wait)
      bench.now += max(wait, 0)
      bench.tell(.woke)
    }
    #expect(longest > 100_000)
  }

  // MARK: The end

  @Test func onceEndsWhenEverythingIsHereAndSent() {
    let bench = SyncBench(.once)
    bench.queue = [claimed(1)]
    bench.tell(.start)
    bench.answer(.done)
    bench.answer(bench.overview(head: 3)) { $0 == .overview }
    bench.answer(bench.page(to: 3)) { isPull($0) }
    bench.answer(.done) { if case .release = $0 { true } else { false } }
    #expect(!bench.isEnded)
    bench.answer(.accepted(Acceptance(seq: 1, epoch: 1)))
    #expect(bench.isEnded && bench.problem == nil)
    #expect(bench.asked == [])
    #expect(bench.durable == 3)
  }

  @Test func onceEndsWhereNobodyAnswers() {
    let bench = SyncBench(.once)
    bench.tell(.start)
    bench.answer(.unreachable)
    #expect(bench.isEnded)
    #expect(bench.problem == .relay(.unreachable))
  }

  @Test func aStopWaitsForWhatIsOnItsWayAndAsksForNothingMore() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.queue = [claimed(1), claimed(2, in: "work"), claimed(3, in: "club")]
    bench.tell(.outboxChanged)
    bench.tell(.pushed(.connected))
    #expect(bench.asked.count == 4)
    bench.tell(.stop)
    for _ in 1...3 {
      bench.answer(.accepted(Acceptance(seq: 1, epoch: 1))) {
        if case .send = $0 { true } else { false }
      }
    }
    #expect(bench.count { if case .accept = $0 { true } else { false } } == 3)
    #expect(!bench.isEnded)
    bench.answer(bench.page(to: 11, more: true))
    #expect(bench.cursor == 11)
    #expect(bench.isEnded && bench.asked == [])
  }

  @Test func aStoreThatCannotGoOnEndsIt() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.failure = .diskFull(path: "x")
    bench.tell(pushed(11))
    #expect(bench.isEnded)
    #expect(bench.problem == .store(.diskFull(path: "x")))
  }

  @Test func aStoreThatIsBusyIsTriedAgain() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.failure = .busy(path: "x")
    bench.tell(pushed(11))
    #expect(!bench.isEnded && bench.asked == [])
    bench.now += 1_000
    bench.tell(.woke)
    #expect(bench.asked == [.inbox(after: 10, limit: 50)])
  }

  @Test func aServerThatDoesNotWantThisDeviceEndsIt() {
    let bench = SyncBench()
    bench.tell(.start)
    bench.answer(.refused(.notAllowed))
    #expect(bench.problem == .relay(.refused(.notAllowed)))
  }

  @Test func aServerThatForgotThisDeviceIsToldOfItAgain() {
    let bench = SyncBench()
    bench.catchUp(to: 10)
    bench.tell(.pushed(.connected))
    bench.answer(.refused(.notAllowed))
    bench.now += 1_000
    bench.tell(.woke)
    #expect(bench.asked == [.register])
    bench.answer(.done)
    #expect(bench.asked == [.inbox(after: 10, limit: 50)])
  }
}
