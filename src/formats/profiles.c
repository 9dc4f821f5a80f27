/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/profiles.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/graph.h"

static const struct profile profiles[] = {
    {.name = "none", .summary = "outputs do not overlap inputs"},
    {.name = "elementwise",
     .summary = "operators that can work in place go through their elements in order, so their "
                "outputs may also begin anywhere below their inputs",
     .pairs = true},
    {.name = "tflite-reference",
     .summary =
         "the reference kernels of TensorFlow Lite Micro: outputs overlap inputs as far as "
         "the loops of each kernel allow",
     .reference = true},
};

enum { PROFILES = sizeof profiles / sizeof *profiles };

const struct profile *profiles_at(size_t index) {
  return index < PROFILES ? &profiles[index] : NULL;
}

const struct profile *profiles_find(const char *name) {
  if (!name) return &profiles[0];
  for (size_t i = 0; i < PROFILES; i++)
    if (strcmp(profiles[i].name, name) == 0) return &profiles[i];
  return NULL;
}

const struct profile *profiles_of(const neap_reading *reading) {
  const struct profile *profile = profiles_find(reading->overlap);
  return profile ? profile : &profiles[0];
}

bool profiles_overlap(const neap_reading *reading) {
  return profiles_of(reading) != &profiles[0];
}

/* Whether the output of an in-place pair has the elements of the input. */
static bool is_element_wise(const neap_graph *graph, const struct graph_operator *node,
                            const neap_in_place *pair) {
  size_t input = graph->links[node->inputs.begin + pair->input];
  size_t output = graph->links[node->outputs.begin + pair->output];
  return !pair->is_view && graph->tensors[input].bytes == graph->tensors[output].bytes;
}

/* Rebuilds the list, because those of an operator are next to each other. */
static void append_pairs(neap_graph *graph, neap_allowance *all) {
  size_t count = 0;
  for (size_t k = 0; k < graph->operator_count; k++) {
    struct graph_operator *node = &graph->operators[k];
    size_t begin = count;
    for (size_t a = node->allowances_begin; a < node->allowances_end; a++)
      all[count++] = graph->allowances[a];
    for (size_t p = node->pairs_begin; p < node->pairs_end; p++)
      if (is_element_wise(graph, node, &graph->pairs[p]))
        all[count++] = (neap_allowance){sizeof(neap_allowance), graph->pairs[p].input,
                                        graph->pairs[p].output, 0};
    node->allowances_begin = begin;
    node->allowances_end = count;
  }
  assert(count <= graph->allowance_count + graph->pair_count);
  free(graph->allowances);
  graph->allowances = all;
  graph->allowance_capacity = graph->allowance_count + graph->pair_count;
  graph->allowance_count = count;
}

neap_status profiles_apply(neap_graph *graph, const neap_reading *reading, neap_error *error) {
  if (!profiles_of(reading)->pairs) return NEAP_OK;
  neap_allowance *all = memory_array(graph->allowance_count + graph->pair_count, sizeof *all);
  if (!all) return error_memory(error);
  append_pairs(graph, all);
  return NEAP_OK;
}
