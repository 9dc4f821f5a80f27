/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All kernels here write their output from the first byte to the last, without gaps.  So when an
 * output element is computed, only the bytes before it are written.  If the element
 * begins w bytes into the output and reads its input from byte r on, then
 *
 *     offset(output) + w <= offset(input) + r
 *
 * must hold, and the least difference of the offsets is the largest w - r over all elements:
 *
 *     offset(output)
 *     |<--------- w --------->|              written
 *             |<----- r ----->|- - - - -     read before, then still to be read
 *             offset(input)
 *
 * Further passes change nothing: a kernel may also read an element earlier, and may write the
 * same element again.
 *
 * Every kernel but padding is a window that moves over the input; element-wise operators have
 * windows of one element, fully connected ones have one position.  The element at batch b, row y,
 * column x and channel c has
 *
 *     w = b * B' + y * Y' + x * X' + c * C'
 *     r = b * B + first(y) * Y + first(x) * X + first(c) * C
 *
 * with the steps of both tensors in bytes, where first(y) is the window's first row within the
 * image.  The four parts are independent of each other, so the maximum of w - r is the sum of four
 * maxima.  Within the image, first(y) is linear in y, and a linear function is largest at an end.
 * Where padding cuts the window, first(y) is less than the dilation and depends on y modulo the
 * dilation, so the last few such y are tried.
 *
 * The idea is from Blacker, Bridges and Hadfield (arXiv 2010.01668).
 */
#include "models/tflm/reference.h"

#include <assert.h>

#include "core/checked.h"

/* Products of two smaller numbers, and sums of two such products, fit into 64 bits. */
#define NUMBER_MAX ((int64_t)1 << 31)

/* A tensor's steps in bytes. */
struct steps {
  int64_t channel, column, row, batch, all;
};

/* One axis that windows move along.  Counts are in elements, steps in bytes. */
struct axis {
  int64_t inputs, outputs;
  int64_t input_step, output_step;
  struct kernel_window window;
};

/* Channels in groups: each output channel reads the input channels of its group. */
struct groups {
  int64_t count, inputs, outputs; /* groups; channels of each */
};

static bool is_number(int64_t number) { return number >= 1 && number < NUMBER_MAX; }

static bool find_steps(const struct kernel_shape *shape, int64_t element, struct steps *steps) {
  if (!is_number(shape->batches) || !is_number(shape->height) || !is_number(shape->width) ||
      !is_number(shape->channels) || !is_number(element))
    return false;
  steps->channel = element;
  return checked_mul(element, shape->channels, &steps->column) &&
         checked_mul(steps->column, shape->width, &steps->row) &&
         checked_mul(steps->row, shape->height, &steps->batch) &&
         checked_mul(steps->batch, shape->batches, &steps->all);
}

/* The largest value of a linear function on 0 .. count - 1. */
static int64_t linear_max(int64_t count, int64_t slope) {
  assert(count >= 1);
  return slope > 0 ? (count - 1) * slope : 0;
}

/* ---------------------------------------------------------------- windows */

static bool is_window(const struct kernel_window *window) {
  return is_number(window->taps) && is_number(window->stride) && window->dilation >= 1 &&
         window->dilation <= KERNEL_DILATION_MAX && window->padding >= 0 &&
         window->padding < NUMBER_MAX;
}

/* The first input element that output element i reads; false if it reads none. */
static bool first_read(const struct axis *axis, int64_t i, int64_t *first) {
  const struct kernel_window *window = &axis->window;
  int64_t at = i * window->stride - window->padding, skipped = 0;
  if (at < 0) skipped = (-at + window->dilation - 1) / window->dilation;
  *first = at + skipped * window->dilation;
  return skipped < window->taps && *first < axis->inputs;
}

static void note_max(int64_t value, bool *found, int64_t *max) {
  if (!*found || value > *max) *max = value;
  *found = true;
}

static void try_output(const struct axis *axis, int64_t i, bool *found, int64_t *max) {
  int64_t first;
  if (first_read(axis, i, &first))
    note_max(i * axis->output_step - first * axis->input_step, found, max);
}

/* The largest w - r along an axis; false if nothing is read. */
static bool axis_max(const struct axis *axis, int64_t *max) {
  const struct kernel_window *window = &axis->window;
  /* From `inner` on, windows begin within the image; from `end` on, beyond it. */
  int64_t inner = (window->padding + window->stride - 1) / window->stride;
  int64_t end = (window->padding + axis->inputs - 1) / window->stride + 1;
  bool found = false;
  if (end > axis->outputs) end = axis->outputs;
  if (inner < end) {
    try_output(axis, inner, &found, max);
    try_output(axis, end - 1, &found, max);
  }
  /* An earlier window that begins at the same element modulo the dilation is no better. */
  int64_t cut = inner < axis->outputs ? inner : axis->outputs;
  for (int64_t i = cut; i-- > 0 && i >= cut - window->dilation;)
    try_output(axis, i, &found, max);
  return found;
}

/* The largest w - r over the channels: in a group, the last output channel has most before it. */
static int64_t group_max(const struct groups *groups, const struct steps *in,
                         const struct steps *out) {
  return (groups->outputs - 1) * out->channel +
         linear_max(groups->count,
                    groups->outputs * out->channel - groups->inputs * in->channel);
}

static bool window_allowance(const struct kernel *kernel, const struct groups *groups,
                             const struct steps *in, const struct steps *out,
                             neap_size *bytes) {
  const struct axis rows = {kernel->input.height, kernel->output.height, in->row, out->row,
                            kernel->rows};
  const struct axis columns = {kernel->input.width, kernel->output.width, in->column,
                               out->column, kernel->columns};
  int64_t row_max, column_max;
  if (kernel->input.batches != kernel->output.batches || !is_window(&kernel->rows) ||
      !is_window(&kernel->columns) || groups->count < 1 || groups->outputs < 1 ||
      groups->count * groups->inputs != kernel->input.channels ||
      groups->count * groups->outputs != kernel->output.channels)
    return false;
  *bytes = 0;
  if (!axis_max(&rows, &row_max) || !axis_max(&columns, &column_max)) return true;
  int64_t max = linear_max(kernel->input.batches, out->batch - in->batch) + row_max +
                column_max + group_max(groups, in, out);
  if (max > 0) *bytes = max;
  return true;
}

/* ---------------------------------------------------------------- padding */

/* Whether `inputs` elements after `before` others are within `outputs` elements. */
static bool fits(int64_t before, int64_t inputs, int64_t outputs) {
  return before >= 0 && before < NUMBER_MAX && before + inputs <= outputs;
}

/* The allowance of padding: that of the last element, as the output only gets further ahead. */
static bool pad_allowance(const struct kernel *kernel, const struct steps *in,
                          const struct steps *out, neap_size *bytes) {
  const struct kernel_shape *input = &kernel->input, *output = &kernel->output;
  const struct kernel_shape *before = &kernel->before;
  if (kernel->input_bytes != kernel->output_bytes ||
      !fits(before->batches, input->batches, output->batches) ||
      !fits(before->height, input->height, output->height) ||
      !fits(before->width, input->width, output->width) ||
      !fits(before->channels, input->channels, output->channels))
    return false;
  *bytes = (before->batches + input->batches - 1) * out->batch +
           (before->height + input->height - 1) * out->row +
           (before->width + input->width - 1) * out->column +
           (before->channels + input->channels - 1) * out->channel - (in->all - in->channel);
  assert(*bytes >= 0);
  return true;
}

/* ---------------------------------------------------------------- kinds */

static const struct kernel_window one = {1, 1, 1, 0, false};

static bool is_same_shape(const struct kernel_shape *a, const struct kernel_shape *b) {
  return a->batches == b->batches && a->height == b->height && a->width == b->width &&
         a->channels == b->channels;
}

/* Fills in the windows and the groups that a kind implies; false if the shapes do not match. */
static bool find_windows(struct kernel *kernel, struct groups *groups) {
  const struct kernel_shape *input = &kernel->input, *output = &kernel->output;
  *groups = (struct groups){input->channels, 1, output->channels / input->channels};
  switch (kernel->kind) {
  case KERNEL_CONV:
    if (!is_number(kernel->group_inputs)) return false;
    groups->count = input->channels / kernel->group_inputs;
    if (groups->count == 0) return false;
    groups->inputs = kernel->group_inputs;
    groups->outputs = output->channels / groups->count;
    return true;
  case KERNEL_POOL:
    return input->channels == output->channels;
  case KERNEL_ELEMENT_WISE:
  case KERNEL_SOFTMAX:
    kernel->rows = kernel->columns = one;
    return is_same_shape(input, output);
  case KERNEL_FULLY_CONNECTED:
    kernel->rows = kernel->columns = one;
    *groups = (struct groups){1, input->channels, output->channels};
    return input->height == 1 && input->width == 1 && output->height == 1 && output->width == 1;
  case KERNEL_MEAN:
    kernel->rows = (struct kernel_window){input->height, 1, 1, 0, false};
    kernel->columns = (struct kernel_window){input->width, 1, 1, 0, false};
    return input->channels == output->channels && output->height == 1 && output->width == 1;
  default:
    return true;
  }
}

bool reference_allowance(const struct kernel *kernel, neap_size *bytes) {
  struct kernel filled = *kernel;
  struct steps in, out;
  struct groups groups;
  neap_size found;
  if (!find_steps(&kernel->input, kernel->input_bytes, &in) ||
      !find_steps(&kernel->output, kernel->output_bytes, &out))
    return false;
  if (kernel->kind == KERNEL_PAD ? !pad_allowance(kernel, &in, &out, &found)
                                 : !find_windows(&filled, &groups) ||
                                       !window_allowance(&filled, &groups, &in, &out, &found))
    return false;
  assert(found >= 0 && found < out.all);
  *bytes = found;
  return true;
}
