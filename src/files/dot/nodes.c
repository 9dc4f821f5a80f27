/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/dot/nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/dot/guard.h"
#include "files/dot/size.h"
#include "model/topology.h"

/* Nodes of a cycle that a message names. */
#define CYCLE_SHOWN 6

const char *dot_node_name(const struct dot_node *node) {
  const char *name = agnameof(node->node);
  return name && name[0] ? name : "node";
}

const char *dot_node_type(const struct dot_node *node) {
  const char *type = dot_library_attribute(node->node, "type");
  return type ? type : dot_node_name(node);
}

/* ---------------------------------------------------------------- nodes */

/* What exporters call nodes that are not operators. */
static enum dot_role role_of(Agnode_t *node) {
  static const struct {
    const char *type;
    enum dot_role role;
  } roles[] = {{"input", DOT_INPUT},       {"nncf_model_input", DOT_INPUT},
               {"Parameter", DOT_INPUT},   {"placeholder", DOT_INPUT},
               {"output", DOT_OUTPUT},     {"nncf_model_output", DOT_OUTPUT},
               {"Result", DOT_OUTPUT},     {"const", DOT_CONSTANT},
               {"constant", DOT_CONSTANT}, {"nncf_model_const", DOT_CONSTANT},
               {"get_attr", DOT_CONSTANT}, {"initializer", DOT_CONSTANT},
               {"weight", DOT_CONSTANT}};
  const char *type = dot_library_attribute(node, "type");
  for (size_t r = 0; type && r < sizeof roles / sizeof *roles; r++)
    if (strcasecmp(type, roles[r].type) == 0) return roles[r].role;
  return DOT_OPERATOR;
}

static neap_status about_node(const struct dot_node *node, const struct dot_reading *reading,
                              neap_status status, neap_error *error) {
  char excerpt[TEXT_EXCERPT], text[sizeof error->text];
  const char *name = dot_node_name(node);
  if (status != NEAP_ERROR_INPUT || !error) return status;
  snprintf(text, sizeof text, "node %s: %.400s", text_excerpt(excerpt, name, strlen(name)),
           error->text);
  size_t line = dot_guard_line(reading->text, reading->size, name, NULL, 0);
  return error_at(error, status, line, 0, "%s", text);
}

/* Takes the key from the attribute that orders nodes, or else from the order of the file. */
static neap_status read_key(struct dot_node *node, size_t position,
                            const struct dot_reading *reading, neap_error *error) {
  const char *name = reading->asked->dot.order ? reading->asked->dot.order : "id";
  const char *text = dot_library_attribute(node->node, name);
  char excerpt[TEXT_EXCERPT];
  if (text && text_number(text, strlen(text), &node->key) == TEXT_NUMBER_OK) return NEAP_OK;
  node->key = (int64_t)position;
  if (!reading->asked->dot.order) return NEAP_OK;
  if (!text)
    return error_set(error, NEAP_ERROR_INPUT,
                     "no attribute %s, which neap_reading.dot.order names", name);
  return error_set(error, NEAP_ERROR_INPUT, "expected a whole number in %s, found %s", name,
                   text_excerpt(excerpt, text, strlen(text)));
}

/* cgraph numbers nodes as they come, from 1, with gaps where some were deleted. */
static neap_status read_nodes(struct dot_nodes *nodes, Agraph_t *graph, size_t *number_of,
                              const struct dot_reading *reading, neap_error *error) {
  neap_status status = NEAP_OK;
  for (Agnode_t *at = agfstnode(graph); at && status == NEAP_OK; at = agnxtnode(graph, at)) {
    struct dot_node *node = &nodes->nodes[nodes->count];
    number_of[AGSEQ(at)] = nodes->count++;
    *node = (struct dot_node){.node = at, .role = role_of(at)};
    if (dot_node_name(node)[0] == '%')
      return error_set(error, NEAP_ERROR_INPUT,
                       "names of nodes must not begin with %%, which Graphviz reserves");
    status = read_key(node, nodes->count, reading, error);
    if (status == NEAP_OK) status = dot_size(at, reading, &node->own, error);
    if (status != NEAP_OK) return about_node(node, reading, status, error);
  }
  return status;
}

/* ---------------------------------------------------------------- edges */

/* Where the file has an edge. */
static size_t line_of(const struct dot_nodes *nodes, const struct dot_edge *edge,
                      const struct dot_reading *reading) {
  size_t nth = 0;
  for (size_t e = 0; e < nodes->edge_count; e++) {
    const struct dot_edge *other = &nodes->edges[e];
    nth += other->from == edge->from && other->to == edge->to && other->number < edge->number;
  }
  return dot_guard_line(reading->text, reading->size, dot_node_name(&nodes->nodes[edge->from]),
                        dot_node_name(&nodes->nodes[edge->to]), nth);
}

static neap_status about_edge(const struct dot_nodes *nodes, const struct dot_edge *edge,
                              const struct dot_reading *reading, neap_status status,
                              neap_error *error) {
  char from[TEXT_EXCERPT], to[TEXT_EXCERPT], text[sizeof error->text];
  const char *tail = dot_node_name(&nodes->nodes[edge->from]);
  const char *head = dot_node_name(&nodes->nodes[edge->to]);
  if (status != NEAP_ERROR_INPUT || !error) return status;
  snprintf(text, sizeof text, "edge %s -> %s: %.300s", text_excerpt(from, tail, strlen(tail)),
           text_excerpt(to, head, strlen(head)), error->text);
  return error_at(error, status, line_of(nodes, edge, reading), 0, "%s", text);
}

/* Takes the size from the edge, or else from its tail; 0 for weights without a size. */
static neap_status read_size(const struct dot_nodes *nodes, struct dot_edge *edge,
                             Agedge_t *from, const struct dot_reading *reading,
                             neap_error *error) {
  const struct dot_node *maker = &nodes->nodes[edge->from];
  neap_status status = dot_size(from, reading, &edge->size, error);
  if (status != NEAP_OK || edge->size.bytes != NEAP_UNPLACED) return status;
  edge->size = maker->own;
  if (edge->size.bytes == NEAP_UNPLACED && maker->role == DOT_CONSTANT) edge->size.bytes = 0;
  if (edge->size.bytes != NEAP_UNPLACED) return NEAP_OK;
  if (reading->asked->dot.size)
    return error_set(error, NEAP_ERROR_INPUT,
                     "no attribute %.100s, which neap_reading.dot.size names",
                     reading->asked->dot.size);
  return error_set(
      error, NEAP_ERROR_INPUT,
      "no size: expected an attribute bytes, size, shape or label (neap_reading.dot.size "
      "names another)");
}

static neap_status read_edge(struct dot_nodes *nodes, Agedge_t *at, const size_t *number_of,
                             const struct dot_reading *reading, neap_error *error) {
  struct dot_edge *edge = &nodes->edges[nodes->edge_count];
  const char *port = dot_library_attribute(at, "out_port_id");
  if (!port) port = dot_library_attribute(at, "tailport");
  *edge = (struct dot_edge){.from = number_of[AGSEQ(agtail(at))],
                            .to = number_of[AGSEQ(aghead(at))],
                            .port = port ? port : "",
                            .number = nodes->edge_count++};
  return about_edge(nodes, edge, reading, read_size(nodes, edge, at, reading, error), error);
}

static neap_status read_edges(struct dot_nodes *nodes, Agraph_t *graph, const size_t *number_of,
                              const struct dot_reading *reading, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t n = 0; n < nodes->count; n++)
    for (Agedge_t *at = agfstout(graph, nodes->nodes[n].node); at && status == NEAP_OK;
         at = agnxtout(graph, at))
      status = read_edge(nodes, at, number_of, reading, error);
  return status;
}

static size_t last_number(Agraph_t *graph) {
  size_t last = 0;
  for (Agnode_t *at = agfstnode(graph); at; at = agnxtnode(graph, at))
    if (AGSEQ(at) > last) last = AGSEQ(at);
  return last;
}

neap_status dot_nodes_read(struct dot_nodes *nodes, Agraph_t *graph,
                           const struct dot_reading *reading, neap_error *error) {
  size_t *number_of = memory_array(last_number(graph) + 1, sizeof *number_of);
  nodes->nodes = memory_array((size_t)agnnodes(graph), sizeof *nodes->nodes);
  nodes->edges = memory_array((size_t)agnedges(graph), sizeof *nodes->edges);
  neap_status status = number_of && nodes->nodes && nodes->edges
                           ? read_nodes(nodes, graph, number_of, reading, error)
                           : error_memory(error);
  if (status == NEAP_OK) status = read_edges(nodes, graph, number_of, reading, error);
  free(number_of);
  return status;
}

void dot_nodes_clear(struct dot_nodes *nodes) {
  free(nodes->nodes);
  free(nodes->edges);
}

/* ---------------------------------------------------------------- order */

/* Reports a cycle at the line of its first edge. */
static neap_status blame_cycle(const struct dot_nodes *nodes, const size_t *cycle, size_t count,
                               const struct dot_reading *reading, neap_error *error) {
  const struct dot_edge first = {.from = cycle[0], .to = cycle[1 % count]};
  char text[TEXT_EXCERPT * (CYCLE_SHOWN + 2)] = "", excerpt[TEXT_EXCERPT];
  for (size_t i = 0; i <= count && i <= CYCLE_SHOWN; i++) {
    const char *name = dot_node_name(&nodes->nodes[cycle[i % count]]);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? " -> " : "",
             text_excerpt(excerpt, name, strlen(name)));
  }
  return error_at(error, NEAP_ERROR_INPUT, line_of(nodes, &first, reading), 0, "cycle: %s%s",
                  text, count > CYCLE_SHOWN ? " -> ..." : "");
}

/* An order that the file gives must respect the edges. */
static neap_status check_order(const struct dot_nodes *nodes, const struct dot_reading *reading,
                               neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  for (size_t e = 0; e < nodes->edge_count; e++) {
    const struct dot_edge *edge = &nodes->edges[e];
    const struct dot_node *from = &nodes->nodes[edge->from], *to = &nodes->nodes[edge->to];
    if (from->role == DOT_CONSTANT || from->key < to->key) continue;
    error_set(
        error, NEAP_ERROR_INPUT,
        "goes backwards in the order of %s, from %" PRId64 " to %" PRId64,
        text_excerpt(excerpt, reading->asked->dot.order, strlen(reading->asked->dot.order)),
        from->key, to->key);
    return about_edge(nodes, edge, reading, NEAP_ERROR_INPUT, error);
  }
  return NEAP_OK;
}

neap_status dot_nodes_order(const struct dot_nodes *nodes, const struct dot_reading *reading,
                            size_t *order, neap_error *error) {
  struct topology_edge *edges = memory_array(nodes->edge_count, sizeof *edges);
  int64_t *keys = memory_array(nodes->count, sizeof *keys);
  size_t sorted = 0, cycle = 0;
  neap_status status = edges && keys ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && reading->asked->dot.order)
    status = check_order(nodes, reading, error);
  if (status == NEAP_OK) {
    for (size_t e = 0; e < nodes->edge_count; e++)
      edges[e] = (struct topology_edge){nodes->edges[e].from, nodes->edges[e].to};
    for (size_t n = 0; n < nodes->count; n++)
      keys[n] = nodes->nodes[n].key;
    status = topology_sort(nodes->count, edges, nodes->edge_count, keys, order, &sorted, &cycle,
                           error);
  }
  free(edges);
  free(keys);
  if (status != NEAP_OK || sorted == nodes->count) return status;
  return blame_cycle(nodes, order + sorted, cycle, reading, error);
}
