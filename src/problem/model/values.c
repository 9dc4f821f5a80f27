/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view has the value of its input, if the two can share bytes.  If an output is a view of
 * several inputs, the first one counts.
 *
 * If tensors are parts of other tensors, their begins and ends divide each body into values:
 *
 *     a  |-----|
 *     b        |--------|
 *     w  |--------------|
 *     v     |-----------|
 *        |0 |1 |   2    |
 */
#include "model/values.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/aliases.h"

#define NONE SIZE_MAX

/* The tensor whose value a tensor has, possibly itself; shortens the path to it. */
static size_t root_of(size_t *roots, size_t tensor) {
  while (roots[tensor] != tensor)
    tensor = roots[tensor] = roots[roots[tensor]];
  return tensor;
}

static void join_views(const struct neap_graph *graph, const neap_liveness *options,
                       size_t *roots) {
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    for (size_t p = node->pairs_begin; p < node->pairs_end; p++) {
      const neap_in_place *pair = &graph->pairs[p];
      if (!pair->is_view || !aliases_pair_applies(options, pair)) continue;
      size_t input = graph->links[node->inputs.begin + pair->input];
      size_t output = graph->links[node->outputs.begin + pair->output];
      if (roots[output] == output && root_of(roots, input) != output &&
          graph_may_share(graph, options, input, output))
        roots[output] = root_of(roots, input);
    }
  }
}

/* Numbers the values of roots, then gives each tensor that of its root. */
static void number_values(struct values *values, const struct neap_graph *graph,
                          const neap_liveness *options, size_t *roots) {
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    if (roots[t] != t) continue;
    values->items[t] = values->count;
    values->sizes[values->count++] =
        graph_is_planned(graph, options, t) ? graph->tensors[t].bytes : 0;
  }
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    values->items[t] = values->items[root_of(roots, t)];
    values->ends[t] = t + 1;
  }
}

static neap_status init_plain(struct values *values, const struct neap_graph *graph,
                              const neap_liveness *options, neap_error *error) {
  size_t tensors = graph_tensor_count(graph);
  size_t *roots = memory_array(tensors, sizeof *roots);
  values->sizes = memory_array(tensors, sizeof *values->sizes);
  values->ends = memory_array(tensors, sizeof *values->ends);
  values->items = memory_array(tensors, sizeof *values->items);
  bool has_room = roots && values->sizes && values->ends && values->items;
  for (size_t t = 0; has_room && t < tensors; t++)
    roots[t] = t;
  if (has_room) {
    join_views(graph, options, roots);
    number_values(values, graph, options, roots);
  }
  free(roots);
  return has_room ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- parts of tensors */

/* A tensor begins or ends at a byte of its body. */
struct edge {
  size_t body;
  neap_offset byte;
  size_t value; /* the value that begins here; NONE: the body ends here */
};

struct division {
  const struct neap_graph *graph;
  const struct aliases *aliases;
  struct edge *edges; /* by body and byte */
  size_t count;
};

static int by_byte(const void *left, const void *right) {
  const struct edge *a = left, *b = right;
  if (a->body != b->body) return a->body < b->body ? -1 : 1;
  return a->byte < b->byte ? -1 : a->byte > b->byte;
}

static bool list_edges(struct division *division) {
  const struct aliases *aliases = division->aliases;
  size_t used = 0;
  division->edges = memory_array(2 * aliases->count, sizeof *division->edges);
  if (!division->edges) return false;
  for (size_t t = 0; t < aliases->count; t++) {
    neap_offset begin = aliases_offset(aliases, t);
    neap_offset end = begin + division->graph->tensors[t].bytes;
    size_t body = aliases_body(aliases, t);
    division->edges[division->count++] = (struct edge){body, begin, NONE};
    division->edges[division->count++] = (struct edge){body, end, NONE};
  }
  if (division->count > 0)
    qsort(division->edges, division->count, sizeof *division->edges, by_byte);
  for (size_t e = 0; e < division->count; e++)
    if (used == 0 || by_byte(&division->edges[used - 1], &division->edges[e]) != 0)
      division->edges[used++] = division->edges[e];
  division->count = used;
  return true;
}

/* The edge at a byte of a body. */
static size_t edge_at(const struct division *division, size_t body, neap_offset byte) {
  const struct edge sought = {body, byte, NONE};
  struct bisection search = bisection_of(0, division->count);
  while (bisection_open(&search))
    bisection_step(&search, by_byte(&division->edges[search.middle], &sought) < 0);
  assert(search.low < division->count && division->edges[search.low].byte == byte);
  return search.low;
}

/* An empty tensor has an empty value. */
static bool number_edges(struct values *values, const struct division *division,
                         const neap_liveness *options) {
  size_t count = division->count;
  values->sizes = memory_array(count, sizeof *values->sizes);
  values->is_divided = memory_array(count, sizeof *values->is_divided);
  if (!values->sizes || !values->is_divided) return false;
  for (size_t e = 0; e < count; e++) {
    struct edge *edge = &division->edges[e];
    bool begins = e == 0 || division->edges[e - 1].body != edge->body;
    bool ends = e + 1 == count || division->edges[e + 1].body != edge->body;
    if (ends && !begins) continue;
    if (!ends && graph_is_planned(division->graph, options, edge->body))
      values->sizes[values->count] = division->edges[e + 1].byte - edge->byte;
    values->is_divided[values->count] = division->aliases->is_divided[edge->body];
    edge->value = values->count++;
  }
  return true;
}

/* The values of a body have consecutive numbers. */
static size_t values_of(const struct division *division, size_t tensor, size_t *first) {
  size_t body = aliases_body(division->aliases, tensor);
  neap_offset begin = aliases_offset(division->aliases, tensor);
  neap_size bytes = division->graph->tensors[tensor].bytes;
  size_t low = edge_at(division, body, begin);
  *first = division->edges[low].value;
  assert(*first != NONE);
  return bytes == 0 ? 1 : edge_at(division, body, begin + bytes) - low;
}

static bool list_values(struct values *values, const struct division *division) {
  size_t tensors = division->aliases->count, used = 0, first;
  values->ends = memory_array(tensors, sizeof *values->ends);
  if (!values->ends) return false;
  for (size_t t = 0; t < tensors; t++)
    values->ends[t] = used += values_of(division, t, &first);
  values->items = memory_array(used, sizeof *values->items);
  if (!values->items) return false;
  for (size_t t = 0, i = 0; t < tensors; t++) {
    values_of(division, t, &first);
    for (; i < values->ends[t]; i++)
      values->items[i] = first++;
  }
  return true;
}

neap_status values_init(struct values *values, const struct neap_graph *graph,
                        const neap_liveness *options, neap_error *error) {
  struct aliases aliases = {0};
  struct division division = {.graph = graph, .aliases = &aliases};
  neap_status status = aliases_init(&aliases, graph, options, error);
  if (status == NEAP_OK && !aliases.bodies) return init_plain(values, graph, options, error);
  if (status == NEAP_OK &&
      !(list_edges(&division) && number_edges(values, &division, options) &&
        list_values(values, &division)))
    status = error_memory(error);
  free(division.edges);
  aliases_clear(&aliases);
  return status;
}

void values_clear(struct values *values) {
  free(values->sizes);
  free(values->is_divided);
  free(values->ends);
  free(values->items);
}

size_t values_alone(const struct values *values, size_t tensor) {
  size_t begin = values_begin(values, tensor), value = values->items[begin];
  bool is_divided = values->is_divided && values->is_divided[value];
  assert(is_divided || values->ends[tensor] == begin + 1);
  return is_divided ? VALUES_NONE : value;
}
