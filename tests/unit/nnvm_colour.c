/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeatedly gives a colour to the longest path of uncoloured nodes. */
#include "tests/unit/nnvm_colour.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

#define NO_COLOUR SIZE_MAX

struct paths {
  const struct nnvm_graph *graph;
  uint64_t *reward, *best;
  size_t *next, *producer; /* of each entry */
};

/* The first node of the best path; its reward is best[node]. */
static size_t find_path(struct paths *paths) {
  size_t count = paths->graph->node_count, start = count;
  uint64_t most = 0;
  for (size_t v = 0; v < count; v++) {
    paths->best[v] = 0;
    paths->next[v] = count;
  }
  for (size_t v = count; v-- > 0;) {
    const struct nnvm_node *node = &paths->graph->nodes[v];
    paths->best[v] += paths->reward[v];
    if (paths->best[v] > most) {
      most = paths->best[v];
      start = v;
    }
    for (size_t i = 0; i < node->input_count; i++) {
      size_t producer = paths->producer[node->inputs[i]];
      if (paths->best[v] <= paths->best[producer]) continue;
      paths->best[producer] = paths->best[v];
      paths->next[producer] = v;
    }
  }
  return start;
}

static void colour_paths(struct paths *paths, size_t max_colours, size_t *colours,
                         size_t *count) {
  size_t nodes = paths->graph->node_count, colour = 0;
  for (; colour < max_colours - 1; colour++) {
    size_t start = find_path(paths);
    if (start == nodes) break;
    for (size_t v = start; v != nodes; v = paths->next[v]) {
      if (paths->reward[v] == 0) continue;
      colours[v] = colour;
      paths->reward[v] = 0;
    }
  }
  for (size_t v = 0; v < nodes; v++)
    if (colours[v] == NO_COLOUR) colours[v] = colour;
  *count = colour + 1;
}

neap_status nnvm_colour(const struct nnvm_graph *graph, size_t max_colours, size_t *colours,
                        size_t *count, neap_error *error) {
  if (max_colours < 1)
    return error_set(error, NEAP_ERROR_ARGUMENT, "nnvm: expected at least one colour, found 0");
  struct paths paths = {.graph = graph};
  paths.reward = memory_array(graph->node_count, sizeof *paths.reward);
  paths.best = memory_array(graph->node_count, sizeof *paths.best);
  paths.next = memory_array(graph->node_count, sizeof *paths.next);
  paths.producer = memory_array(graph->entry_count, sizeof *paths.producer);
  bool good = paths.reward && paths.best && paths.next && paths.producer;
  for (size_t v = 0; v < graph->node_count && good; v++) {
    const struct nnvm_node *node = &graph->nodes[v];
    paths.reward[v] = node->is_variable ? 0 : 1;
    colours[v] = NO_COLOUR;
    for (size_t o = 0; o < node->output_count; o++)
      paths.producer[node->first_entry + o] = v;
  }
  if (good) colour_paths(&paths, max_colours, colours, count);
  free(paths.reward);
  free(paths.best);
  free(paths.next);
  free(paths.producer);
  return good ? NEAP_OK : error_memory(error);
}
