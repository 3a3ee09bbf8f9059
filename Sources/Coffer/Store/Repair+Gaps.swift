import CofferDatabase

extension Repair {
  /// Makes the gaps of every conversation what its held seqs leave over.
  static func rebuildGaps(
    _ connection: borrowing Connection, _ counter: inout ChangeCounter
  ) throws(DatabaseError) {
    let delete = try connection.statement(
      "DELETE FROM gaps WHERE conversation_id = ? AND first = ?")
    let insert = try connection.statement(
      """
      INSERT INTO gaps (conversation_id, first, last, status, changed) VALUES (?, ?, ?, ?, ?)
      """)
    for conversation in try connection.conversationRows() {
      let known = try connection.statement(
        "SELECT first, last, status FROM gaps WHERE conversation_id = ? ORDER BY first"
      ).all(conversation) {
        GapRow($0.integer(0), $0.integer(1), $0.integer(2))
      }
      let missing = try missing(in: conversation, connection)
      let right = GapRow.filling(missing, as: known)
      guard right != known else { continue }
      // What is right already keeps the number of its change.
      let (before, after) = (Set(known), Set(right))
      for stretch in known where !after.contains(stretch) {
        try delete.run(conversation, stretch.first)
      }
      for stretch in right where !before.contains(stretch) {
        try insert.run(
          conversation, stretch.first, stretch.last, stretch.status, counter.next())
      }
    }
  }

  /// The stretches between the held seqs of a conversation, in order.
  private static func missing(
    in conversation: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [ClosedRange<Int64>] {
    let range = try connection.statement(
      "SELECT max(first_seq, cleared_seq + 1), max_seq FROM conversations WHERE id = ?"
    ).first(conversation) { ($0.integer(0), $0.integer(1)) }
    guard let (floor, top) = range, floor <= top else { return [] }
    var missing: [ClosedRange<Int64>] = []
    // The lowest seq not accounted for; nothing once the highest there can be is.
    var next: Int64? = floor
    try connection.statement(
      """
      SELECT seq FROM messages WHERE conversation_id = ?1 AND seq BETWEEN ?2 AND ?3
      UNION ALL
      SELECT seq FROM events WHERE conversation_id = ?1 AND seq BETWEEN ?2 AND ?3
      ORDER BY seq
      """
    ).forEach(conversation, floor, top) { row in
      let seq = row.integer(0)
      guard let first = next, seq >= first else { return }
      if seq > first { missing.append(first...seq - 1) }
      next = seq < .max ? seq + 1 : nil
    }
    if let first = next, first <= top { missing.append(first...top) }
    return missing
  }
}

/// A row of `gaps` without its conversation.
struct GapRow: Hashable {
  let first: Int64
  let last: Int64
  let status: Int64

  init(_ first: Int64, _ last: Int64, _ status: Int64) {
    self.first = first
    self.last = last
    self.status = status
  }

  /// What is missing, each part with the status that `known` gives it.
  ///
  /// A part is unavailable only where that alone is said of it: to ask the server once too often is
  /// better than never. Ranges and stretches are in order; the stretches may overlap.
  static func filling(_ missing: [ClosedRange<Int64>], as known: [GapRow]) -> [GapRow] {
    let unavailable = Gaps.Status.unavailable.rawValue
    let lost = union(known.filter { $0.status == unavailable })
    let open = union(known.filter { $0.status != unavailable })
    var index = 0
    let certain = lost.flatMap { range in
      parts(of: range, cutBy: open, from: &index).filter { !$0.isInside }.map(\.range)
    }
    index = 0
    return missing.flatMap { range in
      parts(of: range, cutBy: certain, from: &index).map { part in
        GapRow(
          part.range.lowerBound, part.range.upperBound,
          part.isInside ? unavailable : Gaps.Status.open.rawValue)
      }
    }
  }

  /// The same seqs as ranges that neither overlap nor touch.
  private static func union(_ stretches: [GapRow]) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    for stretch in stretches {
      if let last = ranges.last, stretch.first - 1 <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, stretch.last)
      } else {
        ranges.append(stretch.first...stretch.last)
      }
    }
    return ranges
  }

  private typealias Part = (range: ClosedRange<Int64>, isInside: Bool)

  /// A range in pieces: those that lie in one of `ranges`, and those between them.
  ///
  /// `index` is where to look first; ranges that are asked about in order are found in one walk.
  private static func parts(
    of whole: ClosedRange<Int64>, cutBy ranges: [ClosedRange<Int64>], from index: inout Int
  ) -> [Part] {
    while index < ranges.count, ranges[index].upperBound < whole.lowerBound { index += 1 }
    var parts: [Part] = []
    var next: Int64? = whole.lowerBound
    for range in ranges[index...] {
      guard let first = next, range.lowerBound <= whole.upperBound else { break }
      let inside = range.clamped(to: whole)
      if inside.lowerBound > first { parts.append((first...inside.lowerBound - 1, false)) }
      parts.append((inside, true))
      next = inside.upperBound < whole.upperBound ? inside.upperBound + 1 : nil
    }
    if let first = next { parts.append((first...whole.upperBound, false)) }
    return parts
  }
}
