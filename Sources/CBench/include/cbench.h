// The plain-C limit beside our benchmarks: the same work on the same schema, data and settings,
// with nothing between the program and SQLCipher. A call that can fail gives an SQLite code.
#ifndef COFFER_CBENCH_H
#define COFFER_CBENCH_H
#include <stdbool.h>
#include <stdint.h>

// MARK: What arrives

typedef struct {
  int64_t inbox;
  int64_t seq;
  int64_t sent_at;  // milliseconds
  // Numbers from 1 and names of the same conversation and account; the names live as long as the
  // workload, and so does the text.
  int32_t conversation;
  int32_t sender;
  const char *conversation_name;
  const char *sender_name;
  const char *text;
  int32_t text_size;
  uint8_t id[16];
} cbench_item;

typedef struct cbench_workload cbench_workload;

// Items spread evenly over conversations of three senders each. One in a hundred jumps over a few
// seqs, and some of what was jumped over comes later. Ids are UUIDv7, or random as the seed leaves
// them. The same seed gives the same items.
cbench_workload *cbench_workload_new(uint64_t seed, int32_t conversations, bool random_ids);
void cbench_workload_fill(cbench_workload *workload, cbench_item *items, int32_t count);
void cbench_workload_free(cbench_workload *workload);

// MARK: Our schema

typedef struct cbench_door cbench_door;

// `key` is the text x'…64 hex digits…'. The store is there already.
int cbench_door_open(const char *path, const char *key, cbench_door **door);
// Applies one page by the statements that `Store.receive(page)` runs for it.
int cbench_door_apply(cbench_door *door, const cbench_item *items, int32_t count, int64_t now);
// Moves the WAL into the file, so that each run begins without one.
int cbench_door_checkpoint(cbench_door *door);
void cbench_door_close(cbench_door *door);

typedef struct cbench_reader cbench_reader;

int cbench_reader_open(const char *path, const char *key, cbench_reader **reader);
int cbench_reader_begin(cbench_reader *reader);
int cbench_reader_end(cbench_reader *reader);
// Reads the newest entries of a conversation as `Store.timeline` does, every column of them.
// Adds to `entries`.
int cbench_reader_newest(
    cbench_reader *reader, const char *conversation, int32_t limit, int64_t *entries);
void cbench_reader_close(cbench_reader *reader);

// MARK: The seed's schema

typedef struct cbench_seed cbench_seed;

// Makes the file where there is none. `bulk` trades safety and memory for speed, to fill it.
int cbench_seed_open(const char *path, const char *key, bool bulk, cbench_seed **seed);
int cbench_seed_apply(cbench_seed *seed, const cbench_item *items, int32_t count);
int cbench_seed_checkpoint(cbench_seed *seed);
void cbench_seed_close(cbench_seed *seed);

#endif
