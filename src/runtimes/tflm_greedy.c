/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite Micro's GreedyMemoryPlanner (doc/tflm-greedy.md): the largest record first, each
 * at the lowest place that is free throughout its lifetime.
 *
 *     bytes
 *       ^   +---+               C visits A and B, which are alive with it, from the bottom up.
 *       |   | B |               The gap between them is the first that is large enough, though
 *       |   +-+-+-+             the one above B may be smaller.
 *       |     | C |
 *       |   +-+-+-+--+
 *       |   | A      |
 *       +---+--------+---> time
 *
 * All sizes are multiples of the alignment, and so are all offsets. The original uses bubble sort
 * and a linked list; the results are the same. O(n^2).
 */
#include "runtimes/tflm_greedy.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "runtimes/simple_memory_arena.h"

/*
 * Of equal sizes, the later request comes first: the runtime lists requests from the last to the
 * first before it sorts them stably.
 */
static int by_size_then_latest(const void *left, const void *right, void *context) {
  const struct arena_record *a = left, *b = right;
  (void)context;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  assert(a->tensor != b->tensor || a == b);
  return a->tensor > b->tensor ? -1 : a->tensor < b->tensor;
}

static neap_status round_sizes(const struct records *records, neap_size alignment,
                               struct arena_record *made, neap_error *error) {
  for (size_t i = 0; i < records->count; i++) {
    const struct record *record = &records->items[i];
    made[i] = (struct arena_record){.tensor = i, .first = record->first, .last = record->last};
    if (!checked_round_up(record->size, alignment, &made[i].size))
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: the size rounded up to %" PRId64 " exceeds 2^63 - 1", i,
                       alignment);
  }
  return NEAP_OK;
}

static neap_status place_all(const struct records *records, struct arena_record *sorted,
                             neap_offset *offsets, neap_size *total, struct budget *budget,
                             neap_error *error) {
  struct arena arena = {.fit = ARENA_FIT_LOWEST};
  neap_status status = NEAP_OK;
  *total = 0;
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++) {
    size_t record = sorted[i].tensor;
    status = budget_tick(budget) ? arena_allocate(&arena, 1, &sorted[i], error) : NEAP_NO_PLAN;
    if (status != NEAP_OK) break;
    offsets[record] = sorted[i].offset;
    neap_size end = sorted[i].offset + records->items[record].size;
    if (end > *total) *total = end;
  }
  arena_clear(&arena);
  return status;
}

neap_status tflm_greedy(const struct records *records, neap_size alignment,
                        neap_offset *offsets, neap_size *total, struct budget *budget,
                        neap_error *error) {
  neap_status status = records_check(records, RECORDS_ANY_ORDER, error);
  if (status != NEAP_OK) return status;
  struct arena_record *sorted = memory_array(records->count, sizeof *sorted);
  if (!sorted) return error_memory(error);
  status = round_sizes(records, alignment, sorted, error);
  if (status == NEAP_OK && records->count > 0)
    qsort_r(sorted, records->count, sizeof *sorted, by_size_then_latest, NULL);
  if (status == NEAP_OK) status = place_all(records, sorted, offsets, total, budget, error);
  free(sorted);
  return status;
}
