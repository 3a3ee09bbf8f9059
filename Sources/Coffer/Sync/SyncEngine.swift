/// Keeps a store and a server in step: what the server has comes in, what was written goes out.
///
/// It is the shell of a `SyncMachine`: it asks, works and waits as that says. Any number of tasks may
/// use the store meanwhile, and other processes too.
public actor SyncEngine {
  private let store: Store
  private let relay: any Relay
  private let options: SyncOptions
  private var running: AsyncStream<SyncEvent>.Continuation?
  private var wanted: [String] = []

  public init(_ store: Store, relay: some Relay, options: SyncOptions = SyncOptions()) {
    self.store = store
    self.relay = relay
    self.options = options
  }

  /// Syncs until it is stopped or its task is cancelled, whatever the network does.
  ///
  /// What is on its way is finished first. Throws what the store can't go on after, and `refused`
  /// where the server does not want this device.
  public func run() async throws(SyncError) { _ = try await go(.always) }

  /// Syncs until everything that the server had is here, all that was due was sent, and what was
  /// missing was filled.
  ///
  /// Events that wait for a later try are not waited for. Throws as `run` does, and when the server
  /// can't be reached or does not get round to it.
  @discardableResult
  public func syncOnce() async throws(SyncError) -> SyncProgress { try await go(.once) }

  /// Ends `run` once what is on its way is finished.
  public func stop() { running?.yield(.stop) }

  /// Somebody looks at a conversation: what is missing of it comes first.
  public func wants(_ conversation: String) {
    guard let running else {
      wanted.append(conversation)
      return
    }
    running.yield(.wanted(conversation))
  }

  private func go(_ mode: SyncMachine.Mode) async throws(SyncError) -> SyncProgress {
    guard running == nil else { throw .running }
    let (events, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
    running = continuation
    defer { running = nil }
    continuation.yield(.start)
    for conversation in wanted { continuation.yield(.wanted(conversation)) }
    wanted = []
    let shell = SyncShell(store, relay, options, mode, events, continuation)
    // A task of its own, which the end of this one does not tear from what is on its way.
    let task = Task { await shell.run() }
    let grace = options.grace
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      continuation.yield(.stop)
      Task {
        try? await Task.sleep(for: .milliseconds(grace))
        task.cancel()
      }
    }
    return try result.get()
  }
}
