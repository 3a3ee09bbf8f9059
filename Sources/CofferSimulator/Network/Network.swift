import CofferSystem
import Coffer

/// What becomes of one request to the server.
struct Fate: Sendable, Equatable {
  /// After how long the server does it; twice, or never.
  var arrivals: [Int64]
  /// What the device hears instead of the server's answer.
  var failure: RelayError?
  /// After how long it hears.
  var answered: Int64
}

/// Decides what is lost, late and doubled.
///
/// Times are in milliseconds from the moment of sending.
struct Network: Sendable {
  /// How often something goes wrong, in a hundred; 0 once the simulation comes to rest.
  var trouble: Int

  /// When a device gives a request up.
  static let patience: Int64 = 10_000

  mutating func fate(
    ofSend isSend: Bool, _ random: inout SplitMix64, _ levers: inout LeverCounts
  ) -> Fate {
    let there = Int64.random(in: 5...60, using: &random)
    let back = there + Int64.random(in: 5...60, using: &random)
    guard Int.random(in: 0..<100, using: &random) < trouble else {
      return Fate(arrivals: [there], answered: back)
    }
    switch Int.random(in: 0..<(isSend ? 9 : 8), using: &random) {
    case 0:
      levers.pull(.droppedRequest)
      return Fate(arrivals: [], failure: .unreachable, answered: Self.patience)
    case 1, 2:
      levers.pull(.lostAnswer)
      return Fate(arrivals: [there], failure: .unreachable, answered: Self.patience)
    case 3:
      levers.pull(.slowAnswer)
      return Fate(
        arrivals: [there], answered: back + Int64.random(in: 500...8_000, using: &random))
    case 4:
      levers.pull(.lateRequest)
      let late = Self.patience + Int64.random(in: 100...60_000, using: &random)
      return Fate(arrivals: [late], failure: .unreachable, answered: Self.patience)
    case 5:
      levers.pull(.repeatedRequest)
      return Fate(
        arrivals: [there, there + Int64.random(in: 1...20_000, using: &random)], answered: back)
    case 6:
      levers.pull(.tooMany)
      let delay = random.one(in: 2) ? nil : Int64.random(in: 100...30_000, using: &random)
      return Fate(arrivals: [], failure: .retryable(after: delay), answered: back)
    case 7:
      levers.pull(.serverError)
      // The server may have done it and failed only afterwards.
      return Fate(
        arrivals: random.one(in: 2) ? [there] : [], failure: .retryable(), answered: back)
    default:
      levers.pull(.refused)
      let refusal: Refusal = random.one(in: 2) ? .blocked : .tooLarge
      return Fate(arrivals: [], failure: .refused(refusal), answered: back)
    }
  }

  /// After how long a push comes, each time that it comes.
  mutating func pushes(
    _ random: inout SplitMix64, _ levers: inout LeverCounts
  ) -> [Int64] {
    let soon = Int64.random(in: 5...60, using: &random)
    guard Int.random(in: 0..<100, using: &random) < 2 * trouble else { return [soon] }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      levers.pull(.droppedPush)
      return []
    case 1:
      levers.pull(.latePush)
      return [soon + Int64.random(in: 100...20_000, using: &random)]
    default:
      levers.pull(.repeatedPush)
      return [soon, soon + Int64.random(in: 0...20_000, using: &random)]
    }
  }
}
