extension Invariant {
  static let outbox = [
    Invariant(
      text: "pending or failed messages without exactly one outbox entry",
      repair: .outbox,
      sql: """
        SELECT count(*) FROM messages m
        WHERE m.seq IS NULL AND m.state IN (1, 2) AND m.deleted_seq IS NULL
          AND (SELECT count(*) FROM outbox o WHERE o.message_id = m.id AND o.kind = 0) <> 1
        """),
    Invariant(
      text: "outbox entries of messages that are not ours, have a seq, or are in another state",
      repair: .outbox,
      sql: """
        SELECT count(*) FROM outbox o LEFT JOIN messages m ON m.id = o.message_id
        WHERE o.kind = 0 AND (m.id IS NULL OR m.seq IS NOT NULL OR m.sender_id <> 1
          OR m.msg_id <> o.event_id OR m.conversation_id <> o.conversation_id
          OR o.failed <> (m.state = 2))
        """),
    Invariant(
      text: "edits and reactions to tombstones that were given up",
      repair: .deletedTexts,
      sql: """
        SELECT count(*) FROM outbox o JOIN messages m ON m.id = o.message_id
        WHERE m.deleted_seq IS NOT NULL AND o.kind IN (1, 3) AND o.failed = 1
        """),
    Invariant(
      text: "outbox entries whose content contradicts their kind",
      repair: .outbox,
      sql: """
        SELECT count(*) FROM outbox o WHERE kind NOT IN (0, 1, 2, 3, 4)
          OR (kind = 0) <> (content IS NULL) OR (kind = 4 AND message_id IS NOT NULL)
          OR (message_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM messages m
              WHERE m.id = o.message_id AND m.conversation_id = o.conversation_id))
        """),
    Invariant(
      text: "edits and deletes in the outbox of messages that are not ours",
      sql: """
        SELECT count(*) FROM outbox o JOIN messages m ON m.id = o.message_id
        WHERE o.kind IN (1, 2) AND m.sender_id <> 1
        """),
    Invariant(
      text: "outbox entries leased or given up that were never handed over",
      repair: .outbox,
      sql: """
        SELECT count(*) FROM outbox
        WHERE (leased_by IS NULL) <> (leased_until IS NULL)
          OR ((leased_by IS NOT NULL OR failed = 1) AND payload IS NULL)
          OR (failed = 1 AND (leased_by IS NOT NULL OR error IS NULL))
        """),
  ]
}
