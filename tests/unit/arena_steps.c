/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/arena_steps.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

void arena_release_buffer(struct arena *arena) {
  arena->is_committed = false;
  arena->size = 0;
}

void arena_purge_after(struct arena *arena, int64_t node) {
  size_t kept = 0;
  for (size_t i = 0; i < arena->count; i++)
    if (arena->active[i].first <= node) arena->active[kept++] = arena->active[i];
  arena->count = kept;
}

static int by_offset(const void *left, const void *right) {
  const struct arena_record *a = left, *b = right;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  return a->tensor < b->tensor ? -1 : a->tensor > b->tensor;
}

neap_status arena_restore(struct arena *arena, const struct arena_record *records, size_t count,
                          int64_t node, neap_error *error) {
  if (!memory_reserve(&arena->active, &arena->capacity, count, sizeof *arena->active))
    return error_memory(error);
  arena->count = 0;
  for (size_t i = 0; i < count; i++)
    if (records[i].size > 0 && records[i].first <= node && node <= records[i].last)
      arena->active[arena->count++] = records[i];
  if (arena->count > 0) qsort(arena->active, arena->count, sizeof *arena->active, by_offset);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the planner */

neap_status arena_planner_reset_after(struct arena_planner *planner, size_t node,
                                      neap_error *error) {
  for (size_t t = 0; t < planner->count; t++) {
    struct arena_record *record = &planner->records[t];
    if (record->size == 0 || record->first <= (int64_t)node ||
        planner->graph->tensors[t].type != ARENA_NORMAL)
      continue;
    *record = (struct arena_record){0, 0, t, -1, -1};
    planner->pointers[t] = NEAP_UNPLACED;
  }
  neap_status status = NEAP_OK;
  if (planner->last_active > (int64_t)node)
    status =
        arena_restore(&planner->normal, planner->records, planner->count, (int64_t)node, error);
  else arena_purge_after(&planner->normal, (int64_t)node);
  planner->last_active = (int64_t)node;
  return status;
}

void arena_planner_release(struct arena_planner *planner) {
  arena_release_buffer(&planner->normal);
  for (size_t t = 0; t < planner->count; t++)
    if (planner->graph->tensors[t].type == ARENA_NORMAL) planner->pointers[t] = NEAP_UNPLACED;
  planner->has_normal = false;
}

void arena_planner_acquire(struct arena_planner *planner) {
  bool moved;
  arena_commit(&planner->normal, &moved);
  for (size_t t = 0; t < planner->count; t++)
    if (planner->graph->tensors[t].type == ARENA_NORMAL) arena_planner_resolve(planner, t);
  planner->has_normal = true;
}
