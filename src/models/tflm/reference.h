/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the output of an operator may lie over its input if a reference kernel of TensorFlow Lite
 * runs the operator.  The loops are those of TensorFlow Lite Micro (tensorflow/lite/micro/kernels
 * and tensorflow/lite/kernels/internal/reference, as of 2026).
 */
#ifndef MODELS_TFLM_REFERENCE_H
#define MODELS_TFLM_REFERENCE_H

#include "neap/neap.h"

enum kernel_kind {
  /* A filter reads the window below an output element, in `group_inputs` channels. */
  KERNEL_CONV,
  /* Each input channel makes output.channels / input.channels output channels. */
  KERNEL_DEPTHWISE_CONV,
  KERNEL_POOL, /* average or maximum */
  /* Each output channel reads all input channels; height and width are 1. */
  KERNEL_FULLY_CONNECTED,
  /* Each output element depends on the input element of its position. */
  KERNEL_ELEMENT_WISE,
  /* A row along the channels is read as a whole before it is read again and written. */
  KERNEL_SOFTMAX,
  KERNEL_MEAN, /* over rows and columns, in one pass per batch and channel */
  KERNEL_PAD
};

/* NHWC; each at least 1. */
struct kernel_shape {
  int64_t batches, height, width, channels;
};

/* A window along one axis.  Its first tap for output element i is i * stride - padding. */
struct kernel_window {
  int64_t taps, stride, dilation; /* >= 1 */
  int64_t padding;                /* >= 0 */
  bool is_same;                   /* padded for outputs = inputs / stride, rounded up */
};

/* A call of a kernel.  Members that its kind does not use are ignored. */
struct kernel {
  enum kernel_kind kind;
  struct kernel_shape input, output;
  int64_t input_bytes, output_bytes;  /* of an element */
  struct kernel_window rows, columns; /* CONV, DEPTHWISE_CONV, POOL */
  int64_t group_inputs;               /* CONV: the input channels that a filter reads */
  struct kernel_shape before;         /* PAD: elements added before the input */
};

/*
 * Sets *bytes to the least d >= 0 such that the kernel reads every byte of its input before it
 * overwrites the byte if offset(input) - offset(output) >= d.  d is less than the output's bytes.
 * False if no d is proven: shapes and members do not match, numbers are too large, or
 * a dilation exceeds KERNEL_DILATION_MAX.  O(dilation).
 */
#define KERNEL_DILATION_MAX 4096
bool reference_allowance(const struct kernel *kernel, neap_size *bytes);

#endif
