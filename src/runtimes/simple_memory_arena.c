/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's simple_memory_arena (doc/tflite-arena.md, section 2). The active records
 * are kept by offset. A new record visits the records that are alive with it, from the bottom
 * up, and takes the smallest gap between them that is large enough (the lowest for TensorFlow
 * Lite Micro, doc/tflm-greedy.md), or else the place above them all. O(active) per allocation.
 */
#include "runtimes/simple_memory_arena.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

void arena_clear(struct arena *arena) {
  free(arena->active);
  *arena = (struct arena){0};
}

/* The index after all records with offsets up to `offset`. */
static size_t place_of(const struct arena *arena, neap_offset offset) {
  struct bisection search = bisection_of(0, arena->count);
  while (bisection_open(&search))
    bisection_step(&search, arena->active[search.middle].offset <= offset);
  return search.low;
}

static bool insert_record(struct arena *arena, const struct arena_record *record) {
  if (!memory_reserve(&arena->active, &arena->capacity, arena->count + 1,
                      sizeof *arena->active))
    return false;
  size_t place = place_of(arena, record->offset);
  assert(place == 0 || arena->active[place - 1].offset <= record->offset);
  assert(place == arena->count || arena->active[place].offset > record->offset);
  memmove(arena->active + place + 1, arena->active + place,
          (arena->count - place) * sizeof *arena->active);
  arena->active[place] = *record;
  arena->count++;
  return true;
}

/* Sets the offset of a record; false if an end exceeds NEAP_MAX. */
static bool find_room(const struct arena *arena, neap_size alignment,
                      struct arena_record *record) {
  neap_offset above = 0, best = NEAP_UNPLACED, aligned, end;
  neap_size best_gap = NEAP_MAX;
  for (size_t i = 0; i < arena->count; i++) {
    const struct arena_record *other = &arena->active[i];
    if (other->last < record->first || other->first > record->last) continue;
    if (!checked_round_up(above, alignment, &aligned) ||
        !checked_add(aligned, record->size, &end))
      return false;
    if (end <= other->offset && other->offset - aligned < best_gap) {
      best = aligned;
      if (arena->fit == ARENA_FIT_LOWEST) break;
      best_gap = other->offset - above;
    }
    assert(other->size > 0);
    if (other->offset + other->size > above) above = other->offset + other->size;
  }
  if (best != NEAP_UNPLACED) {
    assert(best % alignment == 0);
    record->offset = best;
    return true;
  }
  return checked_round_up(above, alignment, &record->offset) &&
         checked_add(record->offset, record->size, &end);
}

neap_status arena_allocate(struct arena *arena, neap_size alignment,
                           struct arena_record *record, neap_error *error) {
  if (alignment < 1 || alignment > ARENA_ALIGNMENT)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "arena: expected an alignment from 1 to %d, found %" PRId64,
                     ARENA_ALIGNMENT, alignment);
  record->offset = 0;
  if (record->size == 0) return NEAP_OK;
  if (!find_room(arena, alignment, record))
    return error_set(error, NEAP_ERROR_INPUT, "arena: the end of tensor %zu exceeds 2^63 - 1",
                     record->tensor);
  if (!insert_record(arena, record)) return error_memory(error);
  if (record->offset + record->size > arena->high_water)
    arena->high_water = record->offset + record->size;
  return NEAP_OK;
}

void arena_commit(struct arena *arena, bool *moved) {
  assert(arena->size >= 0 && arena->high_water >= 0);
  *moved = arena->high_water > arena->size;
  if (*moved) arena->size = arena->high_water;
  arena->is_committed = true;
}

void arena_clear_plan(struct arena *arena) {
  arena->is_committed = false;
  arena->high_water = 0;
  arena->count = 0;
}

void arena_reset(struct arena *arena) { arena->count = 0; }

void arena_purge_before(struct arena *arena, int64_t node) {
  size_t kept = 0;
  for (size_t i = 0; i < arena->count; i++)
    if (arena->active[i].last >= node) arena->active[kept++] = arena->active[i];
  arena->count = kept;
}
