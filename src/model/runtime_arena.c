/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/runtime_arena.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

struct runtime_arena *runtime_arena_copy(const struct runtime_arena *arena) {
  size_t count = arena->totals.operator_count;
  struct runtime_arena *copy = memory_array(1, sizeof *copy);
  if (!copy) return NULL;
  copy->totals = arena->totals;
  copy->operators = memory_array(count, sizeof *copy->operators);
  if (copy->operators && names_add_all(&copy->unknown, &arena->unknown)) {
    memcpy(copy->operators, arena->operators, count * sizeof *copy->operators);
    return copy;
  }
  runtime_arena_free(copy);
  return NULL;
}

void runtime_arena_free(struct runtime_arena *arena) {
  if (!arena) return;
  free(arena->operators);
  names_clear(&arena->unknown);
  free(arena);
}

bool runtime_arena_total(const struct runtime_arena *own, neap_size head, neap_arena *arena) {
  if (head > NEAP_MAX - own->totals.tail) return false;
  *arena = own->totals;
  arena->head = head;
  arena->used = head + arena->tail;
  /* The runtime aligns the end of the arena. */
  if (!checked_round_up(arena->used, NEAP_ARENA_STEP, &arena->smallest)) return false;
  if (arena->smallest < arena->preparing) arena->smallest = arena->preparing;
  return true;
}
