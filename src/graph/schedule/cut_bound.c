/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An operator's minimum cut (schedule/operator_cuts) bounds the bytes alive while it runs, in any
 * order.  Cuts are computed from the operator with the highest load down, until no load exceeds
 * the best cut.
 *
 * The set of operator k's minimum cut also gives an order: the set first, then k, then all
 * others.  The bytes alive while k runs are then at their bound.  The two runs beside k remain
 * in the given order, and are split in the same way, with cuts between their ends, until the
 * highest run cannot be lowered:
 *
 *     [                          run                          ]
 *     [       set of k        ] k [           others          ]
 *                                 [ set of j ] j [   others   ]
 *
 * A run is split at the operator with the highest cut, because its set is often consistent with
 * the sets of other operators: bytes alive are a submodular function of sets.  The search for
 * this operator ends after at most CLOSURE_PATIENCE cuts in sequence that are not higher.
 */
#include "schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/operator_cuts.h"
#include "schedule/order_profile.h"

struct run {
  size_t begin, end; /* positions in the order */
  neap_size peak;
};

struct search {
  const struct costs *costs;
  size_t *order;
  struct budget *budget;
  neap_size least;
  struct costs_walk walk;
  struct moment *moments;
  struct run *runs;
  size_t run_count;
  size_t *local, *place, *scratch;
  bool *set;     /* per operator of a run: whether it is in the set of the highest cut */
  size_t middle; /* the operator with that cut, and its bytes */
  neap_size cut;
};

/* ---------------------------------------------------------------- cuts */

/* Passes the operators from `begin`, where the walk is, to `end`; returns their peak. */
static neap_size find_moments(struct search *search, size_t begin, size_t end) {
  return moments_find(search->moments, &search->walk, search->order + begin, end - begin);
}

static void keep_set(struct search *search, const struct closure *closure, size_t k) {
  search->middle = k;
  for (size_t i = 0; i < closure->segment->count; i++)
    search->set[i] = closure_has(closure, i);
}

/* Finds the highest cut, until `patience` cuts in sequence are not higher. */
static bool find_highest(struct search *search, struct closure *closure, size_t patience) {
  size_t vain = 0, count = closure->segment->count;
  search->cut = 0;
  for (size_t m = 0; m < count && vain < patience && budget_tick(search->budget); m++) {
    neap_size bytes;
    if (search->moments[m].bytes <= search->cut) break;
    if (!closure_find(closure, search->moments[m].k, search->budget, &bytes)) return false;
    vain++;
    if (m > 0 && bytes <= search->cut) continue;
    search->cut = bytes;
    if (search->budget->end == BUDGET_LEFT) keep_set(search, closure, search->moments[m].k);
    vain = 0;
  }
  return true;
}

/* In long runs, cuts take so long that more of them are not worth their time. */
static size_t patience_of(const struct run *run) {
  size_t most = 1 + CLOSURE_OPERATORS / (run->end - run->begin);
  return most < CLOSURE_PATIENCE ? most : CLOSURE_PATIENCE;
}

/* Finds the highest cut of a run.  A cut of all operators is a bound, even an unfinished one. */
static bool cut_run(struct search *search, const struct run *run, size_t patience) {
  struct segment segment;
  struct closure closure = {.segment = NULL};
  costs_walk_to(&search->walk, search->order, run->begin);
  bool has_room =
      segment_init(&segment, search->costs, search->order, run->begin, run->end,
                   search->walk.live, search->walk.left, search->local, search->place);
  if (has_room) {
    find_moments(search, run->begin, run->end);
    moments_sort(search->moments, segment.count);
    has_room = closure_init(&closure, &segment) && find_highest(search, &closure, patience);
    assert(segment.count == 0 || search->cut <= search->moments[0].bytes);
    closure_clear(&closure);
  }
  segment_clear(&segment);
  if (segment.count == search->costs->count && search->cut > search->least)
    search->least = search->cut;
  return has_room;
}

/* ---------------------------------------------------------------- orders */

static void add_run(struct search *search, size_t begin, size_t end) {
  if (begin == end) return;
  neap_size peak = find_moments(search, begin, end);
  search->runs[search->run_count++] = (struct run){begin, end, peak};
}

/* Puts the set first, then the operator in the middle, then the others. */
static void split(struct search *search, struct run *run) {
  size_t *order = search->order + run->begin, count = run->end - run->begin, to = 0;
  memcpy(search->scratch, order, count * sizeof *order);
  for (size_t i = 0; i < count; i++)
    if (search->set[i]) order[to++] = search->scratch[i];
  size_t middle = run->begin + to, end = run->end, begin = run->begin;
  order[to++] = search->scratch[search->middle];
  for (size_t i = 0; i < count; i++)
    if (!search->set[i] && i != search->middle) order[to++] = search->scratch[i];
  assert(to == count);
  *run = search->runs[--search->run_count];
  costs_walk_to(&search->walk, search->order, begin);
  add_run(search, begin, middle);
  add_run(search, middle, middle + 1);
  add_run(search, middle + 1, end);
}

static struct run *highest_run(struct search *search) {
  struct run *highest = &search->runs[0];
  for (size_t r = 1; r < search->run_count; r++)
    if (search->runs[r].peak > highest->peak) highest = &search->runs[r];
  return highest;
}

/*
 * Splits the highest run until its cut shows that the run cannot be lowered, the run is a single
 * operator, or its peak is no higher than the bound.  In the resulting order, the operators with
 * the highest loads often have the highest cuts, so the whole order is cut once more.
 */
static bool nest(struct search *search, size_t *best) {
  size_t count = search->costs->count;
  struct run whole = {0, count, 0};
  costs_walk_start(&search->walk);
  add_run(search, 0, count);
  neap_size lowest = search->runs[0].peak;
  while (budget_look(search->budget)) {
    struct run *run = highest_run(search);
    if (run->peak < lowest) {
      lowest = run->peak;
      memcpy(best, search->order, count * sizeof *best);
    }
    if (run->peak <= search->least || run->end - run->begin == 1) break;
    if (!cut_run(search, run, patience_of(run))) return false;
    if (search->cut >= run->peak || search->budget->end != BUDGET_LEFT) break;
    split(search, run);
  }
  memcpy(search->order, best, count * sizeof *best);
  return lowest <= search->least || cut_run(search, &whole, CLOSURE_PATIENCE);
}

/* ---------------------------------------------------------------- the whole */

static bool init(struct search *search) {
  size_t count = search->costs->count;
  search->moments = memory_array(count, sizeof *search->moments);
  search->runs = memory_array(count, sizeof *search->runs);
  search->local = memory_array(search->costs->value_count, sizeof *search->local);
  search->place = memory_array(count, sizeof *search->place);
  search->scratch = memory_array(count, sizeof *search->scratch);
  search->set = memory_array(count, sizeof *search->set);
  return costs_walk_init(&search->walk, search->costs) && search->moments && search->runs &&
         search->local && search->place && search->scratch && search->set;
}

static void clear(struct search *search) {
  costs_walk_clear(&search->walk);
  free(search->moments);
  free(search->runs);
  free(search->local);
  free(search->place);
  free(search->scratch);
  free(search->set);
}

neap_status closure_bound(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error) {
  struct search search = {.costs = costs, .order = order, .budget = budget, .least = *least};
  struct run whole = {0, costs->count, 0};
  bool has_room = init(&search) && (costs->count == 0 || cut_run(&search, &whole, SIZE_MAX));
  clear(&search);
  *least = search.least;
  return has_room ? NEAP_OK : error_memory(error);
}

neap_status closure_order(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error) {
  struct search search = {.costs = costs, .budget = budget, .least = *least};
  search.order = memory_array(costs->count, sizeof *search.order);
  bool has_room = init(&search) && search.order;
  if (has_room && costs->count > 0) {
    memcpy(search.order, order, costs->count * sizeof *order);
    has_room = nest(&search, order);
  }
  clear(&search);
  free(search.order);
  *least = search.least;
  return has_room ? NEAP_OK : error_memory(error);
}
