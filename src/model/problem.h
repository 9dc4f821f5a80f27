/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a problem: buffers, their ranges of time, names and hints. */
#ifndef MODEL_PROBLEM_H
#define MODEL_PROBLEM_H

#include "core/names.h"
#include "model/operators.h"
#include "neap/neap.h"

/* Every integer that describes a buffer.  Its ranges follow those of the buffer before it. */
struct buffer {
  neap_size size;
  neap_size alignment;
  neap_offset fixed_offset;
  size_t ranges_end; /* one past its last range in problem->ranges */
};

#define PROBLEM_COLUMNS 17

/* The order that a graph's operators were put into. */
struct problem_schedule {
  size_t *given; /* where each operator was before; NULL: they are as they were */
  size_t count;
  neap_size given_bound; /* of the order before */
};

struct neap_problem {
  size_t count, capacity;
  struct buffer *buffers;
  neap_range *ranges; /* of each buffer ascending, never touching */
  size_t range_count, range_capacity;
  struct names names; /* name i is buffer i's */
  char **hints;       /* one per buffer, NULL where it has none; NULL while no buffer has one */
  size_t hint_capacity;
  size_t fixed_count; /* buffers with a fixed offset */
  neap_size
      extent; /* the sum of size + alignment - 1: no placement needs more on top of fixed_top */
  neap_offset fixed_top; /* the highest end of a fixed buffer */
  neap_time horizon;
  struct operators *operators; /* that its first buffers come from; NULL unless from a graph */
  struct problem_schedule schedule;
  struct neap_graph *graph; /* that it was read as; NULL of other problems */
  /*
   * The columns of the table it was read from, in formats/columns' codes, so that it is written
   * as it came.
   */
  unsigned char columns[PROBLEM_COLUMNS];
  size_t column_count; /* 0: it did not come from a table */
};

static inline size_t problem_ranges_begin(const struct neap_problem *problem, size_t index) {
  return index == 0 ? 0 : problem->buffers[index - 1].ranges_end;
}

static inline const char *problem_name(const struct neap_problem *problem, size_t index) {
  return names_text(&problem->names, index);
}

static inline const char *problem_hint(const struct neap_problem *problem, size_t index) {
  return problem->hints ? problem->hints[index] : NULL;
}

/* First start and last end of a buffer. */
neap_range problem_hull(const struct neap_problem *problem, size_t index);

/*
 * The fixed offset of every buffer, NEAP_UNPLACED where there is none; released with free(),
 * NULL when memory is short.
 */
neap_offset *problem_fixed_offsets(const struct neap_problem *problem);

/* Tells a problem how its operators were ordered; copies `given`. */
neap_status problem_set_schedule(struct neap_problem *problem, const size_t *given,
                                 size_t count, neap_size given_bound, neap_error *error);

#endif
