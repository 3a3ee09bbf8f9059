import Synchronization

/// The time of a simulation, which only the simulation moves.
final class SimulatedClock: Sendable {
  /// Where every simulation begins, in milliseconds since 1970.
  static let start: Int64 = 1_790_000_000_000

  private let value = Mutex(start)

  var now: Int64 { value.withLock { $0 } }

  func advance(to time: Int64) { value.withLock { $0 = max($0, time) } }
}

/// The clock of one device, which may be wrong and be set.
final class DeviceClock: Sendable {
  private let world: SimulatedClock
  private let offset: Mutex<Int64>

  init(_ world: SimulatedClock, offset: Int64) {
    self.world = world
    self.offset = Mutex(offset)
  }

  var now: Int64 { max(0, world.now + offset.withLock { $0 }) }

  func jump(by milliseconds: Int64) { offset.withLock { $0 += milliseconds } }
}
