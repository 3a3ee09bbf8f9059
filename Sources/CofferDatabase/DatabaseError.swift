import CSQLCipher

/// A database call that failed.
///
/// It names the class of failure and SQLite's extended code, never a bound value or the message
/// that SQLite composed, which may quote one.
@usableFromInline
package struct DatabaseError: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Another connection holds what this one needs.
    case busy
    /// The disk or the quota is used up.
    case full
    case inputOutput
    /// A page failed its authentication or contradicts the others.
    case corrupt
    /// The first page does not open with this key: damage, or another key.
    case notADatabase
    case readOnly
    case cannotOpen
    case constraint
    case outOfMemory
    case tooBig
    case interrupted
    /// The library that was loaded is not SQLCipher 4.5 or later.
    case wrongLibrary
    /// A fault of our own: bad SQL or a wrong call.
    case misuse
  }

  package let kind: Kind
  /// SQLite's extended result code; 0 where the failure is not SQLite's.
  package let code: Int32
  /// What was tried, in a word or two.
  package let operation: String

  package init(_ kind: Kind, code: Int32 = 0, _ operation: String) {
    self.kind = kind
    self.code = code
    self.operation = operation
  }

  /// A statement that was prepared, and so is sound, fails with the plain code 1 when SQLCipher finds
  /// a page that does not authenticate; the codes for damage come from SQLite's own checks.
  init(code: Int32, _ operation: String) {
    let isDamagedPage = code == SQLITE_ERROR && operation == "step"
    self.init(isDamagedPage ? .corrupt : Kind(code: code), code: code, operation)
  }

  /// SQLite's fixed text for the code.
  package var reason: String {
    unsafe String(cString: sqlite3_errstr(code))
  }
}

extension DatabaseError.Kind {
  init(code: Int32) {
    switch code & 0xff {
    // PROTOCOL: the locks of the WAL were contended for too long.
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR: self = code == SQLITE_IOERR | (12 << 8) ? .outOfMemory : .inputOutput
    case SQLITE_CORRUPT: self = .corrupt
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self = .cannotOpen
    case SQLITE_CONSTRAINT: self = .constraint
    case SQLITE_NOMEM: self = .outOfMemory
    case SQLITE_TOOBIG: self = .tooBig
    case SQLITE_INTERRUPT: self = .interrupted
    default: self = .misuse
    }
  }

  /// Whether it ends the whole transaction, whatever item was at hand.
  package var isFatal: Bool {
    switch self {
    case .constraint, .tooBig: false
    default: true
    }
  }
}

/// An error that can carry a database error, so that one `transaction` serves every layer.
package protocol DatabaseFailure: Error {
  init(_ error: DatabaseError)
}

extension DatabaseError: DatabaseFailure {
  package init(_ error: DatabaseError) { self = error }
}
