import CofferDatabase
import CofferSystem

@testable import Coffer

/// Stores that earlier versions wrote, one for each schema that was released; see
/// `Fixtures/README.md`.
enum Fixtures {
  static let folder = "\(Files.parent(of: #filePath))/Fixtures"

  /// What a fixture's tables held when they were written, as `Connection.rows` describes them.
  static func rows(_ name: String) throws -> [TableRows] {
    let text = String(
      decoding: try Files.content(of: "\(folder)/\(name).rows", limit: 1 << 24), as: UTF8.self)
    var tables: [TableRows] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  ") {
        tables[tables.endIndex - 1].rows.append(String(line.dropFirst(2)))
      } else {
        let parts = line.split(separator: " (")
        let columns = parts[1].dropLast().split(separator: ", ")
        tables.append(TableRows(name: String(parts[0]), columns: columns.map(String.init)))
      }
    }
    return tables
  }
}

/// Some columns of a table, and its rows in the order of these.
struct TableRows: Equatable {
  let name: String
  let columns: [String]
  var rows: [String] = []

  /// As it stands in a fixture's `.rows`.
  var text: String {
    ["\(name) (\(columns.joined(separator: ", ")))"].joined() + "\n"
      + rows.map { "  \($0)\n" }.joined()
  }
}

extension Connection {
  /// Every table of the database with all of its columns.
  func allTables() throws(DatabaseError) -> [TableRows] {
    let names = try statement(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).all { $0.text(0) }
    var tables: [TableRows] = []
    for name in names {
      let columns = try statement("SELECT name FROM pragma_table_info(?)").all(name) { $0.text(0) }
      tables.append(TableRows(name: name, columns: columns))
    }
    return tables
  }

  /// The same tables and columns with what this database has in them, each value as SQL would write
  /// it.
  func rows(of tables: [TableRows]) throws(DatabaseError) -> [TableRows] {
    var found: [TableRows] = []
    for table in tables {
      // A line is a row: a newline in a text is written as \n.
      let values = table.columns.map { "replace(quote(\($0)), char(10), '\\n')" }
        .joined(separator: " || ', ' || ")
      let order = table.columns.joined(separator: ", ")
      var table = table
      table.rows = try statement("SELECT \(values) FROM \(table.name) ORDER BY \(order)")
        .all { $0.text(0) }
      found.append(table)
    }
    return found
  }
}

extension Store {
  func rows(of tables: [TableRows]) async throws(StoreError) -> [TableRows] {
    try await read { connection throws(DatabaseError) in try connection.rows(of: tables) }
  }
}

extension Scratch {
  /// A copy of a fixture in the place of the store; files in a repository may be read by others, a
  /// store's may not.
  func copyFixture(_ name: String) throws {
    try? Files.removeTree(store)
    try copyFolder("\(Fixtures.folder)/\(name)", to: store)
  }

  func copyFolder(_ source: String, to target: String) throws {
    try Files.makeFolder(target)
    for file in try Files.names(in: source) {
      let content = try Files.content(of: "\(source)/\(file)", limit: 1 << 24)
      try OpenFile("\(target)/\(file)", .create).write(content)
    }
  }

  /// The database of the store as it is: nothing is migrated.
  func rawConnection() throws -> Connection {
    let folder = try StoreFolder(existing: store)
    let keyring = try Store.readKeyring(folder).keyring
    let master = try Secret(credential(), allowing: .max).unlock(keyring, path: folder.path)
    let keys = StoreKeys(master, epoch: keyring.epoch)
    return try keys.writer(of: folder.database(epoch: keys.epoch))
  }
}
