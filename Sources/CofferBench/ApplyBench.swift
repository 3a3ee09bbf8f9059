import Coffer
import CofferSystem

/// Applies 8,010 messages in 161 pages: ours, the same statements in C, the seed's schema in C.
struct ApplyBench {
  let options: Options
  let folder: String
  let report: Report

  static let messages = 8_010
  static let pageSize = 50
  /// Applied before the clock runs: the other side's commits have just emptied the page cache.
  static let warmUp = 1_000

  /// Each round begins with two new stores.
  func intoEmptyStores() async throws {
    var ours = Fastest()
    var c = Fastest()
    for round in 0..<options.rounds {
      let file = try await StoreFile(named: "empty-\(round)", in: folder)
      let twin = try await StoreFile(named: "empty-twin-\(round)", in: folder)
      await twin.store.close()
      let workload = try Workload()
      let batch = workload.next(Self.messages)
      let pages = batch.pages(of: Self.pageSize)
      ours.note(nanoseconds: try await processorTime { try await file.receive(pages) })
      let door = try DoorTwin(twin)
      c.note(
        nanoseconds: try await processorTime {
          try door.apply(batch, pageSize: Self.pageSize)
        })
      await file.store.close()
    }
    try report.add(
      Measurement(
        name: "apply", rows: 0, unit: .seconds, ours: ours.seconds, otherName: "c",
        other: c.seconds))
  }

  /// Ours and C take turns on one store, each on a connection of its own that stays open.
  func into(_ big: BigStore, seed: BigSeed) async throws {
    let door = try DoorTwin(big.file)
    let seedTwin = try SeedTwin(seed.path, key: big.file.key)
    var ours = Fastest()
    var c = Fastest()
    var seedTime = Fastest()
    for _ in 0..<options.rounds {
      try await big.file.checkpoint()
      try await big.file.receive(big.workload.next(Self.warmUp).pages(of: Self.pageSize))
      let pages = big.workload.next(Self.messages).pages(of: Self.pageSize)
      ours.note(nanoseconds: try await processorTime { try await big.file.receive(pages) })

      try door.checkpoint()
      try door.apply(big.workload.next(Self.warmUp), pageSize: Self.pageSize)
      let batch = big.workload.next(Self.messages)
      c.note(
        nanoseconds: try await processorTime {
          try door.apply(batch, pageSize: Self.pageSize)
        })

      try seedTwin.checkpoint()
      try seedTwin.apply(seed.workload.next(Self.warmUp), pageSize: Self.pageSize)
      let seedBatch = seed.workload.next(Self.messages)
      seedTime.note(
        nanoseconds: try await processorTime {
          try seedTwin.apply(seedBatch, pageSize: Self.pageSize)
        })
    }
    try report.add(
      Measurement(
        name: "apply", rows: big.rows, unit: .seconds, ours: ours.seconds, otherName: "c",
        other: c.seconds, limit: 1.25 * options.slack))
    try report.add(
      Measurement(
        name: "apply-against-seed", rows: big.rows, unit: .seconds, ours: ours.seconds,
        otherName: "c", other: seedTime.seconds,
        // Random ids cost little while their index still fits in the cache.
        limit: big.rows >= 1_000_000 ? 0.75 : nil))
  }
}

/// A store of many rows, and the workload that goes on from them.
struct BigStore {
  let file: StoreFile
  let workload: Workload
  let rows: Int

  init(rows: Int, in folder: String) async throws {
    self.rows = rows
    file = try await StoreFile(named: "rows-\(rows)", in: folder)
    workload = try Workload()
    let start = Clock.monotonicNanoseconds
    try await file.fill(rows, from: workload)
    try await file.checkpoint()
    let seconds = Double(Clock.monotonicNanoseconds - start) / 1e9
    Report.tell("received \(rows) messages in pages of 10,000 in \(seconds.fixed(1)) s")
  }
}

/// The same for the seed's schema, with random ids.
struct BigSeed {
  let path: String
  let workload: Workload

  init(rows: Int, key: String, in folder: String) throws {
    path = "\(folder)/seed-\(rows).db"
    workload = try Workload(randomIDs: true)
    let twin = try SeedTwin(path, key: key, bulk: true)
    var left = rows
    while left > 0 {
      let batch = workload.next(min(left, 10_000))
      try twin.apply(batch, pageSize: batch.count)
      left -= batch.count
    }
    try twin.checkpoint()
  }
}
