/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy placement in a given order, like first fit: buffers are placed one after another, and
 * never move.  The container knows the bytes taken during each buffer's lifetime, and the rule
 * chooses among the free ranges.  Placing a buffer reads O(log n) sets of pieces, in which the
 * search for free bytes leaps upwards (place/container).
 *
 * After a mark, the container and the waiting buffers log their changes, so a rollback costs as
 * much as the placements since.  Offsets and sizes are in bytes.  Invariants: `peak` is the
 * highest end of all placed buffers; placed buffers that share a section never share bytes,
 * except within a body.
 *
 * If a problem has windows, banks, reserved bytes or colocations, a limiter (place/limiter)
 * finds the offsets that these allow.
 */
#include "place/placer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/checks.h"
#include "core/error.h"
#include "core/knobs.h"
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
  if (!placer->offsets) placer->offsets = memory_array(count, sizeof *placer->offsets);
  placer->puts = memory_array(count, sizeof *placer->puts);
  return placer->offsets && placer->puts &&
         container_init(&placer->container, placer->sections,
                        container_shape_for(placer->sections)) &&
         (!placer->rule->needs_waiting ||
          waiting_init(&placer->waiting, placer->sections, count));
}

/* Makes the limiter, if the problem needs one. */
static neap_status init_limiter(struct placer *placer, neap_error *error) {
  if (!limiter_is_needed(placer->problem)) return NEAP_OK;
  neap_status status = limiter_init(&placer->limiter, placer->problem, error);
  placer->is_limited = status == NEAP_OK;
  return status;
}

neap_status placer_new(struct placer **placer, const struct neap_problem *problem,
                       const struct sections *sections, const struct place_rule *rule,
                       struct budget *budget, neap_error *error) {
  struct placer *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  *made =
      (struct placer){.problem = problem, .sections = sections, .rule = rule, .budget = budget};
  neap_status status = init_limiter(made, error);
  if (status == NEAP_OK) status = placer_reset(made, error);
  if (status == NEAP_OK) *placer = made;
  else placer_free(made);
  return status;
}

void placer_finish(struct placer *placer) {
  free(placer->puts);
  free(placer->ends);
  placer->puts = NULL;
  placer->ends = NULL;
  placer->end_capacity = 0;
  container_clear(&placer->container);
  waiting_clear(&placer->waiting);
  view_clear(&placer->view);
}

void placer_free(struct placer *placer) {
  if (!placer) return;
  placer_finish(placer);
  free(placer->offsets);
  free(placer->urgent);
  limiter_clear(&placer->limiter);
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

/* ---------------------------------------------------------------- limited buffers */

/* Places the buffers in the limiter's seats. */
static neap_status place_seats(struct placer *placer, neap_offset base, neap_error *error) {
  const struct limiter *limiter = &placer->limiter;
  for (size_t s = 0; s < limiter->seat_count; s++) {
    const struct seat *seat = &limiter->seats[s];
    neap_status status = place_at(placer, seat->buffer, base + seat->inner, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

/*
 * Whether a buffer can be placed on top of everything without exceeding NEAP_MAX.  Windows,
 * reserved bytes and bodies may have pushed the peak that high.
 */
static bool has_headroom(const struct placer *placer, size_t buffer) {
  const struct buffer *placed = &placer->problem->buffers[buffer];
  neap_size top;
  return checked_add(placer->peak, placed->size, &top) &&
         checked_add(top, placed->alignment, &top);
}

static bool has_headroom_for_seats(const struct placer *placer) {
  for (size_t s = 0; s < placer->limiter.seat_count; s++)
    if (!has_headroom(placer, placer->limiter.seats[s].buffer)) return false;
  return true;
}

/*
 * Places a buffer together with the buffers colocated with it: at `chosen` if it is alone and
 * the offset is allowed, else at the lowest offset.
 */
static neap_status place_limited(struct placer *placer, size_t buffer, neap_offset chosen,
                                 neap_error *error) {
  struct limiter *limiter = &placer->limiter;
  const struct placed placed = {placer->sections, &placer->container, placer->offsets};
  if (!limiter_sit(limiter, &placed, buffer)) return error_memory(error);
  if (!has_headroom_for_seats(placer)) return NEAP_INFEASIBLE;
  bool is_alone = limiter->seat_count == 1 && chosen != NEAP_UNPLACED;
  neap_offset base =
      is_alone && limiter_allows(limiter, chosen) ? chosen : limiter_lowest(limiter);
  return base == NEAP_UNPLACED ? NEAP_INFEASIBLE : place_seats(placer, base, error);
}

/* ---------------------------------------------------------------- buffers that go first */

/*
 * Whether a buffer has a fixed offset and is in no body.  In a body, it also fixes the offsets
 * of others.
 */
static bool is_fixed_alone(const struct placer *placer, size_t buffer) {
  return placer->problem->buffers[buffer].fixed_offset != NEAP_UNPLACED &&
         bodies_of(&placer->limiter.bodies, buffer) == BODIES_NONE;
}

static neap_status place_fixed(struct placer *placer, neap_error *error) {
  const struct neap_problem *problem = placer->problem;
  neap_status status = NEAP_OK;
  if (problem->fixed_count == 0) return NEAP_OK;
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    if (is_fixed_alone(placer, i))
      status = place_at(placer, i, problem->buffers[i].fixed_offset, error);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    if (problem->buffers[i].fixed_offset != NEAP_UNPLACED &&
        placer->offsets[i] == NEAP_UNPLACED)
      status = place_limited(placer, i, NEAP_UNPLACED, error);
  return status;
}

static neap_status place_urgent(struct placer *placer, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t u = placer->urgent_count; u-- > 0 && status == NEAP_OK;) {
    placer->stuck_on = placer->urgent[u];
    if (placer->offsets[placer->urgent[u]] == NEAP_UNPLACED)
      status = place_limited(placer, placer->urgent[u], NEAP_UNPLACED, error);
  }
  return status;
}

neap_status placer_reset(struct placer *placer, neap_error *error) {
  if (!placer->puts && !init_parts(placer)) return error_memory(error);
  container_reset(&placer->container);
  if (placer->rule->needs_waiting) waiting_reset(&placer->waiting, placer->problem->count);
  placer->put_count = 0;
  placer->peak = 0;
  for (size_t i = 0; i < placer->problem->count; i++)
    placer->offsets[i] = NEAP_UNPLACED;
  placer->stuck_on = STUCK_ON_FIXED;
  neap_status status = place_fixed(placer, error);
  if (status == NEAP_OK) status = place_urgent(placer, error);
  placer->is_stuck = status == NEAP_INFEASIBLE;
  return placer->is_stuck ? NEAP_OK : status;
}

/* ---------------------------------------------------------------- one after another */

/* Meets the waiting buffers that overlap a buffer in time, and lists their ends. */
static bool meet_waiting(struct placer *placer, size_t buffer) {
  struct waiting *waiting = &placer->waiting;
  if (!waiting_meet(waiting, buffer) ||
      !memory_reserve(&placer->ends, &placer->end_capacity, waiting->met_count,
                      sizeof *placer->ends))
    return false;
  for (size_t i = 0; i < waiting->met_count; i++) {
    size_t met = waiting->met[i];
    placer->ends[i] = placer->offsets[met] + placer->problem->buffers[met].size;
  }
  return true;
}

/* Lets the rule choose the offset of a buffer that has bytes. */
static neap_status choose(struct placer *placer, size_t buffer, neap_offset *offset,
                          neap_error *error) {
  size_t count;
  const struct span *spans = spans_of(placer, buffer, &count);
  if (!container_view(&placer->container, spans, count, &placer->view))
    return error_memory(error);
  *offset = placer->rule->choose(placer, buffer);
  assert_slowly(*offset % placer->problem->buffers[buffer].alignment == 0);
  return NEAP_OK;
}

neap_status placer_put(struct placer *placer, size_t buffer, neap_error *error) {
  assert(buffer < placer->problem->count);
  if (placer->is_stuck) return NEAP_INFEASIBLE;
  if (placer->offsets[buffer] != NEAP_UNPLACED) return NEAP_OK;
  if (!budget_tick(placer->budget)) return NEAP_NO_PLAN;
  if (placer->rule->needs_waiting && !meet_waiting(placer, buffer)) return error_memory(error);
  if (placer->is_limited && !has_headroom(placer, buffer)) return NEAP_INFEASIBLE;
  neap_offset offset = 0; /* a buffer of 0 bytes always fits at the bottom */
  if (placer->problem->buffers[buffer].size > 0) {
    neap_status status = choose(placer, buffer, &offset, error);
    if (status != NEAP_OK) return status;
  }
  return placer->is_limited && limiter_concerns(&placer->limiter, buffer)
             ? place_limited(placer, buffer, offset, error)
             : place_at(placer, buffer, offset, error);
}

/* How many buffers ahead each prefetching step works. */
enum { FETCH_BUFFER = 16, FETCH_SPANS = 12, FETCH_NODES = 8, FETCH_PIECES = 4 };

/* The buffer that comes `ahead` places after a rank in the order; false at the end. */
static bool buffer_ahead(const gsl_permutation *order, size_t rank, size_t ahead,
                         size_t *buffer) {
  if (ahead >= order->size - rank) return false;
  *buffer = order->data[rank + ahead];
  return true;
}

/*
 * Few orders follow time, so consecutive buffers are far apart in memory.  Prefetches the data
 * of the next buffers in steps, each of which reads the data that the previous step has
 * fetched.  For a million buffers, this saves a fifth of the time.
 */
static void fetch_ahead(const struct placer *placer, const gsl_permutation *order,
                        size_t rank) {
  const struct sections *sections = placer->sections;
  size_t buffer, count;
  if (buffer_ahead(order, rank, FETCH_BUFFER, &buffer)) {
    __builtin_prefetch(&placer->problem->buffers[buffer]);
    __builtin_prefetch(&placer->offsets[buffer]);
    __builtin_prefetch(&sections->spans_end[buffer]);
  }
  if (buffer_ahead(order, rank, FETCH_SPANS, &buffer))
    __builtin_prefetch(spans_of(placer, buffer, &count));
  if (buffer_ahead(order, rank, FETCH_NODES, &buffer)) {
    const struct span *spans = spans_of(placer, buffer, &count);
    container_fetch(&placer->container, spans, count, CONTAINER_NODES);
  }
  if (buffer_ahead(order, rank, FETCH_PIECES, &buffer)) {
    const struct span *spans = spans_of(placer, buffer, &count);
    container_fetch(&placer->container, spans, count, CONTAINER_PIECES);
  }
}

/* Places the buffers of an order; *failed is the buffer that had no offset left, if any. */
static neap_status put_all(struct placer *placer, const gsl_permutation *order, size_t *failed,
                           neap_error *error) {
  assert(order->size == placer->problem->count);
  for (size_t rank = 0; rank < order->size; rank++) {
    if (order->size >= PLACER_FETCH_LEAST) fetch_ahead(placer, order, rank);
    neap_status status = placer_put(placer, order->data[rank], error);
    if (status == NEAP_INFEASIBLE)
      *failed = placer->is_stuck ? placer->stuck_on : order->data[rank];
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

/* Makes a buffer go first from now on; false if memory is short. */
static bool add_urgent(struct placer *placer, size_t buffer) {
  size_t kept = 0;
  if (!memory_reserve(&placer->urgent, &placer->urgent_capacity, placer->urgent_count + 1,
                      sizeof *placer->urgent))
    return false;
  for (size_t u = 0; u < placer->urgent_count; u++)
    if (placer->urgent[u] != buffer) placer->urgent[kept++] = placer->urgent[u];
  placer->urgent[kept++] = buffer;
  placer->urgent_count = kept;
  return true;
}

neap_status placer_fill(struct placer *placer, const gsl_permutation *order,
                        neap_error *error) {
  size_t failed;
  neap_status status = put_all(placer, order, &failed, error);
  for (size_t retries = 0; status == NEAP_INFEASIBLE && retries < PLACER_RETRIES; retries++) {
    if (failed == STUCK_ON_FIXED) return status;
    if (!add_urgent(placer, failed)) return error_memory(error);
    status = placer_reset(placer, error);
    if (status == NEAP_OK) status = put_all(placer, order, &failed, error);
  }
  return status;
}

const neap_offset *placer_offsets(const struct placer *placer) { return placer->offsets; }

neap_size placer_peak(const struct placer *placer) { return placer->peak; }

/* ---------------------------------------------------------------- going back */

struct placer_mark placer_mark(struct placer *placer) {
  placer->container.logging = true;
  placer->waiting.logging = true;
  return (struct placer_mark){placer->put_count, placer->container.log.change_count,
                              placer->waiting.change_count};
}

/* Removes a buffer from the buckets of the container, which have no log. */
static void untake(struct placer *placer, size_t buffer) {
  neap_offset low = placer->offsets[buffer];
  neap_size size = placer->problem->buffers[buffer].size;
  size_t count;
  const struct span *spans = spans_of(placer, buffer, &count);
  if (size > 0)
    container_untake(&placer->container, spans, count, (struct piece){low, low + size});
}

void placer_rollback(struct placer *placer, struct placer_mark mark) {
  assert(placer->container.logging && mark.put <= placer->put_count);
  container_undo(&placer->container, mark.log);
  waiting_undo(&placer->waiting, mark.rule);
  while (placer->put_count > mark.put) {
    struct put put = placer->puts[--placer->put_count];
    assert(placer->offsets[put.buffer] != NEAP_UNPLACED && put.peak_before <= placer->peak);
    untake(placer, put.buffer);
    placer->offsets[put.buffer] = NEAP_UNPLACED;
    placer->peak = put.peak_before;
  }
}

void placer_forget(struct placer *placer) {
  placer->container.logging = placer->waiting.logging = false;
  placer->waiting.change_count = 0;
  placer->container.log.change_count = placer->container.log.replaced_count = 0;
}
