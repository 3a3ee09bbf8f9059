import CofferDatabase

/// What `verify` found.
public struct Verification: Sendable, Equatable {
  public let findings: [Finding]
  public let messages: Int64
  public let conversations: Int64
  /// Bytes of the database file.
  public let bytes: Int64
  public var isClean: Bool { findings.isEmpty }
}

extension Store {
  /// The steps of `verify`, in order.
  public enum VerificationStep: String, Sendable, CaseIterable {
    case pages = "authenticating every page"
    case tables = "checking tables and indexes"
    case references = "checking references"
    case rules = "checking the rules of the store"
  }

  /// Checks the whole store and changes nothing in it.
  ///
  /// Every page's authentication, the structure of tables and indexes, references, and every rule
  /// that the rows obey after each commit. `progress` is told of each step before it begins.
  public func verify(
    progress: @escaping @Sendable (VerificationStep) -> Void = { _ in }
  ) async throws(StoreError) -> Verification {
    try await withWriter { connection throws(StoreError) in
      progress(.pages)
      var findings: [Finding] = []
      do throws(DatabaseError) {
        // The page check reads the file and ignores the WAL, which must therefore be empty. A reader
        // may keep it from being emptied for a moment.
        guard try connection.checkpoint() else { throw DatabaseError(.busy, "checkpoint") }
        findings += try connection.cipherDamage().map { Finding(area: .pages, text: $0) }
      } catch { throw StoreError(error) }
      return try connection.snapshot { connection throws(StoreError) in
        try StoreError.catching { () throws(DatabaseError) in
          try Self.check(connection, findings, progress)
        }
      }
    }
  }

  private static func check(
    _ connection: borrowing Connection, _ pages: [Finding],
    _ progress: @Sendable (VerificationStep) -> Void
  ) throws(DatabaseError) -> Verification {
    var findings = pages
    do throws(DatabaseError) {
      progress(.tables)
      findings += try connection.structuralDamage().map { Finding(area: .tables, text: $0) }
      progress(.references)
      let broken = try connection.brokenReferences()
      if broken > 0 {
        findings.append(Finding(area: .references, text: "\(broken) references lead nowhere"))
      }
      progress(.rules)
      for invariant in Invariant.all {
        let count = try connection.statement(invariant.sql).integer() ?? 0
        if count > 0 { findings.append(Finding(area: .rules, text: "\(count) \(invariant.text)")) }
      }
      return Verification(
        findings: findings, messages: try connection.rowCount("messages"),
        conversations: try connection.rowCount("conversations"), bytes: try connection.size)
    } catch {
      // What the page check found explains why a query fails; it is the better report.
      guard error.kind == .corrupt else { throw error }
      if findings.isEmpty {
        findings.append(Finding(area: .tables, text: "a page cannot be read"))
      }
      return Verification(findings: findings, messages: 0, conversations: 0, bytes: 0)
    }
  }
}
