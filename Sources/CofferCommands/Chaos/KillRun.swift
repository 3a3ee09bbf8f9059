import Coffer
import CofferKeys
import CofferSimulator
import CofferSystem

/// What a run of kills over all calls of a store counted.
struct KillReport: Sendable, Equatable {
  var kills = 0
  /// Killed at a random time.
  var atRandom = 0
  /// Killed at a numbered statement.
  var atStatement = 0
  /// Children that finished before their kill came.
  var unharmed = 0
  /// Between the begin and the commit of a transaction.
  var inTransaction = 0
  /// By the call that was being made.
  var byVerb = [Int](repeating: 0, count: ScriptVerb.allCases.count)
  /// How often the rows were those before a step that the child had said is done.
  var lost = 0
  /// How often they were those of no step at all.
  var between = 0
  /// Stores that broke a rule or a page's authentication.
  var unclean = 0
  var scripts = 0
  /// What was found, at most a few.
  var details: [String] = []

  var isSound: Bool { lost + between + unclean == 0 }
}

/// Kills children that play a script, and holds what is left against the script.
struct KillRun {
  let executable: String
  let folder: String
  let seed: UInt64
  private(set) var report = KillReport()
  private var random: SplitMix64
  private var store = ""
  private var reference: ScriptReference
  private var scriptSeed: UInt64
  /// The first step that is not in the store.
  private var position = 0
  private var keyFile: String { "\(folder)/key" }

  init(executable: String, folder: String, seed: UInt64) async throws {
    self.executable = executable
    self.folder = folder
    self.seed = seed
    random = SplitMix64(seed)
    scriptSeed = seed
    store = "\(folder)/store-1"
    let key = SeededBytes(seed).take(32)
    try Files.replace("\(folder)/key", with: key, through: "\(folder)/key.new")
    reference = try await ScriptReference(
      seed: scriptSeed, store: store, keyFile: "\(folder)/key")
    report.scripts = 1
  }

  private var isAtEnd: Bool { position == reference.script.steps.count }

  private mutating func nextScript() async throws {
    try Files.removeTree(store)
    report.scripts += 1
    scriptSeed &+= 1
    store = "\(folder)/store-\(report.scripts)"
    reference = try await ScriptReference(seed: scriptSeed, store: store, keyFile: keyFile)
    position = 0
  }

  // MARK: What to kill

  /// Half of the kills at a random time, half at a random statement.
  mutating func run(kills: Int, progress: (KillReport) -> Void) async throws {
    while report.kills < kills {
      if isAtEnd { try await nextScript() }
      if Bool.random(using: &random) {
        try await killAtRandom()
      } else {
        try await killAtStatement()
      }
      progress(report)
    }
    try Files.removeTree(store)
  }

  /// A kill at every moment of two calls of each kind.
  mutating func sweep(progress: (KillReport) -> Void) async throws {
    var left = [Int](repeating: 2, count: ScriptVerb.allCases.count)
    for (step, made) in reference.script.steps.enumerated() {
      let place = ScriptVerb.allCases.firstIndex(of: made.verb) ?? 0
      guard left[place] > 0, reference.moments[step] > 0 else { continue }
      left[place] -= 1
      var moment = 1
      while position <= step, moment <= reference.moments[step] {
        try await kill(step, moment)
        moment += 1
        progress(report)
      }
    }
    try Files.removeTree(store)
  }

  // MARK: Kills

  private func order() -> ScriptOrder {
    ScriptOrder(store: store, keyFile: keyFile, seed: scriptSeed, first: position)
  }

  private func start(_ order: ScriptOrder) throws(SystemError) -> ChildProcess {
    try ChildProcess(executable, order.arguments, piped: ChaosChild.marks, silenced: [0, 1])
  }

  private mutating func killAtRandom() async throws {
    let child = try start(order())
    var marks = StepMarks()
    // The time counts from when it is ready: opening the store is not what is tested.
    try marks.readUntilReady(child)
    Clock.sleep(nanoseconds: Int64.random(in: 0...8_000_000, using: &random))
    child.kill()
    report.atRandom += 1
    try await account(for: child, marks)
  }

  private mutating func killAtStatement() async throws {
    let steps = (position..<min(position + 6, reference.script.steps.count))
      .filter { reference.moments[$0] > 0 }
    guard let step = steps.randomElement(using: &random) else {
      // Nothing that could be killed lies ahead: the rest of the script in peace.
      try await account(for: try start(order()), StepMarks())
      return
    }
    try await kill(step, Int.random(in: 1...reference.moments[step], using: &random))
  }

  private mutating func kill(_ step: Int, _ moment: Int) async throws {
    var order = order()
    order.kill = (step, moment)
    report.atStatement += 1
    try await account(for: try start(order), StepMarks())
  }

  /// Looks at what the child left, and goes on from there.
  private mutating func account(
    for child: consuming ChildProcess, _ marks: consuming StepMarks
  ) async throws {
    var marks = marks
    try marks.readToEnd(child)
    switch try child.wait() {
    case .killed:
      report.kills += 1
      if marks.isInTransaction { report.inTransaction += 1 }
      let step = min(position + marks.done, reference.script.steps.count - 1)
      let verb = reference.script.steps[step].verb
      report.byVerb[ScriptVerb.allCases.firstIndex(of: verb) ?? 0] += 1
    case .exited(0): report.unharmed += 1
    case .exited: throw ChaosFailure.childFailed
    }
    try await look(after: position + marks.done)
  }

  /// Opens the store as anyone would after a crash; `reported` steps were said to be done.
  private mutating func look(after reported: Int) async throws {
    let opened = try await Store.open(at: store, with: .keyFile(KeyFile(path: keyFile)))
    let result = try await opened.verify()
    let print = try await Fingerprint(of: opened)
    await opened.close()
    if !result.isClean {
      report.unclean += 1
      note("after step \(reported): \(result.findings.map(\.text).joined(separator: "; "))")
    }
    let last = min(reported + 1, reference.script.steps.count)
    if let found = (reported...last).last(where: { reference.prints[$0] == print }) {
      position = found
    } else if let earlier = reference.prints[..<reported].lastIndex(of: print) {
      report.lost += 1
      note("\(reported) steps were done, and the rows are those after \(earlier)")
      try await nextScript()
    } else {
      report.between += 1
      let verb = reference.script.steps[min(reported, last - 1)].verb
      note("after step \(reported), in a call of \(verb.rawValue), the rows are those of no step")
      try await nextScript()
    }
  }

  private mutating func note(_ detail: String) {
    if report.details.count < 20 {
      report.details.append("script \(scriptSeed): \(detail)")
    }
  }
}

/// Follows a child that plays a script by the marks it writes.
private struct StepMarks: ~Copyable {
  private var isReady = false
  private(set) var done = 0
  private(set) var isInTransaction = false

  mutating func readUntilReady(_ child: borrowing ChildProcess) throws(SystemError) {
    while !isReady, try readSome(child, limit: 1) {}
  }

  mutating func readToEnd(_ child: borrowing ChildProcess) throws(SystemError) {
    while try readSome(child, limit: 4096) {}
  }

  private mutating func readSome(
    _ child: borrowing ChildProcess, limit: Int
  ) throws(SystemError) -> Bool {
    guard let bytes = try child.read(limit: limit) else { return false }
    for byte in bytes {
      switch ChaosChild.Mark(rawValue: byte) {
      case .ready: isReady = true
      case .begin: isInTransaction = true
      case .commit: isInTransaction = false
      case .done: done += 1
      case .sent, nil: break
      }
    }
    return true
  }
}
