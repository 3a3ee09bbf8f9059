// Names that a page has met, each with a number.
#ifndef COFFER_CBENCH_NAMES_H
#define COFFER_CBENCH_NAMES_H
#include <stdint.h>

enum { NAME_SLOTS = 2048 };  // a power of two, well above what a page meets

typedef struct {
  const char *names[NAME_SLOTS];
  int64_t values[NAME_SLOTS];
} name_table;

void names_clear(name_table *table);
// The slot of a name, or the free one where it goes: then its entry in `names` is NULL.
uint32_t names_find(const name_table *table, const char *name);

#endif
