/// Why a relay's file could not be opened.
public enum EmbeddedRelayError: Error, Sendable, Equatable {
  /// It is another program's file, or no database; it was not touched.
  case foreign(path: String)
  /// A newer version of the library made it; it was not touched.
  case newerSchema(path: String, found: Int64, supported: Int64)
  case busy(path: String)
  /// SQLite refuses; `code` is its extended result code.
  case database(path: String, code: Int32, reason: String)
}
