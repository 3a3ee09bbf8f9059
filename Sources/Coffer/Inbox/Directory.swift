import CofferDatabase

/// What a transaction knows of the conversations and accounts that it touches.
///
/// Rows are read once, made on sight, and conversations are written back once, by `save`. It lives no
/// longer than its transaction, so it never goes stale when another process writes.
struct Directory {
  struct Conversation {
    let id: Int64
    /// Added to the server's seqs since it last lost its numbering.
    let seqBase: Int64
    var firstSeq: Int64
    var clearedSeq: Int64
    var readSeq: Int64
    var maxSeq: Int64
    var unread: Int64
    var newestID: Int64?
    var newestSeq: Int64?
    var activeAt: Int64
    var isTouched = false

    /// The lowest seq that this device may hold.
    var floor: Int64 { max(firstSeq, clearedSeq + 1) }

    /// A seq of the server in this store's numbering; nothing where it jumps too far.
    ///
    /// Judged in the server's numbers, so that nothing overflows.
    func local(_ seq: Int64) -> Int64? {
      seq - highestOfServer <= ItemLimits.jump ? seq + seqBase : nil
    }

    /// The highest seq known of, in the server's numbering.
    var highestOfServer: Int64 { maxSeq - seqBase }
  }

  /// Ourselves.
  static let ownAccount: Int64 = 1

  private(set) var conversations: [Conversation] = []
  private var conversationIndex: [Address: Int]
  private var accountIDs: [Address: Int64]

  private let findConversation: Statement
  private let insertConversation: Statement
  private let updateConversation: Statement
  private let findAccount: Statement
  private let insertAccount: Statement

  /// What a page of usual length names fits without growing.
  private static let capacity = 64

  init(_ connection: borrowing Connection) throws(DatabaseError) {
    conversationIndex = Dictionary(minimumCapacity: Self.capacity)
    accountIDs = Dictionary(minimumCapacity: Self.capacity)
    findConversation = try connection.statement(
      """
      SELECT id, seq_base, first_seq, cleared_seq, read_seq, max_seq, unread, newest_id, newest_seq,
        active_at
      FROM conversations WHERE address = ?
      """)
    insertConversation = try connection.statement(
      "INSERT INTO conversations (address, changed) VALUES (?, ?)")
    updateConversation = try connection.statement(
      """
      UPDATE conversations
      SET first_seq = ?, cleared_seq = ?, read_seq = ?, max_seq = ?, unread = ?, newest_id = ?, newest_seq = ?,
        active_at = ?, changed = ?
      WHERE id = ?
      """)
    findAccount = try connection.statement("SELECT id FROM accounts WHERE address = ?")
    insertAccount = try connection.statement(
      "INSERT INTO accounts (address, changed) VALUES (?, ?)")
  }

  /// The place of a conversation in `conversations`, or nothing where it is unknown.
  mutating func find(_ address: String) throws(DatabaseError) -> Int? {
    let key = Address(text: address)
    if let index = conversationIndex[key] { return index }
    let row = try findConversation.first(address) { row in
      Conversation(
        id: row.integer(0), seqBase: row.integer(1), firstSeq: row.integer(2),
        clearedSeq: row.integer(3), readSeq: row.integer(4), maxSeq: row.integer(5),
        unread: row.integer(6), newestID: row.optionalInteger(7),
        newestSeq: row.optionalInteger(8), activeAt: row.integer(9))
    }
    guard let row else { return nil }
    return remember(row, key)
  }

  mutating func findOrMake(
    _ address: String, _ counter: inout ChangeCounter, in connection: borrowing Connection
  ) throws(DatabaseError) -> Int {
    if let index = try find(address) { return index }
    try insertConversation.run(address, counter.next())
    let row = Conversation(
      id: connection.lastInsertedRow, seqBase: 0, firstSeq: 1, clearedSeq: 0, readSeq: 0, maxSeq: 0,
      unread: 0, activeAt: 0)
    return remember(row, Address(text: address))
  }

  private mutating func remember(_ row: Conversation, _ key: Address) -> Int {
    conversations.append(row)
    conversationIndex[key] = conversations.count - 1
    return conversations.count - 1
  }

  mutating func account(
    _ address: String, _ counter: inout ChangeCounter, in connection: borrowing Connection
  ) throws(DatabaseError) -> Int64 {
    let key = Address(text: address)
    if let id = accountIDs[key] { return id }
    let id: Int64
    if let known = try findAccount.integer(address) {
      id = known
    } else {
      try insertAccount.run(address, counter.next())
      id = connection.lastInsertedRow
    }
    accountIDs[key] = id
    return id
  }

  mutating func update(_ index: Int, _ change: (inout Conversation) -> Void) {
    change(&conversations[index])
    conversations[index].isTouched = true
  }

  /// Writes back every conversation that changed.
  func save(_ counter: inout ChangeCounter) throws(DatabaseError) {
    for row in conversations where row.isTouched {
      try updateConversation.run(
        row.firstSeq, row.clearedSeq, row.readSeq, row.maxSeq, row.unread, row.newestID,
        row.newestSeq, row.activeAt, counter.next(), row.id)
    }
  }
}

/// The one counter that numbers every change of an exported row.
struct ChangeCounter {
  private var value: Int64
  private let loaded: Int64

  init(_ connection: borrowing Connection) throws(DatabaseError) {
    value = try connection.state(StateKey.changed) ?? 0
    loaded = value
  }

  mutating func next() -> Int64 {
    value += 1
    return value
  }

  func save(_ connection: borrowing Connection) throws(DatabaseError) {
    if value != loaded { try connection.setState(StateKey.changed, value) }
  }
}
