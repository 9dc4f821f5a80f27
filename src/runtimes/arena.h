/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's arena: where allocations with known lives go in one growing buffer. */
#ifndef RUNTIMES_ARENA_H
#define RUNTIMES_ARENA_H

#include "neap/neap.h"

#define ARENA_ALIGNMENT 64 /* of the buffer; allocations ask for at most as much */
#define ARENA_UNTIL_END INT32_MAX

/* Where a tensor lies, and during which nodes, from the first up to and with the last. */
struct arena_record {
  neap_offset offset;
  neap_size size; /* 0: it has no memory */
  size_t tensor;
  int64_t first, last;
};

/* Begin with a zeroed struct. */
struct arena {
  struct arena_record *active; /* by offset */
  size_t count, capacity;
  neap_size high_water; /* of all allocations since the plan was cleared */
  neap_size size;       /* of the buffer */
  bool is_committed;
  /*
   * Without: the size of a gap is compared with alignment taken off, but remembered with it, so
   * that a looser gap may win.  TensorFlow Lite does that.
   */
  bool measures_exactly;
};

void arena_clear(struct arena *arena);

/*
 * Finds room for `record`, whose offset it sets, beside what is active.  NEAP_ERROR_ARGUMENT: the
 * alignment is not in 1 .. ARENA_ALIGNMENT; NEAP_ERROR_INPUT: an offset passes NEAP_MAX.
 * O(active).
 */
neap_status arena_allocate(struct arena *arena, neap_size alignment,
                           struct arena_record *record, neap_error *error);

/* Grows the buffer to the high-water mark; *moved says whether it is another one now. */
void arena_commit(struct arena *arena, bool *moved);

/* Forgets all allocations and the mark; the buffer stays. */
void arena_clear_plan(struct arena *arena);

/* Gives the buffer back; the plan stays. */
void arena_release_buffer(struct arena *arena);

/* Drops what is active: all of it; what ends before a node; what begins after it. */
void arena_reset(struct arena *arena);
void arena_purge_before(struct arena *arena, int64_t node);
void arena_purge_after(struct arena *arena, int64_t node);

/* Makes active what of `count` records is alive during a node. */
neap_status arena_restore(struct arena *arena, const struct arena_record *records, size_t count,
                          int64_t node, neap_error *error);

#endif
