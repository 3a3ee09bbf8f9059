import Coffer
import CofferDatabase
import CofferKeys
import CofferSimulator
import CofferSystem

/// What a run of `chaos` counted.
struct ChaosReport: Sendable, Equatable {
  var kills = 0
  /// Killed at a random time.
  var atRandom = 0
  /// Killed at a numbered statement.
  var atStatement = 0
  /// Children that finished before their kill came.
  var unharmed = 0
  /// Between the begin and the commit of a page.
  var inPage = 0
  /// After how many kills the cursor stood for items that were not there.
  var ahead = 0
  /// After how many kills items were there that the cursor did not count.
  var behind = 0
  /// Items that never came back, once the inbox was read to its end.
  var lost = 0
  /// Items that were there twice.
  var duplicated = 0
  /// Items that were there with other content than they were sent with.
  var altered = 0
  /// Stores that broke a rule or a page's authentication.
  var unclean = 0
  var stores = 0
  var items: Int64 = 0

  /// Behind counts too: items and cursor are one transaction, or the cursor comes first.
  var isSound: Bool { ahead + behind + lost + duplicated + altered + unclean == 0 }
}

/// Kills children in the middle of what they do, and looks at what is left.
struct ChaosRun {
  let executable: String
  let folder: String
  let seed: UInt64
  let cursor: ChaosCursor
  private(set) var report = ChaosReport()
  private var random: SplitMix64
  private var store: String
  private var keyFile: String { "\(folder)/key" }
  private var inbox: ChaosInbox
  /// The lowest moment that came after a page's commit, as far as is known.
  private var moments = 1_000
  /// Each store's inbox ends here, so that checking it all after every kill stays quick.
  private static let last: Int64 = 3_000

  init(executable: String, folder: String, seed: UInt64, cursor: ChaosCursor) throws {
    self.executable = executable
    self.folder = folder
    self.seed = seed
    self.cursor = cursor
    random = SplitMix64(seed)
    inbox = ChaosInbox(seed: seed)
    store = ""
    var key = [UInt8](repeating: 0, count: 32)
    for index in key.indices { key[index] = UInt8.random(in: 0...255, using: &random) }
    try Files.replace(keyFile, with: key, through: "\(keyFile).tmp")
  }

  // MARK: What to kill

  /// Half of the kills at a random time, half at a random statement.
  mutating func run(kills: Int, progress: (ChaosReport) -> Void) async throws {
    try await begin()
    while report.kills < kills {
      if Bool.random(using: &random) {
        try await killAtRandom()
      } else {
        try await kill(atStatement: Int.random(in: 1...moments, using: &random))
      }
      progress(report)
    }
    try await end()
  }

  // MARK: One store's life

  private mutating func begin() async throws {
    report.stores += 1
    store = "\(folder)/store-\(report.stores)"
    let made = try await Store.create(
      at: store, account: "ben", device: 1,
      with: NewSlot(.keyFile(KeyFile(path: keyFile))))
    await made.close()
  }

  /// Reads the inbox to its end without a kill; what is missing now will not come again.
  private mutating func end() async throws {
    let child = try start(order())
    guard try child.wait() == .exited(0) else { throw ChaosFailure.childFailed }
    let state = try await look()
    report.lost += state.missing
    report.duplicated += state.duplicated
    report.altered += state.altered
    report.items += state.cursor
    if !state.isClean { report.unclean += 1 }
    try Files.removeTree(store)
    try Files.removeIfThere("\(store)-settings")
  }

  private func order() -> ChaosOrder {
    ChaosOrder(store: store, keyFile: keyFile, seed: seed, last: Self.last, cursor: cursor)
  }

  private func start(_ order: ChaosOrder) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      executable, ChaosChildArguments.encode(order), piped: ChaosChild.marks, silenced: [0, 1])
  }

  // MARK: Kills

  private mutating func killAtRandom() async throws {
    let child = try start(order())
    var marks = MarkReader()
    // The time counts from when it is ready: opening the store is not what is tested.
    try marks.readUntilReady(child)
    Clock.sleep(nanoseconds: Int64.random(in: 0...12_000_000, using: &random))
    child.kill()
    report.atRandom += 1
    try await account(for: child, marks)
  }

  @discardableResult
  private mutating func kill(atStatement moment: Int) async throws -> Bool {
    var order = order()
    order.killAt = moment
    order.pages = 1
    report.atStatement += 1
    let isKilled = try await account(for: try start(order), MarkReader())
    // So that no moment of a page is left out, and few children get away.
    if !isKilled { moments = min(moments, moment) }
    return isKilled
  }

  /// Looks at what the child left; false when it ended by itself.
  @discardableResult
  private mutating func account(
    for child: consuming ChildProcess, _ marks: consuming MarkReader
  ) async throws -> Bool {
    var marks = marks
    let isInPage = try marks.readToEnd(child)
    let ending = try child.wait()
    switch ending {
    case .killed:
      report.kills += 1
      if isInPage { report.inPage += 1 }
    case .exited(0): report.unharmed += 1
    case .exited: throw ChaosFailure.childFailed
    }
    let state = try await look()
    if state.missing > 0 { report.ahead += 1 }
    if state.beyond > 0 { report.behind += 1 }
    if !state.isClean { report.unclean += 1 }
    if state.cursor >= Self.last {
      try await end()
      try await begin()
    }
    return ending != .exited(0)
  }

  // MARK: What is left

  private struct State {
    var cursor: Int64 = 0
    var missing = 0
    var beyond = 0
    var duplicated = 0
    var altered = 0
    var isClean = false
  }

  /// Opens the store as anyone would after a crash, and compares every row with what was sent.
  private func look() async throws -> State {
    let opened = try await Store.open(at: store, with: .keyFile(KeyFile(path: keyFile)))
    var state = State()
    state.cursor = try await ChaosChild.position(opened, order())
    state.isClean = try await opened.verify().isClean
    var seen = Set<Int64>()
    for conversation in try await opened.conversations() {
      let page = try await opened.timeline(
        of: conversation.address, limit: Int(Self.last) + 1)
      for case .message(let message) in page.entries {
        // The number in the inbox is in the id, so every row says which item it should be.
        let number = Int64(message.eventID.bytes.high >> 16)
        if !seen.insert(number).inserted { state.duplicated += 1 }
        let sent = inbox.item(number)
        if !isSame(message, in: conversation.address, as: sent) { state.altered += 1 }
        if number > state.cursor { state.beyond += 1 }
      }
    }
    state.missing = Int(state.cursor) - seen.count { $0 <= state.cursor }
    await opened.close()
    return state
  }

  /// Byte for byte: texts that only look the same are not.
  private func isSame(_ message: Message, in conversation: String, as sent: Item) -> Bool {
    guard case .event(.message(let text, _)) = sent.body, let kept = message.text else {
      return false
    }
    return kept.utf8.elementsEqual(text.utf8) && message.seq == sent.envelope.seq
      && conversation.utf8.elementsEqual(sent.envelope.conversation.utf8)
      && message.sender.utf8.elementsEqual(sent.envelope.sender.utf8)
  }
}

enum ChaosFailure: Error {
  /// A child that was not killed ended with an error.
  case childFailed
  /// The cursor does not count what is there.
  case cursorDiffers
  /// A script that nobody killed left a store that breaks a rule.
  case referenceUnclean
}

/// Follows a child by the marks it writes.
private struct MarkReader: ~Copyable {
  private var last: UInt8 = 0

  mutating func readUntilReady(_ child: borrowing ChildProcess) throws(SystemError) {
    while last != ChaosChild.Mark.ready.rawValue, try readOne(child) {}
  }

  /// Whether the last page that began did not commit.
  mutating func readToEnd(_ child: borrowing ChildProcess) throws(SystemError) -> Bool {
    while try readOne(child) {}
    return last == ChaosChild.Mark.begin.rawValue
  }

  private mutating func readOne(_ child: borrowing ChildProcess) throws(SystemError) -> Bool {
    guard let bytes = try child.read(limit: 1), let byte = bytes.first else { return false }
    last = byte
    return true
  }
}
