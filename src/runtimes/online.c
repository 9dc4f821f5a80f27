/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite Micro keeps the offsets of a plan and places the buffers without offsets,
 * such as the scratch buffers that operators request, around them.  It places the largest
 * first, and of equal ones the one requested last, each at the lowest offset that is free
 * throughout its lifetime. neap must predict this to know the peak of the plan.
 *
 * The runtime has no lifetime for unused tensors.  So all unused tensors count as alive during
 * the same span, and those without an offset never overlap each other.
 *
 * A buffer without offset that is alone during its lifetime ends no higher than planned,
 * because its planned place is free.
 *
 * O(n log n) time and memory, plus one search of the container per buffer placed.
 */
#include "runtimes/online.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/columns.h"
#include "facts/constraints.h"
#include "model/groups.h"
#include "model/operators.h"
#include "place/container.h"

struct online {
  const struct neap_problem *problem;
  neap_offset *offsets;
  struct sections sections;
  struct span unused; /* the span of all unused tensors */
  struct container container;
  struct view view;
  struct request *requests;
  size_t count;
};

struct request {
  neap_size size;
  size_t buffer;
};

static int by_size(const void *left, const void *right) {
  const struct request *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return a->buffer > b->buffer ? -1 : a->buffer < b->buffer;
}

static void find_unused(struct online *online) {
  const struct neap_problem *problem = online->problem;
  struct span *all = &online->unused;
  *all = (struct span){UINT32_MAX, 0};
  for (size_t i = 0; i < problem->count; i++) {
    if (!operators_is_unused(problem->operators, problem->count, i)) continue;
    const struct span *own =
        &online->sections.spans[sections_spans_begin(&online->sections, i)];
    if (own->first < all->first) all->first = own->first;
    if (own->end > all->end) all->end = own->end;
  }
}

static const struct span *spans_of(const struct online *online, size_t buffer, size_t *count) {
  *count = 1;
  if (operators_is_unused(online->problem->operators, online->problem->count, buffer))
    return &online->unused;
  size_t begin = sections_spans_begin(&online->sections, buffer);
  *count = online->sections.spans_end[buffer] - begin;
  return online->sections.spans + begin;
}

static bool take(struct online *online, size_t buffer) {
  neap_offset low = online->offsets[buffer];
  neap_size size = online->problem->buffers[buffer].size;
  size_t count;
  const struct span *spans = spans_of(online, buffer, &count);
  return size == 0 ||
         container_take(&online->container, spans, count, (struct piece){low, low + size});
}

static neap_status place(struct online *online, size_t buffer, neap_error *error) {
  const struct buffer *placed = &online->problem->buffers[buffer];
  neap_offset lowest = 0;
  size_t count;
  const struct span *spans = spans_of(online, buffer, &count);
  if (placed->size > 0) {
    if (!container_view(&online->container, spans, count, &online->view))
      return error_memory(error);
    lowest = view_lowest(&online->view, 0, placed->size, placed->alignment);
  }
  online->offsets[buffer] = lowest;
  return take(online, buffer) ? NEAP_OK : error_memory(error);
}

/* Whether all ends stay below 2^63, even if all buffers to be placed are stacked on top. */
static bool fits(const struct neap_problem *problem, const neap_offset *offsets) {
  neap_size top = 0, end;
  for (size_t i = 0; i < problem->count; i++) {
    if (offsets[i] == NEAP_UNPLACED) continue;
    if (!checked_add(offsets[i], problem->buffers[i].size, &end)) return false;
    if (end > top) top = end;
  }
  for (size_t i = 0; i < problem->count; i++)
    if (offsets[i] == NEAP_UNPLACED &&
        (!checked_add(top, problem->buffers[i].alignment - 1, &top) ||
         !checked_add(top, problem->buffers[i].size, &top)))
      return false;
  return true;
}

/*
 * Places `first_count` buffers in the order of `first`, then the other buffers without offsets.
 */
static neap_status place_all(struct online *online, const size_t *first, size_t first_count,
                             neap_error *error) {
  neap_status status = NEAP_OK;
  const struct neap_problem *problem = online->problem;
  online->requests = memory_array(problem->count, sizeof *online->requests);
  if (!online->requests || !container_init(&online->container, &online->sections,
                                           container_shape_for(&online->sections)))
    return error_memory(error);
  for (size_t i = 0; i < problem->count; i++)
    if (online->offsets[i] != NEAP_UNPLACED && !take(online, i)) return error_memory(error);
  for (size_t f = 0; f < first_count && status == NEAP_OK; f++)
    status = place(online, first[f], error);
  for (size_t i = 0; i < problem->count; i++)
    if (online->offsets[i] == NEAP_UNPLACED)
      online->requests[online->count++] = (struct request){problem->buffers[i].size, i};
  if (online->count > 0)
    qsort(online->requests, online->count, sizeof *online->requests, by_size);
  for (size_t r = 0; r < online->count && status == NEAP_OK; r++)
    status = place(online, online->requests[r].buffer, error);
  return status;
}

neap_status online_place(const struct neap_problem *problem, neap_offset *offsets,
                         neap_error *error) {
  return online_place_after(problem, NULL, 0, offsets, error);
}

neap_status online_place_after(const struct neap_problem *problem, const size_t *first,
                               size_t count, neap_offset *offsets, neap_error *error) {
  struct online online = {.problem = problem, .offsets = offsets};
  if (problem->count == 0) return NEAP_OK;
  if (!fits(problem, offsets))
    return error_set(error, NEAP_ERROR_INPUT, "the plan ends above 2^63 - 1");
  neap_status status = columns_init(&online.sections, problem, SECTIONS_ALL, error);
  if (status != NEAP_OK) return status;
  find_unused(&online);
  status = place_all(&online, first, count, error);
  container_clear(&online.container);
  sections_clear(&online.sections);
  view_clear(&online.view);
  free(online.requests);
  return status;
}

/*
 * Names a limit on buffers without offsets other than their lifetimes, such as "pools"; NULL: none.
 */
static const char *limit_on_unplaced(const struct neap_problem *problem,
                                     const neap_offset *offsets) {
  size_t count;
  for (const neap_relation *relation = NULL;
       (relation = problem_next_relation(problem, RELATION_BINDS, relation)) != NULL;)
    if (offsets[relation->first] == NEAP_UNPLACED || offsets[relation->second] == NEAP_UNPLACED)
      return relation_kinds[relation->kind].words.several;
  const struct relation_group *group = NULL;
  while ((group = problem_next_group(problem, RELATION_BINDS, group)))
    for (size_t m = group->begin; m < group->end; m++)
      if (offsets[problem->relations->members[m]] == NEAP_UNPLACED)
        return relation_kinds[group->relation.kind].words.several;
  return constraints_limits(problem, &count);
}

neap_status online_settle(const struct neap_problem *problem, neap_offset *offsets,
                          size_t *count, neap_error *error) {
  const struct names *names = &problem->runtime.names;
  const char *limit;
  *count = 0;
  for (size_t r = 0; r < names->count; r++) {
    const char *name = names_text(names, r);
    size_t buffer = names_find(&problem->names, name, strlen(name));
    if (buffer == NAMES_NONE || problem->buffers[buffer].fixed_offset != NEAP_UNPLACED)
      continue;
    offsets[buffer] = NEAP_UNPLACED;
    ++*count;
  }
  if (*count > 0 && (limit = limit_on_unplaced(problem, offsets)) != NULL)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the runtime places %zu buffers itself, and does not keep %s", *count,
                     limit);
  return *count > 0 ? online_place(problem, offsets, error) : NEAP_OK;
}

/* ---------------------------------------------------------------- on its own */

static bool has_variables(const struct neap_problem *problem) {
  const struct operators *operators = problem->operators;
  for (size_t b = 0; operators && b < operators->buffer_count; b++)
    if (operators->roles[b] & OPERATORS_VARIABLE) return true;
  return false;
}

neap_status online_compare(const struct neap_problem *problem, neap_offset *offsets,
                           bool *is_own, neap_error *error) {
  size_t count;
  *is_own = false;
  if (constraints_beyond_time(problem, &count)) return NEAP_OK;
  if (problem->count == 0 || problem->fixed_count > 0 || has_variables(problem)) return NEAP_OK;
  neap_offset *own = memory_array(problem->count, sizeof *own);
  if (!own) return error_memory(error);
  for (size_t i = 0; i < problem->count; i++)
    own[i] = NEAP_UNPLACED;
  neap_status status = online_place(problem, own, error);
  if (status == NEAP_OK) {
    neap_size peak = problem_peak(problem, offsets), other = problem_peak(problem, own);
    *is_own = other <= peak;
    if (other < peak) memcpy(offsets, own, problem->count * sizeof *own);
  }
  free(own);
  return status;
}
