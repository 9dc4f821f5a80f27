/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy placement, as by first fit in a given order: buffers are placed one after another, and
 * stay where they are.  The container knows the bytes taken during each buffer's life, and the
 * rule chooses among the free ones.  Placing costs O(log n) sets of pieces, in which the search
 * for free bytes leaps upwards (place/container).
 *
 * After a mark, the container and the record of waiting buffers log what they change, so that a
 * rollback costs as much as the placements since.
 */
#include "place/placer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "place/state.h"

static const struct span *spans_of(const struct placer *placer, size_t buffer, size_t *count) {
  size_t begin = sections_spans_begin(placer->sections, buffer);
  *count = placer->sections->spans_end[buffer] - begin;
  return placer->sections->spans + begin;
}

/* ---------------------------------------------------------------- making */

static bool init_parts(struct placer *placer) {
  size_t count = placer->problem->count;
  placer->offsets = memory_array(count, sizeof *placer->offsets);
  placer->puts = memory_array(count, sizeof *placer->puts);
  return placer->offsets && placer->puts &&
         container_init(&placer->container, placer->sections->count) &&
         (!placer->rule->needs_waiting ||
          waiting_init(&placer->waiting, placer->sections, count));
}

neap_status placer_new(struct placer **placer, const struct neap_problem *problem,
                       const struct sections *sections, const struct place_rule *rule,
                       struct budget *budget, neap_error *error) {
  struct placer *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  *made =
      (struct placer){.problem = problem, .sections = sections, .rule = rule, .budget = budget};
  neap_status status = init_parts(made) ? placer_reset(made, error) : error_memory(error);
  if (status == NEAP_OK) *placer = made;
  else placer_free(made);
  return status;
}

void placer_free(struct placer *placer) {
  if (!placer) return;
  free(placer->offsets);
  free(placer->puts);
  if (placer->container.across) container_clear(&placer->container);
  waiting_clear(&placer->waiting);
  view_clear(&placer->view);
  free(placer);
}

/* ---------------------------------------------------------------- placing */

static neap_status place_at(struct placer *placer, size_t buffer, neap_offset offset,
                            neap_error *error) {
  neap_size size = placer->problem->buffers[buffer].size;
  assert(offset >= 0 && offset <= NEAP_MAX - size);
  assert(placer->offsets[buffer] == NEAP_UNPLACED);
  assert(placer->put_count < placer->problem->count);
  size_t count;
  const struct span *spans = spans_of(placer, buffer, &count);
  if (size > 0 &&
      !container_take(&placer->container, spans, count, (struct piece){offset, offset + size}))
    return error_memory(error);
  placer->offsets[buffer] = offset;
  placer->puts[placer->put_count++] = (struct put){buffer, placer->peak};
  if (offset + size > placer->peak) placer->peak = offset + size;
  return NEAP_OK;
}

neap_status placer_reset(struct placer *placer, neap_error *error) {
  container_reset(&placer->container);
  if (placer->rule->needs_waiting) waiting_reset(&placer->waiting, placer->problem->count);
  placer->put_count = 0;
  placer->peak = 0;
  for (size_t i = 0; i < placer->problem->count; i++)
    placer->offsets[i] = NEAP_UNPLACED;
  if (placer->problem->fixed_count == 0) return NEAP_OK;
  for (size_t i = 0; i < placer->problem->count; i++) {
    neap_offset fixed = placer->problem->buffers[i].fixed_offset;
    neap_status status = fixed == NEAP_UNPLACED ? NEAP_OK : place_at(placer, i, fixed, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

neap_status placer_put(struct placer *placer, size_t buffer, neap_error *error) {
  assert(buffer < placer->problem->count);
  if (placer->offsets[buffer] != NEAP_UNPLACED) return NEAP_OK;
  if (!budget_tick(placer->budget)) return NEAP_NO_PLAN;
  if (placer->rule->needs_waiting && !waiting_meet(&placer->waiting, buffer))
    return error_memory(error);
  /* A buffer of 0 bytes always fits at the bottom. */
  neap_offset offset = 0;
  if (placer->problem->buffers[buffer].size > 0) {
    size_t count;
    const struct span *spans = spans_of(placer, buffer, &count);
    if (!container_view(&placer->container, spans, count, &placer->view))
      return error_memory(error);
    offset = placer->rule->choose(placer, buffer);
    assert(offset % placer->problem->buffers[buffer].alignment == 0);
  }
  return place_at(placer, buffer, offset, error);
}

neap_status placer_fill(struct placer *placer, const gsl_permutation *order,
                        neap_error *error) {
  assert(order->size == placer->problem->count);
  for (size_t rank = 0; rank < order->size; rank++) {
    neap_status status = placer_put(placer, order->data[rank], error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

const neap_offset *placer_offsets(const struct placer *placer) { return placer->offsets; }

neap_size placer_peak(const struct placer *placer) { return placer->peak; }

/* ---------------------------------------------------------------- going back */

struct placer_mark placer_mark(struct placer *placer) {
  placer->container.logging = true;
  return (struct placer_mark){placer->put_count, placer->container.log.change_count,
                              placer->waiting.change_count};
}

void placer_rollback(struct placer *placer, struct placer_mark mark) {
  assert(placer->container.logging && mark.put <= placer->put_count);
  pieces_undo(&placer->container.log, mark.log);
  waiting_undo(&placer->waiting, mark.rule);
  while (placer->put_count > mark.put) {
    struct put put = placer->puts[--placer->put_count];
    assert(placer->offsets[put.buffer] != NEAP_UNPLACED && put.peak_before <= placer->peak);
    placer->offsets[put.buffer] = NEAP_UNPLACED;
    placer->peak = put.peak_before;
  }
}

void placer_forget(struct placer *placer) {
  placer->container.logging = false;
  placer->container.log.change_count = placer->container.log.replaced_count = 0;
}
