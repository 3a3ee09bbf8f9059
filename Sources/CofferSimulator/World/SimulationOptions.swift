/// How a simulation goes.
extension Simulation {
  public struct Options: Sendable {
    /// Told of everything that happens, a line each.
    public var trace: (@Sendable (String) -> Void)?
    /// How often something is done from outside: by a person, a server or to a machine.
    public var acts = 150
    /// Devices of each account.
    public var devices: [(account: String, count: Int)] = [("ann", 2), ("ben", 1), ("chen", 2)]
    /// How often something goes wrong with a request or a push, in a hundred.
    public var trouble = 12
    /// How often a process dies or a machine loses its power, in a hundred of all acts.
    public var deaths = 9
    /// Where the stores are made; nothing for a temporary folder, in memory where there is one.
    public var folder: String?

    public init() {}
  }
}
