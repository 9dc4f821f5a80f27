/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/before_after.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "schedule/operator_set.h"

struct sides sides_of(const struct costs *costs) {
  return (struct sides){.count = costs->count,
                        .befores = &costs->befores,
                        .afters = &costs->afters,
                        .readers = &costs->readers,
                        .shares = &costs->shares,
                        .lives = costs->lives};
}

bool sides_init(struct sides *sides) {
  sides->of = memory_array(sides->count, sizeof *sides->of);
  sides->stack = memory_array(sides->count, sizeof *sides->stack);
  return sides->of && sides->stack;
}

void sides_clear(struct sides *sides) {
  free(sides->of);
  free(sides->stack);
}

/* Marks the operators that `k` reaches through `lists`. */
static void mark_reached(struct sides *sides, size_t k, const struct costs_lists *lists,
                         enum side side) {
  size_t height = 0;
  sides->stack[height++] = k;
  while (height > 0) {
    size_t top = sides->stack[--height];
    for (size_t i = costs_begin(lists, top); i < lists->ends[top]; i++) {
      size_t next = lists->items[i];
      assert(sides->of[next] == SIDE_EITHER || sides->of[next] == side); /* there is no cycle */
      if (sides->of[next] != SIDE_EITHER) continue;
      sides->of[next] = (unsigned char)side;
      sides->stack[height++] = next;
      assert(height <= sides->count);
    }
  }
}

void sides_find(struct sides *sides, size_t k) {
  for (size_t i = 0; i < sides->count; i++)
    sides->of[i] = SIDE_EITHER;
  sides->of[k] = SIDE_SELF;
  mark_reached(sides, k, sides->befores, SIDE_BEFORE);
  mark_reached(sides, k, sides->afters, SIDE_AFTER);
}

void sides_put_before(struct sides *sides, const uint64_t *set) {
  for (size_t i = 0; i < sides->count; i++)
    if (set_has(set, i)) sides->of[i] = SIDE_BEFORE;
}

bool sides_need_from(const struct sides *sides, size_t value, enum side from) {
  const struct costs_lists *readers = sides->readers;
  bool is_needed = sides->lives && sides->lives[value] & COSTS_STAYS;
  for (size_t r = costs_begin(readers, value); r < readers->ends[value] && !is_needed; r++)
    is_needed = sides->of[readers->items[r]] >= from;
  return is_needed;
}

static bool may_end(const void *state, size_t operator, size_t input) {
  (void)operator;
  return !sides_need_from(state, input, SIDE_AFTER);
}

neap_size sides_most_shared(const struct sides *sides, size_t k, struct share_uses uses) {
  return shares_most_saved(sides->shares, k, uses, may_end, sides);
}
