#include "directory.h"

enum {
  FIND_CONVERSATION,
  INSERT_CONVERSATION,
  UPDATE_CONVERSATION,
  FIND_ACCOUNT,
  INSERT_ACCOUNT
};

static const char *const sql[DIRECTORY_STATEMENTS] = {
    [FIND_CONVERSATION] =
        ("SELECT id, first_seq, cleared_seq, read_seq, max_seq, unread, newest_id, newest_seq, "
         "active_at FROM conversations WHERE address = ?"),
    [INSERT_CONVERSATION] = "INSERT INTO conversations (address, changed) VALUES (?, ?)",
    [UPDATE_CONVERSATION] =
        ("UPDATE conversations SET max_seq = ?, unread = ?, newest_id = ?, newest_seq = ?, "
         "active_at = ?, changed = ? WHERE id = ?"),
    [FIND_ACCOUNT] = "SELECT id FROM accounts WHERE address = ?",
    [INSERT_ACCOUNT] = "INSERT INTO accounts (address, changed) VALUES (?, ?)",
};

int directory_prepare(directory *directory, sqlite3 *database) {
  directory->database = database;
  return database_prepare(database, sql, directory->statements, DIRECTORY_STATEMENTS);
}

void directory_finalize(directory *directory) {
  database_finalize(directory->statements, DIRECTORY_STATEMENTS);
}

void directory_clear(directory *directory) {
  names_clear(&directory->conversation_places);
  names_clear(&directory->account_ids);
  directory->conversation_count = 0;
  directory->account_count = 0;
}

static conversation_row read_conversation(sqlite3_stmt *row) {
  int64_t first_seq = sqlite3_column_int64(row, 1);
  int64_t after_cleared = sqlite3_column_int64(row, 2) + 1;
  return (conversation_row){
      .id = sqlite3_column_int64(row, 0),
      .floor = first_seq > after_cleared ? first_seq : after_cleared,
      .read_seq = sqlite3_column_int64(row, 3),
      .max_seq = sqlite3_column_int64(row, 4),
      .unread = sqlite3_column_int64(row, 5),
      .newest_id = sqlite3_column_int64(row, 6),
      .newest_seq = sqlite3_column_int64(row, 7),
      .active_at = sqlite3_column_int64(row, 8),
  };
}

// Finds a row or makes it.
static int load_conversation(
    directory *directory, const char *name, int64_t *changed, conversation_row *row) {
  sqlite3_stmt *find = directory->statements[FIND_CONVERSATION];
  bind_name(find, 1, name);
  int code = sqlite3_step(find);
  if (code == SQLITE_ROW) *row = read_conversation(find);
  sqlite3_reset(find);
  if (code == SQLITE_ROW) return SQLITE_OK;
  if (code != SQLITE_DONE) return code;

  sqlite3_stmt *insert = directory->statements[INSERT_CONVERSATION];
  bind_name(insert, 1, name);
  bind_integer(insert, 2, ++*changed);
  TRY(run_statement(insert));
  *row = (conversation_row){.id = sqlite3_last_insert_rowid(directory->database), .floor = 1};
  return SQLITE_OK;
}

int directory_conversation(
    directory *directory, const char *name, int64_t *changed, conversation_row **row) {
  name_table *table = &directory->conversation_places;
  uint32_t slot = names_find(table, name);
  if (!table->names[slot]) {
    int place = directory->conversation_count;
    if (place == DIRECTORY_MOST) return SQLITE_RANGE;
    TRY(load_conversation(directory, name, changed, &directory->conversations[place]));
    table->names[slot] = name;
    table->values[slot] = place;
    directory->conversation_count++;
  }
  *row = &directory->conversations[table->values[slot]];
  return SQLITE_OK;
}

static int load_account(
    directory *directory, const char *name, int64_t *changed, int64_t *id) {
  sqlite3_stmt *find = directory->statements[FIND_ACCOUNT];
  bind_name(find, 1, name);
  int code = sqlite3_step(find);
  *id = sqlite3_column_int64(find, 0);
  sqlite3_reset(find);
  if (code == SQLITE_ROW) return SQLITE_OK;
  if (code != SQLITE_DONE) return code;

  sqlite3_stmt *insert = directory->statements[INSERT_ACCOUNT];
  bind_name(insert, 1, name);
  bind_integer(insert, 2, ++*changed);
  TRY(run_statement(insert));
  *id = sqlite3_last_insert_rowid(directory->database);
  return SQLITE_OK;
}

int directory_account(directory *directory, const char *name, int64_t *changed, int64_t *id) {
  name_table *table = &directory->account_ids;
  uint32_t slot = names_find(table, name);
  if (!table->names[slot]) {
    if (directory->account_count == DIRECTORY_MOST) return SQLITE_RANGE;
    TRY(load_account(directory, name, changed, &table->values[slot]));
    table->names[slot] = name;
    directory->account_count++;
  }
  *id = table->values[slot];
  return SQLITE_OK;
}

static void bind_or_null(sqlite3_stmt *statement, int index, int64_t value) {
  if (value) bind_integer(statement, index, value);
  else sqlite3_bind_null(statement, index);
}

int directory_save(directory *directory, int64_t *changed) {
  sqlite3_stmt *update = directory->statements[UPDATE_CONVERSATION];
  for (int i = 0; i < directory->conversation_count; i++) {
    const conversation_row *row = &directory->conversations[i];
    if (!row->touched) continue;
    bind_integer(update, 1, row->max_seq);
    bind_integer(update, 2, row->unread);
    bind_or_null(update, 3, row->newest_id);
    bind_or_null(update, 4, row->newest_seq);
    bind_integer(update, 5, row->active_at);
    bind_integer(update, 6, ++*changed);
    bind_integer(update, 7, row->id);
    TRY(run_statement(update));
  }
  return SQLITE_OK;
}
