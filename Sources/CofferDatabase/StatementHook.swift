import CSQLCipher

/// Told of every statement a connection runs, before and after; for the kill test.
package final class StatementHook: Sendable {
  package enum Moment: Sendable {
    /// A statement is about to run.
    case before
    /// It has run: after `COMMIT`, what it committed is there to stay.
    case after
  }

  private let body: @Sendable (Moment, String) -> Void

  package init(_ body: @escaping @Sendable (Moment, String) -> Void) { self.body = body }

  fileprivate func tell(_ moment: Moment, _ statement: OpaquePointer?) {
    guard let sql = unsafe sqlite3_sql(statement) else { return }
    unsafe body(moment, String(cString: sql))
  }
}

extension Connection {
  /// Has `hook` told of every statement; the caller keeps it alive as long as the connection.
  package func observe(_ hook: StatementHook) {
    let context = unsafe Unmanaged.passUnretained(hook).toOpaque()
    let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE)
    unsafe _ = sqlite3_trace_v2(
      handle, events,
      { event, context, statement, _ in
        guard let context = unsafe context else { return 0 }
        let hook = unsafe Unmanaged<StatementHook>.fromOpaque(context).takeUnretainedValue()
        let moment: StatementHook.Moment = event == UInt32(SQLITE_TRACE_STMT) ? .before : .after
        unsafe hook.tell(moment, OpaquePointer(statement))
        return 0
      }, context)
  }
}
