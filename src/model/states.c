/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/graph.h"

neap_status graph_add_state(struct neap_graph *graph, size_t output, size_t input,
                            neap_error *error) {
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
  if (!graph->is_state)
    graph->is_state = memory_array(graph_tensor_count(graph), sizeof *graph->is_state);
  if (!graph->is_state) return error_memory(error);
  if (graph->is_state[output] || graph->is_state[input])
    return error_set(error, NEAP_ERROR_INPUT, "%s or %s is in a state already", one, other);
  if (!memory_reserve(&graph->states, &graph->state_capacity, graph->state_count + 1,
                      sizeof *graph->states))
    return error_memory(error);
  graph->states[graph->state_count++] = (struct graph_state){output, input};
  graph->is_state[output] = graph->is_state[input] = true;
  return NEAP_OK;
}

bool graph_copy_states(const struct neap_graph *graph, struct neap_graph *copy) {
  if (!memory_reserve(&copy->states, &copy->state_capacity, graph->state_count,
                      sizeof *copy->states))
    return false;
  for (size_t i = 0; i < graph->state_count; i++)
    copy->states[copy->state_count++] = graph->states[i];
  return true;
}
