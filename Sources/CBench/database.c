#include "database.h"

#include <string.h>

int database_open(const char *path, const char *key, sqlite3 **database) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  TRY(sqlite3_open_v2(path, database, flags, NULL));
  TRY(sqlite3_key_v2(*database, "main", key, (int)strlen(key)));
  TRY(sqlite3_busy_timeout(*database, 5000));
  TRY(database_execute(*database, "SELECT count(*) FROM sqlite_schema"));
  return SQLITE_OK;
}

int database_configure(sqlite3 *database) {
  TRY(sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL));
  TRY(sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL));
  TRY(sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL));
  return database_execute(
      database,
      "PRAGMA foreign_keys = ON;"
      "PRAGMA temp_store = MEMORY;"
      "PRAGMA cache_size = -8000;"
      "PRAGMA secure_delete = ON;"
      "PRAGMA trusted_schema = OFF;"
      "PRAGMA journal_size_limit = 16777216;"
      "PRAGMA journal_mode = WAL;"
      "PRAGMA synchronous = NORMAL;");
}

int database_execute(sqlite3 *database, const char *sql) {
  return sqlite3_exec(database, sql, NULL, NULL, NULL);
}

int database_checkpoint(sqlite3 *database) {
  return sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

int database_prepare(
    sqlite3 *database, const char *const *sql, sqlite3_stmt **statements, int count) {
  for (int i = 0; i < count; i++) {
    TRY(sqlite3_prepare_v3(
        database, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &statements[i], NULL));
  }
  return SQLITE_OK;
}

void database_finalize(sqlite3_stmt **statements, int count) {
  for (int i = 0; i < count; i++) sqlite3_finalize(statements[i]);
}

int run_statement(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

void bind_integer(sqlite3_stmt *statement, int index, int64_t value) {
  sqlite3_bind_int64(statement, index, value);
}

void bind_name(sqlite3_stmt *statement, int index, const char *name) {
  sqlite3_bind_text(statement, index, name, -1, SQLITE_STATIC);
}
