import CofferCrypto

/// One run of a `SyncMachine`, with its questions, its work and its clock.
struct SyncShell: Sendable {
  private typealias Events = AsyncStream<SyncEvent>

  private let store: Store
  private let relay: any Relay
  private let options: SyncOptions
  private let mode: SyncMachine.Mode
  private let events: AsyncStream<SyncEvent>
  private let told: AsyncStream<SyncEvent>.Continuation

  init(
    _ store: Store, _ relay: any Relay, _ options: SyncOptions, _ mode: SyncMachine.Mode,
    _ events: AsyncStream<SyncEvent>, _ told: AsyncStream<SyncEvent>.Continuation
  ) {
    self.store = store
    self.relay = relay
    self.options = options
    self.mode = mode
    self.events = events
    self.told = told
  }

  func run() async -> Result<SyncProgress, SyncError> {
    let seed = store.options.random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var machine = SyncMachine(options, mode: mode, seed: seed)
    var progress = SyncProgress()
    var problem: SyncError?
    let (tasks, queue) = AsyncStream.makeStream(of: SyncTask.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work(on: tasks) }
      if mode == .always {
        group.addTask { await listen() }
        group.addTask { for await _ in store.outboxSignal.changes() { told.yield(.outboxChanged) } }
      }
      var alarm = Alarm(told)
      for await event in events {
        for action in machine.handle(event, at: store.options.clock()) {
          switch action {
          case .ask(let request):
            group.addTask {
              told.yield(.answered(request, await request.perform(with: relay)))
            }
          case .work(let task): queue.yield(task)
          case .wake(let time): alarm.set(time, now: store.options.clock())
          case .tell(let news):
            progress = news
            options.onProgress?(news)
          case .end(let error):
            problem = error
            told.finish()
          }
        }
      }
      alarm.stop()
      queue.finish()
      // What listens never ends by itself.
      group.cancelAll()
    }
    if let problem { return .failure(problem) }
    return .success(progress)
  }

  /// Does the work in its order.
  private func work(on tasks: AsyncStream<SyncTask>) async {
    let worker = SyncWorker(store, options)
    for await task in tasks { told.yield(.worked(task, await worker.perform(task))) }
  }

  /// Hands over what the server says by itself; a connection that ended is made again.
  private func listen() async {
    while !Task.isCancelled {
      for await push in relay.pushes() { told.yield(.pushed(push)) }
      if Task.isCancelled { return }
      told.yield(.pushed(.disconnected))
      try? await Task.sleep(for: .seconds(5))
    }
  }
}

/// The one time at which a machine wants to be woken.
private struct Alarm {
  private let told: AsyncStream<SyncEvent>.Continuation
  private var time: Int64?
  private var task: Task<Void, Never>?

  init(_ told: AsyncStream<SyncEvent>.Continuation) { self.told = told }

  mutating func set(_ time: Int64, now: Int64) {
    // The same time again, and it has not come yet.
    if time == self.time, now < time, task != nil { return }
    stop()
    self.time = time
    task = Task { [told] in
      guard (try? await Task.sleep(for: .milliseconds(max(time - now, 1)))) != nil else { return }
      told.yield(.woke)
    }
  }

  func stop() { task?.cancel() }
}
