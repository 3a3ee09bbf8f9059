#include "gaps.h"

enum { OVERLAP, INSERT, DELETE };
enum { OPEN = 0 };

// More gaps than that in one small stretch never come up here.
enum { MOST = 64 };

typedef struct {
  int64_t first, last, status;
} gap;

static const char *const sql[GAP_STATEMENTS] = {
    [OVERLAP] =
        ("SELECT first, last, status FROM gaps "
         "WHERE conversation_id = ?1 AND first <= ?3 "
         "AND first >= coalesce("
         "(SELECT max(first) FROM gaps WHERE conversation_id = ?1 AND first <= ?2), ?2) "
         "AND last >= ?2 ORDER BY first"),
    [INSERT] =
        "INSERT INTO gaps (conversation_id, first, last, status, changed) VALUES (?, ?, ?, ?, ?)",
    [DELETE] = "DELETE FROM gaps WHERE conversation_id = ? AND first = ?",
};

int gaps_prepare(gap_book *gaps, sqlite3 *database) {
  return database_prepare(database, sql, gaps->statements, GAP_STATEMENTS);
}

void gaps_finalize(gap_book *gaps) { database_finalize(gaps->statements, GAP_STATEMENTS); }

static int find(
    gap_book *gaps, int64_t conversation, int64_t from, int64_t to, gap *found, int *count) {
  sqlite3_stmt *statement = gaps->statements[OVERLAP];
  bind_integer(statement, 1, conversation);
  bind_integer(statement, 2, from);
  bind_integer(statement, 3, to);
  *count = 0;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW && *count < MOST) {
    found[*count].first = sqlite3_column_int64(statement, 0);
    found[*count].last = sqlite3_column_int64(statement, 1);
    found[*count].status = sqlite3_column_int64(statement, 2);
    *count += 1;
  }
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int insert(
    gap_book *gaps, int64_t conversation, int64_t from, int64_t to, int64_t status,
    int64_t changed) {
  sqlite3_stmt *statement = gaps->statements[INSERT];
  bind_integer(statement, 1, conversation);
  bind_integer(statement, 2, from);
  bind_integer(statement, 3, to);
  bind_integer(statement, 4, status);
  bind_integer(statement, 5, changed);
  return run_statement(statement);
}

static int delete(gap_book *gaps, int64_t conversation, int64_t from) {
  sqlite3_stmt *statement = gaps->statements[DELETE];
  bind_integer(statement, 1, conversation);
  bind_integer(statement, 2, from);
  return run_statement(statement);
}

int gaps_subtract(
    gap_book *gaps, int64_t conversation, int64_t from, int64_t to, int64_t changed) {
  gap found[MOST];
  int count;
  TRY(find(gaps, conversation, from, to, found, &count));
  for (int i = 0; i < count; i++) {
    gap cut = found[i];
    TRY(delete(gaps, conversation, cut.first));
    if (cut.first < from) {
      TRY(insert(gaps, conversation, cut.first, from - 1, cut.status, changed));
    }
    if (cut.last > to) {
      TRY(insert(gaps, conversation, to + 1, cut.last, cut.status, changed));
    }
  }
  return SQLITE_OK;
}

int gaps_add(gap_book *gaps, int64_t conversation, int64_t from, int64_t to, int64_t changed) {
  TRY(gaps_subtract(gaps, conversation, from, to, changed));
  gap found[MOST];
  int count;
  // One seq further on each side finds what is adjacent.
  TRY(find(gaps, conversation, from > 1 ? from - 1 : 1, to + 1, found, &count));
  for (int i = 0; i < count; i++) {
    if (found[i].status != OPEN) continue;
    TRY(delete(gaps, conversation, found[i].first));
    if (found[i].first < from) from = found[i].first;
    if (found[i].last > to) to = found[i].last;
  }
  return insert(gaps, conversation, from, to, OPEN, changed);
}
