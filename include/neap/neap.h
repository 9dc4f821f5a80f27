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
 * examples/embed.c is a whole program; doc/abi.md says what is stable.  This header has what most
 * programs need: problems, plans, options.  Others add to it, and can be read in any order:
 *
 *     neap/relations.h   constraints of pairs of buffers, pools, reserved bytes, the objective
 *     neap/graph.h       graphs of operators, liveness, orders of operators
 *     neap/arena.h       the arena of TensorFlow Lite Micro
 *     neap/planner.h     planning in steps, rounds, plans that other planners made
 *     neap/proof.h       collisions, certificates, explanations
 *     neap/neap-io.h     reads, writes and draws all of these (libneap-io)
 *     neap/models.h      TensorFlow Lite and ONNX models: needs, fits, bands (libneap-models)
 *
 * Conventions
 *   - Sizes and offsets are bytes; times are in any unit the problem uses.  All are 64-bit
 *     integers in 0 .. NEAP_MAX.  Ranges are half-open: [start, end).
 *   - A function that can fail returns a neap_status and, on failure, fills *error.  `error` may
 *     be NULL.  Results are set only on success.  Any call that allocates may return
 *     NEAP_ERROR_MEMORY; comments mention only the other errors.
 *   - The caller owns the objects that `_new`, `_copy`, `_read`, `_generate`,
 *     `neap_graph_to_problem` and `neap_solve` return, and releases them with the matching
 *     `_free`, which accepts NULL.  Pointers obtained from an object are valid as long as the
 *     object exists.
 *   - Indices count from 0.  A function whose name ends in `_at` fills in the item at that
 *     index and returns true, or returns false after the last item.  So a loop over all items
 *     is `for (size_t i = 0; neap_option_at(i, &info); i++)`.  Other functions do not check
 *     their indices.
 *   - A struct whose first member is `struct_size` must have its size there, in the program's
 *     version: initialise it with NEAP_INIT(type), or as its comment says.  The library reads and
 *     fills no more than that; members that an older program lacks take their defaults.  It does
 *     not fill a struct whose struct_size is 0, and refuses to read it.
 *   - The library never prints, exits or aborts on bad input.  It has no global state, so
 *     different threads can use different objects at the same time.
 *   - Its threads block all signals, so those of the program handle them.  After fork, the child
 *     may use all objects except planners with several threads that have begun (option
 *     threads): the child has no copies of their threads, and may not even free them.  If another
 *     thread of the parent was in a call with an object, the child may not use it either.
 *     PNG and PDF load GLib, which does not support fork without exec.
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
#define NEAP_VERSION_MINOR 2
#define NEAP_VERSION_MICRO 0
#define NEAP_VERSION_STRING "0.2.0"
#define NEAP_VERSION_NUMBER \
  (NEAP_VERSION_MAJOR * 10000 + NEAP_VERSION_MINOR * 100 + NEAP_VERSION_MICRO)

#if defined(__GNUC__)
#define NEAP_API __attribute__((visibility("default")))
#else
#define NEAP_API
#endif

/* A struct with its struct_size; the other members are 0. */
#ifdef __cplusplus
extern "C++" template <class Type> inline Type neap_sized() {
  Type value = Type();
  value.struct_size = sizeof value;
  return value;
}
#define NEAP_INIT(type) neap_sized<type>()
#else
#define NEAP_INIT(type) {.struct_size = sizeof(type)}
#endif

/* ================================================================ problem, solve, plan */

typedef int64_t neap_size;   /* bytes */
typedef int64_t neap_offset; /* bytes from the arena's base */
typedef int64_t neap_time;   /* in the problem's unit of time */

#define NEAP_MAX INT64_MAX
#define NEAP_UNPLACED (-1)      /* stands for an offset that is not known or not chosen yet */
#define NEAP_NO_BUFFER SIZE_MAX /* stands for no buffer, where an index is expected */

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

/* Before the first call; already states the failure of a `_new` function, which fills no error. */
#define NEAP_ERROR_INIT {NEAP_ERROR_MEMORY, 0, 0, "", "out of memory"}

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
  size_t struct_size;
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

/* The offset of a buffer, in its pool if there are pools; and the offsets of all buffers. */
NEAP_API neap_offset neap_plan_offset(const neap_plan *plan, size_t index);
NEAP_API const neap_offset *neap_plan_offsets(const neap_plan *plan);

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

/* The quality of a layout; in neap_report.order.outcome, of an order of operators. */
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
  NEAP_STOP_RUNTIME,   /* the engine reached a lower bound, but not with the buffers that the
                              runtime places itself */
  NEAP_STOP_INCOMPLETE /* the engine reached a lower bound, but parts of the model are left out */
} neap_stop_reason;

/* The names in JSON: "optimal", "fixed_point" and so on; never NULL. */
NEAP_API const char *neap_outcome_name(neap_outcome outcome);
NEAP_API const char *neap_stop_reason_name(neap_stop_reason reason);

/* How a plan was made. */
typedef struct neap_run_report {
  const char *engine; /* "" if no engine made the plan */
  neap_stop_reason stop_reason;
  uint64_t rounds, seed;
  double seconds;     /* wall time of planning; 0 for a plan that was read */
  size_t reserved[2]; /* for later members */
} neap_run_report;

/* The order of the operators. */
typedef struct neap_order_report {
  bool is_scheduled;     /* the problem was built from a scheduled graph */
  neap_size given_bound; /* the bound of the original order; without a schedule, the bound */
  neap_size lower_bound; /* proven: no order has a bound below this; 0 if nothing is proven */
  neap_outcome outcome;  /* NEAP_OPTIMAL: the bound equals lower_bound */
  neap_size saved_bytes; /* by the new order: given_bound - bound */
  size_t reserved[2];    /* for later members */
} neap_order_report;

/* What a plan pays, and proven lower bounds within the capacity. */
typedef struct neap_cost_report {
  neap_size overlapped_bytes; /* shared by buffers alive together, as relations permit */
  neap_size reuse, reuse_lower_bound; /* the sum of the penalties */
  /* The sum over all buffers of size times cost of the pool. */
  neap_size spilled_bytes, spilled_lower_bound;
  neap_size moved_bytes,
      moved_lower_bound; /* the sum of the costs of moves from an earlier plan */
  size_t reserved[2];    /* for later members */
} neap_cost_report;

/* Shared objects. */
typedef struct neap_object_report {
  size_t count;       /* 0 in a plan without them */
  neap_size bound;    /* a lower bound on the sum of their sizes; 0 without them */
  size_t reserved[2]; /* for later members */
} neap_object_report;

typedef struct neap_report {
  size_t struct_size;
  size_t buffers;
  neap_size bound;
  neap_size lower_bound; /* the best proven lower bound on the peak */
  neap_size peak;
  double gap_percent; /* 100 * (peak - lower_bound) / lower_bound; 0 if lower_bound is 0 */
  neap_outcome outcome;
  neap_size capacity; /* of the arena; -1 if none is known */
  /*
   * Bytes saved by sharing memory; with order.saved_bytes, the sum of all sizes minus the peak.
   */
  neap_size layout_saved_bytes;
  /*
   * The peak of the layout before the runtime placed its own buffers, at most `peak`.  If it is
   * lower, only a buffer plan reaches it, because that also places these buffers.
   */
  neap_size free_peak;
  /*
   * For a target: the layout that the runtime makes itself has no higher peak, so models get no
   * offsets.
   */
  bool is_runtimes_own;
  /* Why an optimal plan has no certificate; NULL: it has one, or none was requested. */
  const char *uncertified;
  neap_run_report run;
  neap_order_report order;
  neap_cost_report costs;
  neap_object_report objects;
} neap_report;

/*
 * With pools, peak, bound and lower_bound are sums over the pools, given the plan's assignment
 * of buffers to pools; if buffers have a choice, another assignment may have a lower sum.  The
 * status refers to the whole objective: capacities, spilled bytes, peak, reuse cost and moved
 * bytes, in this order unless neap_problem_set_objective changes it.
 */
NEAP_API void neap_plan_report(const neap_plan *plan, neap_report *report);

NEAP_API const neap_problem *neap_plan_problem(const neap_plan *plan);

/*
 * Verifies a plan, independently of the engines: no two buffers that conflict share a byte;
 * offsets respect alignments, fixed offsets and all hard relations, and buffers end at or below
 * `capacity`, unless that is negative.  NEAP_ERROR_UNSOUND: the error names the two buffers
 * that collide, their bytes and times, or any other violation.  O(n log n) time for n ranges of
 * time and relations.
 */
NEAP_API neap_status neap_plan_verify(const neap_plan *plan, neap_size capacity,
                                      neap_error *error);

/* The version of the library at run time, like NEAP_VERSION_STRING and NEAP_VERSION_NUMBER. */
NEAP_API const char *neap_version(void);
NEAP_API int neap_version_number(void);

/* ================================================================ properties of buffers */

typedef struct neap_range {
  neap_time start; /* first moment alive */
  neap_time end;   /* first moment no longer alive; > start */
} neap_range;

/* A buffer to place.  Initialise with NEAP_BUFFER_INIT and set the other members. */
typedef struct neap_buffer {
  size_t struct_size;
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

#define NEAP_BUFFER_INIT                                                                      \
  {sizeof(neap_buffer), NULL, 0,    1, NEAP_UNPLACED, NULL, 0, NULL, 0, NEAP_MAX, 0, NULL, 0, \
   NEAP_UNPLACED,       -1,   NULL, 0, NULL}

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

/*
 * Notes that a part of the model is not in the problem, such as "the body of operator 3, 'Scan'".
 * The memory then needed is at least a plan's peak, and no plan is called optimal.  A note that is
 * there already is not added again.  NEAP_ERROR_ARGUMENT: `part` is NULL or empty.
 */
NEAP_API neap_status neap_problem_add_missing(neap_problem *problem, const char *part,
                                              neap_error *error);

/* Lists the notes on missing parts; NULL after the last.  Valid until the problem is freed. */
NEAP_API const char *neap_problem_missing(const neap_problem *problem, size_t index);

/* Finds the index of a buffer by name; false if there is no such buffer. */
NEAP_API bool neap_problem_find(const neap_problem *problem, const char *name, size_t *index);

/*
 * Raises every buffer's alignment to its smallest multiple that is also a multiple of
 * `alignment` (>= 1), and rounds every size up to a multiple of `unit` (>= 1).
 * NEAP_ERROR_INPUT, with nothing changed: an alignment or the sizes would exceed NEAP_MAX, a
 * fixed offset would not be a multiple of its alignment, or it would contradict a window or a
 * colocation.
 */
NEAP_API neap_status neap_problem_align(neap_problem *problem, neap_size alignment,
                                        neap_size unit, neap_error *error);

/* The smallest and the largest alignment of any buffer; 1 if there are none. */
NEAP_API void neap_problem_alignment(const neap_problem *problem, neap_size *low,
                                     neap_size *high);

/*
 * Checks that no two buffers with fixed offsets collide, and that relations do not contradict
 * each other.  Functions that read or plan problems call it; you need it only to check a
 * problem early if you build it in code.  NEAP_ERROR_INPUT names the buffers or the relations.
 */
NEAP_API neap_status neap_problem_check(const neap_problem *problem, neap_error *error);

/* The largest number of bytes alive at one moment, in all pools together, and when it occurs. */
typedef struct neap_bound {
  size_t struct_size;
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

/* ================================================================ options */

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
  NEAP_OPTION_BYTES,   /* low .. high; also with a unit: 64K, 1MiB, 1MB */
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
  size_t struct_size;
  const char *name;
  neap_option_kind kind;
  const char *argument; /* the placeholder of the value in help, such as "N"; NULL: a switch */
  const char *initial;  /* the default as text; "": not set */
  int64_t low, high;    /* the range of a number */
  const char *help;
  const char *heading; /* the heading of its group in help, such as "Limits" */
  bool is_advanced;    /* for research: only --help-all shows it */
  size_t choice_count; /* how many of the following are set */
  const char *choices[NEAP_CHOICES_MAX];
  const char *summaries[NEAP_CHOICES_MAX];
} neap_option_info;

/* Lists the options, sorted by name. */
NEAP_API bool neap_option_at(size_t index, neap_option_info *info);

#ifdef __cplusplus
}
#endif

#endif
