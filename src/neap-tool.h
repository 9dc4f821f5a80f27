/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of the libraries for the program alone.  They are not installed, not exported and not
 * part of the ABI (doc/abi.md); any change may remove them.  The conventions are those of neap.h.
 */
#ifndef NEAP_TOOL_H
#define NEAP_TOOL_H

#include <stdio.h>

#include "neap/arena.h"
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

/* The runtime that a problem was read for (neap-io.h), such as "tflm"; NULL: none. */
const char *neap_problem_target(const neap_problem *problem);

/* Records why a plan has no certificate, for its report.  The text is copied, up to a limit. */
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

/* ================================================================ reports */

/* What scripts get of a plan; or without one of a problem, and why there is none. */
typedef struct neap_summary {
  const neap_plan *plan; /* NULL: the next three members hold what is known */
  const neap_problem *problem;
  neap_report report;
  const char *status, *stop_reason;
  const char *input; /* its name, which need not be UTF-8 */
  const char *split; /* what bands change, in JSON, or NULL */
  bool has_rounds;
} neap_summary;

/* Writes one JSON object as a line.  NEAP_ERROR_MEMORY, NEAP_ERROR_SYSTEM. */
neap_status neap_summary_write(const neap_summary *summary, FILE *stream, neap_error *error);

/* The arena as reports have it in JSON, to be released with free(); NULL when memory is short. */
char *neap_arena_to_json(const neap_problem *problem, const neap_arena *arena);

/* ================================================================ bands */

/* Takes the problem of the best choice (models.h), which the caller frees, with its plan gone. */
struct neap_bands;
neap_problem *neap_bands_take_problem(struct neap_bands *bands);

/* ================================================================ texts */

/* The reason in words, such as "bound reached"; never NULL. */
const char *neap_stop_reason_text(neap_stop_reason reason);

/*
 * Parses a number of bytes as the program's options accept it: decimal, hexadecimal with 0x, or
 * decimal with a unit in upper or lower case: B; K, M, G, T, KiB, MiB, GiB or TiB (powers of
 * 1024); kB, MB, GB or TB (powers of 1000), with a fraction such as 1.5M if that is whole bytes.
 * Returns false and leaves *size unchanged if `text` is none of these or exceeds NEAP_MAX.
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
 * side.
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
  const struct neap_panel *panels; /* drawn below, all to one scale */
  size_t panel_count;
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

#endif
