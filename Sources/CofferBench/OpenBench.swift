import Coffer
import CofferDatabase
import CofferSystem

/// Opens chats at their newest 50 messages, measured inside the reader, after the snapshot began
/// and before anything crosses to another thread.
///
/// `open`: one chat again and again, as when a person goes back to it; its pages are cached.
/// `open-any`: any of the 200 chats at random, all of which were opened before; what of them the
/// cache of 8 MB holds is cached. `open-after-commit`: any chat, each after a commit of the writer,
/// which empties the reader's cache: every page is read, authenticated and decrypted. The limits
/// are judged on the first two; after a commit that work outweighs all else, and is only reported.
struct OpenBench {
  let options: Options
  let report: Report
  let stores: [BigStore]

  static let limit = 50
  /// How often a round opens a chat.
  static let opens = 1_000
  static let opensAfterCommit = 50

  func run() async throws {
    let one = [String](repeating: Workload.name(Workload.conversations / 2), count: Self.opens)
    let any = Self.anyChats(Self.opens)
    try await measure("open", one)
    try await measure("open-any", any)
    try await measureAfterCommits()
  }

  /// Chats at random, the same ones for both sides.
  private static func anyChats(_ count: Int) -> [String] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Workload.name(Int(state >> 8) % Workload.conversations + 1)
    }
  }

  private func measure(_ name: String, _ chats: [String]) async throws {
    let twins = try stores.map { try ReaderTwin($0.file) }
    var ours = [Fastest](repeating: Fastest(), count: stores.count)
    var c = ours
    for round in 0...options.rounds {
      for (index, store) in stores.enumerated() {
        let (time, entries) = try await Self.open(chats, of: store.file.store)
        let start = Clock.processorNanoseconds
        let same = try twins[index].open(chats, limit: Self.limit)
        let twinTime = Clock.processorNanoseconds - start
        guard entries == same else {
          throw BenchError.failed("\(name): \(entries) entries, in C \(same)")
        }
        // The first round fills the caches.
        if round == 0 { continue }
        ours[index].note(nanoseconds: time)
        c[index].note(nanoseconds: twinTime)
      }
    }
    let count = Double(chats.count)
    for (index, store) in stores.enumerated() {
      try report.add(
        Measurement(
          name: name, rows: store.rows, unit: .seconds, ours: ours[index].seconds / count,
          otherName: "c", other: c[index].seconds / count, limit: 1.5 * options.slack))
    }
    guard stores.count >= 2 else { return }
    let (last, before) = (stores.count - 1, stores.count - 2)
    try report.add(
      Measurement(
        name: "\(name)-growth", rows: stores[last].rows, unit: .seconds,
        ours: ours[last].seconds / count, otherName: "ours-at-\(stores[before].rows)",
        other: ours[before].seconds / count, limit: 1.2 * options.slack))
  }

  private func measureAfterCommits() async throws {
    let chats = Self.anyChats(Self.opensAfterCommit)
    for store in stores {
      let twin = try ReaderTwin(store.file)
      var ours = Fastest()
      var c = Fastest()
      for _ in 0..<options.rounds {
        var (time, twinTime): (Int64, Int64) = (0, 0)
        for chat in chats {
          try await store.file.receive(store.workload.next(1).pages(of: 1))
          time += try await Self.open([chat], of: store.file.store).time
          let start = Clock.processorNanoseconds
          _ = try twin.open([chat], limit: Self.limit)
          twinTime += Clock.processorNanoseconds - start
        }
        ours.note(nanoseconds: time)
        c.note(nanoseconds: twinTime)
      }
      let count = Double(chats.count)
      try report.add(
        Measurement(
          name: "open-after-commit", rows: store.rows, unit: .seconds,
          ours: ours.seconds / count, otherName: "c", other: c.seconds / count))
    }
  }

  private static func open(
    _ chats: [String], of store: Store
  ) async throws -> (time: Int64, entries: Int64) {
    try await store.database.read { connection throws(DatabaseError) in
      var entries: Int64 = 0
      let start = Clock.processorNanoseconds
      for chat in chats {
        let page = try TimelinePage(of: chat, limit: limit, in: connection)
        entries += Int64(page?.entries.count ?? 0)
      }
      return (Clock.processorNanoseconds - start, entries)
    }
  }
}
