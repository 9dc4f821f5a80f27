/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model whose operators run in the order of a plan, some of them again.
 *
 * The plan lacks nodes whose outputs depend only on constants or shapes.  They are written as soon
 * as their inputs have been made.  An order may run an operator before the tensor whose shape it
 * needs through such a node; the shape is then written as a constant.
 */
#include "models/onnx/write.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "files/c_array.h"
#include "models/onnx/onnx.h"
#include "models/onnx/rewrite.h"
#include "plan/plan.h"

/* Nodes that the plan lacks, and the tensors that they wait for. */
struct waiting {
  void *arrays;       /* the memory of these: */
  size_t *first;      /* per tensor: the first link that reads it, plus one */
  size_t *next;       /* per link: the next one that reads its tensor, plus one */
  size_t *readers;    /* per link: its node */
  size_t *missing;    /* per node: inputs that have not been made */
  bool *is_made;      /* per tensor */
  bool *is_listed;    /* per node */
  size_t *ready;      /* nodes that wait for nothing */
  size_t done, count; /* of `ready`: those listed, and all */
};

struct writer {
  struct onnx_model model;
  struct onnx_texts texts;
  const neap_operator_order *order;
  const neap_reading *reading;
  size_t operator_count; /* of the model's graph */
  size_t *operators;     /* the node of each */
  struct steps steps;    /* the runs */
  struct steps nodes;    /* their nodes, and all others */
  struct waiting waiting;
};

static void add_node(struct writer *writer, enum step_kind kind, size_t index) {
  steps_add(&writer->nodes, &(struct step){.kind = kind, .like = index}, NULL, 0);
}

/* ---------------------------------------------------------------- nodes that are not planned */

static size_t maker_of(const struct writer *writer, size_t tensor) {
  return writer->model.tensors[tensor].maker;
}

static bool init_waiting(struct writer *writer) {
  const struct onnx_model *model = &writer->model;
  struct waiting *waiting = &writer->waiting;
  const size_t tensors = model->names.count, nodes = model->node_count;
  const struct memory_part parts[] = {
      {&waiting->first, tensors, sizeof *waiting->first},
      {&waiting->next, model->link_count, sizeof *waiting->next},
      {&waiting->readers, model->link_count, sizeof *waiting->readers},
      {&waiting->missing, nodes, sizeof *waiting->missing},
      {&waiting->ready, nodes, sizeof *waiting->ready},
      {&waiting->is_made, tensors, sizeof *waiting->is_made},
      {&waiting->is_listed, nodes, sizeof *waiting->is_listed}};
  waiting->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  return waiting->arrays != NULL;
}

/* Lists the readers of each tensor among the nodes that are not planned, in order. */
static void list_waiting(struct writer *writer) {
  const struct onnx_model *model = &writer->model;
  struct waiting *waiting = &writer->waiting;
  for (size_t i = model->node_count; i-- > 0;) {
    const size_t index = model->order[i];
    const struct onnx_node *node = &model->nodes[index];
    for (size_t l = node->inputs; node->is_constant && l < node->outputs; l++) {
      const size_t tensor = model->links[l];
      if (tensor == ONNX_NONE) continue;
      waiting->next[l] = waiting->first[tensor];
      waiting->first[tensor] = l + 1;
      waiting->readers[l] = index;
      waiting->missing[index]++;
    }
  }
}

static void note_made(struct writer *writer, size_t tensor) {
  struct waiting *waiting = &writer->waiting;
  if (waiting->is_made[tensor]) return;
  waiting->is_made[tensor] = true;
  for (size_t l = waiting->first[tensor]; l > 0; l = waiting->next[l - 1])
    if (--waiting->missing[waiting->readers[l - 1]] == 0)
      waiting->ready[waiting->count++] = waiting->readers[l - 1];
}

static void note_outputs(struct writer *writer, size_t index) {
  const struct onnx_node *node = &writer->model.nodes[index];
  writer->waiting.is_listed[index] = true;
  for (size_t l = node->outputs; l < node->end; l++)
    if (writer->model.links[l] != ONNX_NONE) note_made(writer, writer->model.links[l]);
}

/* Adds the nodes that wait for nothing, and those that can then follow. */
static void add_ready(struct writer *writer) {
  struct waiting *waiting = &writer->waiting;
  while (waiting->done < waiting->count) {
    const size_t index = waiting->ready[waiting->done++];
    if (waiting->is_listed[index]) continue;
    add_node(writer, STEP_OLD, index);
    note_outputs(writer, index);
  }
}

static void begin_nodes(struct writer *writer) {
  const struct onnx_model *model = &writer->model;
  for (size_t i = 0; i < model->node_count; i++) {
    const size_t index = model->order[i];
    if (model->nodes[index].is_constant && writer->waiting.missing[index] == 0)
      writer->waiting.ready[writer->waiting.count++] = index;
  }
  for (size_t t = 0; t < model->names.count; t++)
    if (maker_of(writer, t) == ONNX_NONE) note_made(writer, t);
  add_ready(writer);
}

/* ---------------------------------------------------------------- shapes needed too early */

static neap_status refuse_shape(const struct writer *writer, size_t k, size_t tensor,
                                neap_error *error) {
  char node_text[ONNX_NODE_TEXT], name[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_FORMAT,
                   "in the plan's order, %s needs tensor %s before it can be computed; fix the "
                   "model's dimensions, or keep its order",
                   onnx_model_node(&writer->model, k, node_text),
                   onnx_model_tensor(&writer->model, tensor, name));
}

/* Adds the outputs of a node as constants; false if unknown or dependent on free dimensions. */
static bool add_folded(struct writer *writer, size_t index) {
  const struct onnx_model *model = &writer->model;
  const struct onnx_node *node = &model->nodes[index];
  if (!node->is_constant || writer->reading->model.dimension_count > 0) return false;
  for (size_t l = node->outputs; l < node->end; l++)
    if (model->links[l] != ONNX_NONE && !onnx_has_integers(&model->tensors[model->links[l]]))
      return false;
  add_node(writer, STEP_CONSTANT, index);
  note_outputs(writer, index);
  return true;
}

/* Makes sure that everything that a node reads has been made. */
static neap_status prepare_inputs(struct writer *writer, size_t index, neap_error *error) {
  const struct onnx_node *node = &writer->model.nodes[index];
  for (size_t l = node->inputs; l < node->outputs; l++) {
    const size_t tensor = writer->model.links[l];
    if (tensor == ONNX_NONE || writer->waiting.is_made[tensor]) continue;
    if (!add_folded(writer, maker_of(writer, tensor)))
      return refuse_shape(writer, index, tensor, error);
    add_ready(writer);
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- runs */

/* Lists the nodes of all runs; operators in bodies and around them have none. */
static neap_status add_runs(struct writer *writer, neap_error *error) {
  begin_nodes(writer);
  for (size_t k = 0; k < writer->steps.count; k++) {
    struct step step = writer->steps.items[k];
    step.like = writer->operators[step.like];
    if (step.like == ONNX_NONE) continue;
    neap_status status = prepare_inputs(writer, step.like, error);
    if (status != NEAP_OK) return status;
    steps_add(&writer->nodes, &step, NULL, 0);
    note_outputs(writer, step.like);
    add_ready(writer);
  }
  return writer->nodes.is_short ? error_memory(error) : NEAP_OK;
}

/* ---------------------------------------------------------------- the whole */

static neap_status refuse_plan(const struct writer *writer, size_t k, neap_error *error) {
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "it is not the plan's model: it has %zu operators, and the plan %s operator %zu",
      writer->operator_count, k < writer->operator_count ? "lacks" : "has", k);
}

static neap_status add_steps(struct writer *writer, const neap_graph *graph,
                             neap_error *error) {
  const neap_operator_order *order = writer->order;
  writer->operator_count = graph->operator_count;
  for (size_t k = 0; k < order->count; k++)
    if (order->given[k] >= graph->operator_count)
      return refuse_plan(writer, order->given[k], error);
  writer->operators = memory_array(graph->operator_count, sizeof *writer->operators);
  if (!writer->operators) return error_memory(error);
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    writer->operators[k] = node->body == 0 ? node->place : ONNX_NONE;
  }
  writer->steps.old_count = writer->model.names.count;
  return steps_of_order(&writer->steps, graph, order, error);
}

static neap_status prepare(struct writer *writer, const char *text, size_t size,
                           neap_error *error) {
  neap_graph *graph = NULL;
  neap_status status = onnx_model_prepare(&writer->model, error);
  if (status == NEAP_OK) status = onnx_graph_build(&writer->model, &graph, error);
  if (status == NEAP_OK) status = add_steps(writer, graph, error);
  neap_graph_free(graph);
  if (status != NEAP_OK) return status;
  if (!init_waiting(writer) || !onnx_texts_find(&writer->texts, &writer->model, text, size))
    return error_memory(error);
  list_waiting(writer);
  return add_runs(writer, error);
}

static void clear(struct writer *writer) {
  onnx_model_close(&writer->model);
  onnx_texts_clear(&writer->texts);
  free(writer->waiting.arrays);
  steps_clear(&writer->steps);
  steps_clear(&writer->nodes);
  free(writer->operators);
}

static neap_status write_ordered(struct writer *writer, const char *text, size_t size,
                                 FILE *stream, neap_error *error) {
  const struct onnx_rewriting rewriting = {.model = &writer->model,
                                           .texts = &writer->texts,
                                           .steps = &writer->steps,
                                           .nodes = &writer->nodes};
  struct wire_buffer buffer = {.bytes = NULL};
  neap_status status = onnx_model_open(&writer->model, text, size, writer->reading, error);
  if (status == NEAP_OK) status = prepare(writer, text, size, error);
  for (size_t k = 0; status == NEAP_OK && k < writer->operator_count; k++)
    if (writer->operators[k] != ONNX_NONE && !writer->waiting.is_listed[writer->operators[k]])
      status = refuse_plan(writer, k, error);
  if (status == NEAP_OK) status = onnx_rewrite(&rewriting, &buffer, error);
  if (status == NEAP_OK) fwrite(buffer.bytes, 1, buffer.size, stream);
  free(buffer.bytes);
  clear(writer);
  return status;
}

neap_status onnx_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                       neap_error *error) {
  static const neap_reading usual = NEAP_INIT(neap_reading);
  struct writer writer = {.order = &plan->problem->order,
                          .reading = writing->reading ? writing->reading : &usual};
  char *text;
  size_t size;
  if (!writing->model)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected the model to copy into a .onnx file, found none");
  neap_status status = c_array_read(writing->model, writing->reading, &text, &size, error);
  if (status != NEAP_OK) return status;
  if (!onnx_is(text, size, writer.reading))
    status = error_set(error, NEAP_ERROR_FORMAT, "expected an ONNX model");
  else if (writer.order->given) status = write_ordered(&writer, text, size, stream, error);
  else fwrite(text, 1, size, stream);
  free(text);
  return error_in_file(error, status, writing->model);
}
