/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A convolution or a pool has a number of rows of padding for each border, so a band has none at its
 * inner ones, and no row is spoilt.  Nodes of bands have the attributes and constants of the whole, but for groups of
 * channels: their weights are slices of the constants, so that the file has them once.  What does not change is copied
 * byte for byte.
 */
#include "models/onnx/split_parts.h"

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
  const struct splitter *splitter;
  struct steps steps;
  const struct split_network *network;
  struct wire_buffer *buffer;
  struct onnx_infer infer; /* for what the rules tell of operators */
  size_t constants;        /* how many constant nodes are written */
  bool *is_written;        /* in a copy, of tensors: constants */
  struct names numbers;    /* names of constants */
  size_t pads;
  bool is_copy;
};

/* ---------------------------------------------------------------- names */

static const char *old_name(const struct writing *writing, size_t tensor) {
  return names_text(&writing->splitter->model.names, tensor);
}

/* Writes the name of a tensor, or "" for an absent one. */
static void put_name(struct writing *writing, unsigned field, size_t tensor) {
  const size_t old = writing->steps.old_count;
  const struct wire_text none = {"", 0};
  char number[32];
  if (tensor == ONNX_NONE) {
    wire_put_text(writing->buffer, field, none.bytes, 0);
    return;
  }
  if (tensor < old) {
    const char *name = old_name(writing, tensor);
    wire_put_text(writing->buffer, field, name, strlen(name));
    return;
  }
  const char *name = old_name(writing, writing->steps.tensors[tensor - old].like);
  const char *mark = writing->splitter->mark;
  size_t length = (size_t)snprintf(number, sizeof number, "%zu", tensor - old);
  const size_t begin = wire_open(writing->buffer);
  wire_put(writing->buffer, name, strlen(name));
  wire_put(writing->buffer, mark, strlen(mark));
  wire_put(writing->buffer, number, length);
  wire_close(writing->buffer, field, begin);
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

/* A node that makes a list of integers. */
static void put_constant(struct writing *writing, const char *name, const int64_t *integers,
                         size_t count) {
  struct wire_buffer *buffer = writing->buffer;
  const size_t node = wire_open(buffer);
  onnx_put_string(writing->buffer, NODE_OUTPUT, name);
  onnx_put_string(writing->buffer, NODE_TYPE, "Constant");
  const size_t attribute = onnx_open_attribute(writing->buffer, "value", IS_TENSOR);
  const size_t tensor = wire_open(buffer);
  wire_put_number(buffer, TENSOR_DIMENSION, count);
  wire_put_number(buffer, TENSOR_TYPE, ONNX_INT64);
  for (size_t i = 0; i < count; i++)
    wire_put_number(buffer, TENSOR_INT64, (uint64_t)integers[i]);
  wire_close(buffer, ATTRIBUTE_TENSOR, tensor);
  wire_close(buffer, NODE_ATTRIBUTE, attribute);
  wire_close(buffer, GRAPH_NODE, node);
}

#define NUMBER_NAME (MARK_MAX + 32)

static void name_number(const struct writing *writing, int64_t number, char name[NUMBER_NAME]) {
  snprintf(name, NUMBER_NAME, "%s%" PRId64, writing->splitter->mark, number);
}

/* Makes the constant of a number, once. */
static void need_number(struct writing *writing, int64_t number) {
  char name[NUMBER_NAME];
  name_number(writing, number, name);
  if (names_find(&writing->numbers, name, strlen(name)) != NAMES_NONE) return;
  if (!names_add(&writing->numbers, name, strlen(name))) writing->buffer->is_short = true;
  else put_constant(writing, name, &number, 1);
}

static void put_number_name(struct writing *writing, int64_t number) {
  char name[NUMBER_NAME];
  name_number(writing, number, name);
  onnx_put_string(writing->buffer, NODE_INPUT, name);
}

/* ---------------------------------------------------------------- new nodes */

/* A part of a tensor. */
struct slice {
  size_t from, to; /* ONNX_NONE: a part of a constant, whose name tells the range */
  int64_t axis;
  struct split_range range;
};

/* Writes the name of a part of a constant into `name`. */
#define PART_NAME (MARK_MAX + 96)
static void name_part(const struct writing *writing, const struct slice *slice,
                      char name[PART_NAME]) {
  snprintf(name, PART_NAME, "%s%" PRId64 "_%" PRId64 "_%" PRId64, writing->splitter->mark,
           slice->axis, slice->range.begin, slice->range.end);
}

static void put_sliced_name(struct writing *writing, unsigned field,
                            const struct slice *slice) {
  char part[PART_NAME];
  if (slice->to != ONNX_NONE) {
    put_name(writing, field, slice->to);
    return;
  }
  const char *whole = old_name(writing, slice->from);
  name_part(writing, slice, part);
  const size_t begin = wire_open(writing->buffer);
  wire_put(writing->buffer, whole, strlen(whole));
  wire_put(writing->buffer, part, strlen(part));
  wire_close(writing->buffer, field, begin);
}

/* The bounds of a slice were attributes before version 10. */
static bool has_bound_inputs(const struct writing *writing) {
  return writing->splitter->model.opset >= 10;
}

static void put_sliced(struct writing *writing, const struct slice *slice) {
  if (has_bound_inputs(writing)) {
    need_number(writing, slice->range.begin);
    need_number(writing, slice->range.end);
    need_number(writing, slice->axis);
  }
  const size_t node = wire_open(writing->buffer);
  put_name(writing, NODE_INPUT, slice->from);
  if (has_bound_inputs(writing)) {
    put_number_name(writing, slice->range.begin);
    put_number_name(writing, slice->range.end);
    put_number_name(writing, slice->axis);
  }
  put_sliced_name(writing, NODE_OUTPUT, slice);
  onnx_put_string(writing->buffer, NODE_TYPE, "Slice");
  if (!has_bound_inputs(writing)) {
    put_integers(writing, "starts", &slice->range.begin, 1);
    put_integers(writing, "ends", &slice->range.end, 1);
    put_integers(writing, "axes", &slice->axis, 1);
  }
  wire_close(writing->buffer, GRAPH_NODE, node);
}

static void put_slice(struct writing *writing, const struct step *step) {
  put_sliced(writing, &(struct slice){.from = writing->steps.links[step->links],
                                      .to = step->output,
                                      .axis = (int64_t)onnx_dimension(step->axis),
                                      .range = step->rows.given});
}

static void put_concatenation(struct writing *writing, const struct step *step) {
  const size_t node = wire_open(writing->buffer);
  for (size_t i = 0; i < step->link_count; i++)
    put_name(writing, NODE_INPUT, writing->steps.links[step->links + i]);
  put_name(writing, NODE_OUTPUT, step->output);
  onnx_put_string(writing->buffer, NODE_TYPE, "Concat");
  put_integer(writing, "axis", (int64_t)onnx_dimension(step->axis));
  wire_close(writing->buffer, GRAPH_NODE, node);
}

/* ---------------------------------------------------------------- nodes of bands */

/* Attributes in which a band differs from the whole: its padding (none at inner borders) or number of groups. */
struct pads {
  int64_t items[2 * ONNX_MAX_RANK];
  size_t count;
  const char *attribute;       /* NULL: an input, or nothing */
  const char *const *replaced; /* attributes of the whole */
  bool is_input;
};

static void drop_inner(const struct step *step, int64_t height, size_t axis,
                       struct pads *pads) {
  if (step->rows.given.begin > 0) pads->items[axis] = 0;
  if (step->rows.given.end < height) pads->items[pads->count / 2 + axis] = 0;
}

static struct pads find_pads(struct writing *writing, const struct step *step) {
  const struct split_operator *node = &writing->network->operators[step->like];
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
  slice->from = writing->splitter->model.links[node->inputs + position];
  slice->to = ONNX_NONE;
  slice->range = step->rows.made;
  if (step->axis != SPLIT_CHANNELS || slice->from == ONNX_NONE ||
      !writing->splitter->model.tensors[slice->from].is_constant ||
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
    if (names_find(&writing->numbers, key, strlen(key)) != NAMES_NONE) continue;
    if (!names_add(&writing->numbers, key, strlen(key))) writing->buffer->is_short = true;
    else put_sliced(writing, &slice);
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

/* Also of Pad, whose amounts are an input of their own and whose axes are then all. */
static void put_inputs(struct writing *writing, const struct step *step,
                       const struct onnx_node *node, const char *pads) {
  const struct onnx_model *model = &writing->splitter->model;
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
    else put_name(writing, NODE_INPUT, writing->steps.links[step->links + activations++]);
  }
}

static void put_label(struct writing *writing, const struct wire_field *name, size_t number) {
  char text[32];
  const char *mark = writing->splitter->mark;
  if (name->value.size == 0) return;
  const size_t begin = wire_open(writing->buffer);
  wire_put(writing->buffer, name->value.bytes, name->value.size);
  wire_put(writing->buffer, mark, strlen(mark));
  wire_put(writing->buffer, text, (size_t)snprintf(text, sizeof text, "%zu", number));
  wire_close(writing->buffer, NODE_NAME, begin);
}

static void put_banded(struct writing *writing, const struct step *step) {
  const struct splitter *splitter = writing->splitter;
  const size_t index = splitter->nodes[step->like];
  const struct onnx_node *node = &splitter->model.nodes[index];
  char name[NUMBER_NAME];
  struct wire_field field;
  onnx_shapes_describe(&splitter->model, node, &writing->infer);
  writing->infer.outputs[0] =
      splitter->model.tensors[splitter->model.links[node->outputs]].shape;
  struct pads pads = find_pads(writing, step);
  find_groups(writing, step, &pads);
  put_parts(writing, step, node);
  snprintf(name, sizeof name, "%spads%zu", splitter->mark, writing->pads);
  if (pads.is_input) {
    put_constant(writing, name, pads.items, pads.count);
    writing->pads++;
  }
  const size_t begin = wire_open(writing->buffer);
  put_inputs(writing, step, node, pads.is_input ? name : NULL);
  put_name(writing, NODE_OUTPUT, step->output);
  for (size_t at = 0; wire_next(&splitter->texts.nodes[index], &at, &field);)
    if (field.number == NODE_NAME)
      put_label(writing, &field, step->output - writing->steps.old_count);
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
  const struct wire_text *text = &writing->splitter->texts.nodes[index];
  wire_put_text(writing->buffer, GRAPH_NODE, text->bytes, text->size);
}

/*
 * Writes the constant nodes that need no operator from `moment` on.  None needs a tensor that vanishes,
 * since network.c keeps what constant nodes read.
 */
static void put_ready(struct writing *writing, size_t moment) {
  const struct splitter *splitter = writing->splitter;
  if (writing->is_copy) return;
  for (; writing->constants < splitter->constant_count &&
         splitter->constants[writing->constants].ready <= moment;
       writing->constants++)
    put_old(writing, splitter->constants[writing->constants].node);
}

/* In a copy, what a constant node makes is an initializer; rules may need its elements if they are integers. */
static void put_initializer(struct writing *writing, size_t index) {
  const struct onnx_tensor *tensor = &writing->splitter->model.tensors[index];
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

/* Declares a sequence, for example, as something that is no tensor. */
static void put_other(struct writing *writing, unsigned field, size_t tensor) {
  struct wire_buffer *buffer = writing->buffer;
  const size_t value = wire_open(buffer);
  put_name(writing, VALUE_NAME, tensor);
  wire_close(buffer, VALUE_TYPE, wire_open(buffer));
  wire_close(buffer, field, value);
}

/* Declares a tensor with the shape of an old one, but for its rows or channels; -1: those, too. */
static void put_value(struct writing *writing, unsigned field, size_t tensor,
                      const struct step_tensor *part) {
  const struct onnx_shape *shape = &writing->splitter->model.tensors[part->like].shape;
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
  if (writing->splitter->model.tensors[tensor].is_other) put_other(writing, field, tensor);
  else put_value(writing, field, tensor, &(struct step_tensor){.like = tensor, .rows = -1});
}

/* ---------------------------------------------------------------- the graph of a copy */

static void put_ends(struct writing *writing, const struct split_pieces *pieces) {
  const struct onnx_model *model = &writing->splitter->model;
  const struct split_segment *first = &pieces->items[0]->segment;
  const struct split_segment *last = &pieces->items[pieces->count - 1]->segment;
  const struct split_network *network = writing->network;
  for (size_t t = 0; t < network->tensor_count; t++) {
    const struct onnx_tensor *tensor = &model->tensors[t];
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

/* Declares all tensors that nodes make, and the constants that they read. */
static void put_tensors(struct writing *writing) {
  const struct splitter *splitter = writing->splitter;
  for (size_t i = 0; i < writing->steps.count; i++) {
    const struct step *step = &writing->steps.items[i];
    if (step->kind != STEP_OLD && step->kind != STEP_BANDED) continue;
    const struct onnx_node *node = &splitter->model.nodes[splitter->nodes[step->like]];
    for (size_t l = node->inputs; l < node->outputs; l++)
      if (splitter->model.links[l] != ONNX_NONE &&
          splitter->model.tensors[splitter->model.links[l]].is_constant)
        put_initializer(writing, splitter->model.links[l]);
    for (size_t l = node->outputs; step->kind == STEP_OLD && l < node->end; l++)
      if (splitter->model.links[l] != ONNX_NONE)
        put_old_value(writing, GRAPH_VALUE, splitter->model.links[l]);
  }
  for (size_t t = 0; t < writing->steps.tensor_count; t++)
    put_value(writing, GRAPH_VALUE, writing->steps.old_count + t, &writing->steps.tensors[t]);
}

/* ---------------------------------------------------------------- the whole */

static void put_steps(struct writing *writing) {
  for (size_t i = 0, moment = 0; i < writing->steps.count; i++) {
    const struct step *step = &writing->steps.items[i];
    if (step->kind == STEP_OLD || step->kind == STEP_BANDED) moment = step->like;
    put_ready(writing, moment);
    if (step->kind == STEP_OLD) put_old(writing, writing->splitter->nodes[step->like]);
    else if (step->kind == STEP_BANDED) put_banded(writing, step);
    else if (step->kind == STEP_SLICE) put_slice(writing, step);
    else put_concatenation(writing, step);
  }
  put_ready(writing, SIZE_MAX);
}

/* Declarations of what is there stay as they are. */
static void put_declaration(struct writing *writing, const struct wire_field *field,
                            const bool *is_gone) {
  const struct onnx_model *model = &writing->splitter->model;
  struct wire_field own;
  struct onnx_shape shape;
  size_t tensor = NAMES_NONE;
  const neap_reading none = NEAP_INIT(neap_reading);
  struct onnx_model bare = *model;
  bare.reading = &none;
  for (size_t at = 0; wire_next(&field->value, &at, &own);)
    if (own.number == VALUE_NAME)
      tensor = names_find(&model->names, own.value.bytes, own.value.size);
  if (tensor != NAMES_NONE && is_gone[tensor]) return;
  if (tensor == NAMES_NONE || !model->tensors[tensor].shape.is_known ||
      model->tensors[tensor].is_constant ||
      onnx_declared_shape(&bare, tensor, &shape, NULL) != NEAP_OK || !shape.is_known ||
      onnx_same_dims(&shape, &model->tensors[tensor].shape))
    wire_put(writing->buffer, field->whole.bytes, field->whole.size);
  else put_old_value(writing, field->number, tensor);
}

static void put_graph(struct writing *writing, const bool *is_gone) {
  struct wire_field field;
  put_steps(writing);
  for (size_t at = 0; wire_next(&writing->splitter->texts.graph, &at, &field);) {
    if (field.number == GRAPH_INPUT || field.number == GRAPH_OUTPUT ||
        field.number == GRAPH_VALUE)
      put_declaration(writing, &field, is_gone);
    else if (field.number != GRAPH_NODE)
      wire_put(writing->buffer, field.whole.bytes, field.whole.size);
  }
}

static void put_model(struct writing *writing, const struct split_pieces *pieces,
                      const bool *is_gone) {
  struct wire_field field;
  for (size_t at = 0; wire_next(&writing->splitter->texts.file, &at, &field);) {
    const size_t begin = wire_open(writing->buffer);
    if (field.number != MODEL_GRAPH) {
      if (!writing->is_copy || field.number == MODEL_IR_VERSION || field.number == MODEL_OPSETS)
        wire_put(writing->buffer, field.whole.bytes, field.whole.size);
      continue;
    }
    if (writing->is_copy) {
      put_steps(writing);
      put_ends(writing, pieces);
      put_tensors(writing);
    } else put_graph(writing, is_gone);
    wire_close(writing->buffer, MODEL_GRAPH, begin);
  }
}

#define PARTS_MAX SPLIT_BANDS_MAX

neap_status onnx_split_write(const struct splitter *splitter,
                             const struct split_network *network,
                             const struct split_pieces *pieces, const struct onnx_form *form,
                             size_t *operators, neap_error *error) {
  struct writing writing = {.splitter = splitter,
                            .network = network,
                            .buffer = form->buffer,
                            .is_copy = form->is_copy};
  const size_t tensors = network->tensor_count;
  bool *is_gone = memory_array(tensors, sizeof *is_gone);
  writing.is_written = memory_array(tensors, sizeof *writing.is_written);
  bool fits = split_rewrite(network, pieces, PARTS_MAX, &writing.steps);
  fits = onnx_shapes_open(&writing.infer, &splitter->model) && fits;
  fits = fits && is_gone && writing.is_written;
  for (size_t i = 0; i < writing.steps.vanished_count && fits; i++)
    is_gone[writing.steps.vanished[i]] = true;
  if (fits) put_model(&writing, pieces, is_gone);
  *operators = writing.steps.count;
  steps_clear(&writing.steps);
  onnx_shapes_close(&writing.infer);
  free(writing.is_written);
  names_clear(&writing.numbers);
  free(is_gone);
  return fits && !form->buffer->is_short ? NEAP_OK : error_memory(error);
}
