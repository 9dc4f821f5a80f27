/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * neap: offline memory planning.
 *
 * A *problem* is a set of buffers: each has a size in bytes and is alive during one or more
 * half-open time ranges.  A *plan* gives every buffer an offset in one arena so that no two
 * buffers that are alive together share a byte; its *peak* is the highest end offset.  The
 * *bound* is the largest sum of sizes alive at one moment: no plan's peak is below it.
 *
 * Conventions
 *   - Sizes and offsets are bytes, times are whatever unit the problem uses; all are 64-bit and
 *     lie in 0 .. NEAP_MAX.  Ranges are half-open: [start, end).
 *   - A function that can fail returns a neap_status and fills `error`, which may be NULL.
 *   - Objects made by a `_new`, `_read` or `neap_solve` call belong to the caller, who releases
 *     them with the matching `_free`; every `_free` accepts NULL.  Pointers obtained from an
 *     object live as long as it.
 *   - The library never prints, exits or aborts on bad input, and keeps no global state: different
 *     objects may be used from different threads at once.  (Graphviz' library has some, so that one
 *     DOT file is read or written at a time.)
 */
#ifndef NEAP_NEAP_H
#define NEAP_NEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* The version of the library that runs, as NEAP_VERSION_STRING and NEAP_VERSION_NUMBER. */
NEAP_API const char *neap_version(void);
NEAP_API int neap_version_number(void);

/* ---------------------------------------------------------------- quantities */

typedef int64_t neap_size;   /* bytes */
typedef int64_t neap_offset; /* bytes from the arena's base */
typedef int64_t neap_time;   /* the problem's unit of time */

#define NEAP_MAX INT64_MAX
#define NEAP_UNPLACED (-1) /* the offset of a buffer that has none (yet) */

/* ---------------------------------------------------------------- status and errors */

typedef enum neap_status {
  NEAP_OK = 0,
  NEAP_ERROR_SYSTEM, /* a file cannot be opened, read or written */
  NEAP_ERROR_MEMORY, /* an allocation failed */
  /* an argument or option is out of its range, or the calls are out of order */
  NEAP_ERROR_ARGUMENT,
  NEAP_ERROR_INPUT,  /* a file or a problem is malformed */
  NEAP_ERROR_FORMAT, /* the format asked for cannot say what the object holds */
  NEAP_INFEASIBLE,   /* proven: no plan fits the capacity */
  NEAP_NO_PLAN, /* the budget is spent, or the run was cancelled, before there was a plan */
  NEAP_ERROR_UNSOUND /* a plan failed verification */
} neap_status;

/* One word or two for a status, such as "bad input"; never NULL. */
NEAP_API const char *neap_status_name(neap_status status);

/* What went wrong, and where.  `line` and `column` count from 1; 0 means that there is none. */
typedef struct neap_error {
  neap_status status;
  size_t line;
  size_t column;
  char source[256]; /* the file, or "" */
  char text[512];   /* one line: what was expected, what was found */
} neap_error;

/* ---------------------------------------------------------------- problems */

typedef struct neap_range {
  neap_time start; /* first moment alive */
  neap_time end;   /* first moment no longer alive; > start */
} neap_range;

/* A buffer to be placed.  Start from NEAP_BUFFER_INIT and set what differs. */
typedef struct neap_buffer {
  const char *name;         /* not empty, valid UTF-8 without NUL, unique in its problem */
  neap_size size;           /* 0 .. NEAP_MAX; a buffer of size 0 never collides */
  neap_size alignment;      /* >= 1; the offset is a multiple of it */
  neap_offset fixed_offset; /* the offset it must get, or NEAP_UNPLACED */
  const neap_range
      *ranges; /* ascending, not overlapping, at least one; ranges that touch are joined */
  size_t range_count;
  const char *hint; /* free text carried along, or NULL */
} neap_buffer;

#define NEAP_BUFFER_INIT \
  { NULL, 0, 1, NEAP_UNPLACED, NULL, 0, NULL }

typedef struct neap_problem neap_problem;

/* A problem without buffers; NULL when memory is short. */
NEAP_API neap_problem *neap_problem_new(void);
NEAP_API void neap_problem_free(neap_problem *problem);

/*
 * Copies `buffer` (with its name, ranges and hint) to the end of the problem. NEAP_ERROR_INPUT:
 * a value is out of range, the name is taken, or the sizes, with room for their alignment, no
 * longer add up below NEAP_MAX.  On failure the problem is unchanged.
 */
NEAP_API neap_status neap_problem_add(neap_problem *problem, const neap_buffer *buffer,
                                      neap_error *error);

NEAP_API size_t neap_problem_count(const neap_problem *problem);

/*
 * Describes buffer `index` (< count); the pointers in *buffer belong to the problem and live
 * until it changes.
 */
NEAP_API void neap_problem_get(const neap_problem *problem, size_t index, neap_buffer *buffer);

/* Finds a buffer by name; false when there is none. */
NEAP_API bool neap_problem_find(const neap_problem *problem, const char *name, size_t *index);

/*
 * Makes every buffer's alignment the least that is also a multiple of `alignment` (>= 1).
 * NEAP_ERROR_INPUT, with nothing changed: one then passes NEAP_MAX, or a fixed offset is none of
 * its multiples.
 */
NEAP_API neap_status neap_problem_align(neap_problem *problem, neap_size alignment,
                                        neap_error *error);

/* Forgets all fixed offsets, so that every buffer is planned anew. */
NEAP_API void neap_problem_release_fixed(neap_problem *problem);

/*
 * Checks what can only be said of the whole: that no two buffers with fixed offsets collide.
 * neap_problem_read has done so; neap_solve and neap_planner_new do it for problems made in
 * code.
 */
NEAP_API neap_status neap_problem_check(const neap_problem *problem, neap_error *error);

/*
 * Gives the times of a problem new values that keep which buffers live together: every
 * allocation and every release becomes one step, releases before allocations where they fell on
 * one moment.  This is the form that a memory-operation sequence can say; as there, buffers
 * come in order of allocation.  NEAP_ERROR_FORMAT when a buffer has several ranges.
 */
NEAP_API neap_status neap_problem_retime(const neap_problem *problem, neap_problem **retimed,
                                         neap_error *error);

/* The largest sum of sizes alive at one moment, and where it is attained. */
typedef struct neap_bound {
  neap_size bytes; /* the bound */
  neap_size
      lower_bound; /* >= bytes: the best lower bound on any plan's peak known without search
                            (it also counts fixed offsets and padding that all alignments force) */
  neap_time start,
      end; /* the first range of time in which `bytes` are alive; 0, 0 for an empty problem */
  size_t range_count; /* in how many separate ranges of time they are */
} neap_bound;

/* O(n log n) time, O(n) memory. */
NEAP_API neap_status neap_problem_bound(const neap_problem *problem, neap_bound *bound,
                                        neap_error *error);

/*
 * What the bound would be without one buffer, for each of the `count` buffers at `indices`: how far
 * it falls when that one shrinks.  O(n log n + count * n) time.
 */
NEAP_API neap_status neap_problem_bounds_without(const neap_problem *problem,
                                                 const size_t *indices, size_t count,
                                                 neap_size *bounds, neap_error *error);

/* Memory operations of a serialised model; their order is the order of execution. */
typedef struct neap_operation {
  const char *name;
  bool is_alloc;       /* otherwise it frees */
  neap_size size;      /* of an allocation */
  neap_size alignment; /* of an allocation; >= 1 */
} neap_operation;

/*
 * Converts operations to buffers in order of allocation: one allocated by operation t and freed
 * by operation u lives in [t, u); one never freed lives to the end of the sequence.  The first
 * buffer of a name keeps it; the name used again after its free gives name#1, name#2, ...
 * NEAP_ERROR_INPUT, with error->line = index of the offending operation + 1: a free without an
 * allocation, or an allocation of a live name.
 */
NEAP_API neap_status neap_problem_from_operations(const neap_operation *operations,
                                                  size_t count, neap_problem **problem,
                                                  neap_error *error);

/*
 * Total time: the number of operations it was made from, otherwise the largest end (0 when
 * empty).
 */
NEAP_API neap_time neap_problem_horizon(const neap_problem *problem);

/* ---------------------------------------------------------------- graphs */

/*
 * Operators in the order of execution, and the tensors that they read and make.  Liveness makes a
 * problem of it: a tensor is a buffer that lives from the operator that makes it up to and with
 * the last that reads it, operator k working at time k.
 */
typedef struct neap_graph neap_graph;

/* What lives how long; begin with zeroes, which are the defaults. */
typedef struct neap_liveness {
  bool in_place;           /* outputs take the bytes of inputs where the operator allows it */
  bool keep_all;           /* every tensor lives to the end */
  bool no_inputs;          /* the graph's inputs lie elsewhere, and are not planned */
  bool no_outputs;         /* the same of its outputs */
  const char *const *keep; /* names of tensors that live to the end */
  size_t keep_count;
} neap_liveness;

NEAP_API void neap_graph_free(neap_graph *graph);

/* Orders of execution. */
typedef enum neap_schedule {
  NEAP_SCHEDULE_KEEP, /* the graph's own */
  NEAP_SCHEDULE_DEPTH_FIRST,
  NEAP_SCHEDULE_MIN_PEAK /* the lowest bound that a bounded search finds */
} neap_schedule;

/*
 * Puts the operators into another order that keeps every dependence.  The bound of the problem
 * that neap_graph_problem makes of it with the same `options`, which may be NULL, is never above
 * the one before: the order then stays.  Operators that share a variable, or that have no
 * outputs, keep their order among themselves.  The same graph and options give the same order.
 */
NEAP_API neap_status neap_graph_schedule(neap_graph *graph, neap_schedule schedule,
                                         const neap_liveness *options, neap_error *error);

/* The same graph once more; NULL when memory is short. */
NEAP_API neap_graph *neap_graph_copy(const neap_graph *graph);

NEAP_API size_t neap_graph_tensor_count(const neap_graph *graph);
NEAP_API size_t neap_graph_operator_count(const neap_graph *graph);

/* What an operator does, such as "CONV_2D", or ""; index < count, in the order of execution. */
NEAP_API const char *neap_graph_operator_name(const neap_graph *graph, size_t index);

/* What of a graph's tensors is never planned. */
typedef struct neap_left_out {
  size_t constants, elsewhere; /* weights and the like; what lies elsewhere */
  neap_size constant_bytes;    /* NEAP_MAX where they are more */
} neap_left_out;

NEAP_API void neap_graph_left_out(const neap_graph *graph, neap_left_out *left_out);

/*
 * Makes a problem of a graph; `options` may be NULL.  Constants and what lies elsewhere are left
 * out, as is what nothing makes.  NEAP_ERROR_INPUT: a tensor is read before it is made, or made
 * twice; NEAP_ERROR_ARGUMENT: there is no tensor of a name in `keep`.  O(tensors + links).
 */
NEAP_API neap_status neap_graph_problem(const neap_graph *graph, const neap_liveness *options,
                                        neap_problem **problem, neap_error *error);

/*
 * The graph that a problem was read as, as it was then; NULL of other problems, such as one that was
 * read as buffers.
 */
NEAP_API const neap_graph *neap_problem_graph(const neap_problem *problem);

/*
 * Of a problem that was made of a graph with a schedule: where each operator, in the order in which
 * they now work, was in the graph.  NULL, and 0, of all other problems.
 */
NEAP_API const size_t *neap_problem_schedule(const neap_problem *problem, size_t *count);

/* ---------------------------------------------------------------- formats */

typedef enum neap_format {
  NEAP_FORMAT_AUTO =
      0, /* by the file's ending; on reading, then by its content; CSV on standard output */
  NEAP_FORMAT_CSV,    /* .csv: one buffer a row, columns by name */
  NEAP_FORMAT_OPS,    /* .ops: memory operations as CSV */
  NEAP_FORMAT_JSON,   /* .json: problem, plan or graph, documented in neap(1) */
  NEAP_FORMAT_TABLE,  /* .txt: a table for people; plans only, cannot be read */
  NEAP_FORMAT_TFLITE, /* .tflite: a TensorFlow Lite model; neap_plan_write_tflite writes plans */
  NEAP_FORMAT_DOT, /* .dot, .gv: a graph of operators; buffers written as a graph of conflicts */
  NEAP_FORMAT_ONNX, /* .onnx: an ONNX model */
  NEAP_FORMAT_HTML  /* .html: a page that shows a plan; neap_plan_draw_html writes it */
} neap_format;

typedef struct neap_format_info {
  neap_format format;
  const char *name;      /* "csv" */
  const char *extension; /* ".csv" */
  const char *summary;
  bool reads, writes_problems, writes_plans;
} neap_format_info;

/* The formats in a fixed order; NULL past the last. */
NEAP_API const neap_format_info *neap_format_at(size_t index);

/*
 * Reads a problem.  `path` "-" is standard input.  A plan in JSON gives its problem.
 * NEAP_ERROR_SYSTEM, NEAP_ERROR_MEMORY, NEAP_ERROR_INPUT.
 */
NEAP_API neap_status neap_problem_read(const char *path, neap_format format,
                                       neap_problem **problem, neap_error *error);

/* What a free dimension of a model's shapes is taken for. */
typedef struct neap_dimension {
  const char *name;
  neap_size value; /* >= 1 */
} neap_dimension;

/* How a problem is read; begin with zeroes, which are the defaults. */
typedef struct neap_reading {
  bool replan;            /* pass over all offsets: every buffer is to be planned anew */
  neap_liveness liveness; /* of graphs */
  const neap_dimension *dimensions; /* of models whose shapes leave some open */
  size_t dimension_count;
  neap_schedule schedule; /* of graphs */
  const char *dot_size;   /* the attribute of a DOT file that says sizes; NULL: see neap(1) */
  const char *dot_order; /* the attribute of its nodes that says the order; NULL: topological */
} neap_reading;

/* The same as asked for; `reading` may be NULL.  A graph gives its problem. */
NEAP_API neap_status neap_problem_read_as(const char *path, neap_format format,
                                          const neap_reading *reading, neap_problem **problem,
                                          neap_error *error);

/*
 * Reads a graph of operators: from JSON, as documented in neap(1), a model, or DOT; `reading` may
 * be NULL.  Its liveness and its schedule are for problems, and passed over.
 */
NEAP_API neap_status neap_graph_read(const char *path, neap_format format,
                                     const neap_reading *reading, neap_graph **graph,
                                     neap_error *error);

/* The same, passing over all offsets in the file: every buffer is to be planned anew. */
NEAP_API neap_status neap_problem_read_unfixed(const char *path, neap_format format,
                                               neap_problem **problem, neap_error *error);

/*
 * Writes a problem; `path` "-" is standard output.  A regular file is replaced only once all of
 * it is written.  NEAP_ERROR_FORMAT, naming what would be lost, when the format cannot say all
 * that the problem holds.
 */
NEAP_API neap_status neap_problem_write(const neap_problem *problem, const char *path,
                                        neap_format format, neap_error *error);

/* ---------------------------------------------------------------- options */

typedef struct neap_options neap_options;

/* All defaults; NULL when memory is short. */
NEAP_API neap_options *neap_options_new(void);
NEAP_API void neap_options_free(neap_options *options);

/*
 * Sets an option by its name, without dashes ("max-rounds"), from text ("10").
 * NEAP_ERROR_ARGUMENT names the option, what it takes and what was given.  Spaces around the
 * value are not skipped.
 */
NEAP_API neap_status neap_options_set(neap_options *options, const char *name,
                                      const char *value, neap_error *error);

typedef enum neap_option_kind {
  NEAP_OPTION_INTEGER, /* low .. high */
  NEAP_OPTION_BYTES,   /* low .. high, with K, M, G or KiB, MiB, GiB behind it if one likes */
  NEAP_OPTION_SECONDS, /* a decimal fraction, low .. high, to a millionth */
  NEAP_OPTION_RATIO,   /* the same */
  NEAP_OPTION_CHOICE,  /* a name from `choices` */
  NEAP_OPTION_ORDER,   /* an order such as "size" or "overlap,-size*duration" */
  NEAP_OPTION_SWITCH   /* "yes" or "no"; on the command line the option's name alone is "yes" */
} neap_option_kind;

#define NEAP_CHOICES_MAX 64

/* What the program's help, its manual and fuzzers are made from. */
typedef struct neap_option_info {
  const char *name;
  neap_option_kind kind;
  const char *argument; /* what stands for the value in help, such as "N"; NULL of a switch */
  const char *initial;  /* the default, as text; "" is: not set */
  int64_t low, high;    /* of numbers */
  const char *help;
  bool is_advanced;    /* for research: left out of help unless all is asked for */
  size_t choice_count; /* of choices: ... */
  const char *choices[NEAP_CHOICES_MAX];   /* their names */
  const char *summaries[NEAP_CHOICES_MAX]; /* and what each is */
} neap_option_info;

/* The options, sorted by name; false past the last. */
NEAP_API bool neap_option_at(size_t index, neap_option_info *info);

/* ---------------------------------------------------------------- generating */

/* A kind of problem that can be made. */
typedef struct neap_kind_info {
  const char *name;
  const char *summary;
} neap_kind_info;

/* The kinds; false past the last. */
NEAP_API bool neap_kind_at(size_t index, neap_kind_info *info);

#define NEAP_GENERATED_MAX 100000000

/*
 * Makes a problem of `count` buffers, 1 .. NEAP_GENERATED_MAX; the same kind, count and seed give
 * the same problem everywhere.  The caller frees it.  NEAP_ERROR_ARGUMENT: there is no such kind,
 * or the count is out of range.
 */
NEAP_API neap_status neap_problem_generate(const char *kind, size_t count, uint64_t seed,
                                           neap_problem **problem, neap_error *error);

/* ---------------------------------------------------------------- plans */

typedef enum neap_outcome {
  NEAP_OPTIMAL,  /* the peak equals a proven lower bound */
  NEAP_FEASIBLE, /* sound; whether a lower peak exists is not known */
} neap_outcome;

typedef enum neap_stop_reason {
  NEAP_STOP_BOUND,         /* the bound is reached */
  NEAP_STOP_PROVEN,        /* a lower bound above the bound is reached */
  NEAP_STOP_FIXED_POINT,   /* an earlier order came up again */
  NEAP_STOP_ITERATION_CAP, /* the cap on rounds is met */
  NEAP_STOP_TIME_LIMIT,
  NEAP_STOP_TICK_LIMIT,
  NEAP_STOP_CANCELLED,
  NEAP_STOP_CAPACITY, /* the plan fits the capacity, as was asked */
  NEAP_STOP_COMPLETE  /* the engine does one thing, and has done it */
} neap_stop_reason;

/* "optimal", "fixed_point" and so on, as in JSON. */
NEAP_API const char *neap_outcome_name(neap_outcome outcome);
NEAP_API const char *neap_stop_reason_name(neap_stop_reason reason);

/*
 * How risky a buffer is, given where it lies: whether it, or one alive with it, ends above or
 * at the bound.
 */
typedef enum neap_risk {
  NEAP_RISK_NONE,
  NEAP_RISK_LOW,
  NEAP_RISK_MEDIUM,
  NEAP_RISK_HIGH
} neap_risk;
#define NEAP_RISK_COUNT 4

NEAP_API const char *neap_risk_name(neap_risk risk);

/* One round of the tuner: one layout of all buffers. */
typedef struct neap_round {
  uint64_t round; /* from 1, the sorted layout */
  neap_size peak;
  size_t risk[NEAP_RISK_COUNT]; /* how many buffers of each risk class its layout has */
  size_t high_groups;           /* groups tuned to make this round's order */
  size_t medium_groups;
  uint64_t group_rounds; /* placements of groups tried in that */
  bool improved;         /* lower than every earlier round */
  /* Of every buffer, where the option keep-layouts asked for them; otherwise NULL. */
  const neap_offset *offsets;
} neap_round;

typedef struct neap_report {
  size_t buffers;
  neap_size bound;
  neap_size lower_bound; /* best proven */
  neap_size peak;
  double gap_percent; /* 100 * (peak - lower_bound) / lower_bound; 0 when both are 0 */
  neap_outcome outcome;
  neap_stop_reason stop_reason;
  const char *engine; /* "" when the plan was not made by an engine */
  uint64_t rounds;
  double seconds; /* wall time spent planning; 0 for a plan that was read */
  uint64_t seed;
  size_t objects;         /* of a plan of shared objects; 0 of other plans */
  neap_size object_bound; /* no shared objects are smaller together; 0 of other plans */
  neap_size given_bound;  /* before a schedule changed the order; otherwise the same as bound */
} neap_report;

typedef struct neap_plan neap_plan;

/*
 * A plan of `problem` from one offset per buffer, made elsewhere; it is not verified.
 * `problem` must outlive the plan.  NEAP_ERROR_ARGUMENT when an offset is negative or an end
 * offset passes NEAP_MAX.
 */
NEAP_API neap_status neap_plan_new(const neap_problem *problem, const neap_offset *offsets,
                                   neap_plan **plan, neap_error *error);
NEAP_API void neap_plan_free(neap_plan *plan);

NEAP_API const neap_problem *neap_plan_problem(const neap_plan *plan);
NEAP_API neap_offset neap_plan_offset(const neap_plan *plan, size_t index);
NEAP_API neap_risk neap_plan_risk(const neap_plan *plan, size_t index);

/*
 * The shared object that a buffer lies in, and how large that object is: buffers use it one after
 * another, and objects lie end to end.  NEAP_NO_OBJECT, and 0, in plans without objects.
 */
#define NEAP_NO_OBJECT SIZE_MAX
NEAP_API size_t neap_plan_object(const neap_plan *plan, size_t index);
NEAP_API neap_size neap_plan_object_size(const neap_plan *plan, size_t object);
NEAP_API void neap_plan_report(const neap_plan *plan, neap_report *report);

/* The tuner's rounds; NULL past the last. */
NEAP_API const neap_round *neap_plan_round(const neap_plan *plan, size_t index);

/* How far the run that made a plan was at one moment. */
typedef struct neap_moment {
  double seconds;
  uint64_t ticks, rounds;
  neap_size peak; /* NEAP_UNPLACED before there was a plan */
  neap_size lower_bound;
} neap_moment;

/*
 * The course of the run that made the plan: its beginning, every moment at which the peak or the
 * lower bound had improved, and its end.  False past the last; a plan that was read has none.
 */
NEAP_API bool neap_plan_moment(const neap_plan *plan, size_t index, neap_moment *moment);

/*
 * The arena's address.  Exports then say start and end addresses beside the offsets.
 * NEAP_ERROR_ARGUMENT when base + peak passes UINT64_MAX.
 */
NEAP_API neap_status neap_plan_set_base(neap_plan *plan, uint64_t base, neap_error *error);
NEAP_API bool neap_plan_base(const neap_plan *plan, uint64_t *base);

/*
 * Verifies a plan, independently of every engine: no two buffers alive together share a byte,
 * and every alignment, fixed offset and, where capacity >= 0, the capacity is kept.
 * NEAP_ERROR_UNSOUND says which two buffers collide, in which bytes and when, or what else is
 * broken.  O(n log n).
 */
NEAP_API neap_status neap_plan_verify(const neap_plan *plan, neap_size capacity,
                                      neap_error *error);

/* Two buffers that share bytes while both are alive; first < second. */
typedef struct neap_collision {
  size_t first, second;
  neap_range when;       /* the first range of time in which both live */
  neap_offset low, high; /* the bytes shared: [low, high) */
} neap_collision;

/*
 * Lists collisions, at most `limit`, by `first`, then `second`; each pair once.  *collisions is
 * to be released with free().  Takes time in proportion to the pairs that share bytes or time:
 * meant for plans known to be unsound.
 */
NEAP_API neap_status neap_plan_collisions(const neap_plan *plan, size_t limit,
                                          neap_collision **collisions, size_t *count,
                                          neap_error *error);

/*
 * Reads a plan: a plan in JSON, or CSV in which every buffer has an offset.  The plan owns its
 * problem.  Not verified.
 */
NEAP_API neap_status neap_plan_read(const char *path, neap_format format, neap_plan **plan,
                                    neap_error *error);

/* Writes a plan; as neap_problem_write. */
NEAP_API neap_status neap_plan_write(const neap_plan *plan, const char *path,
                                     neap_format format, neap_error *error);

/*
 * Writes the TensorFlow Lite model at `model`, from which the plan's problem was read, to `path`
 * once more, with the plan in it as TensorFlow Lite Micro reads it.  Everything else stays.  A
 * plan that is there already is an error unless `force`.  NEAP_ERROR_ARGUMENT: an offset is no
 * multiple of 16; NEAP_ERROR_FORMAT: one is above INT32_MAX.
 */
NEAP_API neap_status neap_plan_write_tflite(const neap_plan *plan, const char *model,
                                            const char *path, bool force, neap_error *error);

/*
 * Writes a header for C99 and C++ that says the arena's size and alignment and every buffer's
 * offset and size as macros that begin with `prefix`, an identifier.
 */
NEAP_API neap_status neap_plan_write_header(const neap_plan *plan, const char *prefix,
                                            const char *path, neap_error *error);

/*
 * Writes the source file that defines what the header declares: the arena, and a table of the
 * buffers.  `header` is the name that it includes the header by.  NEAP_ERROR_FORMAT: an alignment is
 * no power of two.
 */
NEAP_API neap_status neap_plan_write_source(const neap_plan *plan, const char *prefix,
                                            const char *header, const char *path,
                                            neap_error *error);

/*
 * Writes the report as one JSON object and a newline to `stream`.  `input` names what was
 * planned.  With `rounds`, an array of the tuner's rounds follows the scalar keys.
 */
NEAP_API neap_status neap_plan_write_report(const neap_plan *plan, const char *input,
                                            bool rounds, FILE *stream, neap_error *error);

/* ---------------------------------------------------------------- planning */

typedef struct neap_engine_info {
  const char *name;
  const char *summary;
  bool
      is_runtime; /* the planner of an inference runtime, for comparison: one plan, no search */
} neap_engine_info;

/* The engines in a fixed order; NULL past the last. */
NEAP_API const neap_engine_info *neap_engine_at(size_t index);

typedef struct neap_planner neap_planner;

/* How far a run is.  `peak` is NEAP_UNPLACED before there is a plan. */
typedef struct neap_progress {
  uint64_t ticks;    /* buffers placed so far: the unit of work, and of a search its nodes */
  uint64_t rounds;   /* layouts finished so far */
  uint64_t restarts; /* of the exact search so far */
  neap_size bound, lower_bound, peak;
  double seconds;
} neap_progress;

typedef void neap_round_function(const neap_round *round, void *user);
typedef void neap_progress_function(const neap_progress *progress, void *user);

/* Plans in one call: new, steps until done, plan, free. */
NEAP_API neap_status neap_solve(const neap_problem *problem, const neap_options *options,
                                neap_plan **plan, neap_error *error);

/*
 * The same by steps.  `problem` must outlive the planner and must not change meanwhile;
 * `options`, NULL for the defaults, are copied.  Checks the problem first.
 */
NEAP_API neap_status neap_planner_new(const neap_problem *problem, const neap_options *options,
                                      neap_planner **planner, neap_error *error);
NEAP_API void neap_planner_free(neap_planner *planner);

/*
 * Called from within neap_planner_step: after every round, and now and then (every few thousand
 * ticks).  They may call neap_planner_cancel and neap_planner_plan.
 */
NEAP_API void neap_planner_on_round(neap_planner *planner, neap_round_function *function,
                                    void *user);
NEAP_API void neap_planner_on_progress(neap_planner *planner, neap_progress_function *function,
                                       void *user);

/* Works for one round; sets *done when there is nothing left to do. */
NEAP_API neap_status neap_planner_step(neap_planner *planner, bool *done, neap_error *error);

/*
 * The best plan so far, verified.  Between steps or from a callback, as often as one likes.
 * NEAP_NO_PLAN when there is none yet; NEAP_INFEASIBLE when no plan can keep to the capacity;
 * NEAP_ERROR_UNSOUND is a bug in neap.
 */
NEAP_API neap_status neap_planner_plan(const neap_planner *planner, neap_plan **plan,
                                       neap_error *error);

/* Ends the run soon, from any thread or signal handler; the best plan so far stays. */
NEAP_API void neap_planner_cancel(neap_planner *planner);

/* ---------------------------------------------------------------- drawing */

/*
 * Pictures are SVG; where the path ends in .png or .pdf they are rendered, twice as large or as
 * vectors, by librsvg, which ends the program when memory is short.  "-" is standard output.
 */

/* NEAP_ERROR_ARGUMENT when this library was built without what the path's ending takes. */
NEAP_API neap_status neap_picture_check(const char *path, neap_error *error);

/* Draws a plan into `path`; the picture's height grows with neither size nor count. */
NEAP_API neap_status neap_plan_draw(const neap_plan *plan, const char *path, neap_error *error);

/*
 * The same as one page of HTML, which needs no network: to zoom into, to search, to step through
 * the tuner's rounds.  The page holds the plan and can be read back.  With `other`, which may be
 * NULL, it shows what differs.  NEAP_ERROR_FORMAT when a hint is not valid UTF-8.
 */
NEAP_API neap_status neap_plan_draw_html(const neap_plan *plan, const neap_plan *other,
                                         const char *path, neap_error *error);

/* How a picture in characters looks. */
typedef struct neap_text_style {
  size_t columns, lines; /* of the whole, brought within these limits: */
#define NEAP_TEXT_COLUMNS_MIN 48
#define NEAP_TEXT_COLUMNS_MAX 1000
#define NEAP_TEXT_LINES_MIN 10
#define NEAP_TEXT_LINES_MAX 1000
  bool unicode;          /* boxes and shades in UTF-8; otherwise ASCII alone */
  bool colours;          /* escape sequences of terminals */
  bool has_window;       /* only this part is drawn: */
  neap_range when;       /* a range of time, and */
  neap_offset low, high; /* bytes [low, high) */
} neap_text_style;

/*
 * Draws a plan, sound or not, in characters: time to the right, offsets upwards, names where they
 * fit, colours or shades by risk, the peak and the best lower bound as lines.
 */
NEAP_API neap_status neap_plan_draw_text(const neap_plan *plan, const neap_text_style *style,
                                         FILE *stream, neap_error *error);

/* A small layout below a chart, to compare with others. */
typedef struct neap_panel {
  const neap_plan *plan;
  const char *name;
} neap_panel;

/* As many are drawn at most. */
#define NEAP_PANELS_MAX 24

typedef struct neap_series {
  const char *name;
  const double *values; /* one per x; NaN leaves it out */
  bool is_reference;    /* a level to compare with: dashed, without marks */
} neap_series;

/*
 * A line chart.  Bytes on the vertical axis get units; seconds on the horizontal axis are above 0
 * and get a logarithmic scale.  With steps, a value holds until the next x.
 */
typedef struct neap_chart {
  const char *title, *x_label, *y_label;
  const double *x; /* ascending */
  size_t x_count;
  const neap_series *series;
  size_t series_count;
  bool y_is_bytes, x_is_seconds, is_stepped;
  const char *const *notes; /* NULL, or for each x what to write beside the first series */
  const neap_panel *panels; /* drawn below, all to one scale */
  size_t panel_count;
} neap_chart;

NEAP_API neap_status neap_chart_draw(const neap_chart *chart, const char *path,
                                     neap_error *error);

/*
 * Draws the course of the run that made the plan: peak and best lower bound over time, with the
 * rounds that brought them.  NEAP_ERROR_ARGUMENT when it is not known, as of a plan that was read.
 */
NEAP_API neap_status neap_plan_draw_course(const neap_plan *plan, const char *path,
                                           neap_error *error);

/* One bar; a negative value is none, and the note says why. */
typedef struct neap_bar {
  const char *name;
  neap_size value; /* bytes */
  const char *note;
  bool is_marked; /* stands out */
} neap_bar;

/* A bar chart of bytes, with a level that all bars are measured by. */
typedef struct neap_bars {
  const char *title;
  const neap_bar *items;
  size_t count;
  neap_size level;
  const char *level_name;
  const neap_panel *panels; /* drawn below, all to one scale */
  size_t panel_count;
} neap_bars;

NEAP_API neap_status neap_bars_draw(const neap_bars *bars, const char *path, neap_error *error);

#ifdef __cplusplus
}
#endif

#endif
