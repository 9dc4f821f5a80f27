/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a Loop or Scan must keep its shape from turn to turn, because only then do all
 * turns need the same memory.  A Loop passes its body the number of the turn, the condition and the
 * state, and gets the condition, the state and elements of further outputs.  A Scan passes the
 * state and slices of further inputs, and gets the state and slices of further outputs.
 */
#include "models/onnx/body_shapes.h"

#include <string.h>

enum kind { KIND_IF, KIND_LOOP, KIND_SCAN, KIND_OTHER };

static enum kind kind_of(const struct onnx_model *model, const struct onnx_node *node) {
  const char *type = node->message->op_type ? node->message->op_type : "";
  const char *domain = node->message->domain ? node->message->domain : "";
  if (domain[0] && strcmp(domain, "ai.onnx") != 0) return KIND_OTHER;
  if (strcmp(type, "If") == 0) return KIND_IF;
  if (strcmp(type, "Loop") == 0) return KIND_LOOP;
  return strcmp(type, "Scan") == 0 && model->opset >= 9 ? KIND_SCAN : KIND_OTHER;
}

static size_t input_count(const struct onnx_node *node) { return node->within - node->inputs; }

static size_t scanned_count(const struct onnx_infer *infer, const struct onnx_node *node) {
  const int64_t count = onnx_attribute_integer(infer, "num_scan_inputs", 0);
  return count < 0 || (uint64_t)count > input_count(node) ? SIZE_MAX : (size_t)count;
}

static struct onnx_tensor *input_of(const struct onnx_model *model,
                                    const struct onnx_node *node, size_t i) {
  const size_t tensor = i < input_count(node) ? model->links[node->inputs + i] : ONNX_NONE;
  return tensor == ONNX_NONE ? NULL : &model->tensors[tensor];
}

static struct onnx_tensor *output_of(const struct onnx_model *model,
                                     const struct onnx_body *body, size_t i) {
  return &model->tensors[model->links[body->outputs + i]];
}

static size_t result_count(const struct onnx_body *body) {
  return body->outputs_end - body->outputs;
}

/* ---------------------------------------------------------------- entering */

static void set_scalar(struct onnx_tensor *tensor, int type) {
  tensor->shape = (struct onnx_shape){.is_known = true, .type = type};
}

/* Gives a tensor of the body the shape of an input of the node. */
static bool pass(const struct onnx_tensor *from, struct onnx_tensor *to, size_t i,
                 struct onnx_infer *infer) {
  if (!from) return onnx_fail(infer, "input %zu is missing", i);
  to->is_other = from->is_other;
  to->shape = from->shape;
  return from->is_other || from->shape.is_known ||
         onnx_fail(infer, "the shape of input %zu is unknown", i);
}

static bool enter_loop(struct onnx_model *model, const struct onnx_node *node,
                       const struct onnx_body *body, struct onnx_infer *infer) {
  struct onnx_tensor *inputs = &model->tensors[body->tensors];
  const size_t count = body->graph->n_input;
  if (count < 2 || count != input_count(node) || result_count(body) + 1 < count)
    return onnx_fail(infer, "the inputs of its body do not fit its own");
  set_scalar(&inputs[0], ONNX_INT64);
  set_scalar(&inputs[1], ONNX_BOOL);
  for (size_t i = 2; i < count; i++)
    if (!pass(input_of(model, node, i), &inputs[i], i, infer)) return false;
  return true;
}

/* Finds the axis along which a tensor of `rank` dimensions is scanned; false if out of range. */
static bool find_axis(struct onnx_infer *infer, const char *name, size_t i, size_t rank,
                      size_t *axis) {
  const struct onnx_list axes = onnx_attribute_list(infer, name);
  return onnx_axis(infer, i < axes.count ? onnx_list_at(&axes, i) : 0, rank, axis);
}

static void drop_dimension(struct onnx_shape *shape, size_t axis) {
  shape->rank--;
  memmove(&shape->dims[axis], &shape->dims[axis + 1],
          (shape->rank - axis) * sizeof *shape->dims);
}

static bool enter_scan(struct onnx_model *model, const struct onnx_node *node,
                       const struct onnx_body *body, struct onnx_infer *infer) {
  struct onnx_tensor *inputs = &model->tensors[body->tensors];
  const size_t count = body->graph->n_input, scanned = scanned_count(infer, node);
  if (count != input_count(node) || scanned > count || scanned == 0 ||
      result_count(body) < count - scanned)
    return onnx_fail(infer, "the inputs of its body do not fit its own");
  for (size_t i = 0; i < count; i++) {
    size_t axis;
    if (!pass(input_of(model, node, i), &inputs[i], i, infer)) return false;
    if (i < count - scanned) continue;
    if (inputs[i].is_other || !find_axis(infer, "scan_input_axes", i - (count - scanned),
                                         inputs[i].shape.rank, &axis))
      return inputs[i].is_other ? onnx_fail(infer, "input %zu is no tensor", i) : false;
    drop_dimension(&inputs[i].shape, axis);
  }
  return true;
}

bool onnx_body_enter(struct onnx_model *model, size_t node, size_t body,
                     struct onnx_infer *infer) {
  const struct onnx_node *own = &model->nodes[node];
  const struct onnx_body *entered = &model->bodies[body];
  switch (kind_of(model, own)) {
  case KIND_IF:
    return entered->graph->n_input == 0 || onnx_fail(infer, "its branches have inputs");
  case KIND_LOOP:
    return enter_loop(model, own, entered, infer);
  case KIND_SCAN:
    return enter_scan(model, own, entered, infer);
  default:
    return onnx_fail(infer, "neap does not know how it runs its body");
  }
}

/* ---------------------------------------------------------------- leaving */

/* Joins the outputs of two branches; dimensions that differ are -1, unknown. */
static bool join(const struct onnx_shape *made, size_t i, struct onnx_infer *infer) {
  struct onnx_shape *joined = &infer->outputs[i];
  if (!joined->is_known) *joined = *made;
  if (joined->type != made->type || joined->rank != made->rank)
    return onnx_fail(infer, "its branches do not agree about output %zu", i);
  for (size_t d = 0; d < made->rank; d++)
    if (joined->dims[d] != made->dims[d]) joined->dims[d] = -1;
  return true;
}

/* Values other than tensors need a declaration. */
static bool note_other(size_t i, struct onnx_infer *infer) {
  onnx_fail(infer, "output %zu is no tensor", i);
  return true;
}

static bool leave_if(const struct onnx_model *model, const struct onnx_node *node,
                     struct onnx_infer *infer) {
  for (size_t b = node->body; b != ONNX_NONE; b = model->bodies[b].next) {
    const struct onnx_body *body = &model->bodies[b];
    if (!body->is_planned) continue;
    if (result_count(body) != infer->output_count)
      return onnx_fail(infer, "the results of a branch do not fit its outputs");
    for (size_t i = 0; i < infer->output_count; i++) {
      const struct onnx_tensor *made = output_of(model, body, i);
      if (!made->shape.is_known) note_other(i, infer);
      else if (!join(&made->shape, i, infer)) return false;
    }
  }
  return true;
}

/* A state has the shape that it begins with. */
static bool leave_state(const struct onnx_tensor *begun, const struct onnx_tensor *made,
                        size_t i, struct onnx_infer *infer) {
  if (begun->is_other) return note_other(i, infer);
  if (!made->shape.is_known || made->shape.type != begun->shape.type ||
      !onnx_same_dims(&made->shape, &begun->shape))
    return onnx_fail(infer, "the shape of output %zu changes from turn to turn", i);
  infer->outputs[i] = made->shape;
  return true;
}

/* Outputs of all turns are stacked along an axis. */
static bool leave_stack(const struct onnx_tensor *made, size_t i, size_t axis, int64_t turns,
                        struct onnx_infer *infer) {
  struct onnx_shape *shape = &infer->outputs[i];
  if (!made->shape.is_known) return onnx_fail(infer, "output %zu is no tensor", i);
  *shape = made->shape;
  if (!onnx_push(infer, shape, 0)) return false;
  memmove(&shape->dims[axis + 1], &shape->dims[axis],
          (shape->rank - 1 - axis) * sizeof *shape->dims);
  shape->dims[axis] = turns;
  return true;
}

static bool is_true(const struct onnx_tensor *tensor) {
  const struct onnx_values *values = tensor->values;
  return values && !values->is_real && values->count == 1 && values->items[0].integer != 0;
}

/* Whether the condition never ends a Loop: it is true, or passed on. */
static bool goes_on(const struct onnx_model *model, const struct onnx_node *node,
                    const struct onnx_body *body) {
  const struct onnx_tensor *begun = input_of(model, node, 1);
  size_t result = model->links[body->outputs];
  const size_t maker = model->tensors[result].maker;
  if (begun && !is_true(begun)) return false;
  if (is_true(&model->tensors[result])) return true;
  if (maker != ONNX_NONE && maker >= body->nodes && model->nodes[maker].rule &&
      strcmp(model->nodes[maker].rule->name, "Identity") == 0)
    result = model->links[model->nodes[maker].inputs];
  return result == body->tensors + 1;
}

/* The number of turns of a Loop; -1: not known. */
static int64_t turns_of_loop(const struct onnx_model *model, const struct onnx_node *node,
                             const struct onnx_body *body) {
  const struct onnx_tensor *most = input_of(model, node, 0);
  const struct onnx_values *values = most ? most->values : NULL;
  if (!values || values->is_real || values->count != 1 || !goes_on(model, node, body))
    return -1;
  return values->items[0].integer < 0 ? 0 : values->items[0].integer;
}

static bool leave_loop(const struct onnx_model *model, const struct onnx_node *node,
                       const struct onnx_body *body, struct onnx_infer *infer) {
  const size_t states = body->graph->n_input - 2;
  const int64_t turns = turns_of_loop(model, node, body);
  if (result_count(body) != infer->output_count + 1)
    return onnx_fail(infer, "the results of its body do not fit its outputs");
  for (size_t i = 0; i < infer->output_count; i++) {
    const struct onnx_tensor *made = output_of(model, body, i + 1);
    const bool fits = i < states
                          ? leave_state(&model->tensors[body->tensors + 2 + i], made, i, infer)
                          : leave_stack(made, i, 0, turns, infer);
    if (!fits) return false;
  }
  return true;
}

static bool leave_scan(const struct onnx_model *model, const struct onnx_node *node,
                       const struct onnx_body *body, struct onnx_infer *infer) {
  const size_t states = input_count(node) - scanned_count(infer, node);
  const struct onnx_shape *scanned = &input_of(model, node, states)->shape;
  size_t axis;
  if (result_count(body) != infer->output_count ||
      !find_axis(infer, "scan_input_axes", 0, scanned->rank, &axis))
    return onnx_fail(infer, "the results of its body do not fit its outputs");
  const int64_t turns = scanned->dims[axis];
  for (size_t i = 0; i < infer->output_count; i++) {
    const struct onnx_tensor *made = output_of(model, body, i);
    bool fits;
    if (i < states) fits = leave_state(&model->tensors[body->tensors + i], made, i, infer);
    else
      fits = find_axis(infer, "scan_output_axes", i - states, made->shape.rank + 1, &axis) &&
             leave_stack(made, i, axis, turns, infer);
    if (!fits) return false;
  }
  return true;
}

bool onnx_body_leave(const struct onnx_model *model, size_t node, struct onnx_infer *infer) {
  const struct onnx_node *own = &model->nodes[node];
  for (size_t i = 0; i < infer->output_count || i < ONNX_MIN_OUTPUTS; i++)
    infer->outputs[i] = (struct onnx_shape){.is_known = false};
  switch (kind_of(model, own)) {
  case KIND_IF:
    return leave_if(model, own, infer);
  case KIND_LOOP:
    return leave_loop(model, own, &model->bodies[own->body], infer);
  case KIND_SCAN:
    return leave_scan(model, own, &model->bodies[own->body], infer);
  default:
    return onnx_fail(infer, "neap does not know how it runs its body");
  }
}

/* ---------------------------------------------------------------- what runs */

bool onnx_body_may_run(const struct onnx_model *model, size_t node, size_t body) {
  const struct onnx_node *own = &model->nodes[node];
  const struct onnx_tensor *condition = input_of(model, own, 0);
  const struct onnx_values *values = condition ? condition->values : NULL;
  if (kind_of(model, own) != KIND_IF || !values || values->is_real || values->count != 1)
    return true;
  return strcmp(model->bodies[body].role,
                values->items[0].integer != 0 ? "then_branch" : "else_branch") == 0;
}

size_t onnx_body_state(const struct onnx_model *model, size_t node, size_t body, size_t i) {
  const struct onnx_node *own = &model->nodes[node];
  const struct onnx_body *run = &model->bodies[body];
  const struct onnx_infer infer = {.node = own->message};
  const bool is_loop = kind_of(model, own) == KIND_LOOP;
  const size_t input = is_loop ? 2 + i : i, slices = is_loop ? 0 : scanned_count(&infer, own);
  if (own->outputs + i < own->end && model->links[own->outputs + i] != ONNX_NONE)
    return ONNX_NONE;
  return input < run->graph->n_input - slices ? run->tensors + input : ONNX_NONE;
}
