/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model whose operators run in the order of a plan, some of them again.
 *
 * A further run is a node of its own, with the attributes of the first, and makes tensors of its own.  Readers read the
 * newest.  Everything else is copied byte for byte.
 *
 * Nodes that the plan does not have, since their outputs are known or depend on constants alone, come as soon as what they
 * read has been made.  An order may have an operator before the tensor whose shape it needs in this way; the shape is
 * then written as a constant.
 */
#include "models/onnx/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "formats/c_array.h"
#include "model/unroll.h"
#include "models/onnx/messages.h"
#include "models/onnx/onnx.h"
#include "plan/plan.h"

/* Nodes that the plan does not have: which tensors they wait for. */
struct waiting {
  size_t *ends, *readers; /* per tensor: the nodes that read it */
  size_t *missing;        /* per node: inputs that have not been made */
  bool *is_made;          /* per tensor */
  bool *is_written;       /* per node */
  size_t *ready;          /* nodes that wait for nothing */
  size_t first, count;    /* of `ready`: the next to write, and all */
};

struct writer {
  struct onnx_model model;
  struct onnx_texts texts;
  const neap_operator_order *order;
  const neap_reading *reading;
  neap_graph *runs;      /* with an operator for each run */
  size_t operator_count; /* of the model's graph */
  size_t *nodes;         /* per operator */
  size_t *runs_made;     /* per node: how often it has run */
  struct waiting waiting;
  struct names labels;        /* of nodes */
  struct wire_text *declared; /* per tensor of the model; no bytes: it is not */
  struct wire_buffer buffer;
};

/* ---------------------------------------------------------------- nodes that are not planned */

static size_t maker_of(const struct writer *writer, size_t tensor) {
  return writer->model.tensors[tensor].maker;
}

static bool init_waiting(struct writer *writer) {
  const struct onnx_model *model = &writer->model;
  struct waiting *waiting = &writer->waiting;
  const size_t tensors = model->names.count, nodes = model->node_count;
  waiting->ends = memory_array(tensors, sizeof *waiting->ends);
  waiting->readers = memory_array(model->link_count, sizeof *waiting->readers);
  waiting->missing = memory_array(nodes, sizeof *waiting->missing);
  waiting->is_made = memory_array(tensors, sizeof *waiting->is_made);
  waiting->is_written = memory_array(nodes, sizeof *waiting->is_written);
  waiting->ready = memory_array(nodes, sizeof *waiting->ready);
  return waiting->ends && waiting->readers && waiting->missing && waiting->is_made &&
         waiting->is_written && waiting->ready;
}

static void clear_waiting(struct waiting *waiting) {
  free(waiting->ends);
  free(waiting->readers);
  free(waiting->missing);
  free(waiting->is_made);
  free(waiting->is_written);
  free(waiting->ready);
}

/* Lists the readers of each tensor among the nodes that are not planned: counts them, then lists them backwards. */
static void list_waiting(struct writer *writer) {
  const struct onnx_model *model = &writer->model;
  struct waiting *waiting = &writer->waiting;
  size_t total = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = model->node_count; i-- > 0;) {
      const struct onnx_node *node = &model->nodes[model->order[i]];
      for (size_t l = node->inputs; node->is_constant && l < node->outputs; l++) {
        const size_t tensor = model->links[l];
        if (tensor == ONNX_NONE) continue;
        if (pass == 0) waiting->ends[tensor]++;
        else waiting->readers[--waiting->ends[tensor]] = model->order[i];
        waiting->missing[model->order[i]] += pass == 0;
      }
    }
    for (size_t t = 0; t < model->names.count && pass == 0; t++)
      total = waiting->ends[t] += total;
  }
  for (size_t t = 0; t < model->names.count; t++) /* from begins to ends */
    waiting->ends[t] = t + 1 < model->names.count ? waiting->ends[t + 1] : total;
}

static void note_made(struct writer *writer, size_t tensor) {
  struct waiting *waiting = &writer->waiting;
  if (waiting->is_made[tensor]) return;
  waiting->is_made[tensor] = true;
  for (size_t i = tensor > 0 ? waiting->ends[tensor - 1] : 0; i < waiting->ends[tensor]; i++)
    if (--waiting->missing[waiting->readers[i]] == 0)
      waiting->ready[waiting->count++] = waiting->readers[i];
}

static void note_outputs(struct writer *writer, size_t index) {
  const struct onnx_node *node = &writer->model.nodes[index];
  writer->waiting.is_written[index] = true;
  for (size_t l = node->outputs; l < node->end; l++)
    if (writer->model.links[l] != ONNX_NONE) note_made(writer, writer->model.links[l]);
}

/* Writes the nodes that wait for nothing; what they make lets others follow. */
static void put_ready(struct writer *writer) {
  struct waiting *waiting = &writer->waiting;
  while (waiting->first < waiting->count) {
    const size_t index = waiting->ready[waiting->first++];
    if (waiting->is_written[index]) continue;
    wire_put_text(&writer->buffer, GRAPH_NODE, writer->texts.nodes[index].bytes,
                  writer->texts.nodes[index].size);
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
  put_ready(writer);
}

/* ---------------------------------------------------------------- shapes that are needed too early */

static neap_status refuse_shape(const struct writer *writer, size_t k, size_t tensor,
                                neap_error *error) {
  char node_text[ONNX_NODE_TEXT], name[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_FORMAT,
                   "in the plan's order, %s needs tensor %s before it can be computed; fix the "
                   "model's dimensions, or keep its order",
                   onnx_model_node(&writer->model, k, node_text),
                   onnx_model_tensor(&writer->model, tensor, name));
}

/* Writes what a node makes as constants; false if it is not known, or depends on free dimensions. */
static bool put_folded(struct writer *writer, size_t index) {
  const struct onnx_model *model = &writer->model;
  const struct onnx_node *node = &model->nodes[index];
  struct wire_buffer *buffer = &writer->buffer;
  if (!node->is_constant || writer->reading->dimension_count > 0) return false;
  for (size_t l = node->outputs; l < node->end; l++) {
    const size_t tensor = model->links[l];
    if (tensor == ONNX_NONE) continue;
    if (!onnx_has_integers(&model->tensors[tensor])) return false;
    const size_t begin = wire_open(buffer);
    onnx_put_string(buffer, NODE_OUTPUT, names_text(&model->names, tensor));
    onnx_put_string(buffer, NODE_TYPE, "Constant");
    const size_t attribute = onnx_open_attribute(buffer, "value", IS_TENSOR);
    const size_t value = wire_open(buffer);
    onnx_put_contents(buffer, &model->tensors[tensor]);
    wire_close(buffer, ATTRIBUTE_TENSOR, value);
    wire_close(buffer, NODE_ATTRIBUTE, attribute);
    wire_close(buffer, GRAPH_NODE, begin);
  }
  note_outputs(writer, index);
  return true;
}

/* Makes sure that everything that a node reads has been made. */
static neap_status prepare_inputs(struct writer *writer, size_t index, neap_error *error) {
  const struct onnx_node *node = &writer->model.nodes[index];
  for (size_t l = node->inputs; l < node->outputs; l++) {
    const size_t tensor = writer->model.links[l];
    if (tensor == ONNX_NONE || writer->waiting.is_made[tensor]) continue;
    if (!put_folded(writer, maker_of(writer, tensor)))
      return refuse_shape(writer, index, tensor, error);
    put_ready(writer);
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- runs */

static const char *name_of(const struct writer *writer, size_t tensor) {
  return names_text(&writer->runs->names, tensor);
}

static bool is_further(const struct writer *writer, size_t k) {
  const struct graph_links outputs = writer->runs->operators[k].outputs;
  return outputs.begin < outputs.end &&
         writer->runs->links[outputs.begin] >= writer->model.names.count;
}

/* The name of a further run: the first "conv#2" that is free. */
static void put_label(struct writer *writer, const struct wire_text *old, size_t number) {
  const size_t room = old->size + 24;
  char *label = old->size > 0 ? malloc(room) : NULL;
  if (old->size > 0 && !label) writer->buffer.is_short = true;
  if (!label) return;
  do
    snprintf(label, room, "%.*s#%zu", (int)old->size, old->bytes, number++);
  while (names_find(&writer->labels, label, strlen(label)) != NAMES_NONE);
  if (!names_add(&writer->labels, label, strlen(label))) writer->buffer.is_short = true;
  onnx_put_string(&writer->buffer, NODE_NAME, label);
  free(label);
}

/* Writes a field with a tensor, which is that of the link at *at, unless it is absent. */
static void put_link(struct writer *writer, const struct wire_field *field, size_t *at) {
  if (field->value.size == 0) wire_put(&writer->buffer, field->whole.bytes, field->whole.size);
  else
    onnx_put_string(&writer->buffer, field->number,
                    name_of(writer, writer->runs->links[(*at)++]));
}

static void put_run(struct writer *writer, size_t k, size_t index) {
  const struct graph_operator *run = &writer->runs->operators[k];
  size_t input = run->inputs.begin, output = run->outputs.begin;
  struct wire_field field;
  const size_t begin = wire_open(&writer->buffer);
  for (size_t at = 0; wire_next(&writer->texts.nodes[index], &at, &field);) {
    if (field.number == NODE_INPUT) put_link(writer, &field, &input);
    else if (field.number == NODE_OUTPUT) put_link(writer, &field, &output);
    else if (field.number == NODE_NAME && is_further(writer, k))
      put_label(writer, &field.value, writer->runs_made[index] + 1);
    else wire_put(&writer->buffer, field.whole.bytes, field.whole.size);
  }
  wire_close(&writer->buffer, GRAPH_NODE, begin);
  writer->runs_made[index]++;
}

static neap_status put_runs(struct writer *writer, neap_error *error) {
  neap_status status = NEAP_OK;
  begin_nodes(writer);
  for (size_t k = 0; k < writer->order->count && status == NEAP_OK; k++) {
    const size_t index = writer->nodes[writer->order->given[k]];
    if (index == ONNX_NONE) continue;
    status = prepare_inputs(writer, index, error);
    if (status != NEAP_OK) return status;
    put_run(writer, k, index);
    note_outputs(writer, index);
    put_ready(writer);
  }
  return status;
}

/* ---------------------------------------------------------------- declarations */

/* Notes the declaration of a tensor that nodes make. */
static void note_declared(struct writer *writer, const struct wire_field *value) {
  struct wire_field field;
  for (size_t at = 0; wire_next(&value->value, &at, &field);) {
    if (field.number != VALUE_NAME) continue;
    size_t tensor = names_find(&writer->model.names, field.value.bytes, field.value.size);
    if (tensor != NAMES_NONE) writer->declared[tensor] = value->value;
  }
}

static void put_declared(struct writer *writer, const struct wire_text *old, const char *name) {
  struct wire_field field;
  const size_t begin = wire_open(&writer->buffer);
  for (size_t at = 0; wire_next(old, &at, &field);) {
    if (field.number == VALUE_NAME) onnx_put_string(&writer->buffer, VALUE_NAME, name);
    else wire_put(&writer->buffer, field.whole.bytes, field.whole.size);
  }
  wire_close(&writer->buffer, GRAPH_VALUE, begin);
}

/* Declares what a further run makes like what the first makes. */
static void put_copies(struct writer *writer, size_t k) {
  const struct onnx_model *model = &writer->model;
  const struct onnx_node *node = &model->nodes[writer->nodes[writer->order->given[k]]];
  size_t made = writer->runs->operators[k].outputs.begin;
  for (size_t l = node->outputs; l < node->end; l++) {
    if (model->links[l] == ONNX_NONE) continue;
    const struct wire_text *old = &writer->declared[model->links[l]];
    const size_t tensor = writer->runs->links[made++];
    if (old->size > 0) put_declared(writer, old, name_of(writer, tensor));
  }
}

/* ---------------------------------------------------------------- the whole */

static neap_status put_graph(struct writer *writer, neap_error *error) {
  struct wire_field field;
  neap_status status = put_runs(writer, error);
  if (status != NEAP_OK) return status;
  for (size_t at = 0; wire_next(&writer->texts.graph, &at, &field);) {
    if (field.number == GRAPH_VALUE) note_declared(writer, &field);
    if (field.number != GRAPH_NODE)
      wire_put(&writer->buffer, field.whole.bytes, field.whole.size);
  }
  for (size_t k = 0; k < writer->order->count; k++)
    if (writer->nodes[writer->order->given[k]] != ONNX_NONE && is_further(writer, k))
      put_copies(writer, k);
  return NEAP_OK;
}

static neap_status put_model(struct writer *writer, neap_error *error) {
  struct wire_field field;
  neap_status status = NEAP_OK;
  for (size_t at = 0; wire_next(&writer->texts.file, &at, &field) && status == NEAP_OK;) {
    if (field.number != MODEL_GRAPH) {
      wire_put(&writer->buffer, field.whole.bytes, field.whole.size);
      continue;
    }
    const size_t begin = wire_open(&writer->buffer);
    status = put_graph(writer, error);
    wire_close(&writer->buffer, MODEL_GRAPH, begin);
  }
  return status == NEAP_OK && writer->buffer.is_short ? error_memory(error) : status;
}

static bool add_labels(struct writer *writer) {
  const struct onnx_model *model = &writer->model;
  for (size_t k = 0; k < model->node_count; k++) {
    const char *label = model->nodes[k].message->name;
    const size_t length = label ? strlen(label) : 0;
    if (length > 0 && names_find(&writer->labels, label, length) == NAMES_NONE &&
        !names_add(&writer->labels, label, length))
      return false;
  }
  return true;
}

/* Lists the node of each operator; what is in bodies and around them has none. */
static bool list_nodes(struct writer *writer) {
  writer->nodes = memory_array(writer->operator_count, sizeof *writer->nodes);
  for (size_t k = 0; writer->nodes && k < writer->operator_count; k++) {
    const struct graph_operator *node = &writer->runs->operators[k];
    writer->nodes[k] = node->body == 0 ? node->place : ONNX_NONE;
  }
  return writer->nodes != NULL;
}

static neap_status refuse_plan(const struct writer *writer, size_t k, neap_error *error) {
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "it is not the plan's model: it has %zu operators, and the plan %s operator %zu",
      writer->operator_count, k < writer->operator_count ? "lacks" : "has", k);
}

/* Makes an operator of the graph for each run. */
static neap_status unroll(struct writer *writer, neap_error *error) {
  neap_status status = onnx_graph_build(&writer->model, &writer->runs, error);
  if (status != NEAP_OK) return status;
  writer->operator_count = writer->runs->operator_count;
  for (size_t k = 0; k < writer->order->count; k++)
    if (writer->order->given[k] >= writer->operator_count)
      return refuse_plan(writer, writer->order->given[k], error);
  if (!list_nodes(writer)) return error_memory(error);
  return unroll_graph(writer->runs, writer->order->given, writer->order->count, 0, error);
}

static neap_status prepare(struct writer *writer, const char *text, size_t size,
                           neap_error *error) {
  const struct onnx_model *model = &writer->model;
  neap_status status = onnx_model_prepare(&writer->model, error);
  if (status == NEAP_OK) status = unroll(writer, error);
  if (status != NEAP_OK) return status;
  writer->runs_made = memory_array(model->node_count, sizeof *writer->runs_made);
  writer->declared = memory_array(model->names.count, sizeof *writer->declared);
  if (!writer->runs_made || !writer->declared || !init_waiting(writer) || !add_labels(writer) ||
      !onnx_texts_find(&writer->texts, model, text, size))
    return error_memory(error);
  list_waiting(writer);
  return NEAP_OK;
}

static void clear(struct writer *writer) {
  onnx_model_close(&writer->model);
  onnx_texts_clear(&writer->texts);
  neap_graph_free(writer->runs);
  clear_waiting(&writer->waiting);
  names_clear(&writer->labels);
  free(writer->nodes);
  free(writer->runs_made);
  free(writer->declared);
  free(writer->buffer.bytes);
}

static neap_status write_ordered(struct writer *writer, const char *text, size_t size,
                                 FILE *stream, neap_error *error) {
  neap_status status = onnx_model_open(&writer->model, text, size, writer->reading, error);
  if (status == NEAP_OK) status = prepare(writer, text, size, error);
  if (status == NEAP_OK) status = put_model(writer, error);
  for (size_t k = 0; status == NEAP_OK && k < writer->operator_count; k++)
    if (writer->nodes[k] != ONNX_NONE && writer->runs_made[writer->nodes[k]] == 0)
      status = refuse_plan(writer, k, error);
  if (status == NEAP_OK) fwrite(writer->buffer.bytes, 1, writer->buffer.size, stream);
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
