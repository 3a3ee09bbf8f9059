import Synchronization

/// What was written to two streams.
final class Mutexed: Sendable {
  private let streams = Mutex<[[UInt8]]>([[], []])

  func append(_ bytes: RawSpan, toError: Bool) {
    let copy = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    streams.withLock { $0[toError ? 1 : 0] += copy }
  }

  func text(ofError: Bool) -> String {
    streams.withLock { String(decoding: $0[ofError ? 1 : 0], as: UTF8.self) }
  }
}
