/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/graph.h"

/* Extends the marks, because tensors may be added after states. */
static bool reserve_marks(struct neap_graph *graph) {
  const size_t count = graph_tensor_count(graph), had = graph->mark_count;
  if (count <= had) return true;
  const size_t more = count > 2 * had ? count : 2 * had;
  bool *marks = memory_array(more, sizeof *marks);
  if (!marks) return false;
  if (had > 0) memcpy(marks, graph->is_state, had * sizeof *marks);
  free(graph->is_state);
  graph->is_state = marks;
  graph->mark_count = more;
  return true;
}

static bool add(struct neap_graph *graph, size_t output, size_t input) {
  if (!reserve_marks(graph) || !memory_reserve(&graph->states, &graph->state_capacity,
                                               graph->state_count + 1, sizeof *graph->states))
    return false;
  graph->states[graph->state_count++] = (struct graph_state){output, input};
  graph->is_state[output] = graph->is_state[input] = true;
  return true;
}

static bool is_in_state(const struct neap_graph *graph, size_t tensor) {
  return tensor < graph->mark_count && graph->is_state[tensor];
}

neap_status graph_add_state(struct neap_graph *graph, size_t output, size_t input,
                            neap_error *error) {
  const size_t count = graph_tensor_count(graph);
  if (output >= count || input >= count)
    return error_set(error, NEAP_ERROR_ARGUMENT, "there is no tensor %zu",
                     output >= count ? output : input);
  const neap_tensor *from = &graph->tensors[output], *to = &graph->tensors[input];
  char one[TEXT_EXCERPT], other[TEXT_EXCERPT];
  const char *from_name = names_text(&graph->names, output);
  const char *to_name = names_text(&graph->names, input);
  text_excerpt(one, from_name, strlen(from_name));
  text_excerpt(other, to_name, strlen(to_name));
  if (output == input || !from->is_output || !to->is_input ||
      from->kind != NEAP_TENSOR_ACTIVATION || to->kind != NEAP_TENSOR_ACTIVATION)
    return error_set(error, NEAP_ERROR_INPUT,
                     "a state goes from an output to an input of the graph, not from %s to %s",
                     one, other);
  if (from->bytes != to->bytes)
    return error_set(error, NEAP_ERROR_INPUT,
                     "%s and %s are one state, but do not have the same size", one, other);
  if (is_in_state(graph, output) || is_in_state(graph, input))
    return error_set(error, NEAP_ERROR_INPUT, "%s or %s is in a state already", one, other);
  return add(graph, output, input) ? NEAP_OK : error_memory(error);
}

bool graph_copy_states(const struct neap_graph *graph, struct neap_graph *copy) {
  bool fits = true;
  for (size_t i = 0; i < graph->state_count && fits; i++)
    fits = add(copy, graph->states[i].output, graph->states[i].input);
  return fits;
}
