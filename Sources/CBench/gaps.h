// The gaps of a conversation, by the statements of Coffer/Inbox/Gaps.swift.
#ifndef COFFER_CBENCH_GAPS_H
#define COFFER_CBENCH_GAPS_H
#include "database.h"

enum { GAP_STATEMENTS = 3 };

typedef struct {
  sqlite3_stmt *statements[GAP_STATEMENTS];
} gap_book;

int gaps_prepare(gap_book *gaps, sqlite3 *database);
void gaps_finalize(gap_book *gaps);
int gaps_subtract(
    gap_book *gaps, int64_t conversation, int64_t from, int64_t to, int64_t changed);
int gaps_add(gap_book *gaps, int64_t conversation, int64_t from, int64_t to, int64_t changed);

#endif
