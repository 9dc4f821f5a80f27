/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A further run of an operator is a new node with the attributes of the first, and makes new
 * tensors.  Later nodes read the newest.
 *
 * Convolutions and pools state the padding of each border, so a band has none at inner borders, and
 * all its rows are exact.  Otherwise nodes of bands have the attributes and constants of the whole,
 * except in groups of channels: their weights are slices of the constants, which the file has once.
 * Unchanged parts are copied byte for byte.
 */
#include "models/onnx/rewrite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "models/onnx/channels.h"
#include "models/onnx/declared.h"
#include "models/onnx/network.h"
#include "models/onnx/rules/rules.h"
#include "models/onnx/shapes.h"

struct writing {
  const struct onnx_rewriting *rewriting;
  const struct onnx_model *model;
  struct steps *steps;
  const struct band_network *network; /* of bands; NULL: operators run again */
  const char *mark;
  struct wire_buffer *buffer;
  struct names names; /* of constants of bands, or of nodes */
  /* With bands: */
  struct onnx_infer infer; /* for the rules of operators */
  bool *is_written;        /* per tensor, in a copy: its initializer is written */
  bool *is_gone;           /* per tensor: it vanished */
  size_t pads;
  /* Without: */
  struct wire_text *declared; /* per tensor: its declaration; no bytes: none */
};

static bool is_copy(const struct writing *writing) { return writing->rewriting->pieces; }

/* ---------------------------------------------------------------- names */

static const char *old_name(const struct writing *writing, size_t tensor) {
  return names_text(&writing->model->names, tensor);
}

/* Writes the name of a tensor, or "" for an absent one. */
static void put_name(struct writing *writing, unsigned field, size_t tensor) {
  const size_t old = writing->steps->old_count;
  if (tensor == ONNX_NONE || tensor < old) {
    onnx_put_string(writing->buffer, field, tensor < old ? old_name(writing, tensor) : "");
    return;
  }
  const struct step_tensor *new = &writing->steps->tensors[tensor - old];
  if (new->name) onnx_put_string(writing->buffer, field, new->name);
  else
    onnx_put_format(writing->buffer, field, "%s%s%zu", old_name(writing, new->like),
                    writing->mark, tensor - old);
}

/* ---------------------------------------------------------------- attributes and constants */

static void put_integers(struct writing *writing, const char *name, const int64_t *integers,
                         size_t count) {
  const size_t begin = onnx_open_attribute(writing->buffer, name, IS_INTEGERS);
  for (size_t i = 0; i < count; i++)
    wire_put_number(writing->buffer, ATTRIBUTE_INTEGERS, (uint64_t)integers[i]);
  wire_close(writing->buffer, NODE_ATTRIBUTE, begin);
}

static void put_integer(struct writing *writing, const char *name, int64_t integer) {
  const size_t begin = onnx_open_attribute(writing->buffer, name, IS_INTEGER);
  wire_put_number(writing->buffer, ATTRIBUTE_INTEGER, (uint64_t)integer);
  wire_close(writing->buffer, NODE_ATTRIBUTE, begin);
}

/* A node that makes a constant, while it is open. */
struct constant {
  size_t node, attribute, tensor;
};

static struct constant open_constant(struct wire_buffer *buffer, const char *name) {
  struct constant open = {.node = wire_open(buffer)};
  onnx_put_string(buffer, NODE_OUTPUT, name);
  onnx_put_string(buffer, NODE_TYPE, "Constant");
  open.attribute = onnx_open_attribute(buffer, "value", IS_TENSOR);
  open.tensor = wire_open(buffer);
  return open;
}

static void close_constant(struct wire_buffer *buffer, const struct constant *open) {
  wire_close(buffer, ATTRIBUTE_TENSOR, open->tensor);
  wire_close(buffer, NODE_ATTRIBUTE, open->attribute);
  wire_close(buffer, GRAPH_NODE, open->node);
}

/* A node that makes a list of integers. */
static void put_constant(struct writing *writing, const char *name, const int64_t *integers,
                         size_t count) {
  struct wire_buffer *buffer = writing->buffer;
  const struct constant open = open_constant(buffer, name);
  wire_put_number(buffer, TENSOR_DIMENSION, count);
  wire_put_number(buffer, TENSOR_TYPE, ONNX_INT64);
  for (size_t i = 0; i < count; i++)
    wire_put_number(buffer, TENSOR_INT64, (uint64_t)integers[i]);
  close_constant(buffer, &open);
}

#define NUMBER_NAME (MARK_MAX + 32)

/* Notes a name; false if it was noted before. */
static bool note_new(struct writing *writing, const char *name) {
  const size_t count = writing->names.count;
  if (!names_include(&writing->names, name, strlen(name))) writing->buffer->is_short = true;
  return writing->names.count > count;
}

/* Writes a constant with a number, unless it is already written. */
static void need_number(struct writing *writing, int64_t number) {
  char name[NUMBER_NAME];
  snprintf(name, sizeof name, "%s%" PRId64, writing->mark, number);
  if (note_new(writing, name)) put_constant(writing, name, &number, 1);
}

/* ---------------------------------------------------------------- new nodes */

/* A part of a tensor. */
struct slice {
  size_t from, to; /* `to` is ONNX_NONE for a part of a constant, named after its range */
  int64_t axis;
  struct band_range range;
};

/* Writes the name of a part of a constant into `name`. */
#define PART_NAME (MARK_MAX + 96)
static void name_part(const struct writing *writing, const struct slice *slice,
                      char name[PART_NAME]) {
  snprintf(name, PART_NAME, "%s%" PRId64 "_%" PRId64 "_%" PRId64, writing->mark, slice->axis,
           slice->range.begin, slice->range.end);
}

static void put_sliced_name(struct writing *writing, unsigned field,
                            const struct slice *slice) {
  char part[PART_NAME];
  if (slice->to != ONNX_NONE) {
    put_name(writing, field, slice->to);
    return;
  }
  name_part(writing, slice, part);
  onnx_put_format(writing->buffer, field, "%s%s", old_name(writing, slice->from), part);
}

static void put_sliced(struct writing *writing, const struct slice *slice) {
  static const char *const names[] = {"starts", "ends", "axes"};
  const int64_t bounds[] = {slice->range.begin, slice->range.end, slice->axis};
  const bool are_inputs = writing->model->opset >= 10; /* before, they were attributes */
  for (size_t i = 0; i < 3 && are_inputs; i++)
    need_number(writing, bounds[i]);
  const size_t node = wire_open(writing->buffer);
  put_name(writing, NODE_INPUT, slice->from);
  for (size_t i = 0; i < 3 && are_inputs; i++)
    onnx_put_format(writing->buffer, NODE_INPUT, "%s%" PRId64, writing->mark, bounds[i]);
  put_sliced_name(writing, NODE_OUTPUT, slice);
  onnx_put_string(writing->buffer, NODE_TYPE, "Slice");
  for (size_t i = 0; i < 3 && !are_inputs; i++)
    put_integers(writing, names[i], &bounds[i], 1);
  wire_close(writing->buffer, GRAPH_NODE, node);
}

static void put_slice(struct writing *writing, const struct step *step) {
  put_sliced(writing, &(struct slice){.from = writing->rewriting->nodes->links[step->links],
                                      .to = step->output,
                                      .axis = (int64_t)onnx_dimension(step->axis),
                                      .range = step->rows.given});
}

static void put_concatenation(struct writing *writing, const struct step *step) {
  const size_t node = wire_open(writing->buffer);
  for (size_t i = 0; i < step->link_count; i++)
    put_name(writing, NODE_INPUT, writing->rewriting->nodes->links[step->links + i]);
  put_name(writing, NODE_OUTPUT, step->output);
  onnx_put_string(writing->buffer, NODE_TYPE, "Concat");
  put_integer(writing, "axis", (int64_t)onnx_dimension(step->axis));
  wire_close(writing->buffer, GRAPH_NODE, node);
}

/* ---------------------------------------------------------------- nodes of bands */

/* What differs in a band: its padding, none at inner borders, or its number of groups. */
struct pads {
  int64_t items[2 * ONNX_MAX_RANK];
  size_t count;
  const char *attribute;       /* NULL: an input, or nothing */
  const char *const *replaced; /* attributes of the whole to leave out */
  bool is_input;
};

static void drop_inner(const struct step *step, int64_t height, size_t axis,
                       struct pads *pads) {
  if (step->rows.given.begin > 0) pads->items[axis] = 0;
  if (step->rows.given.end < height) pads->items[pads->count / 2 + axis] = 0;
}

static struct pads find_pads(struct writing *writing, const struct step *step) {
  const struct band_operator *node = &writing->network->operators[step->like];
  const int64_t height = writing->network->tensors[node->inputs[0]].height;
  struct onnx_infer *infer = &writing->infer;
  static const char *const names[] = {"pads", "paddings", "auto_pad", "ceil_mode", NULL};
  struct pads pads = {.replaced = names};
  if (step->axis == SPLIT_CHANNELS) return pads;
  if (node->rule.kind == SPLIT_WINDOW) {
    onnx_window_pads(infer, pads.items);
    pads.count = 2 * (infer->shapes[0]->rank - ONNX_ROWS);
    pads.attribute = "pads";
    drop_inner(step, height, 0, &pads);
  } else if (node->rule.kind == SPLIT_PAD) {
    onnx_pad_pads(infer, pads.items);
    pads.count = 2 * infer->shapes[0]->rank;
    pads.is_input = infer->opset >= 11;
    if (!pads.is_input) pads.attribute = infer->opset < 2 ? "paddings" : "pads";
    drop_inner(step, height, ONNX_ROWS, &pads);
  }
  return pads;
}

/* Whether a field is one of the attributes. */
static bool is_attribute(const struct wire_field *field, const char *const *names) {
  struct wire_field own;
  for (size_t at = 0; field->number == NODE_ATTRIBUTE && wire_next(&field->value, &at, &own);)
    for (size_t i = 0; own.number == ATTRIBUTE_NAME && names[i]; i++)
      if (own.value.size == strlen(names[i]) &&
          memcmp(own.value.bytes, names[i], own.value.size) == 0)
        return true;
  return false;
}

/* The part of input `position` that a group of channels takes; false if it takes all of it. */
static bool find_part(const struct writing *writing, const struct step *step,
                      const struct onnx_node *node, size_t position, struct slice *slice) {
  size_t axis;
  slice->from = writing->model->links[node->inputs + position];
  slice->to = ONNX_NONE;
  slice->range = step->rows.made;
  if (step->axis != SPLIT_CHANNELS || slice->from == ONNX_NONE ||
      !writing->model->tensors[slice->from].is_constant ||
      !onnx_constant_axis(&writing->infer, position, &axis) || axis == ONNX_NONE)
    return false;
  slice->axis = (int64_t)axis;
  return true;
}

/* Slices the constants of a group of channels, each once. */
static void put_parts(struct writing *writing, const struct step *step,
                      const struct onnx_node *node) {
  struct slice slice;
  char key[PART_NAME + 24];
  for (size_t i = 0; i < node->within - node->inputs; i++) {
    if (!find_part(writing, step, node, i, &slice)) continue;
    name_part(writing, &slice, key);
    const size_t end = strlen(key);
    snprintf(key + end, sizeof key - end, " %zu", slice.from);
    if (note_new(writing, key)) put_sliced(writing, &slice);
  }
}

/* A depthwise convolution has as many groups as channels. */
static void find_groups(const struct writing *writing, const struct step *step,
                        struct pads *own) {
  static const char *const names[] = {"group", NULL};
  if (step->axis != SPLIT_CHANNELS || onnx_attribute_integer(&writing->infer, "group", 1) == 1)
    return;
  *own = (struct pads){.attribute = names[0], .replaced = names};
  own->items[own->count++] = step->rows.made.end - step->rows.made.begin;
}

/* For Pad, `pads` is the input with the band's padding, along all axes; `axes` is dropped. */
static void put_inputs(struct writing *writing, const struct step *step,
                       const struct onnx_node *node, const char *pads) {
  const struct onnx_model *model = writing->model;
  struct slice part;
  size_t activations = 0;
  for (size_t i = node->inputs; i < node->within; i++) {
    const size_t tensor = model->links[i], position = i - node->inputs;
    if (pads && position == 1) onnx_put_string(writing->buffer, NODE_INPUT, pads);
    else if (pads && position > 2) return;
    else if (find_part(writing, step, node, position, &part))
      put_sliced_name(writing, NODE_INPUT, &part);
    else if (tensor == ONNX_NONE || model->tensors[tensor].is_constant)
      put_name(writing, NODE_INPUT, tensor);
    else
      put_name(writing, NODE_INPUT,
               writing->rewriting->nodes->links[step->links + activations++]);
  }
}

static void put_label(struct writing *writing, const struct wire_text *name, size_t number) {
  if (name->size > 0)
    onnx_put_format(writing->buffer, NODE_NAME, "%.*s%s%zu", (int)name->size, name->bytes,
                    writing->mark, number);
}

static void put_banded(struct writing *writing, const struct step *step) {
  const struct onnx_model *model = writing->model;
  const size_t index = writing->rewriting->operators[step->like];
  const struct onnx_node *node = &model->nodes[index];
  char name[NUMBER_NAME];
  struct wire_field field;
  onnx_shapes_describe(model, node, &writing->infer);
  writing->infer.outputs[0] = model->tensors[model->links[node->outputs]].shape;
  struct pads pads = find_pads(writing, step);
  find_groups(writing, step, &pads);
  put_parts(writing, step, node);
  snprintf(name, sizeof name, "%spads%zu", writing->mark, writing->pads);
  if (pads.is_input) {
    put_constant(writing, name, pads.items, pads.count);
    writing->pads++;
  }
  const size_t begin = wire_open(writing->buffer);
  put_inputs(writing, step, node, pads.is_input ? name : NULL);
  put_name(writing, NODE_OUTPUT, step->output);
  for (size_t at = 0; wire_next(&writing->rewriting->texts->nodes[index], &at, &field);)
    if (field.number == NODE_NAME)
      put_label(writing, &field.value, step->output - writing->steps->old_count);
    else if (field.number != NODE_INPUT && field.number != NODE_OUTPUT &&
             !(pads.attribute && is_attribute(&field, pads.replaced)))
      wire_put(writing->buffer, field.whole.bytes, field.whole.size);
  if (pads.attribute && step->axis == SPLIT_CHANNELS)
    put_integer(writing, pads.attribute, pads.items[0]);
  else if (pads.attribute) put_integers(writing, pads.attribute, pads.items, pads.count);
  wire_close(writing->buffer, GRAPH_NODE, begin);
}

/* ---------------------------------------------------------------- old nodes and constants */

static void put_old(struct writing *writing, size_t index) {
  const struct wire_text *text = &writing->rewriting->texts->nodes[index];
  wire_put_text(writing->buffer, GRAPH_NODE, text->bytes, text->size);
}

/* Names a further run "conv#2", or with the next number that is free. */
static void put_run_label(struct writing *writing, const struct wire_text *old) {
  size_t number = 2;
  const size_t room = old->size + 24;
  char *label = old->size > 0 ? malloc(room) : NULL;
  if (old->size > 0 && !label) writing->buffer->is_short = true;
  if (!label) return;
  do
    snprintf(label, room, "%.*s#%zu", (int)old->size, old->bytes, number++);
  while (!note_new(writing, label) && !writing->buffer->is_short);
  onnx_put_string(writing->buffer, NODE_NAME, label);
  free(label);
}

/* Writes a field with the name of a tensor, replaced by the newest one. */
static void put_newest(struct writing *writing, const struct wire_field *field) {
  const struct wire_text *name = &field->value;
  const size_t tensor = names_find(&writing->model->names, name->bytes, name->size);
  if (name->size == 0 || tensor == NAMES_NONE)
    wire_put(writing->buffer, field->whole.bytes, field->whole.size);
  else put_name(writing, field->number, writing->steps->newest[tensor]);
}

/* Writes a node that reads the newest tensors, and makes the next ones if it ran before. */
static void put_again(struct writing *writing, const struct step *step) {
  struct wire_field field;
  steps_follow(writing->steps, step);
  const size_t begin = wire_open(writing->buffer);
  for (size_t at = 0; wire_next(&writing->rewriting->texts->nodes[step->like], &at, &field);)
    if (field.number == NODE_INPUT || field.number == NODE_OUTPUT) put_newest(writing, &field);
    else if (field.number == NODE_NAME && step->output_count > 0)
      put_run_label(writing, &field.value);
    else wire_put(writing->buffer, field.whole.bytes, field.whole.size);
  wire_close(writing->buffer, GRAPH_NODE, begin);
}

/* Writes the outputs of a node as constants. */
static void put_folded(struct writing *writing, size_t index) {
  const struct onnx_model *model = writing->model;
  const struct onnx_node *node = &model->nodes[index];
  for (size_t l = node->outputs; l < node->end; l++) {
    const size_t tensor = model->links[l];
    if (tensor == ONNX_NONE) continue;
    const struct constant open = open_constant(writing->buffer, old_name(writing, tensor));
    onnx_put_contents(writing->buffer, &model->tensors[tensor]);
    close_constant(writing->buffer, &open);
  }
}

/* In a copy, constants are initializers, with elements only if these are integers. */
static void put_initializer(struct writing *writing, size_t index) {
  const struct onnx_tensor *tensor = &writing->model->tensors[index];
  if (writing->is_written[index]) return;
  writing->is_written[index] = true;
  const size_t begin = wire_open(writing->buffer);
  put_name(writing, TENSOR_NAME, index);
  onnx_put_contents(writing->buffer, tensor);
  wire_close(writing->buffer, GRAPH_INITIALIZER, begin);
}

/* ---------------------------------------------------------------- declarations */

static void put_dimension(struct wire_buffer *buffer, int64_t dimension) {
  const size_t begin = wire_open(buffer);
  wire_put_number(buffer, DIMENSION_VALUE, (uint64_t)dimension);
  wire_close(buffer, SHAPE_DIMENSION, begin);
}

/* Declares something other than a tensor, such as a sequence, with an empty type. */
static void put_other(struct writing *writing, unsigned field, size_t tensor) {
  struct wire_buffer *buffer = writing->buffer;
  const size_t value = wire_open(buffer);
  put_name(writing, VALUE_NAME, tensor);
  wire_close(buffer, VALUE_TYPE, wire_open(buffer));
  wire_close(buffer, field, value);
}

/* Declares a tensor with the shape of an old one, but with other rows or channels; -1: the same. */
static void put_value(struct writing *writing, unsigned field, size_t tensor,
                      const struct step_tensor *part) {
  const struct onnx_shape *shape = &writing->model->tensors[part->like].shape;
  const size_t axis = onnx_dimension(part->axis);
  struct wire_buffer *buffer = writing->buffer;
  const size_t value = wire_open(buffer);
  put_name(writing, VALUE_NAME, tensor);
  const size_t type = wire_open(buffer), tensor_type = wire_open(buffer);
  wire_put_number(buffer, ELEMENT_TYPE, (uint64_t)shape->type);
  const size_t dimensions = wire_open(buffer);
  for (size_t d = 0; d < shape->rank; d++)
    put_dimension(buffer, d == axis && part->rows >= 0 ? part->rows : shape->dims[d]);
  if (shape->is_known) wire_close(buffer, TYPE_SHAPE, dimensions);
  wire_close(buffer, TYPE_TENSOR, tensor_type);
  wire_close(buffer, VALUE_TYPE, type);
  wire_close(buffer, field, value);
}

static void put_old_value(struct writing *writing, unsigned field, size_t tensor) {
  if (writing->model->tensors[tensor].is_other) put_other(writing, field, tensor);
  else put_value(writing, field, tensor, &(struct step_tensor){.like = tensor, .rows = -1});
}

/* ---------------------------------------------------------------- the graph of a copy */

static void put_ends(struct writing *writing) {
  const struct band_pieces *pieces = writing->rewriting->pieces;
  const struct band_segment *first = &pieces->items[0]->segment;
  const struct band_segment *last = &pieces->items[pieces->count - 1]->segment;
  const struct band_network *network = writing->network;
  for (size_t t = 0; t < network->tensor_count; t++) {
    const struct onnx_tensor *tensor = &writing->model->tensors[t];
    const size_t made = network->tensors[t].made;
    bool is_here = made == 0 ? first->first == 0 : made > first->first && made <= last->end;
    if ((tensor->is_input && first->first == 0) || (first->first > 0 && t == first->input))
      put_old_value(writing, GRAPH_INPUT, t);
    if (tensor->is_output && tensor->is_constant) put_initializer(writing, t);
    if ((tensor->is_output && (is_here || tensor->is_constant)) ||
        (last->end < network->operator_count && t == last->output))
      put_old_value(writing, GRAPH_OUTPUT, t);
  }
}

/* Writes the constants that a node reads, and declares its outputs unless they are new. */
static void put_tensors_of(struct writing *writing, const struct step *step) {
  const struct onnx_model *model = writing->model;
  const struct onnx_node *node = &model->nodes[writing->rewriting->operators[step->like]];
  for (size_t l = node->inputs; l < node->outputs; l++)
    if (model->links[l] != ONNX_NONE && model->tensors[model->links[l]].is_constant)
      put_initializer(writing, model->links[l]);
  for (size_t l = node->outputs; step->kind == STEP_OLD && l < node->end; l++)
    if (model->links[l] != ONNX_NONE) put_old_value(writing, GRAPH_VALUE, model->links[l]);
}

/* Declares all tensors that nodes make, and the constants that they read. */
static void put_tensors(struct writing *writing) {
  const struct steps *steps = writing->steps;
  for (size_t i = 0; i < steps->count; i++)
    if (steps->items[i].kind == STEP_OLD || steps->items[i].kind == STEP_BANDED)
      put_tensors_of(writing, &steps->items[i]);
  for (size_t t = 0; t < steps->tensor_count; t++)
    put_value(writing, GRAPH_VALUE, steps->old_count + t, &steps->tensors[t]);
}

/* ---------------------------------------------------------------- declarations in a model */

static size_t declared_tensor(const struct writing *writing, const struct wire_text *value) {
  struct wire_field field;
  size_t tensor = NAMES_NONE;
  for (size_t at = 0; wire_next(value, &at, &field);)
    if (field.number == VALUE_NAME)
      tensor = names_find(&writing->model->names, field.value.bytes, field.value.size);
  return tensor;
}

/* Whether the model itself, without given values, declares another shape for a tensor. */
static bool has_other_shape(const struct writing *writing, size_t tensor) {
  const neap_reading none = NEAP_INIT(neap_reading);
  struct onnx_model bare = *writing->model;
  struct onnx_shape shape;
  bare.reading = &none;
  return bare.tensors[tensor].shape.is_known && !bare.tensors[tensor].is_constant &&
         onnx_declared_shape(&bare, tensor, &shape, NULL) == NEAP_OK && shape.is_known &&
         !onnx_same_dims(&shape, &bare.tensors[tensor].shape);
}

/* With bands, drops declarations of vanished tensors, and corrects shapes; copies the rest. */
static void put_declaration(struct writing *writing, const struct wire_field *field) {
  const size_t tensor = declared_tensor(writing, &field->value);
  const bool may_change = tensor != NAMES_NONE && writing->network;
  if (tensor != NAMES_NONE && !writing->network && field->number == GRAPH_VALUE)
    writing->declared[tensor] = field->value;
  if (may_change && writing->is_gone[tensor]) return;
  if (may_change && has_other_shape(writing, tensor))
    put_old_value(writing, field->number, tensor);
  else wire_put(writing->buffer, field->whole.bytes, field->whole.size);
}

/* Declares the outputs of a further run like those of the first. */
static void put_renamed(struct writing *writing, const struct step_tensor *made) {
  const struct wire_text *old = &writing->declared[made->like];
  struct wire_field field;
  if (old->size == 0) return;
  const size_t begin = wire_open(writing->buffer);
  for (size_t at = 0; wire_next(old, &at, &field);)
    if (field.number == VALUE_NAME) onnx_put_string(writing->buffer, VALUE_NAME, made->name);
    else wire_put(writing->buffer, field.whole.bytes, field.whole.size);
  wire_close(writing->buffer, GRAPH_VALUE, begin);
}

/* ---------------------------------------------------------------- the whole */

static void put_node(struct writing *writing, const struct step *step) {
  if (step->kind == STEP_OLD) put_old(writing, step->like);
  else if (step->kind == STEP_AGAIN) put_again(writing, step);
  else if (step->kind == STEP_BANDED) put_banded(writing, step);
  else if (step->kind == STEP_SLICE) put_slice(writing, step);
  else if (step->kind == STEP_CONCATENATION) put_concatenation(writing, step);
  else if (step->kind == STEP_CONSTANT) put_folded(writing, step->like);
}

static void put_graph(struct writing *writing) {
  struct wire_field field;
  for (size_t at = 0; wire_next(&writing->rewriting->texts->graph, &at, &field);) {
    if (field.number == GRAPH_INPUT || field.number == GRAPH_OUTPUT ||
        field.number == GRAPH_VALUE)
      put_declaration(writing, &field);
    else if (field.number != GRAPH_NODE)
      wire_put(writing->buffer, field.whole.bytes, field.whole.size);
  }
  for (size_t t = 0; t < writing->steps->tensor_count && !writing->network; t++)
    put_renamed(writing, &writing->steps->tensors[t]);
}

static void put_model(struct writing *writing) {
  const struct steps *nodes = writing->rewriting->nodes;
  struct wire_field field;
  for (size_t at = 0; wire_next(&writing->rewriting->texts->file, &at, &field);) {
    const size_t begin = wire_open(writing->buffer);
    if (field.number != MODEL_GRAPH) {
      if (!is_copy(writing) || field.number == MODEL_IR_VERSION || field.number == MODEL_OPSETS)
        wire_put(writing->buffer, field.whole.bytes, field.whole.size);
      continue;
    }
    for (size_t i = 0; i < nodes->count; i++)
      put_node(writing, &nodes->items[i]);
    if (is_copy(writing)) {
      put_ends(writing);
      put_tensors(writing);
    } else put_graph(writing);
    wire_close(writing->buffer, MODEL_GRAPH, begin);
  }
}

static bool prepare_bands(struct writing *writing) {
  const size_t tensors = writing->model->names.count;
  const struct steps *steps = writing->steps;
  bool fits = onnx_shapes_open(&writing->infer, writing->model);
  writing->is_written = memory_array(tensors, sizeof *writing->is_written);
  writing->is_gone = memory_array(tensors, sizeof *writing->is_gone);
  for (size_t i = 0; writing->is_gone && i < steps->vanished_count; i++)
    writing->is_gone[steps->vanished[i]] = true;
  return fits && writing->is_written && writing->is_gone;
}

static bool prepare_runs(struct writing *writing) {
  const struct onnx_model *model = writing->model;
  writing->declared = memory_array(model->names.count, sizeof *writing->declared);
  bool fits = writing->declared;
  for (size_t k = 0; k < model->node_count && fits; k++) {
    const char *label = model->nodes[k].message->name;
    fits = !label || !*label || names_include(&writing->names, label, strlen(label));
  }
  return fits;
}

neap_status onnx_rewrite(const struct onnx_rewriting *rewriting, struct wire_buffer *buffer,
                         neap_error *error) {
  struct writing writing = {.rewriting = rewriting,
                            .model = rewriting->model,
                            .steps = rewriting->steps,
                            .network = rewriting->network,
                            .mark = rewriting->mark,
                            .buffer = buffer};
  bool fits = rewriting->network ? prepare_bands(&writing) : prepare_runs(&writing);
  if (fits) put_model(&writing);
  onnx_shapes_close(&writing.infer);
  names_clear(&writing.names);
  free(writing.is_written);
  free(writing.is_gone);
  free(writing.declared);
  return fits && !buffer->is_short ? NEAP_OK : error_memory(error);
}
