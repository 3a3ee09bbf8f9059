/// One step of the schema, from the version before it.
///
/// Each runs in a transaction of its own together with the new `user_version`, so a killed one
/// starts again from where it was.
package struct Migration: Sendable {
  /// The `user_version` that the database has after it.
  package let version: Int64
  package let sql: String

  package init(version: Int64, sql: String) {
    self.version = version
    self.sql = sql
  }
}

extension Connection {
  /// Brings the schema up to date.
  ///
  /// The caller has refused a newer version before: nothing here goes down.
  package func migrate(_ migrations: [Migration]) throws(DatabaseError) {
    for migration in migrations where try userVersion < migration.version {
      try transaction(.powerLoss) { connection throws(DatabaseError) in
        // Another process may have done it while this one waited for the lock.
        guard try connection.userVersion < migration.version else { return }
        try connection.execute(migration.sql)
        try connection.execute("PRAGMA user_version = \(migration.version)")
      }
    }
  }
}
