/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats in one table, and how a file's format is found.
 *
 * To write, by the ending of its name (.csv, .ops, .json, .dot, .gv, .txt, in either case);
 * standard output is CSV.  To read, by the ending, and where that is no one's (or .txt, which many
 * things are called) by the content: models say what they are, a page begins with its
 * doctype, JSON with a brace or a bracket, DOT with its first word, a header row with a column `type` begins memory operations,
 * everything else is CSV.
 */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include "neap/neap.h"

struct format {
  neap_format_info info;
  const char *other_extension; /* NULL mostly */
  /*
   * Reading: `text` is terminated by a NUL at text[size] and may be rewritten.  `reading`
   * is never NULL. NULL where the format has no such thing; a problem is then made of the graph.
   */
  neap_status (*read_problem)(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);
  neap_status (*read_graph)(const char *text, size_t size, const neap_reading *reading,
                            neap_graph **graph, neap_error *error);
  neap_status (*read_plan)(char *text, size_t size, neap_plan **plan, neap_error *error);
  /* Writing: NEAP_ERROR_FORMAT before the first byte when the format cannot say all. */
  neap_status (*write_problem)(const neap_problem *problem, FILE *stream, neap_error *error);
  neap_status (*write_plan)(const neap_plan *plan, FILE *stream, neap_error *error);
};

#endif
