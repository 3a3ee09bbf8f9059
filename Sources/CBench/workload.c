#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cbench.h"

enum {
  SENDERS = 3,             // in each conversation
  NAME = 24,               // bytes for a name, with its end
  POOL = 4 << 20,          // bytes of text to cut messages from
  SHORTEST = 120,          // bytes of a message, 200 on average
  LONGEST = 280,
  JUMPS_IN = 100,          // one item in so many jumps
  FILLS_IN = 20,           // and one in so many, where something is missing, brings that
  MILLISECONDS_APART = 300
};

static const int64_t began_at = 1700000000000;

typedef struct {
  int64_t top;      // highest seq so far
  int64_t missing;  // one that was jumped over, or 0
  char name[NAME];
} conversation;

struct cbench_workload {
  uint64_t random;
  int64_t inbox;
  int32_t conversation_count;
  bool random_ids;
  conversation *conversations;
  char (*senders)[NAME];
  char *pool;
};

// splitmix64, by Sebastiano Vigna.
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint64_t below(cbench_workload *workload, uint64_t limit) {
  return next(&workload->random) % limit;
}

// Words of two to nine letters, common letters more often.
static void fill_pool(cbench_workload *workload) {
  static const char letters[] = "etaoinshrdlucmfwypvbgkqjxz";
  int at = 0;
  while (at < POOL) {
    for (int left = 2 + (int)below(workload, 8); left > 0 && at < POOL; left--) {
      uint64_t rank = below(workload, 26) * below(workload, 26) / 26;
      workload->pool[at++] = letters[rank];
    }
    if (at < POOL) workload->pool[at++] = ' ';
  }
}

static void name_all(cbench_workload *workload) {
  for (int32_t i = 0; i < workload->conversation_count; i++) {
    snprintf(workload->conversations[i].name, NAME, "conversation-%d", i + 1);
    for (int32_t j = i * SENDERS; j < (i + 1) * SENDERS; j++) {
      snprintf(workload->senders[j], NAME, "account-%d", j + 1);
    }
  }
}

cbench_workload *cbench_workload_new(uint64_t seed, int32_t conversations, bool random_ids) {
  cbench_workload *workload = calloc(1, sizeof *workload);
  if (!workload) return NULL;
  workload->random = seed;
  workload->conversation_count = conversations;
  workload->random_ids = random_ids;
  workload->conversations = calloc((size_t)conversations, sizeof *workload->conversations);
  workload->senders = calloc((size_t)conversations * SENDERS, sizeof *workload->senders);
  workload->pool = malloc(POOL);
  if (!workload->conversations || !workload->senders || !workload->pool) {
    cbench_workload_free(workload);
    return NULL;
  }
  fill_pool(workload);
  name_all(workload);
  return workload;
}

void cbench_workload_free(cbench_workload *workload) {
  if (!workload) return;
  free(workload->conversations);
  free(workload->senders);
  free(workload->pool);
  free(workload);
}

static int64_t next_seq(cbench_workload *workload, conversation *of) {
  if (of->missing && below(workload, FILLS_IN) == 0) {
    int64_t seq = of->missing;
    of->missing = 0;
    return seq;
  }
  if (below(workload, JUMPS_IN) == 0) {
    of->missing = of->top + 1;
    of->top += 1 + (int64_t)below(workload, 3);
  }
  return ++of->top;
}

static void put_big_endian(uint8_t *bytes, uint64_t value) {
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (56 - 8 * i));
}

static void make_id(cbench_workload *workload, int64_t time, uint8_t *id) {
  uint64_t high = next(&workload->random), low = next(&workload->random);
  if (!workload->random_ids) {
    high = (uint64_t)time << 16 | 0x7000 | (high & 0x0fff);
    low = 0x8000000000000000 | low >> 2;
  }
  put_big_endian(id, high);
  put_big_endian(id + 8, low);
}

static void fill_one(cbench_workload *workload, cbench_item *item) {
  int32_t place = (int32_t)below(workload, (uint64_t)workload->conversation_count);
  conversation *of = &workload->conversations[place];
  item->inbox = ++workload->inbox;
  item->sent_at = began_at + item->inbox * MILLISECONDS_APART;
  item->seq = next_seq(workload, of);
  item->conversation = place + 1;
  item->conversation_name = of->name;
  item->sender = place * SENDERS + (int32_t)(item->seq % SENDERS) + 1;
  item->sender_name = workload->senders[item->sender - 1];
  item->text_size = SHORTEST + (int32_t)below(workload, LONGEST - SHORTEST + 1);
  item->text = workload->pool + below(workload, POOL - LONGEST);
  make_id(workload, item->sent_at, item->id);
}

void cbench_workload_fill(cbench_workload *workload, cbench_item *items, int32_t count) {
  for (int32_t i = 0; i < count; i++) fill_one(workload, &items[i]);
}
