import CSQLCipher

extension Connection {
  /// Runs `body` in one write transaction, which commits when it returns and leaves nothing when it
  /// throws.
  ///
  /// `BEGIN IMMEDIATE` takes the write lock first, so a transaction never finds half way that it
  /// may not write.
  package func transaction<Result, Failure: DatabaseFailure>(
    _ durability: Durability, _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(DatabaseError) {
      try set(durability)
      try statement("BEGIN IMMEDIATE").run()
    } catch { throw Failure(error) }
    let result: Result
    do throws(Failure) { result = try body(self) } catch {
      rollBack()
      throw error
    }
    do throws(DatabaseError) { try statement("COMMIT").run() } catch {
      rollBack()
      throw Failure(error)
    }
    return result
  }

  /// Runs `body` over one unchanging state of the database.
  package func snapshot<Result, Failure: DatabaseFailure>(
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(DatabaseError) { try statement("BEGIN").run() } catch { throw Failure(error) }
    defer { rollBack() }
    return try body(self)
  }

  /// Runs `body` in a savepoint: what it did stays only when it returns.
  package func savepoint<Result, Failure: DatabaseFailure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(DatabaseError) { try statement("SAVEPOINT item").run() } catch {
      throw Failure(error)
    }
    let result: Result
    do throws(Failure) { result = try body() } catch {
      do throws(DatabaseError) {
        // A full disk or a read error may have ended the whole transaction already.
        if isInTransaction {
          try statement("ROLLBACK TO item").run()
          try statement("RELEASE item").run()
        }
      } catch let second { throw Failure(second) }
      throw error
    }
    do throws(DatabaseError) { try statement("RELEASE item").run() } catch {
      throw Failure(error)
    }
    return result
  }

  private func rollBack() {
    guard isInTransaction else { return }
    unsafe _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Inside a transaction this would be an error, so it comes before each.
  private func set(_ durability: Durability) throws(DatabaseError) {
    guard shared.durability != durability else { return }
    switch durability {
    case .process: try execute("PRAGMA synchronous = NORMAL")
    case .powerLoss: try execute("PRAGMA synchronous = FULL")
    }
    shared.durability = durability
  }
}
