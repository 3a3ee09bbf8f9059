import CofferCrypto
import CofferDatabase

/// An item that was set aside: nothing was applied of it, and nothing of it was lost.
public struct QuarantinedItem: Sendable, Equatable {
  /// Its number in the quarantine, from 1, never reused.
  public let id: Int64
  /// Its number in the inbox, where it had one.
  public let inbox: Int64?
  public let reason: String
  /// Milliseconds since 1970 when it first came.
  public let firstSeen: Int64
  /// How often it came.
  public let attempts: Int64
  /// The item as it came.
  public let raw: [UInt8]
}

enum Quarantine {
  /// Keeps an item; false when the very same bytes are kept already.
  static func keep(
    _ raw: [UInt8], _ reason: QuarantineReason, inbox: Int64?, _ now: Int64,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let digest: [UInt8]
    do throws(CryptoError) { digest = try unsafe BLAKE2b.hash(raw.span.bytes) } catch {
      throw DatabaseError(.misuse, "digest")
    }
    try connection.statement("UPDATE quarantine SET attempts = attempts + 1 WHERE digest = ?")
      .run(digest)
    if connection.changes == 1 { return false }
    try connection.statement(
      """
      INSERT INTO quarantine (digest, raw, reason, inbox, first_seen, relay_epoch)
      VALUES (?, ?, ?, ?, ?, (SELECT value FROM sync_state WHERE key = 'relay_epoch'))
      """
    ).run(digest, raw, reason.rawValue, inbox, now)
    return true
  }
}

extension Store {
  /// Items that were set aside, oldest first, at most `limit` of those numbered above `after`.
  public func quarantine(
    after: Int64 = 0, limit: Int = 100
  ) async throws(StoreError) -> [QuarantinedItem] {
    try await read { connection throws(DatabaseError) in
      try connection.statement(
        """
        SELECT id, inbox, reason, first_seen, attempts, raw FROM quarantine
        WHERE id > ? ORDER BY id LIMIT ?
        """
      ).all(after, limit) { row in
        QuarantinedItem(
          id: row.integer(0), inbox: row.optionalInteger(1), reason: row.text(2),
          firstSeen: row.integer(3), attempts: row.integer(4), raw: row.bytes(5))
      }
    }
  }
}
