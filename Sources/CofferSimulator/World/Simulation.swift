import CofferSystem

/// Several devices of several accounts on real stores, a server, and a network and machines that
/// fail them in every way, all from one seed.
///
/// Exactly one thing happens at a time and in the same order at every run, so that a seed that fails
/// fails again. Stores die as SIGKILL and power losses would leave them, and are opened again.
///
///     let report = try await Simulation(seed: 1).run()
///     precondition(report.violations.isEmpty)
public struct Simulation: Sendable {
  public let seed: UInt64
  public let options: Options

  public init(seed: UInt64, options: Options = Options()) {
    self.seed = seed
    self.options = options
  }

  /// Runs until everything was done, the network is good again, and every device is at rest.
  ///
  /// It ends at the first broken rule: what follows from one is no news. Throws where a store cannot
  /// be made or opened at all.
  public func run() async throws -> SimulationReport {
    let folder = try options.folder ?? Self.makeFolder()
    let world = World(seed: seed, options, in: folder)
    do { try await world.run() } catch {
      await world.close()
      throw error
    }
    await world.close()
    if options.folder == nil { try Files.removeTree(folder) }
    return world.report
  }

  /// What the disk is for is simulated too, so that nothing need wait for one.
  private static func makeFolder() throws(SystemError) -> String {
    let memory = "/dev/shm"
    if Files.temporaryFolder == "/tmp", (try? Files.status(memory))?.isFolder == true {
      return try Files.makeTemporaryFolder("coffer-simulation", in: memory)
    }
    return try Files.makeTemporaryFolder("coffer-simulation")
  }
}

/// What came of a simulation.
public struct SimulationReport: Sendable, Equatable {
  public let seed: UInt64
  /// How many things happened.
  public internal(set) var steps = 0
  public internal(set) var levers = LeverCounts()
  public internal(set) var violations: [Violation] = []
  /// Calls of the stores.
  public internal(set) var calls = 0
  /// How often a store was opened again after a death.
  public internal(set) var reopens = 0
  /// Events that the server has given a seq.
  public internal(set) var events = 0
}
