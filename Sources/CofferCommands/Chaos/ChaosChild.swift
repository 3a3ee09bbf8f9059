import Coffer
import CofferDatabase
import CofferKeys
import CofferSystem
import Synchronization

/// How a child keeps the cursor.
enum ChaosCursor: String, Sendable, CaseIterable {
  /// In the store, in the transaction of its page.
  case store
  /// In a file of its own, written before the items: the way that loses messages.
  case settingsFile = "settings-file"
}

/// What a child is told to do.
struct ChaosOrder: Sendable {
  var store: String
  var keyFile: String
  var seed: UInt64
  /// The inbox ends here.
  var last: Int64
  var cursor: ChaosCursor = .store
  /// Kills itself at this moment of its first page: each statement has one before and one after it.
  var killAt: Int?
  /// Ends after so many pages.
  var pages = Int.max
  /// Instead of receiving: opens and closes the store so many times, while it has it open itself and
  /// writes to it.
  var reopens = 0
}

/// A process that receives page after page until it is killed, or kills itself.
enum ChaosChild {
  /// The descriptor on which it tells its parent where it is.
  static let marks: Int32 = 3

  enum Mark: UInt8 {
    case ready = 0x72
    case begin = 0x62
    case commit = 0x63
    case sent = 0x73
    /// A step of a script.
    case done = 0x64
  }

  static func run(_ order: ChaosOrder) async throws {
    let tell = MarkWriter()
    let countdown = Countdown(order.killAt)
    var options = Store.Options()
    options.hook = StatementHook { moment, sql in
      let begins = sql.hasPrefix("BEGIN IMMEDIATE")
      if begins, moment == .after { tell.write(.begin) }
      if sql.hasPrefix("COMMIT"), moment == .after { tell.write(.commit) }
      if begins { countdown.start() }
      countdown.step()
    }
    let store = try await open(order, options)
    if order.reopens > 0 {
      try await reopen(store, order, tell)
      return
    }
    let inbox = ChaosInbox(seed: order.seed)
    var cursor = try await position(store, order)
    tell.write(.ready)
    var pages = 0
    while cursor < order.last, pages < order.pages {
      let page = inbox.page(after: cursor, until: order.last)
      switch order.cursor {
      case .store: try await store.receive(page)
      case .settingsFile:
        try SettingsFile.write(page.next, beside: order.store)
        try await store.receive((page.base + 1...page.next).map(inbox.item))
      }
      cursor = page.next
      pages += 1
    }
    await store.close()
  }

  private static func open(
    _ order: ChaosOrder, _ options: Store.Options = Store.Options()
  ) async throws -> Store {
    try await Store.open(
      at: order.store, with: .keyFile(KeyFile(path: order.keyFile)), options: options)
  }

  /// Closing one handle must not take away the locks of another in the same process, as it would if
  /// anything opened and closed the database's files behind SQLite's back.
  private static func reopen(
    _ store: Store, _ order: ChaosOrder, _ tell: MarkWriter
  ) async throws {
    tell.write(.ready)
    for number in 1...order.reopens {
      let other = try await open(order)
      _ = try await other.cursor()
      try await store.send(Draft("\(number)", to: ChaosInbox.conversations[0]))
      tell.write(.sent)
      await other.close()
    }
    await store.close()
  }

  /// Where the inbox goes on, by whoever keeps the cursor.
  static func position(_ store: Store, _ order: ChaosOrder) async throws -> Int64 {
    switch order.cursor {
    case .store: try await store.cursor()
    case .settingsFile: try SettingsFile.read(beside: order.store)
    }
  }
}

/// The cursor in a file of its own, as an app's settings would keep it.
enum SettingsFile {
  private static func path(_ store: String) -> String { "\(store)-settings" }

  static func read(beside store: String) throws(SystemError) -> Int64 {
    guard try Files.isThere(path(store)) else { return 0 }
    let text = String(decoding: try Files.content(of: path(store), limit: 64), as: UTF8.self)
    return Int64(text) ?? 0
  }

  static func write(_ cursor: Int64, beside store: String) throws(SystemError) {
    try Files.removeIfThere("\(path(store)).tmp")
    try Files.replace(
      path(store), with: Array(String(cursor).utf8), through: "\(path(store)).tmp")
  }
}

/// Writes single bytes to the parent.
///
/// A parent that is gone has nobody to tell.
struct MarkWriter: Sendable {
  func write(_ mark: ChaosChild.Mark) {
    try? OpenFile.write([mark.rawValue], to: ChaosChild.marks)
  }
}

/// Kills the process at the n-th step after the start.
private final class Countdown: Sendable {
  private let left: Mutex<Int?>
  private let steps: Int?

  init(_ steps: Int?) {
    self.steps = steps
    left = Mutex(nil)
  }

  func start() { left.withLock { if $0 == nil { $0 = steps } } }

  func step() {
    let isNow = left.withLock { left in
      guard let now = left else { return false }
      left = now - 1
      return now == 1
    }
    if isNow { ThisProcess.killItself() }
  }
}
