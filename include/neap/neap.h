/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * neap: offline memory planning.
 *
 * A *problem* is a set of buffers.  Each has a size in bytes and is alive during one or more
 * half-open ranges of time.  A *plan* gives every buffer an offset in one arena so that no two
 * buffers that are alive at the same time share a byte; its *peak* is the highest end offset.
 * The *bound* is the largest number of bytes alive at one moment, where bytes that buffers may
 * share count once; no plan has a lower peak.  The *lower bound* is the best proven lower bound
 * on the peak: the bound, or more if alignments, fixed offsets, relations or a search prove it.
 * A *gap* is the distance of a peak from the lower bound.
 *
 *     neap_problem *problem = neap_problem_new();
 *     neap_problem_add_simple(problem, "image", 150528, 0, 2, NULL);
 *     neap_problem_add_simple(problem, "features", 401408, 1, 3, NULL);
 *     neap_plan *plan;
 *     if (neap_solve(problem, NULL, &plan, NULL) == NEAP_OK) {
 *       printf("%lld\n", (long long)neap_plan_offset(plan, 1));
 *       neap_plan_free(plan);
 *     }
 *     neap_problem_free(problem);
 *
 * examples/embed.c is a whole program.  The first part of this header is what most programs
 * need: problem, solve, plan.  The other parts add detail, and can be read in any order:
 * problems, graphs of operators, options and engines, planning in steps, plans, certificates,
 * explanations, planners outside this library, texts.  <neap/neap-io.h> reads, writes and draws
 * these objects.
 *
 * Conventions
 *   - Sizes and offsets are bytes; times are in any unit the problem uses.  All are 64-bit
 *     integers in 0 .. NEAP_MAX.  Ranges are half-open: [start, end).
 *   - A function that can fail returns a neap_status and, on failure, fills *error.  `error` may
 *     be NULL.  Results are set only on success.  Any call that allocates may return
 *     NEAP_ERROR_MEMORY; comments mention only the other errors.
 *   - The caller owns the objects that `_new`, `_copy`, `_read`, `_generate`,
 *     `neap_graph_problem` and `neap_solve` return, and releases them with the matching
 *     `_free`, which accepts NULL.  Pointers obtained from an object are valid as long as the
 *     object exists.
 *   - Indices count from 0.  A function whose name ends in `_at` fills in the item at that
 *     index and returns true, or returns false after the last item.  So a loop over all items
 *     is `for (size_t i = 0; neap_engine_at(i, &info); i++)`.  Other functions do not check
 *     their indices.
 *   - The library never prints, exits or aborts on bad input.  It has no global state, so
 *     different threads can use different objects at the same time.
 */
#ifndef NEAP_NEAP_H
#define NEAP_NEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NEAP_VERSION_MAJOR 0
#define NEAP_VERSION_MINOR 1
#define NEAP_VERSION_MICRO 0
#define NEAP_VERSION_STRING "0.1.0"
#define NEAP_VERSION_NUMBER \
  (NEAP_VERSION_MAJOR * 10000 + NEAP_VERSION_MINOR * 100 + NEAP_VERSION_MICRO)

#if defined(__GNUC__)
#define NEAP_API __attribute__((visibility("default")))
#else
#define NEAP_API
#endif

/* ================================================================ problem, solve, plan */

typedef int64_t neap_size;   /* bytes */
typedef int64_t neap_offset; /* bytes from the arena's base */
typedef int64_t neap_time;   /* in the problem's unit of time */

#define NEAP_MAX INT64_MAX
#define NEAP_UNPLACED (-1) /* stands for an offset that is not known or not chosen yet */

typedef enum neap_status {
  NEAP_OK = 0,
  NEAP_ERROR_SYSTEM,   /* a file cannot be opened, read or written */
  NEAP_ERROR_MEMORY,   /* an allocation failed */
  NEAP_ERROR_ARGUMENT, /* an argument or option is invalid, or calls are out of order */
  NEAP_ERROR_INPUT,    /* a file or a problem is malformed */
  NEAP_ERROR_FORMAT,   /* the output format cannot represent the object */
  NEAP_INFEASIBLE,     /* proven: no plan fits the capacity */
  NEAP_NO_PLAN,        /* the limits were reached, or the run was cancelled, without a plan */
  NEAP_ERROR_UNSOUND   /* a plan failed verification */
} neap_status;

/* The name of a status, such as "bad input"; never NULL. */
NEAP_API const char *neap_status_name(neap_status status);

/* A failure: its cause and its place. */
typedef struct neap_error {
  neap_status status;
  size_t line;      /* from 1; 0: unknown */
  size_t column;    /* from 1; 0: unknown */
  char source[256]; /* the file or the option, or "" */
  char text[1024];  /* the message: one line, without the source */
} neap_error;

typedef struct neap_problem neap_problem;
typedef struct neap_options neap_options;
typedef struct neap_plan neap_plan;

/* Creates a problem without buffers; NULL if memory runs out. */
NEAP_API neap_problem *neap_problem_new(void);
NEAP_API void neap_problem_free(neap_problem *problem);

/*
 * Adds a buffer of `size` bytes (>= 0) that is alive during [start, end), at any offset; its
 * index is the number of buffers added before it.  The name is copied.  The errors are those of
 * neap_problem_add, which supports further properties of buffers.
 */
NEAP_API neap_status neap_problem_add_simple(neap_problem *problem, const char *name,
                                             neap_size size, neap_time start, neap_time end,
                                             neap_error *error);

/* Buffers in arrays, one item per buffer. */
typedef struct neap_arrays {
  size_t count;
  const neap_time *starts, *ends;
  const neap_size *sizes;
  const neap_size *alignments; /* NULL: 1 */
  const char *const *names;    /* NULL: the index of the buffer, such as "17" */
} neap_arrays;

/*
 * Adds a buffer for every item of the arrays, and copies them.  The errors are those of
 * neap_problem_add.  On an error, error->line is the item's index + 1; earlier items remain
 * added.
 */
NEAP_API neap_status neap_problem_add_arrays(neap_problem *problem, const neap_arrays *arrays,
                                             neap_error *error);

/* The number of buffers. */
NEAP_API size_t neap_problem_count(const neap_problem *problem);

/*
 * Plans in one call; `options` may be NULL for the defaults.  `problem` must outlive the plan.
 * NEAP_ERROR_INPUT: fixed offsets collide, or the engine does not support the problem.
 * NEAP_INFEASIBLE: no plan fits the capacity.  NEAP_NO_PLAN: the limits were too low to find a
 * plan that fits.
 */
NEAP_API neap_status neap_solve(const neap_problem *problem, const neap_options *options,
                                neap_plan **plan, neap_error *error);
NEAP_API void neap_plan_free(neap_plan *plan);

/* The offset of a buffer, in its pool if there are pools. */
NEAP_API neap_offset neap_plan_offset(const neap_plan *plan, size_t index);

/* The offsets of all buffers. */
NEAP_API const neap_offset *neap_plan_offsets(const neap_plan *plan);

/* The index of a buffer's pool; 0 without pools. */
NEAP_API size_t neap_plan_pool(const neap_plan *plan, size_t index);

/*
 * Plans buffers in arrays, without any objects: buffer i is alive during [start[i], end[i]) and
 * gets offset[i], a multiple of align[i].  `align` may be NULL, which means 1.  Engine and
 * limits are the defaults.  `offset` has room for n offsets.  On success, it holds the offsets,
 * and *peak is the size of the arena; `peak` may be NULL.  On failure both are unchanged.  The
 * status is that of neap_problem_add and neap_solve.
 */
NEAP_API neap_status neap_pack(size_t n, const neap_time *start, const neap_time *end,
                               const neap_size *size, const neap_size *align,
                               neap_offset *offset, neap_size *peak);

/* The quality of a layout; in neap_report.order_outcome, of an order of operators. */
typedef enum neap_outcome {
  /*
   * The peak (for an order: the bound) equals a proven lower bound, and so does every other
   * term of the objective that applies to the problem.
   */
  NEAP_OPTIMAL,
  NEAP_FEASIBLE /* sound; a better one may exist */
} neap_outcome;

typedef enum neap_stop_reason {
  NEAP_STOP_BOUND,         /* the peak reached the bound */
  NEAP_STOP_PROVEN,        /* the peak reached a proven lower bound above the bound */
  NEAP_STOP_FIXED_POINT,   /* the tuner converged: an order repeated */
  NEAP_STOP_ITERATION_CAP, /* option max-rounds */
  NEAP_STOP_TIME_LIMIT,    /* option time-limit */
  NEAP_STOP_TICK_LIMIT,    /* option max-ticks, or the limit that engine auto sets itself */
  NEAP_STOP_CANCELLED,     /* neap_planner_cancel */
  NEAP_STOP_CAPACITY,      /* option until-fits: the plan fits the capacity */
  NEAP_STOP_COMPLETE,      /* the engine makes one plan, and has made it */
  NEAP_STOP_RUNTIME        /* the engine reached a lower bound, but not with the buffers that the
                              runtime places itself */
} neap_stop_reason;

typedef struct neap_report {
  size_t buffers;
  neap_size bound;
  neap_size lower_bound; /* the best proven lower bound on the peak */
  neap_size peak;
  double gap_percent; /* 100 * (peak - lower_bound) / lower_bound; 0 if lower_bound is 0 */
  neap_outcome outcome;
  neap_stop_reason stop_reason;
  const char *engine; /* "" if no engine made the plan */
  uint64_t rounds;
  double seconds; /* wall time of planning; 0 for a plan that was read */
  uint64_t seed;
  size_t objects;         /* the number of shared objects; 0 in a plan without them */
  neap_size object_bound; /* a lower bound on the sum of their sizes; 0 without them */
  bool is_scheduled;      /* the problem was built from a scheduled graph */
  neap_size given_bound;  /* the bound of the original order; without a schedule, `bound` */
  neap_size order_lower_bound; /* proven: no order has a bound below this; 0 if nothing is proven */
  neap_outcome order_outcome;  /* NEAP_OPTIMAL: `bound` equals order_lower_bound */
  /*
   * Bytes saved by the new order (given_bound - bound) and by sharing memory; together, the sum
   * of all sizes minus the peak.
   */
  neap_size order_saved_bytes, layout_saved_bytes;
  neap_size capacity;         /* of the arena; -1 if none is known */
  neap_size overlapped_bytes; /* shared by buffers alive together, as relations permit */
  /* The sum of the penalties that the plan pays, and a proven lower bound within the capacity. */
  neap_size reuse_cost, reuse_cost_lower_bound;
  /* The sum over all buffers of size times cost of the pool, and a proven lower bound. */
  neap_size spilled_bytes, spilled_lower_bound;
  /* The sum of the costs of moves from an earlier plan, and a proven lower bound. */
  neap_size moved_bytes, moved_lower_bound;
  /*
   * For a target: the layout that the runtime makes itself has no higher peak, so models get no
   * offsets.
   */
  bool is_runtimes_own;
  /* Why an optimal plan has no certificate; NULL: it has one, or none was requested. */
  const char *uncertified;
} neap_report;

/*
 * With pools, peak, bound and lower_bound are sums over the pools, given the plan's assignment
 * of buffers to pools; if buffers have a choice, another assignment may have a lower sum.  The
 * status refers to the whole objective: capacities, spilled bytes, peak, reuse cost and moved
 * bytes, in this order unless neap_problem_set_objective changes it.
 */
NEAP_API void neap_plan_report(const neap_plan *plan, neap_report *report);

/* The use of a pool by a plan. */
typedef struct neap_pool_report {
  size_t buffers;
  neap_size peak;
  neap_size bound;       /* of the buffers in it */
  neap_size lower_bound; /* proven, for the buffers in it */
} neap_pool_report;

/* Lists the pools of a plan; without pools in the problem, there are none. */
NEAP_API bool neap_plan_pool_at(const neap_plan *plan, size_t index, neap_pool_report *report);

/* The version of the library at run time, like NEAP_VERSION_STRING and NEAP_VERSION_NUMBER. */
NEAP_API const char *neap_version(void);
NEAP_API int neap_version_number(void);

/* ================================================================ problems */

typedef struct neap_range {
  neap_time start; /* first moment alive */
  neap_time end;   /* first moment no longer alive; > start */
} neap_range;

/* A buffer to place.  Initialise with NEAP_BUFFER_INIT and set the other members. */
typedef struct neap_buffer {
  const char *name;         /* valid UTF-8, not empty, unique in its problem */
  neap_size size;           /* 0 .. NEAP_MAX; a buffer of size 0 never collides */
  neap_size alignment;      /* >= 1; the offset is a multiple of it */
  neap_offset fixed_offset; /* the offset that plans must use, or NEAP_UNPLACED */
  /*
   * The times at which the buffer is alive: ascending and disjoint; ranges that touch are
   * merged.
   */
  const neap_range *ranges;
  size_t range_count; /* >= 1 */
  const char *hint;   /* any text, which is written to output files, or NULL */
  /* All its bytes are in [window_low, window_high); 0 and NEAP_MAX: anywhere. */
  neap_offset window_low, window_high;
  /* All its bytes are in one bank, [k * bank, (k + 1) * bank) for some k >= 0; 0: no banks. */
  neap_size bank;
  /*
   * Indices of the pools that the buffer may be in, the preferred pool first; NULL: any pool,
   * the first one preferred.
   */
  const size_t *pools;
  size_t pool_count;
  /*
   * The offset in an earlier plan, or NEAP_UNPLACED; and the cost of moving the buffer away
   * from it, -1: its size.
   */
  neap_offset near_offset;
  neap_size move_cost;
  /*
   * The shape of the tensor in the buffer, and the type of its elements, such as "float32", for
   * output files and pictures; planning ignores both.  A dimension of -1 is unknown.  A NULL
   * shape is unknown; a shape of rank 0 that is not NULL is a scalar.
   */
  const neap_size *shape;
  size_t rank;       /* 0 .. NEAP_RANK_MAX */
  const char *dtype; /* valid UTF-8, or NULL: unknown */
} neap_buffer;

#define NEAP_RANK_MAX 1024

#define NEAP_BUFFER_INIT                                                                  \
  {                                                                                       \
    NULL, 0, 1, NEAP_UNPLACED, NULL, 0, NULL, 0, NEAP_MAX, 0, NULL, 0, NEAP_UNPLACED, -1, \
        NULL, 0, NULL                                                                     \
  }

/*
 * Adds a copy of `buffer`, with its name, ranges, hint, shape and type.  NEAP_ERROR_INPUT: a
 * value is out of range, the name is not unique, or all sizes plus the padding that their
 * alignments may need exceed NEAP_MAX.  On failure the problem is unchanged.
 */
NEAP_API neap_status neap_problem_add(neap_problem *problem, const neap_buffer *buffer,
                                      neap_error *error);

/* Lists the buffers.  The pointers in *buffer are valid until the problem changes. */
NEAP_API bool neap_problem_buffer_at(const neap_problem *problem, size_t index,
                                     neap_buffer *buffer);

/* Finds the index of a buffer by name; false if there is no such buffer. */
NEAP_API bool neap_problem_find(const neap_problem *problem, const char *name, size_t *index);

/*
 * Sets the offset of a buffer in an earlier plan (NEAP_UNPLACED: none) and the cost of moving
 * the buffer away from it (-1: its size), like neap_buffer.near_offset and move_cost.
 * NEAP_ERROR_INPUT: a value is out of range.
 */
NEAP_API neap_status neap_problem_set_near(neap_problem *problem, size_t index,
                                           neap_offset offset, neap_size cost,
                                           neap_error *error);

/*
 * Raises every buffer's alignment to the smallest multiple of it that is also a multiple of
 * `alignment` (>= 1).  NEAP_ERROR_INPUT, with nothing changed: an alignment would exceed
 * NEAP_MAX, a fixed offset would not be a multiple of it, or it would contradict a window or a
 * colocation.
 */
NEAP_API neap_status neap_problem_align(neap_problem *problem, neap_size alignment,
                                        neap_error *error);

/*
 * Raises alignments like neap_problem_align, and rounds every size up to a multiple of `unit`
 * (>= 1).  NEAP_ERROR_INPUT, with nothing changed: also if sizes would exceed NEAP_MAX.
 */
NEAP_API neap_status neap_problem_fit(neap_problem *problem, neap_size alignment,
                                      neap_size unit, neap_error *error);

/* The smallest and the largest alignment of any buffer; 1 if there are none. */
NEAP_API void neap_problem_alignment(const neap_problem *problem, neap_size *low,
                                     neap_size *high);

/* Removes all fixed offsets, so that plans may choose every offset. */
NEAP_API void neap_problem_release_fixed(neap_problem *problem);

/*
 * Checks that no two buffers with fixed offsets collide, and that relations do not contradict
 * each other.  Functions that read or plan problems call it; you need it only to check a
 * problem early that is built in code.  NEAP_ERROR_INPUT names the buffers or the relations.
 */
NEAP_API neap_status neap_problem_check(const neap_problem *problem, neap_error *error);

/* The largest number of bytes alive at one moment, in all pools together, and when it occurs. */
typedef struct neap_bound {
  neap_size bytes; /* the bound */
  /*
   * A lower bound on the peak of every plan, found without search.  It is at least `bytes`, and
   * more if fixed offsets or the padding that alignments force prove more.
   */
  neap_size lower_bound;
  neap_time start, end; /* the first range of time in which `bytes` are alive; 0, 0 if empty */
  size_t range_count;   /* the number of separate ranges of time in which `bytes` are alive */
} neap_bound;

/* Finds the bound.  O(n log n) time, O(n) memory. */
NEAP_API neap_status neap_problem_bound(const neap_problem *problem, neap_bound *bound,
                                        neap_error *error);

/*
 * Finds the bound without a single buffer: bounds[i] is the bound if buffer indices[i] is
 * removed, for i < count.  O(n log n + count * n) time, O(count * n log n) with relations.
 */
NEAP_API neap_status neap_problem_bounds_without(const neap_problem *problem,
                                                 const size_t *indices, size_t count,
                                                 neap_size *bounds, neap_error *error);

/*
 * The length of time: the number of memory operations for a problem built from these; otherwise
 * the last end of a lifetime, or 0 without buffers.
 */
NEAP_API neap_time neap_problem_horizon(const neap_problem *problem);

/*
 * Creates a problem with the same buffers and new times.  The same buffers are alive together,
 * but every allocation and every release gets a moment of its own; releases precede allocations
 * at the same old time.  A sequence of memory operations has this form.  Buffers are sorted by
 * allocation.  NEAP_ERROR_FORMAT: a buffer has several ranges, or there are relations or other
 * constraints of the kinds below.
 */
NEAP_API neap_status neap_problem_retime(const neap_problem *problem, neap_problem **retimed,
                                         neap_error *error);

/* An allocation or a free, in a sequence in execution order. */
typedef struct neap_operation {
  const char *name;
  bool is_alloc;       /* false: it frees the buffer of this name */
  neap_size size;      /* of an allocation: 0 .. NEAP_MAX */
  neap_size alignment; /* of an allocation: >= 1 */
} neap_operation;

/*
 * Builds a problem from memory operations.  Buffers are sorted by allocation.  A buffer
 * allocated by operation t and freed by operation u is alive during [t, u); a buffer that is
 * never freed is alive to the end of the sequence.  If a name is allocated again after it was
 * freed, the later buffers are called name#1, name#2 and so on.  NEAP_ERROR_INPUT: an operation
 * frees a name that is not allocated, or allocates a name that is; error->line is the
 * operation's index + 1.
 */
NEAP_API neap_status neap_problem_from_operations(const neap_operation *operations,
                                                  size_t count, neap_problem **problem,
                                                  neap_error *error);

/* A kind of random problem. */
typedef struct neap_kind_info {
  const char *name;
  const char *summary;
} neap_kind_info;

/* Lists the kinds, in a fixed order. */
NEAP_API bool neap_kind_at(size_t index, neap_kind_info *info);

#define NEAP_GENERATED_MAX 100000000

/*
 * Generates a random problem of `count` buffers, 1 .. NEAP_GENERATED_MAX.  The same kind, count
 * and seed give the same problem on every machine.  NEAP_ERROR_ARGUMENT: there is no such kind,
 * or the count is out of range.
 */
NEAP_API neap_status neap_problem_generate(const char *kind, size_t count, uint64_t seed,
                                           neap_problem **problem, neap_error *error);

/* ================================================================ relations */

/*
 * Constraints and penalties beyond sizes and lifetimes.  All except penalties are hard: a plan
 * that violates one is unsound.  Members of neap_buffer describe single buffers; relations
 * describe pairs.  Two buffers *conflict* if they are in one pool, are alive together or
 * separated, and neither an exclusion nor a colocation permits them to share bytes.
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

/* Lists the relations, in the order in which they were added. */
NEAP_API bool neap_problem_relation_at(const neap_problem *problem, size_t index,
                                       neap_relation *relation);

/* The number of relations of a kind. */
NEAP_API size_t neap_problem_relation_count(const neap_problem *problem,
                                            neap_relation_kind kind);

/* A pool: a separate arena.  A problem without pools has one arena without a name. */
typedef struct neap_pool {
  const char *name;    /* valid UTF-8, not empty, unique among the pools */
  neap_size capacity;  /* bytes; -1: unlimited */
  neap_size alignment; /* >= 1; every offset in the pool is a multiple of it */
  neap_offset base;    /* the address of offset 0, >= 0 */
  neap_size cost;      /* per byte in it, >= 0; -1: its position in the buffer's list, from 0 */
} neap_pool;

#define NEAP_POOL_INIT \
  { NULL, -1, 1, 0, -1 }

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

/* Bytes that no buffer may use, during a range of time. */
typedef struct neap_reserved {
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
  size_t first,
      second; /* the one with the lower offset, or else the one that begins later, is first */
  neap_offset low, high; /* the bytes [low, high), in their pool */
  neap_range when;       /* the first range of time in which both are alive */
} neap_overlap;

/* Lists the overlaps of a plan; the sum of their bytes is neap_report.overlapped_bytes. */
NEAP_API bool neap_plan_overlap_at(const neap_plan *plan, size_t index, neap_overlap *overlap);

/* The terms that plans minimise, one after another, within the capacities. */
typedef enum neap_term {
  NEAP_TERM_SPILL, /* neap_report.spilled_bytes */
  NEAP_TERM_PEAK,  /* neap_report.peak */
  NEAP_TERM_REUSE, /* neap_report.reuse_cost */
  NEAP_TERM_MOVED  /* neap_report.moved_bytes */
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

/* ================================================================ graphs of operators */

/*
 * Operators in execution order, and the tensors that they read and write.  In the problem that
 * liveness derives from it, each tensor is a buffer.  Operator k runs during [k, k + 1); a tensor
 * is alive from the operator that writes it to the last one that reads it, both included.
 *
 * To build a graph, add its tensors.  Then, for each operator in turn, add the operator, its
 * links and its pairs.  Tensors may also be added later, before the first link to them.
 */
typedef struct neap_graph neap_graph;

typedef enum neap_tensor_kind {
  NEAP_TENSOR_ACTIVATION, /* written by an operator, or an input of the graph */
  NEAP_TENSOR_CONSTANT,   /* weights: not planned */
  NEAP_TENSOR_VARIABLE,   /* keeps its contents between runs: alive throughout */
  NEAP_TENSOR_EXTERNAL    /* stored elsewhere: not planned */
} neap_tensor_kind;

/* A tensor.  Initialise with NEAP_TENSOR_INIT and set the other members. */
typedef struct neap_tensor {
  neap_size bytes;     /* >= 0 */
  neap_size alignment; /* >= 1; the tensor's offset is a multiple of it */
  neap_tensor_kind kind;
  bool is_input, is_output; /* of the graph */
  bool is_kept;             /* alive to the end once it is written */
  bool is_runtime; /* not planned: the runtime allocates it (neap_problem_runtime_tensor_at) */
  bool is_online;  /* planned, but the runtime chooses its offset at start-up */
  bool is_unused;  /* planned, although no operator uses it; see neap_problem_is_unused */
  /* As in neap_buffer, and copied to the tensor's buffer.  They need not agree with `bytes`. */
  const neap_size *shape;
  size_t rank;
  const char *dtype;
} neap_tensor;

#define NEAP_TENSOR_INIT \
  { 0, 1, NEAP_TENSOR_ACTIVATION, false, false, false, false, false, false, NULL, 0, NULL }

/* The role of a tensor in an operator; a temporary is alive while its operator runs. */
typedef enum neap_link { NEAP_LINK_INPUT, NEAP_LINK_OUTPUT, NEAP_LINK_TEMPORARY } neap_link;

/* An output that may use the bytes of an input of the same operator. */
typedef struct neap_in_place {
  size_t input, output; /* positions among the operator's inputs and outputs */
  bool is_view;         /* the output is the input's data with another shape */
} neap_in_place;

/*
 * An output that may overlap an input of the same operator, because the operator reads each
 * byte of the input before it overwrites it.  In an overlap, the output begins at least `bytes`
 * below the input, and no later operator needs the input.
 */
typedef struct neap_allowance {
  size_t input, output; /* positions among the operator's inputs and outputs */
  neap_size bytes;      /* >= 0 */
} neap_allowance;

/* Tensors that share the bytes of other tensors, so that nothing is copied. */
typedef enum neap_alias {
  NEAP_ALIAS_VIEWS = 1,  /* an output that is its input in another shape */
  NEAP_ALIAS_CONCAT = 2, /* an input that is a part of the output, as in a concatenation */
  NEAP_ALIAS_SPLIT = 4   /* an output that is a part of the input, as in a split or a slice */
} neap_alias;

/* A tensor whose bytes are a run of the bytes of another. */
typedef struct neap_part {
  size_t input, output; /* positions among the operator's inputs and outputs */
  neap_size offset;     /* >= 0; of the part in the whole */
  neap_alias alias;     /* CONCAT: the input is the part; SPLIT: the output is */
} neap_part;

/* Creates a graph without tensors and operators; NULL if memory runs out. */
NEAP_API neap_graph *neap_graph_new(void);
NEAP_API void neap_graph_free(neap_graph *graph);

/* Creates a copy; NULL if memory runs out. */
NEAP_API neap_graph *neap_graph_copy(const neap_graph *graph);

/*
 * Adds a tensor; its index is the number of tensors added before it.  Name, shape and type are
 * copied.  NEAP_ERROR_INPUT: the name is empty or not unique, or the bytes, the alignment or the
 * shape are out of range.
 */
NEAP_API neap_status neap_graph_add_tensor(neap_graph *graph, const char *name,
                                           const neap_tensor *tensor, neap_error *error);

/*
 * Adds an operator, which runs after all operators added before it.  `name` is its type, such as
 * "CONV_2D", or ""; it is copied.
 */
NEAP_API neap_status neap_graph_add_operator(neap_graph *graph, const char *name,
                                             neap_error *error);

/*
 * Gives the operator added last a name of its own, beside its type: "block1/conv", for
 * example.  It is copied, and stays with the operator when operators are reordered; "" or NULL
 * removes it.  NEAP_ERROR_ARGUMENT: there is no operator.  NEAP_ERROR_INPUT: the label is not
 * valid UTF-8.
 */
NEAP_API neap_status neap_graph_label_operator(neap_graph *graph, const char *label,
                                               neap_error *error);

/*
 * Removes the operator added last, with its links, pairs, allowances and parts, for example
 * because one of them could not be added.  Does nothing without operators.  Use it only while
 * building.
 */
NEAP_API void neap_graph_remove_operator(neap_graph *graph);

/*
 * Links a tensor, by its index, to the operator added last.  Add all links of one role together.
 * NEAP_ERROR_ARGUMENT: there is no operator or no such tensor, or the roles are mixed.
 */
NEAP_API neap_status neap_graph_add_link(neap_graph *graph, neap_link link, size_t tensor,
                                         neap_error *error);

/*
 * Allows an output of the operator added last to use the bytes of one of its inputs.
 * NEAP_ERROR_ARGUMENT: there is no operator.  NEAP_ERROR_INPUT: the operator has no such input or
 * output.
 */
NEAP_API neap_status neap_graph_add_pair(neap_graph *graph, const neap_in_place *pair,
                                         neap_error *error);

/*
 * Allows an output of the operator added last to overlap one of its inputs
 * (neap_liveness.overlap).  The errors are those of neap_graph_add_pair; also NEAP_ERROR_INPUT:
 * the bytes are negative.
 */
NEAP_API neap_status neap_graph_add_allowance(neap_graph *graph,
                                              const neap_allowance *allowance,
                                              neap_error *error);

/*
 * States that an input of the operator added last is a part of an output, or the reverse
 * (neap_liveness.aliases).  The errors are those of neap_graph_add_pair; also NEAP_ERROR_INPUT:
 * the part is not inside the whole.
 */
NEAP_API neap_status neap_graph_add_part(neap_graph *graph, const neap_part *part,
                                         neap_error *error);

NEAP_API size_t neap_graph_tensor_count(const neap_graph *graph);
NEAP_API size_t neap_graph_operator_count(const neap_graph *graph);

/*
 * The number of operators of a graph that are not operators of the model that it was read from:
 * they enter, leave or repeat a called subgraph.
 */
NEAP_API size_t neap_graph_step_count(const neap_graph *graph);

/*
 * The number of the model's operators that keep their order: operators that call subgraphs,
 * across which no other operator may move; operators in subgraphs with several callers; and
 * operators that use tensors outside the graph, such as a variable's handle.
 */
NEAP_API size_t neap_graph_kept_count(const neap_graph *graph);

/* The type of an operator, such as "CONV_2D", or "", by its index in execution order. */
NEAP_API const char *neap_graph_operator_name(const neap_graph *graph, size_t index);

/* The name that neap_graph_label_operator gave an operator; NULL if it has none. */
NEAP_API const char *neap_graph_operator_label(const neap_graph *graph, size_t index);

/* A published network whose graph can be generated. */
typedef struct neap_network_info {
  const char *name;
  const char *summary;
  bool is_random; /* it depends on the seed */
} neap_network_info;

/* Lists the networks, in a fixed order. */
NEAP_API bool neap_network_at(size_t index, neap_network_info *info);

/*
 * Generates the graph of a network, with batch 1 and float32 tensors.  Element-wise operators have
 * pairs, concatenations have parts.  The same name and seed give the same graph on every machine.
 * NEAP_ERROR_ARGUMENT: there is no such network.
 */
NEAP_API neap_status neap_graph_generate(const char *name, uint64_t seed, neap_graph **graph,
                                         neap_error *error);

/* Which tensors are planned, and when they are alive.  Zeroes are the defaults. */
typedef struct neap_liveness {
  bool in_place;    /* outputs use the bytes of inputs where the operator allows it */
  bool overlap;     /* outputs overlap inputs as far as allowances permit */
  unsigned aliases; /* a sum of neap_alias: how tensors share bytes instead of being copied */
  bool keep_all;    /* every tensor is alive to the end */
  bool no_inputs;   /* do not plan the graph's inputs, because they are stored elsewhere */
  bool no_outputs;  /* do not plan the graph's outputs, because they are stored elsewhere */
  /* List the tensors that the runtime allocates itself: neap_problem_runtime_tensor_at. */
  bool list_runtime;
  const char *const *keep; /* names of tensors that are alive to the end */
  size_t keep_count;
} neap_liveness;

/*
 * Builds a problem from a graph; `options` may be NULL.  The problem has no buffers for
 * constants, tensors stored elsewhere and tensors that nothing writes.  NEAP_ERROR_INPUT: a
 * tensor is read before it is written, or written twice.  NEAP_ERROR_ARGUMENT: there is no tensor
 * of a name in `keep`.  O(tensors + links).
 */
NEAP_API neap_status neap_graph_problem(const neap_graph *graph, const neap_liveness *options,
                                        neap_problem **problem, neap_error *error);

/*
 * Whether buffer `index` is a tensor that nothing uses (neap_tensor.is_unused).  The runtime
 * allocates such tensors nevertheless.  Without a plan, it keeps all of them apart; a plan may
 * let them share bytes.  They are alive after the last operator, several at a time as long as
 * they take no more bytes together than the largest.
 */
NEAP_API bool neap_problem_is_unused(const neap_problem *problem, size_t index);

/* The copies that neap_liveness.aliases makes unnecessary. */
typedef struct neap_aliased {
  size_t operators; /* concatenations, splits and views that copy nothing */
  neap_size bytes;  /* bytes not copied, also by operators that copy other bytes */
} neap_aliased;

/* For a problem built from a graph; zeroes for others. */
NEAP_API void neap_problem_aliased(const neap_problem *problem, neap_aliased *aliased);

/* The tensors of a graph that are never planned. */
typedef struct neap_left_out {
  size_t constants, elsewhere; /* the numbers of constants and of tensors stored elsewhere */
  neap_size constant_bytes;    /* at most NEAP_MAX */
} neap_left_out;

NEAP_API void neap_graph_left_out(const neap_graph *graph, neap_left_out *left_out);

/* How to order the operators. */
typedef enum neap_schedule {
  NEAP_SCHEDULE_KEEP,        /* as they are */
  NEAP_SCHEDULE_DEPTH_FIRST, /* run first the operand that needs the most memory */
  NEAP_SCHEDULE_MIN_PEAK,    /* search for a low bound */
  NEAP_SCHEDULE_OPTIMAL      /* search for the lowest bound, and prove that it is the lowest */
} neap_schedule;

/* A search for an order, while it runs. */
typedef struct neap_order_progress {
  neap_size bound;       /* of the best order so far */
  neap_size lower_bound; /* proven for every order */
  uint64_t ticks;        /* units of work: sets of operators visited, or those of planning */
  double seconds;
  neap_size peak; /* the lowest while layouts are compared, otherwise NEAP_UNPLACED */
} neap_order_progress;

/* Returns false to stop the search; the best order so far is then used. */
typedef bool neap_order_function(const neap_order_progress *progress, void *user);

/* How to order the operators.  Zeroes are the defaults. */
typedef struct neap_scheduling {
  neap_schedule schedule;
  /* For NEAP_SCHEDULE_OPTIMAL; the others do a fixed amount of work at most. */
  double time_limit;             /* seconds; 0: 5 s, or no limit if max_ticks is set */
  uint64_t max_ticks;            /* 0: no limit */
  neap_size memory_limit;        /* bytes for the sets that it remembers; 0: 1 GiB */
  neap_order_function *progress; /* called several times a second, with `user`; NULL: none */
  void *user;
} neap_scheduling;

/*
 * Reorders the operators.  Each operator still runs after the operators that it depends on;
 * operators that access the same variable, and operators without outputs, keep their order.
 * `options` may be NULL.  The order changes only if it does not raise the bound of the problem
 * that neap_graph_problem builds with the same `options`.  Deterministic.  The errors are those
 * of neap_graph_problem; also NEAP_ERROR_INPUT: the sizes of all tensors together exceed
 * NEAP_MAX.
 */
NEAP_API neap_status neap_graph_schedule(neap_graph *graph, const neap_scheduling *scheduling,
                                         const neap_liveness *options, neap_error *error);

/*
 * Moves operators to random other places without raising the bound.  A layout may reach the
 * bound in one such order and miss it in another.  Equal seeds give equal orders.  The errors
 * are those of neap_graph_schedule.
 */
NEAP_API neap_status neap_graph_vary(neap_graph *graph, const neap_liveness *options,
                                     uint64_t seed, neap_error *error);

/*
 * Plans the graph's problem for a short time.  If that misses the bound, tries up to 16 such
 * orders and keeps the one with the lowest layout.  Of `scheduling`, uses the limits and the
 * progress function: the search ends with the best order so far when it and neap_graph_schedule
 * have taken time_limit, or when it has taken half of max_ticks, which leaves the other half for
 * the plan.  The errors are those of neap_graph_schedule.
 */
NEAP_API neap_status neap_graph_try_orders(neap_graph *graph, const neap_scheduling *scheduling,
                                           const neap_liveness *options, neap_error *error);

/* The order in which scheduling has put a graph's operators. */
typedef struct neap_operator_order {
  const size_t *given; /* for each operator in the new order: its original index */
  size_t count;
  neap_size given_bound; /* the bound of the original order */
  neap_size lower_bound; /* proven: no order has a lower bound; 0 if nothing is proven */
  uint64_t ticks;        /* work of planning that neap_graph_try_orders has done */
  double seconds;        /* taken to find the order */
} neap_operator_order;

/*
 * For a problem built from a scheduled graph: each operator's original index, in the new order,
 * and their number.  For other problems NULL and 0.
 */
NEAP_API const size_t *neap_problem_schedule(const neap_problem *problem, size_t *count);

/*
 * The runtime that a problem was read for (see neap-io.h), such as "tflm"; NULL if there is
 * none.
 */
NEAP_API const char *neap_problem_target(const neap_problem *problem);

/*
 * Lists the operators of a TensorFlow Lite model that may request scratch buffers of unknown
 * sizes, such as "3 (SVDF)" or "1:0 (MEAN)" in subgraph 1; NULL past the last.  The problem has
 * no buffers for them, so the arena will be larger than a plan's peak.  The list is empty if
 * the problem was read with neap_reading.scratch.
 */
NEAP_API const char *neap_problem_unknown_scratch(const neap_problem *problem, size_t index);

/*
 * An operator of a problem: operator k runs during [k, k + 1).  Planning ignores operators;
 * they serve output files and pictures.
 */
typedef struct neap_operator_info {
  const char *type; /* such as "CONV_2D", or "" */
  const char *name; /* its own name in the model; NULL: it has none */
  /*
   * Indices of the buffers that hold its inputs, and of those that hold its outputs and
   * temporaries; each once.  An in-place output is in a buffer that the operator also reads.
   * Tensors that are not planned are omitted.
   */
  const size_t *reads;
  size_t read_count;
  const size_t *makes;
  size_t make_count;
} neap_operator_info;

/*
 * The number of operators.  For a problem built from a graph, these are the graph's operators
 * in execution order; if the graph's inputs exist for a moment before the first operator, an
 * operator without type and buffers comes first.  Otherwise, these are the operators of the
 * file that the problem was read from, or those added.  neap_problem_retime drops operators,
 * because it changes the moments at which they run.
 */
NEAP_API size_t neap_problem_operator_count(const neap_problem *problem);

/* Fills *info and returns true; false past the last.  Valid until the problem changes. */
NEAP_API bool neap_problem_operator_info(const neap_problem *problem, size_t index,
                                         neap_operator_info *info);

/*
 * Adds a copy of an operator, which runs after all operators added before it; add the buffers
 * first.  Raises the horizon to the number of operators if it was lower.  NEAP_ERROR_INPUT: a
 * buffer does not exist or is twice in a list, or a text is not valid UTF-8.
 */
NEAP_API neap_status neap_problem_add_operator(neap_problem *problem,
                                               const neap_operator_info *info,
                                               neap_error *error);

/*
 * The type of the operator that runs at a moment, such as "CONV_2D"; "" if it has none, or no
 * operator runs then.
 */
NEAP_API const char *neap_problem_operator_at(const neap_problem *problem, neap_time moment);

/* For a problem built from a scheduled graph: fills *order and returns true. */
NEAP_API bool neap_problem_order(const neap_problem *problem, neap_operator_order *order);

/* Records the order of the operators that a problem was built from.  Copies it, with `given`. */
NEAP_API neap_status neap_problem_set_schedule(neap_problem *problem,
                                               const neap_operator_order *order,
                                               neap_error *error);

/*
 * The graph that a problem was read from, after scheduling; NULL if it was not read from a graph.
 */
NEAP_API const neap_graph *neap_problem_graph(const neap_problem *problem);

/*
 * A tensor that the runtime allocates itself, as TensorFlow Lite Micro does with variables and with
 * the scratch buffers of operators.
 */
typedef struct neap_runtime_tensor {
  const char *name;
  neap_size size;
  bool is_buffer; /* the problem has a buffer of this name, so plans count its bytes */
} neap_runtime_tensor;

/*
 * Lists the tensors that the runtime allocates, if neap_liveness.list_runtime is set or the input
 * lists them.  Some are buffers of the problem; a plan gives them the offsets that TensorFlow Lite
 * Micro will choose: the largest first, each at the lowest free offset between the other buffers.
 */
NEAP_API bool neap_problem_runtime_tensor_at(const neap_problem *problem, size_t index,
                                             neap_runtime_tensor *tensor);

/*
 * Adds a tensor of `size` bytes (>= 0) that the runtime allocates; the name is copied.
 * NEAP_ERROR_INPUT: the name is empty or already in the list, or the size is negative.
 */
NEAP_API neap_status neap_problem_add_runtime_tensor(neap_problem *problem, const char *name,
                                                     neap_size size, neap_error *error);

/* ================================================================ options and engines */

/* Creates options with default values; NULL if memory runs out. */
NEAP_API neap_options *neap_options_new(void);
NEAP_API void neap_options_free(neap_options *options);

/*
 * Sets an option by its name without dashes, such as "max-rounds", to a value as text, such as
 * "10", without spaces around it.  NEAP_ERROR_ARGUMENT: there is no such option, or it does not
 * accept the value; the error's source is the option's name.
 */
NEAP_API neap_status neap_options_set(neap_options *options, const char *name,
                                      const char *value, neap_error *error);

/*
 * Sets *number to the value of a numeric option: a number of bytes, a count, or seconds or a
 * ratio in millionths.  An option without value and default is 0, or -1 for capacity.  False if
 * there is no such option, or it is not a number.
 */
NEAP_API bool neap_options_number(const neap_options *options, const char *name,
                                  int64_t *number);

typedef enum neap_option_kind {
  NEAP_OPTION_INTEGER, /* low .. high */
  NEAP_OPTION_BYTES,   /* low .. high, in any form that neap_size_read accepts */
  NEAP_OPTION_SECONDS, /* a decimal number with up to six places, low .. high */
  NEAP_OPTION_RATIO,   /* a decimal number with up to six places, low .. high */
  NEAP_OPTION_CHOICE,  /* a name from `choices` */
  NEAP_OPTION_LIST,    /* comma-separated names from `choices` */
  NEAP_OPTION_ORDER,   /* an order such as "size" or "overlap,-size*duration" */
  NEAP_OPTION_SWITCH   /* "yes" or "no"; on the command line, no value means "yes" */
} neap_option_kind;

#define NEAP_CHOICES_MAX 64

/* Describes an option. */
typedef struct neap_option_info {
  const char *name;
  neap_option_kind kind;
  const char *argument; /* the placeholder of the value in help, such as "N"; NULL: a switch */
  const char *initial;  /* the default as text; "": not set */
  int64_t low, high;    /* the range of a number */
  const char *help;
  const char *heading; /* what help lists it under, such as "Limits" */
  bool is_advanced;    /* for research: only --help-all shows it */
  size_t choice_count; /* how many of the following are set */
  const char *choices[NEAP_CHOICES_MAX];
  const char *summaries[NEAP_CHOICES_MAX];
} neap_option_info;

/* Lists the options, sorted by name. */
NEAP_API bool neap_option_at(size_t index, neap_option_info *info);

/* A value of option "engine". */
typedef struct neap_engine_info {
  const char *name;
  const char *summary;
  bool is_runtime; /* the planner of an inference runtime, for comparison: it does not search */
} neap_engine_info;

/* Lists the engines, in a fixed order. */
NEAP_API bool neap_engine_at(size_t index, neap_engine_info *info);

/* ================================================================ planning in steps */

typedef struct neap_planner neap_planner;

/* The risk of a buffer in a layout: the highest class that applies. */
typedef enum neap_risk {
  NEAP_RISK_NONE,
  NEAP_RISK_LOW,    /* it is alive together with a buffer of medium or high risk */
  NEAP_RISK_MEDIUM, /* it, or a buffer alive together with it, ends exactly at the bound */
  NEAP_RISK_HIGH    /* it, or a buffer alive together with it, ends above the bound */
} neap_risk;
#define NEAP_RISK_COUNT 4

/* How the search for a lower layout of a group ended. */
typedef enum neap_move_outcome {
  NEAP_MOVE_LOWERED, /* all members now end at or below the target */
  NEAP_MOVE_REFUTED, /* proven impossible while all other buffers stay where they are */
  NEAP_MOVE_OPEN     /* neither found nor refuted within the limits of the search */
} neap_move_outcome;

#define NEAP_NO_BUFFER SIZE_MAX

/*
 * A group of buffers that was taken out of the layout and, if a lower layout was found for it, put
 * back there.
 */
typedef struct neap_move {
  size_t blamed;    /* the buffer that the group grew from; NEAP_NO_BUFFER: all buffers */
  neap_size top;    /* the highest end of a member before the search */
  neap_size target; /* the search looked for a layout with no member ending above this */
  neap_move_outcome outcome;
  size_t member_count;
  const uint32_t *members;    /* ascending, or NULL; see neap_round */
  const neap_offset *offsets; /* if lowered, the new offsets of the members; otherwise NULL */
} neap_move;

/* One round: a layout of all buffers. */
typedef struct neap_round {
  uint64_t round; /* from 1 */
  neap_size peak;
  /*
   * The part of the layout above neap_bound.lower_bound: the sum, over all buffers, of the
   * bytes above it times the time that the buffer is alive (NEAP_MAX if that is larger); and
   * the number of buffers that end above it.
   */
  int64_t excess_area;
  size_t excess_count;
  size_t risk[NEAP_RISK_COUNT]; /* the number of buffers in each risk class */
  size_t high_groups;           /* the number of groups of this risk tuned in this round */
  size_t medium_groups;
  uint64_t group_rounds;      /* the number of placements of groups in this round */
  bool improved;              /* the peak is lower than in every earlier round */
  const neap_offset *offsets; /* of all buffers; NULL without option keep-layouts */
  /*
   * With option keep-layouts, the first NEAP_MOVES_MAX groups that --rearrange repack took out,
   * in order.  A group of all buffers is listed only if it was lowered.  Applying these groups
   * to the layout of the previous round gives the layout of this round, except that the tuner
   * may have pushed buffers down afterwards.  The layout of a round without groups may come
   * from a changed order.  For n buffers, a round stores up to 2 n + NEAP_MOVE_MEMBERS members;
   * beyond that, members and offsets are NULL.
   */
  const neap_move *moves;
  size_t move_count;
} neap_round;

#define NEAP_MOVES_MAX 256
#define NEAP_MOVE_MEMBERS 1024

/* The progress of a run. */
typedef struct neap_progress {
  uint64_t ticks;    /* units of work: buffers placed and nodes of the exact search */
  uint64_t rounds;   /* finished layouts */
  uint64_t restarts; /* of the exact search */
  neap_size bound, lower_bound;
  neap_size peak; /* NEAP_UNPLACED before there is a plan */
  double seconds;
} neap_progress;

/* The arguments are valid during the call; `user` is the pointer given with the function. */
typedef void neap_round_function(const neap_round *round, void *user);
typedef void neap_progress_function(const neap_progress *progress, void *user);

/*
 * Creates a planner.  `problem` must outlive the planner and its plans and must not change;
 * `options` are copied, and may be NULL for the defaults.  NEAP_ERROR_INPUT: fixed offsets
 * collide, or the engine does not support the problem.
 */
NEAP_API neap_status neap_planner_new(const neap_problem *problem, const neap_options *options,
                                      neap_planner **planner, neap_error *error);

/*
 * Like neap_planner_new, but the run begins with the search for the order of the problem's
 * operators: limits, progress, report and history include neap_operator_order.ticks and seconds.
 */
NEAP_API neap_status neap_planner_new_ordered(const neap_problem *problem,
                                              const neap_options *options,
                                              neap_planner **planner, neap_error *error);
NEAP_API void neap_planner_free(neap_planner *planner);

/*
 * Set functions for neap_planner_step to call: after every round, and every few thousand ticks.
 * They may call neap_planner_cancel and neap_planner_plan.  NULL: none.
 */
NEAP_API void neap_planner_on_round(neap_planner *planner, neap_round_function *function,
                                    void *user);
NEAP_API void neap_planner_on_progress(neap_planner *planner, neap_progress_function *function,
                                       void *user);

/*
 * Runs the engine for one round; *done becomes true when the run is over.  After an error,
 * every further call returns the same error; the best plan so far remains available.
 */
NEAP_API neap_status neap_planner_step(neap_planner *planner, bool *done, neap_error *error);

/*
 * Creates the best plan so far, verified.  You can call it between steps and from a callback, any
 * number of times.  NEAP_NO_PLAN: there is none yet, or none that fits the capacity.
 * NEAP_INFEASIBLE: it is proven that no plan fits the capacity.  NEAP_ERROR_UNSOUND: a bug in
 * neap.
 */
NEAP_API neap_status neap_planner_plan(const neap_planner *planner, neap_plan **plan,
                                       neap_error *error);

/*
 * Stops the run soon; the best plan so far remains available.  Any thread and any signal handler
 * may call it.
 */
NEAP_API void neap_planner_cancel(neap_planner *planner);

/* ================================================================ plans */

NEAP_API const neap_problem *neap_plan_problem(const neap_plan *plan);

/* The risk class of a buffer. */
NEAP_API neap_risk neap_plan_risk(const neap_plan *plan, size_t index);

/*
 * The index of the shared object that contains a buffer, or NEAP_NO_OBJECT; and the size of an
 * object, or 0.  Buffers in one object are alive at different times; objects are stored end to
 * end.
 */
#define NEAP_NO_OBJECT SIZE_MAX
NEAP_API size_t neap_plan_object(const neap_plan *plan, size_t index);
NEAP_API neap_size neap_plan_object_size(const neap_plan *plan, size_t object);

/* Lists the rounds of the run that made the plan. */
NEAP_API bool neap_plan_round_at(const neap_plan *plan, size_t index, neap_round *round);

/* The state of a run at one moment. */
typedef struct neap_moment {
  double seconds; /* since its start */
  uint64_t ticks, rounds;
  neap_size peak;      /* NEAP_UNPLACED before there was a plan */
  int64_t excess_area; /* the least of all rounds with this peak; 0 before there was a plan */
  neap_size lower_bound;
} neap_moment;

/*
 * Lists the moments of the run that made the plan: the start, every improvement of the peak,
 * the excess area or the lower bound, and the end.  A plan that was read has none.
 */
NEAP_API bool neap_plan_moment_at(const neap_plan *plan, size_t index, neap_moment *moment);

/*
 * Sets the arena's address, so that plans are written with start and end addresses, too.
 * NEAP_ERROR_ARGUMENT: base + peak exceeds UINT64_MAX.
 */
NEAP_API neap_status neap_plan_set_base(neap_plan *plan, uint64_t base, neap_error *error);

/* The arena's address; false if it was not set. */
NEAP_API bool neap_plan_base(const neap_plan *plan, uint64_t *base);

/*
 * Sets the arena's capacity in bytes, or -1 for none: drawings show it as a line, and plans in JSON
 * keep it.  The planner sets it from the option.  NEAP_ERROR_ARGUMENT: it is less than -1.
 */
NEAP_API neap_status neap_plan_set_capacity(neap_plan *plan, neap_size capacity,
                                            neap_error *error);

/*
 * Verifies a plan, independently of the engines: no two buffers that conflict share a byte;
 * offsets respect alignments, fixed offsets and all hard relations, and buffers end at or below
 * `capacity`, unless that is negative.  NEAP_ERROR_UNSOUND: the error names the two buffers
 * that collide, their bytes and times, or any other violation.  O(n log n) time for n ranges of
 * time and relations.
 */
NEAP_API neap_status neap_plan_verify(const neap_plan *plan, neap_size capacity,
                                      neap_error *error);

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
 * free().  O((n + count) log n) time.
 */
NEAP_API neap_status neap_plan_collisions(const neap_plan *plan, size_t limit,
                                          neap_collision **collisions, size_t *count,
                                          uint64_t *total, neap_error *error);

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
  NEAP_CERTIFICATE_LAYOUT, /* a search for a lower layout, in which every state is refuted */
  NEAP_CERTIFICATE_PAIRS   /* contradictory clauses about which of two buffers is below */
} neap_certificate_kind;

/* The name of a kind, as in the text: "load" and so on; never NULL. */
NEAP_API const char *neap_certificate_kind_name(neap_certificate_kind kind);

/* Returns false to stop the search for a proof. */
typedef bool neap_certify_function(void *user);

/* How to certify.  Zeroes are the defaults. */
typedef struct neap_certifying {
  neap_size capacity;  /* without a plan: prove that no plan fits it; -1: that no plan exists */
  uint64_t max_states; /* the limit on states of a search in the text; 0: 100,000 */
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

/*
 * Records why a plan has no certificate, for its report; the text is copied, and truncated if
 * it is long.
 */
NEAP_API void neap_plan_set_uncertified(neap_plan *plan, const char *why);

/* The text, which ends in a line break; valid as long as the certificate. */
NEAP_API const char *neap_certificate_text(const neap_certificate *certificate);

typedef struct neap_certificate_info {
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

/* ================================================================ planners outside this library */

/*
 * Creates a plan from one offset per buffer, without verifying it.  `offsets` is copied;
 * `problem` must outlive the plan.  NEAP_ERROR_ARGUMENT: an offset is negative, or a buffer ends
 * above NEAP_MAX.
 */
NEAP_API neap_status neap_plan_new(const neap_problem *problem, const neap_offset *offsets,
                                   neap_plan **plan, neap_error *error);

/*
 * Sets the pool of each buffer; `pools` is copied.  Peak and bounds are computed again.
 * NEAP_ERROR_ARGUMENT: there is no such pool.
 */
NEAP_API neap_status neap_plan_set_pools(neap_plan *plan, const size_t *pools,
                                         neap_error *error);

/*
 * Turns a plan into one of shared objects: of[i] is the object of buffer i, and sizes[k] the
 * size of object k, for k < count.  Both are copied.  The offset of a buffer is that of its
 * object; the peak is the end of the last object.  NEAP_ERROR_ARGUMENT: there is no such
 * object, or an object ends above NEAP_MAX.
 */
NEAP_API neap_status neap_plan_set_objects(neap_plan *plan, const size_t *of,
                                           const neap_size *sizes, size_t count,
                                           neap_error *error);

/* How a plan was made: facts that cannot be computed from its offsets. */
typedef struct neap_history {
  const char *engine;    /* copied; at most 63 bytes are kept */
  neap_size lower_bound; /* proven; ignored if it is less than neap_bound.lower_bound */
  neap_stop_reason stop_reason;
  uint64_t rounds, seed;
  double seconds;
  const neap_round *round_list; /* copied, with their layouts */
  size_t round_count;
  const neap_moment *moments; /* copied */
  size_t moment_count;
  /* Proven for the other terms of the objective; ignored if less than already known. */
  neap_size reuse_cost_lower_bound, spilled_lower_bound, moved_lower_bound;
} neap_history;

/* Records how a plan was made, for planners and readers outside this library. */
NEAP_API neap_status neap_plan_set_history(neap_plan *plan, const neap_history *history,
                                           neap_error *error);

/* ================================================================ texts */

/* The names in JSON: "optimal", "fixed_point", "none" and so on; never NULL. */
NEAP_API const char *neap_outcome_name(neap_outcome outcome);
NEAP_API const char *neap_stop_reason_name(neap_stop_reason reason);
NEAP_API const char *neap_risk_name(neap_risk risk);
NEAP_API const char *neap_move_outcome_name(neap_move_outcome outcome);

/* The reason in words, such as "bound reached"; never NULL. */
NEAP_API const char *neap_stop_reason_text(neap_stop_reason reason);

/*
 * Parses a number of bytes as the program's options accept it: decimal, hexadecimal with 0x, or
 * decimal with a unit in upper or lower case: B; K, M, G, T, KiB, MiB, GiB or TiB (powers of
 * 1024); kB, MB, GB or TB (powers of 1000).  Returns false and leaves *size unchanged if `text`
 * is none of these or exceeds NEAP_MAX.
 */
NEAP_API bool neap_size_read(const char *text, neap_size *size);

/* The size of a text for the shape and the type of any buffer, with its terminating NUL. */
#define NEAP_SHAPE_TEXT 96

/*
 * Writes what is known of a buffer's shape and type, such as "1x56x56x64 float32", with ? for an
 * unknown dimension and ... for what does not fit; "" if nothing is known.  Returns `text`.
 */
NEAP_API const char *neap_shape_text(const neap_buffer *buffer, char text[NEAP_SHAPE_TEXT]);

/* The size of a text for any gap, with its terminating NUL. */
#define NEAP_GAP_TEXT 24

/*
 * Writes a gap, in percent, the way all of neap shows it: "0 %" if it is 0 or less, then
 * "<0.01 %", "0.37 %", "1,234.50 %" and ">1,000,000 %".  Independent of the locale.  Returns
 * `text`.
 */
NEAP_API const char *neap_gap_text(double gap_percent, char text[NEAP_GAP_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
