import CofferDatabase

/// What a call of `receive` did, in items.
public struct ReceiveResult: Sendable, Equatable {
  public internal(set) var inserted = 0
  /// Our own rows that got their seq.
  public internal(set) var updated = 0
  public internal(set) var duplicate = 0
  public internal(set) var quarantined = 0
  /// The inbox cursor after it: everything up to here is in the store.
  public internal(set) var cursor: Int64 = 0
  /// There when a push came whose predecessors from this number on are still missing: pull from here.
  public internal(set) var pullFrom: Int64?

  mutating func count(_ outcome: Door.Outcome) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .duplicate: duplicate += 1
    case .quarantined: quarantined += 1
    }
  }
}

extension Store {
  /// Applies a page of the inbox, and the cursor with it, in one transaction.
  ///
  /// A page that ends at or below the cursor is a no-op. An item that breaks a rule is set aside and
  /// the page goes on; a full disk, a damaged page or a lock ends it with nothing applied. Throws
  /// `pageAhead` when the page begins above the cursor.
  @discardableResult
  public func receive(_ page: Page) async throws(StoreError) -> ReceiveResult {
    guard page.base >= 0, page.next >= page.base else {
      throw .badPage(base: page.base, next: page.next)
    }
    let now = options.clock()
    return try await write { connection throws(StoreError) in
      var inbox = try InboxPosition(connection)
      var result = ReceiveResult()
      guard page.base <= inbox.cursor else {
        throw .pageAhead(base: page.base, cursor: inbox.cursor)
      }
      if page.next > inbox.cursor {
        var door = try StoreError.catching { () throws(DatabaseError) in
          try Door(connection, now: now)
        }
        try StoreError.catching { () throws(DatabaseError) in
          var last = page.base
          for arrival in page.arrivals {
            let arrival = arrival.judged(in: page, after: last)
            if let number = arrival.inbox { last = max(last, number) }
            if let number = arrival.inbox, try inbox.has(number) {
              result.count(.duplicate)
            } else {
              result.count(try door.apply(arrival, in: connection))
            }
          }
          try door.close(connection)
          try inbox.advance(to: page.next, connection)
        }
      }
      result.cursor = inbox.cursor
      if inbox.hasAhead { result.pullFrom = inbox.cursor }
      return result
    }
  }

  /// Applies one item that the server pushed.
  ///
  /// The next one in the inbox moves the cursor, over pushes that came before it too. Any other is
  /// stored and shown all the same; the cursor stays, and `pullFrom` says what to ask for.
  @discardableResult
  public func receive(push item: Item) async throws(StoreError) -> ReceiveResult {
    try await receive(push: .item(item))
  }

  package func receive(push arrival: Arrival) async throws(StoreError) -> ReceiveResult {
    let now = options.clock()
    return try await write { connection throws(StoreError) in
      var inbox = try InboxPosition(connection)
      var result = ReceiveResult()
      let arrival = arrival.numbered
      try StoreError.catching { () throws(DatabaseError) in
        if let number = arrival.inbox, try inbox.has(number) {
          result.count(.duplicate)
          return
        }
        var door = try Door(connection, now: now)
        result.count(try door.apply(arrival, in: connection))
        try door.close(connection)
        if let number = arrival.inbox { try inbox.take(number, connection) }
      }
      result.cursor = inbox.cursor
      if inbox.hasAhead { result.pullFrom = inbox.cursor }
      return result
    }
  }

  /// Applies items that no cursor of this store counts: for a cursor that another library owns.
  ///
  /// Call it first and move that cursor afterwards; the same items again change nothing.
  @discardableResult
  public func receive(_ items: [Item]) async throws(StoreError) -> ReceiveResult {
    try await receive(items.map { Arrival.item($0) })
  }

  package func receive(_ arrivals: [Arrival]) async throws(StoreError) -> ReceiveResult {
    let now = options.clock()
    return try await write { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        var result = ReceiveResult()
        var door = try Door(connection, now: now)
        for arrival in arrivals { result.count(try door.apply(arrival, in: connection)) }
        try door.close(connection)
        result.cursor = try connection.state(StateKey.cursor) ?? 0
        return result
      }
    }
  }

  /// Everything in the inbox up to here is in the store.
  public func cursor() async throws(StoreError) -> Int64 {
    try await read { connection throws(DatabaseError) in
      try connection.state(StateKey.cursor) ?? 0
    }
  }
}

/// The cursor, and the numbers above it that pushes brought before their page.
private struct InboxPosition {
  private(set) var cursor: Int64
  private(set) var hasAhead: Bool
  // A push that waits for a page may have a hundred thousand before it: they are never read whole.
  private let anyAhead: Statement
  private let isAhead: Statement

  init(_ connection: borrowing Connection) throws(StoreError) {
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
}

extension Arrival {
  /// The item, spoilt if its inbox number contradicts its page: numbers lie above `base`, up to
  /// `next`, and rise.
  fileprivate func judged(in page: Page, after last: Int64) -> Arrival {
    guard let number = inbox else { return misplaced(.noInboxNumber) }
    if number <= page.base || number > page.next { return misplaced(.outsideItsPage) }
    if number <= last { return misplaced(.notRising) }
    return self
  }

  /// The item, spoilt if it lacks the number that a push must have.
  ///
  /// A number below 1 lies below every cursor, and would pass for one that was applied.
  fileprivate var numbered: Arrival {
    guard let number = inbox else { return misplaced(.noInboxNumber) }
    return number < 1 ? misplaced(.inboxOutOfRange) : self
  }

  /// Set aside whole: without a sound place in the inbox its envelope is not trusted with a seq.
  private func misplaced(_ reason: QuarantineReason) -> Arrival {
    switch self {
    case .item(let item):
      .spoilt(SpoiltItem(inbox: nil, envelope: nil, raw: item.json, reason: reason))
    case .spoilt(let item):
      .spoilt(SpoiltItem(inbox: nil, envelope: nil, raw: item.raw, reason: item.reason))
    }
  }
}
