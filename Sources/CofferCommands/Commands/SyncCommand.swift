import Coffer
import CofferCoding
import CofferSystem
import Synchronization

enum SyncCommand: Command {
  private static let watch = Option.flag(
    "watch", "stay, and pass on what comes and what is written, until Ctrl-C")
  private static let newRelay = Option.flag(
    "new-relay", "make the relay's file where there is none yet")

  static let name = "sync"
  static let summary = "Fetch what the server has, and send what waits"
  static let discussion = """
    The server is the embedded relay: one file that the devices of a machine share. It is not \
    encrypted, and holds what a server would see.

    Everything that the server has comes in, what waits in the outbox goes out in the order of each \
    conversation, and what is missing is filled. Kill it whenever you like: the next sync goes on \
    from where the store is. What has to wait for a later try stays in the outbox.
    """
  static let arguments = [Argument.store]
  static let options = [
    OptionSection([.relay, newRelay, watch, .json, .acceptOldKeyring]), .secret,
  ]
  static let examples = [
    "coffer sync ann.coffer --relay relay.db", "coffer sync ann.coffer --relay relay.db --watch",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    try await input.withStore(output) { store throws(CommandFailure) in
      let news = SyncNews(input, output)
      var options = SyncOptions()
      options.onProgress = { news.show($0) }
      if input.has(watch) { options.poll = 1_000 }
      try await input.withEngine(store, creating: input.has(newRelay), options: options) {
        engine throws(CommandFailure) in
        do throws(SyncError) {
          if input.has(watch) {
            Interruption.once { Task { await engine.stop() } }
            output.note("Syncing; Ctrl-C ends it.")
            try await engine.run()
          } else {
            try await engine.syncOnce()
          }
        } catch {
          news.end()
          throw CommandFailure(error)
        }
        news.end()
      }
      try await report(news.last, of: store, input, output)
    }
  }

  private static func report(
    _ progress: SyncProgress, of store: Store, _ input: ParsedArguments, _ output: Output
  ) async throws(CommandFailure) {
    let (position, waiting) = try await CommandFailure.catching { () throws(StoreError) in
      (try await store.syncPosition(), try await store.outboxCounts())
    }
    if input.isJSON {
      output.json { json in
        json.member("received", progress.pulled)
        json.member("filled", progress.filled)
        json.member("sent", progress.sent)
        json.member("given_up", progress.failed)
        json.member("pending", waiting.pending)
        json.member("failed", waiting.failed)
        json.member("cursor", position.cursor)
      }
    } else {
      var words: TerminalText = """
        \(Int64(progress.pulled), of: "item") received, \(Int64(progress.sent), of: "event") sent; \
        cursor \(position.cursor)
        """
      if waiting.pending > 0 { words = "\(words), \(waiting.pending) waiting" }
      output.line(words)
    }
    if waiting.failed > 0 {
      output.note("\(waiting.failed) given up: `coffer outbox` says why")
    }
  }
}

/// What an engine tells, on a terminal's standard error once it takes longer than a second.
private final class SyncNews: Sendable {
  private struct State {
    var last = SyncProgress()
    var shownAt: Int64 = 0
  }

  private let state = Mutex(State())
  private let start = Clock.monotonicMilliseconds
  private let output: Output

  init(_ input: ParsedArguments, _ output: Output) { self.output = output }

  var last: SyncProgress { state.withLock { $0.last } }

  func show(_ progress: SyncProgress) {
    let now = Clock.monotonicMilliseconds
    let isDue = state.withLock { state in
      state.last = progress
      guard output.errorIsTerminal, now - start > 1_000, now - state.shownAt > 100 else {
        return false
      }
      state.shownAt = now
      return true
    }
    guard isDue else { return }
    guard progress.isOnline else {
      output.transient("waiting for the relay")
      return
    }
    output.transient(
      """
      \(grouped: Int64(progress.pulled)) received, \(grouped: progress.behind) to come, \
      \(grouped: Int64(progress.sent)) sent, \(grouped: progress.pending) waiting
      """)
  }

  func end() { output.eraseTransient() }
}
