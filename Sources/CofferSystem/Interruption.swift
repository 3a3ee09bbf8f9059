import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What happens when a person presses Ctrl-C, or the system asks the process to end.
package enum Interruption {
  /// Safe to share: after it was made, a source is only kept, and never called again.
  private struct Kept: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }

  /// The signals stay watched as long as the process lives.
  private static let sources = Mutex<[Kept]>([])

  /// Calls `body` with the first signal; the second ends the process as usual.
  package static func once(_ body: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM] {
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
        body()
      }
      source.resume()
      let kept = Kept(source: source)
      sources.withLock { $0.append(kept) }
    }
  }
}
