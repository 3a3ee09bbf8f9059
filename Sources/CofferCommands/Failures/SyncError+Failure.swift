import Coffer
import CofferRelay

extension CommandFailure {
  /// Words and exit code for why a sync ended.
  init(_ error: SyncError) {
    switch error {
    case .store(let error): self.init(error)
    case .relay(.unreachable):
      self.init(
        .busy, "the relay was not reached",
        hint: "nothing is lost: what waits is in the outbox, and the next sync goes on")
    case .relay(.retryable):
      self.init(.busy, "the relay does not get round to it", hint: "try again in a while")
    case .relay(.refused(let refusal)):
      self.init(.forbidden, "the relay refuses this device: \(refusal.rawValue)")
    case .relay(.expired):
      self.init(
        .otherFailure, "the relay has discarded items that this device did not have",
        hint: "try again: what is missing is recorded as gaps")
    case .running: self.init(.busy, "a sync of this store is running already")
    }
  }

  /// Words and exit code for a relay's file that can't be used.
  init(_ error: EmbeddedRelayError) {
    switch error {
    case .foreign(let path):
      self.init(
        .badData, "\(path) is no relay's file; it was not touched", hint: "choose another name")
    case .newerSchema(let path, let found, let supported):
      self.init(
        .badData,
        "a newer version of Coffer wrote \(path): schema \(found), this one knows \(supported)",
        hint: "use that version")
    case .busy(let path):
      self.init(.busy, "another process holds \(path)", hint: "try again when it has finished")
    case .database(let path, let code, let reason):
      self.init(.inputOutput, "cannot use \(path): \(reason) (\(Int64(code)))")
    }
  }
}
