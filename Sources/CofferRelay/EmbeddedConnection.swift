public import Coffer
import CofferCrypto
import CofferDatabase

/// The embedded relay as one device of an account sees it.
///
/// A call whose file is locked for too long, or that can't be read or written, throws `retryable`;
/// one on a closed relay, or whose file is no longer there, `unreachable`.
public struct EmbeddedConnection: Relay {
  let relay: EmbeddedRelay
  let account: String
  let device: UInt32

  /// Makes this device known; the same again changes nothing.
  ///
  /// The first device of an account gets all that came for the account before. A later one sees what
  /// comes from now on.
  public func register() async throws(RelayError) {
    guard Envelope.isAddress(account), device >= 1 else { throw .refused(.notAllowed) }
    do throws(DatabaseError) {
      try await relay.database.write(.powerLoss) { connection throws(DatabaseError) in
        try connection.register(account, device)
      }
    } catch { throw RelayError(error) }
  }

  /// Takes an event; what is answered is on the disk.
  ///
  /// Refuses a payload above 17 MiB.
  public func send(_ event: OutgoingEvent) async throws(RelayError) -> Acceptance {
    if event.payload.count > Limits.payload { throw .refused(.tooLarge) }
    guard let digest = try? unsafe BLAKE2b.hash(event.payload.span.bytes) else {
      throw .retryable()
    }
    return try await write { connection, device throws(DatabaseError) in
      event.isSequenced
        ? try connection.take(event, digest, from: device)
        : try connection.takeReceipt(event, from: device)
    }
  }

  /// This device's items above `cursor`, at most `limit` and about 32 MiB of them.
  public func inbox(after cursor: Int64, limit: Int) async throws(RelayError) -> InboxPage {
    try await read { connection, device throws(DatabaseError) in
      try connection.inbox(of: device, after: cursor, limit: limit)
    }
  }

  /// Discards the inbox up to a number, unless it is one of another epoch.
  public func release(upTo number: Int64, epoch: Int64) async throws(RelayError) {
    try await write { connection, device throws(DatabaseError) in
      if try connection.epoch == epoch { try connection.release(upTo: number, of: device) }
      return .success(())
    }
  }

  /// One snapshot of the inbox's head and of every conversation that this device may see.
  public func overview() async throws(RelayError) -> Overview {
    try await read { connection, device throws(DatabaseError) in
      .success(try connection.overview(for: device))
    }
  }

  /// What is at each seq of a range, rising.
  ///
  /// Answers for at most 1,000 seqs and about 32 MiB, from the top of the range: ask again for what
  /// lies below the first answer. Seqs that this device's conversation does not reach are not
  /// answered.
  public func history(
    of conversation: String, _ range: ClosedRange<Int64>
  ) async throws(RelayError) -> History {
    try await read { connection, device throws(DatabaseError) in
      try connection.history(of: conversation, range, for: device)
    }
  }

  /// Items as they come, from any process that shares the file.
  ///
  /// Looks every 20 ms. After much at once, or where nobody takes what comes, it only says
  /// `connected` again: there is something to pull.
  public func pushes() -> AsyncStream<RelayPush> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: RelayPush.self, bufferingPolicy: .bufferingOldest(Limits.pushes))
    let task = Task { [self] in
      var lookout = Lookout(self)
      while !Task.isCancelled, await lookout.look(tell: continuation) {
        try? await Task.sleep(for: .milliseconds(20))
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  // MARK: The file

  private typealias Call<Value> =
    @Sendable (borrowing Connection, KnownDevice) throws(DatabaseError) -> Result<Value, RelayError>

  private func write<Value: Sendable>(_ call: Call<Value>) async throws(RelayError) -> Value {
    let answer: Result<Value, RelayError>
    do throws(DatabaseError) {
      answer = try await relay.database.write(.powerLoss) { connection throws(DatabaseError) in
        try asDevice(connection, call)
      }
    } catch { throw RelayError(error) }
    return try answer.get()
  }

  private func read<Value: Sendable>(_ call: Call<Value>) async throws(RelayError) -> Value {
    let answer: Result<Value, RelayError>
    do throws(DatabaseError) {
      answer = try await relay.database.read { connection throws(DatabaseError) in
        try asDevice(connection, call)
      }
    } catch { throw RelayError(error) }
    return try answer.get()
  }

  private func asDevice<Value>(
    _ connection: borrowing Connection, _ call: Call<Value>
  ) throws(DatabaseError) -> Result<Value, RelayError> {
    guard let known = try connection.device(account, device) else {
      return .failure(.refused(.notAllowed))
    }
    return try call(connection, known)
  }
}

/// How much a call takes or gives.
enum Limits {
  /// The longest text of a message, and room for what is around it.
  static let payload = 17 << 20
  /// Bytes of the payloads of one answer, unless its first is longer.
  static let answer: Int64 = 32 << 20
  static let page = 1_000
  static let history: Int64 = 1_000
  /// Items that one look hands over, and that wait for somebody to take them.
  static let pushes = 256
}

extension RelayError {
  init(_ error: DatabaseError) {
    switch error.kind {
    case .misuse, .cannotOpen, .notADatabase, .wrongLibrary: self = .unreachable
    default: self = .retryable()
    }
  }
}
