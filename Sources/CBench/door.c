// A page of the inbox, by the statements of Coffer/Inbox/Door.swift, in their order.
#include <stdlib.h>
#include <string.h>

#include "cbench.h"
#include "directory.h"
#include "gaps.h"

enum {
  BEGIN,
  COMMIT,
  SAVEPOINT,
  RELEASE,
  GET_STATE,
  SET_STATE,
  AHEAD,
  MESSAGE_AT,
  EVENT_AT,
  INSERT_MESSAGE,
  STATEMENTS
};

// The state of someone else's message.
enum { INCOMING = 0 };

struct cbench_door {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
  directory directory;
  gap_book gaps;
  int64_t changed;  // the counter of changes
};

static const char *const sql[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [SAVEPOINT] = "SAVEPOINT item",
    [RELEASE] = "RELEASE item",
    [GET_STATE] = "SELECT value FROM sync_state WHERE key = ?",
    [SET_STATE] =
        ("INSERT INTO sync_state (key, value) VALUES (?, ?) "
         "ON CONFLICT (key) DO UPDATE SET value = excluded.value"),
    [AHEAD] = "SELECT inbox FROM ahead",
    [MESSAGE_AT] =
        "SELECT id, msg_id, sender_id FROM messages WHERE conversation_id = ? AND seq = ?",
    [EVENT_AT] = "SELECT event_id, sender_id FROM events WHERE conversation_id = ? AND seq = ?",
    [INSERT_MESSAGE] =
        ("INSERT INTO messages (conversation_id, seq, sender_id, msg_id, state, text, sent_at, "
         "received_at, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"),
};

static int prepare(cbench_door *door, const char *path, const char *key) {
  TRY(database_open(path, key, &door->database));
  TRY(database_configure(door->database));
  TRY(directory_prepare(&door->directory, door->database));
  TRY(gaps_prepare(&door->gaps, door->database));
  return database_prepare(door->database, sql, door->statements, STATEMENTS);
}

int cbench_door_open(const char *path, const char *key, cbench_door **door) {
  *door = calloc(1, sizeof **door);
  if (!*door) return SQLITE_NOMEM;
  int code = prepare(*door, path, key);
  if (code != SQLITE_OK) {
    cbench_door_close(*door);
    *door = NULL;
  }
  return code;
}

void cbench_door_close(cbench_door *door) {
  if (!door) return;
  database_finalize(door->statements, STATEMENTS);
  directory_finalize(&door->directory);
  gaps_finalize(&door->gaps);
  sqlite3_close_v2(door->database);
  free(door);
}

int cbench_door_checkpoint(cbench_door *door) { return database_checkpoint(door->database); }

static int get_state(cbench_door *door, const char *key, int64_t *value) {
  sqlite3_stmt *statement = door->statements[GET_STATE];
  bind_name(statement, 1, key);
  int code = sqlite3_step(statement);
  *value = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return code == SQLITE_ROW ? SQLITE_OK : code;
}

static int set_state(cbench_door *door, const char *key, int64_t value) {
  sqlite3_stmt *statement = door->statements[SET_STATE];
  bind_name(statement, 1, key);
  bind_integer(statement, 2, value);
  return run_statement(statement);
}

// Pushes that came before their page: the workload has none.
static int refuse_ahead(cbench_door *door) {
  int code = sqlite3_step(door->statements[AHEAD]);
  sqlite3_reset(door->statements[AHEAD]);
  if (code == SQLITE_DONE) return SQLITE_OK;
  return code == SQLITE_ROW ? SQLITE_CONSTRAINT : code;
}

// The workload brings no seq twice.
static int refuse_held(cbench_door *door, int64_t conversation, int64_t seq) {
  for (int which = MESSAGE_AT; which <= EVENT_AT; which++) {
    sqlite3_stmt *statement = door->statements[which];
    bind_integer(statement, 1, conversation);
    bind_integer(statement, 2, seq);
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    if (code != SQLITE_DONE) return code == SQLITE_ROW ? SQLITE_CONSTRAINT : code;
  }
  return SQLITE_OK;
}

static int insert_message(
    cbench_door *door, const cbench_item *item, int64_t conversation, int64_t sender, int64_t now,
    int64_t changed) {
  sqlite3_stmt *statement = door->statements[INSERT_MESSAGE];
  TRY(run_statement(door->statements[SAVEPOINT]));
  bind_integer(statement, 1, conversation);
  bind_integer(statement, 2, item->seq);
  bind_integer(statement, 3, sender);
  sqlite3_bind_blob(statement, 4, item->id, sizeof item->id, SQLITE_STATIC);
  bind_integer(statement, 5, INCOMING);
  sqlite3_bind_text(statement, 6, item->text, item->text_size, SQLITE_STATIC);
  bind_integer(statement, 7, item->sent_at);
  bind_integer(statement, 8, now);
  bind_integer(statement, 9, changed);
  TRY(run_statement(statement));
  if (sqlite3_changes64(door->database) != 1) return SQLITE_CONSTRAINT;
  return run_statement(door->statements[RELEASE]);
}

// Takes a seq out of the gaps, or records one for every seq it jumped over.
static int occupy(gap_book *gaps, conversation_row *row, int64_t seq, int64_t changed) {
  if (seq <= row->max_seq) return gaps_subtract(gaps, row->id, seq, seq, changed);
  int64_t expected = row->max_seq + 1 > row->floor ? row->max_seq + 1 : row->floor;
  if (seq > expected) TRY(gaps_add(gaps, row->id, expected, seq - 1, changed));
  row->max_seq = seq;
  return SQLITE_OK;
}

static int apply_item(cbench_door *door, const cbench_item *item, int64_t now) {
  conversation_row *row;
  int64_t sender;
  TRY(directory_conversation(&door->directory, item->conversation_name, &door->changed, &row));
  TRY(directory_account(&door->directory, item->sender_name, &door->changed, &sender));
  if (item->seq <= row->max_seq) TRY(refuse_held(door, row->id, item->seq));
  int64_t changed = ++door->changed;
  TRY(insert_message(door, item, row->id, sender, now, changed));
  int64_t inserted = sqlite3_last_insert_rowid(door->database);
  TRY(occupy(&door->gaps, row, item->seq, changed));
  if (item->seq > row->read_seq) row->unread++;
  if (item->seq > row->newest_seq) {
    row->newest_id = inserted;
    row->newest_seq = item->seq;
  }
  row->active_at = now;
  row->touched = true;
  return SQLITE_OK;
}

int cbench_door_apply(cbench_door *door, const cbench_item *items, int32_t count, int64_t now) {
  int64_t cursor;
  TRY(run_statement(door->statements[BEGIN]));
  TRY(get_state(door, "inbox_cursor", &cursor));
  TRY(refuse_ahead(door));
  if (count == 0 || items[0].inbox != cursor + 1) return SQLITE_CONSTRAINT;
  TRY(get_state(door, "changed", &door->changed));
  directory_clear(&door->directory);
  for (int32_t i = 0; i < count; i++) TRY(apply_item(door, &items[i], now));
  TRY(directory_save(&door->directory, &door->changed));
  TRY(set_state(door, "changed", door->changed));
  TRY(set_state(door, "inbox_cursor", items[count - 1].inbox));
  return run_statement(door->statements[COMMIT]);
}
