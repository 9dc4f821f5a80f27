/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower peak by search.  An operator that all others come before or after parts the order: what
 * is alive behind it is the same in every order, so that the runs between such operators are
 * searched one by one (B. H. Ahn et al., Ordering chaos: memory-aware scheduling of irregularly
 * wired neural networks for edge devices, 2020).  The run with the highest peak is searched first,
 * and once one cannot be bettered the lower ones need not be.
 *
 * Any run of operators may be searched by itself, what is before and after it staying.  Long ones are
 * cut into windows, and once more into others that lie across the cuts.
 *
 * Each is searched with growing width until a budget of work is spent, so that the whole takes
 * O(operators + dependences + budget) time and memory.
 */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/beam.h"

/* Units of work, over all runs and of one pass. */
#define WORK_OF_SEARCH 40000000
#define WORK_OF_PASS 10000000
#define WIDTH_MAX 4096
#define WIDTH_FACTOR 8
#define WINDOW 1024 /* operators */

struct run {
  size_t begin, end; /* in the order */
  neap_size live;    /* before it */
  neap_size peak;
};

struct search {
  const struct schedule *schedule;
  size_t *order;
  struct run *runs;
  size_t run_count;
  size_t *left; /* of each tensor: readers to come */
  size_t *local, *place;
  neap_size floor;
  size_t work; /* units left */
  bool is_cut; /* some run is a window of a longer one */
};

/* ---------------------------------------------------------------- runs */

/*
 * Whether the operator at each position parts the order: all before it have someone after them up
 * to here, and all after it someone before them from here on.
 */
static void find_parting(const struct search *search, bool *parts) {
  const struct schedule *schedule = search->schedule;
  size_t reach = 0, count = schedule->count;
  for (size_t at = 0; at < count; at++)
    search->place[search->order[at]] = at;
  for (size_t at = 0; at < count; at++) {
    size_t k = search->order[at], first = count;
    parts[at] = reach <= at;
    for (size_t i = schedule_begin(&schedule->afters, k); i < schedule->afters.ends[k]; i++)
      if (search->place[schedule->afters.items[i]] < first)
        first = search->place[schedule->afters.items[i]];
    if (first > reach) reach = first;
  }
  size_t back =
      count; /* one more than the lowest, among those after it, of their last before */
  for (size_t at = count; at-- > 0;) {
    size_t k = search->order[at], last = 0;
    parts[at] = parts[at] && back > at;
    for (size_t i = schedule_begin(&schedule->befores, k); i < schedule->befores.ends[k]; i++)
      if (search->place[schedule->befores.items[i]] + 1 > last)
        last = search->place[schedule->befores.items[i]] + 1;
    if (last < back) back = last;
  }
}

/* Runs end where the order is parted, and after WINDOW operators, the first after `first`. */
static void find_runs(struct search *search, const bool *parts, size_t first) {
  neap_size live = search->schedule->at_start;
  size_t count = search->schedule->count;
  struct run run = {0, 0, live, live};
  size_t most = first;
  search->run_count = 0;
  schedule_start(search->schedule, search->left);
  for (size_t at = 0; at < count; at++) {
    schedule_pass(search->schedule, search->order[at], search->left, &live, &run.peak);
    bool is_full = at + 1 - run.begin == most;
    search->is_cut = search->is_cut || (is_full && !parts[at]);
    if (!parts[at] && !is_full && at + 1 < count) continue;
    most = WINDOW;
    run.end = at + 1;
    search->runs[search->run_count++] = run;
    run = (struct run){at + 1, 0, live, live};
  }
}

/* ---------------------------------------------------------------- one run */

static void apply(struct search *search, struct run *run, const struct beam_result *result,
                  size_t *scratch) {
  for (size_t i = 0; i < run->end - run->begin; i++)
    scratch[i] = search->order[run->begin + result->order[i]];
  memcpy(search->order + run->begin, scratch, (run->end - run->begin) * sizeof *scratch);
  run->peak = result->peak;
}

static void spend(struct search *search, size_t work) {
  search->work -= work < search->work ? work : search->work;
}

/* One pass; *go_on tells whether a wider one may find more. */
static bool search_width(struct search *search, struct run *run, size_t width, bool *go_on) {
  struct segment segment;
  struct beam_result result = {.order = NULL};
  bool has_room = segment_init(&segment, search->schedule, search->order, run->begin, run->end,
                               run->live, search->left, search->local, search->place);
  struct beam_task task = {&segment, run->peak, search->floor, width,
                           search->work < WORK_OF_PASS ? search->work : WORK_OF_PASS};
  if (has_room) has_room = beam_run(&task, &result);
  segment_clear(&segment);
  if (!has_room) return false;
  spend(search, result.work);
  /* The room for local numbers of operators is free again. */
  if (result.order) apply(search, run, &result, search->place);
  free(result.order);
  *go_on = !result.is_complete && result.work <= task.work && run->peak > search->floor;
  return true;
}

/* Who still reads what when the run begins. */
static void rewind_to(struct search *search, const struct run *run) {
  neap_size live = 0, peak = 0;
  schedule_start(search->schedule, search->left);
  for (size_t at = 0; at < run->begin; at++)
    schedule_pass(search->schedule, search->order[at], search->left, &live, &peak);
}

static bool search_run(struct search *search, struct run *run) {
  bool go_on = run->end - run->begin > 1;
  rewind_to(search, run);
  spend(search, search->schedule->count + search->schedule->edge_count);
  for (size_t width = 1; go_on && width <= WIDTH_MAX && search->work > 0; width *= WIDTH_FACTOR)
    if (!search_width(search, run, width, &go_on)) return false;
  if (run->peak > search->floor) search->floor = run->peak;
  return true;
}

static struct run *highest(const struct search *search) {
  struct run *found = &search->runs[0];
  for (size_t r = 1; r < search->run_count; r++)
    if (search->runs[r].peak > found->peak) found = &search->runs[r];
  return found;
}

/* A run that is at the floor, or that has made the floor, ends it: the others are lower. */
static bool search_runs(struct search *search) {
  while (search->work > 0) {
    struct run *run = highest(search);
    if (run->peak <= search->floor) return true;
    if (!search_run(search, run)) return false;
  }
  return true;
}

static bool search_all(struct search *search, const bool *parts) {
  static const size_t firsts[] = {WINDOW, WINDOW / 2};
  for (size_t round = 0; round < 2; round++) {
    search->work = WORK_OF_SEARCH;
    search->floor = schedule_least(search->schedule);
    search->is_cut = false;
    find_runs(search, parts, firsts[round]);
    if (!search_runs(search)) return false;
    if (!search->is_cut) return true;
  }
  return true;
}

neap_status schedule_search(const struct schedule *schedule, size_t *order, size_t tensor_count,
                            neap_error *error) {
  struct search search = {.schedule = schedule, .order = order};
  bool *parts = memory_array(schedule->count, sizeof *parts);
  search.runs = memory_array(schedule->count, sizeof *search.runs);
  search.left = memory_array(tensor_count, sizeof *search.left);
  search.local = memory_array(tensor_count, sizeof *search.local);
  search.place = memory_array(schedule->count, sizeof *search.place);
  bool has_room = parts && search.runs && search.left && search.local && search.place;
  if (has_room && schedule->count > 0) {
    find_parting(&search, parts);
    has_room = search_all(&search, parts);
  }
  free(parts);
  free(search.runs);
  free(search.left);
  free(search.local);
  free(search.place);
  return has_room ? NEAP_OK : error_memory(error);
}
