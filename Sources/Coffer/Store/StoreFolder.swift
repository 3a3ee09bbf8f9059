import CofferKeys
import CofferSystem

/// The names in a store's folder.
struct StoreFolder: Sendable {
  /// Without links or relative parts, so that it stays right wherever the process goes.
  let path: String

  var lock: String { "\(path)/lock" }

  func database(epoch: UInt64) -> String { "\(path)/store-\(epoch).db" }

  /// SQLite's two files beside a database, which belong to it.
  static func companions(of database: String) -> [String] {
    ["\(database)-wal", "\(database)-shm"]
  }

  /// Finds a store at a path, and says what is there if it is none.
  init(existing path: String) throws(StoreError) {
    let status: FileStatus
    do throws(SystemError) {
      status = try Files.status(path)
      self.path = try Files.realPath(path)
    } catch {
      throw error.isNotFound ? .noStore(path: path) : .system(error)
    }
    guard status.isFolder else { throw .notAStore(path: path, Self.kind(of: path, status)) }
    let names = try names()
    guard !names.contains("keyring") else { return }
    if names.contains(where: { Self.epoch(of: $0) != nil }) { throw .keyringMissing(path: path) }
    throw .notAStore(path: path, .folder)
  }

  init(new path: String) { self.path = path }

  func names() throws(StoreError) -> [String] {
    do throws(SystemError) { return try Files.names(in: path) } catch { throw .system(error) }
  }

  private static func kind(of path: String, _ status: FileStatus) -> StoreError.ForeignFile {
    guard status.isRegularFile else { return .file }
    if status.size == 0 { return .emptyFile }
    // No store of ours is a single file, so nothing in this process has it open through SQLite.
    let head = try? OpenFile(path, .read).readAll(limit: 15)
    return head == Array("SQLite format 3\0".utf8) ? .unencryptedDatabase : .file
  }

  /// The epoch in `store-3.db`, or nothing for any other name.
  static func epoch(of name: String) -> UInt64? {
    guard name.hasPrefix("store-"), name.hasSuffix(".db") else { return nil }
    let digits = name.dropFirst(6).dropLast(3)
    guard let epoch = UInt64(digits), String(epoch) == digits else { return nil }
    return epoch
  }
}

/// What a killed rotation, restore or keyring write left behind.
struct Leftovers {
  private let names: [String]

  init(in folder: StoreFolder) throws(StoreError) { names = try folder.names() }

  /// Whether anything is there that an open with the exclusive lock might remove.
  func mayExist(besides epoch: UInt64?) -> Bool {
    names.contains { name in
      if Self.isUnfinished(name) { return true }
      guard let other = StoreFolder.epoch(of: name) else { return false }
      return other != epoch
    }
  }

  private static func isUnfinished(_ name: String) -> Bool {
    [".new", ".new-wal", ".new-shm"].contains { name.hasSuffix($0) }
  }

  /// Removes what the commit of `epoch` made worthless, and gives the epochs that it leaves alone.
  ///
  /// The caller holds the exclusive lock, and has opened the database of `epoch` and found its own
  /// id and epoch inside. Older epochs and unfinished files go. A newer epoch goes only when
  /// `keyring.new` names it, for then it was renamed and never committed; any other may be all that
  /// somebody has, so it stays and is reported.
  func remove(from folder: StoreFolder, keeping epoch: UInt64) throws(StoreError) -> [UInt64] {
    let staged = (try? KeyringFile(folder: folder.path).staged())?.epoch
    var unexplained: [UInt64] = []
    do throws(SystemError) {
      for name in names {
        guard let other = StoreFolder.epoch(of: name), other != epoch else { continue }
        guard other < epoch || other == staged else {
          unexplained.append(other)
          continue
        }
        let database = folder.database(epoch: other)
        // A stale WAL would be replayed into a new file of that name: it goes first.
        for path in StoreFolder.companions(of: database) { try Files.removeIfThere(path) }
        try Files.removeIfThere(database)
      }
      try Files.synchronizeFolder(folder.path)
      // Last, since it is what explains a newer epoch.
      for name in names where Self.isUnfinished(name) {
        try Files.removeIfThere("\(folder.path)/\(name)")
      }
    } catch { throw .system(error) }
    return unexplained
  }
}
