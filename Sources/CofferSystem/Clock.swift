#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's clocks, and waiting.
package enum Clock {
  /// Milliseconds since 1970, as the wall clock has it: for display, never for order.
  package static var wallMilliseconds: Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }

  /// Milliseconds that only rise, from an arbitrary start.
  package static var monotonicMilliseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) / 1_000_000 }

  package static var monotonicNanoseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) }

  /// Processor time of the whole process so far, in nanoseconds.
  package static var processorNanoseconds: Int64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

  package static func sleep(milliseconds: Int64) { sleep(nanoseconds: milliseconds * 1_000_000) }

  package static func sleep(nanoseconds: Int64) {
    var left = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}
