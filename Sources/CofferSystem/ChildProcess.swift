#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A child process and, where asked for, a pipe that it writes to.
package struct ChildProcess: ~Copyable, Sendable {
  package enum Ending: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package let pid: Int32
  /// What the child writes to the descriptor that was piped; nothing where none was.
  package let output: OpenFile?

  /// Starts a program.
  ///
  /// `arguments` come without the program's own name; never a secret among them, since other users
  /// can read them. `piped` is the child's descriptor whose output this process reads; `silenced`
  /// are descriptors that the child gets as `/dev/null`.
  package init(
    _ executable: String, _ arguments: [String], piped: Int32? = nil, silenced: [Int32] = []
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    if piped != nil {
      try retrying("pipe") { unsafe Int(pipe(&ends)) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for descriptor in silenced {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // dup2 in the child clears O_CLOEXEC on the copy; the original closes itself.
    if let piped { unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], piped) }

    var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([executable] + arguments).map {
      unsafe strdup($0)
    }
    unsafe argv.append(nil)
    defer { unsafe argv.forEach { unsafe free($0) } }
    var pid: pid_t = 0
    let code = unsafe posix_spawn(&pid, executable, &actions, nil, argv, environ)
    if ends[1] >= 0 { close(ends[1]) }
    guard code == 0 else {
      if ends[0] >= 0 { close(ends[0]) }
      throw SystemError(code: code, operation: "start", path: executable)
    }
    self.pid = pid
    if piped == nil { output = nil } else { output = OpenFile(owning: ends[0], path: executable) }
  }

  /// Its largest resident memory so far in bytes; nothing once it has ended, or where the system
  /// does not tell.
  package var peakMemory: Int64? { ThisProcess.peakMemory(in: "/proc/\(pid)/status") }

  /// What the child wrote to its pipe, up to `limit` bytes; nothing once it has closed it.
  package func read(limit: Int) throws(SystemError) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    var span = buffer.mutableSpan
    var bytes = unsafe span.mutableBytes
    let count = try output?.read(into: &bytes) ?? 0
    return count == 0 ? nil : Array(buffer[..<count])
  }

  package func kill() {
    #if canImport(Darwin)
      _ = Darwin.kill(pid, SIGKILL)
    #elseif canImport(Musl)
      _ = Musl.kill(pid, SIGKILL)
    #else
      _ = Glibc.kill(pid, SIGKILL)
    #endif
  }

  /// Waits for the end of the child.
  package consuming func wait() throws(SystemError) -> Ending {
    var status: Int32 = 0
    try retrying("wait") { unsafe Int(waitpid(pid, &status, 0)) }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
  }
}
