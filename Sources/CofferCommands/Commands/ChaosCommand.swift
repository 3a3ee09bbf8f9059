import Coffer
import CofferSimulator
import CofferSystem

enum ChaosCommand: Command {
  static let name = "chaos"
  static let summary = "Have everything go wrong, and count what is lost"
  static let discussion = """
    Without --kills it simulates: one seed drives several devices on real stores, a server, and a \
    network, and everything that goes wrong with them: answers lost, pushes in any order, processes \
    killed at a statement, power lost, servers that forget. After each death and at the end the rules \
    of the store are checked, and every device is compared with the server. A seed that fails is \
    shown, and fails again: --trace says what happened on the way.

    With --kills real processes make every kind of call to a store, and are killed with SIGKILL: half \
    at a random time, half at a random SQL statement. After each kill the rows must be exactly those \
    before or after a whole call, and never fewer than it had said were done.

    With `--kills N --cursor settings-file` the children keep the cursor in a file of its own and \
    write it before the items, as many programs do. That loses messages, and shows that the check can \
    fail. Everything happens in a temporary folder. Ends with 1 when a rule was broken.
    """
  private static let seed = Option.value("seed", "N", "what the randomness starts from [1]")
  private static let seeds = Option.value(
    "seeds", "N", "simulate so many seeds, from --seed on [20]")
  private static let trace = Option.flag("trace", "say everything that happens in the simulation")
  private static let kills = Option.value(
    "kills", "N", "no simulation: so many kills of real processes")
  private static let every = Option.flag(
    "every-statement", "no simulation: a kill at every statement of each kind of call")
  private static let reopen = Option.value(
    "reopen", "N", "no kills: two processes open and close a store N times while a third commits")
  private static let cursor = Option.value(
    "cursor", "WHERE", "`settings-file` for the way that loses messages, with --kills",
    completing: .words([ChaosCursor.settingsFile.rawValue]))
  private static let keep = Option.flag("keep", "leave the temporary folder for a look")
  static let options = [
    OptionSection([seed, seeds, trace, kills, every, cursor, reopen, keep, .json])
  ]
  static let examples = [
    "coffer chaos --seed 1 --seeds 200",
    "coffer chaos --kills 1000",
    "coffer chaos --kills 50 --cursor settings-file",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let number = UInt64(try input.integer(seed, in: 0 ... .max) ?? 1)
    let killsWanted = try input.integer(kills, in: 1...1_000_000)
    let reopens = try input.integer(reopen, in: 1...100_000)
    let count = try input.integer(seeds, in: 1...1_000_000)
    let way = try input.choice(
      cursor, [(ChaosCursor.settingsFile.rawValue, ChaosCursor.settingsFile)])
    let wishes = [killsWanted != nil, input.has(every), reopens != nil, count != nil]
    guard wishes.count(where: { $0 }) <= 1 else {
      throw .usage("--seeds, --kills, --every-statement and --reopen exclude each other")
    }
    guard way == nil || killsWanted != nil else { throw .usage("--cursor goes with --kills") }
    guard !input.has(trace) || wishes.dropLast().allSatisfy({ !$0 }) else {
      throw .usage("--trace is for the simulation")
    }
    let folder = try CommandFailure.catching(system: { () throws(SystemError) in
      try Files.makeTemporaryFolder("coffer-chaos")
    })
    let view = ChaosView(seed: number, input: input, output: output)
    let harm: TerminalText?
    do {
      if let reopens {
        harm = try await view.reopen(Int(reopens), in: folder)
      } else if let killsWanted, way != nil {
        harm = try await view.killWithSettingsFile(Int(killsWanted), in: folder)
      } else if killsWanted != nil || input.has(every) {
        harm = try await view.kill(killsWanted.map { Int($0) }, in: folder)
      } else {
        harm = try await view.simulate(Int(count ?? 20), isTraced: input.has(trace), in: folder)
      }
    } catch {
      throw failure(error).adding(hint: "what it worked on is in \(folder)")
    }
    if input.has(keep) {
      output.note("kept: \(folder)")
    } else {
      try CommandFailure.catching(system: { () throws(SystemError) in
        try Files.removeTree(folder)
      })
    }
    if let harm { throw CommandFailure(.otherFailure, harm) }
  }

  static func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let error as CommandFailure: error
    case let error as StoreError: CommandFailure(error)
    case let error as SyncError: CommandFailure(error)
    case let error as KeyError: CommandFailure(StoreError.key(error, path: ""))
    case let error as SystemError: CommandFailure(error)
    default: CommandFailure(.otherFailure, "a child ended with an error of its own")
    }
  }
}

/// The process that is killed.
enum ChaosChildCommand: Command {
  static let name = ChaosChildArguments.command
  static let summary = "Receive an inbox until killed"
  static let isHidden = true
  static let arguments = ChaosChildArguments.names.map { Argument($0, "set by `chaos`") }

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    guard let order = ChaosChildArguments.decode(arguments.map { input.text($0) }) else {
      throw .usage("\(name) is started by `chaos` and `demo` only")
    }
    do { try await ChaosChild.run(order) } catch { throw ChaosCommand.failure(error) }
  }
}
