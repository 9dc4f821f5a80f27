/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of kernels, and the functions by which these request memory. */
#ifndef MODELS_TFLM_REQUESTS_H
#define MODELS_TFLM_REQUESTS_H

#include "core/checked.h"
#include "models/tflm/call.h"

enum { FLOAT32 = 0, INT16 = 7, INT8 = 9, INT4 = 17 };
enum { FULLY_CONNECTED = 9, CUSTOM = 32 };

#define ALIGNMENT 16

/* A kernel of kernels.def. */
struct kernel {
  unsigned char code;
  unsigned char options, alignment; /* bytes of the unpacked options; alignment 0: pointers */
  unsigned short data[2];           /* bytes of the data, with pointers of 8 bytes and of 4 */
  const char *tensors; /* described: a: input 0, A: output 0, and so on; *: all inputs */
  void (*prepare)(const struct footprint_call *call);
  unsigned char weights; /* inputs that may be compressed; the data has a number for each */
  const char *types;     /* accepted types; NULL: those of the reference kernel */
  const char *custom;    /* the name of a custom operator */
  void (*init)(const struct footprint_call *call);
};

static inline neap_size times(neap_size a, neap_size b) {
  neap_size product;
  return a >= 0 && b >= 0 && checked_mul(a, b, &product) ? product : NEAP_MAX;
}

static inline void take(const struct footprint_call *call, enum footprint_kind kind,
                        neap_size bytes, neap_size repeat) {
  const struct footprint_request request = {
      .kind = kind, .bytes = bytes, .repeat = repeat, .alignment = ALIGNMENT};
  if (repeat > 0) call->take(call->user, &request);
}

static inline void keep(const struct footprint_call *call, neap_size bytes) {
  take(call, FOOTPRINT_PERSISTENT, bytes, 1);
}

static inline void scratch(const struct footprint_call *call, neap_size bytes) {
  take(call, FOOTPRINT_SCRATCH, bytes, 1);
}

static inline void describe(const struct footprint_call *call,
                            const struct footprint_tensor *tensor) {
  const struct footprint_request request = {
      .kind = FOOTPRINT_TENSOR, .repeat = 1, .tensor = tensor};
  if (tensor->is_present) call->take(call->user, &request);
}

static const struct footprint_tensor absent = {.is_present = false};

static inline const struct footprint_tensor *input(const struct footprint_call *call,
                                                   size_t index) {
  return index < call->input_count ? &call->inputs[index] : &absent;
}

static inline const struct footprint_tensor *output(const struct footprint_call *call,
                                                    size_t index) {
  return index < call->output_count ? &call->outputs[index] : &absent;
}

static inline void describe_all(const struct footprint_call *call, const char *tensors) {
  for (; *tensors; tensors++) {
    if (*tensors == '*')
      for (size_t i = 0; i < call->input_count; i++)
        describe(call, &call->inputs[i]);
    else if (*tensors >= 'a') describe(call, input(call, (size_t)(*tensors - 'a')));
    else describe(call, output(call, (size_t)(*tensors - 'A')));
  }
}

/* A dimension; 0 if it does not exist. */
static inline neap_size dimension(const struct footprint_tensor *tensor, size_t index) {
  if (!tensor->is_present || index >= tensor->rank) return 0;
  int32_t size = tensor->dimension(tensor, index);
  return size > 0 ? size : 0;
}

/* A dimension, counted from the last one; 0 if it does not exist. */
static inline neap_size last_dimension(const struct footprint_tensor *tensor, size_t from_end) {
  return tensor->rank > from_end ? dimension(tensor, tensor->rank - 1 - from_end) : 0;
}

static inline neap_size element_bytes(const struct footprint_tensor *tensor) {
  return tensor->type == FLOAT32 ? 4 : tensor->type == INT16 ? 2 : 1;
}

static inline int64_t number(const struct footprint_call *call, size_t index) {
  return index < call->number_count ? call->numbers[index] : 0;
}

static inline bool is_quantized(const struct footprint_tensor *tensor) {
  return tensor->type == INT8 || tensor->type == INT16;
}

/* The bytes of a copy of the output's dimensions, which the kernel may write to. */
static inline neap_size dimensions_bytes(const struct footprint_tensor *tensor) {
  return 4 + 4 * (neap_size)tensor->rank;
}

/* Keeps a multiplier and a shift for each output channel. */
static inline void keep_channels(const struct footprint_call *call, neap_size channels) {
  keep(call, times(4, channels));
  keep(call, times(4, channels));
}

/* Keeps a transposed operand: a struct, its dimensions, its data. */
static inline void keep_transposed(const struct footprint_call *call,
                                   const struct footprint_tensor *tensor) {
  keep(call, 3 * call->pointer);
  keep(call, dimensions_bytes(tensor));
  keep(call, times(element_bytes(tensor), tensor->elements));
}

/* The first number is the rank. */
static inline void scratch_svdf(const struct footprint_call *call) {
  neap_size batch = dimension(input(call, 0), 0), filters = dimension(input(call, 1), 0);
  scratch(call, times(4, times(batch, filters)));
  if (input(call, 0)->type == INT8 && number(call, 0) > 0)
    scratch(call, times(4, times(batch, filters / number(call, 0))));
}

/* Requests `count` buffers for the states.  The number is whether time comes before the batch. */
static inline void scratch_lstm(const struct footprint_call *call, size_t count) {
  const struct footprint_tensor *read = input(call, 0), *cell = input(call, 19);
  neap_size batch =
      read->rank == 3 ? dimension(read, number(call, 0) ? 1 : 0) : dimension(read, 0);
  neap_size bytes = times(times(batch, dimension(input(call, 18), 1)), element_bytes(cell));
  for (size_t i = 0; i < count; i++)
    scratch(call, bytes);
}

/* The requests of a transposed convolution after the scratch buffers for 8-bit numbers. */
static inline void end_transpose_conv(const struct footprint_call *call) {
  const struct footprint_tensor *made = output(call, 0), *read = input(call, 2);
  if (read->type == INT16) scratch(call, times(8, made->elements));
  if (read->type == FLOAT32) return;
  describe_all(call, "cbdA");
  if (read->type == INT16 && input(call, 3)->is_present && input(call, 3)->type == INT16)
    scratch(call, times(8, input(call, 3)->elements));
}

/* Keeps the tables of a softmax of 16-bit numbers. */
static inline void prepare_softmax(const struct footprint_call *call) {
  enum { TABLE = 2 * 513 };
  if (input(call, 0)->type != INT16) return;
  keep(call, TABLE);
  keep(call, TABLE);
}

#endif
