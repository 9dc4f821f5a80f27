/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vela compiles parts of a model for the Ethos-U.  Each part becomes one operator, ethos-u, whose
 * commands have addresses relative to a scratch tensor that nothing makes.  The operator's inputs and
 * outputs lie within that tensor, at the offsets in the model's plan:
 *
 *     |------------------- scratch -------------------|
 *     |-- input --|            |-- output --|
 *
 * A new plan must keep all of these where they are.  The largest such tensor is the home of the
 * others; together they are one buffer, which lives as long as any of them.
 */
#include "formats/tflite/pins.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "formats/tflite/plan.h"
#include "formats/tflite/schema.h"
#include "model/graph.h"

#define COMPILED "ethos-u"

struct pinning {
  const struct tflite_model *model;
  neap_graph *graph;
  const int32_t *offsets; /* of all tensors */
  bool *is_made;          /* per tensor: something makes it, or it exists from the beginning */
  size_t home;            /* TFLITE_NONE: there is none yet */
};

static neap_status is_compiled(const struct tflite_model *model, size_t opcode, bool *found,
                               neap_error *error) {
  struct flat_table entry;
  const char *name;
  size_t length;
  if (!flat_element(&model->opcodes, opcode, &entry) ||
      !flat_text(&entry, TFLITE_OPCODE_CUSTOM, &name, &length))
    return tflite_model_broken("operator code", opcode, error);
  *found = length == strlen(COMPILED) && memcmp(name, COMPILED, length) == 0;
  return NEAP_OK;
}

/* Pins the tensors of one list of a compiled operator. */
static neap_status pin_list(struct pinning *pinning, const struct tflite_subgraph *subgraph,
                            const struct flat_table *node, size_t field, neap_error *error) {
  struct flat_vector list;
  neap_graph *graph = pinning->graph;
  if (!flat_vector(node, field, 4, &list)) return tflite_model_broken("operator", 0, error);
  for (size_t i = 0; i < list.count; i++) {
    size_t tensor;
    neap_status status = tflite_model_tensor(subgraph, &list, i, "operator", i, &tensor, error);
    if (status != NEAP_OK) return status;
    if (tensor == TFLITE_NONE || graph->tensors[tensor].kind != NEAP_TENSOR_ACTIVATION ||
        pinning->offsets[tensor] < 0)
      continue;
    graph->pins[tensor] = (struct graph_pin){tensor, pinning->offsets[tensor]};
    graph->is_ordered = true;
    if (!pinning->is_made[tensor] &&
        (pinning->home == TFLITE_NONE ||
         graph->tensors[tensor].bytes > graph->tensors[pinning->home].bytes))
      pinning->home = tensor;
  }
  return NEAP_OK;
}

static neap_status pin_subgraph(struct pinning *pinning, const struct tflite_subgraph *subgraph,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < subgraph->operators.count && status == NEAP_OK; k++) {
    struct flat_table node;
    uint64_t opcode;
    bool found;
    if (!flat_element(&subgraph->operators, k, &node) ||
        !flat_unsigned(&node, TFLITE_OPERATOR_OPCODE, 4, 0, &opcode))
      return tflite_model_broken("operator", k, error);
    status = is_compiled(pinning->model, (size_t)opcode, &found, error);
    if (status != NEAP_OK || !found) continue;
    status = pin_list(pinning, subgraph, &node, TFLITE_OPERATOR_INPUTS, error);
    if (status == NEAP_OK)
      status = pin_list(pinning, subgraph, &node, TFLITE_OPERATOR_OUTPUTS, error);
  }
  return status;
}

/* Sets the home of the pinned tensors that lie within it. */
static void find_homes(const struct pinning *pinning) {
  neap_graph *graph = pinning->graph;
  if (pinning->home == TFLITE_NONE) return;
  neap_offset low = graph->pins[pinning->home].offset;
  neap_offset high = low + graph->tensors[pinning->home].bytes;
  for (size_t t = 0; t < pinning->model->tensor_count; t++) {
    struct graph_pin *pin = &graph->pins[t];
    if (pin->offset >= low && graph->tensors[t].bytes <= high - pin->offset)
      pin->home = pinning->home;
  }
}

static void note_made(const struct pinning *pinning) {
  const struct tflite_model *model = pinning->model;
  for (size_t t = 0; t < model->tensor_count; t++)
    pinning->is_made[t] = pinning->graph->tensors[t].is_input;
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t k = 0; k < model->subgraphs[s].operators.count; k++) {
      struct flat_table node;
      struct flat_vector list;
      size_t tensor;
      if (!flat_element(&model->subgraphs[s].operators, k, &node) ||
          !flat_vector(&node, TFLITE_OPERATOR_OUTPUTS, 4, &list))
        return;
      for (size_t i = 0; i < list.count; i++)
        if (tflite_model_tensor(&model->subgraphs[s], &list, i, "operator", k, &tensor, NULL) ==
                NEAP_OK &&
            tensor != TFLITE_NONE)
          pinning->is_made[tensor] = true;
    }
}

static neap_status has_compiled(const struct tflite_model *model, bool *found,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  *found = false;
  for (size_t c = 0; c < model->opcodes.count && !*found && status == NEAP_OK; c++)
    status = is_compiled(model, c, found, error);
  return status;
}

static neap_status pin_all(struct pinning *pinning, neap_error *error) {
  neap_graph *graph = pinning->graph;
  size_t count = graph_tensor_count(graph);
  graph->pins = memory_array(count, sizeof *graph->pins);
  pinning->is_made = memory_array(count, sizeof *pinning->is_made);
  neap_status status = graph->pins && pinning->is_made ? NEAP_OK : error_memory(error);
  if (status != NEAP_OK) return status;
  for (size_t t = 0; t < count; t++)
    graph->pins[t] = (struct graph_pin){t, NEAP_UNPLACED};
  note_made(pinning);
  for (size_t s = 0; s < pinning->model->subgraph_count && status == NEAP_OK; s++)
    status = pin_subgraph(pinning, &pinning->model->subgraphs[s], error);
  if (status == NEAP_OK) find_homes(pinning);
  return status;
}

neap_status tflite_pin_compiled(const struct tflite_model *model, neap_graph *graph,
                                neap_error *error) {
  int32_t *offsets = NULL;
  bool found;
  neap_status status = has_compiled(model, &found, error);
  if (status != NEAP_OK || !found) return status;
  status = tflite_plan_offsets(model, &offsets, error);
  if (status != NEAP_OK || !offsets) return status;
  struct pinning pinning = {model, graph, offsets, NULL, TFLITE_NONE};
  status = pin_all(&pinning, error);
  free(pinning.is_made);
  free(offsets);
  return status;
}
