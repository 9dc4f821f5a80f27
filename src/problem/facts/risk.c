/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The classifier asks three times which buffers overlap in time with some buffer of a set.
 * Buffers overlap if their spans share a section.  So the sections of the set are marked, and
 * prefix counts of marked sections answer the question for any span in O(1), without comparing
 * pairs.
 */
#include "facts/risk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

struct marks {
  const struct sections *sections;
  /*
   * While a set is being marked: +1 and -1 at the ends of spans. After counting: the number of
   * marked sections before section s.
   */
  uint32_t *count;
};

static void marks_begin(struct marks *marks) {
  memset(marks->count, 0, (marks->sections->count + 1) * sizeof *marks->count);
}

static void marks_add(struct marks *marks, size_t buffer) {
  const struct sections *sections = marks->sections;
  for (size_t s = sections_spans_begin(sections, buffer); s < sections->spans_end[buffer];
       s++) {
    marks->count[sections->spans[s].first]++;
    marks->count[sections->spans[s].end]--; /* may wrap below 0; the sums correct that */
  }
}

static void marks_count(struct marks *marks) {
  uint32_t live = 0, marked = 0;
  for (size_t s = 0; s <= marks->sections->count; s++) {
    live += marks->count[s];
    marks->count[s] = marked;
    marked += live > 0;
  }
  assert(live == 0); /* all spans have ended */
}

static bool marks_touch(const struct marks *marks, size_t buffer) {
  const struct sections *sections = marks->sections;
  for (size_t s = sections_spans_begin(sections, buffer); s < sections->spans_end[buffer]; s++)
    if (marks->count[sections->spans[s].first] != marks->count[sections->spans[s].end])
      return true;
  return false;
}

/*
 * Gives `risk` to every buffer that has none yet and overlaps the marked set or belongs to it.
 */
static void spread_risk(struct marks *marks, size_t buffer_count, neap_risk risk,
                        unsigned char *risks) {
  marks_count(marks);
  for (size_t i = 0; i < buffer_count; i++)
    if (risks[i] == NEAP_RISK_NONE && marks_touch(marks, i)) risks[i] = (unsigned char)risk;
}

/* Marks the buffers that end above the threshold or, if `exactly`, at it. */
static void mark_ends(struct marks *marks, const struct neap_problem *problem,
                      const neap_offset *offsets, neap_size threshold, bool exactly) {
  marks_begin(marks);
  for (size_t i = 0; i < problem->count; i++) {
    neap_offset end = offsets[i] + problem->buffers[i].size;
    assert(offsets[i] >= 0);
    if (exactly ? end == threshold : end > threshold) marks_add(marks, i);
  }
}

neap_status risk_classify(const struct neap_problem *problem, const struct sections *sections,
                          const neap_offset *offsets, neap_size threshold, unsigned char *risks,
                          size_t counts[NEAP_RISK_COUNT], neap_error *error) {
  struct marks marks = {sections, memory_array(sections->count + 1, sizeof *marks.count)};
  if (!marks.count) return error_memory(error);
  memset(risks, NEAP_RISK_NONE, problem->count);
  mark_ends(&marks, problem, offsets, threshold, false);
  spread_risk(&marks, problem->count, NEAP_RISK_HIGH, risks);
  mark_ends(&marks, problem, offsets, threshold, true);
  spread_risk(&marks, problem->count, NEAP_RISK_MEDIUM, risks);
  marks_begin(&marks);
  for (size_t i = 0; i < problem->count; i++)
    if (risks[i] != NEAP_RISK_NONE) marks_add(&marks, i);
  spread_risk(&marks, problem->count, NEAP_RISK_LOW, risks);
  free(marks.count);
  memset(counts, 0, NEAP_RISK_COUNT * sizeof *counts);
  for (size_t i = 0; i < problem->count; i++)
    counts[risks[i]]++;
  return NEAP_OK;
}
