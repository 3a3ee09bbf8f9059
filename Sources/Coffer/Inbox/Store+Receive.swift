import CofferDatabase

/// What a call of `receive` did, in items.
public struct ReceiveResult: Sendable, Equatable {
  public internal(set) var inserted = 0
  /// Rows that an item changed: our own that got their seq, and what edits, deletes, reactions,
  /// receipts and changes of conversations were about.
  public internal(set) var updated = 0
  public internal(set) var duplicate = 0
  /// Events that are held and wait for their message.
  public internal(set) var waiting = 0
  public internal(set) var quarantined = 0
  /// The inbox cursor after it: everything up to here is in the store.
  public internal(set) var cursor: Int64 = 0
  /// There when a push came whose predecessors from this number on are still missing: pull from here.
  public internal(set) var pullFrom: Int64?
  /// Whether a text was erased, which the WAL may still hold.
  var hasErased = false

  mutating func count(_ outcome: Door.Outcome) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .duplicate, .quarantinedBefore: duplicate += 1
    case .waiting: waiting += 1
    case .quarantined: quarantined += 1
    }
  }
}

extension Store {
  /// Applies a page of the inbox, and the cursor with it, in one transaction.
  ///
  /// A page that ends at or below the cursor is a no-op. An item that breaks a rule is set aside and
  /// the page goes on; a full disk, a damaged page or a lock ends it with nothing applied. Throws
  /// `pageAhead` when the page begins above the cursor, and `otherEpoch` when it counts in another
  /// numbering.
  @discardableResult
  public func receive(_ page: Page) async throws(StoreError) -> ReceiveResult {
    guard page.base >= 0, page.next >= page.base else {
      throw .badPage(base: page.base, next: page.next)
    }
    let options = options
    let result = try await write { connection throws(StoreError) in
      var inbox = try InboxPosition(connection, epoch: page.epoch)
      var result = ReceiveResult()
      guard page.base <= inbox.cursor else {
        throw .pageAhead(base: page.base, cursor: inbox.cursor)
      }
      if page.next > inbox.cursor {
        var door = try StoreError.catching { () throws(DatabaseError) in
          try Door(connection, options)
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
        result.hasErased = door.hasErased
      }
      result.cursor = inbox.cursor
      if inbox.hasAhead { result.pullFrom = inbox.cursor }
      return result
    }
    if result.hasErased { await forgetErased() }
    return result
  }

  /// Applies one item that the server pushed.
  ///
  /// The next one in the inbox moves the cursor, over pushes that came before it too. Any other is
  /// stored and shown all the same; the cursor stays, and `pullFrom` says what to ask for.
  @discardableResult
  public func receive(
    push item: Item, epoch: Int64? = nil
  ) async throws(StoreError) -> ReceiveResult {
    try await receive(push: .item(item), epoch: epoch)
  }

  package func receive(
    push arrival: Arrival, epoch: Int64? = nil
  ) async throws(StoreError) -> ReceiveResult {
    let options = options
    let result = try await write { connection throws(StoreError) in
      var inbox = try InboxPosition(connection, epoch: epoch)
      var result = ReceiveResult()
      let arrival = arrival.numbered
      try StoreError.catching { () throws(DatabaseError) in
        if let number = arrival.inbox, try inbox.has(number) {
          result.count(.duplicate)
          return
        }
        var door = try Door(connection, options)
        result.count(try door.apply(arrival, in: connection))
        try door.close(connection)
        if let number = arrival.inbox { try inbox.take(number, connection) }
        result.hasErased = door.hasErased
      }
      result.cursor = inbox.cursor
      if inbox.hasAhead { result.pullFrom = inbox.cursor }
      return result
    }
    if result.hasErased { await forgetErased() }
    return result
  }

  /// Applies items that no cursor of this store counts: for a cursor that another library owns.
  ///
  /// Call it first and move that cursor afterwards; the same items again change nothing.
  @discardableResult
  public func receive(_ items: [Item]) async throws(StoreError) -> ReceiveResult {
    try await receive(items.map { Arrival.item($0) })
  }

  package func receive(_ arrivals: [Arrival]) async throws(StoreError) -> ReceiveResult {
    let options = options
    let result = try await write { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        var result = ReceiveResult()
        var door = try Door(connection, options)
        for arrival in arrivals { result.count(try door.apply(arrival, in: connection)) }
        try door.close(connection)
        result.cursor = try connection.state(StateKey.cursor) ?? 0
        result.hasErased = door.hasErased
        return result
      }
    }
    if result.hasErased { await forgetErased() }
    return result
  }

  /// Empties the WAL of pages that still hold an erased text.
  ///
  /// A reader may keep it; then the next one that erases, or the last close, does it.
  func forgetErased() async {
    _ = try? await withWriter { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        try connection.checkpoint(waits: false)
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
  func misplaced(_ reason: QuarantineReason) -> Arrival {
    switch self {
    case .item(let item):
      .spoilt(SpoiltItem(inbox: nil, envelope: nil, raw: item.json, reason: reason))
    case .spoilt(let item):
      .spoilt(SpoiltItem(inbox: nil, envelope: nil, raw: item.raw, reason: item.reason))
    }
  }
}
