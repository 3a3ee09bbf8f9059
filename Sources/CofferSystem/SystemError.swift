#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A call to the operating system that failed.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error number the system gave (`errno`).
  public let code: Int32
  /// What was tried: "open", "rename", "lock" and so on.
  public let operation: String
  /// The file it was tried on, or nothing where there is none.
  public let path: String

  package init(code: Int32, operation: String, path: String = "") {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// The error that the last failed system call on this thread left behind.
  package static func last(_ operation: String, _ path: String = "") -> SystemError {
    SystemError(code: errno, operation: operation, path: path)
  }

  /// The system's own words for the error number.
  public var reason: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  public var description: String {
    path.isEmpty ? "\(operation): \(reason)" : "\(operation) \(path): \(reason)"
  }

  package var isTooLong: Bool { code == EFBIG }
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// The number that says that the name is taken.
  package static let exists = EEXIST

  package var isAlreadyThere: Bool { code == EEXIST || code == ENOTEMPTY }
  package var wouldBlock: Bool { code == EWOULDBLOCK || code == EAGAIN }
}

/// Runs a system call again while a signal interrupts it.
@discardableResult
func retrying(
  _ operation: String, _ path: String = "", _ call: () -> Int
) throws(SystemError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw .last(operation, path) }
  }
}
