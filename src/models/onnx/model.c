/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "models/onnx/decode.h"

#define ALLOWANCE (1 << 20) /* in addition to the file's size */

/* ---------------------------------------------------------------- messages */

const char *onnx_model_tensor(const struct onnx_model *model, size_t tensor, char text[64]) {
  const char *name = names_text(&model->names, tensor);
  return text_excerpt(text, name, strlen(name));
}

/* The body that has a node. */
static const struct onnx_body *body_of(const struct onnx_model *model, size_t node) {
  for (size_t b = model->body_count; b-- > 0;)
    if (node >= model->bodies[b].nodes &&
        node - model->bodies[b].nodes < model->bodies[b].node_count)
      return &model->bodies[b];
  return &model->bodies[0];
}

/* "operator 7, 'Conv' named 'conv1'"; in a body, "operator 7 of else_branch, 'Conv'". */
const char *onnx_model_node(const struct onnx_model *model, size_t node,
                            char text[ONNX_NODE_TEXT]) {
  const Onnx__Node *message = model->nodes[node].message;
  const struct onnx_body *body = body_of(model, node);
  const char *type = message->op_type ? message->op_type : "";
  const char *name = message->name ? message->name : "";
  char type_text[TEXT_EXCERPT], name_text[TEXT_EXCERPT], role[TEXT_EXCERPT];
  text_excerpt(type_text, type, strlen(type));
  text_excerpt(name_text, name, strlen(name));
  text_excerpt(role, body->role, strlen(body->role));
  snprintf(text, ONNX_NODE_TEXT, "operator %zu%s%s, %s%s%s", node - body->nodes,
           body->role[0] ? " of " : "", body->role[0] ? role : "", type_text,
           name[0] ? " named " : "", name[0] ? name_text : "");
  return text;
}

/* ---------------------------------------------------------------- the whole */

static int64_t find_opset(const Onnx__Model *message) {
  int64_t opset = 1;
  for (size_t i = 0; i < message->n_opset_import; i++) {
    const Onnx__Opset *import = message->opset_import[i];
    bool is_standard =
        !import->domain || !import->domain[0] || strcmp(import->domain, "ai.onnx") == 0;
    if (is_standard && import->version > opset) opset = import->version;
  }
  return opset;
}

neap_status onnx_model_open(struct onnx_model *model, const char *text, size_t size,
                            const neap_reading *reading, neap_error *error) {
  *model = (struct onnx_model){.reading = reading, .allowance = ALLOWANCE + size};
  neap_status status = onnx_decode_model(text, size, &model->message, error);
  if (status != NEAP_OK) return status;
  if (model->message->n_graph != 1)
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected an ONNX model with one graph, found %zu",
                     model->message->n_graph);
  model->graph = model->message->graph[0];
  model->opset = find_opset(model->message);
  return onnx_bodies_open(model, error);
}

void onnx_model_close(struct onnx_model *model) {
  for (size_t t = 0; t < model->names.count; t++)
    free(model->tensors[t].values);
  names_clear(&model->names);
  names_clear(&model->open);
  names_clear(&model->missing);
  onnx_bodies_close(model);
  free(model->tensors);
  free(model->nodes);
  free(model->links);
  free(model->order);
  onnx_free_model(model->message);
}
