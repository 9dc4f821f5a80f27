/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks for changes that make a problem fit.  A change counts only if a plan with it has been found
 * and verified, so the list may be incomplete, but each change in it works.
 *
 * Most changes have an amount: how many bytes smaller, how many steps shorter.  A larger amount
 * also fits, so bisection finds the smallest one that the planner manages.  The least amount
 * needed comes first, because it often suffices, then the largest possible one, and then those
 * between the two.
 */
#include "explain/fixes.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "explain/variant.h"
#include "facts/bodies.h"
#include "facts/relation_text.h"

/* The most buffers and pairs that are tried for each kind of change. */
#define TRIES_MOST 24
#define PAIRED_MOST 24 /* buffers whose pairs are looked at */
#define COMBINED_MOST 4

struct finder {
  struct fixes *fixes;
  const struct fixes_task *task;
  struct oracle *oracle;
  size_t quota;     /* the most fixes of one kind */
  size_t before;    /* the number of fixes when the present kind began */
  neap_size single; /* the bytes that pairs have to undercut */
  bool *in_focus;
};

/* ---------------------------------------------------------------- the list */

neap_status fixes_add(struct fixes *fixes, const neap_fix *fix, neap_error *error) {
  if (!memory_reserve(&fixes->items, &fixes->capacity, fixes->count + 1, sizeof *fixes->items))
    return error_memory(error);
  fixes->items[fixes->count++] = *fix;
  return NEAP_OK;
}

void fixes_clear(struct fixes *fixes) {
  free(fixes->items);
  *fixes = (struct fixes){0};
}

/* Free changes, bytes, areas, and the capacity last. */
static int class_of(const neap_fix *fix) {
  if (fix->changes[0].kind == NEAP_CHANGE_CAPACITY) return 3;
  return fix->is_area ? 2 : fix->cost > 0 ? 1 : 0;
}

static int compare(neap_size a, neap_size b) { return a < b ? -1 : a > b; }

static int by_cost(const void *left, const void *right) {
  const neap_fix *a = left, *b = right;
  const neap_change *x = &a->changes[0], *y = &b->changes[0];
  int order = compare(class_of(a), class_of(b));
  if (order == 0) order = compare(a->cost, b->cost);
  if (order == 0) order = compare((neap_size)a->change_count, (neap_size)b->change_count);
  if (order == 0) order = compare((neap_size)x->kind, (neap_size)y->kind);
  if (order == 0) order = compare((neap_size)x->buffer, (neap_size)y->buffer);
  if (order == 0) order = compare((neap_size)x->other, (neap_size)y->other);
  return order != 0 ? order : compare((neap_size)x->index, (neap_size)y->index);
}

static int by_peak(const void *left, const void *right) {
  const neap_fix *a = left, *b = right;
  int order = compare(a->peak, b->peak);
  return order != 0 ? order : by_cost(left, right);
}

void fixes_sort(struct fixes *fixes, bool peak_first) {
  if (fixes->count > 0)
    qsort(fixes->items, fixes->count, sizeof *fixes->items, peak_first ? by_peak : by_cost);
}

/* ---------------------------------------------------------------- questions */

/* Whether the problem fits with the changes; sets fix->peak if it does. */
static neap_status try_fix(struct finder *finder, neap_fix *fix, bool *fits,
                           neap_error *error) {
  const struct fixes_task *task = finder->task;
  struct variant_choice choice = {.changes = fix->changes, .change_count = fix->change_count};
  struct subset subset;
  struct reply reply;
  *fits = false;
  if (!oracle_has_left(finder->oracle)) return NEAP_OK;
  neap_status status = variant_init(&subset, task->problem, &choice, error);
  if (status == NEAP_ERROR_INPUT) return NEAP_OK; /* the change contradicts something */
  if (status != NEAP_OK) return status;
  struct question question = {subset.problem, task->capacity, oracle_ticks_for(subset.problem),
                              false};
  status = oracle_ask(finder->oracle, &question, false, &reply, error);
  subset_clear(&subset);
  *fits = status == NEAP_OK && reply.answer == ANSWER_FITS &&
          (task->peak == NEAP_UNPLACED || reply.peak < task->peak);
  if (*fits) fix->peak = reply.peak;
  return status;
}

static neap_status keep(struct finder *finder, const neap_fix *fix, neap_error *error) {
  neap_status status = fixes_add(finder->fixes, fix, error);
  finder->oracle->progress.fix_count = finder->fixes->count;
  return status;
}

static void begin_kind(struct finder *finder) { finder->before = finder->fixes->count; }

/* Whether to look for more fixes of the present kind. */
static bool wants_more(struct finder *finder) {
  return finder->fixes->count - finder->before < finder->quota &&
         oracle_has_left(finder->oracle);
}

static neap_fix fix_of(neap_change_kind kind, size_t buffer) {
  neap_fix fix = {.struct_size = sizeof(neap_fix), .change_count = 1, .peak = NEAP_UNPLACED};
  fix.changes[0] = (neap_change){.kind = kind, .buffer = buffer, .other = NEAP_NO_BUFFER};
  return fix;
}

/* A change without an amount. */
static neap_status try_whole(struct finder *finder, neap_fix *fix, neap_error *error) {
  bool fits;
  neap_status status = try_fix(finder, fix, &fits, error);
  return status == NEAP_OK && fits ? keep(finder, fix, error) : status;
}

/* ---------------------------------------------------------------- amounts */

/* Sets the amount of a change, low .. high; larger ones change more. */
typedef void set_amount(const struct finder *finder, neap_fix *fix, size_t change,
                        int64_t amount);

struct amounts {
  set_amount *set;
  size_t change; /* which of the fix's changes */
  int64_t low, high;
};

/*
 * Looks for the smallest amount that fits; if one is found, sets *found and the fix's amount.
 * Without a capacity, the largest amount helps most, so only that one is tried.
 */
static neap_status find_amount(struct finder *finder, neap_fix *fix,
                               const struct amounts *amounts, bool *found, neap_error *error) {
  int64_t low = amounts->low, high = amounts->high;
  bool only_most = finder->task->peak != NEAP_UNPLACED;
  neap_status status = NEAP_OK;
  neap_fix trial = *fix;
  *found = false;
  for (int64_t amount = only_most ? high : low; status == NEAP_OK && low <= high;) {
    bool fits;
    amounts->set(finder, &trial, amounts->change, amount);
    status = try_fix(finder, &trial, &fits, error);
    if (fits) *fix = trial;
    if (!*found && !fits && amount == high) break; /* not even the most suffices */
    if (fits) *found = true;
    if (fits) high = amount - 1;
    else low = amount + 1;
    if (only_most) break;
    amount = *found ? low + (high - low) / 2 : high;
  }
  return status;
}

static neap_status try_amounts(struct finder *finder, neap_fix *fix,
                               const struct amounts *amounts, neap_error *error) {
  bool found;
  neap_status status = find_amount(finder, fix, amounts, &found, error);
  return status == NEAP_OK && found ? keep(finder, fix, error) : status;
}

/* ---------------------------------------------------------------- sizes */

/* Sizes stay multiples of the alignment if they are. */
static neap_size size_step(const struct buffer *buffer) {
  return buffer->size % buffer->alignment == 0 ? buffer->alignment : 1;
}

static void set_size(const struct finder *finder, neap_fix *fix, size_t change,
                     int64_t amount) {
  const struct buffer *buffer = &finder->task->problem->buffers[fix->changes[change].buffer];
  fix->changes[change].bytes = amount * size_step(buffer);
  fix->cost = 0;
  for (size_t c = 0; c < fix->change_count; c++)
    fix->cost += fix->changes[c].bytes;
}

static struct amounts size_amounts(const struct finder *finder, size_t buffer, size_t change) {
  const struct buffer *item = &finder->task->problem->buffers[buffer];
  neap_size step = size_step(item), least = finder->task->least;
  return (struct amounts){set_size, change, least / step + (least % step != 0),
                          item->size / step};
}

static neap_status try_sizes(struct finder *finder, neap_error *error) {
  const struct fixes_task *task = finder->task;
  neap_status status = NEAP_OK;
  begin_kind(finder);
  for (size_t i = 0; i < task->focus_count && i < TRIES_MOST; i++) {
    neap_fix fix = fix_of(NEAP_CHANGE_SIZE, task->focus[i]);
    struct amounts amounts = size_amounts(finder, task->focus[i], 0);
    if (status != NEAP_OK || !wants_more(finder)) break;
    if (amounts.low <= amounts.high) status = try_amounts(finder, &fix, &amounts, error);
  }
  return status;
}

/* The fewest bytes by which one size has to shrink; NEAP_MAX if no such fix has been found. */
static neap_size fewest_bytes(const struct finder *finder) {
  neap_size fewest = NEAP_MAX;
  for (size_t i = 0; i < finder->fixes->count; i++) {
    const neap_fix *fix = &finder->fixes->items[i];
    if (fix->changes[0].kind == NEAP_CHANGE_SIZE && fix->cost < fewest) fewest = fix->cost;
  }
  return fewest;
}

/* Shrinks the first as little as possible, then the second; kept if no single one does better. */
static neap_status try_two_sizes(struct finder *finder, size_t first, size_t second,
                                 neap_error *error) {
  neap_fix fix = fix_of(NEAP_CHANGE_SIZE, first);
  fix.changes[fix.change_count++] = fix_of(NEAP_CHANGE_SIZE, second).changes[0];
  struct amounts one = size_amounts(finder, first, 0), two = size_amounts(finder, second, 1);
  bool found;
  one.low = two.low = 1;
  if (one.high < 1 || two.high < 1) return NEAP_OK;
  set_size(finder, &fix, 1, two.high);
  neap_status status = find_amount(finder, &fix, &one, &found, error);
  if (status != NEAP_OK || !found) return status;
  status = find_amount(finder, &fix, &two, &found, error);
  /* The whole of the second fits even if the limits ended the search for less. */
  return status == NEAP_OK && fix.cost < finder->single ? keep(finder, &fix, error) : status;
}

static neap_status try_pairs_of_sizes(struct finder *finder, neap_error *error) {
  const struct fixes_task *task = finder->task;
  const struct spanning *spanning = &task->spanning;
  neap_status status = NEAP_OK;
  finder->single = fewest_bytes(finder);
  if (finder->single <= task->least) return NEAP_OK; /* proven: nothing takes less */
  begin_kind(finder);
  for (size_t p = 0; p < spanning->pair_count && status == NEAP_OK && wants_more(finder); p++)
    status = try_two_sizes(finder, spanning->pairs[p].first, spanning->pairs[p].second, error);
  if (spanning->pair_count > 0) return status;
  for (size_t b = 1; b < task->focus_count && b < COMBINED_MOST; b++)
    for (size_t a = 0; a < b && status == NEAP_OK && wants_more(finder); a++)
      status = try_two_sizes(finder, task->focus[b], task->focus[a], error);
  return status;
}

/* ---------------------------------------------------------------- lifetimes */

static neap_size area(neap_size size, neap_time steps) {
  int64_t product;
  return __builtin_mul_overflow(size, steps, &product) ? NEAP_MAX : product;
}

/* How long a buffer is alive in [start, end). */
static neap_time time_within(const struct neap_problem *problem, size_t buffer, neap_time start,
                             neap_time end) {
  neap_time sum = 0;
  for (size_t r = problem_ranges_begin(problem, buffer);
       r < problem->buffers[buffer].ranges_end; r++) {
    neap_time from = problem->ranges[r].start > start ? problem->ranges[r].start : start;
    neap_time to = problem->ranges[r].end < end ? problem->ranges[r].end : end;
    if (from < to) sum += to - from;
  }
  return sum;
}

static void set_end(const struct finder *finder, neap_fix *fix, size_t change, int64_t amount) {
  const struct neap_problem *problem = finder->task->problem;
  neap_change *item = &fix->changes[change];
  neap_range hull = problem_hull(problem, item->buffer);
  item->was = hull.end;
  item->time = hull.end - amount;
  fix->is_area = true;
  fix->cost = area(problem->buffers[item->buffer].size,
                   time_within(problem, item->buffer, item->time, hull.end));
}

static void set_start(const struct finder *finder, neap_fix *fix, size_t change,
                      int64_t amount) {
  const struct neap_problem *problem = finder->task->problem;
  neap_change *item = &fix->changes[change];
  neap_range hull = problem_hull(problem, item->buffer);
  item->was = hull.start;
  item->time = hull.start + amount;
  fix->is_area = true;
  fix->cost = area(problem->buffers[item->buffer].size,
                   time_within(problem, item->buffer, hull.start, item->time));
}

static neap_status try_lifetime(struct finder *finder, size_t buffer, neap_change_kind kind,
                                neap_error *error) {
  const struct fixes_task *task = finder->task;
  neap_range hull = problem_hull(task->problem, buffer);
  neap_fix fix = fix_of(kind, buffer);
  bool is_end = kind == NEAP_CHANGE_END, knows = task->when.start < task->when.end;
  struct amounts amounts = {is_end ? set_end : set_start, 0, 1, hull.end - hull.start - 1};
  /* That time is crowded at both ends, so the buffer has to end before it or begin after it. */
  if (knows) amounts.low = is_end ? hull.end - task->when.start : task->when.end - hull.start;
  if (amounts.low < 1) return NEAP_OK;
  return amounts.low <= amounts.high ? try_amounts(finder, &fix, &amounts, error) : NEAP_OK;
}

/* Not for graphs, where operators set lifetimes: a tensor has to last until its last reader. */
static neap_status try_lifetimes(struct finder *finder, neap_error *error) {
  const struct fixes_task *task = finder->task;
  neap_status status = NEAP_OK;
  if (task->problem->graph) return NEAP_OK;
  begin_kind(finder);
  for (size_t i = 0; i < task->focus_count && i < TRIES_MOST; i++) {
    if (status != NEAP_OK || !wants_more(finder)) break;
    status = try_lifetime(finder, task->focus[i], NEAP_CHANGE_END, error);
    if (status == NEAP_OK && wants_more(finder))
      status = try_lifetime(finder, task->focus[i], NEAP_CHANGE_START, error);
  }
  return status;
}

/* ---------------------------------------------------------------- overlaps */

struct handover {
  size_t output, input;
  neap_time together;
};

static int by_time_together(const void *left, const void *right) {
  const struct handover *a = left, *b = right;
  if (a->together != b->together) return a->together < b->together ? -1 : 1;
  if (a->output != b->output) return a->output < b->output ? -1 : 1;
  return a->input < b->input ? -1 : a->input > b->input;
}

/*
 * Whether `output` begins while `input` is alive and outlives it, as where an operator reads
 * and writes.
 */
static bool hands_over(const struct neap_problem *problem, size_t output, size_t input,
                       neap_time *together) {
  neap_range o = problem_hull(problem, output), i = problem_hull(problem, input);
  *together = i.end - o.start;
  return i.start < o.start && o.start < i.end && i.end <= o.end;
}

static size_t list_handovers(const struct finder *finder, struct handover *list) {
  const struct fixes_task *task = finder->task;
  size_t count = 0, most = task->focus_count < PAIRED_MOST ? task->focus_count : PAIRED_MOST;
  for (size_t a = 0; a < most; a++)
    for (size_t b = 0; b < most; b++) {
      struct handover pair = {task->focus[a], task->focus[b], 0};
      if (a == b || !hands_over(task->problem, pair.output, pair.input, &pair.together))
        continue;
      list[count++] = pair;
    }
  if (count > 0) qsort(list, count, sizeof *list, by_time_together);
  return count;
}

static void set_overlap(const struct finder *finder, neap_fix *fix, size_t change,
                        int64_t amount) {
  (void)finder;
  fix->changes[change].bytes = fix->cost = amount;
}

static neap_status try_overlap(struct finder *finder, const struct handover *pair,
                               neap_error *error) {
  const struct buffer *buffers = finder->task->problem->buffers;
  neap_size output = buffers[pair->output].size, input = buffers[pair->input].size;
  neap_fix fix = fix_of(NEAP_CHANGE_OVERLAP, pair->output);
  fix.changes[0].other = pair->input;
  struct amounts amounts = {set_overlap, 0, finder->task->least,
                            output < input ? output : input};
  if (amounts.low > amounts.high) return NEAP_OK;
  neap_relation known;
  if (relation_between(finder->task->problem, RELATION_ANY, pair->output, pair->input, &known))
    return NEAP_OK;
  return try_amounts(finder, &fix, &amounts, error);
}

static neap_status try_overlaps(struct finder *finder, neap_error *error) {
  struct handover *list = memory_array(PAIRED_MOST * PAIRED_MOST, sizeof *list);
  if (!list) return error_memory(error);
  size_t count = list_handovers(finder, list);
  /* In a graph, the operator that makes the output is the last one that reads the input. */
  if (finder->task->problem->graph && count > 0 && list[0].together > 1) count = 0;
  neap_status status = NEAP_OK;
  begin_kind(finder);
  for (size_t i = 0; i < count && i < TRIES_MOST; i++) {
    /* One operator reads and writes only the pairs that are alive together for the least time. */
    if (status != NEAP_OK || list[i].together > list[0].together || !wants_more(finder)) break;
    status = try_overlap(finder, &list[i], error);
  }
  free(list);
  return status;
}

/* ---------------------------------------------------------------- constraints */

static neap_size smallest_factor(neap_size number) {
  for (neap_size factor = 2; factor <= number / factor && factor < 1000; factor++)
    if (number % factor == 0) return factor;
  return number;
}

/* Finds the largest alignment that suffices, dividing by the smallest factor each time. */
static neap_status try_alignment(struct finder *finder, size_t buffer, neap_error *error) {
  neap_size alignment = finder->task->problem->buffers[buffer].alignment;
  neap_fix fix = fix_of(NEAP_CHANGE_ALIGNMENT, buffer);
  bool fits;
  fix.changes[0].bytes = 1;
  if (alignment == 1) return NEAP_OK;
  neap_status status = try_fix(finder, &fix, &fits, error);
  if (status != NEAP_OK || !fits) return status;
  while ((alignment /= smallest_factor(alignment)) > 1 && finder->task->peak == NEAP_UNPLACED) {
    neap_fix milder = fix;
    milder.changes[0].bytes = alignment;
    status = try_fix(finder, &milder, &fits, error);
    if (status != NEAP_OK) return status;
    if (!fits) continue;
    fix = milder;
    break;
  }
  return keep(finder, &fix, error);
}

static neap_status try_alignments(struct finder *finder, neap_error *error) {
  const struct fixes_task *task = finder->task;
  neap_status status = NEAP_OK;
  begin_kind(finder);
  for (size_t i = 0; i < task->focus_count && i < TRIES_MOST; i++) {
    if (status != NEAP_OK || !wants_more(finder)) break;
    status = try_alignment(finder, task->focus[i], error);
  }
  return status;
}

/* Fixed offsets, windows and banks. */
static neap_status try_limits(struct finder *finder, size_t buffer, neap_error *error) {
  const struct neap_problem *problem = finder->task->problem;
  const struct limits *limits = problem_limits(problem, buffer);
  neap_fix fixed = fix_of(NEAP_CHANGE_FIXED, buffer);
  neap_fix window = fix_of(NEAP_CHANGE_WINDOW, buffer), bank = fix_of(NEAP_CHANGE_BANK, buffer);
  neap_status status = NEAP_OK;
  if (problem->buffers[buffer].fixed_offset != NEAP_UNPLACED)
    status = try_whole(finder, &fixed, error);
  if (status == NEAP_OK && (limits->window_low > 0 || limits->window_high < NEAP_MAX))
    status = try_whole(finder, &window, error);
  if (status == NEAP_OK && limits->bank > 0) status = try_whole(finder, &bank, error);
  return status;
}

/* Separations and colocations of buffers in focus. */
static neap_status try_relations(struct finder *finder, neap_error *error) {
  const struct relations *relations = finder->task->problem->relations;
  neap_status status = NEAP_OK;
  size_t tries = 0;
  for (size_t i = 0; relations && i < relations->count && tries < TRIES_MOST; i++) {
    const neap_relation *relation = &relations->items[i];
    neap_fix fix = fix_of(NEAP_CHANGE_RELATION, relation->first);
    if (status != NEAP_OK || !wants_more(finder)) break;
    if (!relation_has(relation, RELATION_BINDS) || !finder->in_focus[relation->first] ||
        !finder->in_focus[relation->second])
      continue;
    fix.changes[0].other = relation->second;
    fix.changes[0].index = i;
    status = try_whole(finder, &fix, error);
    tries++;
  }
  return status;
}

static neap_status try_reserved(struct finder *finder, neap_error *error) {
  const struct relations *relations = finder->task->problem->relations;
  neap_status status = NEAP_OK;
  for (size_t i = 0; relations && i < relations->reserved_count && i < TRIES_MOST; i++) {
    neap_fix fix = fix_of(NEAP_CHANGE_RESERVED, NEAP_NO_BUFFER);
    fix.changes[0].index = i;
    if (status != NEAP_OK || !wants_more(finder)) break;
    status = try_whole(finder, &fix, error);
  }
  return status;
}

static neap_status try_constraints(struct finder *finder, neap_error *error) {
  const struct fixes_task *task = finder->task;
  neap_status status = NEAP_OK;
  begin_kind(finder);
  for (size_t i = 0; i < task->focus_count && i < TRIES_MOST; i++) {
    if (status != NEAP_OK || !wants_more(finder)) break;
    status = try_limits(finder, task->focus[i], error);
  }
  if (status == NEAP_OK) status = try_relations(finder, error);
  return status == NEAP_OK ? try_reserved(finder, error) : status;
}

/* ---------------------------------------------------------------- pools */

static void set_capacity(const struct finder *finder, neap_fix *fix, size_t change,
                         int64_t amount) {
  (void)finder;
  fix->changes[change].bytes = fix->cost = amount;
}

static neap_status try_pools(struct finder *finder, neap_error *error) {
  const struct neap_problem *problem = finder->task->problem;
  neap_status status = NEAP_OK;
  neap_pool pool = NEAP_INIT(neap_pool);
  begin_kind(finder);
  for (size_t p = 0; status == NEAP_OK && neap_problem_pool_at(problem, p, &pool); p++) {
    neap_fix fix = fix_of(NEAP_CHANGE_CAPACITY, NEAP_NO_BUFFER);
    struct amounts amounts = {set_capacity, 0, 1, problem->extent};
    fix.changes[0].index = p;
    if (pool.capacity < 0 || !wants_more(finder)) continue;
    status = try_amounts(finder, &fix, &amounts, error);
  }
  return status;
}

/* ---------------------------------------------------------------- everything */

static neap_status find_all(struct finder *finder, neap_error *error) {
  const struct fixes_task *task = finder->task;
  neap_status status = NEAP_OK;
  if (!task->sizes_only) status = try_alignments(finder, error);
  if (status == NEAP_OK && !task->sizes_only) status = try_constraints(finder, error);
  if (status == NEAP_OK) status = try_sizes(finder, error);
  if (status == NEAP_OK) status = try_overlaps(finder, error);
  if (status == NEAP_OK) status = try_lifetimes(finder, error);
  if (status == NEAP_OK) status = try_pairs_of_sizes(finder, error);
  return status == NEAP_OK ? try_pools(finder, error) : status;
}

neap_status fixes_find(struct fixes *fixes, const struct fixes_task *task,
                       struct oracle *oracle, neap_error *error) {
  struct finder finder = {.fixes = fixes, .task = task, .oracle = oracle};
  finder.quota = task->limit / 3 > 0 ? task->limit / 3 : 1;
  finder.in_focus = memory_array(task->problem->count, sizeof *finder.in_focus);
  if (!finder.in_focus) return error_memory(error);
  for (size_t i = 0; i < task->focus_count; i++)
    finder.in_focus[task->focus[i]] = true;
  neap_status status = find_all(&finder, error);
  free(finder.in_focus);
  return status;
}
