import CofferDatabase

/// Something that follows from other rows, and is set right from them.
///
/// Each runs in one transaction, in this order, since one may uncover what the next sets right. None
/// touches the text, seq, sender or id of a message, and none removes a message, an event, an item in
/// quarantine, or words that a person wrote.
enum Repair: String, CaseIterable {
  case counter
  case orphans
  case states
  case outbox
  case range
  case gaps
  case deletedTexts = "deleted_texts"
  case unread
  case preview
  case ahead

  /// What it counts, in the plural.
  var words: String {
    switch self {
    case .counter: "counters of changes"
    case .orphans: "rows that belonged to nothing"
    case .states: "states of messages"
    case .outbox: "outbox entries"
    case .range: "highest seqs of conversations"
    case .gaps: "rows of gaps"
    case .deletedTexts: "traces of deleted messages"
    case .unread: "counts of unread messages"
    case .preview: "previews of conversations"
    case .ahead: "inbox numbers noted as ahead"
    }
  }

  /// Sets it right, and gives how many rows it changed.
  func run(_ connection: borrowing Connection) throws(DatabaseError) -> Int64 {
    var counter = try ChangeCounter(connection)
    let before = try Self.changes(connection)
    for sql in statements {
      let statement = try connection.statement(sql)
      if sql.contains("?1") { try statement.run(counter.next()) } else { try statement.run() }
    }
    switch self {
    case .states: try Self.raiseStates(connection, &counter)
    case .gaps: try Self.rebuildGaps(connection, &counter)
    case .outbox:
      try Self.findTargets(connection)
      try Self.sealGivenUp(connection)
    default: break
    }
    let count = try Self.changes(connection) - before
    if count > 0, self != .counter { try counter.save(connection) }
    return count
  }

  private static func changes(_ connection: borrowing Connection) throws(DatabaseError) -> Int64 {
    try connection.statement("SELECT total_changes()").integer() ?? 0
  }

  /// To what every other member has reached by now.
  private static func raiseStates(
    _ connection: borrowing Connection, _ counter: inout ChangeCounter
  ) throws(DatabaseError) {
    let statements = try DoorStatements(connection)
    for conversation in try connection.conversationRows() {
      try statements.raiseStates(
        conversation, from: Reached(delivered: 0, read: 0),
        to: statements.reached(conversation), &counter)
    }
  }
}

extension Connection {
  func conversationRows() throws(DatabaseError) -> [Int64] {
    try statement("SELECT id FROM conversations ORDER BY id").all { $0.integer(0) }
  }
}
