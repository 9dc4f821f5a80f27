/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The internals of a problem: buffers, their lifetimes, names and hints. */
#ifndef MODEL_PROBLEM_H
#define MODEL_PROBLEM_H

#include <string.h>

#include "core/names.h"
#include "core/text.h"
#include "model/operators.h"
#include "model/relations.h"
#include "model/shapes.h"
#include "neap-tool.h"
#include "neap/graph.h"
#include "neap/relations.h"

/* ---------------------------------------------------------------- operator table */

/*
 * The operators of a problem as a user sees them: the name of each, and the buffers that it
 * reads and makes.  Files keep this table; model/operators, in contrast, serves the planners of
 * runtimes.
 */

/*
 * An operator's links begin where the previous operator's end; the buffers that it reads come
 * first.
 */
struct operator_entry {
  size_t type;           /* its number */
  size_t name;           /* where its name begins in `texts`; SIZE_MAX: none */
  size_t reads_end, end; /* in `links` */
};

struct operator_table {
  size_t count, capacity;
  struct operator_entry *entries;
  struct names types;
  char *texts; /* names, each with its NUL */
  size_t text_size, text_capacity;
  size_t *links; /* buffers */
  size_t link_count, link_capacity;
  size_t *stamps; /* per buffer: the stamp of the last list that contained it */
  size_t stamp_count, stamp_capacity;
  size_t stamp_next; /* at least as large as every stamp */
};

enum operator_repeats { OPERATOR_REPEATS_REFUSED, OPERATOR_REPEATS_DROPPED };

void operator_table_free(struct operator_table *table);

/* Checks the texts of an operator. */
neap_status operator_table_check(const neap_operator_info *info, neap_error *error);

/*
 * Adds a copy of an operator on buffers with these names.  The errors are those of
 * neap_problem_add_operator, but texts are not checked, because graphs may have types that are not
 * valid UTF-8.  Amortised time linear in the lists and texts.
 */
neap_status operator_table_add(struct operator_table *table, const struct names *names,
                               const neap_operator_info *info, enum operator_repeats repeats,
                               neap_error *error);

/* Fills a description of an operator; false past the last. */
bool operator_table_at(const struct operator_table *table, size_t index,
                       neap_operator_info *info);

/* ---------------------------------------------------------------- problem */

/* The numbers of a buffer.  Its ranges begin where those of the previous buffer end. */
struct buffer {
  neap_size size;
  neap_size alignment;
  neap_offset fixed_offset;
  size_t ranges_end; /* one past its last range in problem->ranges */
};

/* Tensors that the runtime allocates outside the plan. */
struct problem_runtime {
  struct names names;
  neap_size *sizes;
  size_t capacity;
};

struct neap_problem {
  size_t count, capacity;
  struct buffer *buffers;
  neap_range *ranges; /* per buffer ascending, never touching */
  size_t range_count, range_capacity;
  struct names names; /* name i is buffer i's */
  char **hints;       /* one per buffer, or NULL; NULL if no buffer has one */
  size_t hint_capacity;
  struct shapes shapes; /* of buffers */
  size_t fixed_count;   /* buffers with a fixed offset */
  /*
   * The sum of size + alignment - 1 of all buffers.  Stacked above fixed_top, the buffers need at
   * most this.
   */
  neap_size extent;
  neap_offset fixed_top; /* the highest end of a fixed buffer */
  neap_time horizon;
  struct relations *relations; /* NULL: no constraints beyond those in this struct */
  /* The operators that the first buffers were built from; NULL unless built from a graph. */
  struct operators *operators;
  struct operator_table *table; /* the operators listed for users; NULL: none */
  /* The problem owns its `given`; NULL unless built from a scheduled graph. */
  neap_operator_order order;
  struct problem_runtime runtime;
  struct names unknown_scratch; /* neap_problem_unknown_scratch */
  struct names missing;         /* neap_problem_missing */
  neap_aliased aliased;
  const char *target; /* the runtime that the problem was read for, a constant; NULL: none */
  struct neap_graph
      *graph;             /* the graph that the problem was read as; NULL for other problems */
  neap_liveness liveness; /* the options used with the graph, except for the names in `keep` */
  bool has_kept_names;
  void *memo; /* the form of the input, kept by the problem's reader; NULL: nothing */
  const struct problem_memo_kind *memo_kind;
};

/* Only the owner of a memo knows what is in it. */
struct problem_memo_kind {
  void *(*copy)(const void *memo); /* NULL: memory is short */
  void (*free)(void *memo);
};

/* Replaces the memo; takes it. */
static inline void problem_set_memo(struct neap_problem *problem,
                                    const struct problem_memo_kind *kind, void *memo) {
  if (problem->memo) problem->memo_kind->free(problem->memo);
  problem->memo = memo;
  problem->memo_kind = kind;
}

static inline size_t problem_ranges_begin(const struct neap_problem *problem, size_t index) {
  return index == 0 ? 0 : problem->buffers[index - 1].ranges_end;
}

static inline const char *problem_name(const struct neap_problem *problem, size_t index) {
  return names_text(&problem->names, index);
}

/* The name of a buffer as a message shows it.  Returns `excerpt`. */
static inline const char *problem_excerpt(const struct neap_problem *problem, size_t index,
                                          char excerpt[TEXT_EXCERPT]) {
  const char *name = problem_name(problem, index);
  return text_excerpt(excerpt, name, strlen(name));
}

static inline const char *problem_hint(const struct neap_problem *problem, size_t index) {
  return problem->hints ? problem->hints[index] : NULL;
}

/* The limits of a buffer beyond size, lifetime, alignment and fixed offset. */
static inline const struct limits *problem_limits(const struct neap_problem *problem,
                                                  size_t index) {
  const struct relations *relations = problem->relations;
  return relations && index < relations->limit_count ? &relations->limits[index] : &limits_none;
}

/* The number of pools; 0: there is one arena without a name. */
static inline size_t problem_pool_count(const struct neap_problem *problem) {
  return problem->relations ? problem->relations->pool_names.count : 0;
}

/* Whether there are relations with one of the effects.  O(1). */
static inline bool problem_has(const struct neap_problem *problem, unsigned effects) {
  return problem->relations && (problem->relations->effects & effects) != 0;
}

/* What the runtime of the graph keeps in its arena; NULL: it is not known. */
const struct runtime_arena *problem_arena(const struct neap_problem *problem);

/* How many relations outside groups have one of the effects. */
size_t problem_count_relations(const struct neap_problem *problem, unsigned effects);

/*
 * The next relation with one of the effects after `last` (NULL: the first); NULL: there is none.
 * Groups may also have RELATION_APART or RELATION_FREES, and are not listed here (model/groups).
 * Reads as
 *
 *     const neap_relation *relation = NULL;
 *     while ((relation = problem_next_relation(problem, RELATION_BANKS, relation)))
 */
const neap_relation *problem_next_relation(const struct neap_problem *problem, unsigned effects,
                                           const neap_relation *last);

/* Whether a buffer takes up bytes and its offset is still to be chosen. */
static inline bool problem_can_move(const struct neap_problem *problem, size_t index) {
  const struct buffer *buffer = &problem->buffers[index];
  return buffer->size > 0 && buffer->fixed_offset == NEAP_UNPLACED;
}

/*
 * Adds a buffer that has only these numbers and one range of time.  Its name is its number, and
 * so are the names of all buffers before it.
 */
neap_status problem_add_numbered(neap_problem *problem, const struct buffer *buffer,
                                 neap_range range, neap_error *error);

/*
 * Adds an operator to the table, and extends the horizon to its end; the problem must have all its
 * buffers (operator_table_add).
 */
neap_status problem_add_operator(neap_problem *problem, const neap_operator_info *info,
                                 enum operator_repeats repeats, neap_error *error);

/* Checks the size, the alignment and the fixed offset of a buffer. */
neap_status problem_check_place(const struct buffer *buffer, neap_error *error);

/* How high buffers can reach: members of a problem. */
struct reach {
  neap_size extent;
  neap_offset fixed_top;
};

/* Adds a buffer; checks that all end at or below NEAP_MAX even if they are stacked. */
neap_status problem_extend_reach(struct reach *reach, const struct buffer *buffer,
                                 neap_error *error);

/* Whether bytes reserved for this time are reserved all the time. */
static inline bool problem_is_always(const struct neap_problem *problem, neap_range when) {
  return when.start <= 0 && when.end >= problem->horizon;
}

/* Whether a buffer is alive at some moment of `when`. */
bool problem_lives_during(const struct neap_problem *problem, size_t index, neap_range when);

/* First start and last end of a buffer. */
static inline neap_range problem_hull(const struct neap_problem *problem, size_t index) {
  return (neap_range){problem->ranges[problem_ranges_begin(problem, index)].start,
                      problem->ranges[problem->buffers[index].ranges_end - 1].end};
}

/* The time that a buffer is alive. */
static inline neap_time problem_duration(const struct neap_problem *problem, size_t index) {
  neap_time duration = 0;
  for (size_t r = problem_ranges_begin(problem, index); r < problem->buffers[index].ranges_end;
       r++)
    duration += problem->ranges[r].end - problem->ranges[r].start;
  return duration;
}

/* The highest end of a layout in which every buffer has an offset; 0 without buffers. */
static inline neap_size problem_peak(const struct neap_problem *problem,
                                     const neap_offset *offsets) {
  neap_size peak = 0;
  for (size_t i = 0; i < problem->count; i++)
    if (offsets[i] + problem->buffers[i].size > peak)
      peak = offsets[i] + problem->buffers[i].size;
  return peak;
}

#endif
