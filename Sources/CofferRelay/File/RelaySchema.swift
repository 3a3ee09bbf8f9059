import CofferDatabase

/// What the relay's file says of itself, and its tables.
enum RelaySchema {
  /// "CofR" in ASCII: how `file` and others tell it from any other.
  static let applicationID: UInt32 = 0x436f_6652

  /// The newest `user_version` that this version reads.
  static let version: Int64 = 1

  static let migrations = [Migration(version: 1, sql: version1)]

  /// Comments stand inside the statements, so that `.schema` in any SQLite shell explains itself.
  private static let version1 = """
    CREATE TABLE relay (                    -- one row
      id    INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL                -- which numbering the seqs and inbox numbers belong to; only rises
    ) STRICT;

    CREATE TABLE accounts (                 -- everyone who was ever named
      id      INTEGER PRIMARY KEY,
      address TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE devices (
      id         INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts (id),
      number     INTEGER NOT NULL CHECK (number >= 1),  -- among those of its account
      head       INTEGER NOT NULL DEFAULT 0,  -- highest number given in its inbox
      floor      INTEGER NOT NULL DEFAULT 0,  -- highest number discarded: nobody may go on from below it
      UNIQUE (account_id, number)
    ) STRICT;

    CREATE TABLE conversations (
      id         INTEGER PRIMARY KEY,
      address    TEXT NOT NULL UNIQUE,
      newest_seq INTEGER NOT NULL DEFAULT 0,
      deleted    INTEGER NOT NULL DEFAULT 0  -- 1: nobody writes any more
    ) STRICT;

    CREATE TABLE members (                  -- a row for each time that an account is in a conversation
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      account_id      INTEGER NOT NULL REFERENCES accounts (id),
      since_seq       INTEGER NOT NULL,     -- the event that brought it in
      until_seq       INTEGER,              -- the event that ended it, the last that it gets; NULL: still a member
      PRIMARY KEY (conversation_id, account_id, since_seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_account ON members (account_id, conversation_id);
    CREATE UNIQUE INDEX members_current ON members (conversation_id, account_id) WHERE until_seq IS NULL;

    CREATE TABLE starts (                   -- where a device came later than its account's first
      device_id       INTEGER NOT NULL REFERENCES devices (id),
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      first_seq       INTEGER NOT NULL,     -- it sees nothing below
      PRIMARY KEY (device_id, conversation_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE blocks (                   -- whose messages an account does not accept
      account_id INTEGER NOT NULL REFERENCES accounts (id),
      sender_id  INTEGER NOT NULL REFERENCES accounts (id),
      PRIMARY KEY (account_id, sender_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE events (                   -- everything that took a seq, for ever: a repeat is known by its id
      id              INTEGER PRIMARY KEY,
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      seq             INTEGER CHECK (seq >= 1),  -- NULL: its seq went with a numbering that was lost
      sender_id       INTEGER NOT NULL REFERENCES accounts (id),
      device          INTEGER NOT NULL,     -- of the sender
      event_id        BLOB NOT NULL CHECK (length(event_id) = 16),
      sent_at         INTEGER NOT NULL,     -- milliseconds by the sender's clock
      digest          BLOB NOT NULL CHECK (length(digest) = 32),  -- BLAKE2b-256 of the payload, which it outlives
      payload         BLOB,                 -- NULL: gone
      UNIQUE (event_id, sender_id),
      UNIQUE (conversation_id, seq)
    ) STRICT;

    CREATE TABLE receipts (                 -- how far an account has a conversation; the newest receipt that said so
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      account_id      INTEGER NOT NULL REFERENCES accounts (id),
      delivered       INTEGER NOT NULL,
      read            INTEGER NOT NULL,
      device          INTEGER NOT NULL,
      event_id        BLOB NOT NULL CHECK (length(event_id) = 16),
      sent_at         INTEGER NOT NULL,
      PRIMARY KEY (conversation_id, account_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE inbox (                    -- what each device has not released
      device_id       INTEGER NOT NULL REFERENCES devices (id),
      number          INTEGER NOT NULL CHECK (number >= 1),
      conversation_id INTEGER NOT NULL REFERENCES conversations (id),
      event           INTEGER REFERENCES events (id),      -- an event, or
      account_id      INTEGER REFERENCES accounts (id),    -- the receipt of an account, or
      first           INTEGER,              -- the seqs that are no longer served
      last            INTEGER,
      PRIMARY KEY (device_id, number),
      CHECK ((event IS NULL) + (account_id IS NULL) + (first IS NULL) = 2),
      CHECK ((first IS NULL) = (last IS NULL) AND first <= last)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX inbox_event ON inbox (event) WHERE event IS NOT NULL;
    CREATE UNIQUE INDEX inbox_receipt ON inbox (device_id, conversation_id, account_id)
      WHERE account_id IS NOT NULL;         -- a newer receipt takes the place of one nobody has released
    """
}
