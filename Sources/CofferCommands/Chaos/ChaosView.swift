import CofferCoding
import CofferSimulator
import CofferSystem

/// Runs what `chaos` is asked for and shows it; each call gives the harm that was done, if any.
struct ChaosView {
  typealias Row = (name: String, key: String, count: Int)

  let seed: UInt64
  let input: ParsedArguments
  let output: Output

  private func show(_ rows: [Row], _ more: (inout JSONObjectWriter) -> Void = { _ in }) {
    if input.isJSON {
      output.json { document in
        document.member("seed", String(seed))
        for row in rows { document.member(row.key, row.count) }
        more(&document)
      }
    } else {
      var table = Table()
      for row in rows { table.add("\(row.name)", TerminalText("\(row.count)").leading(to: 7)) }
      table.print(on: output)
    }
  }

  // MARK: Simulation

  /// Stops at the first seed that fails: it is what there is to look at.
  func simulate(
    _ count: Int, isTraced: Bool, in folder: String
  ) async throws -> TerminalText? {
    var progress = Progress(of: "seed", output)
    var levers = LeverCounts()
    var (steps, deaths, events, done) = (0, 0, 0, 0)
    var failed: SimulationReport?
    for number in 0..<UInt64(count) where failed == nil {
      var options = Simulation.Options()
      if isTraced { options.trace = { [output] in output.note("\($0)") } }
      let report = try await Simulation(seed: seed &+ number, options: options).run()
      levers.add(report.levers)
      steps += report.steps
      deaths += report.reopens
      events += report.events
      done += 1
      if !report.violations.isEmpty { failed = report }
      progress.advance(by: 1)
    }
    progress.finish()
    let rows: [Row] =
      [
        ("seeds", "seeds", done), ("steps", "steps", steps),
        ("events that the server took", "events", events),
        ("stores opened again after a death", "reopened", deaths),
      ]
      + Lever.allCases.map { ($0.rawValue, "lever: \($0.rawValue)", levers[$0]) }
      + [("rules broken", "violations", failed?.violations.count ?? 0)]
    show(rows)
    let unused = levers.unused
    if !unused.isEmpty {
      output.note("never happened: \(TerminalText.list(unused.map { "\($0.rawValue)" }, "and"))")
    }
    guard let failed else { return nil }
    for violation in failed.violations {
      let rule = "\(violation.invariant.rawValue) (\(violation.invariant))"
      let device = violation.device ?? "server"
      output.note(
        "seed \(failed.seed), step \(violation.step), rule \(rule), \(device): \(violation.detail)")
    }
    return
      "seed \(failed.seed) broke a rule; `coffer chaos --seed \(failed.seed) --trace` shows how"
  }

  // MARK: Kills

  /// Kills over every kind of call; at every statement where no number is given.
  func kill(_ kills: Int?, in folder: String) async throws -> TerminalText? {
    var run = try await KillRun(
      executable: ThisProcess.executablePath(), folder: folder, seed: seed)
    var progress = Progress(of: "kill", output)
    var shown = 0
    let tell = { (report: KillReport) in
      progress.advance(by: report.kills - shown)
      shown = report.kills
    }
    if let kills {
      try await run.run(kills: kills, progress: tell)
    } else {
      try await run.sweep(progress: tell)
    }
    progress.finish()
    let report = run.report
    show(
      [
        ("kills", "kills", report.kills),
        ("  at a random time", "at_random", report.atRandom),
        ("  at a statement", "at_statement", report.atStatement),
        ("  in the middle of a transaction", "in_transaction", report.inTransaction),
        ("children that got away", "unharmed", report.unharmed),
      ]
        + zip(ScriptVerb.allCases, report.byVerb).map {
          ("  in a call of \($0.rawValue)", "in: \($0.rawValue)", $1)
        }
        + [
          ("finished calls that were gone", "lost", report.lost),
          ("rows between two calls", "between", report.between),
          ("stores that broke a rule", "unclean", report.unclean),
        ])
    for detail in report.details { output.note("\(detail)") }
    return report.isSound ? nil : "kills did harm; seed \(seed)"
  }

  /// The way that loses messages.
  func killWithSettingsFile(_ kills: Int, in folder: String) async throws -> TerminalText? {
    var run = try ChaosRun(
      executable: ThisProcess.executablePath(), folder: folder, seed: seed, cursor: .settingsFile)
    var progress = Progress(of: "kill", output)
    var shown = 0
    try await run.run(kills: kills) { report in
      progress.advance(by: report.kills - shown)
      shown = report.kills
    }
    progress.finish()
    let report = run.report
    show([
      ("kills", "kills", report.kills),
      ("  in the middle of a page", "in_page", report.inPage),
      ("cursor ahead of its messages", "ahead", report.ahead),
      ("cursor behind its messages", "behind", report.behind),
      ("messages lost", "lost", report.lost),
      ("messages doubled", "duplicated", report.duplicated),
      ("stores that broke a rule", "unclean", report.unclean),
    ])
    return report.isSound
      ? nil : "kills did harm, as they must: \(report.lost, of: "message") lost"
  }

  // MARK: Many processes

  func reopen(_ times: Int, in folder: String) async throws -> TerminalText? {
    let report = try await ReopenRun(
      executable: ThisProcess.executablePath(), folder: folder, seed: seed
    ).run(reopens: times)
    show([
      ("times opened and closed by two processes", "reopens", report.reopens),
      ("pages committed by a third", "pages", report.pages),
      ("messages of them", "messages", Int(report.found)),
      ("messages written to be sent", "sent", report.sent),
      ("commits lost", "lost", Int(report.lost)),
    ]) { $0.member("clean", report.isClean) }
    return report.isSound ? nil : "commits were lost, or the store is not clean"
  }
}

extension TerminalText {
  /// The text with spaces before it, up to so many columns.
  fileprivate func leading(to width: Int) -> TerminalText {
    TerminalText(" ").repeated(max(0, width - columns)) + self
  }
}
