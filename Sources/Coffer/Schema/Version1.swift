extension Schema {
  /// The first schema.
  ///
  /// Comments stand inside the statements, so that `.schema` in any SQLCipher shell explains itself.
  static let version1 = """
    PRAGMA application_id = \(applicationID);

    CREATE TABLE accounts (                 -- everyone we have met; 1 is ourselves
      id      INTEGER PRIMARY KEY,
      address TEXT NOT NULL UNIQUE,         -- the relay's name for it
      name    TEXT,
      changed INTEGER NOT NULL              -- see messages.changed
    ) STRICT;

    CREATE TABLE conversations (
      id          INTEGER PRIMARY KEY,
      address     TEXT NOT NULL UNIQUE,     -- the relay's id, never used for another conversation
      title       TEXT,
      first_seq   INTEGER NOT NULL DEFAULT 1,  -- first seq this device may see; below: neither held nor missing
      max_seq     INTEGER NOT NULL DEFAULT 0,  -- highest event seq known of
      cleared_seq INTEGER NOT NULL DEFAULT 0,  -- history up to here was removed on purpose, never comes back
      seq_base    INTEGER NOT NULL DEFAULT 0,  -- added to the server's seq since its last new epoch
      read_seq    INTEGER NOT NULL DEFAULT 0,  -- our own read marker
      unread      INTEGER NOT NULL DEFAULT 0,  -- derived: incoming rows above read_seq
      newest_id   INTEGER,                  -- derived: the message shown as preview, last of the timeline
      newest_seq  INTEGER,                  -- derived: its seq; NULL while it has none
      active_at   INTEGER NOT NULL DEFAULT 0,  -- milliseconds, display only
      draft       TEXT,                     -- text not sent yet; local only, like the next three
      muted       INTEGER NOT NULL DEFAULT 0,
      archived    INTEGER NOT NULL DEFAULT 0,
      pinned      INTEGER NOT NULL DEFAULT 0,
      changed     INTEGER NOT NULL          -- raised by every commit that touches it: other processes compare
    ) STRICT;

    CREATE TABLE members (
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      account_id      INTEGER NOT NULL REFERENCES accounts (id),
      since_seq       INTEGER NOT NULL,
      until_seq       INTEGER,              -- NULL: still a member
      changed         INTEGER NOT NULL,
      PRIMARY KEY (conversation_id, account_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE receipts (                 -- watermarks, kept for rows that come later too
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      account_id      INTEGER NOT NULL REFERENCES accounts (id),
      delivered_seq   INTEGER NOT NULL DEFAULT 0,
      read_seq        INTEGER NOT NULL DEFAULT 0,
      changed         INTEGER NOT NULL,
      PRIMARY KEY (conversation_id, account_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE messages (
      id              INTEGER PRIMARY KEY AUTOINCREMENT,  -- local, never reused: a list's stable identity
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      seq             INTEGER CHECK (seq >= 1),           -- position, given by the server once; NULL while pending
      sender_id       INTEGER NOT NULL REFERENCES accounts (id),
      msg_id          BLOB NOT NULL CHECK (length(msg_id) = 16),  -- made by the sending device (UUIDv7)
      state           INTEGER NOT NULL CHECK (state BETWEEN 0 AND 5),
                      -- incoming 0; outgoing: pending 1, failed 2, sent 3, delivered 4, read 5
      text            TEXT,
      content         BLOB,                 -- what is not text, as CBOR
      edit_seq        INTEGER NOT NULL DEFAULT 0,         -- seq of the newest edit applied
      deleted_seq     INTEGER,              -- tombstone (0: deleted here, not acknowledged): the row stays, bare
      sent_at         INTEGER NOT NULL,     -- milliseconds, as the sender's clock had it; display only, never order
      received_at     INTEGER NOT NULL,     -- milliseconds, ours
      expires_at      INTEGER,
      changed         INTEGER NOT NULL,     -- one counter (in sync_state) over all rows, accounts to gaps
      UNIQUE (conversation_id, seq),        -- also serves "seq IS NULL ORDER BY id DESC"
      UNIQUE (msg_id, sender_id)            -- id first: time-ordered ids keep inserts local
    ) STRICT;

    CREATE TABLE events (                   -- every held seq that is no message row
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      seq             INTEGER NOT NULL CHECK (seq >= 1),
      event_id        BLOB NOT NULL CHECK (length(event_id) = 16),
      sender_id       INTEGER REFERENCES accounts (id),
      kind            INTEGER NOT NULL,     -- unreadable 1 (see quarantine), repeat 2 (its message is at another seq)
      target_sender   INTEGER,
      target_id       BLOB,
      content         BLOB,
      applied         INTEGER NOT NULL,     -- 0: its message is not here yet
      changed         INTEGER NOT NULL,
      PRIMARY KEY (conversation_id, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE gaps (                     -- exactly the seqs that are not held
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      first           INTEGER NOT NULL CHECK (first >= 1),
      last            INTEGER NOT NULL CHECK (first <= last),
      status          INTEGER NOT NULL,     -- open 0, unavailable 1 (the server no longer has it)
      changed         INTEGER NOT NULL,
      PRIMARY KEY (conversation_id, first)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE reactions (
      message_id INTEGER NOT NULL REFERENCES messages (id),
      account_id INTEGER NOT NULL REFERENCES accounts (id),
      emoji      TEXT NOT NULL,
      seq        INTEGER NOT NULL,
      PRIMARY KEY (message_id, account_id, emoji)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ahead (                    -- inbox numbers applied above the cursor (pushes that jumped)
      inbox INTEGER PRIMARY KEY
    ) STRICT;

    CREATE TABLE quarantine (               -- items that contradict the store or the rules, kept as they came
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      digest     BLOB NOT NULL UNIQUE,      -- BLAKE2b-256 of raw: the same item again is not kept twice
      raw        BLOB NOT NULL,
      reason     TEXT NOT NULL,
      inbox      INTEGER,
      first_seen INTEGER NOT NULL,
      attempts   INTEGER NOT NULL DEFAULT 1
    ) STRICT;

    CREATE TABLE outbox (                   -- delivery of what we wrote; the message row is the message
      id              INTEGER PRIMARY KEY AUTOINCREMENT,  -- order within a conversation
      event_id        BLOB NOT NULL UNIQUE CHECK (length(event_id) = 16),
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      message_id      INTEGER REFERENCES messages (id),   -- NULL for what is no message
      kind            INTEGER NOT NULL,     -- message 0
      content         BLOB,                 -- of non-messages
      attempts        INTEGER NOT NULL DEFAULT 0,
      retry_at        INTEGER NOT NULL DEFAULT 0,
      leased_by       BLOB,
      leased_until    INTEGER,
      error           TEXT
    ) STRICT;
    CREATE INDEX outbox_queue ON outbox (conversation_id, id);
    CREATE INDEX outbox_message ON outbox (message_id);

    CREATE TABLE envelopes (                -- sealed bytes per recipient device, until acknowledged
      outbox_id  INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts (id),
      device     INTEGER NOT NULL,
      sealed     BLOB NOT NULL,
      PRIMARY KEY (outbox_id, account_id, device)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sync_state (               -- inbox_cursor, changed, store_id, epoch, keyring_revision, device
      key   TEXT PRIMARY KEY,
      value ANY NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
