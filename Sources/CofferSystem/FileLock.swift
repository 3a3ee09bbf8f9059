#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A `flock` on a file of its own, held until this value ends.
///
/// The kernel drops it when the process dies, however it dies.
package struct FileLock: ~Copyable, Sendable {
  package enum Mode: Sendable { case shared, exclusive }

  private let file: OpenFile
  package var path: String { file.path }

  /// Opens the lock file, makes it where it is missing, and waits for the lock.
  ///
  /// Waits `timeout` milliseconds at most (0 tries once); throws `EWOULDBLOCK` when others held it
  /// all that time.
  package init(_ path: String, _ mode: Mode, timeout: Int64) throws(SystemError) {
    let file = try OpenFile(path, .lock)
    try Self.lock(file, mode, timeout: timeout)
    self.file = file
  }

  /// Changes the mode of the lock.
  ///
  /// This is not atomic: another process may have held the lock in between, so whatever was read
  /// under it must be read again. When it throws, no lock is held at all.
  package func change(to mode: Mode, timeout: Int64) throws(SystemError) {
    try Self.lock(file, mode, timeout: timeout)
  }

  private static func lock(
    _ file: borrowing OpenFile, _ mode: Mode, timeout: Int64
  ) throws(SystemError) {
    let descriptor = file.descriptor
    let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
    let deadline = Clock.monotonicMilliseconds + timeout
    while true {
      do throws(SystemError) {
        try retrying("lock", file.path) { Int(flock(descriptor, operation)) }
        return
      } catch {
        guard error.wouldBlock, Clock.monotonicMilliseconds < deadline else { throw error }
        Clock.sleep(milliseconds: 5)
      }
    }
  }
}
