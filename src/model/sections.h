/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time divided into sections.  Two buffers overlap in time exactly if their spans share a section,
 * which is all that placement needs to know.
 */
#ifndef MODEL_SECTIONS_H
#define MODEL_SECTIONS_H

#include <stdint.h>

#include "model/problem.h"

/* A run of sections, half-open. */
struct span {
  uint32_t first, end;
};

struct sections {
  size_t count;
  neap_range *when; /* per section, ascending; times between them do not matter */
  size_t span_count;
  struct span *spans; /* buffer after buffer; per buffer ascending and not touching */
  size_t *spans_end;  /* per buffer, one past its last span */
};

enum sections_scope {
  SECTIONS_ALL,     /* of all buffers */
  SECTIONS_NONEMPTY /* buffers of size 0 have no spans */
};

/*
 * Finds the *maximal* sections: those whose set of live buffers is contained in no other's.
 * O(n log n) time, O(n) memory; at most as many sections as ranges of time.
 */
neap_status sections_init(struct sections *sections, const struct neap_problem *problem,
                          enum sections_scope scope, neap_error *error);
void sections_clear(struct sections *sections);

static inline size_t sections_spans_begin(const struct sections *sections, size_t buffer) {
  return buffer == 0 ? 0 : sections->spans_end[buffer - 1];
}

#endif
