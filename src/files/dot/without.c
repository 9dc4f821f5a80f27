/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces the other files in builds without Graphviz: recognises DOT and rejects it. */
#include "core/error.h"
#include "files/dot/conflicts.h"
#include "files/dot/graph.h"

static neap_status without(neap_error *error) {
  return error_set(error, NEAP_ERROR_FORMAT,
                   "this neap was built without Graphviz, which DOT needs: use JSON instead, or "
                   "build neap with Graphviz");
}

neap_status dot_graph_read(const char *text, size_t size, const neap_reading *reading,
                           neap_graph **graph, neap_error *error) {
  (void)text;
  (void)size;
  (void)reading;
  (void)graph;
  return without(error);
}

neap_status dot_conflicts_write_problem(const neap_problem *problem, FILE *stream,
                                        neap_error *error) {
  (void)problem;
  (void)stream;
  return without(error);
}

neap_status dot_conflicts_write_plan(const neap_plan *plan, FILE *stream, neap_error *error) {
  (void)plan;
  (void)stream;
  return without(error);
}
