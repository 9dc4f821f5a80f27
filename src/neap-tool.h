/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of the libraries for the program alone.  They are not installed, not exported and not
 * part of the ABI (doc/abi.md); any change may remove them.  The conventions are those of neap.h.
 */
#ifndef NEAP_TOOL_H
#define NEAP_TOOL_H

#include "neap/graph.h"
#include "neap/relations.h"

/* ================================================================ problems */

/*
 * Finds the bound without a single buffer: bounds[i] is the bound if buffer indices[i] is
 * removed, for i < count.  O(n log n + count * n) time, O(count * n log n) with relations.
 */
neap_status neap_problem_bounds_without(const neap_problem *problem, const size_t *indices,
                                        size_t count, neap_size *bounds, neap_error *error);

/*
 * Creates a problem with the same buffers and new times.  The same buffers are alive together,
 * but every allocation and every release gets a moment of its own; releases precede allocations
 * at the same old time.  A sequence of memory operations has this form.  Buffers are sorted by
 * allocation.  NEAP_ERROR_FORMAT: a buffer has several ranges, or there are relations or other
 * constraints beyond sizes and lifetimes.
 */
neap_status neap_problem_retime(const neap_problem *problem, neap_problem **retimed,
                                neap_error *error);

/* The words for one relation of a kind and for several, and the key of their list in JSON. */
typedef struct neap_relation_words {
  const char *one, *several, *list;
} neap_relation_words;

/* The words of a kind: "bank separation", "bank separations", "bank_separations" and so on. */
neap_relation_words neap_relation_kind_words(neap_relation_kind kind);

/* A kind of random problem. */
typedef struct neap_kind_info {
  const char *name;
  const char *summary;
} neap_kind_info;

/* Lists the kinds, in a fixed order. */
bool neap_kind_at(size_t index, neap_kind_info *info);

#define NEAP_GENERATED_MAX 100000000

/*
 * Generates a random problem of `count` buffers, 1 .. NEAP_GENERATED_MAX.  The same kind, count
 * and seed give the same problem on every machine.  NEAP_ERROR_ARGUMENT: there is no such kind,
 * or the count is out of range.
 */
neap_status neap_problem_generate(const char *kind, size_t count, uint64_t seed,
                                  neap_problem **problem, neap_error *error);

/*
 * Whether buffer `index` is a tensor that nothing uses (neap_tensor.is_unused).  The runtime
 * allocates such tensors nevertheless.  Without a plan, it keeps all of them apart; a plan may
 * let them share bytes.  They are alive after the last operator, several at a time as long as
 * they take no more bytes together than the largest.
 */
bool neap_problem_is_unused(const neap_problem *problem, size_t index);

/*
 * The type of the operator that runs at a moment, such as "CONV_2D"; "" if it has none, or no
 * operator runs then.
 */
static inline const char *neap_problem_operator_type(const neap_problem *problem,
                                                     neap_time moment) {
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  bool found = moment >= 0 && neap_problem_operator_at(problem, (size_t)moment, &info);
  return found ? info.type : "";
}

/* The copies that neap_liveness.aliases makes unnecessary. */
typedef struct neap_aliased {
  size_t operators; /* concatenations, splits and views that copy nothing */
  neap_size bytes;  /* bytes not copied, also by operators that copy other bytes */
} neap_aliased;

/* For a problem built from a graph; zeroes for others. */
void neap_problem_aliased(const neap_problem *problem, neap_aliased *aliased);

/*
 * The runtime that a problem was read for (see neap-io.h), such as "tflm"; NULL if there is
 * none.
 */
const char *neap_problem_target(const neap_problem *problem);

/*
 * Records why a plan has no certificate, for its report; the text is copied, and truncated if
 * it is long.
 */
void neap_plan_set_uncertified(neap_plan *plan, const char *why);

/* ================================================================ graphs */

/*
 * The number of operators of a graph that are not operators of the model that it was read from:
 * they enter, leave or repeat a called subgraph.
 */
size_t neap_graph_step_count(const neap_graph *graph);

/*
 * The number of the model's operators that keep their order: operators that call subgraphs,
 * across which no other operator may move; operators in subgraphs with several callers; and
 * operators that use tensors outside the graph, such as a variable's handle.
 */
size_t neap_graph_kept_count(const neap_graph *graph);

/* The tensors of a graph that are never planned. */
typedef struct neap_left_out {
  size_t constants, elsewhere; /* the numbers of constants and of tensors stored elsewhere */
  neap_size constant_bytes;    /* at most NEAP_MAX */
} neap_left_out;

void neap_graph_left_out(const neap_graph *graph, neap_left_out *left_out);

/* ================================================================ arenas */

#define NEAP_ARENA_STEP 16 /* the runtime aligns the end of its arena to this */

/* What the tail of an arena consists of. */
typedef enum neap_arena_part {
  NEAP_ARENA_RUNTIME,   /* objects of the interpreter */
  NEAP_ARENA_TENSORS,   /* a struct per tensor */
  NEAP_ARENA_NODES,     /* a struct per operator */
  NEAP_ARENA_KERNELS,   /* options, data and tables of kernels */
  NEAP_ARENA_HANDLES,   /* a handle per scratch buffer */
  NEAP_ARENA_VARIABLES, /* variables, and the table of resource variables */
  NEAP_ARENA_ENDS,      /* descriptions of inputs and outputs, with their quantisation */
  NEAP_ARENA_PARTS
} neap_arena_part;

/* Its key in JSON, such as "scratch_handles". */
const char *neap_arena_part_key(neap_arena_part part);

/* What would make the tail smaller, besides removing variables. */
typedef enum neap_arena_saving {
  NEAP_ARENA_FOLDING,     /* operators that only read constants and shapes */
  NEAP_ARENA_VIEWS,       /* operators that only change a shape */
  NEAP_ARENA_CONVERSIONS, /* QUANTIZE and DEQUANTIZE */
  NEAP_ARENA_SAVINGS
} neap_arena_saving;

/*
 * The memory that TensorFlow Lite Micro needs for a model.  The head holds what is planned, the
 * tail what the interpreter keeps.  While it prepares the model, it also needs temporary memory.
 */
typedef struct neap_arena {
  neap_size head, tail, used;
  neap_size preparing; /* the smallest arena for all that comes before the head */
  neap_size smallest;  /* the smallest arena that works */
  neap_size persistent,
      non_persistent; /* the smallest that work if tail and head have one each */
  neap_size
      least_tail; /* without what aligns its parts: no order of the operators needs less */
  neap_size parts[NEAP_ARENA_PARTS];
  size_t tensor_count, operator_count, scratch_count;
  size_t variable_count;
  neap_size resource_count; /* resource variables that their table has room for */
  size_t saving_counts[NEAP_ARENA_SAVINGS]; /* operators that could be removed ... */
  neap_size savings[NEAP_ARENA_SAVINGS];    /* ... and what they take of the tail */
  unsigned pointer;                         /* size of a pointer, 4 or 8 bytes */
  const char *kernels, *version;            /* "reference", and the runtime's version */
  const char *overlap;                      /* of outputs over inputs: "none" */
  bool is_as_written; /* these are what the model says that it was written for */
} neap_arena;

/* What an operator's kernel takes. */
typedef struct neap_arena_operator {
  const char *type; /* "CONV_2D" */
  size_t subgraph, index;
  neap_size persistent, scratch;
} neap_arena_operator;

/*
 * The arena of a problem that was read from a model for such a runtime, with a head of `head`
 * bytes; false for others.
 */
bool neap_problem_arena(const neap_problem *problem, neap_size head, neap_arena *arena);
bool neap_problem_arena_operator(const neap_problem *problem, size_t index,
                                 neap_arena_operator *kernel);

/* Operators of which the same can be said. */
typedef struct neap_arena_note {
  const char *text;              /* their type, and for those that are refused, why */
  size_t subgraph, first, count; /* the first of them, and how many */
} neap_arena_note;

/* The types of operators whose kernels are unknown, so that the arena is too small. */
bool neap_problem_arena_unknown(const neap_problem *problem, size_t index,
                                neap_arena_note *note);

/* The operators that the runtime cannot prepare or run, so that the model fits no arena. */
bool neap_problem_arena_refused(const neap_problem *problem, size_t index,
                                neap_arena_note *note);

/* The arena as reports have it in JSON, to be released with free(); NULL when memory is short. */
char *neap_arena_to_json(const neap_problem *problem, const neap_arena *arena);

/* ================================================================ texts */

/* The reason in words, such as "bound reached"; never NULL. */
const char *neap_stop_reason_text(neap_stop_reason reason);

/*
 * Parses a number of bytes as the program's options accept it: decimal, hexadecimal with 0x, or
 * decimal with a unit in upper or lower case: B; K, M, G, T, KiB, MiB, GiB or TiB (powers of
 * 1024); kB, MB, GB or TB (powers of 1000).  Returns false and leaves *size unchanged if `text`
 * is none of these or exceeds NEAP_MAX.
 */
bool neap_size_read(const char *text, neap_size *size);

/* Stands for what must not be shown. */
#define NEAP_REPLACEMENT 0xfffdu

/*
 * Sets *code to the first character of a text in UTF-8, which is not empty, and returns its length
 * in bytes.  Invalid UTF-8 is read a byte at a time.  For it, for control characters, for those
 * that change the direction of writing and for non-characters, *code is NEAP_REPLACEMENT: so every
 * character is valid in XML and affects neither the text around it nor a terminal.
 */
size_t neap_text_next(const char *text, uint32_t *code);

/* The size of a character that is shown or of the escape of a byte. */
#define NEAP_TEXT_ESCAPED 8

/*
 * Writes what may be shown of the beginning of a text, which is not empty, and a NUL: a character,
 * or a byte as \xNN.  Sets *text to the rest; returns the length.  All text from outside that
 * reaches a terminal passes here, or is shortened by means of neap_text_next.
 */
size_t neap_text_escape(char out[NEAP_TEXT_ESCAPED], const char **text);

/* The size of a text for the shape and the type of any buffer, with its terminating NUL. */
#define NEAP_SHAPE_TEXT 96

/*
 * Writes what is known of a buffer's shape and type, such as "1x56x56x64 float32", with ? for an
 * unknown dimension and ... for what does not fit; "" if nothing is known.  Returns `text`.
 */
const char *neap_shape_text(const neap_buffer *buffer, char text[NEAP_SHAPE_TEXT]);

/* The size of a text for any gap, with its terminating NUL. */
#define NEAP_GAP_TEXT 24

/*
 * Writes a gap, in percent, the way all of neap shows it: "0 %" if it is 0 or less, then
 * "<0.01 %", "0.37 %", "1,234.50 %" and ">1,000,000 %".  Independent of the locale.  Returns
 * `text`.
 */
const char *neap_gap_text(double gap_percent, char text[NEAP_GAP_TEXT]);

/* ================================================================ charts */

/* Pictures are SVG, unless the path ends in .png or .pdf. */

/* The maximum number of panels drawn. */
#define NEAP_PANELS_MAX 24

typedef struct neap_series {
  const char *name;
  const double *values; /* one per x; NaN: none */
  bool is_reference;    /* a level to compare with: dashed, without marks */
} neap_series;

/* A shaded band around a series: one low and one high value per x; NaN: none. */
typedef struct neap_band {
  const double *low, *high;
} neap_band;

/*
 * A line chart.  Bytes on the vertical axis get units; seconds on the horizontal axis are above
 * 0 and get a logarithmic scale; x_is_logarithmic gives one to any other quantity above 0.
 * With is_stepped, a value holds until the next x.  With x_names, the values of x are 0, 1, 2
 * and so on; points are not connected, and the values of several series are drawn side by
 * side.  A chart `below` is smaller and shares the horizontal axis; its own title, x, notes,
 * caption, panels and `below` are ignored.
 */
typedef struct neap_chart {
  const char *title, *x_label, *y_label;
  const double *x; /* ascending */
  size_t x_count;
  const neap_series *series;
  size_t series_count;
  bool y_is_bytes, x_is_seconds, x_is_logarithmic, is_stepped;
  const char *const *x_names;      /* NULL, or one per x */
  const neap_band *bands;          /* NULL, or one per series */
  const char *caption;             /* explains lines and bands; or NULL */
  const char *const *notes;        /* NULL, or one per x, written beside the first series */
  const struct neap_panel *panels; /* drawn below, all to one scale */
  size_t panel_count;
  const struct neap_chart *below; /* NULL: none */
} neap_chart;

neap_status neap_chart_draw(const neap_chart *chart, const char *path, neap_error *error);

/* One bar. */
typedef struct neap_bar {
  const char *name;
  neap_size value; /* bytes; negative: no bar, and the note says why */
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
  const struct neap_panel *panels; /* drawn below, all to one scale */
  size_t panel_count;
} neap_bars;

neap_status neap_bars_draw(const neap_bars *bars, const char *path, neap_error *error);

/*
 * Draws the course of the run that made the plan: peak, best lower bound and excess area over time,
 * with the rounds that improved them.  NEAP_ERROR_ARGUMENT: the course is not known, because the
 * plan was read.
 */
neap_status neap_plan_draw_course(const neap_plan *plan, const char *name, const char *path,
                                  neap_error *error);

/* ================================================================ splitting models */

/* A search for segments to split, while it runs. */
typedef struct neap_split_progress {
  neap_size peak;  /* the lowest so far; NEAP_UNPLACED: none yet */
  size_t measured; /* pieces */
  double seconds;
} neap_split_progress;

/* How to split.  Zeroes are the defaults, but for the capacity. */
typedef struct neap_splitting {
  neap_size
      capacity; /* look for the least extra work that fits; negative: for what is lowest */
  bool
      is_arena; /* what fits or is lowest is the runtime's whole arena, if it is known, not the peak */
  neap_size second_capacity; /* of neap_fit_model: of a second memory, no larger; 0: none */
  const char *memories[2];   /* their names, if there are two */
  int64_t
      most_millionths; /* of the multiply-accumulates of the model, in millionths; 0: twice as many */
  /*
   * Also look for the choices between the model as it is and the lowest peak, as always for an
   * arena.
   */
  bool keep_on_curve;
  bool (*keep_on)(const neap_split_progress *progress, void *user); /* NULL: always */
  void *user;
} neap_splitting;

/* A model with its plan. */
typedef struct neap_split_point {
  neap_size peak;
  neap_size tail, arena; /* of neap_problem_arena: its tail and the smallest that works */
  /*
   * Likewise; or without a tail, what is in the second memory and in the first if tensors are in
   * both, otherwise 0 and the peak.
   */
  neap_size persistent, non_persistent;
  bool is_partial; /* the arena is larger: neap_problem_arena_unknown */
  bool is_refused; /* no arena is enough: neap_problem_arena_refused */
  int64_t macs;    /* multiply-accumulates */
  size_t operators;
  neap_size file_bytes;
} neap_split_point;

/* What was looked for. */
typedef enum neap_split_goal {
  NEAP_SPLIT_PEAK,  /* the lowest peak */
  NEAP_SPLIT_ARENA, /* the smallest arena */
  NEAP_SPLIT_WORK   /* the least extra work within the capacity */
} neap_split_goal;

typedef struct neap_split_report {
  neap_split_goal goal;
  neap_split_point before, after;
  bool is_split, is_proven; /* the best of all choices */
  neap_size lower_bound;    /* no choice has a lower peak; 0: nothing is proven */
  size_t length_max;        /* operators of a segment, of all choices */
  double factor;            /* of the work of the model, likewise */
  double seconds;
} neap_split_report;

/*
 * Operators [first, end) of the model in `bands` bands of the rows of `output`, or of its channels,
 * which end before ends[i].
 */
typedef struct neap_split_segment {
  size_t first, end, bands;
  const int32_t *ends;
  bool is_by_channels;
  bool keeps_rows; /* that a band needs again from the one before */
  const char *input, *output;
} neap_split_segment;

typedef struct neap_split neap_split;
struct neap_reading; /* neap-io.h */

/*
 * Finds which segments of a TensorFlow Lite or ONNX model to compute in bands, and plans the
 * result.  The reading is that of neap_problem_read, or NULL; with a scheduling, the model is
 * reordered first. NEAP_NO_PLAN: no choice was found that fits the capacity; NEAP_INFEASIBLE: it is
 * proven that none does.
 */
neap_status neap_split_model(const char *path, const struct neap_reading *reading,
                             const neap_scheduling *scheduling, const neap_splitting *splitting,
                             neap_split **split, neap_error *error);
void neap_split_free(neap_split *split);

void neap_split_get_report(const neap_split *split, neap_split_report *report);
bool neap_split_segment_at(const neap_split *split, size_t index, neap_split_segment *segment);

/* The choices that were found, the lowest peak first. */
bool neap_split_point_at(const neap_split *split, size_t index, neap_split_point *point);

/* The plan of the best choice, and that of the model as it is. */
const neap_plan *neap_split_plan(const neap_split *split);
const neap_plan *neap_split_plan_before(const neap_split *split);

/* The problem of the best choice, which the caller frees; there is no plan of it any more. */
neap_problem *neap_split_take_problem(neap_split *split);

/* Writes the model with a plan of the best choice's problem; NULL: with that of neap_split_plan. */
neap_status neap_split_write(const neap_split *split, const neap_plan *plan, const char *path,
                             neap_error *error);

/* ================================================================ fitting models */

/* What is tried to make a model fit, in the order of what it costs; each adds to those before. */
typedef enum neap_fit_means {
  NEAP_FIT_LAYOUT,  /* in the given order */
  NEAP_FIT_ORDER,   /* another order of the operators */
  NEAP_FIT_OVERLAP, /* outputs over inputs, as far as the kernels allow it */
  NEAP_FIT_POOLS,   /* head and tail in two memories, or without a tail, tensors in both */
  NEAP_FIT_SPLIT    /* stages in bands, which costs work */
} neap_fit_means;

/*
 * Where head and tail are; without a tail, NEAP_FIT_HEAD_FIRST stands for tensors in both memories.
 */
typedef enum neap_fit_place {
  NEAP_FIT_TOGETHER,   /* both in the first memory */
  NEAP_FIT_HEAD_FIRST, /* the tail is in the second */
  NEAP_FIT_TAIL_FIRST,
  NEAP_FIT_PLACES
} neap_fit_place;

typedef struct neap_fit_step {
  neap_fit_means means;
  neap_fit_place place;
  neap_size needs[2];     /* bytes of each memory */
  neap_split_point point; /* without work, operators and file, except with bands */
  bool fits;
  bool is_open; /* it fits if operators of unknown kernels need nothing */
} neap_fit_step;

typedef struct neap_fit_report {
  bool fits, is_open;    /* of the last step; if neither, nothing fits */
  bool is_refused;       /* the runtime cannot run the model, so nothing was tried */
  size_t best;           /* the step with the smallest arena, or for which least is missing */
  neap_size lower_bound; /* of the arena, for everything that was tried; 0: nothing is proven */
  neap_size missing;     /* proven for everything that was tried */
  bool is_infeasible;    /* that is every layout, order and choice of bands */
  const neap_split *split; /* NULL: not tried */
} neap_fit_report;

typedef struct neap_fit neap_fit;

/*
 * Makes a TensorFlow Lite model fit the runtime's arena of splitting->capacity bytes, or two
 * memories, or the tensors of an ONNX model fit that capacity, at the least cost: stops at the
 * first step that fits.  The reading is that of neap_split_model; without an overlap, no kernels
 * are taken for granted.
 */
neap_status neap_fit_model(const char *path, const struct neap_reading *reading,
                           const neap_splitting *splitting, neap_fit **fit, neap_error *error);
void neap_fit_free(neap_fit *fit);

bool neap_fit_step_at(const neap_fit *fit, size_t index, neap_fit_step *step);
void neap_fit_get_report(const neap_fit *fit, neap_fit_report *report);

/* Its names in JSON, such as "overlap". */
const char *neap_fit_means_name(neap_fit_means means);

/*
 * The plan of the best step, and the model with that plan, or with its order if it cannot hold one.
 */
const neap_plan *neap_fit_plan(const neap_fit *fit);
neap_status neap_fit_write(const neap_fit *fit, const char *path, neap_error *error);

#endif
