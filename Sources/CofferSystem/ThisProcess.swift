#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What this process asks of the system for itself.
package enum ThisProcess {
  package static var id: Int32 { getpid() }

  /// Forbids core dumps, which would hold keys.
  package static func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      unsafe _ = setrlimit(RLIMIT_CORE, &none)
    #endif
  }

  /// Ends this process as `kill -9` would: nothing is flushed, no lock is let go in order.
  package static func killItself() -> Never {
    #if canImport(Darwin)
      _ = Darwin.kill(getpid(), SIGKILL)
    #elseif canImport(Musl)
      _ = Musl.kill(getpid(), SIGKILL)
    #else
      _ = Glibc.kill(getpid(), SIGKILL)
    #endif
    while true { pause() }
  }

  /// The path of the running program.
  package static func executablePath() throws(SystemError) -> String {
    try Files.realPath("/proc/self/exe")
  }

  /// The largest resident memory so far in bytes, or nothing where the system does not tell.
  package static var peakMemory: Int64? { peakMemory(in: "/proc/self/status") }

  static func peakMemory(in status: String) -> Int64? {
    guard let bytes = try? OpenFile(status, .read).readAll(limit: 1 << 16) else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("VmHWM:") {
      let digits = line.filter { ("0"..."9").contains($0) }
      return Int64(digits).map { $0 * 1024 }
    }
    return nil
  }

  /// Memory that the system could hand out now in bytes, or nothing where it does not tell.
  package static var availableMemory: Int64? {
    guard let bytes = try? OpenFile("/proc/meminfo", .read).readAll(limit: 1 << 16) else {
      return nil
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("MemAvailable:") {
      let digits = line.filter { ("0"..."9").contains($0) }
      return Int64(digits).map { $0 * 1024 }
    }
    return nil
  }

  /// Makes the owner the only one who may read files this process makes.
  package static func keepFilesPrivate() { _ = umask(0o077) }
}

extension ThisProcess {
  /// The words this process was started with, without its own name; nothing for one that is not
  /// valid UTF-8.
  package static var arguments: [String?] {
    let words = unsafe UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return unsafe words.dropFirst().map { word in
      unsafe word.flatMap { unsafe String(validatingCString: $0) }
    }
  }

  /// Ends this process.
  package static func end(with code: Int32) -> Never { exit(code) }
}

extension ThisProcess {
  /// A variable of the environment, or nothing where it is not set.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
