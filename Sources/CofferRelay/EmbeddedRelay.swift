package import CofferDatabase
import CofferSystem

/// A server of one SQLite file, which several processes of a machine share.
///
/// For tests, demonstrations, and accounts that live on one machine. What is sent is on the disk
/// when it is accepted, and a process that dies leaves all of a call or nothing. The file is not
/// encrypted: it holds what the clients hand over, as any server would, and whoever may read it reads
/// that. Its folder should be its owner's alone.
public final class EmbeddedRelay: Sendable {
  public let path: String
  let database: Database
  /// Milliseconds since 1970; only new epochs are named by it.
  let clock: @Sendable () -> Int64

  /// Opens the file, or makes it where there is none.
  public convenience init(path: String) async throws(EmbeddedRelayError) {
    try await self.init(path: path, clock: { Clock.wallMilliseconds }, hook: nil)
  }

  /// `hook` is told of every statement that writes; for the kill test.
  package init(
    path: String, clock: @escaping @Sendable () -> Int64, hook: StatementHook?
  ) async throws(EmbeddedRelayError) {
    self.path = path
    self.clock = clock
    // One reader: `data_version` is only comparable within one connection.
    database = Database(readers: 1) { role throws(DatabaseError) in
      let connection = try Connection(
        unencrypted: path, applicationID: RelaySchema.applicationID, creating: role == .writer,
        role: role)
      if role == .writer, let hook { connection.observe(hook) }
      return ConnectionBox(connection)
    }
    let found: Int64
    do throws(DatabaseError) {
      found = try await database.withWriter { connection throws(DatabaseError) in
        let found = try connection.userVersion
        if found <= RelaySchema.version { try connection.begin(at: clock()) }
        return found
      }
    } catch {
      await database.close()
      throw EmbeddedRelayError(error, path)
    }
    guard found <= RelaySchema.version else {
      await database.close()
      throw .newerSchema(path: path, found: found, supported: RelaySchema.version)
    }
  }

  /// What a device of an account asks the server through.
  ///
  /// Nothing proves who asks: whoever can open the file can ask as anyone.
  public func connection(account: String, device: UInt32) -> EmbeddedConnection {
    EmbeddedConnection(relay: self, account: account, device: device)
  }

  /// Lets go of the file; calls after it are answered as unreachable.
  public func close() async { await database.close() }
}

extension Connection {
  /// Makes what a new file lacks.
  fileprivate func begin(at now: Int64) throws(DatabaseError) {
    try migrate(RelaySchema.migrations)
    if try statement("SELECT epoch FROM relay").integer() != nil { return }
    try transaction(.powerLoss) { connection throws(DatabaseError) in
      // Another file made at another time has another epoch, so a replaced one is noticed.
      try connection.statement("INSERT OR IGNORE INTO relay (id, epoch) VALUES (1, ?)").run(now)
    }
  }

  var epoch: Int64 {
    get throws(DatabaseError) { try statement("SELECT epoch FROM relay").integer() ?? 0 }
  }
}

extension EmbeddedRelayError {
  fileprivate init(_ error: DatabaseError, _ path: String) {
    switch error.kind {
    case .notADatabase: self = .foreign(path: path)
    case .busy: self = .busy(path: path)
    default: self = .database(path: path, code: error.code, reason: error.reason)
    }
  }
}
