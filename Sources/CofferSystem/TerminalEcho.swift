#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A terminal that does not show what is typed, until this value ends.
///
/// A signal that ends the process in the middle of a question would leave a shell that shows nothing
/// of what is typed; so a handler gives the echo back first. Only one at a time.
struct HiddenEcho: ~Copyable {
  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private let descriptor: Int32
  private var handlers: [(signal: Int32, handler: (@convention(c) (Int32) -> Void)?)] = []

  init(_ terminal: borrowing OpenFile) throws(SystemError) {
    descriptor = terminal.descriptor
    var settings = termios()
    try retrying("read terminal settings", terminal.path) {
      unsafe Int(tcgetattr(terminal.descriptor, &settings))
    }
    unsafe echoToRestore = (terminal.descriptor, settings)
    for number in Self.ending { install(restoreEchoAndEnd, for: number) }
    // Stopped here, the process would leave the shell without echo too.
    install(SIG_IGN, for: SIGTSTP)
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_lflag |= tcflag_t(ECHONL)
    try retrying("change terminal settings", terminal.path) {
      unsafe Int(tcsetattr(terminal.descriptor, TCSAFLUSH, &settings))
    }
  }

  private mutating func install(_ handler: (@convention(c) (Int32) -> Void)?, for number: Int32) {
    handlers.append((number, signal(number, handler)))
  }

  deinit {
    unsafe _ = tcsetattr(descriptor, TCSAFLUSH, &echoToRestore.settings)
    for (number, handler) in handlers { _ = signal(number, handler) }
  }
}

/// Read by a signal handler, which can be handed nothing; written before it is installed.
nonisolated(unsafe) private var echoToRestore = (descriptor: Int32(-1), settings: termios())

/// Calls only what POSIX allows in a handler.
private func restoreEchoAndEnd(_ number: Int32) {
  unsafe _ = tcsetattr(echoToRestore.descriptor, TCSANOW, &echoToRestore.settings)
  _ = signal(number, SIG_DFL)
  raise(number)
}
