import Coffer
import CofferCrypto
import CofferSystem

/// A device of a simulation: a real store, opened and closed, killed and brought back.
final class SimulatedDevice {
  let party: ModelRelay.Party
  let clock: DeviceClock
  let path: String
  /// Small limits, so that a short life meets them all.
  let syncOptions: SyncOptions
  private let bytes: SeededBytes
  private let key: [UInt8]
  private var freezer: Freezer
  /// Nothing while its process is not running.
  private(set) var store: Store?
  var diary: Diary
  var isOnline = true
  /// Whether what it had committed may be undone.
  var hasLostPower = false
  /// How often its process was started: what was meant for an earlier one does not reach it.
  private(set) var life = 0
  /// The death that was chosen, and how many calls of the store away it is.
  private var death: (kind: Freezer.Death, calls: Int)?

  var name: String { "\(party.account)/\(party.number)" }

  /// What came of a call of the store.
  enum Outcome<Result> {
    case done(Result)
    case threw(StoreError)
    /// The process died during the call or right after it; nobody heard its result.
    case died(Freezer.Death, Freezer.Remains)
  }

  init(_ party: ModelRelay.Party, in folder: String, seed: UInt64, clock: DeviceClock) {
    self.party = party
    self.clock = clock
    path = "\(folder)/\(party.account)-\(party.number)"
    bytes = SeededBytes(seed)
    key = bytes.source.bytes(32)
    freezer = Freezer(folder: path)
    diary = Diary(account: party.account)
    var random = SplitMix64(seed)
    var options = SyncOptions()
    options.pageLimit = Int.random(in: 1...20, using: &random)
    options.farBehind = Int64.random(in: 3...40, using: &random)
    options.isSealed = random.one(in: 3)
    options.sends = Int.random(in: 1...4, using: &random)
    options.attempts = Int64.random(in: 2...8, using: &random)
    options.fillLimit = Int64.random(in: 2...30, using: &random)
    syncOptions = options
  }

  private var options: Store.Options {
    var options = Store.Options()
    let clock = clock
    options.clock = { clock.now }
    options.random = bytes.source
    options.hook = freezer.hook
    return options
  }

  private func credential() throws -> Credential {
    let key = key
    return .keyFile(unsafe try KeyFile(content: key.span.bytes))
  }

  // MARK: Its process

  func create() async throws {
    store = try await Store.create(
      at: path, account: party.account, device: party.number, with: NewSlot(credential()),
      options: options)
    life = 1
  }

  /// Opens the store as a new process would.
  func start() async throws {
    guard store == nil else { return }
    freezer = Freezer(folder: path)
    store = try await Store.open(at: path, with: credential(), options: options)
    life += 1
  }

  /// Ends the process in order.
  func stop() async {
    await store?.close()
    store = nil
  }

  /// Chooses the call, counted from now, in which it is to die.
  func doom(_ kind: Freezer.Death, inCalls calls: Int) throws {
    guard death == nil, store != nil else { return }
    death = (kind, calls)
    // Whatever is undone by a power loss lies after this moment.
    if kind == .powerLoss { try freezer.arm(kind) }
  }

  var isDoomed: Bool { death != nil }

  /// Lets it live after all.
  func spare() {
    death = nil
    freezer.disarm()
  }

  /// One call of the store; the only way in which anything is done to it.
  func call<Result>(
    _ body: (Store) async throws(StoreError) -> Result
  ) async throws -> Outcome<Result> {
    guard let store else { return .threw(.closed) }
    death?.calls -= 1
    let dying = death.flatMap { $0.calls <= 0 ? $0.kind : nil }
    if let dying, case .kill = dying { try freezer.arm(dying) }
    let outcome: Outcome<Result>
    do throws(StoreError) { outcome = .done(try await body(store)) } catch {
      outcome = .threw(error)
    }
    guard let dying else { return outcome }
    death = nil
    let left = try freezer.strike()
    await store.close()
    self.store = nil
    try left.files.thaw(into: path)
    return .died(dying, left)
  }

  func rows() async throws -> StoreRows? {
    guard let store else { return nil }
    return try await StoreRows(store)
  }
}
