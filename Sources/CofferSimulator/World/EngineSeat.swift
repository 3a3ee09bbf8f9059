import Coffer

/// The sync engine of one process of a device, stepped by hand.
struct EngineSeat {
  var machine: SyncMachine
  let worker: SyncWorker
  /// Work that waits, in the order in which it was wanted; one piece is done at a time.
  var tasks: [SyncTask] = []
  var isWorking = false
  /// What was asked and not answered, by its number.
  var questions: [Int: SyncRequest] = [:]
  /// When it wants to be woken.
  var wake: Int64?
}

/// What the engine of a device waits for.
enum EngineHappening: Sendable {
  /// The next piece of work is done.
  case work
  case wake
}

extension SyncRequest {
  /// As the server is asked.
  var call: ServerCall {
    switch self {
    case .register: .register
    case .inbox(let cursor, let limit): .inbox(after: cursor, limit: limit)
    case .overview: .overview
    case .history(let conversation, let range): .history(conversation, range)
    case .send(let claimed): .send(claimed.event)
    case .receipt(let receipt): .send(receipt.event)
    case .release(let number, let epoch): .release(upTo: number, epoch: epoch)
    }
  }
}
