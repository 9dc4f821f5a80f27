/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each element of the output (of the input in a transposed convolution) takes as many
 * multiplications as its share of the weights has elements: one dimension of the weights has an
 * equal share at each index.  A recurrent layer multiplies by all weights at each step.
 */
#include "models/tflite/macs.h"

#include "core/checked.h"
#include "models/operators/multiply_accumulates.h"
#include "models/tflite/operand.h"
#include "models/tflite/schema.h"

/* The number of elements; 0 if the tensor is absent or has too many. */
static int64_t elements_of(const struct tflite_operand *operand) {
  int64_t count;
  return operand->is_present && tflite_operand_elements(operand, &count) ? count : 0;
}

static int64_t dimension_of(const struct tflite_operand *operand, size_t axis) {
  return operand->is_present && axis < operand->rank ? operand->dims[axis] : 0;
}

static struct tflite_operand input_of(const struct tflite_call *call, size_t index) {
  struct tflite_operand operand;
  tflite_operand_read(call->subgraph, call->inputs, index, &operand);
  return operand;
}

static struct tflite_operand output_of(const struct tflite_call *call) {
  struct tflite_operand operand;
  tflite_operand_read(call->subgraph, call->outputs, 0, &operand);
  return operand;
}

/* Counts by `image`; input 1 is the weights, with an equal share at each index of `axis`. */
static int64_t weighted(const struct tflite_call *call, const struct tflite_operand *image,
                        size_t axis) {
  const struct tflite_operand weights = input_of(call, 1);
  return work_products(elements_of(image), elements_of(&weights), dimension_of(&weights, axis));
}

static int64_t by_output(const struct tflite_call *call, size_t axis) {
  const struct tflite_operand output = output_of(call);
  return weighted(call, &output, axis);
}

/* Counts by the input of a transposed convolution; input 0 is the shape of the output. */
static int64_t by_input(const struct tflite_call *call, size_t axis) {
  const struct tflite_operand input = input_of(call, 2);
  return weighted(call, &input, axis);
}

/* The left matrix may be transposed: its other dimension is that of the sums. */
static int64_t product(const struct tflite_call *call, size_t input) {
  const struct tflite_operand left = input_of(call, input), output = output_of(call);
  if (left.rank < 2 || output.rank < 2) return 0;
  const bool is_transposed =
      dimension_of(&left, left.rank - 2) != dimension_of(&output, output.rank - 2);
  return work_products(elements_of(&output),
                       dimension_of(&left, left.rank - (is_transposed ? 2 : 1)), 1);
}

/* Inputs 1 to `last` are weights. */
static int64_t recurrent(const struct tflite_call *call, size_t last) {
  const struct tflite_operand input = input_of(call, 0);
  int64_t sum = 0;
  for (size_t i = 1; i <= last; i++) {
    const struct tflite_operand weights = input_of(call, i);
    if (!checked_add(sum, elements_of(&weights), &sum)) return 0;
  }
  return input.rank > 0
             ? work_products(sum, elements_of(&input), dimension_of(&input, input.rank - 1))
             : 0;
}

#define NONE NULL, 0
#define MACS(count, detail) count, detail
#define KERNEL(code, name, kind, macs, overlap, memory, types) [code] = {macs},
#define REPLACED(code, name, kind, macs, overlap, memory, types, cmsis) [code] = {macs},
#define UNSUPPORTED(code, name, kind, macs) [code] = {macs},
static const struct {
  int64_t (*count)(const struct tflite_call *call, size_t detail);
  size_t detail; /* the axis of shares, the last of the weights, or the left matrix */
} kinds[] = {
#include "models/tflm/kernels.def"
};

static bool is_known(uint64_t code) { return code < sizeof kinds / sizeof *kinds; }

int64_t tflite_count_macs(const struct tflite_call *call) {
  return is_known(call->code) && kinds[call->code].count
             ? kinds[call->code].count(call, kinds[call->code].detail)
             : 0;
}

bool tflite_has_shares(uint64_t code, size_t input, size_t *axis) {
  if (!is_known(code) || kinds[code].count != by_output || input < 1 || input > 2) return false;
  *axis = input == 1 ? kinds[code].detail : 0;
  return true;
}
