/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's arena: assigns offsets in one growing buffer to allocations with known
 * lifetimes.
 */
#ifndef RUNTIMES_SIMPLE_MEMORY_ARENA_H
#define RUNTIMES_SIMPLE_MEMORY_ARENA_H

#include "neap/neap.h"

#define ARENA_ALIGNMENT 64 /* of the buffer; no allocation may need more */
#define ARENA_UNTIL_END INT32_MAX

/* The offset of a tensor and the nodes during which it is alive, both ends included. */
struct arena_record {
  neap_offset offset;
  neap_size size; /* 0: the tensor has no memory */
  size_t tensor;
  int64_t first, last;
};

/* Which of the gaps that are large enough an allocation gets. */
enum arena_fit {
  /*
   * The smallest one, as TensorFlow Lite finds it: gaps are compared by their size without the
   * padding, but the best size so far is remembered with the padding, so a larger gap may win.
   */
  ARENA_FIT_PADDED,
  ARENA_FIT_LOWEST /* as in TensorFlow Lite Micro */
};

/* Begin with a zeroed struct. */
struct arena {
  struct arena_record *active; /* by offset */
  size_t count, capacity;
  neap_size high_water; /* of all allocations since the plan was cleared */
  neap_size size;       /* of the buffer */
  bool is_committed;
  enum arena_fit fit;
};

void arena_clear(struct arena *arena);

/*
 * Sets the offset of `record` so that it fits beside the active records. NEAP_ERROR_ARGUMENT:
 * the alignment is not in 1 .. ARENA_ALIGNMENT; NEAP_ERROR_INPUT: an offset exceeds NEAP_MAX.
 * O(active).
 */
neap_status arena_allocate(struct arena *arena, neap_size alignment,
                           struct arena_record *record, neap_error *error);

/* Grows the buffer to the high-water mark; sets *moved if its address has changed. */
void arena_commit(struct arena *arena, bool *moved);

/* Forgets all allocations and the high-water mark, but keeps the buffer. */
void arena_clear_plan(struct arena *arena);

/* Deactivate all records, or the records that end before a node. */
void arena_reset(struct arena *arena);
void arena_purge_before(struct arena *arena, int64_t node);

#endif
