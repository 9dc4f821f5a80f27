/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the search of schedule/sets once more, for an order below the bound, and notes why each
 * set of operators fails.  Lines are printed for the sets that a walk from the first set meets: the
 * search gave up the others when a cut showed that it had to go back further.  doc/certificate.md
 * proves that these lines are enough.
 *
 * The list begins at the last point before the peak where the set of operators that have run is
 * forced (schedule/split_points).  Sets and operators are numbered from there.
 */
#include "certify/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash_set.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/operator_set.h"
#include "schedule/order_profile.h"
#include "schedule/sets.h"
#include "schedule/split_points.h"

/* A set that fails, and why. */
struct failure {
  size_t set; /* its number in failures.sets */
  uint64_t hash;
  enum sets_reason reason;
  size_t begin, end; /* in failures.operators */
  bool is_met;       /* by the walk from the first set */
};

struct failures {
  size_t words;   /* of a set */
  uint64_t *sets; /* `words` each */
  struct failure *items;
  size_t count, set_capacity, capacity;
  struct hash_set found; /* of the items */
  size_t *operators;
  size_t operator_count, operator_capacity;
  bool is_short;
};

/* ---------------------------------------------------------------- the log */

static const uint64_t *set_of(const struct failures *failures, const struct failure *failure) {
  return failures->sets + failure->set * failures->words;
}

/* The failure of a set, or NULL. */
static struct failure *find_failure(const struct failures *failures, const uint64_t *set,
                                    uint64_t hash) {
  size_t at, probe = 0, bytes = failures->words * sizeof *set;
  while ((at = hash_set_next(&failures->found, hash, &probe)) != HASH_SET_NONE)
    if (memcmp(set_of(failures, &failures->items[at]), set, bytes) == 0)
      return &failures->items[at];
  return NULL;
}

static bool reserve(struct failures *failures, size_t operators) {
  size_t count = failures->count + 1;
  return hash_set_reserve(&failures->found, count) &&
         memory_reserve(&failures->sets, &failures->set_capacity, count * failures->words,
                        sizeof *failures->sets) &&
         memory_reserve(&failures->items, &failures->capacity, count,
                        sizeof *failures->items) &&
         memory_reserve(&failures->operators, &failures->operator_capacity,
                        failures->operator_count + operators, sizeof *failures->operators);
}

/* Notes the first reason why a set fails. */
static bool note(void *context, const struct sets_failure *told) {
  struct failures *failures = context;
  size_t words = failures->words, begin = failures->operator_count;
  if (find_failure(failures, told->set, told->hash)) return true;
  if (failures->count == CERTIFY_ORDER_SETS_MOST) return false;
  failures->is_short = !reserve(failures, told->count);
  if (failures->is_short) return false;
  memcpy(failures->sets + failures->count * words, told->set, words * sizeof *told->set);
  for (size_t i = 0; i < told->count; i++)
    failures->operators[failures->operator_count++] = told->operators[i];
  failures->items[failures->count] = (struct failure){
      failures->count, told->hash, told->reason, begin, failures->operator_count, false};
  hash_set_add(&failures->found, told->hash, failures->count++);
  return true;
}

static void failures_clear(struct failures *failures) {
  free(failures->sets);
  free(failures->items);
  hash_set_clear(&failures->found);
  free(failures->operators);
}

/* ---------------------------------------------------------------- the walk */

struct walk {
  const struct failures *failures;
  struct failure **stack; /* met, but not yet followed */
  size_t depth;
  uint64_t *set; /* the set being met */
};

static void meet(struct walk *walk, uint64_t hash) {
  struct failure *failure = find_failure(walk->failures, walk->set, hash);
  assert(failure);
  if (failure->is_met) return;
  failure->is_met = true;
  walk->stack[walk->depth++] = failure;
}

/* Meets the sets that a failure leads to: after its chain, or after each of its moves. */
static void meet_next(struct walk *walk, const struct failure *failure) {
  const struct failures *failures = walk->failures;
  uint64_t hash = failure->hash;
  if (failure->reason == SETS_CUT) return;
  memcpy(walk->set, set_of(failures, failure), failures->words * sizeof *walk->set);
  for (size_t i = failure->begin; i < failure->end; i++) {
    size_t k = failures->operators[i];
    set_add(walk->set, k);
    if (failure->reason == SETS_CHAIN) {
      hash ^= hash_member(k);
    } else {
      meet(walk, hash ^ hash_member(k));
      set_remove(walk->set, k);
    }
  }
  if (failure->reason == SETS_CHAIN) meet(walk, hash);
}

/* False if memory is short. */
static bool meet_all(const struct failures *failures) {
  struct walk walk = {failures, memory_array(failures->count, sizeof *walk.stack), 0,
                      memory_array(failures->words, sizeof *walk.set)};
  bool has_room = walk.stack && walk.set;
  if (has_room) meet(&walk, 0);
  while (has_room && walk.depth > 0)
    meet_next(&walk, walk.stack[--walk.depth]);
  free(walk.stack);
  free(walk.set);
  return has_room;
}

/* ---------------------------------------------------------------- the text */

struct text {
  const struct order_sets_task *task;
  struct failures *failures;
  size_t first;    /* the number of the first operator of the sets */
  uint64_t *whole; /* a set of all operators */
  struct lines *lines;
};

/* Compares sets as numbers in which bit k stands for operator k. */
static int by_set(const void *left, const void *right, void *context) {
  const struct failures *failures = context;
  const uint64_t *a = set_of(failures, left), *b = set_of(failures, right);
  for (size_t w = failures->words; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

static void take_whole(struct text *text, const uint64_t *set) {
  size_t count = text->task->costs->count;
  memset(text->whole, 0, set_words(count) * sizeof *text->whole);
  for (size_t k = 0; k < count; k++)
    if (k < text->first || set_has(set, k - text->first)) set_add(text->whole, k);
}

/* Prints the flow of the operator above the limit.  False if there is none, or memory is short. */
static bool print_cut(struct text *text, size_t k) {
  const struct order_sets_task *task = text->task;
  struct flow_claim claim = {task->costs, task->values, k,
                             text->whole, task->bound,  task->budget};
  bool is_proven;
  return flow_prove(&claim, text->lines, &is_proven) && is_proven;
}

static bool print_failure(struct text *text, const struct failure *failure) {
  static const char *const words[] = {"set", "run", "stop"};
  take_whole(text, set_of(text->failures, failure));
  lines_word(text->lines, words[failure->reason]);
  lines_set(text->lines, text->whole, set_words(text->task->costs->count));
  if (failure->reason != SETS_MOVES)
    for (size_t i = failure->begin; i < failure->end; i++)
      lines_number(text->lines, (int64_t)(text->failures->operators[i] + text->first));
  lines_end(text->lines);
  return failure->reason != SETS_CUT ||
         print_cut(text, text->failures->operators[failure->begin] + text->first);
}

/* False if memory is short, or a flow is missing. */
static bool print_met(struct text *text) {
  struct failures *failures = text->failures;
  text->whole = memory_array(set_words(text->task->costs->count), sizeof *text->whole);
  bool is_whole = text->whole && meet_all(failures);
  if (is_whole)
    qsort_r(failures->items, failures->count, sizeof *failures->items, by_set, failures);
  for (size_t i = 0; i < failures->count && is_whole; i++)
    if (failures->items[i].is_met) is_whole = print_failure(text, &failures->items[i]);
  free(text->whole);
  return is_whole;
}

/* ---------------------------------------------------------------- the whole */

/*
 * The order of the operators' numbers, the bytes alive in it, and the points where it splits
 * (schedule/split_points).
 */
struct given {
  struct costs_walk walk;
  size_t *order, *place, *local; /* the last two are scratch space */
  struct moment *moments;
  bool *parts;
};

static bool given_init(struct given *given, const struct costs *costs) {
  size_t count = costs->count;
  given->order = memory_array(count, sizeof *given->order);
  given->place = memory_array(count, sizeof *given->place);
  given->local = memory_array(costs->value_count, sizeof *given->local);
  given->moments = memory_array(count, sizeof *given->moments);
  given->parts = memory_array(count, sizeof *given->parts);
  bool has_room = costs_walk_init(&given->walk, costs) && given->order && given->place &&
                  given->local && given->moments && given->parts;
  for (size_t k = 0; has_room && k < count; k++)
    given->order[k] = k;
  if (has_room) {
    split_points(costs, given->order, given->place, given->parts);
    moments_find(given->moments, &given->walk, given->order, count);
  }
  return has_room;
}

static void given_clear(struct given *given) {
  costs_walk_clear(&given->walk);
  free(given->order);
  free(given->place);
  free(given->local);
  free(given->moments);
  free(given->parts);
}

/* Searches the operators from `first` on; true if that shows that no order is below the bound. */
static bool refute(struct given *given, const struct order_sets_task *task, size_t first,
                   struct failures *failures) {
  const struct costs *costs = task->costs;
  struct segment segment;
  struct sets_result result = {.order = NULL};
  costs_walk_to(&given->walk, given->order, first);
  failures->words = set_words(costs->count - first);
  failures->is_short =
      !segment_init(&segment, costs, given->order, first, costs->count, given->walk.live,
                    given->walk.left, given->local, given->place);
  bool has_ended = !failures->is_short &&
                   sets_search(&(struct sets_task){.segment = &segment,
                                                   .peak = task->bound,
                                                   .floor = task->bound - 1,
                                                   .memory = SIZE_MAX, /* `note` has a limit */
                                                   .patience = CERTIFY_ORDER_PATIENCE,
                                                   .budget = task->budget,
                                                   .observer = {note, failures}},
                               &result);
  free(result.order);
  segment_clear(&segment);
  return has_ended && result.least == task->bound;
}

/* Refutes one part of the order that reaches the peak, from *first on; false if none can be. */
static bool refute_parts(struct given *given, const struct order_sets_task *task,
                         struct failures *failures, size_t *first) {
  size_t from = 0, count = task->costs->count;
  for (size_t k = 0; k < count; k++) {
    if (given->moments[k].bytes == task->bound) {
      *failures = (struct failures){.words = 0};
      *first = from;
      if (refute(given, task, from, failures)) return true;
      if (failures->is_short) return false;
      failures_clear(failures);
      while (k < count && !given->parts[k])
        k++;
    }
    if (k < count && given->parts[k]) from = k + 1;
  }
  return false;
}

bool order_sets_prove(const struct order_sets_task *task, struct lines *lines, size_t *begin,
                      bool *is_proven) {
  struct given given = {.order = NULL};
  struct failures failures = {.words = 0};
  struct lines found = {0};
  bool has_room = given_init(&given, task->costs);
  *is_proven = has_room && refute_parts(&given, task, &failures, begin) &&
               print_met(&(struct text){task, &failures, *begin, NULL, &found});
  has_room = has_room && !failures.is_short && !found.failed;
  if (has_room && *is_proven) lines_append(lines, &found);
  lines_clear(&found);
  failures_clear(&failures);
  given_clear(&given);
  return has_room && !lines->failed;
}
