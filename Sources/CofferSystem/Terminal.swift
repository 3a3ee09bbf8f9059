#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The three standard streams.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  /// Whether a person sits at the other end.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try writeAll(rawValue, name, unsafe bytes.span.bytes)
  }

  package func write(_ bytes: RawSpan) throws(SystemError) {
    try writeAll(rawValue, name, bytes)
  }

  /// Reads up to the length of `buffer`; 0 at the end.
  package func read(into buffer: inout MutableRawSpan) throws(SystemError) -> Int {
    try readSome(rawValue, name, into: &buffer)
  }

  /// Reads up to the end, at most `limit` bytes; one byte more tells that there is more.
  package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    try CofferSystem.readAll(rawValue, name, limit: limit)
  }

  private var name: String {
    switch self {
    case .input: "standard input"
    case .output: "standard output"
    case .error: "standard error"
    }
  }
}

/// The terminal that controls this process, opened to ask a person for a secret.
package enum Terminal {
  package static let path = "/dev/tty"

  /// Asks for a line that is not shown while it is typed.
  ///
  /// Reads byte by byte straight into `buffer`, which the caller keeps in guarded memory. Gives how
  /// many bytes were typed, without the line end; one more than `buffer` holds if the line was too
  /// long. Throws `ENXIO` or `ENOENT` where there is no terminal.
  package static func askHidden(
    _ prompt: String, into buffer: inout MutableRawSpan
  ) throws(SystemError) -> Int {
    let terminal = try OpenFile(path, .update)
    let descriptor = terminal.descriptor
    let hidden = try HiddenEcho(terminal)
    try terminal.write(Array(prompt.utf8))
    let capacity = buffer.byteCount
    var count = 0
    while true {
      var byte: UInt8 = 0
      let got = try retrying("read", terminal.path) {
        unsafe read(descriptor, &byte, 1)
      }
      if got == 0 || byte == UInt8(ascii: "\n") { break }
      if count < capacity { buffer.storeBytes(of: byte, toByteOffset: count, as: UInt8.self) }
      count = min(count + 1, capacity + 1)
    }
    _ = consume hidden
    return count
  }

  /// How many columns the terminal behind standard error has, or 80.
  package static var columns: Int {
    var size = winsize()
    let request = UInt(TIOCGWINSZ)
    guard unsafe ioctl(2, request, &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
