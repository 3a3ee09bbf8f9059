import CofferDatabase

/// What `repair` did.
public struct RepairResult: Sendable, Equatable {
  /// Rows of one kind that were set right.
  public struct Change: Sendable, Equatable {
    /// A word for the kind that stays the same.
    public let kind: String
    public let count: Int64
    /// What was counted, in the plural.
    public let text: String
  }

  /// What was found before.
  public let before: Verification
  public let changes: [Change]
  /// What is left: everything where nothing could be done.
  public let after: Verification

  /// Whether a page or a table is damaged, so that nothing was touched.
  public var isBeyondRepair: Bool { before.isDamaged }
}

extension Verification {
  /// Whether a page or the structure of a table is damaged: then no row can be trusted.
  public var isDamaged: Bool { findings.contains { $0.area == .pages || $0.area == .tables } }
}

extension Store {
  /// Checks the whole store, and sets right what follows from other rows: gaps, counts, previews,
  /// states, entries of the outbox.
  ///
  /// The text, seq, sender and id of a message stay as they are, and no message, event or item in
  /// quarantine is removed. What no other row can tell stays a finding. A store with a damaged page
  /// is not touched at all. Each kind of repair is one transaction, which survives power loss.
  public func repair(
    progress: @escaping @Sendable (VerificationStep) -> Void = { _ in }
  ) async throws(StoreError) -> RepairResult {
    let before = try await verify(progress: progress)
    if before.isClean || before.isDamaged {
      return RepairResult(before: before, changes: [], after: before)
    }
    var changes: [RepairResult.Change] = []
    for repair in Repair.allCases {
      let count = try await write(.powerLoss) { connection throws(StoreError) in
        try StoreError.catching { () throws(DatabaseError) in try repair.run(connection) }
      }
      guard count > 0 else { continue }
      changes.append(
        RepairResult.Change(kind: repair.rawValue, count: count, text: repair.words))
    }
    return RepairResult(
      before: before, changes: changes, after: try await verify(progress: progress))
  }
}
