/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libneap-io: reads, writes and draws what libneap plans.  The conventions are those of neap.h;
 * in addition, for every function here:
 *
 *   - A path "-" is standard input or standard output.
 *   - An output file that exists and is a regular file is replaced only once everything is written.
 *   - NEAP_ERROR_SYSTEM: a file cannot be opened, read or written.  NEAP_ERROR_INPUT: the
 *     input is malformed; the error has its line and column where the format has lines.
 *     NEAP_ERROR_FORMAT: the output format cannot represent the whole object; the error names
 *     what would be lost.  NEAP_ERROR_ARGUMENT: there is no such format, or it does not support
 *     reading or writing such objects.  Comments mention only further causes.
 *   - Graphviz has global state; the library therefore reads or writes one DOT file at a time.
 *     When memory is short, Graphviz may end the program while it does.
 *
 * The parts: formats, reading, writing, drawing.
 */
#ifndef NEAP_NEAP_IO_H
#define NEAP_NEAP_IO_H

#include <stdio.h>

#include "neap/graph.h"
#include "neap/proof.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================ formats */

/* The kinds of content of a file; formats have sums of these. */
typedef enum neap_content {
  NEAP_CONTENT_PROBLEM = 1,
  NEAP_CONTENT_GRAPH = 2, /* of operators */
  NEAP_CONTENT_PLAN = 4,
  NEAP_CONTENT_PICTURE = 8,       /* of a plan or a chart */
  NEAP_CONTENT_PAGE = 16,         /* an interactive page with a plan */
  NEAP_CONTENT_MODEL = 32,        /* a copy of a model, with a plan in it */
  NEAP_CONTENT_HEADER = 64,       /* of C and C++ */
  NEAP_CONTENT_SOURCE = 128,      /* of C and C++; goes with a header */
  NEAP_CONTENT_BUFFER_PLAN = 256, /* a C++ header for TensorFlow Lite Micro */
  NEAP_CONTENT_CERTIFICATE = 512, /* neap_certificate_write */
  NEAP_CONTENT_SPLIT = 1024,      /* a model computed in bands, which only the program writes */
  NEAP_CONTENT_ORDERED = 2048     /* a copy of a model, with the order of a plan */
} neap_content;

typedef struct neap_format_example {
  const char *name; /* of a file, "problem.json"; NULL after the last */
  const char *text;
} neap_format_example;

typedef struct neap_format_info {
  size_t struct_size;
  const char *name; /* "csv" */
  const char *summary;
  const char *const *extensions; /* ".csv", the usual one first, then NULL */
  unsigned reads, writes;        /* sums of neap_content */
  const neap_format_example *examples; /* minimal files, one of each kind that people write */
} neap_format_info;

/*
 * Lists the formats, in a fixed order.  Functions that take the name of a format also accept
 * NULL, which means the format of the path's extension.  Input with an unknown extension is
 * recognised by its content.  Standard output is CSV, unless noted otherwise.
 */
NEAP_API bool neap_format_at(size_t index, neap_format_info *info);

/* For libneap-models (neap/models.h), which registers its formats when it is loaded. */
struct neap_format_family;
NEAP_API void neap_formats_register(const struct neap_format_family *family);

/*
 * Checks that a format can be written.  NEAP_ERROR_ARGUMENT: there is no such format, or neap was
 * built without librsvg, which .png and .pdf need.
 */
NEAP_API neap_status neap_format_check(const char *format, neap_error *error);

/* ================================================================ reading */

/* The value to use for a dimension that a model leaves open. */
typedef struct neap_dimension {
  const char *name;
  neap_size value; /* >= 1 */
} neap_dimension;

/* The name of a table's column in a file. */
typedef struct neap_column {
  const char *role; /* the column's name in neap-formats(5), such as "id", "upper" or "size" */
  const char *name; /* its name in the file's header; case is ignored */
} neap_column;

/* A runtime to plan for. */
typedef struct neap_target_info {
  size_t struct_size;
  const char *name; /* "tflm" */
  const char *summary;
  neap_size alignment; /* of every offset */
  neap_size unit;      /* every size is rounded up to a multiple of it */
  /* Replaces a model's extension in the name of its scratch file; NULL if there is none. */
  const char *scratch_suffix;
} neap_target_info;

/* Lists the targets, in a fixed order.  The first is "none", the default. */
NEAP_API bool neap_target_at(size_t index, neap_target_info *info);

/* The kernels that run a graph's operators. */
typedef enum neap_kernels {
  NEAP_KERNELS_DEFAULT,   /* what the model was written for, or the default of its target */
  NEAP_KERNELS_REFERENCE, /* TensorFlow Lite Micro's own kernels: the default of its target */
  NEAP_KERNELS_CMSIS_NN,  /* without SIMD instructions, such as Cortex-M0 and M3 */
  NEAP_KERNELS_CMSIS_NN_DSP, /* with the DSP extension: Cortex-M4, M7, M33 */
  NEAP_KERNELS_CMSIS_NN_MVE, /* with Helium: Cortex-M52, M55, M85 */
  NEAP_KERNELS_PYTHON,       /* the reference kernels of the package tflite-micro, on a PC */
  NEAP_KERNELS_ELEMENTWISE   /* of any runtime, if they go through the elements in order */
} neap_kernels;

typedef struct neap_kernels_info {
  size_t struct_size;
  neap_kernels kernels;
  const char *name; /* "tflm-reference" */
  const char *summary;
} neap_kernels_info;

/* Lists the kernels that have names, in a fixed order. */
NEAP_API bool neap_kernels_at(size_t index, neap_kernels_info *info);

/* The owner of the memory of a graph's variables, which keep their contents between runs. */
typedef enum neap_variables {
  NEAP_VARIABLES_DEFAULT, /* the target decides; without one, the plan */
  NEAP_VARIABLES_PLAN,    /* the plan, like any other tensor */
  NEAP_VARIABLES_RUNTIME  /* the runtime, outside the planned arena */
} neap_variables;

/*
 * Called for input that is ignored or empty, such as an unknown column: *warning is like an
 * error with status NEAP_OK.
 */
typedef void neap_warning_function(const neap_error *warning, void *user);

/* For tables, such as CSV. */
typedef struct neap_table_reading {
  const neap_column *columns; /* the columns that have other names */
  size_t column_count;
  bool inclusive; /* `upper` is the last moment alive */
  /*
   * A table of conflicts, with columns `first` and `second`, each of which separates two
   * buffers.  With it, a table without lifetimes can also be read: each of its buffers is then
   * alive at a moment of its own.  NULL: none.
   */
  const char *conflicts;
  size_t reserved[2]; /* for later members; must be 0 */
} neap_table_reading;

/* For DOT. */
typedef struct neap_dot_reading {
  const char *size;   /* the attribute with the size; NULL: see neap-formats(5) */
  const char *order;  /* the node attribute to sort by; NULL: topological order */
  size_t reserved[2]; /* for later members; must be 0 */
} neap_dot_reading;

/* For graphs of operators, models included. */
typedef struct neap_graph_reading {
  neap_liveness liveness;
  /*
   * For models and DOT: the alignment of every tensor; 0: the alignment of its element type,
   * such as 4 for float32.  For other graphs with liveness.aliases: alignments are raised to
   * multiples of this.
   */
  neap_size alignment;
  /*
   * The runtime to plan for: a name from neap_target_at; NULL: none.  It determines alignments,
   * sizes and which tensors the runtime allocates itself.
   */
  const char *target;
  neap_variables variables;
  bool place_all; /* also plan tensors that the target would place, such as scratch */
  /*
   * The kernels, which allocate in the arena.  With liveness.overlap, they determine how far
   * outputs may lie over inputs, in addition to the allowances that a JSON graph states itself.  By
   * default, a model is read with the kernels and the overlap that it was written for.  Kernels of
   * TensorFlow Lite Micro are for TensorFlow Lite models only.
   */
  neap_kernels kernels;
  size_t reserved[4]; /* for later members; must be 0 */
} neap_graph_reading;

/* For TensorFlow Lite and ONNX models. */
typedef struct neap_model_reading {
  const neap_dimension *dimensions; /* values for dimensions that the model leaves open */
  size_t dimension_count;
  /*
   * The rest is for TensorFlow Lite.  A table of the scratch buffers that kernels request, which
   * the runtime places itself; see neap-formats(5).  NULL: none are known.
   */
  const char *scratch;
  /*
   * With a target, the runtime's arena also depends on the bytes of a pointer, 4 or 8 (0: as the
   * model was written for, else 4), and on how many resource variables its table has room for, at
   * least those of the model.
   */
  neap_size pointer;
  neap_size resource_variables;
  size_t reserved[4]; /* for later members; must be 0 */
} neap_model_reading;

/* How to read files.  Zeroes are the defaults. */
typedef struct neap_reading {
  size_t struct_size;
  const char *format; /* a name, or NULL (see neap_format_at) */
  bool replan;        /* ignore offsets, so that plans may choose every one */
  /* The content of the file, whose name is then the path; NULL: the path is read. */
  const void *content;
  size_t content_size;
  neap_warning_function *warn; /* called with `warn_user`; NULL: warnings are discarded */
  void *warn_user;
  neap_table_reading table;
  neap_dot_reading dot;
  neap_graph_reading graph;
  neap_model_reading model;
} neap_reading;

/*
 * Reads a problem; `reading` may be NULL.  A plan in JSON is read as its problem, and a graph,
 * prepared, as the problem that liveness derives from it in the given order.
 * NEAP_ERROR_ARGUMENT: a member of `reading` does not apply to the input, or names a tensor, a
 * dimension or a column that is not in the input.
 */
NEAP_API neap_status neap_problem_read(const char *path, const neap_reading *reading,
                                       neap_problem **problem, neap_error *error);

/*
 * Reads a graph of operators from JSON, DOT or a model, without preparing it.  `reading` may be
 * NULL; its `liveness` is ignored.
 */
NEAP_API neap_status neap_graph_read(const char *path, const neap_reading *reading,
                                     neap_graph **graph, neap_error *error);

/*
 * Applies to a graph the kernels and the runtime of `reading`: `overlap`, and a target.  The target
 * determines the sizes and alignments of tensors, and places graph inputs and outputs that
 * reading->graph.liveness excludes from planning (no_inputs, no_outputs).
 * *liveness becomes the liveness for neap_graph_reorder and neap_graph_to_problem.
 */
NEAP_API neap_status neap_graph_prepare(neap_graph *graph, const neap_reading *reading,
                                        neap_liveness *liveness, neap_error *error);

/*
 * Reads a problem and reorders its operators: neap_problem_read, neap_graph_reorder and, for
 * NEAP_SCHEDULE_OPTIMAL, neap_graph_try_orders.  `reading` and `scheduling` may be NULL.
 */
NEAP_API neap_status neap_problem_prepare(const char *path, const neap_reading *reading,
                                          const neap_scheduling *scheduling,
                                          neap_problem **problem, neap_error *error);

/*
 * Reads a plan without verifying it: a plan in JSON, a table with an offset in every row, a
 * page, or a TensorFlow Lite model.  For a model without a plan, the result is the layout that
 * the runtime makes on its own, with is_runtimes_own in the report.  `reading` may be NULL.
 * The plan owns its problem.
 */
NEAP_API neap_status neap_plan_read(const char *path, const neap_reading *reading,
                                    neap_plan **plan, neap_error *error);

/* ================================================================ writing */

/* `format` is a name, or NULL (see neap_format_at). */
NEAP_API neap_status neap_problem_write(const neap_problem *problem, const char *path,
                                        const char *format, neap_error *error);

/*
 * Writes a graph of operators as JSON; standard output is JSON.  A scheduled graph is written
 * in its present order.  NEAP_ERROR_FORMAT also: a name is not valid UTF-8, or the graph comes
 * from a model with calls, fixed offsets or tensors that the runtime allocates.
 */
NEAP_API neap_status neap_graph_write(const neap_graph *graph, const char *path,
                                      const char *format, neap_error *error);

/* A property that the colours of a drawing can show. */
typedef struct neap_colouring_info {
  size_t struct_size;
  const char *name;
  const char *summary;
} neap_colouring_info;

/* Lists the colourings in a fixed order, the default first. */
NEAP_API bool neap_colouring_at(size_t index, neap_colouring_info *info);

/* A plan with a name, beside others. */
typedef struct neap_panel {
  const neap_plan *plan;
  const char *name;
} neap_panel;

/* How to write or draw a plan.  Zeroes are the defaults. */
typedef struct neap_writing {
  size_t struct_size;
  const char *format; /* a name, or NULL (see neap_format_at) */
  /* For pictures and pages. */
  const char *name;      /* for titles: what was planned, such as a file's name; or NULL */
  const char *colour_by; /* a name that neap_colouring_at lists; NULL: "auto" */
  /* For pictures: the plan is that of neap_explanation_core_plan, and its capacity is refuted. */
  bool is_conflict;
  /* For pages: a second plan for comparison, and its name; or NULL. */
  const struct neap_plan *other;
  const char *other_name;
  const char *explanation; /* for pages: the object of neap explain --json, or NULL */
  /*
   * For pages: further plans of the problem, named by their engines, and the object of
   * neap compare --json that lists the plan and then these, in this order; or NULL.
   */
  const struct neap_panel *layouts;
  size_t layout_count;
  const char *comparison;
  /* For models. */
  const char *model; /* the model to copy, from which the plan's problem was read */
  bool replace;      /* a plan that is already in the model; for a buffer plan: leave out the
                        operators of neap_problem_unknown_scratch */
  /* For C and C++. */
  const char *prefix; /* of the names in headers and sources, an identifier; NULL: "NEAP" */
  const char *header; /* the name in the #include of a source */
  /* For pictures: a figure for a paper, this many of its columns wide, 1 or 2; 0: a page. */
  int64_t figure;
  const neap_reading *reading; /* for .onnx: how the model was read; NULL: with the defaults */
  bool from_other;             /* for pages: the comparison is from `other` to this plan */
} neap_writing;

/*
 * Writes a plan; `writing` may be NULL.
 *
 *   - Pictures (.svg, .png, .pdf) have the same size for every plan.  An unsound plan is
 *     drawn with its collisions marked, and without status and gap.  librsvg renders PNG (at
 *     twice the size) and PDF; it ends the program when memory is short.
 *   - A page (.html) is interactive: zoom, search, step through the tuner's rounds.  It needs
 *     no network.  It contains the plan and can be read back.
 *   - A model (.tflite) is a copy of writing->model with the plan for TensorFlow Lite Micro;
 *     everything else is unchanged.
 *   - An ONNX model (.onnx) is a copy of writing->model with its operators in the plan's order,
 *     some of them several times after neap_graph_recompute.  It cannot hold offsets.
 *   - A header defines macros for the arena's size and alignment and for every buffer's
 *     offset and size.  A source defines the arena and the table of buffers that the header
 *     declares.
 *   - A buffer plan is a C++ header with a BufferPlan for TensorFlow Lite Micro.  The problem lists
 *     what the runtime requests, in order; variables and buffers of 0 bytes are skipped.
 *
 * NEAP_ERROR_ARGUMENT: there is no such colouring, the prefix is no identifier, writing->model
 * or writing->header is missing; the model contains a plan and writing->replace is false, it is
 * not the plan's model, it lacks scratch buffers (neap_writing.replace), or, in models and
 * buffer plans, an offset is not a multiple of 16.  NEAP_ERROR_FORMAT also: a buffer ends above
 * INT32_MAX or the model has parts that cannot be copied; an operator of an ONNX model needs a
 * shape that is not known before another runs; for a buffer plan, the operators are
 * not in the model's order; for a source, an alignment is not a power of two; a hint is not
 * valid UTF-8.
 */
NEAP_API neap_status neap_plan_write(const neap_plan *plan, const char *path,
                                     const neap_writing *writing, neap_error *error);

/* Writes the text of a certificate. */
NEAP_API neap_status neap_certificate_write(const neap_certificate *certificate,
                                            const char *path, neap_error *error);

/* ================================================================ drawing */

#define NEAP_TEXT_COLUMNS_MIN 48
#define NEAP_TEXT_COLUMNS_MAX 1000
#define NEAP_TEXT_LINES_MIN 10
#define NEAP_TEXT_LINES_MAX 1000

/* How a picture in characters looks. */
typedef struct neap_text_style {
  size_t struct_size;
  size_t columns, lines; /* of the whole picture; the limits above apply */
  bool unicode;          /* boxes and shades in UTF-8; otherwise ASCII alone */
  bool colours;          /* escape sequences of terminals */
  /* Draw only the bytes [low, high) during a range of time. */
  bool has_window;
  neap_range when;
  neap_offset low, high;
} neap_text_style;

/*
 * Draws a plan in characters, with time to the right, offsets upwards, and names where they
 * fit.  Lines show peak, best lower bound and capacity.  Collisions of an unsound plan are
 * marked.  `writing` may be NULL.  NEAP_ERROR_ARGUMENT: there is no such colouring.
 */
NEAP_API neap_status neap_plan_draw_text(const neap_plan *plan, const neap_writing *writing,
                                         const neap_text_style *style, FILE *stream,
                                         neap_error *error);

#ifdef __cplusplus
}
#endif

#endif
