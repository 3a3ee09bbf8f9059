import CofferDatabase

/// One thing that `verify` found wrong.
public struct Finding: Sendable, Equatable {
  public enum Area: String, Sendable {
    /// A page of the file does not authenticate.
    case pages
    /// Tables and indexes contradict each other.
    case tables
    /// A row points at one that is not there.
    case references
    /// What the rows say contradicts a rule of the store.
    case rules
  }

  public let area: Area
  /// What is wrong, with numbers of rows but never their content.
  public let text: String
}

/// A rule that the rows obey after every commit, as a query that counts what breaks it.
struct Invariant {
  let text: String
  /// What sets it right where the other rows say how; nothing where none of them do, so that it
  /// stays a finding for a person to judge.
  var repair: Repair?
  let sql: String

  static let all: [Invariant] = seqs + rows + outbox + derived + state

  // held ∪ gaps = max(first_seq, cleared_seq + 1) … max_seq, disjoint
  private static let seqs = [
    Invariant(
      text: "conversations whose held seqs and gaps do not add up to their range",
      repair: .gaps,
      sql: """
        SELECT count(*) FROM conversations c WHERE
          (SELECT count(seq) FROM messages WHERE conversation_id = c.id)
          + (SELECT count(*) FROM events WHERE conversation_id = c.id)
          + (SELECT coalesce(sum(last - first + 1), 0) FROM gaps WHERE conversation_id = c.id)
          <> max(c.max_seq - max(c.first_seq, c.cleared_seq + 1) + 1, 0)
        """),
    Invariant(
      text: "seqs outside the range of their conversation",
      repair: .range,
      sql: """
        SELECT
          (SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id
           WHERE m.seq > c.max_seq OR m.seq < max(c.first_seq, c.cleared_seq + 1))
          + (SELECT count(*) FROM events e JOIN conversations c ON c.id = e.conversation_id
             WHERE e.seq > c.max_seq OR e.seq < max(c.first_seq, c.cleared_seq + 1))
          + (SELECT count(*) FROM gaps g JOIN conversations c ON c.id = g.conversation_id
             WHERE g.last > c.max_seq OR g.first < max(c.first_seq, c.cleared_seq + 1))
        """),
    Invariant(
      text: "seqs held by a message and an event",
      sql: """
        SELECT count(*) FROM events e
        JOIN messages m ON m.conversation_id = e.conversation_id AND m.seq = e.seq
        """),
    Invariant(
      text: "seqs held and missing at once",
      repair: .gaps,
      sql: """
        SELECT count(*) FROM gaps g WHERE
          EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = g.conversation_id
                  AND m.seq BETWEEN g.first AND g.last)
          OR EXISTS (SELECT 1 FROM events e WHERE e.conversation_id = g.conversation_id
                     AND e.seq BETWEEN g.first AND g.last)
        """),
    Invariant(
      text: "gaps that overlap, or lie side by side with the same status",
      repair: .gaps,
      sql: """
        SELECT count(*) FROM gaps g JOIN gaps h
          ON h.conversation_id = g.conversation_id
          AND h.first > g.first AND h.first <= g.last + 1
        WHERE h.first <= g.last OR h.status = g.status
        """),
  ]

  private static let rows = [
    Invariant(
      text: "messages whose state contradicts their seq or sender",
      repair: .states,
      sql: """
        SELECT count(*) FROM messages WHERE
          (seq IS NULL) <> (state IN (1, 2)) OR (sender_id = 1) = (state = 0)
        """),
    Invariant(
      text: "messages without a body that are no tombstones, or tombstones with one",
      sql: """
        SELECT count(*) FROM messages WHERE (text IS NULL AND content IS NULL AND deleted_seq IS NULL)
          OR (deleted_seq IS NOT NULL AND (text IS NOT NULL OR content IS NOT NULL))
        """),
    Invariant(
      text: "texts of edits, or reactions, of deleted messages",
      repair: .deletedTexts,
      sql: """
        SELECT
          (SELECT count(*) FROM events e JOIN messages m
           ON m.msg_id = e.target_id AND m.sender_id = e.target_sender
             AND m.conversation_id = e.conversation_id
           WHERE m.deleted_seq IS NOT NULL AND e.kind IN (3, 5) AND e.content IS NOT NULL)
          + (SELECT count(*) FROM reactions r JOIN messages m ON m.id = r.message_id
             WHERE m.deleted_seq IS NOT NULL)
        """),
    Invariant(
      text: "events that wait for a message that is here",
      sql: """
        SELECT count(*) FROM events e JOIN messages m
          ON m.msg_id = e.target_id AND m.sender_id = e.target_sender
            AND m.conversation_id = e.conversation_id
        WHERE e.applied = 0
        """),
    Invariant(
      text: "edits or deletes of somebody else's message",
      sql: "SELECT count(*) FROM events WHERE kind IN (3, 4) AND target_sender IS NOT sender_id"),
    Invariant(
      text: "messages of ours that are not as far as every other member",
      repair: .states,
      sql: """
        WITH heard AS (
          SELECT c.id AS conversation_id, coalesce(
            (SELECT min(max(coalesce(r.delivered_seq, 0), coalesce(r.read_seq, 0)))
             FROM members m LEFT JOIN receipts r USING (conversation_id, account_id)
             WHERE m.conversation_id = c.id AND m.until_seq IS NULL AND m.account_id <> 1),
            (SELECT min(max(delivered_seq, read_seq)) FROM receipts r
             WHERE r.conversation_id = c.id AND r.account_id <> 1), 0) AS delivered
          FROM conversations c)
        SELECT count(*) FROM heard h JOIN messages m
          ON m.conversation_id = h.conversation_id AND m.seq <= h.delivered
        WHERE m.sender_id = 1 AND m.state < 4
        """),
    Invariant(
      text: "repeats of an event that is not there",
      sql: """
        SELECT count(*) FROM events e WHERE e.kind = 2 AND NOT EXISTS
          (SELECT 1 FROM messages m WHERE m.msg_id = e.event_id AND m.sender_id = e.sender_id
           AND m.conversation_id = e.conversation_id AND m.seq IS NOT e.seq)
          AND NOT EXISTS
          (SELECT 1 FROM events o WHERE o.event_id = e.event_id AND o.sender_id = e.sender_id
           AND o.conversation_id = e.conversation_id AND o.seq <> e.seq AND o.kind <> 2)
          AND NOT EXISTS
          (SELECT 1 FROM conversations c WHERE c.id = e.conversation_id AND c.cleared_seq > 0)
        """),
    Invariant(
      text: "rows of other kinds than they should be",
      repair: .gaps,
      sql: """
        SELECT
          (SELECT count(*) FROM messages WHERE typeof(msg_id) <> 'blob' OR length(msg_id) <> 16)
          + (SELECT count(*) FROM events WHERE kind NOT BETWEEN 1 AND 7)
          + (SELECT count(*) FROM gaps WHERE status NOT IN (0, 1))
        """),
  ]

  private static let derived = [
    Invariant(
      text: "conversations whose preview is not their newest message",
      repair: .preview,
      sql: """
        SELECT count(*) FROM conversations c WHERE
          c.newest_id IS NOT coalesce(
            (SELECT max(id) FROM messages
             WHERE conversation_id = c.id AND seq IS NULL AND deleted_seq IS NULL),
            (SELECT id FROM messages WHERE conversation_id = c.id AND seq IS NOT NULL
             ORDER BY seq DESC LIMIT 1))
          OR c.newest_seq IS NOT (SELECT seq FROM messages WHERE id = c.newest_id)
        """),
    // One walk through the table in its own order: conversation by conversation, each row would lie
    // on a page that has left the cache.
    Invariant(
      text: "conversations whose count of unread messages is wrong",
      repair: .unread,
      sql: """
        WITH counted AS (
          SELECT c.id AS conversation_id, count(*) AS unread
          FROM messages m NOT INDEXED CROSS JOIN conversations c ON c.id = m.conversation_id
          WHERE m.seq > c.read_seq AND m.state = 0 AND m.deleted_seq IS NULL GROUP BY c.id)
        SELECT count(*) FROM conversations c LEFT JOIN counted ON conversation_id = c.id
        WHERE c.unread <> coalesce(counted.unread, 0)
        """),
  ]

  private static let state = [
    Invariant(
      text: "inbox numbers noted as ahead that the cursor has reached",
      repair: .ahead,
      sql: """
        SELECT count(*) FROM ahead
        WHERE inbox <= (SELECT value + 1 FROM sync_state WHERE key = 'inbox_cursor')
        """),
    Invariant(
      text: "rows newer than the counter of changes",
      repair: .counter,
      sql: """
        SELECT coalesce(sum(newest > (SELECT value FROM sync_state WHERE key = 'changed')), 0)
        FROM (SELECT max(changed) AS newest FROM messages UNION ALL
              SELECT max(changed) FROM conversations UNION ALL SELECT max(changed) FROM events
              UNION ALL SELECT max(changed) FROM gaps UNION ALL SELECT max(changed) FROM accounts
              UNION ALL SELECT max(changed) FROM members
              UNION ALL SELECT max(changed) FROM receipts)
        """),
    Invariant(
      text: "values of the store's own state that are missing",
      sql: """
        SELECT 6 - count(*) FROM sync_state WHERE key IN
          ('store_id', 'epoch', 'keyring_revision', 'device', 'inbox_cursor', 'changed')
        """),
    Invariant(
      text: "numbers of the store's own state that are none",
      sql: """
        SELECT count(*) FROM sync_state
        WHERE key IN ('epoch', 'keyring_revision', 'device', 'inbox_cursor', 'changed')
          AND (typeof(value) <> 'integer' OR value < 0)
        """),
    Invariant(
      text: "own account that is not account 1",
      sql: "SELECT count(*) = 0 FROM accounts WHERE id = 1"),
  ]
}
