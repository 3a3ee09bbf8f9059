package import CofferDatabase
public import CofferKeys
public import CofferSystem

/// What can go wrong with a store.
///
/// It carries what a message needs, never a secret or the text of a message. The words for a person
/// are made elsewhere.
public enum StoreError: Error, Sendable, Equatable {
  // What is at the path.
  case noStore(path: String)
  case notAStore(path: String, ForeignFile)
  case alreadyThere(path: String)
  case keyringMissing(path: String)
  case databaseMissing(path: String)

  // Keys.
  case key(KeyError, path: String)
  /// The keyring is older than the database remembers: a removed slot may have come back.
  case oldKeyring(path: String, found: UInt64, remembered: UInt64)

  // Data.
  case damaged(path: String, Damage)
  case newerSchema(path: String, found: Int64, supported: Int64)
  /// The database in this folder belongs to another store or epoch.
  case foreignDatabase(path: String)

  // Calls that the state of the store or the call itself forbids; nothing was changed.
  case badPage(base: Int64, next: Int64)
  case pageAhead(base: Int64, cursor: Int64)
  /// The server counts anew: call `beginEpoch` before anything of its new numbering.
  case otherEpoch(found: Int64, expected: Int64)
  case unknownConversation(String)
  case unknownEvent(EventID)
  /// Nothing of that number is in quarantine.
  case unknownItem(Int64)
  case conflict(Conflict)
  case textTooLong(bytes: Int)
  /// What was to be sent breaks a rule that every store would hold against it.
  case badEvent(QuarantineReason)
  case badAddress
  case closed

  // The machine.
  case busy(path: String)
  case diskFull(path: String)
  case readOnly(path: String)
  case outOfMemory
  case system(SystemError)
  /// A database call failed for a reason of its own; `code` is SQLite's extended result code.
  case database(path: String, code: Int32, reason: String)
  /// The library that was loaded is no SQLCipher 4.5 or later.
  case wrongLibrary

  public enum ForeignFile: Sendable, Equatable {
    case folder
    case emptyFile
    case unencryptedDatabase
    case file
  }

  public enum Damage: Sendable, Equatable {
    /// The first page does not open: damage, or the file of another store.
    case firstPage
    /// A later page does not authenticate, or the tables contradict each other.
    case page
    case emptyFile
    case unencryptedDatabase
    /// It opens, and is no store of this program.
    case noStore
  }

  public enum Conflict: Sendable, Equatable {
    case idUsedOtherwise(EventID)
    case acknowledgedElsewhere(EventID, seq: Int64)
    case seqTaken(Int64, conversation: String)
    case seqOutOfReach(Int64, conversation: String)
    /// The message was deleted.
    case deleted(EventID)
    /// The entry was handed over and may be on the server.
    case onItsWay(EventID)
    case conversationExists(String)
  }
}

extension StoreError: DatabaseFailure {
  package init(_ error: DatabaseError) { self.init(error, path: "") }

  package init(_ error: DatabaseError, path: String) {
    switch error.kind {
    case .busy: self = .busy(path: path)
    case .full: self = .diskFull(path: path)
    case .readOnly: self = .readOnly(path: path)
    case .corrupt: self = .damaged(path: path, .page)
    case .notADatabase:
      switch error.operation {
      case "empty": self = .damaged(path: path, .emptyFile)
      case "unencrypted": self = .damaged(path: path, .unencryptedDatabase)
      default: self = .damaged(path: path, .firstPage)
      }
    case .outOfMemory: self = .outOfMemory
    case .wrongLibrary: self = .wrongLibrary
    case .misuse where error.operation == "use after close": self = .closed
    case .inputOutput, .cannotOpen, .constraint, .tooBig, .interrupted, .misuse:
      self = .database(path: path, code: error.code, reason: error.reason)
    }
  }

  /// The same error with the file it happened to, where it does not name one yet.
  func naming(_ path: String) -> StoreError {
    switch self {
    case .busy(""): .busy(path: path)
    case .diskFull(""): .diskFull(path: path)
    case .readOnly(""): .readOnly(path: path)
    case .damaged("", let damage): .damaged(path: path, damage)
    case .database("", let code, let reason): .database(path: path, code: code, reason: reason)
    default: self
    }
  }

  /// Runs database calls and gives their errors as `StoreError`.
  static func catching<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(StoreError) -> Result {
    do throws(DatabaseError) { return try body() } catch { throw StoreError(error) }
  }
}
