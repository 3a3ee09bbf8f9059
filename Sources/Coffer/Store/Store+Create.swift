import CofferCrypto
import CofferDatabase
import CofferKeys
import CofferSystem

/// A secret that is to open a store, and what its slot says of it.
public struct NewSlot: ~Copyable, Sendable {
  let credential: Credential
  let label: String
  let strength: PassphraseStrength

  /// `strength` is the cost of trying a passphrase; other kinds do without.
  public init(
    _ credential: consuming Credential, label: String = "",
    strength: PassphraseStrength = .moderate
  ) {
    self.credential = credential
    self.label = label
    self.strength = strength
  }
}

extension Store {
  /// Makes a new store and opens it.
  ///
  /// The store is made beside `path` under another name and gets its own in one step, when it is
  /// whole and on the disk: a kill in the middle leaves nothing under `path`. `recovery` is a second
  /// slot. Throws `alreadyThere` over anything that exists, an empty folder or a dangling link
  /// included.
  public static func create(
    at path: String, account: String, device: UInt32, with slot: consuming NewSlot,
    recovery: consuming RecoveryCode? = nil, options: Options = Options()
  ) async throws(StoreError) -> Store {
    guard Envelope.isAddress(account), device >= 1 else { throw .badAddress }
    let secrets = NewSecrets(slot, recovery)
    return try await onOwnThread { () throws(StoreError) in
      try makeStore(at: path, account: account, device: device, secrets, options)
    }
  }

  private static func makeStore(
    at path: String, account: String, device: UInt32, _ secrets: NewSecrets, _ options: Options
  ) throws(StoreError) -> Store {
    // Without a trailing slash, which would have the temporary folder made inside.
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let made = try secrets.makeKeyring(options, path: path)
    let keyring = made.keyring
    let keys = StoreKeys(made.takeMaster(), epoch: keyring.epoch)
    let suffix = options.random.bytes(6).map { String($0, radix: 36) }.joined()
    let temporary = StoreFolder(new: "\(path).\(suffix).new")
    do throws(SystemError) {
      if try Files.isThere(path) {
        throw SystemError(code: SystemError.exists, operation: "create")
      }
      try Files.makeFolder(temporary.path)
    } catch {
      if error.isAlreadyThere { throw .alreadyThere(path: path) }
      throw .system(error)
    }
    do throws(StoreError) {
      try fill(temporary, keyring, keys, account: account, device: device)
      do throws(SystemError) { try Files.claim(path, with: temporary.path) } catch {
        if error.isAlreadyThere { throw .alreadyThere(path: path) }
        throw .system(error)
      }
    } catch {
      // Only what this call has just made, and nobody has seen yet.
      try? Files.removeTree(temporary.path)
      throw error
    }
    do throws(SystemError) { try Files.synchronizeFolder(Files.parent(of: path)) } catch {
      throw .system(error)
    }
    let folder = try StoreFolder(existing: path)
    let lock = try Self.sharedLock(folder, options)
    return Store(folder: folder, keys: keys, lock: lock, notices: [], options: options)
  }

  private static func fill(
    _ folder: StoreFolder, _ keyring: Keyring, _ keys: StoreKeys, account: String, device: UInt32
  ) throws(StoreError) {
    let database = folder.database(epoch: keys.epoch)
    // SQLite would grant reading to everybody the umask allows; -wal and -shm take after this file.
    do throws(SystemError) { _ = try OpenFile(database, .create) } catch { throw .system(error) }
    do throws(DatabaseError) {
      let connection = try keys.connect(database, creating: true, .writer)
      try connection.transaction(.powerLoss) { connection throws(DatabaseError) in
        for migration in Schema.migrations { try connection.execute(migration.sql) }
        try connection.execute("PRAGMA user_version = \(Schema.version)")
        try connection.statement("INSERT INTO accounts (id, address, changed) VALUES (?, ?, 1)")
          .run(Directory.ownAccount, account)
        try connection.setState(StateKey.storeID, keyring.store.bytes)
        try connection.setState(StateKey.epoch, Int64(clamping: keyring.epoch))
        try connection.setState(StateKey.keyringRevision, Int64(clamping: keyring.revision))
        try connection.setState(StateKey.device, Int64(device))
        try connection.setState(StateKey.cursor, Int64(0))
        try connection.setState(StateKey.changed, Int64(1))
      }
      try connection.checkpoint()
    } catch { throw StoreError(error, path: database) }
    do throws(KeyError) {
      _ = try KeyringFile(folder: folder.path).create(keyring)
    } catch { throw .key(error, path: folder.path) }
    do throws(SystemError) {
      // The connection is closed: this process has the file open nowhere else.
      try OpenFile(database, .update).synchronize()
      try Files.synchronizeFolder(folder.path)
    } catch { throw .system(error) }
  }
}

/// Carries secrets, which cannot be copied, to the thread that derives keys from them.
private final class NewSecrets: Sendable {
  private let slot: NewSlot
  private let recovery: Credential?

  init(_ slot: consuming NewSlot, _ recovery: consuming RecoveryCode?) {
    self.slot = slot
    if let recovery { self.recovery = .recoveryCode(recovery) } else { self.recovery = nil }
  }

  func makeKeyring(_ options: Store.Options, path: String) throws(StoreError) -> MadeKeyring {
    let environment = options.keyEnvironment
    do throws(KeyError) {
      let first = try Keyring.make(
        for: slot.credential, strength: slot.strength, label: slot.label,
        environment: environment)
      var keyring = first.keyring
      let master = first.takeMaster()
      if let second = try recoverySlot(master, environment) {
        keyring = try Keyring(
          revision: keyring.revision, epoch: keyring.epoch, slots: keyring.slots + [second],
          master: master)
      }
      return MadeKeyring(keyring: keyring, master: master)
    } catch { throw .key(error, path: path) }
  }

  private func recoverySlot(
    _ master: borrowing MasterKey, _ environment: KeyEnvironment
  ) throws(KeyError) -> Slot? {
    switch recovery {
    case .some(let credential):
      try Slot(wrapping: master, under: credential, environment: environment)
    case .none: nil
    }
  }
}

private struct MadeKeyring: ~Copyable {
  let keyring: Keyring
  let master: MasterKey

  consuming func takeMaster() -> MasterKey { master }
}

extension Store.Options {
  /// What slots are made with.
  var keyEnvironment: KeyEnvironment {
    let clock = clock
    return KeyEnvironment(random: random) { clock() / 1_000 }
  }
}
