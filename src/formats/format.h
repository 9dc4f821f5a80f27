/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of formats, and how the format of a file is found.
 *
 * To write: by the file's ending, in either case; standard output is CSV.  To read: a model by its
 * content, whatever its ending; anything else by its ending, or if that is of no format (or .txt,
 * which many files have) by its content: a page begins with its doctype, JSON with a brace or a
 * bracket, DOT with a keyword; a header row with a column `type` and without lifetimes starts
 * memory operations, and everything else is CSV.
 */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include "neap/neap.h"

struct format {
  neap_format_info info;
  const char *other_extension; /* NULL for most */
  bool is_table;               /* with columns that may have other names */
  bool has_dimensions;         /* which may be free */
  /*
   * Reading: `text` is terminated by a NUL at text[size] and may be rewritten.  `reading` is never
   * NULL.  A function is NULL if the format has no such thing; if it has no problems, they are built
   * from graphs.
   */
  neap_status (*read_problem)(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);
  neap_status (*read_graph)(const char *text, size_t size, const neap_reading *reading,
                            neap_graph **graph, neap_error *error);
  bool has_types; /* a graph's alignments are those of its element types */
  neap_status (*read_plan)(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error);
  /* Writing: NEAP_ERROR_FORMAT, before the first byte, if something would be lost. */
  neap_status (*write_problem)(const neap_problem *problem, FILE *stream, neap_error *error);
  neap_status (*write_plan)(const neap_plan *plan, FILE *stream, neap_error *error);
};

#endif
