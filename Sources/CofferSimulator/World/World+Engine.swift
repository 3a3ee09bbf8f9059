import Coffer

// Between the engines of the devices and their stores and servers.

extension World {
  /// Starts the engine of a process.
  func begin(_ index: Int) {
    guard let store = devices[index].store else { return }
    let options = devices[index].syncOptions
    seats[index] = EngineSeat(
      machine: SyncMachine(options, mode: .always, seed: random.next()),
      worker: SyncWorker(store, options))
    tell(.start, index)
    if devices[index].isOnline { tell(.pushed(.connected), index) }
  }

  /// Its process is gone, and with it everything that was only in its memory.
  func end(_ index: Int) { seats[index] = nil }

  /// Tells an engine what happened, and has done what it says.
  func tell(_ event: SyncEvent, _ index: Int) {
    guard var seat = seats[index] else { return }
    let now = devices[index].clock.now
    let actions = seat.machine.handle(event, at: now)
    seats[index] = seat
    for action in actions {
      trace("\(devices[index].name) engine: \(action)")
      switch action {
      case .ask(let request):
        let number = send(request.call, from: index)
        seats[index]?.questions[number] = request
      case .work(let task):
        seats[index]?.tasks.append(task)
        planWork(index)
      case .wake(let time): planWake(at: time, now: now, index)
      case .tell: break
      case .end(let error):
        // Nobody has stopped it.
        violate(
          .devicesAgree, devices[index], "the engine ended: \(error.map { "\($0)" } ?? "-")")
      }
    }
  }

  /// The time that was said last counts alone.
  private func planWake(at time: Int64, now: Int64, _ index: Int) {
    guard seats[index]?.wake != time else { return }
    seats[index]?.wake = time
    let sender = sender(index)
    schedule.removeAll { happening in
      if case .engine(.wake, sender) = happening { true } else { false }
    }
    schedule.plan(.engine(.wake, of: sender), at: clock.now + max(1, time - now))
  }

  private func planWork(_ index: Int) {
    guard let seat = seats[index], !seat.isWorking, !seat.tasks.isEmpty else { return }
    seats[index]?.isWorking = true
    // A while, so that other things happen in between.
    let delay = Int64.random(in: 0...3, using: &random)
    schedule.plan(.engine(.work, of: sender(index)), at: clock.now + delay)
  }

  func goOn(_ happening: EngineHappening, _ index: Int) async throws {
    switch happening {
    case .wake:
      seats[index]?.wake = nil
      tell(.woke, index)
    case .work:
      guard let seat = seats[index], let task = seat.tasks.first else { return }
      seats[index]?.tasks.removeFirst()
      let worker = seat.worker
      try await expectJump(task, index)
      try await repeatOverview(before: task, index)
      let (handed, spent) = try await spend(task, index)
      let outcome = try await call(index) { _ in await worker.perform(handed) }
      try await expectUnopened(spent, index)
      noteGivenUp(task, outcome, index)
      // Who died heard nothing.
      guard case .done(let result) = outcome else { return }
      seats[index]?.isWorking = false
      if case .failed(let error) = result, !Self.isExpected(error) {
        violate(.filesAreSound, devices[index], "\(task.name) threw \(error)")
      }
      tell(.worked(task, result), index)
      planWork(index)
    }
  }

  /// Items that a push brought are spent: in their page they come as bytes that nobody can read.
  ///
  /// So it is with sealed items, whose key is used up when they are opened. Gives the numbers of those
  /// that were readable when they were pushed.
  private func spend(_ task: SyncTask, _ index: Int) async throws -> (SyncTask, Set<Int64>) {
    guard case .receive(var page) = task, let rows = try await devices[index].rows(),
      rows.relayEpoch == page.epoch
    else { return (task, []) }
    var spent: Set<Int64> = []
    for place in page.items.indices {
      guard let number = page.items[place].envelope.inbox, rows.ahead.contains(number) else {
        continue
      }
      page.items[place].content = .payload([])
      report.levers.pull(.spent)
      if !rows.quarantine.contains(where: { $0.inbox == number }) { spent.insert(number) }
    }
    return (.receive(page), spent)
  }

  /// An overview that came to another process of the device too, which is slow with it: by now it is
  /// older than the store.
  private func repeatOverview(before task: SyncTask, _ index: Int) async throws {
    if case .overview(let overview, _) = task { overviews[index] = overview }
    guard case .receive = task, let stale = overviews[index],
      let rows = try await devices[index].rows(), rows.relayEpoch == stale.epoch,
      stale.head < rows.cursor, Int.random(in: 0..<4, using: &random) == 0
    else { return }
    report.levers.pull(.staleOverview)
    _ = try? await devices[index].store?.receive(stale, movesCursor: true)
    if let after = try await devices[index].rows(), after.cursor < rows.cursor {
      violate(
        .cursorStandsForItems, devices[index],
        "a stale overview moved the cursor from \(rows.cursor) back to \(after.cursor)")
    }
  }

  /// What was opened again was found unreadable, and set aside.
  private func expectUnopened(_ spent: Set<Int64>, _ index: Int) async throws {
    guard !spent.isEmpty, let rows = try await devices[index].rows() else { return }
    for item in rows.quarantine {
      guard let number = item.inbox, spent.contains(number) else { continue }
      violate(
        .cursorStandsForItems, devices[index], "item \(number) was opened again from its page")
    }
  }

  /// Notes what was given up, or may have been by a call that nobody heard the end of.
  private func noteGivenUp(
    _ task: SyncTask, _ outcome: SimulatedDevice.Outcome<SyncOutcome>, _ index: Int
  ) {
    switch (task, outcome) {
    case (.fail(let claimed, _), _), (.postpone(let claimed, _), .died),
      (.postpone(let claimed, _), .done(.postponed(.failed))):
      devices[index].diary.gaveUp(claimed.event.id)
    default: break
    }
  }

  /// Notes over which items an overview is about to move the cursor.
  ///
  /// Before the call, since a death may leave it done.
  private func expectJump(_ task: SyncTask, _ index: Int) async throws {
    guard case .overview(let overview, movesCursor: true) = task,
      let rows = try await devices[index].rows(), rows.relayEpoch == overview.epoch,
      overview.head > rows.cursor
    else { return }
    devices[index].diary.jumped(rows.cursor + 1...overview.head)
  }

  private static func isExpected(_ error: StoreError) -> Bool {
    switch error {
    case .otherEpoch, .pageAhead, .unknownConversation: true
    default: false
    }
  }

  // MARK: What devices hear

  func hear(_ answer: ServerAnswer, _ number: Int, _ index: Int) {
    guard let request = seats[index]?.questions.removeValue(forKey: number) else { return }
    tell(.answered(request, answer.forEngine), index)
  }

  func hear(_ push: RelayPush, _ index: Int) { tell(.pushed(push), index) }

  func wakeOutbox(_ index: Int) { tell(.outboxChanged, index) }
}

extension ServerAnswer {
  fileprivate var forEngine: SyncAnswer {
    switch self {
    case .done: .done
    case .accepted(let acceptance): .accepted(acceptance)
    case .page(let page): .page(page)
    case .overview(let overview): .overview(overview)
    case .history(let history): .history(history)
    case .failed(let error): .failed(error)
    }
  }
}

extension SyncTask {
  /// Its kind, without what it carries.
  fileprivate var name: String {
    let text = "\(self)"
    return String(text.prefix { $0 != "(" })
  }
}
