import Coffer
import CofferDatabase

/// Watches the file for what comes into one inbox.
///
/// `PRAGMA data_version` tells for next to nothing whether anybody wrote since the last look.
struct Lookout {
  typealias Listener = AsyncStream<RelayPush>.Continuation

  private let connection: EmbeddedConnection
  /// Whether the listener knows that there is a connection.
  private var isConnected = false
  private var version: Int64?
  private var epoch: Int64 = 0
  /// The last number handed over, or left to a pull.
  private var last: Int64 = 0

  init(_ connection: EmbeddedConnection) { self.connection = connection }

  private enum Sight: Sendable {
    case nothing
    /// There is something to pull.
    case head(Int64, epoch: Int64)
    case items(InboxPage)
  }

  /// Tells what came since the last look; false once there is nobody to tell.
  mutating func look(tell listener: Listener) async -> Bool {
    do throws(DatabaseError) {
      let (sight, version) = try await see()
      self.version = version
      return tell(sight, to: listener)
    } catch {
      // Looked at afresh when it works again.
      version = nil
      guard isConnected else { return true }
      isConnected = false
      return send(.disconnected, to: listener) != .over
    }
  }

  private func see() async throws(DatabaseError) -> (Sight, Int64) {
    try await connection.relay.database.read { connection throws(DatabaseError) in
      let version = try connection.statement("PRAGMA data_version").integer() ?? 0
      if isConnected, version == self.version { return (.nothing, version) }
      return (try sight(connection), version)
    }
  }

  private func sight(_ connection: borrowing Connection) throws(DatabaseError) -> Sight {
    let epoch = try connection.epoch
    guard let device = try connection.device(self.connection.account, self.connection.device) else {
      return isConnected && epoch == self.epoch ? .nothing : .head(0, epoch: epoch)
    }
    guard isConnected else { return .head(device.head, epoch: epoch) }
    let start = epoch == self.epoch ? last : 0
    guard
      case .success(let page) = try connection.inbox(
        of: device, after: max(start, device.floor), limit: Limits.pushes), !page.more
    else { return .head(device.head, epoch: epoch) }
    return .items(page)
  }

  private mutating func tell(_ sight: Sight, to listener: Listener) -> Bool {
    switch sight {
    case .nothing: return true
    case .head(let head, let epoch):
      let sent = send(.connected, to: listener)
      isConnected = sent == .taken
      (last, self.epoch) = (head, epoch)
      return sent != .over
    case .items(let page):
      epoch = page.epoch
      last = page.next
      for item in page.items {
        switch send(.item(item, epoch: epoch), to: listener) {
        case .taken: continue
        case .over: return false
        case .full:
          // What was dropped must be pulled: that is said as soon as there is room for it.
          isConnected = false
          return true
        }
      }
      return true
    }
  }

  private enum Outcome { case taken, full, over }

  private func send(_ push: RelayPush, to listener: Listener) -> Outcome {
    switch listener.yield(push) {
    case .enqueued: return .taken
    case .dropped: return .full
    case .terminated: return .over
    @unknown default: return .over
    }
  }
}
