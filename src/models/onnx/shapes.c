/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infers the shapes of all tensors, operator by operator in execution order, so that those of the
 * inputs are known.  Declared shapes count where rules cannot infer any; otherwise they are
 * compared.
 */
#include "models/onnx/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/dimensions.h"
#include "models/onnx/body_shapes.h"
#include "models/onnx/declared.h"
#include "models/onnx/rules/rules.h"
#include "neap-tool.h"

struct walker {
  struct onnx_model *model;
  struct onnx_infer infer; /* of the current operator; its arrays fit the largest */
  bool is_inferred;
  char why_open[ONNX_NODE_TEXT +
                176];      /* why the first free dimension of an output is not known */
  size_t contradictions;   /* tensors that are not what the model declares */
  char contradiction[512]; /* the message about the first */
};

#define WAY_OUT "; python3 -m neap.onnx MODEL -o NEW writes the shapes into the model"

/* ---------------------------------------------------------------- elements */

/* Elements are limited by an allowance, so that small files do not take much memory. */
static bool spend(struct onnx_model *model, size_t count) {
  if (count > model->allowance) return false;
  model->allowance -= count;
  return true;
}

static neap_status read_elements(struct onnx_model *model, struct onnx_tensor *tensor,
                                 neap_error *error) {
  int64_t count;
  if (!tensor->initializer || !onnx_is_foldable(&tensor->shape) ||
      !onnx_elements(&tensor->shape, &count) || !spend(model, (size_t)count))
    return NEAP_OK;
  struct onnx_values *values = onnx_values_new(&tensor->shape);
  if (!values) return error_memory(error);
  if (onnx_tensor_values(tensor->initializer, values)) tensor->values = values;
  else free(values);
  return NEAP_OK;
}

static neap_status read_input(struct onnx_model *model, size_t index, neap_error *error) {
  struct onnx_tensor *tensor = &model->tensors[index];
  char name[TEXT_EXCERPT];
  tensor->is_other = onnx_declared_other(model, index);
  if (tensor->is_other) return NEAP_OK;
  neap_status status = onnx_declared_shape(model, index, &tensor->shape, error);
  if (status != NEAP_OK) return status;
  return tensor->shape.is_known ? onnx_declared_close(model, index, &tensor->shape, error)
                                : error_set(error, NEAP_ERROR_INPUT, "tensor %s has no shape",
                                            onnx_model_tensor(model, index, name));
}

static neap_status begin_inference(struct onnx_model *model, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < model->names.count && status == NEAP_OK; t++) {
    struct onnx_tensor *tensor = &model->tensors[t];
    if (tensor->initializer) status = read_elements(model, tensor, error);
    if (tensor->is_input) status = read_input(model, t, error);
  }
  return status;
}

/* ---------------------------------------------------------------- one operator */

static bool is_standard(const Onnx__Node *node) {
  return !node->domain || !node->domain[0] || strcmp(node->domain, "ai.onnx") == 0;
}

void onnx_shapes_describe(const struct onnx_model *model, const struct onnx_node *node,
                          struct onnx_infer *infer) {
  const Onnx__Node *message = node->message;
  infer->node = message;
  infer->rule = message->op_type && is_standard(message) ? onnx_rule(message->op_type) : NULL;
  infer->input_count = node->within - node->inputs;
  infer->output_count = node->end - node->outputs;
  infer->why[0] = '\0';
  for (size_t i = 0; i < infer->input_count; i++) {
    size_t tensor = model->links[node->inputs + i];
    const struct onnx_tensor *input = tensor == ONNX_NONE ? NULL : &model->tensors[tensor];
    infer->shapes[i] = input ? &input->shape : NULL;
    infer->values[i] = input ? input->values : NULL;
  }
  for (size_t i = 0; i < infer->output_count || i < ONNX_MIN_OUTPUTS; i++)
    infer->made[i] = NULL;
}

/* Whether the elements of all inputs that a fold needs are known. */
static bool may_fold(const struct onnx_infer *infer) {
  if (infer->rule->folds_shapes) return true;
  for (size_t i = 0; i < infer->input_count; i++)
    if (infer->shapes[i] && !infer->values[i]) return false;
  return infer->input_count == 0 || infer->shapes[0];
}

static bool may_make(struct walker *walker) {
  const struct onnx_infer *infer = &walker->infer;
  size_t work = infer->input_count;
  for (size_t i = 0; i < infer->input_count; i++)
    if (infer->values[i]) work += infer->values[i]->count;
  for (size_t i = 0; i < infer->output_count; i++) {
    int64_t count;
    if (!onnx_is_foldable(&infer->outputs[i]) || !onnx_elements(&infer->outputs[i], &count))
      return false;
    work += (size_t)count;
  }
  return spend(walker->model, work);
}

static void drop_made(struct onnx_infer *infer) {
  for (size_t i = 0; i < infer->output_count; i++) {
    free(infer->made[i]);
    infer->made[i] = NULL;
  }
}

static neap_status fold(struct walker *walker, neap_error *error) {
  struct onnx_infer *infer = &walker->infer;
  if (!infer->rule->fold || infer->output_count == 0 || !may_fold(infer) || !may_make(walker))
    return NEAP_OK;
  for (size_t i = 0; i < infer->output_count; i++)
    if (!(infer->made[i] = onnx_values_new(&infer->outputs[i]))) {
      drop_made(infer);
      return error_memory(error);
    }
  if (!infer->rule->fold(infer)) drop_made(infer);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- its outputs */

static neap_status not_inferred(const struct walker *walker, size_t k, size_t tensor,
                                neap_error *error) {
  const struct onnx_model *model = walker->model;
  char node_text[ONNX_NODE_TEXT], name[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_INPUT,
                   "%s: the shape of tensor %s cannot be inferred: %s%s",
                   onnx_model_node(model, k, node_text), onnx_model_tensor(model, tensor, name),
                   walker->infer.why, k < model->node_count ? WAY_OUT : "");
}

static const char *shape_text(const struct onnx_shape *shape, char text[NEAP_SHAPE_TEXT]) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  buffer.shape = shape->dims;
  buffer.rank = shape->rank;
  return neap_shape_text(&buffer, text);
}

/*
 * Runtimes use what operators make, whatever a model declares.  Remembers the first tensor where
 * these differ.
 */
static void note_contradiction(struct walker *walker, size_t k, size_t tensor,
                               const struct onnx_shape *declared) {
  const struct onnx_model *model = walker->model;
  char node_text[ONNX_NODE_TEXT], name[TEXT_EXCERPT], one[NEAP_SHAPE_TEXT],
      other[NEAP_SHAPE_TEXT];
  if (walker->contradictions++ > 0) return;
  snprintf(walker->contradiction, sizeof walker->contradiction,
           "tensor %s is declared as %s, but %s makes %s, which is planned",
           onnx_model_tensor(model, tensor, name), shape_text(declared, one),
           onnx_model_node(model, k, node_text),
           shape_text(&model->tensors[tensor].shape, other));
}

static void warn_of_contradictions(const struct walker *walker) {
  const neap_reading *reading = walker->model->reading;
  neap_error warning = {.status = NEAP_OK};
  if (walker->contradictions == 0 || !reading->warn) return;
  if (walker->contradictions == 1)
    snprintf(warning.text, sizeof warning.text, "%s", walker->contradiction);
  else
    snprintf(warning.text, sizeof warning.text, "%s (likewise for %zu more)",
             walker->contradiction, walker->contradictions - 1);
  reading->warn(&warning, reading->warn_user);
}

static neap_status other_type(const struct walker *walker, size_t k, size_t tensor, int made,
                              neap_error *error) {
  const struct onnx_model *model = walker->model;
  const int declared = model->tensors[tensor].declaration->type[0]->tensor_type[0]->elem_type;
  char node_text[ONNX_NODE_TEXT], name[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_INPUT,
                   "tensor %s is declared as a tensor of %s, but %s makes one of %s",
                   onnx_model_tensor(model, tensor, name), onnx_type_name(declared),
                   onnx_model_node(model, k, node_text), onnx_type_name(made));
}

/* Notes the dimensions of an output that are not known. */
static neap_status close_output(struct walker *walker, size_t k, size_t index,
                                neap_error *error) {
  struct onnx_model *model = walker->model;
  const size_t open = model->open.count;
  char node_text[ONNX_NODE_TEXT];
  neap_status status = onnx_declared_close(model, index, &model->tensors[index].shape, error);
  if (model->open.count > open && !walker->why_open[0])
    snprintf(walker->why_open, sizeof walker->why_open, " (%s%s%s)",
             onnx_model_node(model, k, node_text), walker->infer.why[0] ? ": " : "",
             walker->infer.why);
  return status;
}

/* Takes what an operator makes as the shape of a tensor. */
static neap_status take_inferred(struct walker *walker, size_t k, size_t index,
                                 const struct onnx_shape *inferred, neap_error *error) {
  struct onnx_tensor *tensor = &walker->model->tensors[index];
  const struct onnx_shape declared = tensor->shape;
  bool agrees = true;
  neap_status status = NEAP_OK;
  tensor->shape = *inferred;
  if (!tensor->shape.type) tensor->shape.type = declared.type;
  if (declared.type && inferred->type && declared.type != inferred->type)
    return other_type(walker, k, index, inferred->type, error);
  if (declared.is_known)
    status = onnx_declared_compare(walker->model, index, &declared, inferred, &agrees, error);
  if (!agrees) note_contradiction(walker, k, index, &declared);
  for (size_t d = 0; d < inferred->rank && declared.is_known && agrees; d++)
    if (inferred->dims[d] < 0) tensor->shape.dims[d] = declared.dims[d];
  return status == NEAP_OK ? close_output(walker, k, index, error) : status;
}

/* Sets the shape and elements of output `i`. */
static neap_status settle(struct walker *walker, size_t k, size_t i, neap_error *error) {
  struct onnx_model *model = walker->model;
  const struct onnx_shape *made = &walker->infer.outputs[i];
  const struct onnx_shape *inferred = walker->is_inferred && made->is_known ? made : NULL;
  size_t index = model->links[model->nodes[k].outputs + i];
  struct onnx_tensor *tensor = &model->tensors[index];
  tensor->is_constant = model->nodes[k].is_constant;
  tensor->is_other = !tensor->is_constant && onnx_declared_other(model, index);
  neap_status status = onnx_declared_shape(model, index, &tensor->shape, error);
  if (status != NEAP_OK || tensor->is_other) return status;
  if (inferred) status = take_inferred(walker, k, index, inferred, error);
  else if (tensor->shape.is_known) status = close_output(walker, k, index, error);
  else if (!tensor->is_constant) status = not_inferred(walker, k, index, error);
  if (inferred) {
    tensor->values = walker->infer.made[i];
    walker->infer.made[i] = NULL;
  }
  return status;
}

/* Whether its outputs are known before anything runs: from constants, or from shapes. */
static bool is_constant(const struct walker *walker, const struct onnx_node *node) {
  const struct onnx_model *model = walker->model;
  const struct onnx_infer *infer = &walker->infer;
  bool has_input = false;
  if (!infer->rule || infer->rule->is_random || node->within != node->outputs) return false;
  if (infer->output_count > 0 && infer->made[0]) return true;
  for (size_t i = node->inputs; i < node->within; i++) {
    if (model->links[i] == ONNX_NONE) continue;
    has_input = true;
    if (!model->tensors[model->links[i]].is_constant) return false;
  }
  return has_input || strcmp(infer->rule->name, "Constant") == 0;
}

static neap_status infer_bodies(struct walker *walker, size_t k, neap_error *error);

/* Infers the shapes of an operator's outputs, and their elements if it has a fold. */
static neap_status infer_outputs(struct walker *walker, size_t k, neap_error *error) {
  const struct onnx_node *node = &walker->model->nodes[k];
  if (node->body != ONNX_NONE) return infer_bodies(walker, k, error);
  onnx_shapes_describe(walker->model, node, &walker->infer);
  walker->is_inferred = onnx_infer_shapes(&walker->infer);
  return walker->is_inferred ? fold(walker, error) : NEAP_OK;
}

static neap_status infer_operator(struct walker *walker, size_t k, neap_error *error) {
  struct onnx_node *node = &walker->model->nodes[k];
  neap_status status = infer_outputs(walker, k, error);
  node->rule = walker->infer.rule;
  node->is_constant = is_constant(walker, node);
  for (size_t i = 0; i < walker->infer.output_count && status == NEAP_OK; i++)
    if (walker->model->links[node->outputs + i] != ONNX_NONE)
      status = settle(walker, k, i, error);
  drop_made(&walker->infer);
  return status;
}

/* ---------------------------------------------------------------- bodies */

/* Infers the shapes in a body.  If that fails, it is left out; the reason is in infer.why. */
static neap_status infer_body(struct walker *walker, size_t k, size_t b, neap_error *error) {
  struct onnx_body *body = &walker->model->bodies[b];
  neap_error own;
  neap_status status = NEAP_OK;
  onnx_shapes_describe(walker->model, &walker->model->nodes[k], &walker->infer);
  body->is_planned = onnx_body_enter(walker->model, k, b, &walker->infer);
  for (size_t j = body->nodes;
       body->is_planned && j < body->nodes + body->node_count && status == NEAP_OK; j++)
    status = infer_operator(walker, j, &own);
  if (status == NEAP_OK) return status;
  body->is_planned = false;
  if (status == NEAP_ERROR_INPUT)
    snprintf(walker->infer.why, sizeof walker->infer.why, "%.*s",
             (int)text_utf8_prefix(own.text, sizeof walker->infer.why - 1), own.text);
  else if (error) *error = own;
  return status == NEAP_ERROR_INPUT ? NEAP_OK : status;
}

/* Leaves out all bodies of an operator, for the reason in infer.why. */
static neap_status leave_out(struct walker *walker, size_t k, neap_error *error) {
  struct onnx_model *model = walker->model;
  char node_text[ONNX_NODE_TEXT], text[sizeof node_text + sizeof walker->infer.why + 32];
  for (size_t b = model->nodes[k].body; b != ONNX_NONE; b = model->bodies[b].next)
    model->bodies[b].is_planned = false;
  int length = snprintf(text, sizeof text, "the body of %s: %s",
                        onnx_model_node(model, k, node_text), walker->infer.why);
  return names_include(&model->missing, text, (size_t)length) ? NEAP_OK : error_memory(error);
}

static neap_status infer_bodies(struct walker *walker, size_t k, neap_error *error) {
  struct onnx_model *model = walker->model;
  bool are_known = true;
  neap_status status = NEAP_OK;
  for (size_t b = model->nodes[k].body; b != ONNX_NONE && are_known && status == NEAP_OK;
       b = model->bodies[b].next) {
    if (!onnx_body_may_run(model, k, b)) continue;
    status = infer_body(walker, k, b, error);
    are_known = model->bodies[b].is_planned;
  }
  if (status != NEAP_OK) return status;
  char why[sizeof walker->infer.why];
  memcpy(why, walker->infer.why, sizeof why);
  onnx_shapes_describe(model, &model->nodes[k], &walker->infer);
  if (!are_known) memcpy(walker->infer.why, why, sizeof why);
  walker->is_inferred = are_known && onnx_body_leave(model, k, &walker->infer);
  return walker->is_inferred ? NEAP_OK : leave_out(walker, k, error);
}

/* ---------------------------------------------------------------- the whole */

bool onnx_shapes_open(struct onnx_infer *infer, const struct onnx_model *model) {
  size_t inputs = 0, outputs = ONNX_MIN_OUTPUTS;
  for (size_t k = 0; k < model->all_nodes; k++) {
    const Onnx__Node *message = model->nodes[k].message;
    if (message->n_input > inputs) inputs = message->n_input;
    if (message->n_output > outputs) outputs = message->n_output;
  }
  *infer = (struct onnx_infer){.opset = model->opset};
  infer->shapes = memory_array(inputs, sizeof *infer->shapes);
  infer->values = memory_array(inputs, sizeof *infer->values);
  infer->outputs = memory_array(outputs, sizeof *infer->outputs);
  infer->made = memory_array(outputs, sizeof *infer->made);
  return infer->shapes && infer->values && infer->outputs && infer->made;
}

void onnx_shapes_close(struct onnx_infer *infer) {
  free(infer->shapes);
  free(infer->values);
  free(infer->outputs);
  free(infer->made);
}

neap_status onnx_shapes_infer(struct onnx_model *model, neap_error *error) {
  struct walker walker = {.model = model};
  neap_status status = onnx_shapes_open(&walker.infer, model) ? begin_inference(model, error)
                                                              : error_memory(error);
  for (size_t k = 0; k < model->node_count && status == NEAP_OK; k++)
    status = infer_operator(&walker, model->order[k], error);
  onnx_shapes_close(&walker.infer);
  /* Free dimensions are taken to be 1, which may have caused an error: report them first. */
  if (status == NEAP_OK || status == NEAP_ERROR_INPUT) {
    neap_status open = dimensions_check_open(&model->open, walker.why_open, error);
    if (open != NEAP_OK) return open;
  }
  if (status == NEAP_OK) warn_of_contradictions(&walker);
  return status;
}
