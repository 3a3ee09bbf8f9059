// The conversations and accounts of one page: read once, made on sight, written back once, by the
// statements of Coffer/Inbox/Directory.swift.
#ifndef COFFER_CBENCH_DIRECTORY_H
#define COFFER_CBENCH_DIRECTORY_H
#include <stdbool.h>

#include "database.h"
#include "names.h"

enum { DIRECTORY_STATEMENTS = 5 };
enum { DIRECTORY_MOST = NAME_SLOTS / 2 };

typedef struct {
  int64_t id, floor, read_seq, max_seq, unread;
  int64_t newest_id, newest_seq;  // 0: none
  int64_t active_at;
  bool touched;
} conversation_row;

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *statements[DIRECTORY_STATEMENTS];
  name_table conversation_places, account_ids;
  conversation_row conversations[DIRECTORY_MOST];
  int conversation_count, account_count;
} directory;

int directory_prepare(directory *directory, sqlite3 *database);
void directory_finalize(directory *directory);
// Forgets the page before.
void directory_clear(directory *directory);
int directory_conversation(
    directory *directory, const char *name, int64_t *changed, conversation_row **row);
int directory_account(directory *directory, const char *name, int64_t *changed, int64_t *id);
int directory_save(directory *directory, int64_t *changed);

#endif
