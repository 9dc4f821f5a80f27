/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time divided into sections.  Two buffers overlap in time exactly if their spans share a section,
 * which is all that placement needs to know.  Relations change which buffers conflict, and so
 * sections become columns (facts/columns): two buffers conflict exactly if they share one.
 */
#ifndef FACTS_SECTIONS_H
#define FACTS_SECTIONS_H

#include <stdint.h>

#include "model/problem.h"

/* A run of sections, half-open. */
struct span {
  uint32_t first, end;
};

static inline bool span_contains(struct span span, uint32_t section) {
  return span.first <= section && section < span.end;
}

/* Whether one of the runs from `runs` to `end` contains a section. */
static inline bool spans_contain(const struct span *runs, const struct span *end,
                                 uint32_t section) {
  for (; runs < end; runs++)
    if (span_contains(*runs, section)) return true;
  return false;
}

/* Whether two runs have a section in common. */
static inline bool spans_meet(struct span a, struct span b) {
  return a.first < b.end && b.first < a.end;
}

struct sections {
  size_t count;     /* first moments, by ascending time, then columns of separated buffers */
  size_t moments;   /* how many are moments, at which all buffers of the section are alive */
  neap_range *when; /* per section; the times between sections do not matter */
  size_t span_count;
  struct span *spans; /* buffer after buffer; per buffer ascending and not touching */
  size_t *spans_end;  /* per buffer, one past its last span */
};

enum sections_scope {
  SECTIONS_ALL,      /* of all buffers, even empty ones */
  SECTIONS_NONEMPTY, /* buffers of size 0 have no spans */
  SECTIONS_EVERY     /* of nonempty buffers; all sections, not only the maximal ones */
};

/*
 * Divides time regardless of relations (facts/columns): finds the *maximal* sections, those
 * whose set of live buffers is contained in no other's, or with SECTIONS_EVERY the time between
 * each two consecutive starts or ends.  O(n log n) time, O(n) memory; at most as many sections
 * as ranges of time, twice as many with SECTIONS_EVERY.
 */
neap_status sections_divide(struct sections *sections, const struct neap_problem *problem,
                            enum sections_scope scope, neap_error *error);
void sections_clear(struct sections *sections);

static inline size_t sections_spans_begin(const struct sections *sections, size_t buffer) {
  return buffer == 0 ? 0 : sections->spans_end[buffer - 1];
}

/* A walk over the runs of sections that two buffers share. */
struct common {
  const struct span *first, *first_end, *second, *second_end;
};

static inline struct common sections_common(const struct sections *sections, size_t first,
                                            size_t second) {
  const struct span *spans = sections->spans;
  return (struct common){
      spans + sections_spans_begin(sections, first), spans + sections->spans_end[first],
      spans + sections_spans_begin(sections, second), spans + sections->spans_end[second]};
}

/* The first of ascending spans that ends above a column; O(log spans skipped). */
static inline const struct span *spans_above(const struct span *from, const struct span *end,
                                             uint32_t column) {
  size_t step = 1;
  for (; (size_t)(end - from) > step && from[step].end <= column; step *= 2)
    from += step;
  for (; step > 0; step /= 2)
    if ((size_t)(end - from) > step && from[step].end <= column) from += step;
  return from < end && from->end <= column ? from + 1 : from;
}

/* Finds the next run; false when there is none. */
static inline bool common_next(struct common *common, struct span *run) {
  while (common->first < common->first_end && common->second < common->second_end) {
    struct span a = *common->first, b = *common->second;
    *run = (struct span){a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
    if (run->first < run->end) {
      if (a.end <= b.end) common->first++;
      else common->second++;
      return true;
    }
    if (a.end <= b.first)
      common->first = spans_above(common->first, common->first_end, b.first);
    else common->second = spans_above(common->second, common->second_end, a.first);
  }
  return false;
}

/* Whether two buffers share a section. */
static inline bool sections_meet(const struct sections *sections, size_t first, size_t second) {
  struct common common = sections_common(sections, first, second);
  struct span run;
  return common_next(&common, &run);
}

#endif
