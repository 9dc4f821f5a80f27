/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of formats, and how the format of a file is found.
 *
 * To write: by the file's ending, in either case; standard output is CSV.  To read: a model by its
 * content, whatever its ending; anything else by its ending, or if that is of no format that can be
 * read, by its content.  What no other format recognises is CSV.
 *
 * To add a format, add its file, its row, and its seeds in tests/fuzz/corpus. Formats of models are
 * rows of models/register.c.
 */
#ifndef FILES_IO_FORMAT_H
#define FILES_IO_FORMAT_H

#include "neap/neap-io.h"
#include "viz/svg/render.h"

#define FORMAT_EXTENSIONS 6
#define FORMAT_EXAMPLES 4

/* Options of a neap_reading that only some formats have. */
enum format_option {
  FORMAT_COLUMNS = 1,    /* --columns */
  FORMAT_INCLUSIVE = 2,  /* --inclusive */
  FORMAT_DIMENSIONS = 4, /* --dim */
  FORMAT_DOT = 8,        /* --dot-size, --dot-order */
  FORMAT_SCRATCH = 32,   /* --scratch */
  FORMAT_CONFLICTS = 64, /* --conflicts */
  FORMAT_KERNELS = 128,  /* --kernels of TensorFlow Lite Micro */
  FORMAT_OVERLAPS = 256, /* graphs state how far outputs may lie over inputs */
  FORMAT_ALIGNMENT = 16  /* --tensor-align: alignments are those of element types */
};

struct format {
  const char *name, *summary;
  const char *extensions[FORMAT_EXTENSIONS]; /* the usual one first, then NULL */
  neap_format_example examples[FORMAT_EXAMPLES]; /* ended by one without a name */
  unsigned reads, writes;                    /* enum neap_content */
  unsigned options;                          /* enum format_option */
  bool is_model;            /* recognised by its content, whatever its ending */
  enum render_kind picture; /* if it writes NEAP_CONTENT_PICTURE */
  /*
   * Reading: `text` is terminated by a NUL at text[size] and may be rewritten, except by `is`,
   * which recognises the format, and `apply`, which sets open options in `reading` to the values
   * in the file.  `reading` is never NULL.  A function is NULL if the format does not hold what it
   * reads; a problem is then built from the graph.
   */
  bool (*is)(const char *text, size_t size, const neap_reading *reading);
  void (*apply)(const char *text, size_t size, neap_reading *reading);
  neap_status (*read_problem)(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);
  neap_status (*read_graph)(const char *text, size_t size, const neap_reading *reading,
                            neap_graph **graph, neap_error *error);
  neap_status (*read_plan)(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error);
  /*
   * Writing: NEAP_ERROR_FORMAT if something would be lost.  One of the two functions for plans is
   * set; `writing` is never NULL.  `check` is NULL if the format can always be written.
   */
  neap_status (*check)(neap_error *error);
  neap_status (*write_problem)(const neap_problem *problem, FILE *stream, neap_error *error);
  neap_status (*write_graph)(const neap_graph *graph, FILE *stream, neap_error *error);
  neap_status (*write_plan)(const neap_plan *plan, FILE *stream, neap_error *error);
  neap_status (*export_plan)(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                             neap_error *error);
};

/* Formats of another library, which follow those of this one. */
struct neap_format_family {
  const struct format *rows;
  size_t count;
};

/* Row `index` of the table; NULL past the last. */
const struct format *format_at(size_t index);

/* NEAP_ERROR_ARGUMENT: there is no such format. */
neap_status format_by_name(const char *name, const struct format **format, neap_error *error);

/* The format with the ending of this path that writes one of `contents`, or if these are 0, any. */
const struct format *format_by_ending(const char *path, unsigned contents);

/* NULL: no format has this content.  Tries formats of models, or if not `models`, all others. */
const struct format *format_by_content(const char *text, size_t size,
                                       const neap_reading *reading, bool models);

/* NEAP_ERROR_ARGUMENT: this library was built without what the format needs to be written. */
neap_status format_check(const struct format *format, neap_error *error);

/*
 * Lists the extensions of the formats that `takes` accepts: ".csv, .ops or .json".  Returns `text`.
 */
#define FORMAT_LIST 160
const char *format_list(bool (*takes)(const struct format *format), char text[FORMAT_LIST]);

/* Whether the path is "-", standard input or output. */
bool format_is_standard(const char *path);

#endif
