/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers that conflict in one column take up at least the sum of their sizes.  Three rules
 * keep the computed load a lower bound:
 *
 *   - Columns reflect separations and exclusions (facts/columns).  Two buffers with an
 *     overlap allowance may share bytes, so only the larger one counts.
 *   - Members of a unit may share bytes.  In each column, only the largest counts.
 *   - If all offsets in a pool are multiples of a step, every buffer except the topmost of a
 *     column takes up its size rounded up to the step.  If a column fits into C bytes, the sum
 *     of its rounded sizes is at most C rounded up to the step.
 *
 * Reserved bytes count only if they are reserved all the time; other reserved bytes are left to
 * the planners.
 */
#include "pools/pool_columns.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"
#include "facts/columns.h"

void pool_columns_clear(struct pool_columns *columns) {
  free(columns->spans);
  free(columns->spans_end);
  free(columns->rooms);
  free(columns->steps);
  *columns = (struct pool_columns){0};
}

/* ---------------------------------------------------------------- pools */

static int by_low(const void *left, const void *right) {
  const neap_reserved *a = left, *b = right;
  return a->low < b->low ? -1 : a->low > b->low;
}

/*
 * The bytes below `capacity` that are reserved at all times in a pool; `list` is sorted by low.
 */
static neap_size reserved_bytes(const struct neap_problem *problem, const neap_reserved *list,
                                size_t count, size_t pool, neap_size capacity) {
  neap_size bytes = 0, top = 0;
  for (size_t r = 0; r < count; r++) {
    const neap_reserved *reserved = &list[r];
    if (reserved->pool != pool || !problem_is_always(problem, reserved->when)) continue;
    neap_offset low = reserved->low > top ? reserved->low : top;
    neap_offset high = reserved->high < capacity ? reserved->high : capacity;
    if (high <= low) continue;
    bytes += high - low;
    top = high;
  }
  return bytes;
}

static void set_room(struct pool_columns *columns, const struct neap_problem *problem,
                     const neap_reserved *list, size_t pool, neap_size unit) {
  const neap_pool *held = &problem->relations->pools[pool];
  columns->rooms[pool] = held->capacity;
  columns->steps[pool] = 1;
  if (held->capacity < 0) return;
  neap_size reserved =
      reserved_bytes(problem, list, problem->relations->reserved_count, pool, held->capacity);
  neap_size step = unit / common_divisor(unit, held->alignment), room;
  columns->rooms[pool] -= reserved;
  if (reserved > 0 || !checked_mul(step, held->alignment, &step)) return;
  if (step > NEAP_MAX / 4 / ((neap_size)problem->count + 1)) return; /* sums must not overflow */
  if (!checked_round_up(held->capacity, step, &room)) return;
  columns->rooms[pool] = room;
  columns->steps[pool] = step;
}

static neap_status find_rooms(struct pool_columns *columns, const struct neap_problem *problem,
                              neap_error *error) {
  const struct relations *relations = problem->relations;
  neap_size unit = 0;
  columns->pool_count = problem_pool_count(problem);
  columns->rooms = memory_array(columns->pool_count, sizeof *columns->rooms);
  columns->steps = memory_array(columns->pool_count, sizeof *columns->steps);
  neap_reserved *list = memory_array(relations->reserved_count, sizeof *list);
  bool ready = columns->rooms && columns->steps && list;
  if (ready) {
    for (size_t r = 0; r < relations->reserved_count; r++)
      list[r] = relations->reserved[r];
    qsort(list, relations->reserved_count, sizeof *list, by_low);
    for (size_t i = 0; i < problem->count; i++)
      unit = common_divisor(problem->buffers[i].alignment, unit);
    for (size_t p = 0; p < columns->pool_count; p++)
      set_room(columns, problem, list, p, unit > 0 ? unit : 1);
  }
  free(list);
  return ready ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- units */

struct sized {
  neap_size size;
  size_t buffer;
};

static int larger_first(const void *left, const void *right) {
  const struct sized *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

/* Marks the smaller of two buffers that may share bytes, because only the larger one counts. */
static void find_uncounted(const struct neap_problem *problem, bool *is_uncounted) {
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(problem, RELATION_GAP, relation))) {
    neap_size first = problem->buffers[relation->first].size;
    neap_size second = problem->buffers[relation->second].size;
    is_uncounted[first < second ? relation->first : relation->second] = true;
  }
}

/* Scratch arrays, reused from unit to unit. */
struct survey {
  const struct neap_problem *problem;
  const struct sections *sections;
  bool *is_uncounted;
  struct sized *sized; /* the unit's members by size */
  uint32_t *ends;      /* of the unit's spans, ascending and distinct */
  uint32_t *next;      /* per piece: the first later piece without bytes (disjoint-set forest) */
  neap_size *bytes;    /* per piece between two ends */
  size_t span_capacity;
};

static size_t list_ends(struct survey *survey, size_t members) {
  size_t count = 0, kept = 0;
  for (size_t m = 0; m < members; m++) {
    size_t buffer = survey->sized[m].buffer;
    for (size_t s = sections_spans_begin(survey->sections, buffer);
         s < survey->sections->spans_end[buffer]; s++) {
      survey->ends[count++] = survey->sections->spans[s].first;
      survey->ends[count++] = survey->sections->spans[s].end;
    }
  }
  qsort(survey->ends, count, sizeof *survey->ends, sort_by_number);
  for (size_t e = 0; e < count; e++)
    if (kept == 0 || survey->ends[e] != survey->ends[kept - 1])
      survey->ends[kept++] = survey->ends[e];
  return kept;
}

static uint32_t find_piece(const struct survey *survey, size_t count, uint32_t column) {
  const uint32_t *found =
      bsearch(&column, survey->ends, count, sizeof *survey->ends, sort_by_number);
  assert(found);
  return (uint32_t)(found - survey->ends);
}

static uint32_t next_free(uint32_t *next, uint32_t at) {
  while (next[at] != at)
    at = next[at] = next[next[at]];
  return at;
}

/*
 * Fills the pieces, largest member first: a member fills the pieces that no larger member has
 * filled.
 */
static void fill_pieces(struct survey *survey, size_t members, size_t end_count) {
  for (uint32_t e = 0; e <= end_count; e++) {
    survey->next[e] = e;
    survey->bytes[e] = 0;
  }
  for (size_t m = 0; m < members; m++) {
    size_t buffer = survey->sized[m].buffer;
    for (size_t s = sections_spans_begin(survey->sections, buffer);
         s < survey->sections->spans_end[buffer]; s++) {
      struct span span = survey->sections->spans[s];
      uint32_t last = find_piece(survey, end_count, span.end);
      for (uint32_t at = next_free(survey->next, find_piece(survey, end_count, span.first));
           at < last; at = next_free(survey->next, at)) {
        survey->bytes[at] = survey->sized[m].size;
        survey->next[at] = at + 1;
      }
    }
  }
}

static void append_span(struct pool_columns *columns, size_t *count, size_t begin,
                        struct unit_span span) {
  struct unit_span *last = *count > begin ? &columns->spans[*count - 1] : NULL;
  if (last && last->columns.end == span.columns.first && last->bytes == span.bytes)
    last->columns.end = span.columns.end;
  else columns->spans[(*count)++] = span;
}

static bool survey_unit(struct pool_columns *columns, struct survey *survey,
                        const struct units *units, size_t unit) {
  size_t members = 0, begin = pool_columns_begin(columns, unit), count = begin;
  for (size_t m = units_members_begin(units, unit); m < units->members_end[unit]; m++) {
    size_t buffer = units->members[m];
    if (survey->is_uncounted[buffer]) continue;
    survey->sized[members++] = (struct sized){survey->problem->buffers[buffer].size, buffer};
  }
  qsort(survey->sized, members, sizeof *survey->sized, larger_first);
  size_t ends = list_ends(survey, members);
  fill_pieces(survey, members, ends);
  if (!memory_reserve(&columns->spans, &survey->span_capacity, begin + ends + 1,
                      sizeof *columns->spans))
    return false;
  for (size_t e = 0; e + 1 < ends; e++)
    if (survey->bytes[e] > 0)
      append_span(columns, &count, begin,
                  (struct unit_span){{survey->ends[e], survey->ends[e + 1]}, survey->bytes[e]});
  columns->spans_end[unit] = count;
  return true;
}

static bool survey_units(struct pool_columns *columns, const struct neap_problem *problem,
                         const struct sections *sections, const struct units *units) {
  size_t most = 2 * sections->span_count + 2;
  struct survey survey = {.problem = problem, .sections = sections};
  survey.is_uncounted = memory_array(problem->count, sizeof *survey.is_uncounted);
  survey.sized = memory_array(problem->count, sizeof *survey.sized);
  survey.ends = memory_array(most, sizeof *survey.ends);
  survey.next = memory_array(most, sizeof *survey.next);
  survey.bytes = memory_array(most, sizeof *survey.bytes);
  bool ready =
      survey.is_uncounted && survey.sized && survey.ends && survey.next && survey.bytes;
  if (ready) find_uncounted(problem, survey.is_uncounted);
  for (size_t u = 0; u < units->count && ready; u++)
    ready = survey_unit(columns, &survey, units, u);
  free(survey.is_uncounted);
  free(survey.sized);
  free(survey.ends);
  free(survey.next);
  free(survey.bytes);
  return ready;
}

neap_status pool_columns_init(struct pool_columns *columns, const struct neap_problem *problem,
                              const struct units *units, neap_error *error) {
  *columns = (struct pool_columns){0};
  struct sections sections;
  neap_status status = columns_init(&sections, problem, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  columns->count = sections.count;
  columns->spans_end = memory_array(units->count, sizeof *columns->spans_end);
  status = columns->spans_end && survey_units(columns, problem, &sections, units)
               ? NEAP_OK
               : error_memory(error);
  sections_clear(&sections);
  if (status == NEAP_OK) status = find_rooms(columns, problem, error);
  if (status != NEAP_OK) pool_columns_clear(columns);
  return status;
}
