import CofferDatabase
import CofferSystem
import Synchronization
import Testing

@testable import Coffer

/// A device that comes back to 230 messages in three groups, and dies on the way.
@Suite struct SeedScenarioTests {
  private static let groups = [("family", 120), ("hiking", 80), ("work", 30)]
  private static let total = 230
  private static let pageSize = 50

  /// The inbox: the groups' messages, mixed as they came.
  private static let inbox: [Item] = {
    var left = groups
    var seqs = [0, 0, 0]
    return (1...total).map { number in
      var place = number % 3
      while left[place].1 == 0 { place = (place + 1) % 3 }
      left[place].1 -= 1
      seqs[place] += 1
      return item(number, in: groups[place].0, seq: Int64(seqs[place]))
    }
  }()

  private static func stretch(after cursor: Int64) -> Page {
    let next = min(cursor + Int64(pageSize), Int64(total))
    return Page(base: cursor, next: next, items: Array(inbox[Int(cursor)..<Int(next)]))
  }

  private func catchUp(_ store: Store) async throws {
    var cursor = try await store.cursor()
    while cursor < Self.total {
      cursor = try await store.receive(Self.stretch(after: cursor)).cursor
    }
  }

  /// What a kill at each moment leaves is what the file system has then.
  ///
  /// From every one of them the
  /// device comes to the same 230 messages. `coffer chaos --every-statement` does so with processes.
  @Test func killedAtAnyStatementNothingIsMissing() async throws {
    let scratch = try Scratch()
    try await scratch.create().close()
    let copies = Mutex<[Scratch]>([])
    let moment = Mutex(0)
    // Every seventh moment, from another one on in each run.
    let start = Int.random(in: 0..<7)
    var options = Store.Options()
    options.hook = StatementHook { _, _ in
      let now = moment.withLock { moment in
        moment += 1
        return moment
      }
      guard now % 7 == start else { return }
      do {
        let copy = try Scratch()
        try copy.copyFolder(scratch.store, to: copy.store)
        copies.withLock { $0.append(copy) }
      } catch { Issue.record(error) }
    }
    let store = try await scratch.open(options: options)
    try await catchUp(store)
    await store.close()
    let left = copies.withLock { $0 }
    #expect(left.count > 100)
    for (index, copy) in left.enumerated() {
      let store = try await copy.open()
      let cursor = try await store.cursor()
      // Whole pages, and never a message without its cursor or the other way round.
      #expect(cursor % Int64(Self.pageSize) == 0 || cursor == Int64(Self.total))
      #expect(
        try await store.information().messages == cursor, "moment \(index * 7 + start)")
      try await catchUp(store)
      for (group, count) in Self.groups {
        let texts = try await store.shown(group)
        #expect(texts.count == count, "moment \(index * 7 + start)")
        #expect(texts.allSatisfy { $0.hasPrefix("message") })
      }
      if index % 10 == 0 { #expect(try await store.isClean()) }
      await store.close()
    }
  }

  @Test func eightThousandMessagesIn161PagesAre161Commits() async throws {
    let scratch = try Scratch()
    try await scratch.create().close()
    let commits = Mutex(0)
    var options = Store.Options()
    options.hook = StatementHook { moment, sql in
      if moment == .after, sql.hasPrefix("COMMIT") { commits.withLock { $0 += 1 } }
    }
    let store = try await scratch.open(options: options)
    try await store.receive(page(1...1))
    commits.withLock { $0 = 0 }
    var pages = 0
    var base = 1
    while base < 8011 {
      let next = min(base + 50, 8011)
      try await store.receive(page(base + 1...next))
      base = next
      pages += 1
    }
    #expect(pages == 161)
    #expect(commits.withLock { $0 } == 161)
    #expect(try await store.information().messages == 8011)
    await store.close()
  }
}
