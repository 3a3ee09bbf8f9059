import Coffer
import CofferDatabase
import CofferKeys
import CofferSimulator
import CofferSystem
import Synchronization

/// What a child that plays a script is told to do.
struct ScriptOrder: Sendable, Equatable {
  static let command = "chaos-script"

  /// The arguments by place.
  static let names = ["STORE", "KEYFILE", "SEED", "FIRST", "KILLSTEP", "KILLAT"]

  var store: String
  var keyFile: String
  var seed: UInt64
  /// The step to go on with.
  var first: Int
  /// Kills itself in this step, at this moment of its transactions.
  var kill: (step: Int, moment: Int)?

  var arguments: [String] {
    [
      Self.command, store, keyFile, String(seed), String(first), String(kill?.step ?? 0),
      String(kill?.moment ?? 0),
    ]
  }

  init(store: String, keyFile: String, seed: UInt64, first: Int) {
    self.store = store
    self.keyFile = keyFile
    self.seed = seed
    self.first = first
  }

  init?(_ arguments: [String]) {
    guard arguments.count == Self.names.count, let seed = UInt64(arguments[2]),
      let first = Int(arguments[3]), let step = Int(arguments[4]), let moment = Int(arguments[5])
    else { return nil }
    self.init(store: arguments[0], keyFile: arguments[1], seed: seed, first: first)
    kill = moment == 0 ? nil : (step, moment)
  }

  static func == (left: ScriptOrder, right: ScriptOrder) -> Bool {
    left.arguments == right.arguments
  }
}

/// A process that plays a script until it is killed, or kills itself.
enum ScriptChild {
  static func run(_ order: ScriptOrder) async throws {
    let player = ScriptPlayer(Script(seed: order.seed))
    let tell = MarkWriter()
    let countdown = StepCountdown(order.kill)
    let hook = StatementHook { moment, sql in
      let begins = sql.hasPrefix("BEGIN IMMEDIATE")
      if begins, moment == .after { tell.write(.begin) }
      if sql == "COMMIT", moment == .after { tell.write(.commit) }
      countdown.tell(begins: begins && moment == .after)
    }
    let store = try await Store.open(
      at: order.store, with: .keyFile(KeyFile(path: order.keyFile)),
      options: player.options(hook))
    tell.write(.ready)
    for number in order.first..<max(order.first, player.script.steps.count) {
      countdown.enter(number)
      try await player.play(number, on: store)
      tell.write(.done)
    }
    await store.close()
  }
}

/// Kills the process at one moment of one step.
private final class StepCountdown: Sendable {
  private struct State {
    var left: Int?
    var isCounting = false
  }

  private let kill: (step: Int, moment: Int)?
  private let state = Mutex(State())

  init(_ kill: (step: Int, moment: Int)?) { self.kill = kill }

  func enter(_ step: Int) {
    state.withLock { $0 = State(left: kill?.step == step ? kill?.moment : nil) }
  }

  /// `begins` after a transaction has begun: counting starts with that.
  func tell(begins: Bool) {
    let isNow = state.withLock { state in
      if begins { state.isCounting = true }
      guard state.isCounting, let left = state.left else { return false }
      state.left = left - 1
      return left == 1
    }
    if isNow { ThisProcess.killItself() }
  }
}

/// The process that is killed.
enum ChaosScriptCommand: Command {
  static let name = ScriptOrder.command
  static let summary = "Play a script of store calls until killed"
  static let isHidden = true
  static let arguments = ScriptOrder.names.map { Argument($0, "set by `chaos`") }

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    guard let order = ScriptOrder(arguments.map { input.text($0) }) else {
      throw .usage("\(name) is started by `chaos` only")
    }
    do { try await ScriptChild.run(order) } catch { throw ChaosCommand.failure(error) }
  }
}
