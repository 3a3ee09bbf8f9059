// The one place that includes SQLCipher's header. SQLITE_HAS_CODEC declares sqlite3_key_v2; the
// pkg-config file does not define it.
#ifndef COFFER_CSQLCIPHER_SHIM_H
#define COFFER_CSQLCIPHER_SHIM_H
#define SQLITE_HAS_CODEC 1
#include <sqlcipher/sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int coffer_db_config(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}
#endif
