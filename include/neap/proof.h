/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a plan is unsound, why no plan is better, and why none fits: collisions, certificates and
 * explanations.  The conventions are those of neap.h.
 */
#ifndef NEAP_PROOF_H
#define NEAP_PROOF_H

#include "neap/neap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================ collisions */

/*
 * Two buffers, first < second, that share bytes during a range of time although no relation
 * permits that.  Buffers that are alive together during several separate ranges collide once in
 * each.  Separated buffers that are never alive together collide once, at times [0, 0).
 */
typedef struct neap_collision {
  size_t first, second;  /* indices of buffers */
  neap_range when;       /* when both are alive; 0, 0: never */
  neap_offset low, high; /* the shared bytes: [low, high) */
} neap_collision;

/*
 * Makes a list of at most `limit` collisions, sorted by `first`, `second` and time, and counts
 * all collisions in *total, which may be NULL.  If there are more than `limit`, the list keeps
 * the earliest ones, and those at no time only if there is room left.  Release *collisions with
 * neap_collisions_free.  O((n + count) log n) time.
 */
NEAP_API neap_status neap_plan_collisions(const neap_plan *plan, size_t limit,
                                          neap_collision **collisions, size_t *count,
                                          uint64_t *total, neap_error *error);
NEAP_API void neap_collisions_free(neap_collision *collisions);

/* ================================================================ certificates */

/*
 * A certificate is a text with a problem, possibly a plan for it, and a proof that no layout
 * has a lower peak.  A short program can check all of it.  doc/certificate.md defines the
 * format.
 */
typedef struct neap_certificate neap_certificate;

/* The kind of proof. */
typedef enum neap_certificate_kind {
  NEAP_CERTIFICATE_LOAD,   /* the buffers alive at one moment need this many bytes */
  NEAP_CERTIFICATE_COLUMN, /* buffers that share no bytes do, with alignments and limits */
  NEAP_CERTIFICATE_LAYOUT, /* deprecated: no certificate has this reason after 0.2.0 */
  NEAP_CERTIFICATE_PAIRS,  /* contradictory clauses about which of two buffers is below */
  NEAP_CERTIFICATE_BANKS   /* buffers in pairwise different banks need as many banks */
} neap_certificate_kind;

/* The name of a kind, as in the text: "load" and so on; never NULL. */
NEAP_API const char *neap_certificate_kind_name(neap_certificate_kind kind);

/* Returns false to stop the search for a proof. */
typedef bool neap_certify_function(void *user);

/* How to certify.  Zeroes are the defaults. */
typedef struct neap_certifying {
  size_t struct_size;
  neap_size capacity;  /* without a plan: prove that no plan fits it; -1: that no plan exists */
  uint64_t max_states; /* the limit on clauses about pairs in the text; 0: 100,000 */
  double time_limit;   /* seconds; 0: none */
  neap_certify_function *keep_on; /* called several times a second, with `user`; NULL: none */
  void *user;
} neap_certifying;

/*
 * Certifies that no plan of the problem is better than `plan` by the objective, or, if `plan`
 * is NULL, that no plan fits how->capacity or the capacities of the pools.  `how` may be NULL
 * with a plan.  The problem must have passed neap_problem_check.  NEAP_NO_PLAN: no proof was
 * found within the limits, or none exists.  NEAP_ERROR_FORMAT: the plan has shared objects.
 * NEAP_ERROR_UNSOUND: the plan is unsound.  Equal arguments give equal texts, unless there is a
 * time limit.
 */
NEAP_API neap_status neap_certify(const neap_problem *problem, const neap_plan *plan,
                                  const neap_certifying *how, neap_certificate **certificate,
                                  neap_error *error);
NEAP_API void neap_certificate_free(neap_certificate *certificate);

/* The text, which ends in a line break; valid as long as the certificate. */
NEAP_API const char *neap_certificate_text(const neap_certificate *certificate);

typedef struct neap_certificate_info {
  size_t struct_size;
  neap_certificate_kind kind;
  neap_size least; /* proven: no layout has a lower peak; NEAP_MAX: there is no layout */
  neap_size
      order_bound; /* proven: no order of the operators has a lower bound; 0: not certified */
  size_t lines, bytes; /* of the text */
} neap_certificate_info;

NEAP_API void neap_certificate_describe(const neap_certificate *certificate,
                                        neap_certificate_info *info);

/* ================================================================ explanations */

/*
 * Why a problem fits a capacity or does not fit, and which changes would make it fit.  Every
 * claim is proven: a problem that is neither planned nor refuted within the limits is unknown,
 * and a fix is listed only if planning with it succeeded.
 */
typedef struct neap_explanation neap_explanation;

typedef enum neap_verdict {
  NEAP_VERDICT_FITS,         /* a verified plan fits the capacity, or there is no capacity */
  NEAP_VERDICT_DOES_NOT_FIT, /* proven */
  NEAP_VERDICT_UNKNOWN       /* the limits were reached */
} neap_verdict;

/* The proof that less memory than required is not enough. */
typedef enum neap_reason {
  NEAP_REASON_NONE,   /* nothing is proven, or there is nothing to prove */
  NEAP_REASON_SUM,    /* the sizes of the buffers alive at one moment */
  NEAP_REASON_COLUMN, /* these with their alignments, fixed offsets, limits and relations */
  NEAP_REASON_POOLS,  /* the sizes of the buffers that may be in only some of the pools */
  NEAP_REASON_SET     /* a set of buffers that exact search has proven to have no layout */
} neap_reason;

typedef struct neap_explanation_report {
  size_t struct_size;
  neap_verdict verdict;
  neap_reason reason;
  /*
   * The capacity of the arena, or of the pools concerned; -1: none, or one of them is
   * unlimited.
   */
  neap_size available;
  /*
   * The proven lower bound on the memory needed; -1: unknown (with pools, unless reason is
   * POOLS).
   */
  neap_size required;
  neap_size bound; /* of the problem */
  neap_size peak;  /* of the best plan found, ignoring the capacity; NEAP_UNPLACED: none */
  /*
   * The peak that the conflicting set exceeds: the capacity, or peak - 1 without a capacity.
   * -1: there is no set, or there are pools.
   */
  neap_size refused;
  /* When most bytes of the conflicting set, or of the problem, are alive; 0, 0: never. */
  neap_range when;
  size_t alive_count; /* buffers alive then */
  size_t core_count;  /* buffers of the conflicting set */
  bool is_minimal;    /* proven: without any single buffer (or body), the set would fit */
  bool is_complete;   /* no limit was reached: all known kinds of fixes have been tried */
  size_t fix_count;
  double seconds;
} neap_explanation_report;

/* One change to a problem. */
typedef enum neap_change_kind {
  NEAP_CHANGE_ALIGNMENT, /* lower the alignment of `buffer` to `bytes` */
  NEAP_CHANGE_FIXED,     /* let `buffer` leave its fixed offset */
  NEAP_CHANGE_WINDOW,    /* drop the window of `buffer` */
  NEAP_CHANGE_BANK,      /* drop the bank of `buffer` */
  NEAP_CHANGE_RELATION,  /* drop relation `index` between `buffer` and `other` */
  NEAP_CHANGE_RESERVED,  /* drop reserved bytes `index` */
  NEAP_CHANGE_OVERLAP,   /* let `buffer`, an output, share `bytes` with `other`, its input */
  NEAP_CHANGE_SIZE,      /* make `buffer` smaller by `bytes` */
  NEAP_CHANGE_END,       /* free `buffer` at `time` instead of `was` */
  NEAP_CHANGE_START,     /* allocate `buffer` at `time` instead of `was` */
  NEAP_CHANGE_CAPACITY /* enlarge the capacity, of pool `index` if there are pools, by `bytes` */
} neap_change_kind;
#define NEAP_CHANGE_KIND_COUNT 11

typedef struct neap_change {
  neap_change_kind kind;
  size_t buffer, other; /* indices of buffers, or NEAP_NO_BUFFER */
  size_t index;         /* of a relation, reserved bytes or a pool; otherwise 0 */
  neap_size bytes;
  neap_time time, was;
} neap_change;

#define NEAP_FIX_CHANGES 2

/* Changes that together make the problem fit or, without a capacity, lower the peak. */
typedef struct neap_fix {
  size_t struct_size;
  neap_change changes[NEAP_FIX_CHANGES];
  size_t change_count;
  /* The total of the changes: bytes, or with `is_area` bytes times time (NEAP_MAX if more). */
  neap_size cost;
  bool is_area;
  neap_size peak; /* the peak of the verified plan with these changes */
} neap_fix;

/* The state of neap_explain. */
typedef struct neap_explain_progress {
  const char *stage; /* the present stage: "deciding", "shrinking the set" and so on */
  size_t core_count; /* the size of the conflicting set so far; 0: none yet */
  size_t fix_count;  /* fixes found */
  uint64_t ticks;
  double seconds;
} neap_explain_progress;

/* Returns false to stop; the explanation then holds the results so far. */
typedef bool neap_explain_function(const neap_explain_progress *progress, void *user);

#define NEAP_FIXES_DEFAULT 12
#define NEAP_FIXES_MAX 1000
#define NEAP_EXPLAIN_SECONDS 10

/* How to explain.  Zeroes are the defaults. */
typedef struct neap_explaining {
  size_t struct_size;
  size_t fixes;  /* the limit on fixes listed, up to NEAP_FIXES_MAX; 0: NEAP_FIXES_DEFAULT */
  bool no_fixes; /* do not search for fixes */
  neap_explain_function *progress; /* called every few milliseconds, or NULL */
  void *user;
} neap_explaining;

/*
 * Explains why the problem fits, or does not fit, the capacity in `options` or the capacities
 * of its pools; without any capacity, explains its peak.  `options` and `explaining` may be
 * NULL.  Options time-limit and max-ticks limit the whole explanation; without either, it takes
 * up to NEAP_EXPLAIN_SECONDS.  With max-ticks and without time-limit, the result is
 * reproducible.  `problem` must outlive the explanation.  NEAP_ERROR_INPUT as in
 * neap_planner_new.
 */
NEAP_API neap_status neap_explain(const neap_problem *problem, const neap_options *options,
                                  const neap_explaining *explaining,
                                  neap_explanation **explanation, neap_error *error);
NEAP_API void neap_explanation_free(neap_explanation *explanation);

NEAP_API void neap_explanation_get_report(const neap_explanation *explanation,
                                          neap_explanation_report *report);

/* Lists the buffers alive at report.when, the largest first. */
NEAP_API bool neap_explanation_alive_at(const neap_explanation *explanation, size_t index,
                                        size_t *buffer);

/* Lists the conflicting set, the largest buffer first. */
NEAP_API bool neap_explanation_core_at(const neap_explanation *explanation, size_t index,
                                       size_t *buffer);

/*
 * Lists the fixes, the cheapest first: fixes that drop a constraint, then fixes measured in
 * bytes, then in bytes times time, and a larger capacity last.  Without a capacity, the fixes
 * that lower the peak most come first.
 */
NEAP_API bool neap_explanation_fix_at(const neap_explanation *explanation, size_t index,
                                      neap_fix *fix);

/* The plan with report.peak, for drawings; NULL if there is none.  The explanation owns it. */
NEAP_API const neap_plan *neap_explanation_plan(const neap_explanation *explanation);

/*
 * The best layout found for the conflicting set alone, which exceeds report.refused; NULL if
 * there is none.  Its problem has only these buffers.  The explanation owns both.
 */
NEAP_API const neap_plan *neap_explanation_core_plan(const neap_explanation *explanation);

/* The names in JSON: "fits", "does_not_fit", "sum", "size" and so on; never NULL. */
NEAP_API const char *neap_verdict_name(neap_verdict verdict);
NEAP_API const char *neap_reason_name(neap_reason reason);
NEAP_API const char *neap_change_kind_name(neap_change_kind kind);

#ifdef __cplusplus
}
#endif

#endif
