#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file descriptor that closes itself.
///
/// Every descriptor is opened with `O_CLOEXEC`, so that no child inherits it, and with it a lock.
package struct OpenFile: ~Copyable, Sendable {
  package enum Access: Sendable {
    case read
    /// Reads and writes a file that is there.
    case update
    /// Makes a file, mode 0600, that must not be there yet.
    case create
    /// Opens a file to lock it; made, mode 0600, where it is missing.
    case lock
  }

  package let path: String
  package let descriptor: Int32

  package init(_ path: String, _ access: Access) throws(SystemError) {
    let flags: Int32 =
      switch access {
      case .read: O_RDONLY
      case .update: O_RDWR
      case .create: O_RDWR | O_CREAT | O_EXCL
      case .lock: O_RDWR | O_CREAT
      }
    guard !path.utf8.contains(0) else { throw SystemError(code: EINVAL, operation: "open") }
    let opened = try retrying("open", path) { unsafe Int(open(path, flags | O_CLOEXEC, 0o600)) }
    self.path = path
    descriptor = Int32(opened)
  }

  /// Takes over a descriptor that something else opened.
  package init(owning descriptor: Int32, path: String = "") {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  package var status: FileStatus {
    get throws(SystemError) {
      var raw = stat()
      try retrying("stat", path) { unsafe Int(fstat(descriptor, &raw)) }
      return FileStatus(raw)
    }
  }

  /// Reads up to the length of `buffer`; 0 at the end of the file.
  package func read(into buffer: inout MutableRawSpan) throws(SystemError) -> Int {
    try readSome(descriptor, path, into: &buffer)
  }

  /// Reads up to the end, at most `limit` bytes; one byte more tells that the file is longer.
  package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    try CofferSystem.readAll(descriptor, path, limit: limit)
  }

  package func write(_ bytes: RawSpan) throws(SystemError) {
    try writeAll(descriptor, path, bytes)
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try write(unsafe bytes.span.bytes)
  }

  /// Writes to a descriptor that this process was given.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    try writeAll(descriptor, "descriptor \(descriptor)", unsafe bytes.span.bytes)
  }

  /// Waits until the content is on the disk.
  package func synchronize() throws(SystemError) {
    try retrying("fsync", path) { Int(fsync(descriptor)) }
  }
}

func readSome(
  _ descriptor: Int32, _ path: String, into buffer: inout MutableRawSpan
) throws(SystemError) -> Int {
  // Typed throws do not pass through the rethrowing closure, so the result travels as a value.
  let (count, code) = unsafe buffer.withUnsafeMutableBytes { raw -> (Int, Int32) in
    while true {
      let count = unsafe read(descriptor, raw.baseAddress, raw.count)
      if count < 0, errno == EINTR { continue }
      return (count, count < 0 ? errno : 0)
    }
  }
  guard count >= 0 else { throw SystemError(code: code, operation: "read", path: path) }
  return count
}

func readAll(
  _ descriptor: Int32, _ path: String, limit: Int
) throws(SystemError) -> [UInt8] {
  var content: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: min(limit + 1, 1 << 16))
  while content.count <= limit {
    var span = chunk.mutableSpan
    var bytes = unsafe span.mutableBytes
    let count = try readSome(descriptor, path, into: &bytes)
    if count == 0 { break }
    content.append(contentsOf: chunk[..<count])
  }
  return content
}

func writeAll(_ descriptor: Int32, _ path: String, _ bytes: RawSpan) throws(SystemError) {
  let code = unsafe bytes.withUnsafeBytes { raw -> Int32 in
    var written = 0
    while written < raw.count {
      let count = unsafe write(
        descriptor, raw.baseAddress?.advanced(by: written), raw.count - written)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      written += count
    }
    return 0
  }
  guard code == 0 else { throw SystemError(code: code, operation: "write", path: path) }
}
