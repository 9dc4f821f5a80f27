/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/operators/multiply_accumulates.h"

#include "core/checked.h"
#include "model/graph.h"
#include "models/operators/tensor_slices.h"

int64_t work_products(int64_t elements, int64_t weights, int64_t shares) {
  int64_t products;
  if (shares < 1 || weights < 0 || !checked_mul(elements, weights / shares, &products))
    return 0;
  return products <= WORK_MAX ? products : 0;
}

/* Scratch buffers are also outputs, but they have no shape and do not count. */
static int64_t made_elements(const struct neap_graph *graph, struct graph_links outputs) {
  int64_t sum = 0, count;
  for (size_t i = outputs.begin; i < outputs.end; i++) {
    const struct tensor_shape shape = shapes_of(&graph->shapes, graph->links[i]);
    if (shape.dimensions &&
        parts_elements(&(struct parts_shape){shape.rank, shape.dimensions}, &count))
      sum = smaller_of(sum + smaller_of(count, WORK_MAX), WORK_MAX);
  }
  return sum;
}

neap_status work_time_operator(neap_graph *graph, int64_t macs, neap_error *error) {
  const struct graph_operator *last = &graph->operators[graph->operator_count - 1];
  graph->counts_work = true;
  return neap_graph_time_operator(
      graph, larger_of(larger_of(macs, made_elements(graph, last->outputs)), 1), error);
}
