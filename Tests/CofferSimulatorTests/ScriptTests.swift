import Coffer
import CofferKeys
import Testing

@testable import CofferSimulator

@Suite struct ScriptTests {
  private func life(_ script: Script, reopening: Bool = false) async throws -> (
    prints: [Fingerprint], store: Store, moments: [Int]
  ) {
    let scratch = try Scratch()
    let player = ScriptPlayer(script)
    let counter = MomentCounter()
    let key = [UInt8](repeating: 7, count: 32)
    var store = try await Store.create(
      at: scratch.store, account: "ben", device: 1,
      with: NewSlot(.keyFile(unsafe try KeyFile(content: key.span.bytes))),
      options: player.options(counter.hook))
    var prints: [Fingerprint] = []
    var moments: [Int] = []
    for number in script.steps.indices {
      _ = counter.take()
      try await player.play(number, on: store)
      moments.append(counter.take())
      prints.append(try await Fingerprint(of: store))
      if reopening, number % 7 == 0 {
        await store.close()
        store = try await Store.open(
          at: scratch.store, with: .keyFile(unsafe try KeyFile(content: key.span.bytes)),
          options: player.options(counter.hook))
      }
    }
    return (prints, store, moments)
  }

  @Test(arguments: [1, 2, 3]) func aScriptLeavesTheSameRowsWhoeverPlaysIt(seed: UInt64) async throws
  {
    let script = Script(seed: seed)
    let (first, store, moments) = try await life(script)
    let (second, other, _) = try await life(script, reopening: true)
    #expect(first.indices.first { first[$0] != second[$0] } == nil)
    let result = try await store.verify()
    #expect(result.isClean, "\(result.findings)")
    for verb in ScriptVerb.allCases {
      let places = script.steps.indices.filter { script.steps[$0].verb == verb }
      #expect(
        places.contains { moments[$0] > 0 && $0 > 0 && first[$0] != first[$0 - 1] },
        "\(verb) does nothing")
    }
    await store.close()
    await other.close()
  }
}
