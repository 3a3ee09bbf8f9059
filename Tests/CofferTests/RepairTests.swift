import CofferDatabase
import CofferSystem
import Testing

@testable import Coffer

/// What follows from other rows is set right from them; everything else stays as it is.
@Suite struct RepairTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Something of everything: gaps of both kinds, what is pending, failed and acknowledged, a
  /// tombstone, an edit, a reaction, receipts, a push ahead, an item in quarantine.
  private func makeStore() async throws -> Store {
    let store = try await scratch.create()
    let ann = { MessageReference(sender: "ann", id: id($0)) }
    try await store.receive(page(1...6))
    try await store.receive(
      Page(
        base: 6, next: 12,
        items: [
          Item(item(7).envelope, .event(.edit(of: ann(2), text: "edited"))),
          Item(item(8).envelope, .event(.delete(ann(3)))),
          Item(item(9).envelope, .event(.reaction(to: ann(4), emoji: "👍", isAdded: true))),
          item(10, in: "work", seq: 1, from: "cem"), item(11, in: "work", seq: 5, from: "cem"),
          item(12, seq: 20),
        ]))
    try await store.receive([item(30, seq: 30), item(2, seq: 1, text: "another")])
    try await store.receive(push: item(40, in: "work", seq: 6, from: "cem"))
    try await store.sql("UPDATE gaps SET status = 1 WHERE first = 21")
    let sent = try await store.send(Draft("sent", to: "hiking", id: id(100)))
    try await store.acknowledge(sent, seq: 31)
    try await store.receive([receipt(delivered: 31, read: 0)])
    let failed = try await store.send(Draft("failed", to: "work", id: id(103)))
    let lease = store.makeLease()
    _ = try await store.claim(by: lease, limit: 10)
    try await store.fail(failed, by: lease, .blocked)
    try await store.send(Draft("pending", to: "hiking", id: id(101)))
    try await store.react(to: ann(5), emoji: "🌧")
    try await store.send(Draft("pending too", to: "work", id: id(102)))
    #expect(try await store.isClean())
    return store
  }

  private func receipt(delivered: Int64, read: Int64) -> Item {
    Item(
      Envelope(
        conversation: "hiking", seq: nil, sender: "ann", device: 1, id: id(200), sentAt: 1),
      .event(.receipt(Receipt(delivered: delivered, read: read))))
  }

  /// What no repair may change.
  private static let kept = [
    TableRows(
      name: "messages",
      columns: [
        "id", "conversation_id", "seq", "sender_id", "msg_id", "text", "content", "edit_seq",
        "deleted_seq", "sent_at", "received_at",
      ]),
    TableRows(
      name: "events",
      columns: ["conversation_id", "seq", "event_id", "sender_id", "kind", "target_id", "content"]),
    TableRows(name: "quarantine", columns: ["id", "digest", "raw", "reason", "first_seen"]),
    TableRows(name: "accounts", columns: ["id", "address"]),
    TableRows(name: "sync_state", columns: ["key", "value"]),
  ]

  private static let derived = [
    TableRows(
      name: "conversations",
      columns: ["id", "max_seq", "unread", "newest_id", "newest_seq", "draft", "read_seq"]),
    TableRows(name: "gaps", columns: ["conversation_id", "first", "last", "status"]),
    TableRows(name: "messages", columns: ["id", "state"]),
    TableRows(
      name: "outbox", columns: ["event_id", "conversation_id", "message_id", "kind", "content"]),
    TableRows(name: "reactions", columns: ["message_id", "account_id", "emoji", "added"]),
    TableRows(name: "members", columns: ["conversation_id", "account_id"]),
    TableRows(
      name: "receipts", columns: ["conversation_id", "account_id", "delivered_seq", "read_seq"]),
    TableRows(name: "ahead", columns: ["inbox"]),
  ]

  /// What is broken by hand, and what sets it right again, exactly as it was.
  static let breakages: [(repair: Repair, sql: String)] = [
    (.counter, "UPDATE sync_state SET value = 3 WHERE key = 'changed'"),
    (.counter, "UPDATE sync_state SET value = 'x' WHERE key = 'changed'"),
    (.counter, "DELETE FROM sync_state WHERE key = 'changed'"),
    (.orphans, "INSERT INTO reactions VALUES (999, 2, '👍', 5, 1)"),
    (.orphans, "INSERT INTO reactions VALUES (1, 999, '👍', 5, 1)"),
    (.orphans, "INSERT INTO members VALUES (999, 2, 5, NULL, 1)"),
    (.orphans, "INSERT INTO receipts VALUES (999, 2, 5, 4, 1)"),
    (.orphans, "INSERT INTO gaps VALUES (999, 2, 5, 0, 1)"),
    (.orphans, "INSERT INTO envelopes VALUES (999, 2, 1, x'00')"),
    (
      .orphans,
      "INSERT INTO outbox (event_id, conversation_id, kind, content) VALUES (zeroblob(16), 999, 3, x'00')"
    ),
    (
      .orphans,
      "INSERT INTO outbox (event_id, conversation_id, message_id, kind) VALUES (zeroblob(16), 1, 999, 0)"
    ),
    (.states, "UPDATE messages SET state = 0 WHERE sender_id = 1"),
    (.states, "UPDATE messages SET state = 4 WHERE sender_id <> 1"),
    (.states, "UPDATE messages SET state = 3 WHERE seq IS NULL"),
    (
      .states,
      "UPDATE messages SET state = 1 WHERE msg_id IN (SELECT msg_id FROM messages WHERE seq = 31)"
    ),
    (.states, "UPDATE messages SET state = 3 WHERE seq = 31"),
    (.outbox, "DELETE FROM outbox WHERE kind = 0"),
    (.outbox, "UPDATE outbox SET message_id = NULL"),
    (.outbox, "UPDATE outbox SET message_id = 1"),
    (.outbox, "UPDATE outbox SET conversation_id = 3 - conversation_id WHERE kind = 0"),
    (
      .outbox,
      """
      INSERT INTO outbox (event_id, conversation_id, message_id, kind)
      SELECT msg_id, 1, id, 0 FROM messages WHERE seq = 31
      """
    ),
    (.outbox, "DELETE FROM outbox WHERE failed = 1"),
    (.outbox, "UPDATE outbox SET payload = NULL, error = NULL WHERE failed = 1"),
    (.outbox, "UPDATE outbox SET leased_until = 5"),
    (.outbox, "UPDATE outbox SET leased_by = zeroblob(16), leased_until = 5 WHERE payload IS NULL"),
    (.outbox, "UPDATE messages SET state = 3 - state WHERE seq IS NULL"),
    (
      .outbox,
      "UPDATE outbox SET message_id = (SELECT id FROM messages WHERE seq = 5 AND conversation_id = 2) WHERE kind = 3"
    ),
    (.range, "UPDATE conversations SET max_seq = 2"),
    (.range, "UPDATE conversations SET max_seq = max_seq - 1"),
    (.gaps, "UPDATE gaps SET last = last + 1 WHERE status = 0"),
    (.gaps, "UPDATE gaps SET first = first - 2 WHERE status = 0 AND conversation_id = 1"),
    (.gaps, "INSERT INTO gaps VALUES (1, 1, 3, 0, 1)"),
    (.gaps, "INSERT INTO gaps VALUES (1, 32, 90000000, 0, 1)"),
    (.gaps, "UPDATE gaps SET last = first WHERE status = 0 AND conversation_id = 1"),
    (
      .gaps,
      """
      UPDATE gaps SET last = first + 3 WHERE status = 0 AND conversation_id = 1;
      INSERT INTO gaps SELECT 1, last + 1, 19, 0, 1 FROM gaps WHERE status = 0 AND conversation_id = 1
      """
    ),
    (.gaps, "DELETE FROM gaps WHERE status = 0"),
    (.gaps, "UPDATE gaps SET status = 7 WHERE status = 0"),
    (
      .deletedTexts,
      "INSERT INTO reactions SELECT id, 2, '👍', 5, 1 FROM messages WHERE deleted_seq IS NOT NULL"
    ),
    (.unread, "UPDATE conversations SET unread = unread + 1"),
    (.unread, "UPDATE conversations SET unread = 0"),
    (.preview, "UPDATE conversations SET newest_id = 1, newest_seq = 1"),
    (.preview, "UPDATE conversations SET newest_id = NULL, newest_seq = 17"),
    (.ahead, "INSERT OR IGNORE INTO ahead VALUES (1), (12), (13)"),
  ]

  @Test(arguments: breakages.indices)
  func whatFollowsFromOtherRowsIsAsItWas(index: Int) async throws {
    let (repair, sql) = Self.breakages[index]
    let store = try await makeStore()
    let before = try await store.rows(of: Self.kept + Self.derived)
    try await store.sql("PRAGMA foreign_keys = OFF; \(sql); PRAGMA foreign_keys = ON")
    let result = try await store.repair()
    #expect(!result.before.isClean)
    #expect(result.changes.map(\.kind).contains(repair.rawValue), "\(result.changes)")
    #expect(result.after.isClean, "\(result.after.findings)")
    var after = try await store.rows(of: Self.kept + Self.derived)
    for (index, table) in before.enumerated() where table.name == "sync_state" {
      // The counter of changes goes on.
      after[index].rows.removeAll { $0.hasPrefix("'changed'") }
      #expect(after[index].rows == table.rows.filter { !$0.hasPrefix("'changed'") })
      after[index] = table
    }
    for (before, after) in zip(before, after) { #expect(after == before) }
    // A second time there is nothing to do.
    let again = try await store.repair()
    #expect(again.changes.isEmpty && again.before.isClean)
  }

  @Test func everyRepairIsBrokenByHand() {
    #expect(Set(Self.breakages.map(\.repair)) == Set(Repair.allCases))
  }

  @Test func everyRepairIsNamedByARuleOrMendsReferences() {
    let named = Set(Invariant.all.compactMap(\.repair))
    #expect(named.union([.orphans]) == Set(Repair.allCases))
  }

  /// What the rows can't tell stays as it is and is said again.
  static let beyondRepair = [
    "UPDATE messages SET text = NULL WHERE seq = 4",
    "UPDATE messages SET deleted_seq = 9 WHERE seq = 2",
    "INSERT INTO events VALUES (1, 2, zeroblob(16), 2, 1, NULL, NULL, NULL, 1, 1)",
    "UPDATE conversations SET first_seq = 3 WHERE id = 1",
    "UPDATE messages SET sender_id = 99 WHERE seq = 2",
    "UPDATE events SET conversation_id = 99 WHERE seq = 7",
    "DELETE FROM sync_state WHERE key = 'inbox_cursor'",
    "UPDATE sync_state SET value = -1 WHERE key = 'device'",
    "UPDATE accounts SET changed = 9223372036854775807 WHERE id = 1",
    "UPDATE events SET target_sender = 1 WHERE kind = 3",
  ]

  @Test(arguments: beyondRepair)
  func whatTheRowsCannotTellStaysAFinding(sql: String) async throws {
    let store = try await makeStore()
    try await store.sql("PRAGMA foreign_keys = OFF; \(sql); PRAGMA foreign_keys = ON")
    let kept = Array(Self.kept.dropLast())
    let before = try await store.rows(of: kept)
    let result = try await store.repair()
    #expect(!result.after.isClean)
    #expect(!result.isBeyondRepair)
    #expect(try await store.rows(of: kept) == before)
  }

  /// A message's words may be nowhere else than in what was handed over.
  @Test func sealedWordsWithoutTheirMessageAreKept() async throws {
    let store = try await makeStore()
    try await store.sql(
      """
      PRAGMA foreign_keys = OFF;
      UPDATE outbox SET payload = x'c0ffee' WHERE kind = 0 AND conversation_id = 1;
      DELETE FROM messages WHERE seq IS NULL;
      PRAGMA foreign_keys = ON
      """)
    let result = try await store.repair()
    #expect(!result.after.isClean)
    let kept = TableRows(name: "outbox", columns: ["payload"])
    #expect(try await store.rows(of: [kept])[0].rows.contains("X'C0FFEE'"))
  }

  @Test func aCleanStoreIsNotWrittenTo() async throws {
    let store = try await makeStore()
    await store.close()
    let path = "\(scratch.store)/store-1.db"
    let before = try Files.content(of: path, limit: 1 << 28)
    let again = try await scratch.open()
    #expect(try await again.repair().changes.isEmpty)
    await again.close()
    #expect(try Files.content(of: path, limit: 1 << 28) == before)
  }

  /// Rows of a damaged page can't be trusted, nor what would be derived from them.
  @Test func aDamagedStoreIsNotTouched() async throws {
    let store = try await makeStore()
    try await store.sql("UPDATE conversations SET unread = 77")
    await store.close()
    let path = "\(scratch.store)/store-1.db"
    var content = try Files.content(of: path, limit: 1 << 28)
    content[content.count - 2000] ^= 1
    try Files.replace(path, with: content, through: "\(scratch.folder)/tmp")
    let damaged = try await scratch.open()
    let result = try await damaged.repair()
    #expect(result.isBeyondRepair)
    #expect(result.changes.isEmpty)
    #expect(result.after == result.before)
    await damaged.close()
    #expect(try Files.content(of: path, limit: 1 << 28) == content)
  }

  /// Several at once, in any order: what one uncovers the next sets right.
  @Test func anyMixtureIsSetRight() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    for _ in 0..<25 {
      let one = try RepairTests()
      let store = try await one.makeStore()
      let before = try await store.rows(of: Array(Self.kept.dropLast()))
      let mixture = Self.breakages.shuffled(using: &random)
        .prefix(Int.random(in: 2...6, using: &random))
      for breakage in mixture {
        // Two of them may ask for the same row.
        try? await store.sql("PRAGMA foreign_keys = OFF; \(breakage.sql)")
      }
      try await store.sql("PRAGMA foreign_keys = ON")
      let result = try await store.repair()
      #expect(
        result.after.isClean,
        "seed \(seed): \(mixture.map(\.sql)): \(result.after.findings)")
      #expect(try await store.rows(of: Array(Self.kept.dropLast())) == before, "seed \(seed)")
      await store.close()
    }
  }
}

/// Gaps against a plain set of seqs.
@Suite struct GapRowTests {
  @Test func whatIsMissingKeepsWhatWasKnownOfIt() {
    let known = [GapRow(1, 10, 1), GapRow(5, 6, 0), GapRow(20, 30, 1), GapRow(31, 35, 1)]
    #expect(
      GapRow.filling([2...4, 6...8, 25...40], as: known) == [
        GapRow(2, 4, 1), GapRow(6, 6, 0), GapRow(7, 8, 1), GapRow(25, 35, 1),
        GapRow(36, 40, 0),
      ])
    #expect(GapRow.filling([5 ... .max], as: []) == [GapRow(5, .max, 0)])
    #expect(
      GapRow.filling([5 ... .max], as: [GapRow(9, .max, 1)])
        == [GapRow(5, 8, 0), GapRow(9, .max, 1)])
  }

  @Test func everySeqHasTheStatusThatASetGivesIt() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    for _ in 0..<2_000 {
      let missing = ranges(&random)
      let known = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        let first = Int64.random(in: 1...40, using: &random)
        return GapRow(
          first, first + Int64.random(in: 0...12, using: &random),
          Int64.random(in: 0...1, using: &random))
      }.sorted { $0.first < $1.first }
      let found = GapRow.filling(missing, as: known)
      var status: [Int64: Int64] = [:]
      for stretch in found {
        for seq in stretch.first...stretch.last {
          #expect(status[seq] == nil)
          status[seq] = stretch.status
        }
      }
      var expected: [Int64: Int64] = [:]
      for seq in missing.joined() {
        let said = known.filter { $0.first <= seq && seq <= $0.last }
        expected[seq] = !said.isEmpty && said.allSatisfy { $0.status == 1 } ? 1 : 0
      }
      #expect(status == expected, "seed \(seed)")
      for (one, next) in zip(found, found.dropFirst()) {
        #expect(next.first > one.last + 1 || next.status != one.status, "seed \(seed)")
      }
    }
  }

  private func ranges(_ random: inout SplitMix64) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    var first = Int64.random(in: 1...6, using: &random)
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let last = first + Int64.random(in: 0...8, using: &random)
      ranges.append(first...last)
      first = last + Int64.random(in: 2...6, using: &random)
    }
    return ranges
  }
}
