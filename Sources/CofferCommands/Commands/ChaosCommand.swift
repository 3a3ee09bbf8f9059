import Coffer
import CofferCoding
import CofferSystem

enum ChaosCommand: Command {
  static let name = "chaos"
  static let summary = "Kill processes in the middle of a page, and count what is lost"
  static let discussion = """
    Receives an inbox in child processes and kills them with SIGKILL: half at a random time, half at \
    a random SQL statement. After each kill the store is opened again, checked whole, and compared \
    row by row with what was sent. Everything happens in a temporary folder. Ends with 0 when \
    nothing was lost, doubled or damaged, and with 1 when anything was.

    With `--cursor settings-file` the children keep the cursor in a file of its own and write it \
    before the items, as many programs do. That loses messages, and shows that the check can fail.
    """
  static let seed = Option.value("seed", "N", "what the randomness starts from [1]")
  static let kills = Option.value(
    "kills", "N", "how many kills, at random times and statements [100]")
  static let every = Option.flag("every-statement", "kill at every statement of a page, in order")
  static let reopen = Option.value(
    "reopen", "N", "no kills: two processes open and close a store N times while a third commits")
  static let cursor = Option.value(
    "cursor", "WHERE", "`store`, or `settings-file` for the way that loses messages [store]",
    completing: .words(ChaosCursor.allCases.map(\.rawValue)))
  static let keep = Option.flag("keep", "leave the temporary folder for a look")
  static let options = [OptionSection([seed, kills, every, cursor, reopen, keep, .json])]
  static let examples = [
    "coffer chaos --seed 1 --kills 300",
    "coffer chaos --every-statement",
    "coffer chaos --kills 50 --cursor settings-file",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let seedNumber = try input.integer(seed, in: 0 ... .max) ?? 1
    let killsWanted = try input.integer(kills, in: 1...1_000_000) ?? 100
    let mode = try input.choice(cursor, ChaosCursor.allCases.map { ($0.rawValue, $0) }) ?? .store
    let reopens = try input.integer(reopen, in: 1...100_000)
    guard [input.has(every), input[kills] != nil, reopens != nil].count(where: { $0 }) <= 1 else {
      throw .usage("--kills, --every-statement and --reopen exclude each other")
    }
    if let reopens {
      try await run(reopens: Int(reopens), UInt64(seedNumber), input, output)
      return
    }
    let folder = try makeFolder()
    let report: ChaosReport
    do {
      var run = try ChaosRun(
        executable: ThisProcess.executablePath(), folder: folder,
        seed: UInt64(seedNumber), cursor: mode)
      var progress = Progress(of: "kill", output)
      var shown = 0
      let show = { (report: ChaosReport) in
        progress.advance(by: report.kills - shown)
        shown = report.kills
      }
      if input.has(every) {
        try await run.sweep(progress: show)
      } else {
        try await run.run(kills: Int(killsWanted), progress: show)
      }
      progress.finish()
      report = run.report
    } catch {
      throw failure(error).adding(hint: "what it worked on is in \(folder)")
    }
    if input.isJSON {
      json(report, seedNumber, mode, output)
    } else {
      table(report, seedNumber, mode, output)
    }
    try leave(folder, input, output)
    guard report.isSound else {
      throw CommandFailure(.otherFailure, "kills did harm: \(report.lost, of: "message") lost")
    }
  }

  /// The kill test's other half: many processes, no kill.
  private static func run(
    reopens: Int, _ seed: UInt64, _ input: ParsedArguments, _ output: Output
  ) async throws(CommandFailure) {
    let folder = try makeFolder()
    let report: ReopenRun.Report
    do {
      report = try await ReopenRun(
        executable: ThisProcess.executablePath(), folder: folder, seed: seed
      ).run(reopens: reopens)
    } catch { throw failure(error).adding(hint: "what it worked on is in \(folder)") }
    if input.isJSON {
      output.json { document in
        document.member("reopens", report.reopens)
        document.member("pages", report.pages)
        document.member("messages", report.found)
        document.member("sent", report.sent)
        document.member("lost", report.lost)
        document.member("clean", report.isClean)
      }
    } else {
      output.line("\(report.reopens, of: "time") opened and closed by two processes")
      output.line(
        "\(report.pages, of: "page") committed by a third, \(report.found, of: "message")")
      output.line(
        "\(report.sent, of: "message") written to be sent, \(grouped: report.waiting) there")
      output.line("\(report.lost, of: "commit") lost")
    }
    try leave(folder, input, output)
    guard report.isSound else {
      throw CommandFailure(.otherFailure, "commits were lost, or the store is not clean")
    }
  }

  private static func makeFolder() throws(CommandFailure) -> String {
    try CommandFailure.catching(system: { () throws(SystemError) in
      try Files.makeTemporaryFolder("coffer-chaos")
    })
  }

  private static func leave(
    _ folder: String, _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) {
    if input.has(keep) {
      output.note("kept: \(folder)")
      return
    }
    try CommandFailure.catching(system: { () throws(SystemError) in
      try Files.removeTree(folder)
    })
  }

  static func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let error as CommandFailure: error
    case let error as StoreError: CommandFailure(error)
    case let error as KeyError: CommandFailure(StoreError.key(error, path: ""))
    case let error as SystemError: CommandFailure(error)
    default: CommandFailure(.otherFailure, "a child ended with an error of its own")
    }
  }

  private static func rows(_ report: ChaosReport) -> [(name: String, key: String, count: Int)] {
    [
      ("kills", "kills", report.kills),
      ("  at a random time", "at_random", report.atRandom),
      ("  at a statement", "at_statement", report.atStatement),
      ("  in the middle of a page", "in_page", report.inPage),
      ("children that got away", "unharmed", report.unharmed),
      ("cursor ahead of its messages", "ahead", report.ahead),
      ("cursor behind its messages", "behind", report.behind),
      ("messages lost", "lost", report.lost),
      ("messages doubled", "duplicated", report.duplicated),
      ("messages altered", "altered", report.altered),
      ("stores that broke a rule", "unclean", report.unclean),
    ]
  }

  private static func table(
    _ report: ChaosReport, _ seed: Int64, _ mode: ChaosCursor, _ output: Output
  ) {
    output.line("seed \(seed), cursor in \(mode == .store ? "the store" : "a settings file")")
    for row in rows(report) {
      let count = String(row.count)
      let padding = String(repeating: " ", count: max(1, 38 - row.name.count - count.count))
      output.line("\(row.name)\(padding)\(count)")
    }
    output.line("\(report.items, of: "message") received whole in \(report.stores, of: "store")")
  }

  private static func json(
    _ report: ChaosReport, _ seed: Int64, _ mode: ChaosCursor, _ output: Output
  ) {
    output.json { document in
      document.member("seed", seed)
      document.member("cursor", mode.rawValue)
      for row in rows(report) { document.member(row.key, row.count) }
      document.member("stores", report.stores)
      document.member("messages", report.items)
      document.member("sound", report.isSound)
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
