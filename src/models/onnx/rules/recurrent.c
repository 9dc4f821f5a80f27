/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recurrent layers: their outputs are the hidden states of all steps, and the last states. */
#include <inttypes.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

static bool push_all(struct onnx_infer *infer, struct onnx_shape *output, const int64_t *dims,
                     size_t count) {
  for (size_t d = 0; d < count; d++)
    if (!onnx_push(infer, output, dims[d])) return false;
  return true;
}

static bool recurrent(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 3);
  const struct onnx_shape *weights = data ? onnx_input_of_rank(infer, 2, 3) : NULL;
  if (!weights) return false;
  bool batch_first = onnx_attribute_integer(infer, "layout", 0) != 0;
  int64_t steps = data->dims[batch_first ? 1 : 0], batch = data->dims[batch_first ? 0 : 1];
  int64_t directions = weights->dims[0];
  int64_t hidden = onnx_attribute_integer(infer, "hidden_size", weights->dims[2]);
  if (hidden < 1)
    return onnx_fail(infer, "expected a hidden_size of at least 1, found %" PRId64, hidden);
  const int64_t all[2][4] = {{steps, directions, batch, hidden},
                             {batch, steps, directions, hidden}};
  const int64_t last[2][3] = {{directions, batch, hidden}, {batch, directions, hidden}};
  if (!push_all(infer, onnx_output(infer, 0, data->type), all[batch_first], 4)) return false;
  for (size_t i = 1; i < 3; i++)
    if (!push_all(infer, onnx_output(infer, i, data->type), last[batch_first], 3)) return false;
  return true;
}

const struct onnx_rule onnx_rules_recurrent[] = {
    {.name = "GRU", .shape = recurrent},
    {.name = "LSTM", .shape = recurrent},
    {.name = "RNN", .shape = recurrent},
    {.name = NULL},
};
