/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/published.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/checked.h"

#define ELEMENT 4 /* bytes of a float32 */

void layers_scope(struct layers *layers, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(layers->scope, sizeof layers->scope, format, arguments);
  va_end(arguments);
  assert(length >= 0 && (size_t)length < sizeof layers->scope);
  (void)length;
}

static neap_size bytes_of(struct maps x) {
  neap_size bytes = ELEMENT;
  bool fits = checked_mul(bytes, x.side, &bytes) && checked_mul(bytes, x.side, &bytes) &&
              checked_mul(bytes, x.channels, &bytes);
  assert(fits && bytes > 0);
  (void)fits;
  return bytes;
}

/* Adds a tensor, which `x` describes; returns it with its index. */
static struct maps add_tensor(struct layers *layers, const char *name, struct maps x,
                              bool is_input, bool is_output) {
  char full[128];
  neap_tensor tensor = NEAP_TENSOR_INIT;
  int length = snprintf(full, sizeof full, "%s%s", layers->scope, name);
  assert(length > 0 && (size_t)length < sizeof full);
  (void)length;
  tensor.bytes = bytes_of(x);
  const neap_size shape[] = {1, x.channels, x.side, x.side};
  tensor.shape = shape;
  tensor.rank = sizeof shape / sizeof *shape;
  tensor.dtype = "float32";
  tensor.is_input = is_input;
  tensor.is_output = is_output;
  if (layers->status == NEAP_OK)
    layers->status = neap_graph_add_tensor(layers->graph, full, &tensor, layers->error);
  x.tensor = layers->tensors;
  layers->tensors += layers->status == NEAP_OK;
  return x;
}

/* Adds an operator that reads `inputs` and writes `output`. */
static void add_operator(struct layers *layers, const char *operator,
                         const struct maps * inputs, size_t count, struct maps output) {
  neap_error *error = layers->error;
  neap_status status = layers->status;
  if (status == NEAP_OK) status = neap_graph_add_operator(layers->graph, operator, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++)
    status = neap_graph_add_link(layers->graph, NEAP_LINK_INPUT, inputs[i].tensor, error);
  if (status == NEAP_OK)
    status = neap_graph_add_link(layers->graph, NEAP_LINK_OUTPUT, output.tensor, error);
  layers->status = status;
}

static struct maps add_layer(struct layers *layers, const char *operator, const char * name,
                             const struct maps *inputs, size_t count, struct maps output) {
  output = add_tensor(layers, name, output, false, false);
  add_operator(layers, operator, inputs, count, output);
  return output;
}

/* Lets the operator added last write over any of its inputs, or view its only one. */
static void allow_in_place(struct layers *layers, size_t count, bool is_view) {
  for (size_t i = 0; i < count && layers->status == NEAP_OK; i++)
    layers->status = neap_graph_add_pair(
        layers->graph, &(neap_in_place){sizeof(neap_in_place), i, 0, is_view}, layers->error);
}

/* States where in the output of the operator added last, a concatenation, its inputs lie. */
static void allow_parts(struct layers *layers, const struct maps *inputs, size_t count) {
  neap_size offset = 0;
  for (size_t i = 0; i < count && layers->status == NEAP_OK; i++) {
    neap_part part = {sizeof(neap_part), i, 0, offset, NEAP_ALIAS_CONCAT};
    layers->status = neap_graph_add_part(layers->graph, &part, layers->error);
    offset += bytes_of(inputs[i]);
  }
}

static int64_t strided(int64_t side, int64_t stride) { return (side + stride - 1) / stride; }

struct maps layers_input(struct layers *layers, const char *name, int64_t side,
                         int64_t channels) {
  return add_tensor(layers, name, (struct maps){.side = side, .channels = channels}, true,
                    false);
}

struct maps layers_conv(struct layers *layers, const char *name, struct maps x, int64_t stride,
                        int64_t channels) {
  struct maps y = {.side = strided(x.side, stride), .channels = channels};
  return add_layer(layers, "Conv", name, &x, 1, y);
}

struct maps layers_pool(struct layers *layers, const char *operator, const char * name,
                        struct maps x, int64_t stride) {
  struct maps y = {.side = strided(x.side, stride), .channels = x.channels};
  return add_layer(layers, operator, name, &x, 1, y);
}

struct maps layers_relu(struct layers *layers, const char *name, struct maps x) {
  struct maps y = add_layer(layers, "Relu", name, &x, 1, x);
  allow_in_place(layers, 1, false);
  return y;
}

struct maps layers_merge(struct layers *layers, const char *operator, const char * name,
                         const struct maps *inputs, size_t count) {
  for (size_t i = 1; i < count; i++)
    assert(inputs[i].side == inputs[0].side && inputs[i].channels == inputs[0].channels);
  struct maps y = add_layer(layers, operator, name, inputs, count, inputs[0]);
  allow_in_place(layers, count, false);
  return y;
}

struct maps layers_concat(struct layers *layers, const char *name, const struct maps *inputs,
                          size_t count) {
  struct maps y = inputs[0];
  for (size_t i = 1; i < count; i++) {
    assert(inputs[i].side == y.side);
    y.channels += inputs[i].channels;
  }
  y = add_layer(layers, "Concat", name, inputs, count, y);
  allow_parts(layers, inputs, count);
  return y;
}

struct maps layers_shift(struct layers *layers, const char *name, struct maps x) {
  char part[40];
  struct maps padded = x;
  padded.side++;
  snprintf(part, sizeof part, "%s/pad", name);
  padded = add_layer(layers, "Pad", part, &x, 1, padded);
  snprintf(part, sizeof part, "%s/slice", name);
  return add_layer(layers, "Slice", part, &padded, 1, x);
}

struct maps layers_separable(struct layers *layers, const char *name, struct maps x,
                             int64_t stride, int64_t channels) {
  char part[40];
  snprintf(part, sizeof part, "%s/depthwise", name);
  x = layers_conv(layers, part, x, stride, x.channels);
  snprintf(part, sizeof part, "%s/pointwise", name);
  return layers_conv(layers, part, x, 1, channels);
}

void layers_classify(struct layers *layers, struct maps x, int64_t classes) {
  struct maps y = {.side = 1, .channels = x.channels};
  y = add_layer(layers, "GlobalAveragePool", "pool", &x, 1, y);
  x = add_layer(layers, "Flatten", "features", &y, 1, y);
  allow_in_place(layers, 1, true);
  y = add_tensor(layers, "classes", (struct maps){.side = 1, .channels = classes}, false, true);
  add_operator(layers, "MatMul", &x, 1, y);
}
