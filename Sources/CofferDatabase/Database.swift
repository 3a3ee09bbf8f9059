import Synchronization

/// Gives a new connection to the same file, with its key.
package typealias ConnectionSource =
  @Sendable (Role) throws(DatabaseError) -> sending ConnectionBox

/// One encrypted database file with one writer and a few readers.
///
/// Every connection belongs to an actor on a serial queue. Work comes in closures, since each hop to
/// another thread costs about 15 µs.
package final class Database: Sendable {
  private let writer: ConnectionActor
  private let readers: [ConnectionActor]
  /// How many calls each reader has before it, so that the next goes to the idlest.
  private let load: Mutex<[Int]>

  /// Every connection is opened by `source` when it is first used, on its own thread.
  package init(readers count: Int = 2, source: @escaping ConnectionSource) {
    writer = ConnectionActor(.writer, source)
    readers = (0..<count).map { _ in ConnectionActor(.reader, source) }
    load = Mutex([Int](repeating: 0, count: count))
  }

  /// Runs `body` in one write transaction.
  package func write<Result: Sendable, Failure: DatabaseFailure>(
    _ durability: Durability = .process,
    _ body: @Sendable (borrowing Connection) throws(Failure) -> sending Result
  ) async throws(Failure) -> Result {
    try await writer.use { connection throws(Failure) in
      try connection.transaction(durability, body)
    }
  }

  /// Runs `body` on the writer's connection, outside any transaction.
  package func withWriter<Result: Sendable, Failure: DatabaseFailure>(
    _ body: @Sendable (borrowing Connection) throws(Failure) -> sending Result
  ) async throws(Failure) -> Result {
    try await writer.use(body)
  }

  /// Runs `body` over one snapshot, beside the writer.
  package func read<Result: Sendable, Failure: DatabaseFailure>(
    _ body: @Sendable (borrowing Connection) throws(Failure) -> sending Result
  ) async throws(Failure) -> Result {
    let index = load.withLock { load in
      let index = load.indices.min { load[$0] < load[$1] } ?? 0
      load[index] += 1
      return index
    }
    defer { load.withLock { $0[index] -= 1 } }
    return try await readers[index].use { connection throws(Failure) in
      try connection.snapshot(body)
    }
  }

  /// Closes every connection; calls after it fail as misuse.
  ///
  /// The writer goes last: the last connection to close moves the WAL into the file and removes it.
  package func close() async {
    for reader in readers { await reader.close() }
    await writer.close()
  }
}

/// A connection that can be moved between threads, to the actor that will own it.
package final class ConnectionBox {
  fileprivate let connection: Connection
  package init(_ connection: consuming Connection) { self.connection = connection }
}

/// Owns one connection and runs its work on one queue.
private actor ConnectionActor {
  private let executor: QueueExecutor
  private let role: Role
  private let source: ConnectionSource
  private var box: ConnectionBox?
  private var isClosed = false

  init(_ role: Role, _ source: @escaping ConnectionSource) {
    executor = QueueExecutor(label: "coffer.\(role)")
    self.role = role
    self.source = source
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func use<Result: Sendable, Failure: DatabaseFailure>(
    _ body: @Sendable (borrowing Connection) throws(Failure) -> sending Result
  ) throws(Failure) -> Result {
    let box: ConnectionBox
    do throws(DatabaseError) { box = try opened() } catch { throw Failure(error) }
    return try body(box.connection)
  }

  private func opened() throws(DatabaseError) -> ConnectionBox {
    if let box { return box }
    guard !isClosed else { throw DatabaseError(.misuse, "use after close") }
    let fresh = try source(role)
    box = fresh
    return fresh
  }

  func close() {
    box = nil
    isClosed = true
  }
}
