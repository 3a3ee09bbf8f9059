import CofferDatabase

/// Facts about a store, for a person to read.
public struct StoreInformation: Sendable, Equatable {
  public let account: String
  public let device: UInt32
  public let cursor: Int64
  public let accounts: Int64
  public let conversations: Int64
  public let messages: Int64
  /// Messages that wait for the server.
  public let pending: Int64
  public let gaps: Int64
  public let quarantined: Int64
  /// Bytes of the database file, without its WAL.
  public let bytes: Int64
  public let schemaVersion: Int64
  /// SQLCipher's own version, such as `4.6.1 community`.
  public let cipherVersion: String
}

extension Store {
  public func information() async throws(StoreError) -> StoreInformation {
    try await read { connection throws(DatabaseError) in
      let account = try connection.statement("SELECT address FROM accounts WHERE id = ?")
        .first(Directory.ownAccount) { $0.text(0) }
      return StoreInformation(
        account: account ?? "",
        device: UInt32(clamping: try connection.state(StateKey.device) ?? 0),
        cursor: try connection.state(StateKey.cursor) ?? 0,
        accounts: try connection.rowCount("accounts"),
        conversations: try connection.rowCount("conversations"),
        messages: try connection.rowCount("messages"), pending: try connection.rowCount("outbox"),
        gaps: try connection.rowCount("gaps"),
        quarantined: try connection.rowCount("quarantine"), bytes: try connection.size,
        schemaVersion: try connection.userVersion, cipherVersion: try connection.cipherVersion)
    }
  }
}
