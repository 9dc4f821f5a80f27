/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/operators/steps.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/graph.h"
#include "model/unroll.h"

size_t steps_add_tensor(struct steps *steps, const struct step_tensor *tensor) {
  if (!memory_reserve(&steps->tensors, &steps->tensor_capacity, steps->tensor_count + 1,
                      sizeof *steps->tensors)) {
    steps->is_short = true;
    return 0;
  }
  steps->tensors[steps->tensor_count] = *tensor;
  return steps->old_count + steps->tensor_count++;
}

void steps_add(struct steps *steps, const struct step *step, const size_t *links,
               size_t count) {
  if (!memory_reserve(&steps->items, &steps->capacity, steps->count + 1,
                      sizeof *steps->items) ||
      !memory_reserve(&steps->links, &steps->link_capacity, steps->link_count + count,
                      sizeof *steps->links)) {
    steps->is_short = true;
    return;
  }
  struct step *added = &steps->items[steps->count++];
  *added = *step;
  added->links = steps->link_count;
  added->link_count = count;
  for (size_t i = 0; i < count; i++)
    steps->links[steps->link_count++] = links[i];
}

void steps_clear(struct steps *steps) {
  neap_graph_free(steps->runs);
  free(steps->tensors);
  free(steps->items);
  free(steps->links);
  free(steps->vanished);
  free(steps->newest);
}

/* ---------------------------------------------------------------- orders */

static bool are_same(const neap_graph *graph, struct graph_links old, const neap_graph *runs,
                     struct graph_links own) {
  for (size_t i = 0; i < own.end - own.begin; i++)
    if (graph->links[old.begin + i] != runs->links[own.begin + i]) return false;
  return true;
}

/* Adds run k, an operator of its own in `runs`; skips outputs that only the graph has. */
static void add_run(struct steps *steps, const neap_graph *graph, size_t operator, size_t k) {
  const neap_graph *runs = steps->runs;
  const struct graph_operator *old = &graph->operators[operator], *own = &runs->operators[k];
  struct step step = {.like = operator, .output = steps->old_count + steps->tensor_count};
  for (size_t i = 0; i < own->outputs.end - own->outputs.begin; i++) {
    const size_t like = graph->links[old->outputs.begin + i];
    const size_t made = runs->links[own->outputs.begin + i];
    if (made == like || like >= steps->old_count) continue;
    steps_add_tensor(
        steps, &(struct step_tensor){.like = like, .name = names_text(&runs->names, made)});
    step.output_count++;
  }
  if (step.output_count > 0 || !are_same(graph, old->inputs, runs, own->inputs))
    step.kind = STEP_AGAIN;
  steps_add(steps, &step, NULL, 0);
}

neap_status steps_of_order(struct steps *steps, const neap_graph *graph,
                           const neap_operator_order *order, neap_error *error) {
  steps->runs = neap_graph_copy(graph);
  steps->newest = memory_array(steps->old_count, sizeof *steps->newest);
  if (!steps->runs || !steps->newest) return error_memory(error);
  for (size_t t = 0; t < steps->old_count; t++)
    steps->newest[t] = t;
  neap_status status = unroll_graph(steps->runs, order->given, order->count, 0, error);
  for (size_t k = 0; k < order->count && status == NEAP_OK; k++) {
    add_run(steps, graph, order->given[k], k);
    if (steps->is_short) status = error_memory(error);
  }
  return status;
}

void steps_follow(struct steps *steps, const struct step *step) {
  for (size_t i = 0; i < step->output_count; i++) {
    const size_t made = step->output + i;
    steps->newest[steps->tensors[made - steps->old_count].like] = made;
  }
}
