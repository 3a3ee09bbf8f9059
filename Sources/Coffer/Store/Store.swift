import CofferCrypto
package import CofferDatabase
@_exported public import CofferKeys
import CofferSystem
import Synchronization

/// An encrypted store of messages: one folder, one database, one account's device.
///
/// A `Store` is a reference that many tasks share. One writer applies what comes in; readers see
/// unchanging snapshots beside it. Whatever a page of the inbox brings commits in one transaction
/// with the cursor that says it was received.
public final class Store: Sendable {
  /// Something that an open noticed and went on from.
  public enum Notice: Sendable, Equatable {
    /// The keyring was damaged; its copy was used.
    case keyringCopyUsed
    /// The keyring was changed, and its copy could not be: it is an older one.
    case keyringCopyStale
    /// A database of a newer epoch lies in the folder and nothing explains it; it was left alone.
    case unexplainedEpoch(UInt64)
  }

  /// The store's folder, without links.
  public var path: String { folder.path }
  public let id: StoreID
  /// How often the database was encrypted anew, from 1.
  public let epoch: UInt64
  /// What was noticed so far, in order.
  public var notices: [Notice] { noticed.withLock { $0 } }

  package let database: Database
  let folder: StoreFolder
  let options: Options
  let keys: StoreKeys
  /// Shared as long as the store is open, so that nobody rotates or cleans up under it.
  private let lock: Mutex<FileLock?>
  let noticed: Mutex<[Notice]>
  /// Raised after every commit that put something into the outbox.
  let outboxSignal = OutboxSignal()

  init(
    folder: StoreFolder, keys: StoreKeys, lock: consuming FileLock, notices: [Notice],
    options: Options
  ) {
    self.folder = folder
    self.keys = keys
    self.options = options
    noticed = Mutex(notices)
    self.lock = Mutex(consume lock)
    id = keys.master.store
    epoch = keys.epoch
    let path = folder.database(epoch: keys.epoch)
    let hook = options.hook
    database = Database { role throws(DatabaseError) in
      let connection = try keys.connect(path, role)
      if role == .writer, let hook { connection.observe(hook) }
      return ConnectionBox(connection)
    }
  }

  /// Moves what is left in the WAL into the database, closes it, and wipes the keys.
  ///
  /// Calls after it throw `closed`.
  public func close() async {
    await database.close()
    lock.withLock { $0 = nil }
  }

  var databasePath: String { folder.database(epoch: epoch) }

  func write<Result: Sendable>(
    _ durability: Durability = .process,
    _ body: @Sendable (borrowing Connection) throws(StoreError) -> sending Result
  ) async throws(StoreError) -> Result {
    do throws(StoreError) { return try await database.write(durability, body) } catch {
      throw error.naming(databasePath)
    }
  }

  func withWriter<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(StoreError) -> sending Result
  ) async throws(StoreError) -> Result {
    do throws(StoreError) { return try await database.withWriter(body) } catch {
      throw error.naming(databasePath)
    }
  }

  func read<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(DatabaseError) -> sending Result
  ) async throws(StoreError) -> Result {
    do throws(DatabaseError) { return try await database.read(body) } catch {
      throw StoreError(error, path: databasePath)
    }
  }
}

/// The keys of an open store.
final class StoreKeys: Sendable {
  let master: MasterKey
  let epoch: UInt64

  init(_ master: consuming MasterKey, epoch: UInt64) {
    self.master = master
    self.epoch = epoch
  }

  func connect(
    _ path: String, creating: Bool = false, _ role: Role
  ) throws(DatabaseError) -> Connection {
    let key = try sqlCipherKey()
    return try key.withBytes { key throws(DatabaseError) in
      try Connection(path, key: key, creating: creating, role: role)
    }
  }

  func writer(of path: String) throws(StoreError) -> Connection {
    do throws(DatabaseError) { return try connect(path, .writer) } catch {
      throw StoreError(error)
    }
  }

  private func sqlCipherKey() throws(DatabaseError) -> GuardedBytes {
    do throws(KeyError) { return try master.sqlCipherKey(epoch: epoch) } catch {
      throw DatabaseError(.outOfMemory, "derive key")
    }
  }
}
