// The newest entries of a conversation, by the statements of Coffer/Timeline/Store+Timeline.swift.
#include <stdlib.h>

#include "cbench.h"
#include "database.h"

enum { BEGIN, ROLLBACK, FIND, PENDING, ACKNOWLEDGED, UNREADABLE, GAPS, STATEMENTS };

#define COLUMNS "m.id, m.seq, a.address, m.msg_id, m.state, m.text, m.sent_at, m.received_at, " \
  "(m.edit_seq > 0) | ((m.deleted_seq IS NOT NULL) << 1) | (m.expunged << 2), m.content"

struct cbench_reader {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
  uint64_t sum;  // of all that was read, so that no read is dropped by the compiler
};

static const char *const sql[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [ROLLBACK] = "ROLLBACK",
    [FIND] = "SELECT id, first_seq, cleared_seq FROM conversations WHERE address = ?",
    [PENDING] =
        ("SELECT " COLUMNS " FROM messages m JOIN accounts a ON a.id = m.sender_id "
         "WHERE m.conversation_id = ? AND m.seq IS NULL AND m.deleted_seq IS NULL AND m.id < ? "
         "ORDER BY m.id DESC LIMIT ?"),
    [ACKNOWLEDGED] =
        ("SELECT " COLUMNS " FROM messages m JOIN accounts a ON a.id = m.sender_id "
         "WHERE m.conversation_id = ? AND m.seq < ? ORDER BY m.seq DESC LIMIT ?"),
    [UNREADABLE] =
        ("SELECT e.seq, e.event_id, a.address FROM events e "
         "LEFT JOIN accounts a ON a.id = e.sender_id "
         "WHERE e.conversation_id = ? AND e.seq < ? AND e.kind = 1 ORDER BY e.seq DESC LIMIT ?"),
    [GAPS] =
        ("SELECT first, last, status FROM gaps "
         "WHERE conversation_id = ? AND first < ? AND last >= ? ORDER BY first DESC"),
};

static int prepare(cbench_reader *reader, const char *path, const char *key) {
  TRY(database_open(path, key, &reader->database));
  TRY(database_configure(reader->database));
  TRY(database_execute(reader->database, "PRAGMA query_only = ON"));
  return database_prepare(reader->database, sql, reader->statements, STATEMENTS);
}

int cbench_reader_open(const char *path, const char *key, cbench_reader **reader) {
  *reader = calloc(1, sizeof **reader);
  if (!*reader) return SQLITE_NOMEM;
  int code = prepare(*reader, path, key);
  if (code != SQLITE_OK) {
    cbench_reader_close(*reader);
    *reader = NULL;
  }
  return code;
}

void cbench_reader_close(cbench_reader *reader) {
  if (!reader) return;
  database_finalize(reader->statements, STATEMENTS);
  sqlite3_close_v2(reader->database);
  free(reader);
}

int cbench_reader_begin(cbench_reader *reader) { return run_statement(reader->statements[BEGIN]); }

int cbench_reader_end(cbench_reader *reader) { return run_statement(reader->statements[ROLLBACK]); }

// Touches every column of the row and gives the seq, which is the column `seq_at`.
static int64_t read_row(cbench_reader *reader, sqlite3_stmt *row, int seq_at) {
  int columns = sqlite3_column_count(row);
  for (int i = 0; i < columns; i++) {
    switch (sqlite3_column_type(row, i)) {
      case SQLITE_INTEGER:
        reader->sum += (uint64_t)sqlite3_column_int64(row, i);
        break;
      case SQLITE_TEXT:
        reader->sum += sqlite3_column_text(row, i)[0];
        reader->sum += (uint64_t)sqlite3_column_bytes(row, i);
        break;
      case SQLITE_BLOB:
        reader->sum += ((const uint8_t *)sqlite3_column_blob(row, i))[0];
        reader->sum += (uint64_t)sqlite3_column_bytes(row, i);
        break;
      default:
        break;
    }
  }
  return sqlite3_column_int64(row, seq_at);
}

typedef struct {
  int64_t count;
  int64_t last_seq;
} walk;

// Runs a statement with three numbers bound and reads every row.
static int read_all(
    cbench_reader *reader, int which, int64_t a, int64_t b, int64_t c, int seq_at, walk *walked) {
  sqlite3_stmt *statement = reader->statements[which];
  bind_integer(statement, 1, a);
  bind_integer(statement, 2, b);
  bind_integer(statement, 3, c);
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    walked->last_seq = read_row(reader, statement, seq_at);
    walked->count++;
  }
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int find(cbench_reader *reader, const char *name, int64_t *id, int64_t *floor) {
  sqlite3_stmt *statement = reader->statements[FIND];
  bind_name(statement, 1, name);
  int code = sqlite3_step(statement);
  *id = sqlite3_column_int64(statement, 0);
  int64_t first_seq = sqlite3_column_int64(statement, 1);
  int64_t after_cleared = sqlite3_column_int64(statement, 2) + 1;
  *floor = first_seq > after_cleared ? first_seq : after_cleared;
  sqlite3_reset(statement);
  if (code == SQLITE_DONE) return SQLITE_NOTFOUND;
  return code == SQLITE_ROW ? SQLITE_OK : code;
}

int cbench_reader_newest(
    cbench_reader *reader, const char *conversation, int32_t limit, int64_t *entries) {
  int64_t id, floor;
  TRY(find(reader, conversation, &id, &floor));
  walk pending = {0}, held = {0}, unreadable = {0}, gaps = {0};
  TRY(read_all(reader, PENDING, id, INT64_MAX, limit, 0, &pending));
  int64_t room = limit - pending.count;
  if (room > 0) {
    TRY(read_all(reader, ACKNOWLEDGED, id, INT64_MAX, room, 1, &held));
    TRY(read_all(reader, UNREADABLE, id, INT64_MAX, room, 0, &unreadable));
    int64_t bottom = held.count == room ? held.last_seq : floor;
    TRY(read_all(reader, GAPS, id, INT64_MAX, bottom, 0, &gaps));
  }
  *entries += pending.count + held.count + unreadable.count + gaps.count;
  return SQLITE_OK;
}
