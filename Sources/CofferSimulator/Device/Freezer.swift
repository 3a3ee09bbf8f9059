import CofferDatabase
import CofferSystem
import Synchronization

/// Copies a store's files at a chosen moment, exactly as SIGKILL or a power loss would leave them.
///
/// The copy is made on the writer's own thread, between two statements, while nothing else of the
/// store runs. Opening a database's files beside SQLite drops every POSIX lock this process has on
/// them; that is harmless here and nowhere else, since no other process has these stores open.
final class Freezer: Sendable {
  enum Death: Sendable, Equatable {
    /// The process dies at this moment, counted from the first transaction on: each statement has
    /// one moment before it and one after it.
    case kill(atMoment: Int)
    /// The machine loses its power: what no commit with `synchronous = FULL` followed is undone.
    case powerLoss
  }

  private struct State {
    var death: Death?
    var moments = 0
    var isFull = false
    var isInTransaction = false
    var isInside = false
    /// Commits that a power loss now would undo.
    var undone = 0
    var copy: FrozenFiles?
    var failure: SystemError?
  }

  private let folder: String
  private let state = Mutex(State())

  init(folder: String) { self.folder = folder }

  /// The hook that a store is opened with; it counts for that store only.
  var hook: StatementHook {
    StatementHook { moment, sql in self.tell(moment, sql) }
  }

  /// From now on the death is prepared: everything so far is taken to be on the disk.
  func arm(_ death: Death) throws(SystemError) {
    var copy: FrozenFiles?
    if death == .powerLoss { copy = try FrozenFiles(of: folder) }
    let first = copy
    state.withLock { state in
      state.death = death
      state.moments = 0
      state.isInside = false
      state.undone = 0
      state.copy = first
    }
  }

  func disarm() { state.withLock { $0.death = nil } }

  /// What a death left.
  struct Remains: Sendable {
    let files: FrozenFiles
    /// Whether a transaction was open.
    var isInTransaction = false
    /// Commits that are undone.
    var undone = 0
  }

  /// What is left on the disk; the files as they are now where the moment did not come.
  func strike() throws(SystemError) -> Remains {
    let (copy, isInside, undone, failure) = state.withLock { state in
      state.death = nil
      return (state.copy, state.isInside, state.undone, state.failure)
    }
    if let failure { throw failure }
    guard let copy else { return Remains(files: try FrozenFiles(of: folder)) }
    return Remains(files: copy, isInTransaction: isInside, undone: undone)
  }

  private func tell(_ moment: StatementHook.Moment, _ sql: String) {
    state.withLock { state in
      if moment == .after {
        if sql.hasPrefix("PRAGMA synchronous") { state.isFull = sql.hasSuffix("FULL") }
        if sql.hasPrefix("BEGIN IMMEDIATE") { state.isInTransaction = true }
        if sql == "COMMIT" || sql == "ROLLBACK" { state.isInTransaction = false }
      }
      switch state.death {
      case nil: return
      case .kill(let chosen):
        if state.moments == 0, !state.isInTransaction { return }
        state.moments += 1
        if state.moments == chosen {
          state.isInside = state.isInTransaction
          copy(into: &state)
        }
      case .powerLoss:
        guard moment == .after, sql == "COMMIT" else { return }
        if state.isFull {
          state.undone = 0
          copy(into: &state)
        } else {
          state.undone += 1
        }
      }
    }
  }

  private func copy(into state: inout State) {
    do throws(SystemError) { state.copy = try FrozenFiles(of: folder) } catch {
      state.failure = error
    }
  }
}

/// A store's database with its WAL, byte for byte.
struct FrozenFiles: Sendable, CustomStringConvertible {
  var description: String { "files" }

  private let files: [(name: String, content: [UInt8])]

  init(of folder: String) throws(SystemError) {
    var files: [(name: String, content: [UInt8])] = []
    for name in try Self.names(in: folder) where !name.hasSuffix("-shm") {
      files.append((name, try Files.content(of: "\(folder)/\(name)", limit: 1 << 30)))
    }
    self.files = files
  }

  /// Puts them in the place of what is there; the store must be closed.
  func thaw(into folder: String) throws(SystemError) {
    for name in try Self.names(in: folder) { try Files.remove("\(folder)/\(name)") }
    for file in files { try OpenFile("\(folder)/\(file.name)", .create).write(file.content) }
  }

  /// The database and what SQLite keeps beside it.
  private static func names(in folder: String) throws(SystemError) -> [String] {
    try Files.names(in: folder).filter { $0.hasPrefix("store-") && $0.contains(".db") }
  }
}
