// The few calls on SQLCipher that the benchmarks share.
#ifndef COFFER_CBENCH_DATABASE_H
#define COFFER_CBENCH_DATABASE_H
#define SQLITE_HAS_CODEC 1
#include <sqlcipher/sqlite3.h>
#include <stdint.h>

// Ends the calling function with the code of a call that failed.
#define TRY(call)                         \
  do {                                    \
    int code_ = (call);                   \
    if (code_ != SQLITE_OK) return code_; \
  } while (0)

int database_open(const char *path, const char *key, sqlite3 **database);
// The settings of CofferDatabase, Role.swift.
int database_configure(sqlite3 *database);
int database_execute(sqlite3 *database, const char *sql);
int database_checkpoint(sqlite3 *database);

int database_prepare(
    sqlite3 *database, const char *const *sql, sqlite3_stmt **statements, int count);
void database_finalize(sqlite3_stmt **statements, int count);

// Steps a statement that gives no rows to its end, and resets it.
int run_statement(sqlite3_stmt *statement);

void bind_integer(sqlite3_stmt *statement, int index, int64_t value);
void bind_name(sqlite3_stmt *statement, int index, const char *name);

#endif
