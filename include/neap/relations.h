/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constraints and penalties beyond sizes and lifetimes: relations of pairs of buffers, pools,
 * reserved bytes, and the objective that ranks plans.  The conventions are those of neap.h.
 */
#ifndef NEAP_RELATIONS_H
#define NEAP_RELATIONS_H

#include "neap/neap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================ relations */

/*
 * All relations except penalties are hard: a plan that violates one is unsound.  Members of
 * neap_buffer describe single buffers; relations describe pairs.  Two buffers *conflict* if they
 * are in one pool, are alive together or separated, and neither an exclusion nor a colocation
 * permits them to share bytes.
 */
typedef enum neap_relation_kind {
  NEAP_SEPARATION, /* never share a byte, even if they are never alive together */
  NEAP_EXCLUSION,  /* may share bytes even if their lifetimes overlap, such as branches */
  /*
   * An operator's output (`first`) may overlap its input (`second`) although both are alive, if
   * `second` begins at least `bytes` (>= 0) above the offset of `first`.  0: they may also
   * begin together.
   */
  NEAP_OVERLAP,
  /*
   * Offset of `second` = offset of `first` + `bytes`, in one pool.  They may share bytes, and
   * so may two buffers that are colocated with a third.
   */
  NEAP_COLOCATION,
  NEAP_BANK_SEPARATION, /* no bank of `bytes` (>= 1) contains bytes of both */
  NEAP_REUSE_PENALTY    /* costs `bytes` (>= 0, of any unit) if they share a byte */
} neap_relation_kind;
#define NEAP_RELATION_KIND_COUNT 6

typedef struct neap_relation {
  size_t struct_size;
  neap_relation_kind kind;
  size_t first, second; /* indices of buffers */
  neap_size bytes;      /* as described for the kind; 0 for kinds without a number */
  const char *reason;   /* any text, or NULL */
} neap_relation;

/* The name of a kind, as in JSON: "separation", "bank_separation" and so on; never NULL. */
NEAP_API const char *neap_relation_kind_name(neap_relation_kind kind);

/*
 * Adds a relation between two buffers; the reason is copied.  NEAP_ERROR_INPUT: the buffers are
 * the same or do not exist, or the number is out of range.  Contradictions between relations
 * are found by neap_problem_check.  At any moment, at most 1024 live buffers may be related to
 * other live buffers by exclusions, or by colocations that share bytes; planning a problem with
 * more is NEAP_ERROR_INPUT.
 */
NEAP_API neap_status neap_problem_relate(neap_problem *problem, const neap_relation *relation,
                                         neap_error *error);

/*
 * Lists the relations, in the order in which they were added.  Each pair of a long list of buffers
 * in an input is also a relation; these pairs come last.
 */
NEAP_API bool neap_problem_relation_at(const neap_problem *problem, size_t index,
                                       neap_relation *relation);

/* The number of relations of a kind. */
NEAP_API size_t neap_problem_relation_count(const neap_problem *problem,
                                            neap_relation_kind kind);

/* ================================================================ pools */

/* A pool: a separate arena.  A problem without pools has one arena without a name. */
typedef struct neap_pool {
  size_t struct_size;
  const char *name;    /* valid UTF-8, not empty, unique among the pools */
  neap_size capacity;  /* bytes; -1: unlimited */
  neap_size alignment; /* >= 1; every offset in the pool is a multiple of it */
  neap_offset base;    /* the address of offset 0, >= 0 */
  neap_size cost;      /* per byte in it, >= 0; -1: its position in the buffer's list, from 0 */
} neap_pool;

#define NEAP_POOL_INIT \
  { sizeof(neap_pool), NULL, -1, 1, 0, -1 }

/*
 * Adds a pool; its index is the number of pools added before it.  The name is copied.  Add pools
 * before the buffers that name them.  NEAP_ERROR_INPUT: a value is out of range, or the name is not
 * unique.
 */
NEAP_API neap_status neap_problem_add_pool(neap_problem *problem, const neap_pool *pool,
                                           neap_error *error);

/* Lists the pools. */
NEAP_API bool neap_problem_pool_at(const neap_problem *problem, size_t index, neap_pool *pool);

/* Finds the index of a pool by name; false if there is no such pool. */
NEAP_API bool neap_problem_find_pool(const neap_problem *problem, const char *name,
                                     size_t *index);

/*
 * Sets the capacity of a pool; -1: unlimited.  NEAP_ERROR_ARGUMENT: there is no such pool, or the
 * capacity is less than -1.
 */
NEAP_API neap_status neap_problem_set_pool_capacity(neap_problem *problem, size_t pool,
                                                    neap_size capacity, neap_error *error);

/* The index of a buffer's pool; 0 without pools. */
NEAP_API size_t neap_plan_pool(const neap_plan *plan, size_t index);

/* The use of a pool by a plan. */
typedef struct neap_pool_report {
  size_t struct_size;
  size_t buffers;
  neap_size peak;
  neap_size bound;       /* of the buffers in it */
  neap_size lower_bound; /* proven, for the buffers in it */
} neap_pool_report;

/* Lists the pools of a plan; without pools in the problem, there are none. */
NEAP_API bool neap_plan_pool_at(const neap_plan *plan, size_t index, neap_pool_report *report);

/* ================================================================ bytes and offsets */

/* Bytes that no buffer may use, during a range of time. */
typedef struct neap_reserved {
  size_t struct_size;
  size_t pool;           /* index; 0 without pools */
  neap_offset low, high; /* bytes [low, high), 0 <= low < high */
  neap_range when;       /* 0, NEAP_MAX: always */
} neap_reserved;

/* Adds reserved bytes.  NEAP_ERROR_INPUT: there is no such pool, or a range is empty. */
NEAP_API neap_status neap_problem_reserve(neap_problem *problem, const neap_reserved *reserved,
                                          neap_error *error);

/* Lists the reserved bytes. */
NEAP_API bool neap_problem_reserved_at(const neap_problem *problem, size_t index,
                                       neap_reserved *reserved);

/* Two buffers that share bytes while both are alive, as an overlap allowance permits. */
typedef struct neap_overlap {
  size_t struct_size;
  size_t first,
      second; /* the one with the lower offset, or else the one that begins later, is first */
  neap_offset low, high; /* the bytes [low, high), in their pool */
  neap_range when;       /* the first range of time in which both are alive */
} neap_overlap;

/* Lists the overlaps of a plan; the sum of their bytes is neap_report.costs.overlapped_bytes. */
NEAP_API bool neap_plan_overlap_at(const neap_plan *plan, size_t index, neap_overlap *overlap);

/*
 * Sets the offset of a buffer in an earlier plan (NEAP_UNPLACED: none) and the cost of moving
 * the buffer away from it (-1: its size), like neap_buffer.near_offset and move_cost.
 * NEAP_ERROR_INPUT: a value is out of range.
 */
NEAP_API neap_status neap_problem_set_near(neap_problem *problem, size_t index,
                                           neap_offset offset, neap_size cost,
                                           neap_error *error);

/* ================================================================ objective */

/* The terms that plans minimise, one after another, within the capacities. */
typedef enum neap_term {
  NEAP_TERM_SPILL, /* neap_report.costs.spilled_bytes */
  NEAP_TERM_PEAK,  /* neap_report.peak */
  NEAP_TERM_REUSE, /* neap_report.costs.reuse */
  NEAP_TERM_MOVED  /* neap_report.costs.moved_bytes */
} neap_term;
#define NEAP_TERM_COUNT 4

/* The name of a term, as in JSON and in option --objective: "spill", "peak" and so on. */
NEAP_API const char *neap_term_name(neap_term term);

/*
 * Sets the order of the terms; `order` lists each term once.  The default is the order of the
 * enum.  NEAP_ERROR_ARGUMENT: a term is missing or repeated.
 */
NEAP_API neap_status neap_problem_set_objective(neap_problem *problem,
                                                const neap_term order[NEAP_TERM_COUNT],
                                                neap_error *error);

NEAP_API void neap_problem_objective(const neap_problem *problem,
                                     neap_term order[NEAP_TERM_COUNT]);

#ifdef __cplusplus
}
#endif

#endif
