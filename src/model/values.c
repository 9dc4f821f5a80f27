/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view has the value of its input, if the two can share bytes at all.  The first such pair of an
 * output counts.
 */
#include "model/values.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

#define NONE SIZE_MAX

bool values_pair_applies(const neap_liveness *options, const neap_in_place *pair) {
  return options->in_place || (pair->is_view && options->aliases & NEAP_ALIAS_VIEWS);
}

/* Per tensor: the one whose value it has, or itself. */
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
      if (!pair->is_view || !values_pair_applies(options, pair)) continue;
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

neap_status values_init(struct values *values, const struct neap_graph *graph,
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

void values_clear(struct values *values) {
  free(values->sizes);
  free(values->ends);
  free(values->items);
}

size_t values_alone(const struct values *values, size_t tensor) {
  size_t begin = values_begin(values, tensor);
  return values->ends[tensor] == begin + 1 ? values->items[begin] : VALUES_NONE;
}
