/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/text.h"
#include "formats/json/json.h"
#include "model/graph.h"
#include "model/topology.h"

struct reader {
  struct json_at root, nodes, links;
  neap_graph *graph;
  const char *size_key, *duration_key; /* of a node */
  struct names ids;            /* of the nodes */
  struct topology_edge *edges; /* per link */
  size_t count, edge_count;    /* of nodes and links */
  int64_t *keys;               /* per node: its place in the order that is aimed at */
  size_t *order;
  size_t *ends; /* per node: the end of its range of `read` */
  size_t *read; /* the nodes whose tensors it reads */
};

bool node_link_is(json_t *root) {
  return json_is_array(json_object_get(root, "nodes")) && !json_object_get(root, "format") &&
         (json_object_get(root, "links") || json_object_get(root, "edges"));
}

/* ---------------------------------------------------------------- identifiers */

enum { NUMBER_TEXT = 24 };

/* The text of a number or a string; `room` has room for a number. */
static neap_status read_id(const struct json_at *at, char room[NUMBER_TEXT], const char **text,
                           neap_error *error) {
  int64_t number;
  *text = room;
  if (json_is_string(at->value)) return json_read_string(at, text, error);
  neap_status status = json_read_number(at, INT64_MIN, &number, error);
  if (status == NEAP_OK) snprintf(room, NUMBER_TEXT, "%" PRId64, number);
  return status;
}

static neap_status find_node(const struct reader *reader, const struct json_at *at,
                             size_t *node, neap_error *error) {
  char room[NUMBER_TEXT], excerpt[TEXT_EXCERPT];
  const char *id;
  neap_status status = read_id(at, room, &id, error);
  if (status != NEAP_OK) return status;
  *node = names_find(&reader->ids, id, strlen(id));
  if (*node != NAMES_NONE) return NEAP_OK;
  return json_blame(at, error, "no node is called %s", text_excerpt(excerpt, id, strlen(id)));
}

static neap_status add_id(struct reader *reader, const struct json_at *node,
                          neap_error *error) {
  struct json_at at = json_member(node, "id");
  char room[NUMBER_TEXT], excerpt[TEXT_EXCERPT];
  const char *id;
  if (!at.value) at = json_member(node, "name");
  neap_status status = read_id(&at, room, &id, error);
  if (status != NEAP_OK) return status;
  size_t length = strlen(id);
  if (names_find(&reader->ids, id, length) != NAMES_NONE)
    return json_blame(&at, error, "two nodes are called %s", text_excerpt(excerpt, id, length));
  return names_add(&reader->ids, id, length) ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- nodes */

/* The tensor and the operator have the node's name, or if it has none, its identifier. */
static neap_status read_name(const struct reader *reader, const struct json_at *node, size_t n,
                             char room[NUMBER_TEXT], const char **name, neap_error *error) {
  struct json_at at = json_member(node, "name");
  *name = names_text(&reader->ids, n);
  return at.value ? read_id(&at, room, name, error) : NEAP_OK;
}

static neap_status add_tensor(struct reader *reader, size_t n, neap_error *error) {
  struct json_at node = json_element(&reader->nodes, n);
  struct json_at bytes = json_member(&node, reader->size_key);
  neap_tensor tensor = {.struct_size = sizeof(neap_tensor), .alignment = 1, .is_output = true};
  char room[NUMBER_TEXT];
  const char *name;
  neap_status status = add_id(reader, &node, error);
  if (status == NEAP_OK) status = json_read_number(&bytes, 0, &tensor.bytes, error);
  if (status == NEAP_OK) status = read_name(reader, &node, n, room, &name, error);
  if (status != NEAP_OK) return status;
  status = neap_graph_add_tensor(reader->graph, name, &tensor, error);
  return status == NEAP_ERROR_INPUT ? json_place(&node, status, error) : status;
}

/* ---------------------------------------------------------------- links */

static neap_status read_end(const struct reader *reader, const struct json_at *link,
                            const char *key, const char *other, size_t *node,
                            neap_error *error) {
  struct json_at at = json_member(link, key), numbered = json_member(link, other);
  return find_node(reader, numbered.value ? &numbered : &at, node, error);
}

static neap_status add_edge(struct reader *reader, size_t e, neap_error *error) {
  struct json_at link = json_element(&reader->links, e);
  struct topology_edge *edge = &reader->edges[e];
  neap_status status = read_end(reader, &link, "source", "0", &edge->from, error);
  if (status == NEAP_OK) status = read_end(reader, &link, "target", "1", &edge->to, error);
  if (status != NEAP_OK) return status;
  reader->graph->tensors[edge->from].is_output = false;
  reader->ends[edge->to]++;
  return NEAP_OK;
}

/* Sorts the nodes that each node reads by the links' order. */
static void list_read(struct reader *reader) {
  for (size_t n = 1; n < reader->count; n++)
    reader->ends[n] += reader->ends[n - 1];
  for (size_t e = reader->edge_count; e-- > 0;)
    reader->read[--reader->ends[reader->edges[e].to]] = reader->edges[e].from;
  for (size_t n = 0; n < reader->count; n++)
    reader->ends[n] = n + 1 < reader->count ? reader->ends[n + 1] : reader->edge_count;
}

/* ---------------------------------------------------------------- order */

/* Sets the keys to the places in the document's list, which has every node once. */
static neap_status read_order(struct reader *reader, const struct json_at *list,
                              neap_error *error) {
  size_t count, node;
  neap_status status = json_read_array(list, &count, error);
  if (status == NEAP_OK && count != reader->count)
    status = json_blame(list, error, "expected %zu nodes, found %zu", reader->count, count);
  for (size_t n = 0; n < reader->count; n++)
    reader->keys[n] = -1;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(list, i);
    status = find_node(reader, &at, &node, error);
    if (status != NEAP_OK) break;
    if (reader->keys[node] >= 0) status = json_blame(&at, error, "the node is there twice");
    reader->keys[node] = (int64_t)i;
  }
  return status;
}

static neap_status blame_cycle(const struct reader *reader, const size_t *cycle, size_t length,
                               neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t to = cycle[1 % length], e = 0;
  while (reader->edges[e].from != cycle[0] || reader->edges[e].to != to)
    e++;
  const char *id = names_text(&reader->ids, cycle[0]);
  struct json_at link = json_element(&reader->links, e);
  return json_blame(&link, error, "node %s depends on itself, through %zu %s",
                    text_excerpt(excerpt, id, strlen(id)), length,
                    length == 1 ? "link" : "links");
}

static neap_status find_order(struct reader *reader, neap_error *error) {
  struct json_at attributes = json_member(&reader->root, "graph");
  struct json_at list = json_member(&attributes, "order");
  size_t sorted, cycle;
  neap_status status = NEAP_OK;
  for (size_t n = 0; n < reader->count; n++)
    reader->keys[n] = (int64_t)n;
  if (list.value) status = read_order(reader, &list, error);
  if (status == NEAP_OK)
    status = topology_sort(reader->count, reader->edges, reader->edge_count, reader->keys,
                           reader->order, &sorted, &cycle, error);
  if (status != NEAP_OK || sorted == reader->count) return status;
  return blame_cycle(reader, reader->order + sorted, cycle, error);
}

/* Durations that are fractions are rounded, because other tools measure them in any unit. */
static neap_status time_operator(struct reader *reader, size_t n, neap_error *error) {
  struct json_at node = json_element(&reader->nodes, n);
  struct json_at at = json_member(&node, reader->duration_key);
  int64_t duration = 0;
  neap_status status = NEAP_OK;
  if (!at.value || json_is_null(at.value)) return NEAP_OK;
  double fraction = json_is_real(at.value) ? json_real_value(at.value) : -1;
  if (fraction >= 0 && fraction <= (double)NEAP_DURATION_MAX) duration = llround(fraction);
  else status = json_read_number(&at, 0, &duration, error);
  if (status == NEAP_OK) status = neap_graph_time_operator(reader->graph, duration, error);
  return status == NEAP_ERROR_INPUT ? json_place(&at, status, error) : status;
}

static neap_status add_operator(struct reader *reader, size_t n, neap_error *error) {
  neap_graph *graph = reader->graph;
  neap_status status = neap_graph_add_operator(graph, names_text(&graph->names, n), error);
  if (status == NEAP_OK) status = time_operator(reader, n, error);
  for (size_t i = n == 0 ? 0 : reader->ends[n - 1]; i < reader->ends[n] && status == NEAP_OK;
       i++)
    status = neap_graph_add_link(graph, NEAP_LINK_INPUT, reader->read[i], error);
  return status == NEAP_OK ? neap_graph_add_link(graph, NEAP_LINK_OUTPUT, n, error) : status;
}

/* ---------------------------------------------------------------- the whole */

static neap_status read_attributes(struct reader *reader, neap_error *error) {
  struct json_at attributes = json_member(&reader->root, "graph");
  struct json_at directed = json_member(&reader->root, "directed");
  struct json_at tag = json_member(&attributes, "node_output_cost_tag");
  struct json_at timed = json_member(&attributes, "node_duration_tag");
  bool is_directed = false;
  neap_status status = json_read_boolean(&directed, &is_directed, error);
  if (status == NEAP_OK && !is_directed)
    status = json_blame(&directed, error, "expected true: links go from maker to reader");
  reader->size_key = "cost_ram";
  reader->duration_key = "cost_cpu";
  if (status == NEAP_OK && tag.value) status = json_read_string(&tag, &reader->size_key, error);
  if (status == NEAP_OK && timed.value)
    status = json_read_string(&timed, &reader->duration_key, error);
  return status;
}

static neap_status make_room(struct reader *reader, neap_error *error) {
  reader->edges = memory_array(reader->edge_count, sizeof *reader->edges);
  reader->read = memory_array(reader->edge_count, sizeof *reader->read);
  reader->keys = memory_array(reader->count, sizeof *reader->keys);
  reader->order = memory_array(reader->count, sizeof *reader->order);
  reader->ends = memory_array(reader->count, sizeof *reader->ends);
  return reader->graph && reader->edges && reader->read && reader->keys && reader->order &&
                 reader->ends
             ? NEAP_OK
             : error_memory(error);
}

static neap_status read_all(struct reader *reader, neap_error *error) {
  reader->nodes = json_member(&reader->root, "nodes");
  reader->links = json_member(&reader->root, "links");
  if (!reader->links.value) reader->links = json_member(&reader->root, "edges");
  neap_status status = json_read_array(&reader->nodes, &reader->count, error);
  if (status == NEAP_OK) status = json_read_array(&reader->links, &reader->edge_count, error);
  if (status == NEAP_OK) status = read_attributes(reader, error);
  if (status == NEAP_OK) status = make_room(reader, error);
  for (size_t n = 0; n < reader->count && status == NEAP_OK; n++)
    status = add_tensor(reader, n, error);
  for (size_t e = 0; e < reader->edge_count && status == NEAP_OK; e++)
    status = add_edge(reader, e, error);
  if (status != NEAP_OK) return status;
  list_read(reader);
  status = find_order(reader, error);
  for (size_t i = 0; i < reader->count && status == NEAP_OK; i++)
    status = add_operator(reader, reader->order[i], error);
  return status;
}

neap_status node_link_from(const struct json_document *document, neap_graph **graph,
                           neap_error *error) {
  struct reader reader = {.root = json_document_root(document), .graph = neap_graph_new()};
  neap_status status = read_all(&reader, error);
  names_clear(&reader.ids);
  free(reader.edges);
  free(reader.read);
  free(reader.keys);
  free(reader.order);
  free(reader.ends);
  if (status == NEAP_OK) *graph = reader.graph;
  else neap_graph_free(reader.graph);
  return status;
}
