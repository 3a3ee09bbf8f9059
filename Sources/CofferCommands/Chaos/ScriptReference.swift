import Coffer
import CofferKeys
import CofferSimulator
import CofferSystem

/// A script as it goes when nobody is killed: what the rows are after each step.
struct ScriptReference: Sendable {
  let script: Script
  /// Of the store as it is made, and then after each step.
  let prints: [Fingerprint]
  /// How many moments the transactions of each step have.
  let moments: [Int]

  /// Plays the script on a store of its own, and leaves at `store` one that nothing was done to.
  init(seed: UInt64, store: String, keyFile: String) async throws {
    script = Script(seed: seed)
    let player = ScriptPlayer(script)
    let made = try await Store.create(
      at: store, account: "ben", device: 1,
      with: NewSlot(.keyFile(KeyFile(path: keyFile))), options: player.options())
    var prints = [try await Fingerprint(of: made)]
    await made.close()

    let own = "\(store)-reference"
    let counter = MomentCounter()
    try Self.copy(store, to: own)
    let opened = try await Store.open(
      at: own, with: .keyFile(KeyFile(path: keyFile)), options: player.options(counter.hook))
    var moments: [Int] = []
    for number in script.steps.indices {
      _ = counter.take()
      try await player.play(number, on: opened)
      moments.append(counter.take())
      prints.append(try await Fingerprint(of: opened))
    }
    let isClean = try await opened.verify().isClean
    await opened.close()
    try Files.removeTree(own)
    guard isClean else { throw ChaosFailure.referenceUnclean }
    self.prints = prints
    self.moments = moments
  }

  /// The store is closed, so that nothing of SQLite's is open beside this.
  private static func copy(_ store: String, to path: String) throws(SystemError) {
    try Files.makeFolder(path)
    for name in try Files.names(in: store) {
      let content = try Files.content(of: "\(store)/\(name)", limit: 1 << 30)
      try OpenFile("\(path)/\(name)", .create).write(content)
    }
  }
}
