/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that reduce axes to one element each. */
#include "models/onnx/infer.h"
#include "models/onnx/rules/number.h"
#include "models/onnx/rules/rules.h"

/* Keeps unmarked axes.  Marked ones become 1 if `keep` is set, and disappear otherwise. */
static bool leave(struct onnx_infer *infer, const struct onnx_shape *data, const bool *marked,
                  bool keep, struct onnx_shape *output) {
  for (size_t d = 0; d < data->rank; d++)
    if ((!marked[d] || keep) && !onnx_push(infer, output, marked[d] ? 1 : data->dims[d]))
      return false;
  return true;
}

/* Without axes, all are reduced, or none with noop_with_empty_axes. */
static bool reduce(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  struct onnx_list axes;
  bool marked[ONNX_MAX_RANK];
  if (!data || !onnx_list(infer, 1, "axes", &axes) ||
      !onnx_axes(infer, &axes, data->rank, marked))
    return false;
  bool all = axes.count == 0 && !onnx_attribute_integer(infer, "noop_with_empty_axes", 0);
  for (size_t d = 0; d < data->rank; d++)
    marked[d] = marked[d] || all;
  bool keep = onnx_attribute_integer(infer, "keepdims", 1) != 0;
  return leave(infer, data, marked, keep, onnx_output(infer, 0, data->type));
}

/* The axes must be given, and include neither the batch nor the channels. */
static bool reduce_channels(struct onnx_infer *infer, struct band_rule *rule) {
  struct onnx_list axes;
  bool marked[ONNX_MAX_RANK];
  rule->kind = SPLIT_POINTWISE;
  return onnx_list(infer, 1, "axes", &axes) && axes.count > 0 &&
         onnx_axes(infer, &axes, infer->shapes[0]->rank, marked) && !marked[0] &&
         !marked[ONNX_CHANNELS];
}

static bool find_extreme(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 1);
  bool marked[ONNX_MAX_RANK] = {false};
  size_t axis;
  if (!data || !onnx_axis(infer, onnx_attribute_integer(infer, "axis", 0), data->rank, &axis))
    return false;
  marked[axis] = true;
  bool keep = onnx_attribute_integer(infer, "keepdims", 1) != 0;
  return leave(infer, data, marked, keep, onnx_output(infer, 0, ONNX_INT64));
}

/* One number, or one per label.  SoftmaxCrossEntropyLoss can also return log-probabilities. */
static bool lose(struct onnx_infer *infer) {
  const struct onnx_shape *scores = onnx_input(infer, 0), *labels = onnx_input(infer, 1);
  if (!scores || !labels) return false;
  onnx_output_like(infer, 1, scores->type, scores);
  if (onnx_attribute_is(infer, "reduction", "none"))
    return onnx_output_like(infer, 0, scores->type, labels) != NULL;
  return onnx_output(infer, 0, scores->type) != NULL;
}

const struct onnx_rule onnx_rules_reduce[] = {
    {.name = "ArgMax", .shape = find_extreme},
    {.name = "ArgMin", .shape = find_extreme},
    {.name = "NegativeLogLikelihoodLoss", .shape = lose},
    {.name = "ReduceL1", .shape = reduce, .channels = reduce_channels},
    {.name = "ReduceL2", .shape = reduce, .channels = reduce_channels},
    {.name = "ReduceLogSum", .shape = reduce, .channels = reduce_channels},
    {.name = "ReduceLogSumExp", .shape = reduce, .channels = reduce_channels},
    {.name = "ReduceMax",
     .shape = reduce,
     .channels = reduce_channels,
     .fold = onnx_number_reduce,
     .fold_detail = ONNX_LARGEST},
    {.name = "ReduceMean", .shape = reduce, .channels = reduce_channels},
    {.name = "ReduceMin",
     .shape = reduce,
     .channels = reduce_channels,
     .fold = onnx_number_reduce,
     .fold_detail = ONNX_LEAST},
    {.name = "ReduceProd",
     .shape = reduce,
     .channels = reduce_channels,
     .fold = onnx_number_reduce,
     .fold_detail = ONNX_MULTIPLY},
    {.name = "ReduceSum",
     .shape = reduce,
     .channels = reduce_channels,
     .fold = onnx_number_reduce,
     .fold_detail = ONNX_ADD},
    {.name = "ReduceSumSquare", .shape = reduce, .channels = reduce_channels},
    {.name = "SoftmaxCrossEntropyLoss", .shape = lose},
    {.name = NULL},
};
