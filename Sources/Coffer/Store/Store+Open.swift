import CofferDatabase
import CofferKeys
import CofferSystem

extension Store {
  /// Opens the store at a path.
  ///
  /// Never makes one, and never removes data because of an error. Throws what is at the path when it
  /// is no store, `key(.wrongSecret)` for a secret that fits no slot, told apart from damage, and
  /// `oldKeyring` for a keyring older than the database remembers. Deriving a key from a passphrase
  /// and waiting for locks happen on a thread of their own.
  public static func open(
    at path: String, with credential: consuming Credential, options: Options = Options()
  ) async throws(StoreError) -> Store {
    let secret = Secret(credential, allowing: options.allowedMemory)
    return try await onOwnThread { () throws(StoreError) in
      try openStore(at: path, secret, options)
    }
  }

  private static func openStore(
    at path: String, _ secret: Secret, _ options: Options
  ) throws(StoreError) -> Store {
    let folder = try StoreFolder(existing: path)
    let lock = try OpeningLock(folder, options)
    var reading = try readKeyring(folder)
    let master = try secret.unlock(reading.keyring, path: folder.path)
    let keys = StoreKeys(master, epoch: reading.keyring.epoch)
    let database = folder.database(epoch: keys.epoch)
    do throws(SystemError) { _ = try Files.status(database) } catch {
      throw error.isNotFound ? .databaseMissing(path: database) : .system(error)
    }
    do throws(StoreError) {
      let connection = try keys.writer(of: database)
      try checkIdentity(connection, keys)
      reading.keyring = try remember(
        reading.keyring, of: keys, folder, connection, accepting: options.acceptsOldKeyring)
      if let hook = options.hook { connection.observe(hook) }
      try StoreError.catching { () throws(DatabaseError) in
        try connection.migrate(Schema.migrations)
      }
    } catch { throw error.naming(database) }

    var notices: [Notice] = reading.usedCopy ? [.keyringCopyUsed] : []
    let shared = try lock.settle { () throws(StoreError) in
      let kept = try Leftovers(in: folder).remove(from: folder, keeping: keys.epoch)
      notices += kept.map { .unexplainedEpoch($0) }
    }
    // Between two modes of the lock another process may have rotated: read again.
    guard try readKeyring(folder).keyring.epoch == keys.epoch else {
      throw .busy(path: folder.path)
    }
    return Store(folder: folder, keys: keys, lock: shared, notices: notices, options: options)
  }

  static func readKeyring(_ folder: StoreFolder) throws(StoreError) -> Reading {
    do throws(KeyError) {
      let reading = try KeyringFile(folder: folder.path).read()
      return Reading(keyring: reading.keyring, usedCopy: reading.usedCopy)
    } catch { throw .key(error, path: "\(folder.path)/keyring") }
  }

  static func sharedLock(
    _ folder: StoreFolder, _ options: Options
  ) throws(StoreError) -> FileLock {
    do throws(SystemError) {
      return try FileLock(folder.lock, .shared, timeout: options.lockTimeout)
    } catch {
      throw error.wouldBlock ? .busy(path: folder.path) : .system(error)
    }
  }

  /// Refuses a database that opens and is not the one that this keyring means.
  private static func checkIdentity(
    _ connection: borrowing Connection, _ keys: StoreKeys
  ) throws(StoreError) {
    let version: Int64
    let isOurs: Bool
    do throws(DatabaseError) {
      version = try connection.userVersion
      isOurs = try connection.applicationID == Schema.applicationID
    } catch { throw StoreError(error) }
    guard isOurs else { throw .damaged(path: connection.path, .noStore) }
    guard version <= Schema.version else {
      throw .newerSchema(path: connection.path, found: version, supported: Schema.version)
    }
    let isSame = try StoreError.catching { () throws(DatabaseError) in
      let store = try connection.stateBytes(StateKey.storeID)
      let epoch = try connection.state(StateKey.epoch)
      return store == keys.master.store.bytes && epoch == Int64(clamping: keys.epoch)
    }
    guard isSame else { throw .foreignDatabase(path: connection.path) }
  }

  /// Refuses a keyring older than the one this database has seen, and notes a newer one.
  private static func remember(
    _ keyring: Keyring, of keys: StoreKeys, _ folder: StoreFolder,
    _ connection: borrowing Connection, accepting: Bool
  ) throws(StoreError) -> Keyring {
    let known = try StoreError.catching { () throws(DatabaseError) in
      UInt64(clamping: try connection.state(StateKey.keyringRevision) ?? 0)
    }
    if keyring.revision == known { return keyring }
    var keyring = keyring
    if keyring.revision < known {
      guard accepting else {
        throw .oldKeyring(path: folder.path, found: keyring.revision, remembered: known)
      }
      // What was accepted gets a revision above all that were seen, so that it is the newest, and
      // each older one is refused again.
      do throws(KeyError) {
        keyring = try KeyringFile(folder: folder.path).update { current throws(KeyError) in
          try current.verify(with: keys.master)
          return try Keyring(
            revision: max(known, current.revision) + 1, epoch: current.epoch,
            slots: current.slots, master: keys.master)
        }.keyring
      } catch { throw .key(error, path: folder.path) }
    }
    try note(keyring.revision, connection)
    return keyring
  }

  static func note(
    _ revision: UInt64, _ connection: borrowing Connection
  ) throws(StoreError) {
    try connection.transaction(.powerLoss) { connection throws(StoreError) in
      try StoreError.catching { () throws(DatabaseError) in
        // Another process may have noted a newer one meanwhile.
        let known = try connection.state(StateKey.keyringRevision) ?? 0
        try connection.setState(
          StateKey.keyringRevision, max(known, Int64(clamping: revision)))
      }
    }
  }

  struct Reading {
    var keyring: Keyring
    let usedCopy: Bool
  }
}

/// Carries a secret, which cannot be copied, to the thread that derives keys from it.
final class Secret: Sendable {
  private let credential: Credential
  private let memory: UInt64

  /// `memory` is how many bytes deriving a key from it may take.
  init(_ credential: consuming Credential, allowing memory: UInt64) {
    self.credential = credential
    self.memory = memory
  }

  func unlock(_ keyring: Keyring, path: String) throws(StoreError) -> MasterKey {
    do throws(KeyError) {
      return try keyring.unlock(with: credential, allowedMemory: memory).takeMaster()
    } catch {
      throw .key(error, path: path)
    }
  }

  func slot(in keyring: Keyring, path: String) throws(StoreError) -> SlotID {
    do throws(KeyError) {
      return try keyring.unlock(with: credential, allowedMemory: memory).slot
    } catch {
      throw .key(error, path: path)
    }
  }
}

/// The store's lock while it opens: exclusive where there may be something to clean up and nobody
/// else has the store open, else shared.
private struct OpeningLock: ~Copyable {
  private let lock: FileLock
  private let isExclusive: Bool
  private let timeout: Int64
  private let path: String

  init(_ folder: StoreFolder, _ options: Store.Options) throws(StoreError) {
    path = folder.path
    timeout = options.lockTimeout
    let epoch = try? KeyringFile(folder: folder.path).read().keyring.epoch
    let tries = try Leftovers(in: folder).mayExist(besides: epoch)
    if tries, let exclusive = try? FileLock(folder.lock, .exclusive, timeout: 0) {
      lock = exclusive
      isExclusive = true
    } else {
      lock = try Store.sharedLock(folder, options)
      isExclusive = false
    }
  }

  /// Cleans up if nobody else is there, and gives the lock that the open store keeps.
  consuming func settle(
    _ cleanUp: () throws(StoreError) -> Void
  ) throws(StoreError) -> FileLock {
    guard isExclusive else { return lock }
    try cleanUp()
    do throws(SystemError) { try lock.change(to: .shared, timeout: timeout) } catch {
      throw error.wouldBlock ? .busy(path: path) : .system(error)
    }
    return lock
  }
}
