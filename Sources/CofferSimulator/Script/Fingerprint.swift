package import Coffer
import CofferCoding
import CofferCrypto
import CofferDatabase

/// What every row of a store amounts to: equal for two stores that hold the same.
package struct Fingerprint: Sendable, Hashable {
  private let digest: [UInt8]

  /// Reads every table, in the order of its name, row by row in the order of its columns.
  package init(of store: Store) async throws {
    digest = try await store.database.read { connection throws(DatabaseError) in
      try Self.digest(connection)
    }
  }

  private static func digest(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [UInt8] {
    // SQLite's own tables count too: what they say of used row numbers decides the next one.
    let tables = try connection.statement(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).all { $0.text(0) }
    var bytes: [UInt8] = []
    for table in tables {
      let columns = try connection.statement(
        "SELECT name FROM pragma_table_info(?) ORDER BY cid"
      ).all(table) { $0.text(0) }
      let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
      let order = columns.indices.map { String($0 + 1) }.joined(separator: ", ")
      let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      bytes += Array("\(table)\n".utf8)
      try connection.statement(
        "SELECT \(values) FROM (SELECT \(names) FROM \"\(table)\" ORDER BY \(order))"
      ).forEach { row throws(DatabaseError) in
        bytes += Array(row.text(0).utf8)
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    do throws(CryptoError) { return try unsafe BLAKE2b.hash(bytes.span.bytes) } catch {
      throw DatabaseError(.misuse, "digest")
    }
  }

  /// As 16 hex digits, enough to tell a few hundred apart.
  package var text: String { Hexadecimal.encode(Array(digest.prefix(8))) }
}
