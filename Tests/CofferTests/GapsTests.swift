import CofferSystem
import CofferDatabase
import Testing

@testable import Coffer

@Suite struct GapsTests {
  /// The algebra against a plain set of seqs with their status, over random operations.
  @Test func theAlgebraAgreesWithASetOfSeqs() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    let scratch = try Scratch()
    let store = try await scratch.create()
    for _ in 0..<40 {
      let operations = (0..<60).map { _ in Operation(&random) }
      let problem = try await store.write { connection throws(StoreError) in
        do throws(DatabaseError) {
          return try Self.firstDifference(operations, connection)
        } catch { throw StoreError(error) }
      }
      #expect(problem == nil, "seed \(seed)")
    }
  }

  private struct Operation: Sendable {
    let range: ClosedRange<Int64>
    /// Nothing: the range is held now.
    let status: Gaps.Status?

    init(_ random: inout SplitMix64) {
      let first = Int64.random(in: 1...60, using: &random)
      range = first...min(60, first + Int64.random(in: 0...20, using: &random))
      status = [Gaps.Status.open, .unavailable, nil, nil].randomElement(using: &random) ?? nil
    }
  }

  private static func firstDifference(
    _ operations: [Operation], _ connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    try connection.execute(
      """
      DELETE FROM gaps; DELETE FROM conversations;
      INSERT INTO conversations (id, address, changed) VALUES (1, 'c', 0);
      """)
    let gaps = try Gaps(connection)
    var model: [Int64: Int64] = [:]
    for (step, operation) in operations.enumerated() {
      if let status = operation.status {
        try gaps.add(operation.range, status, to: 1, changed: 1)
        for seq in operation.range { model[seq] = status.rawValue }
      } else {
        try gaps.subtract(operation.range, of: 1, changed: 1)
        for seq in operation.range { model[seq] = nil }
      }
      let rows = try connection.statement("SELECT first, last, status FROM gaps ORDER BY first")
        .all { ($0.integer(0), $0.integer(1), $0.integer(2)) }
      var found: [Int64: Int64] = [:]
      for (first, last, status) in rows {
        for seq in first...last {
          if found[seq] != nil { return "step \(step): \(seq) twice" }
          found[seq] = status
        }
      }
      if found != model { return "step \(step): \(rows)" }
      for (left, right) in zip(rows, rows.dropFirst())
      where left.1 + 1 == right.0 && left.2 == right.2 {
        return "step \(step): \(rows) not joined"
      }
    }
    return nil
  }

  @Test func theEndsOfTheNumbersAreNoTrap() async throws {
    let scratch = try Scratch()
    let store = try await scratch.create()
    try await store.write { connection throws(StoreError) in
      do throws(DatabaseError) {
        try connection.execute(
          "INSERT INTO conversations (id, address, changed) VALUES (1, 'c', 0)")
        let gaps = try Gaps(connection)
        try gaps.add(1 ... .max, .open, to: 1, changed: 1)
        try gaps.subtract(1...1, of: 1, changed: 1)
        try gaps.subtract(Int64.max ... .max, of: 1, changed: 1)
        try gaps.add(Int64.max ... .max, .open, to: 1, changed: 1)
        try gaps.add(1...1, .open, to: 1, changed: 1)
      } catch { throw StoreError(error) }
    }
    let all = try await store.gaps().map(\.gap)
    #expect(all == [Gap(first: 1, last: .max, isUnavailable: false)])
  }
}
