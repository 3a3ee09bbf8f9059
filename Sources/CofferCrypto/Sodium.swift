import CSodium

/// Starts libsodium, and lends memory of the stack for secrets.
enum Sodium {
  /// Evaluated once, whichever thread comes first.
  private static let isReady = sodium_init() >= 0

  static func start() throws(CryptoError) {
    if !isReady { throw .unavailable }
  }

  /// Lends `count` values of uninitialized memory and wipes them afterwards.
  ///
  /// For short-lived states and intermediate keys. The memory stays in place and is never copied by
  /// Swift, which a plain variable would not promise; `sodium_memzero` is not optimized away.
  static func withWiped<T: BitwiseCopyable>(
    _ type: T.Type, count: Int = 1, _ body: (UnsafeMutablePointer<T>) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: T.self, capacity: count) { buffer in
      guard let start = buffer.baseAddress else { return }
      defer { unsafe sodium_memzero(start, buffer.count * MemoryLayout<T>.stride) }
      unsafe body(start)
    }
  }
}
