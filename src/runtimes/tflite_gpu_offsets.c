/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's GPU delegate: greedy by size, with offsets in one arena (doc/tflite-gpu.md,
 * 5.2). Each record, the largest first, visits the records placed before it, from the bottom
 * up, and takes the smallest gap, as in TensorFlow Lite's other arena
 * (runtimes/simple_memory_arena), but without its quirk. O(n^2).
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "runtimes/tflite_gpu.h"

struct layout {
  const struct records *records;
  neap_size alignment;
  neap_offset *offsets;
  size_t *placed; /* records by offset */
  size_t count;
};

/*
 * The start of the smallest gap that is large enough; without one, the end of the highest
 * neighbour.
 */
static neap_offset find_gap(const struct layout *layout, const struct record *record) {
  neap_offset above = 0, best = NEAP_UNPLACED;
  neap_size best_gap = NEAP_MAX;
  for (size_t p = 0; p < layout->count; p++) {
    size_t other = layout->placed[p];
    const struct record *neighbour = &layout->records->items[other];
    if (!records_overlap(record, neighbour)) continue;
    neap_offset offset = layout->offsets[other];
    neap_size gap = offset - above;
    if (gap >= 0 && gap >= record->size && gap < best_gap) {
      best = above;
      best_gap = gap;
    }
    neap_offset end = round_up(offset + neighbour->size, layout->alignment);
    if (end > above) above = end;
  }
  assert(above % layout->alignment == 0);
  return best == NEAP_UNPLACED ? above : best;
}

static void insert_by_offset(struct layout *layout, size_t record) {
  struct bisection search = bisection_of(0, layout->count);
  while (bisection_open(&search))
    bisection_step(&search,
                   layout->offsets[layout->placed[search.middle]] <= layout->offsets[record]);
  size_t place = search.low;
  assert(place == 0 || layout->offsets[layout->placed[place - 1]] <= layout->offsets[record]);
  memmove(layout->placed + place + 1, layout->placed + place,
          (layout->count - place) * sizeof *layout->placed);
  layout->placed[place] = record;
  layout->count++;
}

/* The sum of all sizes, rounded up, must not exceed NEAP_MAX. */
static neap_status check_arguments(const struct records *records, neap_size alignment,
                                   neap_error *error) {
  neap_status status = records_check(records, RECORDS_ANY_ORDER, error);
  if (status != NEAP_OK) return status;
  if (alignment < 1)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected an alignment of at least 1, found %" PRId64, alignment);
  neap_size total = 0, rounded;
  for (size_t i = 0; i < records->count; i++)
    if (!checked_round_up(records->items[i].size, alignment, &rounded) ||
        !checked_add(total, rounded, &total))
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: the sum of aligned sizes exceeds 2^63 - 1", i);
  return NEAP_OK;
}

neap_status gpu_offset_greedy_by_size(const struct records *records, neap_size alignment,
                                      neap_offset *offsets, neap_size *total,
                                      struct budget *budget, neap_error *error) {
  neap_status status = check_arguments(records, alignment, error);
  if (status != NEAP_OK) return status;
  size_t *order = memory_array(records->count, sizeof *order);
  struct layout layout = {.records = records, .alignment = alignment, .offsets = offsets};
  layout.placed = memory_array(records->count, sizeof *layout.placed);
  *total = 0;
  if (!order || !layout.placed) status = error_memory(error);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++)
    order[i] = i;
  if (status == NEAP_OK && records->count > 0)
    qsort_r(order, records->count, sizeof *order, records_by_size, records->items);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++) {
    const struct record *record = &records->items[order[i]];
    if (!budget_tick(budget)) status = NEAP_NO_PLAN;
    else {
      offsets[order[i]] = find_gap(&layout, record);
      insert_by_offset(&layout, order[i]);
      if (offsets[order[i]] + record->size > *total) *total = offsets[order[i]] + record->size;
    }
  }
  free(order);
  free(layout.placed);
  return status;
}
