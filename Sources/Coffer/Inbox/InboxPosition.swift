import CofferDatabase

/// The cursor, and the numbers above it that pushes brought before their page.
struct InboxPosition {
  private(set) var cursor: Int64
  private(set) var hasAhead: Bool
  // A push that waits for a page may have a hundred thousand before it: they are never read whole.
  private let anyAhead: Statement
  private let isAhead: Statement

  /// Throws `otherEpoch` if the numbers that are to be judged are of another numbering than these.
  ///
  /// Nothing for `epoch` where the server has none. The first one ever named is taken over.
  init(_ connection: borrowing Connection, epoch: Int64? = nil) throws(StoreError) {
    try Self.check(epoch, connection)
    do throws(DatabaseError) {
      anyAhead = try connection.statement("SELECT 1 FROM ahead LIMIT 1")
      isAhead = try connection.statement("SELECT 1 FROM ahead WHERE inbox = ?")
      cursor = try connection.state(StateKey.cursor) ?? 0
      hasAhead = try anyAhead.integer() != nil
    } catch { throw StoreError(error) }
  }

  /// Whether the item of this number was applied: it is not opened again.
  func has(_ number: Int64) throws(DatabaseError) -> Bool {
    if number <= cursor { return true }
    return hasAhead ? try isAhead.integer(number) != nil : false
  }

  /// Counts one more item as applied.
  mutating func take(
    _ number: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    if number == cursor + 1 {
      try advance(to: number, connection)
    } else {
      try connection.statement("INSERT INTO ahead (inbox) VALUES (?)").run(number)
      hasAhead = true
    }
  }

  /// Moves the cursor, and on over what connects to it.
  mutating func advance(
    to number: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    cursor = number
    if hasAhead {
      while cursor < .max, try isAhead.integer(cursor + 1) != nil { cursor += 1 }
      try connection.statement("DELETE FROM ahead WHERE inbox <= ?").run(cursor)
      hasAhead = try anyAhead.integer() != nil
    }
    try connection.setState(StateKey.cursor, cursor)
  }

  static func check(_ epoch: Int64?, _ connection: borrowing Connection) throws(StoreError) {
    guard let epoch else { return }
    let known: Int64?
    do throws(DatabaseError) {
      known = try connection.state(StateKey.relayEpoch)
      if known == nil { try connection.setState(StateKey.relayEpoch, epoch) }
    } catch { throw StoreError(error) }
    if let known, known != epoch { throw .otherEpoch(found: epoch, expected: known) }
  }
}
