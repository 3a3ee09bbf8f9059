// The schema that the seed describes: a text state, the sender first in the index over ids, one
// upsert an item, and no savepoints, gaps or look-ups.
#include <stdlib.h>

#include "cbench.h"
#include "database.h"

enum { BEGIN, COMMIT, UPSERT_MESSAGE, UPSERT_CONVERSATION, SET_CURSOR, STATEMENTS };
enum { CONVERSATIONS = 4096, PREVIEW = 60 };

struct cbench_seed {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
  const cbench_item *newest[CONVERSATIONS];  // of the conversations that the page touched
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS messages ("
    " id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL, seq INTEGER,"
    " sender_id INTEGER NOT NULL, msg_id BLOB NOT NULL, text TEXT, state TEXT NOT NULL,"
    " UNIQUE (conversation_id, seq), UNIQUE (sender_id, msg_id));"
    "CREATE TABLE IF NOT EXISTS conversations ("
    " id INTEGER PRIMARY KEY, last_seq INTEGER, preview TEXT);"
    "CREATE TABLE IF NOT EXISTS gaps ("
    " conversation_id INTEGER, from_seq INTEGER, to_seq INTEGER);"
    "CREATE TABLE IF NOT EXISTS sync_state (key TEXT PRIMARY KEY, value INTEGER);";

static const char *const sql[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [UPSERT_MESSAGE] =
        ("INSERT INTO messages (conversation_id, seq, sender_id, msg_id, text, state) "
         "VALUES (?, ?, ?, ?, ?, 'received') "
         "ON CONFLICT (sender_id, msg_id) DO UPDATE SET seq = excluded.seq, state = excluded.state"),
    [UPSERT_CONVERSATION] =
        ("INSERT INTO conversations (id, last_seq, preview) VALUES (?, ?, ?) "
         "ON CONFLICT (id) DO UPDATE SET "
         "preview = CASE WHEN excluded.last_seq >= coalesce(last_seq, 0) "
         "THEN excluded.preview ELSE preview END, "
         "last_seq = max(coalesce(last_seq, 0), excluded.last_seq)"),
    [SET_CURSOR] =
        ("INSERT INTO sync_state (key, value) VALUES ('inbox_cursor', ?) "
         "ON CONFLICT (key) DO UPDATE SET value = excluded.value"),
};

static const char settings[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;"
    "PRAGMA cache_size = -8000;";
static const char bulk_settings[] =
    "PRAGMA synchronous = OFF; PRAGMA cache_size = -600000; PRAGMA wal_autocheckpoint = 20000;";

static int prepare(cbench_seed *seed, const char *path, const char *key, bool bulk) {
  TRY(database_open(path, key, &seed->database));
  TRY(database_execute(seed->database, settings));
  if (bulk) TRY(database_execute(seed->database, bulk_settings));
  TRY(database_execute(seed->database, schema));
  return database_prepare(seed->database, sql, seed->statements, STATEMENTS);
}

int cbench_seed_open(const char *path, const char *key, bool bulk, cbench_seed **seed) {
  *seed = calloc(1, sizeof **seed);
  if (!*seed) return SQLITE_NOMEM;
  int code = prepare(*seed, path, key, bulk);
  if (code != SQLITE_OK) {
    cbench_seed_close(*seed);
    *seed = NULL;
  }
  return code;
}

void cbench_seed_close(cbench_seed *seed) {
  if (!seed) return;
  database_finalize(seed->statements, STATEMENTS);
  sqlite3_close_v2(seed->database);
  free(seed);
}

int cbench_seed_checkpoint(cbench_seed *seed) { return database_checkpoint(seed->database); }

static int upsert_message(sqlite3_stmt *statement, const cbench_item *item) {
  bind_integer(statement, 1, item->conversation);
  bind_integer(statement, 2, item->seq);
  bind_integer(statement, 3, item->sender);
  sqlite3_bind_blob(statement, 4, item->id, sizeof item->id, SQLITE_STATIC);
  sqlite3_bind_text(statement, 5, item->text, item->text_size, SQLITE_STATIC);
  return run_statement(statement);
}

static int upsert_conversation(sqlite3_stmt *statement, const cbench_item *newest) {
  bind_integer(statement, 1, newest->conversation);
  bind_integer(statement, 2, newest->seq);
  sqlite3_bind_text(statement, 3, newest->text, PREVIEW, SQLITE_STATIC);
  return run_statement(statement);
}

int cbench_seed_apply(cbench_seed *seed, const cbench_item *items, int32_t count) {
  sqlite3_stmt **statements = seed->statements;
  TRY(run_statement(statements[BEGIN]));
  for (int32_t i = 0; i < count; i++) {
    if (items[i].conversation >= CONVERSATIONS) return SQLITE_RANGE;
    TRY(upsert_message(statements[UPSERT_MESSAGE], &items[i]));
    const cbench_item **newest = &seed->newest[items[i].conversation];
    if (!*newest || (*newest)->seq < items[i].seq) *newest = &items[i];
  }
  for (int32_t i = 0; i < count; i++) {
    const cbench_item **newest = &seed->newest[items[i].conversation];
    if (!*newest) continue;
    TRY(upsert_conversation(statements[UPSERT_CONVERSATION], *newest));
    *newest = NULL;
  }
  bind_integer(statements[SET_CURSOR], 1, items[count - 1].inbox);
  TRY(run_statement(statements[SET_CURSOR]));
  return run_statement(statements[COMMIT]);
}
