/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set that does not fit contains at least one minimal set that does not: without any one of
 * its members, the rest fits.  Whatever fits still fits without some of its buffers, so a
 * deletion filter finds one: try to leave out each member in turn, and do so if the rest is
 * still refuted (J. W. Chinneck and E. W. Dravnieks, Locating minimal infeasible constraint
 * sets in linear programs, 1991).  A member without which the rest fits is necessary, and stays
 * so in every smaller set.
 *
 * Most members do not matter, so chunks are tried first, each half as large as in the pass
 * before, as in QuickXplain (U. Junker, Preferred explanations and relaxations for
 * over-constrained problems, 2004) and delta debugging (A. Zeller and R. Hildebrandt, 2002).
 * For k members that matter out of n, that takes O(k log(n/k)) questions.  If a question about
 * one member stays open, it is kept, and the set is small, but not proven to be minimal.
 *
 * Colocated buffers are left out together: a body without some of its members is another problem.
 */
#include "explain/core.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "explain/variant.h"
#include "facts/bodies.h"

/* A buffer, or a body of colocated buffers. */
struct unit {
  size_t begin, end; /* in `buffers` */
  bool is_needed;    /* without it the others fit */
};

struct filter {
  struct shrink *shrink;
  struct oracle *oracle;
  bool by_bound;
  struct unit *units;
  size_t unit_count;
  size_t *buffers; /* unit after unit */
  size_t *rest;    /* room for the members of a question */
};

/* ---------------------------------------------------------------- units */

/* Which buffers are in the set, and which of them are in a unit already. */
struct marks {
  bool *is_member, *is_listed;
};

/* The members of a body that are in the set follow the first of them. */
static void add_unit(struct filter *filter, const struct bodies *bodies, size_t buffer,
                     struct marks marks, size_t *used) {
  struct unit *unit = &filter->units[filter->unit_count++];
  size_t body = bodies_of(bodies, buffer);
  unit->begin = *used;
  if (body == BODIES_NONE) filter->buffers[(*used)++] = buffer;
  else
    for (size_t m = bodies->items[body].begin; m < bodies->items[body].end; m++) {
      size_t member = bodies->members[m];
      if (!marks.is_member[member]) continue;
      marks.is_listed[member] = true;
      filter->buffers[(*used)++] = member;
    }
  unit->end = *used;
}

static neap_status list_units(struct filter *filter, neap_error *error) {
  const struct shrink *shrink = filter->shrink;
  struct bodies bodies = {0};
  size_t used = 0;
  neap_status status = bodies_init(&bodies, shrink->problem, error);
  if (status != NEAP_OK) return status;
  bool *flags = memory_array(2 * shrink->problem->count, sizeof *flags);
  if (!flags) status = error_memory(error);
  struct marks marks = {flags, flags ? flags + shrink->problem->count : NULL};
  for (size_t i = 0; flags && i < shrink->count; i++)
    marks.is_member[shrink->members[i]] = true;
  for (size_t i = 0; flags && i < shrink->count; i++)
    if (!marks.is_listed[shrink->members[i]])
      add_unit(filter, &bodies, shrink->members[i], marks, &used);
  free(flags);
  bodies_clear(&bodies);
  return status;
}

static neap_status filter_init(struct filter *filter, neap_error *error) {
  size_t count = filter->shrink->count;
  filter->units = memory_array(count, sizeof *filter->units);
  filter->buffers = memory_array(count, sizeof *filter->buffers);
  filter->rest = memory_array(count, sizeof *filter->rest);
  if (!filter->units || !filter->buffers || !filter->rest) return error_memory(error);
  return list_units(filter, error);
}

static void filter_clear(struct filter *filter) {
  free(filter->units);
  free(filter->buffers);
  free(filter->rest);
}

/* ---------------------------------------------------------------- questions */

static neap_status refuted_by_bound(struct filter *filter, const struct neap_problem *problem,
                                    enum answer *answer, neap_error *error) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_bound(problem, &bound, error);
  *answer = bound.lower_bound > filter->shrink->capacity ? ANSWER_REFUTED : ANSWER_FITS;
  return status;
}

static neap_status ask(struct filter *filter, const struct neap_problem *problem,
                       enum answer *answer, neap_error *error) {
  struct question question = {problem, filter->shrink->capacity, oracle_ticks_for(problem),
                              true};
  struct reply reply;
  if (filter->by_bound) return refuted_by_bound(filter, problem, answer, error);
  neap_status status = oracle_ask(filter->oracle, &question, false, &reply, error);
  *answer = reply.answer;
  return status;
}

/* Whether the set without the units from `begin` to `end` that may be left out fits. */
static neap_status ask_without(struct filter *filter, size_t begin, size_t end,
                               enum answer *answer, neap_error *error) {
  struct subset subset;
  struct variant_choice choice = {.indices = filter->rest};
  for (size_t u = 0; u < filter->unit_count; u++) {
    const struct unit *unit = &filter->units[u];
    if (u >= begin && u < end && !unit->is_needed) continue;
    for (size_t i = unit->begin; i < unit->end; i++)
      filter->rest[choice.count++] = filter->buffers[i];
  }
  neap_status status = variant_init(&subset, filter->shrink->problem, &choice, error);
  if (status != NEAP_OK) return status;
  status = ask(filter, subset.problem, answer, error);
  subset_clear(&subset);
  return status;
}

/* ---------------------------------------------------------------- passes */

static size_t count_removable(const struct filter *filter, size_t begin, size_t end) {
  size_t count = 0;
  for (size_t u = begin; u < end; u++)
    count += !filter->units[u].is_needed;
  return count;
}

/* Returns how many units are left before `end`. */
static size_t remove_units(struct filter *filter, size_t begin, size_t end) {
  size_t to = begin;
  for (size_t u = begin; u < end; u++)
    if (filter->units[u].is_needed) filter->units[to++] = filter->units[u];
  memmove(&filter->units[to], &filter->units[end],
          (filter->unit_count - end) * sizeof *filter->units);
  filter->unit_count -= end - to;
  filter->oracle->progress.core_count = filter->unit_count;
  return to;
}

static void mark_needed(struct filter *filter, size_t begin, size_t end) {
  for (size_t u = begin; u < end; u++)
    filter->units[u].is_needed = true;
}

/* Tries to leave out one chunk after another. */
static neap_status pass(struct filter *filter, size_t chunk, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t begin = 0; begin < filter->unit_count && status == NEAP_OK;) {
    size_t left = filter->unit_count - begin, end = begin + (chunk < left ? chunk : left);
    size_t removable = count_removable(filter, begin, end);
    enum answer answer = ANSWER_OPEN;
    if (!oracle_has_left(filter->oracle)) return NEAP_OK;
    if (removable > 0) status = ask_without(filter, begin, end, &answer, error);
    if (status != NEAP_OK) return status;
    if (removable == 1 && answer == ANSWER_FITS) mark_needed(filter, begin, end);
    begin = answer == ANSWER_REFUTED && removable > 0 ? remove_units(filter, begin, end) : end;
  }
  return status;
}

static neap_status run_passes(struct filter *filter, neap_error *error) {
  neap_status status = NEAP_OK;
  size_t chunk = filter->unit_count / 2;
  for (; chunk > 0 && status == NEAP_OK; chunk /= 2) {
    if (chunk > filter->unit_count) continue;
    status = pass(filter, chunk, error);
  }
  if (status == NEAP_OK && filter->unit_count == 1) status = pass(filter, 1, error);
  return status;
}

static void take_over(struct filter *filter) {
  struct shrink *shrink = filter->shrink;
  shrink->count = 0;
  shrink->is_minimal = !filter->by_bound;
  for (size_t u = 0; u < filter->unit_count; u++) {
    const struct unit *unit = &filter->units[u];
    if (!unit->is_needed) shrink->is_minimal = false;
    for (size_t i = unit->begin; i < unit->end; i++)
      shrink->members[shrink->count++] = filter->buffers[i];
  }
}

static neap_status run(struct shrink *shrink, struct oracle *oracle, bool by_bound,
                       neap_error *error) {
  struct filter filter = {.shrink = shrink, .oracle = oracle, .by_bound = by_bound};
  neap_status status = filter_init(&filter, error);
  oracle->progress.core_count = filter.unit_count;
  if (status == NEAP_OK) status = run_passes(&filter, error);
  if (status == NEAP_OK) take_over(&filter);
  filter_clear(&filter);
  return status;
}

neap_status shrink_by_bound(struct shrink *shrink, struct oracle *oracle, neap_error *error) {
  assert(shrink->capacity >= 0);
  return run(shrink, oracle, true, error);
}

neap_status shrink_by_search(struct shrink *shrink, struct oracle *oracle, neap_error *error) {
  return run(shrink, oracle, false, error);
}
