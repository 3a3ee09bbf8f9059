import CofferDatabase

/// The stretches of seqs of one conversation that are not held.
///
/// They are disjoint, and two of the same status are never adjacent: a stretch has one row.
struct Gaps {
  enum Status: Int64 {
    /// The server may still have it.
    case open = 0
    /// The server no longer has it.
    case unavailable = 1
  }

  private let overlap: Statement
  private let insert: Statement
  private let delete: Statement

  init(_ connection: borrowing Connection) throws(DatabaseError) {
    overlap = try connection.statement(
      """
      SELECT first, last, status FROM gaps
      WHERE conversation_id = ?1 AND first <= ?3
        AND first >= coalesce(
          (SELECT max(first) FROM gaps WHERE conversation_id = ?1 AND first <= ?2), ?2)
        AND last >= ?2
      ORDER BY first
      """)
    insert = try connection.statement(
      """
      INSERT INTO gaps (conversation_id, first, last, status, changed) VALUES (?, ?, ?, ?, ?)
      """)
    delete = try connection.statement(
      "DELETE FROM gaps WHERE conversation_id = ? AND first = ?")
  }

  private typealias Stretch = (first: Int64, last: Int64, status: Int64)

  private func overlapping(
    _ conversation: Int64, _ range: ClosedRange<Int64>
  ) throws(DatabaseError) -> [Stretch] {
    try overlap.all(conversation, range.lowerBound, range.upperBound) {
      ($0.integer(0), $0.integer(1), $0.integer(2))
    }
  }

  /// Records that `range` is held, or at least no longer missing.
  ///
  /// A stretch that it cuts keeps what lies before and behind. True where any of it was unavailable.
  @discardableResult
  func subtract(
    _ range: ClosedRange<Int64>, of conversation: Int64, changed: Int64
  ) throws(DatabaseError) -> Bool {
    var wasUnavailable = false
    for gap in try overlapping(conversation, range) {
      if gap.status == Status.unavailable.rawValue { wasUnavailable = true }
      try delete.run(conversation, gap.first)
      if gap.first < range.lowerBound {
        try insert.run(conversation, gap.first, range.lowerBound - 1, gap.status, changed)
      }
      if gap.last > range.upperBound {
        try insert.run(conversation, range.upperBound + 1, gap.last, gap.status, changed)
      }
    }
    return wasUnavailable
  }

  /// Records that `range` is missing, whatever was said of it before.
  func add(
    _ range: ClosedRange<Int64>, _ status: Status, to conversation: Int64, changed: Int64
  ) throws(DatabaseError) {
    try subtract(range, of: conversation, changed: changed)
    var first = range.lowerBound
    var last = range.upperBound
    // One seq further on each side finds what is adjacent.
    let wider = max(first - 1, 1)...(last == .max ? last : last + 1)
    for gap in try overlapping(conversation, wider) where gap.status == status.rawValue {
      try delete.run(conversation, gap.first)
      first = min(first, gap.first)
      last = max(last, gap.last)
    }
    try insert.run(conversation, first, last, status.rawValue, changed)
  }

  /// Records that the server no longer has what of `range` is missing.
  func close(
    _ range: ClosedRange<Int64>, of conversation: Int64, changed: Int64
  ) throws(DatabaseError) {
    for gap in try overlapping(conversation, range) where gap.status == Status.open.rawValue {
      let part = max(gap.first, range.lowerBound)...min(gap.last, range.upperBound)
      try add(part, .unavailable, to: conversation, changed: changed)
    }
  }
}
