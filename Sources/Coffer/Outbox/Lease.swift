import CofferCrypto
package import CofferDatabase
import CofferSystem

/// Who drains: 16 bytes that nobody else has.
///
/// Those of a process name it, so that what it held when it died need not wait for the lease to end.
/// Nothing depends on that being right: two who send the head of one queue send the same bytes under
/// the same id.
package struct Lease: Sendable, Equatable {
  let id: Bytes16

  package init(_ id: Bytes16) { self.id = id }

  /// Milliseconds after which it ends by itself.
  static let duration: Int64 = 120_000

  /// The first two bytes of one that names a process.
  private static let tag: UInt64 = 0xc0fe

  /// One of this process, or just a random one where the system does not tell processes apart.
  init(_ random: RandomSource) {
    let bytes = random.bytes(16)
    let halves = [bytes[0..<8], bytes[8..<16]].map {
      $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    guard let mark = ProcessMark.current else {
      id = Bytes16(high: halves[0] & ~(0xffff << 48), low: halves[1])
      return
    }
    id = Bytes16(
      high: Self.tag << 48 | UInt64(mark.id) << 16 | halves[0] & 0xffff,
      low: mark.beginning << 16 | halves[1] & 0xffff)
  }

  /// Whether it is that of a process which has ended.
  var isOrphaned: Bool {
    guard id.high >> 48 == Self.tag else { return false }
    return ProcessMark(id: UInt32(truncatingIfNeeded: id.high >> 16), beginning: id.low >> 16)
      .isGone
  }
}

extension Store {
  /// A lease for one drain of the outbox.
  package func makeLease() -> Lease { Lease(options.random) }

  /// Ends the leases of processes that have died.
  static func endOrphans(_ now: Int64, _ connection: borrowing Connection) throws(DatabaseError) {
    let held = try connection.statement(
      "SELECT DISTINCT leased_by FROM outbox WHERE leased_by IS NOT NULL AND leased_until > ?"
    ).all(now) { Lease($0.bytes16(0)) }
    for lease in held where lease.isOrphaned {
      try connection.statement(
        "UPDATE outbox SET leased_by = NULL, leased_until = NULL WHERE leased_by = ?"
      ).run(lease.id)
    }
  }
}
