extension Schema {
  /// Every kind of event, and the whole way out: no row of version 1 is rewritten.
  static let version2 = """
    ALTER TABLE conversations ADD COLUMN title_seq INTEGER NOT NULL DEFAULT 0;  -- seq that set the title
    ALTER TABLE conversations ADD COLUMN deleted_seq INTEGER;  -- seq that closed it: nobody writes any more
    ALTER TABLE conversations ADD COLUMN delivered_told INTEGER NOT NULL DEFAULT 0;  -- what the server knows
    ALTER TABLE conversations ADD COLUMN read_told INTEGER NOT NULL DEFAULT 0;  -- of our own watermarks

    ALTER TABLE messages ADD COLUMN expunged INTEGER NOT NULL DEFAULT 0;  -- 1: the server no longer serves it

    -- The server's epoch in which it came: its seq is one of that numbering.
    ALTER TABLE quarantine ADD COLUMN relay_epoch INTEGER;

    -- Bytes as they were handed over, fixed with the first try; NULL before.
    ALTER TABLE outbox ADD COLUMN payload BLOB;
    -- 1: given up; it waits for the person, and what belongs to it waits too.
    ALTER TABLE outbox ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
    -- Milliseconds; of a message the row's sent_at.
    ALTER TABLE outbox ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    UPDATE outbox SET created_at = (SELECT sent_at FROM messages WHERE id = outbox.message_id);

    -- Which conversations are being drained.
    CREATE INDEX outbox_leased ON outbox (conversation_id, leased_until)
      WHERE leased_until IS NOT NULL;

    -- Version 1 never wrote one.
    DROP TABLE reactions;
    CREATE TABLE reactions (
      message_id INTEGER NOT NULL REFERENCES messages (id),
      account_id INTEGER NOT NULL REFERENCES accounts (id),
      emoji      TEXT NOT NULL,
      seq        INTEGER NOT NULL,          -- of the newest event about it
      added      INTEGER NOT NULL,          -- 0: taken back; kept, so that an older event does not add it
      PRIMARY KEY (message_id, account_id, emoji)
    ) STRICT, WITHOUT ROWID;

    -- What belongs to a message, and the same event at another seq.
    CREATE INDEX events_target ON events (target_id, target_sender, kind) WHERE target_id IS NOT NULL;
    CREATE INDEX events_id ON events (event_id, sender_id);
    CREATE INDEX events_waiting ON events (conversation_id, kind, seq) WHERE applied = 0;
    """
}
