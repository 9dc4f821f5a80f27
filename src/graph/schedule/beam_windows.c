/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches for an order with a lower peak.  An operator splits the order if every other
 * operator must run before it or must run after it.  The bytes alive after it are then the same
 * in every order, so the runs between such operators are searched separately (B. H. Ahn et al.,
 * Ordering chaos: memory-aware scheduling of irregularly wired neural networks for edge
 * devices, 2020).  The run with the highest peak comes first; once it cannot be improved, no
 * other run matters.
 *
 * A run of operators can be searched while the operators before and after it stay in place.
 * Long runs are cut into windows, and in a second round into windows that span the cuts.
 *
 * Each run is searched with growing beam width until a work budget is spent, so the search takes
 * O(operators + dependences + budget) time and memory.
 */
#include "schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checks.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/beam.h"
#include "schedule/split_points.h"

struct run {
  size_t begin, end; /* positions in the order */
  neap_size live;    /* bytes alive before the run */
  neap_size peak;
  bool is_whole; /* not a window: these positions hold the same operators in every order */
};

struct search {
  const struct costs *costs;
  size_t *order;
  struct budget *budget;
  struct run *runs;
  size_t run_count;
  struct costs_walk walk;
  size_t *local, *place;
  neap_size floor; /* another run reaches this in any case, so lower peaks do not matter */
  neap_size least; /* proven: every order has at least this peak */
  size_t work;     /* units left */
  bool is_cut;     /* some run is only a window of a longer one */
};

/* ---------------------------------------------------------------- runs */

/*
 * Ends runs where the order splits, and after IMPROVE_WINDOW operators; the first window has
 * `first` operators.
 */
static void find_runs(struct search *search, const bool *parts, size_t first) {
  struct costs_walk *walk = &search->walk;
  size_t count = search->costs->count;
  costs_walk_start(walk);
  struct run run = {0, 0, walk->live, walk->live, false};
  size_t most = first;
  bool from_part = true;
  search->run_count = 0;
  for (size_t at = 0; at < count; at++) {
    costs_walk_pass(walk, search->order[at]);
    bool is_full = at + 1 - run.begin == most;
    search->is_cut = search->is_cut || (is_full && !parts[at]);
    if (!parts[at] && !is_full && at + 1 < count) continue;
    most = IMPROVE_WINDOW;
    run.end = at + 1;
    run.peak = walk->peak;
    assert(run.begin < run.end && run.peak >= walk->live);
    run.is_whole = from_part && (parts[at] || at + 1 == count);
    from_part = parts[at];
    search->runs[search->run_count++] = run;
    walk->peak = walk->live;
    run = (struct run){at + 1, 0, walk->live, walk->live, false};
  }
}

/* ---------------------------------------------------------------- one run */

static void apply_order(struct search *search, struct run *run,
                        const struct beam_result *result, size_t *scratch) {
  assert(result->peak < run->peak);
  segment_reorder(search->order + run->begin, run->end - run->begin, result->order, scratch);
  run->peak = result->peak;
}

static void spend_work(struct search *search, size_t work) {
  search->work -= work < search->work ? work : search->work;
}

/* The outcome of a pass over a run. */
struct finding {
  bool
      is_complete; /* no order of the run has a lower peak, unless it is below the floor anyway */
  bool may_improve; /* a wider pass may find a lower peak */
};

/* False when memory is short. */
static bool search_width(struct search *search, struct run *run, size_t width,
                         struct finding *finding) {
  struct segment segment;
  struct beam_result result = {.order = NULL};
  bool has_room = segment_init(&segment, search->costs, search->order, run->begin, run->end,
                               run->live, search->walk.left, search->local, search->place);
  struct beam_task task = {.segment = &segment,
                           .limit = run->peak,
                           .floor = search->floor,
                           .width = width,
                           .budget = search->budget,
                           .work = search->work < IMPROVE_WORK_OF_PASS ? search->work
                                                                       : IMPROVE_WORK_OF_PASS};
  if (has_room) has_room = beam_run(&task, &result);
  segment_clear(&segment);
  if (!has_room) return false;
  spend_work(search, result.work);
  /* search->place is free again and serves as scratch space. */
  if (result.order) apply_order(search, run, &result, search->place);
  free(result.order);
  finding->is_complete = result.is_complete;
  finding->may_improve =
      !result.is_complete && result.work <= task.work && run->peak > search->floor;
  return true;
}

static bool search_run(struct search *search, struct run *run) {
  bool is_single = run->end - run->begin == 1;
  struct finding finding = {.is_complete = is_single, .may_improve = !is_single};
  costs_walk_to(&search->walk, search->order, run->begin);
  spend_work(search, search->costs->count + search->costs->edge_count);
  for (size_t width = 1; finding.may_improve && width <= IMPROVE_WIDTH_MAX &&
                         search->work > 0 && budget_look(search->budget);
       width *= IMPROVE_WIDTH_FACTOR)
    if (!search_width(search, run, width, &finding)) return false;
  if (run->peak <= search->floor) return true;
  search->floor = run->peak;
  if (finding.is_complete && run->is_whole && run->peak > search->least)
    search->least = run->peak;
  return true;
}

static struct run *highest_run(const struct search *search) {
  assert(search->run_count > 0);
  struct run *found = &search->runs[0];
  for (size_t r = 1; r < search->run_count; r++)
    if (search->runs[r].peak > found->peak) found = &search->runs[r];
  return found;
}

/* Stops at a run whose peak is at most the floor, because all other runs have lower peaks. */
static bool search_runs(struct search *search) {
  while (search->work > 0 && budget_look(search->budget)) {
    struct run *run = highest_run(search);
    if (run->peak <= search->floor) return true;
    if (!search_run(search, run)) return false;
  }
  return true;
}

static bool search_all(struct search *search, const bool *parts) {
  const size_t firsts[] = {IMPROVE_WINDOW, IMPROVE_WINDOW / 2};
  for (size_t round = 0; round < 2; round++) {
    search->work = IMPROVE_WORK_OF_SEARCH;
    search->floor = search->least;
    search->is_cut = false;
    find_runs(search, parts, firsts[round]);
    if (!search_runs(search)) return false;
    if (!search->is_cut) return true;
  }
  return true;
}

/* Asserts that every operator is in the order once, after the operators that it depends on. */
static void check_order(const struct search *search) {
  const struct costs_lists *befores = &search->costs->befores;
  size_t count = search->costs->count;
  for (size_t k = 0; k < count; k++)
    search->place[k] = count;
  for (size_t at = 0; at < count; at++) {
    size_t k = search->order[at];
    assert(k < count && search->place[k] == count);
    for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++)
      assert(search->place[befores->items[i]] < at);
    search->place[k] = at;
  }
}

neap_status improve_order(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error) {
  struct search search = {.costs = costs, .order = order, .budget = budget, .least = *least};
  bool *parts = memory_array(costs->count, sizeof *parts);
  search.runs = memory_array(costs->count, sizeof *search.runs);
  search.local = memory_array(costs->value_count, sizeof *search.local);
  search.place = memory_array(costs->count, sizeof *search.place);
  bool has_room = costs_walk_init(&search.walk, costs) && parts && search.runs &&
                  search.local && search.place;
  if (has_room && costs->count > 0) {
    split_points(costs, order, search.place, parts);
    has_room = search_all(&search, parts);
    if (CHECKS) check_order(&search);
  }
  assert(search.least >= *least);
  *least = search.least;
  free(parts);
  free(search.runs);
  costs_walk_clear(&search.walk);
  free(search.local);
  free(search.place);
  return has_room ? NEAP_OK : error_memory(error);
}
