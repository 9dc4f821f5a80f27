/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Maximal sections.
 *
 * A section is the time between two consecutive starts or ends.  The set of live buffers grows at
 * starts and shrinks at ends, so it is maximal (contained in no other section's set) where a start
 * is followed by an end:
 *
 *      a  |-----------|              events      a( b( a) c( d( b) c) d)
 *      b      |-----------|          maximal        [ab]      [bcd]
 *      c              |--------|
 *      d                |----------|
 *
 * Intervals have the Helly property: buffers that overlap pairwise have a moment in common, and
 * so a maximal section.  Replacing times by maximal sections therefore preserves overlaps and
 * needs fewer columns: about one per operator of a network.  (Overlaps are an interval graph;
 * its maximal cliques can be put in a line so that each interval is in consecutive ones: D.
 * R. Fulkerson and O. A. Gross, Incidence matrices and interval graphs, 1965.)
 *
 * O(n log n) time for sorting and searching, O(n) memory.
 */
#include "facts/sections.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"

struct events {
  neap_time *starts; /* sorted */
  neap_time *ends;   /* sorted; in the same block */
  size_t count;
};

static bool takes_part(const struct neap_problem *problem, size_t buffer,
                       enum sections_scope scope) {
  return scope == SECTIONS_ALL || problem->buffers[buffer].size > 0;
}

static bool events_init(struct events *events, const struct neap_problem *problem,
                        enum sections_scope scope) {
  events->count = 0;
  events->starts = memory_scratch(problem->range_count, 2 * sizeof *events->starts);
  if (!events->starts) return false;
  events->ends = events->starts + problem->range_count;
  size_t range = 0;
  for (size_t i = 0; i < problem->count; i++)
    for (; range < problem->buffers[i].ranges_end; range++)
      if (takes_part(problem, i, scope)) {
        events->starts[events->count] = problem->ranges[range].start;
        events->ends[events->count++] = problem->ranges[range].end;
      }
  sort_numbers(events->starts, events->count);
  sort_numbers(events->ends, events->count);
  return true;
}

/*
 * Merges starts and ends, ends first at equal times, and records each start that an end follows.
 */
static bool find_maximal(struct sections *sections, const struct events *events) {
  size_t capacity = 0;
  size_t start = 0;
  for (size_t end = 0; end < events->count; end++) {
    size_t before = start;
    while (start < events->count && events->starts[start] < events->ends[end])
      start++;
    if (start == before) continue;
    assert(events->starts[start - 1] < events->ends[end]);
    if (!memory_reserve(&sections->when, &capacity, sections->count + 1,
                        sizeof *sections->when))
      return false;
    sections->when[sections->count++] =
        (neap_range){events->starts[start - 1], events->ends[end]};
  }
  assert(start == events->count && sections->count <= events->count);
  return sections->count <= UINT32_MAX;
}

/* Merges starts and ends, and records the time between two consecutive ones that differ. */
static bool find_every(struct sections *sections, const struct events *events) {
  size_t start = 0, end = 0, capacity = 0;
  neap_time last = -1;
  while (end < events->count) {
    bool is_start = start < events->count && events->starts[start] < events->ends[end];
    neap_time time = is_start ? events->starts[start] : events->ends[end];
    if (last >= 0 && time > last) {
      if (!memory_reserve(&sections->when, &capacity, sections->count + 1,
                          sizeof *sections->when))
        return false;
      sections->when[sections->count++] = (neap_range){last, time};
    }
    last = time;
    if (is_start) start++;
    else end++;
  }
  return sections->count <= UINT32_MAX;
}

/* ---------------------------------------------------------------- looking up times */

/* With fewer sections, a plain bisection is as fast. */
#define LOOKUP_LEAST 64

/*
 * An index of the sections by time: cell c holds the first section from time origin + (c <<
 * shift) on.  There are about half as many cells as sections, so the bisection that follows
 * takes few steps and reads adjacent memory.
 */
struct lookup {
  const struct sections *sections;
  bool by_end; /* by the ends of sections; otherwise by their starts */
  uint64_t origin;
  unsigned shift;
  size_t cell_count; /* 0: there is no index (few sections, or memory is short) */
  uint32_t *cells;   /* one more than cell_count; the last is the number of sections */
};

static uint64_t time_at(const struct lookup *lookup, size_t section) {
  const neap_range *when = &lookup->sections->when[section];
  return (uint64_t)(lookup->by_end ? when->end : when->start);
}

static void fill_cells(struct lookup *lookup) {
  size_t section = 0;
  for (size_t c = 0; c < lookup->cell_count; c++) {
    while (section < lookup->sections->count &&
           (time_at(lookup, section) - lookup->origin) >> lookup->shift < c)
      section++;
    lookup->cells[c] = (uint32_t)section;
  }
  lookup->cells[lookup->cell_count] = (uint32_t)lookup->sections->count;
}

static void lookup_init(struct lookup *lookup, const struct sections *sections, bool by_end) {
  *lookup = (struct lookup){.sections = sections, .by_end = by_end};
  if (sections->count < LOOKUP_LEAST) return;
  lookup->origin = time_at(lookup, 0);
  uint64_t length = time_at(lookup, sections->count - 1) - lookup->origin;
  while (length >> lookup->shift > sections->count / 2)
    lookup->shift++;
  lookup->cells = memory_array((size_t)(length >> lookup->shift) + 2, sizeof *lookup->cells);
  if (!lookup->cells) return;
  lookup->cell_count = (size_t)(length >> lookup->shift) + 1;
  fill_cells(lookup);
}

/* How many sections start, or end, before a time. */
static uint32_t lookup_before(const struct lookup *lookup, neap_time time) {
  uint32_t low = 0, end = (uint32_t)lookup->sections->count;
  if (lookup->cell_count > 0) {
    if ((uint64_t)time <= lookup->origin) return 0;
    uint64_t cell = ((uint64_t)time - lookup->origin) >> lookup->shift;
    if (cell >= lookup->cell_count) return end;
    low = lookup->cells[cell];
    end = lookup->cells[cell + 1];
  }
  /*
   * The number of steps does not depend on comparisons, because no processor can predict their
   * results.
   */
  for (uint32_t left = end - low, half; left > 0; left -= half) {
    half = (left + 1) / 2;
    low += time_at(lookup, low + half - 1) < (uint64_t)time ? half : 0;
  }
  return low;
}

/*
 * A range contains the sections from the first one that ends after its start to the last one that
 * starts before its end.
 */
static void map_ranges(struct sections *sections, const struct neap_problem *problem,
                       enum sections_scope scope) {
  struct lookup starts, ends;
  lookup_init(&starts, sections, false);
  lookup_init(&ends, sections, true);
  size_t range = 0;
  for (size_t i = 0; i < problem->count; i++) {
    size_t begin = sections->span_count;
    for (; range < problem->buffers[i].ranges_end; range++) {
      if (!takes_part(problem, i, scope)) continue;
      struct span span = {lookup_before(&ends, problem->ranges[range].start + 1),
                          lookup_before(&starts, problem->ranges[range].end)};
      assert(span.first < span.end);
      if (sections->span_count > begin &&
          sections->spans[sections->span_count - 1].end == span.first)
        sections->spans[sections->span_count - 1].end = span.end;
      else sections->spans[sections->span_count++] = span;
    }
    sections->spans_end[i] = sections->span_count;
  }
  free(starts.cells);
  free(ends.cells);
}

neap_status sections_divide(struct sections *sections, const struct neap_problem *problem,
                            enum sections_scope scope, neap_error *error) {
  *sections = (struct sections){0};
  struct events events;
  bool ready = events_init(&events, problem, scope) &&
               (scope == SECTIONS_EVERY ? find_every : find_maximal)(sections, &events);
  free(events.starts);
  sections->spans = memory_array(problem->range_count, sizeof *sections->spans);
  sections->spans_end = memory_array(problem->count, sizeof *sections->spans_end);
  if (!ready || !sections->spans || !sections->spans_end) {
    sections_clear(sections);
    return error_memory(error);
  }
  sections->moments = sections->count;
  map_ranges(sections, problem, scope);
  return NEAP_OK;
}

void sections_clear(struct sections *sections) {
  free(sections->when);
  free(sections->spans);
  free(sections->spans_end);
  *sections = (struct sections){0};
}
