extension Repair {
  /// What it runs, in order; `?1` is the number of the change, where it is noted.
  var statements: [String] {
    switch self {
    case .counter: Self.counterSQL
    case .orphans: Self.orphansSQL
    case .states: Self.statesSQL
    case .outbox: Self.outboxSQL
    case .range: Self.rangeSQL
    // Walked in `Repair+Gaps.swift`.
    case .gaps: []
    case .deletedTexts: Self.deletedTextsSQL
    case .unread: Self.unreadSQL
    case .preview: Self.previewSQL
    case .ahead: Self.aheadSQL
    }
  }

  /// First of all, so that what the others change is numbered above it.
  ///
  /// A row with an absurd number is damage of another kind, and would use the counter up.
  private static let counterSQL = [
    """
    INSERT INTO sync_state (key, value)
    SELECT 'changed', newest FROM
      (SELECT max(changed) AS newest FROM
        (SELECT max(changed) AS changed FROM messages
         UNION ALL SELECT max(changed) FROM conversations
         UNION ALL SELECT max(changed) FROM events UNION ALL SELECT max(changed) FROM gaps
         UNION ALL SELECT max(changed) FROM accounts UNION ALL SELECT max(changed) FROM members
         UNION ALL SELECT max(changed) FROM receipts))
    WHERE newest < 1 << 60
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
      WHERE typeof(value) <> 'integer' OR value < excluded.value
    """
  ]

  /// What hangs on a row that is gone.
  ///
  /// Of the outbox only what holds no words of a person: a sealed message or an edit may be all that
  /// is left of them.
  private static let orphansSQL = [
    """
    DELETE FROM reactions WHERE
      NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id)
      OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id)
    """,
    """
    DELETE FROM members WHERE
      NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation_id)
      OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id)
    """,
    """
    DELETE FROM receipts WHERE
      NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation_id)
      OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id)
    """,
    """
    DELETE FROM gaps WHERE
      NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation_id)
    """,
    """
    DELETE FROM outbox WHERE kind IN (2, 3, 4)
      AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = conversation_id)
    """,
    """
    DELETE FROM outbox WHERE kind = 0 AND payload IS NULL AND NOT EXISTS
      (SELECT 1 FROM messages m WHERE m.msg_id = event_id AND m.sender_id = 1)
    """,
    """
    UPDATE outbox SET message_id = NULL WHERE kind <> 0 AND message_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id)
    """,
    """
    DELETE FROM envelopes WHERE
      NOT EXISTS (SELECT 1 FROM outbox o WHERE o.id = outbox_id)
      OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id)
    """,
  ]

  /// A message of ours without a seq is on its way, one with a seq has arrived; how far it got since
  /// then the receipts say.
  private static let statesSQL = [
    """
    UPDATE messages SET changed = ?1,
      state = CASE WHEN sender_id <> 1 THEN 0 WHEN seq IS NULL THEN 1 ELSE 3 END
    WHERE (sender_id = 1) = (state = 0) OR (sender_id = 1 AND (seq IS NULL) <> (state IN (1, 2)))
    """
  ]

  /// Each message on its way has one entry, that of its id; a new one goes to the end of the queue.
  private static let outboxSQL = [
    """
    UPDATE outbox SET message_id = m.id, conversation_id = m.conversation_id FROM messages m
    WHERE kind = 0 AND m.msg_id = event_id AND m.sender_id = 1
      AND (message_id IS NOT m.id OR outbox.conversation_id <> m.conversation_id)
    """,
    """
    DELETE FROM outbox WHERE kind = 0 AND EXISTS
      (SELECT 1 FROM messages m WHERE m.msg_id = event_id AND m.sender_id = 1 AND m.seq IS NOT NULL)
    """,
    """
    INSERT INTO outbox (event_id, conversation_id, message_id, kind, failed, created_at)
    SELECT msg_id, conversation_id, id, 0, state = 2, sent_at FROM messages m
    WHERE seq IS NULL AND state IN (1, 2) AND sender_id = 1 AND deleted_seq IS NULL
      AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.message_id = m.id AND o.kind = 0)
    ORDER BY id
    ON CONFLICT DO NOTHING
    """,
    "UPDATE outbox SET message_id = NULL WHERE kind = 4 AND message_id IS NOT NULL",
    // Whoever held a half lease claims it anew.
    """
    UPDATE outbox SET leased_by = NULL, leased_until = NULL
    WHERE (leased_by IS NULL) <> (leased_until IS NULL)
      OR (leased_by IS NOT NULL AND (payload IS NULL OR failed = 1))
    """,
    "UPDATE outbox SET error = 'nobody knows why' WHERE failed = 1 AND error IS NULL",
    // The entry says why it was given up, the message only that it was.
    """
    UPDATE messages SET state = 1 + o.failed, changed = ?1 FROM outbox o
    WHERE o.message_id = messages.id AND o.kind = 0 AND seq IS NULL AND sender_id = 1
      AND state IN (1, 2) AND state <> 1 + o.failed
    """,
  ]

  /// At least what is held, and what is known to be missing; a gap that jumps too far is no word to
  /// go by.
  private static let rangeSQL = [
    """
    WITH held AS (
      SELECT c.id, max(
        coalesce((SELECT max(seq) FROM messages WHERE conversation_id = c.id), 0),
        coalesce((SELECT max(seq) FROM events WHERE conversation_id = c.id), 0), c.max_seq) AS top
      FROM conversations c),
    known AS (
      SELECT id, max(top, coalesce((SELECT max(last) FROM gaps
        WHERE conversation_id = held.id AND last <= top + \(ItemLimits.jump)), 0)) AS top
      FROM held)
    UPDATE conversations SET max_seq = known.top, changed = ?1 FROM known
    WHERE known.id = conversations.id AND known.top > max_seq
    """
  ]

  private static let deletedTextsSQL = [
    """
    DELETE FROM reactions WHERE message_id IN
      (SELECT id FROM messages WHERE deleted_seq IS NOT NULL AND text IS NULL AND content IS NULL)
    """,
    """
    UPDATE events SET content = NULL, changed = ?1
    WHERE kind IN (3, 5) AND content IS NOT NULL AND EXISTS
      (SELECT 1 FROM messages m WHERE m.msg_id = target_id AND m.sender_id = target_sender
       AND m.conversation_id = events.conversation_id
       AND m.deleted_seq IS NOT NULL AND m.text IS NULL AND m.content IS NULL)
    """,
    """
    DELETE FROM outbox WHERE kind IN (1, 3) AND failed = 1 AND message_id IN
      (SELECT id FROM messages WHERE deleted_seq IS NOT NULL AND text IS NULL AND content IS NULL)
    """,
  ]

  private static let unreadSQL = [
    """
    WITH counted AS (
      SELECT c.id, (SELECT count(*) FROM messages WHERE conversation_id = c.id
        AND seq > c.read_seq AND state = 0 AND deleted_seq IS NULL) AS number
      FROM conversations c)
    UPDATE conversations SET unread = number, changed = ?1 FROM counted
    WHERE counted.id = conversations.id AND unread <> number
    """
  ]

  private static let previewSQL = [
    """
    WITH last AS (
      SELECT c.id, coalesce(
        (SELECT max(id) FROM messages
         WHERE conversation_id = c.id AND seq IS NULL AND deleted_seq IS NULL),
        (SELECT id FROM messages WHERE conversation_id = c.id AND seq IS NOT NULL
         ORDER BY seq DESC LIMIT 1)) AS row
      FROM conversations c)
    UPDATE conversations SET newest_id = last.row, changed = ?1,
      newest_seq = (SELECT seq FROM messages WHERE id = last.row)
    FROM last
    WHERE last.id = conversations.id AND (newest_id IS NOT last.row
      OR newest_seq IS NOT (SELECT seq FROM messages WHERE id = last.row))
    """
  ]

  /// An item whose note is lost comes again in its page, and is known by its id.
  private static let aheadSQL = [
    """
    DELETE FROM ahead
    WHERE inbox <= (SELECT value + 1 FROM sync_state WHERE key = 'inbox_cursor')
    """
  ]
}
