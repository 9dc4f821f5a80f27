/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that work element by element, and others that keep the shape. */
#include <string.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/number.h"
#include "models/onnx/rules/rules.h"
#include "models/onnx/rules/same.h"

/* ---------------------------------------------------------------- one input */

static bool cast(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  int64_t type = onnx_attribute_integer(infer, "to", ONNX_UNDEFINED);
  if (onnx_has(infer, 1)) type = onnx_input_type(infer, 1);
  if (type <= ONNX_UNDEFINED || type > INT32_MAX)
    return onnx_fail(infer, "the attribute for the type is missing");
  onnx_output_like(infer, 0, (int)type, data);
  return true;
}

/* The output has the type in the attribute, otherwise that of the input. */
static bool draw_like(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  onnx_output_like(infer, 0, (int)onnx_attribute_integer(infer, "dtype", data->type), data);
  return true;
}

/* Before version 10, the mask had the data's type. */
static bool dropout(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  onnx_output_like(infer, 0, data->type, data);
  onnx_output_like(infer, 1, infer->opset < 10 ? data->type : ONNX_BOOL, data);
  return true;
}

/* ---------------------------------------------------------------- normalising */

/* Further outputs are means and variances, one per channel. */
static bool normalise_batch(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  onnx_output_like(infer, 0, data->type, data);
  for (size_t i = 1; i < 5; i++) {
    int type = onnx_has(infer, 3) ? onnx_input_type(infer, 3) : data->type;
    onnx_output(infer, i, type);
    if (!onnx_push(infer, &infer->outputs[i], data->rank > 1 ? data->dims[1] : 1)) return false;
  }
  return true;
}

/* Further outputs are means and inverse deviations over all axes from `axis` on. */
static bool normalise_layer(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 1);
  size_t axis;
  if (!data || !onnx_axis(infer, onnx_attribute_integer(infer, "axis", -1), data->rank, &axis))
    return false;
  onnx_output_like(infer, 0, data->type, data);
  int type = (int)onnx_attribute_integer(infer, "stash_type", ONNX_FLOAT);
  struct onnx_shape *mean = onnx_output_like(infer, 1, type, data);
  for (size_t d = axis; d < mean->rank; d++)
    mean->dims[d] = 1;
  onnx_output_like(infer, 2, type, mean);
  return true;
}

/* ---------------------------------------------------------------- several inputs */

/* Broadcasts all inputs.  ONNX_UNDEFINED as `type`: that of the first. */
static bool broadcast(struct onnx_infer *infer, int type) {
  const struct onnx_shape *first = onnx_input(infer, 0);
  if (!first) return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, type ? type : first->type, first);
  for (size_t i = 1; i < infer->input_count; i++) {
    const struct onnx_shape *next = onnx_input(infer, i);
    if (!next || !onnx_broadcast(infer, output, next, output)) return false;
  }
  return true;
}

/* Before version 7, the second input is broadcast to the shape of the first. */
static bool elements(struct onnx_infer *infer) {
  return infer->opset < 7 ? onnx_same_shape(infer) : broadcast(infer, infer->rule->detail);
}

static bool where(struct onnx_infer *infer) {
  return broadcast(infer, onnx_input_type(infer, 1));
}

/* ---------------------------------------------------------------- quantising */

static bool quantise(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  int type = (int)onnx_attribute_integer(infer, "output_dtype", ONNX_UNDEFINED);
  if (type == ONNX_UNDEFINED) type = ONNX_UINT8;
  if (onnx_has(infer, 2)) type = onnx_input_type(infer, 2);
  onnx_output_like(infer, 0, type, data);
  return true;
}

static bool dequantise(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  int type = (int)onnx_attribute_integer(infer, "output_dtype", ONNX_UNDEFINED);
  if (type == ONNX_UNDEFINED && onnx_has(infer, 1)) type = onnx_input_type(infer, 1);
  onnx_output_like(infer, 0, type ? type : ONNX_FLOAT, data);
  return true;
}

static bool quantise_dynamically(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  onnx_output_like(infer, 0, ONNX_UINT8, data);
  onnx_output(infer, 1, ONNX_FLOAT);
  onnx_output(infer, 2, ONNX_UINT8);
  return true;
}

/* ---------------------------------------------------------------- the table */

/* Scales and zero points must be for the whole tensor or per channel. */
static bool quantised_rows(struct onnx_infer *infer, struct band_rule *rule) {
  const struct onnx_shape *scale = onnx_input(infer, 1);
  int64_t axis = onnx_attribute_integer(infer, "axis", 1), rank = 0;
  if (!scale) return false;
  rank = (int64_t)infer->shapes[0]->rank;
  rule->kind = SPLIT_POINTWISE;
  return scale->rank == 0 ||
         (scale->rank == 1 && (scale->dims[0] == 1 || axis == 1 || axis == 1 - rank));
}

/* LRN reads other channels of the same pixel; InstanceNormalization reads its whole channel. */
static bool channel_rows(struct onnx_infer *infer, struct band_rule *rule) {
  (void)infer;
  rule->kind = SPLIT_POINTWISE;
  return true;
}

/* In training, BatchNormalization reads the whole tensor, and Dropout is random. */
static bool inference_rows(struct onnx_infer *infer, struct band_rule *rule) {
  rule->kind = SPLIT_POINTWISE;
  return onnx_attribute_integer(infer, "training_mode", 0) == 0 &&
         (strcmp(infer->rule->name, "Dropout") != 0 || !onnx_has(infer, 2));
}

/* ImageScaler has an attribute with a number per channel. */
static bool no_channels(struct onnx_infer *infer, struct band_rule *rule) {
  (void)infer, (void)rule;
  return false;
}

const struct onnx_rule onnx_rules_elements[] = {
    {.name = "Abs", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Acos", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Acosh", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Add",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_ADD},
    {.name = "And",
     .shape = elements,
     .place = ONNX_ANY,
     .detail = ONNX_BOOL,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_AND},
    {.name = "Asin", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Asinh", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Atan", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Atanh", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "BatchNormalization",
     .shape = normalise_batch,
     .place = ONNX_FIRST,
     .rows = inference_rows,
     .channels = inference_rows},
    {.name = "Bernoulli", .shape = draw_like, .is_random = true},
    {.name = "BitShift", .shape = elements, .place = ONNX_ANY},
    {.name = "BitwiseAnd", .shape = elements, .place = ONNX_ANY},
    {.name = "BitwiseNot", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "BitwiseOr", .shape = elements, .place = ONNX_ANY},
    {.name = "BitwiseXor", .shape = elements, .place = ONNX_ANY},
    {.name = "Cast", .shape = cast, .place = ONNX_FIRST, .fold = onnx_number_cast},
    {.name = "CastLike", .shape = cast, .place = ONNX_FIRST},
    {.name = "Ceil",
     .shape = onnx_same_shape,
     .place = ONNX_FIRST,
     .fold = onnx_number_unary,
     .fold_detail = ONNX_CEIL},
    {.name = "Celu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Clip", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Cos", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Cosh", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "CumSum", .shape = onnx_same_shape},
    {.name = "DequantizeLinear",
     .shape = dequantise,
     .rows = quantised_rows,
     .channels = quantised_rows},
    {.name = "Div",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_DIVIDE},
    {.name = "Dropout",
     .shape = dropout,
     .place = ONNX_FIRST,
     .rows = inference_rows,
     .channels = inference_rows},
    {.name = "DynamicQuantizeLinear", .shape = quantise_dynamically},
    {.name = "Elu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Equal",
     .shape = elements,
     .place = ONNX_ANY,
     .detail = ONNX_BOOL,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_EQUAL},
    {.name = "Erf", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Exp", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "EyeLike", .shape = draw_like},
    {.name = "Floor",
     .shape = onnx_same_shape,
     .place = ONNX_FIRST,
     .fold = onnx_number_unary,
     .fold_detail = ONNX_FLOOR},
    {.name = "Gelu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Greater",
     .shape = elements,
     .place = ONNX_ANY,
     .detail = ONNX_BOOL,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_GREATER},
    {.name = "GreaterOrEqual",
     .shape = elements,
     .place = ONNX_ANY,
     .detail = ONNX_BOOL,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_GREATER_OR_EQUAL},
    {.name = "GroupNormalization", .shape = onnx_same_shape},
    {.name = "HardSigmoid", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "HardSwish", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Hardmax", .shape = onnx_same_shape},
    {.name = "ImageScaler",
     .shape = onnx_same_shape,
     .place = ONNX_FIRST,
     .channels = no_channels},
    {.name = "InstanceNormalization", .shape = onnx_same_shape, .channels = channel_rows},
    {.name = "IsInf", .shape = onnx_same_shape, .place = ONNX_FIRST, .detail = ONNX_BOOL},
    {.name = "IsNaN", .shape = onnx_same_shape, .place = ONNX_FIRST, .detail = ONNX_BOOL},
    {.name = "LRN", .shape = onnx_same_shape, .rows = channel_rows},
    {.name = "LayerNormalization", .shape = normalise_layer},
    {.name = "LeakyRelu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Less",
     .shape = elements,
     .place = ONNX_ANY,
     .detail = ONNX_BOOL,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_LESS},
    {.name = "LessOrEqual",
     .shape = elements,
     .place = ONNX_ANY,
     .detail = ONNX_BOOL,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_LESS_OR_EQUAL},
    {.name = "Log", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "LogSoftmax", .shape = onnx_same_shape},
    {.name = "LpNormalization", .shape = onnx_same_shape},
    {.name = "Max",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_LARGEST},
    {.name = "Mean", .shape = elements, .place = ONNX_ANY},
    {.name = "MeanVarianceNormalization", .shape = onnx_same_shape},
    {.name = "Min",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_LEAST},
    {.name = "Mish", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Mod",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_MODULO},
    {.name = "Mul",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_MULTIPLY},
    {.name = "Neg",
     .shape = onnx_same_shape,
     .place = ONNX_FIRST,
     .fold = onnx_number_unary,
     .fold_detail = ONNX_NEGATE},
    {.name = "Not",
     .shape = onnx_same_shape,
     .place = ONNX_FIRST,
     .fold = onnx_number_unary,
     .fold_detail = ONNX_NOT},
    {.name = "Or",
     .shape = elements,
     .place = ONNX_ANY,
     .detail = ONNX_BOOL,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_OR},
    {.name = "PRelu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Pow", .shape = elements, .place = ONNX_ANY},
    {.name = "QuantizeLinear",
     .shape = quantise,
     .rows = quantised_rows,
     .channels = quantised_rows},
    {.name = "RMSNormalization", .shape = onnx_same_shape},
    {.name = "RandomNormalLike", .shape = draw_like, .is_random = true},
    {.name = "RandomUniformLike", .shape = draw_like, .is_random = true},
    {.name = "Reciprocal", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Relu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "ReverseSequence", .shape = onnx_same_shape},
    {.name = "Round", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Selu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Shrink", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Sigmoid", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Sign", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Sin", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Sinh", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Softmax", .shape = onnx_same_shape},
    {.name = "Softplus", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Softsign", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Sqrt",
     .shape = onnx_same_shape,
     .place = ONNX_FIRST,
     .fold = onnx_number_unary,
     .fold_detail = ONNX_ROOT},
    {.name = "Sub",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_SUBTRACT},
    {.name = "Sum",
     .shape = elements,
     .place = ONNX_ANY,
     .fold = onnx_number_combine,
     .fold_detail = ONNX_ADD},
    {.name = "Swish", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Tan", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Tanh", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "ThresholdedRelu", .shape = onnx_same_shape, .place = ONNX_FIRST},
    {.name = "Trilu", .shape = onnx_same_shape},
    {.name = "Where", .shape = where, .place = ONNX_ANY, .fold = onnx_number_where},
    {.name = "Xor", .shape = elements, .place = ONNX_ANY, .detail = ONNX_BOOL},
    {.name = NULL},
};
