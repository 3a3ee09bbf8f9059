import CofferSystem
import Testing

@testable import Coffer

/// A check that cannot fail is worth nothing: each rule is broken by hand and must be named.
@Suite struct VerifyTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let breakages: [(rule: String, sql: String)] = [
    ("do not add up", "DELETE FROM messages WHERE seq = 3"),
    ("do not add up", "DELETE FROM gaps"),
    ("outside the range", "UPDATE conversations SET max_seq = max_seq - 1"),
    (
      "message and an event",
      "INSERT INTO events VALUES (1, 2, zeroblob(16), 2, 1, NULL, NULL, NULL, 1, 1)"
    ),
    ("missing at once", "INSERT INTO gaps VALUES (1, 2, 3, 0, 1)"),
    ("overlap", "INSERT INTO gaps VALUES (1, 8, 9, 0, 1)"),
    ("exactly one outbox entry", "DELETE FROM outbox"),
    ("outbox entries", "UPDATE outbox SET message_id = 1"),
    ("state contradicts", "UPDATE messages SET state = 3 WHERE seq IS NULL"),
    ("state contradicts", "UPDATE messages SET state = 0 WHERE seq IS NULL"),
    ("of other kinds", "UPDATE gaps SET status = 7"),
    ("preview", "UPDATE conversations SET newest_id = 1, newest_seq = 1"),
    ("preview", "UPDATE conversations SET newest_seq = 4"),
    ("unread", "UPDATE conversations SET unread = 1"),
    ("ahead", "INSERT INTO ahead VALUES (6)"),
    (
      "outbox entries",
      "INSERT INTO outbox (event_id, conversation_id, kind) VALUES (randomblob(16), 1, 0)"
    ),
    ("without a body", "UPDATE messages SET text = NULL WHERE seq = 2"),
    (
      "repeats of an event",
      """
      DELETE FROM messages WHERE seq = 2;
      INSERT INTO events VALUES (1, 2, zeroblob(16), 2, 2, NULL, NULL, NULL, 1, 1)
      """
    ),
    (
      "wait for a message",
      """
      DELETE FROM messages WHERE seq = 2;
      INSERT INTO events SELECT 1, 2, randomblob(16), 2, 4, 2, msg_id, NULL, 0, 1
      FROM messages WHERE seq = 3
      """
    ),
    (
      "somebody else's",
      """
      DELETE FROM messages WHERE seq = 2;
      INSERT INTO events VALUES (1, 2, randomblob(16), 2, 3, 1, randomblob(16), NULL, 1, 1)
      """
    ),
    ("tombstones with one", "UPDATE messages SET deleted_seq = 9 WHERE seq = 2"),
    (
      "of deleted messages",
      """
      UPDATE messages SET text = NULL, deleted_seq = 9 WHERE seq = 2;
      INSERT INTO reactions SELECT id, 1, 'x', 3, 1 FROM messages WHERE seq = 2
      """
    ),
    (
      "as far as every other member",
      """
      UPDATE messages SET sender_id = 1, state = 3 WHERE seq = 2;
      INSERT INTO receipts VALUES (1, 2, 2, 0, 1)
      """
    ),
    ("counter of changes", "INSERT INTO members VALUES (1, 1, 1, NULL, 999999)"),
    ("numbers of the store", "UPDATE sync_state SET value = -5 WHERE key = 'inbox_cursor'"),
    ("numbers of the store", "UPDATE sync_state SET value = 'x' WHERE key = 'changed'"),
    ("counter of changes", "UPDATE sync_state SET value = 1 WHERE key = 'changed'"),
    ("missing", "DELETE FROM sync_state WHERE key = 'device'"),
    (
      "lead nowhere",
      "PRAGMA foreign_keys = OFF; UPDATE messages SET sender_id = 99 WHERE seq = 2"
    ),
  ]

  @Test(arguments: breakages.indices)
  func everyRuleIsSeenToBeBroken(index: Int) async throws {
    let (rule, sql) = Self.breakages[index]
    let store = try await scratch.create()
    try await store.receive(page(1...5))
    try await store.receive([item(10)])
    try await store.send(Draft("pending", to: "hiking"))
    #expect(try await store.isClean())
    await store.close()
    try await scratch.sql(sql)
    let again = try await scratch.open()
    let found = try await again.verify().findings.map(\.text)
    #expect(found.contains { $0.contains(rule) }, "\(found)")
  }

  /// Every rule is a walk along an index: no pair of gaps that lie apart is compared.
  @Test func manyGapsAreCheckedInOneWalk() async throws {
    let store = try await scratch.create()
    try await store.receive([item(1)])
    try await store.sql(
      """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 2 FROM n WHERE i < 100000)
      INSERT INTO gaps SELECT 1, i, i, 0, 1 FROM n
      """)
    let start = ContinuousClock.now
    _ = try await store.verify()
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  /// One flipped bit in every page of the file is found, and the text of a damaged page is never
  /// given out.
  @Test func everyDamagedPageIsFound() async throws {
    let store = try await scratch.create()
    for start in stride(from: 1, through: 951, by: 50) {
      try await store.receive(page(start...start + 49))
    }
    await store.close()
    let path = "\(scratch.store)/store-1.db"
    let whole = try Files.content(of: path, limit: 1 << 28)
    let pages = whole.count / 4096
    #expect(pages > 20)
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed)
    for page in 0..<pages {
      var damaged = whole
      damaged[page * 4096 + Int.random(in: 0..<4096, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      try rewrite(path, damaged)
      do {
        let opened = try await scratch.open()
        let found = try await opened.verify()
        #expect(!found.isClean, "page \(page), seed \(seed)")
        await opened.close()
      } catch let error as StoreError {
        guard case .damaged = error else {
          Issue.record("page \(page), seed \(seed): \(error)")
          continue
        }
      }
      try? Files.removeIfThere("\(path)-wal")
      try? Files.removeIfThere("\(path)-shm")
    }
    try rewrite(path, whole)
    #expect(try await scratch.open().isClean())
  }

  private func rewrite(_ path: String, _ content: [UInt8]) throws {
    try Files.replace(path, with: content, through: "\(path).tmp")
  }
}
