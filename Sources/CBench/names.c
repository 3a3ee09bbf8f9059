#include "names.h"

#include <string.h>

void names_clear(name_table *table) { memset(table->names, 0, sizeof table->names); }

// FNV-1a.
static uint32_t hash(const char *name) {
  uint32_t value = 2166136261u;
  for (; *name; name++) value = (value ^ (uint8_t)*name) * 16777619u;
  return value;
}

uint32_t names_find(const name_table *table, const char *name) {
  uint32_t slot = hash(name) % NAME_SLOTS;
  while (table->names[slot] && strcmp(table->names[slot], name) != 0) {
    slot = (slot + 1) % NAME_SLOTS;
  }
  return slot;
}
