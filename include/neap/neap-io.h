/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libneap-io: reads, writes and draws what <neap/neap.h> plans.  The conventions are the same, and
 * in every function here:
 *
 *   - A path "-" is standard input or standard output.
 *   - An output file that exists and is a regular file is replaced only once everything is written.
 *   - NEAP_ERROR_SYSTEM: a file cannot be opened, read or written.  NEAP_ERROR_INPUT: the input is
 *     malformed; the error has its line and column where the format has lines.  NEAP_ERROR_FORMAT:
 *     the output format cannot represent all of the object; the error names what would be lost.
 *     NEAP_ERROR_ARGUMENT: there is no such format, or it does not read or write such an object.
 *     Comments mention only other causes.
 *   - Graphviz has global state; the library therefore reads or writes one DOT file at a time.
 *
 * The parts: formats, reading, writing, drawing, and the charts of the program.
 */
#ifndef NEAP_NEAP_IO_H
#define NEAP_NEAP_IO_H

#include <stdio.h>

#include "neap/neap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================ formats */

typedef enum neap_format {
  /* By the extension; if that is unknown, by the content of input.  Standard output is CSV. */
  NEAP_FORMAT_AUTO = 0,
  NEAP_FORMAT_CSV,    /* .csv: one buffer per row */
  NEAP_FORMAT_OPS,    /* .ops: memory operations as CSV */
  NEAP_FORMAT_JSON,   /* .json: a problem, plan or graph; neap(1) describes them */
  NEAP_FORMAT_TABLE,  /* .txt: an aligned table; for writing plans only */
  NEAP_FORMAT_TFLITE, /* .tflite: a TensorFlow Lite model; neap_plan_write_tflite writes them */
  NEAP_FORMAT_DOT,    /* .dot, .gv: reads a graph of operators, writes a conflict graph */
  NEAP_FORMAT_ONNX,   /* .onnx: an ONNX model, for reading only */
  NEAP_FORMAT_HTML    /* .html: an interactive page; neap_plan_draw_html writes them */
} neap_format;

typedef struct neap_format_info {
  neap_format format;
  const char *name;      /* "csv" */
  const char *extension; /* ".csv" */
  const char *summary;
  bool reads, writes_problems, writes_plans;
} neap_format_info;

/* Lists the formats, in a fixed order. */
NEAP_API bool neap_format_at(size_t index, neap_format_info *info);

/* ================================================================ reading */

/* The value to use for a dimension that a model leaves open. */
typedef struct neap_dimension {
  const char *name;
  neap_size value; /* >= 1 */
} neap_dimension;

/* The name that a column of a table has in a file. */
typedef struct neap_column {
  const char *role; /* the column's name in neap(1), such as "id", "upper" or "size" */
  const char *name; /* its name in the header, in upper or lower case */
} neap_column;

/*
 * Called for input that is ignored, such as an unknown column: *warning is like an error with
 * status NEAP_OK.
 */
typedef void neap_warning_function(const neap_error *warning, void *user);

/* How to read files.  Zeroes are the defaults. */
typedef struct neap_reading {
  bool replan;                      /* ignore offsets, so that plans may choose every one */
  neap_liveness liveness;           /* for graphs */
  const neap_dimension *dimensions; /* for models that leave dimensions open */
  size_t dimension_count;
  neap_schedule schedule; /* for graphs */
  /*
   * For models and DOT: the alignment of every tensor; 0: that of its element type, such as 4 for
   * float32.
   */
  neap_size alignment;
  const char *dot_size;  /* for DOT: the attribute with the size; NULL: see neap(1) */
  const char *dot_order; /* for DOT: the node attribute to sort by; NULL: topological order */
  const neap_column *columns; /* for tables: columns that have another name than in neap(1) */
  size_t column_count;
  bool inclusive;              /* for tables: `upper` is the last moment alive */
  neap_warning_function *warn; /* called with `warn_user`; NULL: warnings are discarded */
  void *warn_user;
} neap_reading;

/*
 * Reads a problem; `reading` may be NULL.  A plan in JSON is read as its problem, and a graph as
 * the problem that liveness derives from it.  NEAP_ERROR_ARGUMENT: an option does not apply to the
 * input, or names a tensor, a dimension or a column that the input does not have.
 */
NEAP_API neap_status neap_problem_read(const char *path, neap_format format,
                                       const neap_reading *reading, neap_problem **problem,
                                       neap_error *error);

/*
 * Reads a graph of operators from JSON, DOT or a model.  `reading` may be NULL; its `liveness`
 * and `schedule` are ignored.
 */
NEAP_API neap_status neap_graph_read(const char *path, neap_format format,
                                     const neap_reading *reading, neap_graph **graph,
                                     neap_error *error);

/*
 * Reads a plan without verifying it: a plan in JSON, a table with an offset in every row, a page,
 * or a TensorFlow Lite model with a plan.  `reading` may be NULL.  The plan owns its problem.
 */
NEAP_API neap_status neap_plan_read(const char *path, neap_format format,
                                    const neap_reading *reading, neap_plan **plan,
                                    neap_error *error);

/* ================================================================ writing */

NEAP_API neap_status neap_problem_write(const neap_problem *problem, const char *path,
                                        neap_format format, neap_error *error);

NEAP_API neap_status neap_plan_write(const neap_plan *plan, const char *path,
                                     neap_format format, neap_error *error);

/*
 * Writes to `path` a copy of the TensorFlow Lite model `model`, from which the plan's problem was
 * read, that contains the plan for TensorFlow Lite Micro.  All else is unchanged.
 * NEAP_ERROR_ARGUMENT: the model already contains a plan and `force` is false, it is not the
 * plan's model, or an offset is not a multiple of 16.  NEAP_ERROR_FORMAT: a buffer ends above
 * INT32_MAX, or the model has parts that cannot be copied.
 */
NEAP_API neap_status neap_plan_write_tflite(const neap_plan *plan, const char *model,
                                            const char *path, bool force, neap_error *error);

/*
 * Writes a header for C99 and C++ with the arena's size and alignment and every buffer's offset
 * and size as macros that begin with `prefix`, an identifier.
 */
NEAP_API neap_status neap_plan_write_header(const neap_plan *plan, const char *prefix,
                                            const char *path, neap_error *error);

/*
 * Writes the C source file that defines the arena and a table of the buffers, as the header
 * declares them.  `header` is the name in its #include.  NEAP_ERROR_FORMAT: an alignment is not a
 * power of two.
 */
NEAP_API neap_status neap_plan_write_source(const neap_plan *plan, const char *prefix,
                                            const char *header, const char *path,
                                            neap_error *error);

/*
 * Writes the report to `stream` as one line: a JSON object, in which `input` is the name of the
 * input.  With `rounds`, it ends with an array of the rounds.
 */
NEAP_API neap_status neap_plan_write_report(const neap_plan *plan, const char *input,
                                            bool rounds, FILE *stream, neap_error *error);

/* ================================================================ drawing */

/*
 * Pictures are SVG.  If the path ends in .png or .pdf, librsvg renders them, a PNG at twice the
 * size; it ends the program when memory is short.
 */

/* NEAP_ERROR_ARGUMENT: this library was built without what the path's extension needs. */
NEAP_API neap_status neap_picture_check(const char *path, neap_error *error);

/* What the colours of a drawing can stand for. */
typedef struct neap_colouring_info {
  const char *name;
  const char *summary;
} neap_colouring_info;

/* Lists the colourings in a fixed order, the default first. */
NEAP_API bool neap_colouring_at(size_t index, neap_colouring_info *info);

/* How to draw a plan.  Initialise with NEAP_DRAWING_INIT and set the other members. */
typedef struct neap_drawing {
  const char *name;      /* for titles: what the plan is of, such as a file's name; or NULL */
  const char *colour_by; /* a name that neap_colouring_at lists; NULL: "auto" */
  /* For pages: a plan to compare with, and its name; or NULL. */
  const struct neap_plan *other;
  const char *other_name;
} neap_drawing;

#define NEAP_DRAWING_INIT \
  { NULL, NULL, NULL, NULL }

/*
 * Draws a plan into `path`.  All pictures have the same size, whatever the plan.  An unsound plan is
 * drawn with its collisions marked, and without status and gap.  `drawing` may be NULL.
 * NEAP_ERROR_ARGUMENT: there is no such colouring.
 */
NEAP_API neap_status neap_plan_draw(const neap_plan *plan, const neap_drawing *drawing,
                                    const char *path, neap_error *error);

/*
 * Draws a plan as one page of HTML that needs no network: zoom, search, step through the tuner's
 * rounds.  The page contains the plan and can be read back.  `drawing` may be NULL.
 * NEAP_ERROR_FORMAT: a hint is not valid UTF-8.  NEAP_ERROR_ARGUMENT: there is no such colouring.
 */
NEAP_API neap_status neap_plan_draw_html(const neap_plan *plan, const neap_drawing *drawing,
                                         const char *path, neap_error *error);

#define NEAP_TEXT_COLUMNS_MIN 48
#define NEAP_TEXT_COLUMNS_MAX 1000
#define NEAP_TEXT_LINES_MIN 10
#define NEAP_TEXT_LINES_MAX 1000

/* How a picture in characters looks. */
typedef struct neap_text_style {
  size_t columns, lines; /* of the whole picture; the limits above apply */
  bool unicode;          /* boxes and shades in UTF-8; otherwise ASCII alone */
  bool colours;          /* escape sequences of terminals */
  /* Draw only the bytes [low, high) during a range of time. */
  bool has_window;
  neap_range when;
  neap_offset low, high;
} neap_text_style;

/*
 * Draws a plan in characters: time to the right, offsets upwards, names where they fit; peak, best
 * lower bound and capacity as lines.  Collisions of an unsound plan are marked.  `drawing` may be
 * NULL.  NEAP_ERROR_ARGUMENT: there is no such colouring.
 */
NEAP_API neap_status neap_plan_draw_text(const neap_plan *plan, const neap_drawing *drawing,
                                         const neap_text_style *style, FILE *stream,
                                         neap_error *error);

/*
 * Draws the course of the run that made the plan: peak and best lower bound over time, with the
 * rounds that brought them.  NEAP_ERROR_ARGUMENT: the course is not known, because the plan was
 * read.
 */
NEAP_API neap_status neap_plan_draw_course(const neap_plan *plan, const char *path,
                                           neap_error *error);

/* ================================================================ charts of the program */

/* The program compares engines and limits with these; other programs rarely need them. */

/* A small layout below a chart, to compare with others. */
typedef struct neap_panel {
  const neap_plan *plan;
  const char *name;
} neap_panel;

/* As many are drawn at most. */
#define NEAP_PANELS_MAX 24

typedef struct neap_series {
  const char *name;
  const double *values; /* one per x; NaN: none */
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
  const neap_panel *panels; /* drawn below, all to one scale */
  size_t panel_count;
} neap_bars;

NEAP_API neap_status neap_bars_draw(const neap_bars *bars, const char *path, neap_error *error);

#ifdef __cplusplus
}
#endif

#endif
