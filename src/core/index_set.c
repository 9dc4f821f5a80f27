/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tree of 64-bit words, a simple form of a van Emde Boas tree (1975).  A bit of level 0 is a
 * number; a bit of a higher level says whether a word below has any.
 *
 *     level 1                  ..1..1                    one word of 64 bits
 *     level 0    000000  000000  010010  000000  000000  100000   ...
 *
 * To find a neighbour, go up until a word contains one, then down again: at most two words per
 * level, so O(log n) to the base 64.
 */
#include "core/index_set.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

bool index_set_init(struct index_set *set, size_t limit) {
  *set = (struct index_set){.level_count = 0};
  size_t words = limit;
  do {
    words = (words >> 6) + 1;
    assert(set->level_count < INDEX_SET_LEVELS);
    uint64_t *level = memory_array(words, sizeof *level);
    if (!level) {
      index_set_clear(set);
      return false;
    }
    set->levels[set->level_count++] = level;
  } while (words > 1);
  return true;
}

void index_set_clear(struct index_set *set) {
  for (size_t level = 0; level < set->level_count; level++)
    free(set->levels[level]);
  *set = (struct index_set){.level_count = 0};
}

void index_set_add(struct index_set *set, size_t number) {
  assert(set->level_count > 0);
  for (size_t level = 0; level < set->level_count; level++, number >>= 6)
    set->levels[level][number >> 6] |= UINT64_C(1) << (number & 63);
}

void index_set_remove(struct index_set *set, size_t number) {
  for (size_t level = 0; level < set->level_count; level++, number >>= 6) {
    set->levels[level][number >> 6] &= ~(UINT64_C(1) << (number & 63));
    if (set->levels[level][number >> 6] != 0) return;
  }
}

size_t index_set_below(const struct index_set *set, size_t number) {
  for (size_t level = 0; level < set->level_count; level++, number >>= 6) {
    uint64_t bits = set->levels[level][number >> 6] & ((UINT64_C(1) << (number & 63)) - 1);
    if (bits == 0) continue;
    number = (number & ~(size_t)63) | (63 - (size_t)__builtin_clzll(bits));
    while (level-- > 0)
      number = number << 6 | (63 - (size_t)__builtin_clzll(set->levels[level][number]));
    return number;
  }
  return INDEX_NONE;
}

size_t index_set_above(const struct index_set *set, size_t number) {
  for (size_t level = 0; level < set->level_count; level++, number >>= 6) {
    uint64_t bits = set->levels[level][number >> 6] & (~UINT64_C(1) << (number & 63));
    if (bits == 0) continue;
    number = (number & ~(size_t)63) | (size_t)__builtin_ctzll(bits);
    while (level-- > 0)
      number = number << 6 | (size_t)__builtin_ctzll(set->levels[level][number]);
    return number;
  }
  return INDEX_NONE;
}
