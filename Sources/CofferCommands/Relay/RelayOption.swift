import Coffer
import CofferRelay
import CofferSystem

extension Option {
  static let relay = Option.value(
    "relay", "FILE", "the file of the embedded relay", required: true, completing: .file)
}

extension ParsedArguments {
  /// Opens the relay's file, which must be there unless `creating`, and gives the store's device an
  /// engine for it.
  func withEngine(
    _ store: Store, creating: Bool = false, options: SyncOptions,
    _ body: (SyncEngine) async throws(CommandFailure) -> Void
  ) async throws(CommandFailure) {
    let path = text(.relay)
    let isThere = try CommandFailure.catching { () throws(SystemError) in
      try Files.isThere(path)
    }
    guard isThere || creating else {
      throw CommandFailure(
        .notFound, "there is no relay at \(path)", hint: "--new-relay makes one there")
    }
    let account = try await CommandFailure.catching { () throws(StoreError) in
      try await store.information()
    }
    let relay: EmbeddedRelay
    do throws(EmbeddedRelayError) { relay = try await EmbeddedRelay(path: path) } catch {
      throw CommandFailure(error)
    }
    let connection = relay.connection(account: account.account, device: account.device)
    do throws(CommandFailure) {
      try await body(SyncEngine(store, relay: connection, options: options))
    } catch {
      await relay.close()
      throw error
    }
    await relay.close()
  }
}
