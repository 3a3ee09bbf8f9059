/// What is to happen, by time; of one time, in the order in which it was planned.
struct Schedule<Happening: Sendable>: Sendable {
  private struct Entry: Sendable {
    let time: Int64
    let number: Int
    let happening: Happening
  }

  // The next one stands last.
  private var entries: [Entry] = []
  private var count = 0

  var isEmpty: Bool { entries.isEmpty }
  var nextTime: Int64? { entries.last?.time }

  mutating func plan(_ happening: Happening, at time: Int64) {
    count += 1
    let entry = Entry(time: time, number: count, happening: happening)
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let other = entries[middle]
      if (other.time, other.number) > (time, count) { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }

  mutating func next() -> (time: Int64, happening: Happening)? {
    entries.popLast().map { ($0.time, $0.happening) }
  }

  func contains(where isMeant: (Happening) -> Bool) -> Bool {
    entries.contains { isMeant($0.happening) }
  }

  mutating func removeAll(where isGone: (Happening) -> Bool) {
    entries.removeAll { isGone($0.happening) }
  }
}
