import CofferSystem

/// The least processor time of several runs, in seconds: what the work costs without the noise of
/// a machine that others use too.
struct Fastest {
  private(set) var seconds = Double.infinity

  mutating func note(nanoseconds: Int64) { seconds = min(seconds, Double(nanoseconds) / 1e9) }
}

/// Processor time of this whole process while `body` runs, all its threads together.
func processorTime(_ body: () async throws -> Void) async rethrows -> Int64 {
  let start = Clock.processorNanoseconds
  try await body()
  return Clock.processorNanoseconds - start
}
