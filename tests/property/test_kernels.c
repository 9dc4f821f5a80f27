/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far outputs may lie over inputs: each kernel's loops run step by step in a memory that
 * remembers which bytes the output has overwritten.  At the computed allowance no overwritten byte
 * is read; one byte less, and one is.
 */
#include <stdlib.h>
#include <string.h>

#include "models/tflm/reference.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* The output begins at byte 0 of the memory, the input `lead` bytes later. */
struct memory {
  bool *is_written;
  int64_t lead, input_bytes, output_bytes;
  bool is_safe;
};

static void read_element(struct memory *memory, int64_t element) {
  for (int64_t i = 0; i < memory->input_bytes; i++)
    if (memory->is_written[memory->lead + element * memory->input_bytes + i])
      memory->is_safe = false;
}

static void write_element(struct memory *memory, int64_t element) {
  memset(memory->is_written + element * memory->output_bytes, true,
         (size_t)memory->output_bytes);
}

static int64_t element_count(const struct kernel_shape *shape) {
  return shape->batches * shape->height * shape->width * shape->channels;
}

static int64_t element_at(const struct kernel_shape *shape, int64_t b, int64_t y, int64_t x,
                          int64_t c) {
  return ((b * shape->height + y) * shape->width + x) * shape->channels + c;
}

/* ---------------------------------------------------------------- the loops */

static int64_t tap_of(const struct kernel_window *window, int64_t output, int64_t tap) {
  return output * window->stride - window->padding + tap * window->dilation;
}

static void run_conv_element(const struct kernel *kernel, struct memory *memory, int64_t b,
                             int64_t y, int64_t x, int64_t c) {
  const struct kernel_shape *in = &kernel->input;
  int64_t filters = kernel->output.channels / (in->channels / kernel->group_inputs);
  for (int64_t i = 0; i < kernel->rows.taps; i++)
    for (int64_t j = 0; j < kernel->columns.taps; j++) {
      int64_t in_y = tap_of(&kernel->rows, y, i), in_x = tap_of(&kernel->columns, x, j);
      if (in_y < 0 || in_y >= in->height || in_x < 0 || in_x >= in->width) continue;
      for (int64_t k = 0; k < kernel->group_inputs; k++)
        read_element(memory,
                     element_at(in, b, in_y, in_x, c / filters * kernel->group_inputs + k));
    }
}

static void run_conv(const struct kernel *kernel, struct memory *memory) {
  const struct kernel_shape *out = &kernel->output;
  for (int64_t b = 0; b < out->batches; b++)
    for (int64_t y = 0; y < out->height; y++)
      for (int64_t x = 0; x < out->width; x++)
        for (int64_t c = 0; c < out->channels; c++) {
          run_conv_element(kernel, memory, b, y, x, c);
          write_element(memory, element_at(out, b, y, x, c));
        }
}

static void read_depthwise_window(const struct kernel *kernel, struct memory *memory, int64_t b,
                                  int64_t y, int64_t x, int64_t c) {
  const struct kernel_shape *in = &kernel->input;
  for (int64_t i = 0; i < kernel->rows.taps; i++)
    for (int64_t j = 0; j < kernel->columns.taps; j++) {
      int64_t in_y = tap_of(&kernel->rows, y, i), in_x = tap_of(&kernel->columns, x, j);
      if (in_y >= 0 && in_y < in->height && in_x >= 0 && in_x < in->width)
        read_element(memory, element_at(in, b, in_y, in_x, c));
    }
}

static void run_depthwise(const struct kernel *kernel, struct memory *memory) {
  const struct kernel_shape *out = &kernel->output;
  int64_t multiplier = out->channels / kernel->input.channels;
  for (int64_t b = 0; b < out->batches; b++)
    for (int64_t y = 0; y < out->height; y++)
      for (int64_t x = 0; x < out->width; x++)
        for (int64_t c = 0; c < kernel->input.channels; c++)
          for (int64_t m = 0; m < multiplier; m++) {
            read_depthwise_window(kernel, memory, b, y, x, c);
            write_element(memory, element_at(out, b, y, x, c * multiplier + m));
          }
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Pooling clips its window first and then reads all of it. */
static void read_pool_window(const struct kernel *kernel, struct memory *memory, int64_t b,
                             int64_t y, int64_t x, int64_t c) {
  const struct kernel_shape *in = &kernel->input;
  int64_t top = tap_of(&kernel->rows, y, 0), left = tap_of(&kernel->columns, x, 0);
  int64_t bottom = least(top + kernel->rows.taps, in->height);
  int64_t right = least(left + kernel->columns.taps, in->width);
  for (int64_t in_y = top < 0 ? 0 : top; in_y < bottom; in_y++)
    for (int64_t in_x = left < 0 ? 0 : left; in_x < right; in_x++)
      read_element(memory, element_at(in, b, in_y, in_x, c));
}

static void run_pool(const struct kernel *kernel, struct memory *memory) {
  const struct kernel_shape *out = &kernel->output;
  for (int64_t b = 0; b < out->batches; b++)
    for (int64_t y = 0; y < out->height; y++)
      for (int64_t x = 0; x < out->width; x++)
        for (int64_t c = 0; c < out->channels; c++) {
          read_pool_window(kernel, memory, b, y, x, c);
          write_element(memory, element_at(out, b, y, x, c));
        }
}

static void run_fully_connected(const struct kernel *kernel, struct memory *memory) {
  int64_t inputs = kernel->input.channels, outputs = kernel->output.channels;
  for (int64_t b = 0; b < kernel->output.batches; b++)
    for (int64_t c = 0; c < outputs; c++) {
      for (int64_t i = 0; i < inputs; i++)
        read_element(memory, b * inputs + i);
      write_element(memory, b * outputs + c);
    }
}

static void run_element_wise(const struct kernel *kernel, struct memory *memory) {
  for (int64_t i = 0; i < element_count(&kernel->output); i++) {
    read_element(memory, i);
    write_element(memory, i);
  }
}

static void read_row(struct memory *memory, int64_t begin, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    read_element(memory, begin + i);
}

/* 8-bit softmax reads each row for its maximum, for the sum of powers, and for the quotients. */
static void run_softmax(const struct kernel *kernel, struct memory *memory) {
  int64_t depth = kernel->input.channels, count = element_count(&kernel->input);
  for (int64_t row = 0; row < count; row += depth) {
    read_row(memory, row, depth);
    read_row(memory, row, depth);
    for (int64_t c = 0; c < depth; c++) {
      read_element(memory, row + c);
      write_element(memory, row + c);
    }
  }
}

/* Float and 16-bit softmax keep the powers in the output until their sum is known. */
static void run_softmax_in_output(const struct kernel *kernel, struct memory *memory) {
  int64_t depth = kernel->input.channels, count = element_count(&kernel->input);
  for (int64_t row = 0; row < count; row += depth) {
    read_row(memory, row, depth);
    for (int64_t c = 0; c < depth; c++) {
      read_element(memory, row + c);
      write_element(memory, row + c);
    }
    for (int64_t c = 0; c < depth; c++)
      write_element(memory, row + c);
  }
}

static void run_mean(const struct kernel *kernel, struct memory *memory) {
  const struct kernel_shape *in = &kernel->input;
  for (int64_t b = 0; b < in->batches; b++)
    for (int64_t c = 0; c < in->channels; c++) {
      for (int64_t y = 0; y < in->height; y++)
        for (int64_t x = 0; x < in->width; x++)
          read_element(memory, element_at(in, b, y, x, c));
      write_element(memory, b * in->channels + c);
    }
}

static bool is_inside(int64_t at, int64_t before, int64_t count) {
  return at >= before && at < before + count;
}

static void run_pad(const struct kernel *kernel, struct memory *memory) {
  const struct kernel_shape *in = &kernel->input, *out = &kernel->output;
  const struct kernel_shape *before = &kernel->before;
  int64_t next_input = 0, next_output = 0;
  for (int64_t b = 0; b < out->batches; b++)
    for (int64_t y = 0; y < out->height; y++)
      for (int64_t x = 0; x < out->width; x++)
        for (int64_t c = 0; c < out->channels; c++) {
          if (is_inside(b, before->batches, in->batches) &&
              is_inside(y, before->height, in->height) &&
              is_inside(x, before->width, in->width) &&
              is_inside(c, before->channels, in->channels))
            read_element(memory, next_input++);
          write_element(memory, next_output++);
        }
}

typedef void run_kernel(const struct kernel *kernel, struct memory *memory);

/* ---------------------------------------------------------------- one kernel */

static bool is_safe(const struct kernel *kernel, run_kernel *run, int64_t lead) {
  int64_t input = element_count(&kernel->input) * kernel->input_bytes;
  int64_t output = element_count(&kernel->output) * kernel->output_bytes;
  struct memory memory = {.lead = lead,
                          .input_bytes = kernel->input_bytes,
                          .output_bytes = kernel->output_bytes,
                          .is_safe = true};
  memory.is_written = calloc((size_t)(lead + input + output), sizeof *memory.is_written);
  assert_non_null(memory.is_written);
  run(kernel, &memory);
  free(memory.is_written);
  return memory.is_safe;
}

static void check(const struct kernel *kernel, run_kernel *run) {
  neap_size allowance;
  assert_true(reference_allowance(kernel, &allowance));
  assert_in_range(allowance, 0, element_count(&kernel->output) * kernel->output_bytes - 1);
  assert_true(is_safe(kernel, run, allowance));
  assert_true(is_safe(kernel, run, allowance + 3));
  if (allowance > 0) assert_false(is_safe(kernel, run, allowance - 1));
}

/* ---------------------------------------------------------------- random kernels */

static int64_t roll(struct dice *dice, int64_t low, int64_t high) {
  return low + (int64_t)dice_roll(dice, (uint64_t)(high - low + 1));
}

static struct kernel_shape roll_shape(struct dice *dice) {
  return (struct kernel_shape){dice_chance(dice, 70) ? 1 : roll(dice, 2, 3), roll(dice, 1, 7),
                               roll(dice, 1, 7), roll(dice, 1, 4)};
}

static int64_t roll_bytes(struct dice *dice) { return (int64_t)1 << dice_roll(dice, 3); }

static int64_t outputs_of(const struct kernel_window *window, int64_t inputs) {
  int64_t reach = (window->taps - 1) * window->dilation + 1;
  int64_t outputs = (inputs + 2 * window->padding - reach) / window->stride + 1;
  return outputs < 1 ? 1 : outputs;
}

/* A window, and how many outputs it has: about as many as fit, or any number. */
static int64_t roll_window(struct dice *dice, int64_t inputs, int64_t dilation_max,
                           struct kernel_window *window) {
  window->taps = roll(dice, 1, dice_chance(dice, 80) ? 3 : 7);
  window->stride = roll(dice, 1, dice_chance(dice, 80) ? 2 : 5);
  window->dilation = dice_chance(dice, 60) ? 1 : roll(dice, 1, dilation_max);
  window->padding =
      roll(dice, 0, dice_chance(dice, 90) ? (window->taps - 1) * window->dilation : 9);
  int64_t outputs = outputs_of(window, inputs);
  return dice_chance(dice, 80) ? outputs : roll(dice, 1, 8);
}

static struct kernel roll_windows(struct dice *dice, enum kernel_kind kind,
                                  int64_t dilation_max) {
  struct kernel kernel = {.kind = kind, .input = roll_shape(dice)};
  kernel.output = kernel.input;
  kernel.output.height = roll_window(dice, kernel.input.height, dilation_max, &kernel.rows);
  kernel.output.width = roll_window(dice, kernel.input.width, dilation_max, &kernel.columns);
  kernel.input_bytes = roll_bytes(dice);
  kernel.output_bytes = dice_chance(dice, 70) ? kernel.input_bytes : roll_bytes(dice);
  return kernel;
}

enum { ROUNDS = 4000 };

TEST(convolutions) {
  struct dice dice = {1};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct kernel kernel = roll_windows(&dice, KERNEL_CONV, 4);
    int64_t groups = dice_chance(&dice, 70) ? 1 : roll(&dice, 2, 3);
    kernel.group_inputs = kernel.input.channels;
    kernel.input.channels *= groups;
    kernel.output.channels = groups * roll(&dice, 1, 5);
    check(&kernel, run_conv);
  }
}

TEST(depthwise_convolutions) {
  struct dice dice = {2};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct kernel kernel = roll_windows(&dice, KERNEL_DEPTHWISE_CONV, 4);
    kernel.output.channels *= dice_chance(&dice, 60) ? 1 : roll(&dice, 2, 3);
    check(&kernel, run_depthwise);
  }
}

TEST(pools) {
  struct dice dice = {3};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct kernel kernel = roll_windows(&dice, KERNEL_POOL, 1);
    check(&kernel, run_pool);
  }
}

TEST(fully_connected) {
  struct dice dice = {4};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct kernel kernel = {.kind = KERNEL_FULLY_CONNECTED};
    int64_t batches = roll(&dice, 1, 4);
    kernel.input = (struct kernel_shape){batches, 1, 1, roll(&dice, 1, 12)};
    kernel.output = (struct kernel_shape){batches, 1, 1, roll(&dice, 1, 12)};
    kernel.input_bytes = roll_bytes(&dice);
    kernel.output_bytes = roll_bytes(&dice);
    check(&kernel, run_fully_connected);
  }
}

TEST(elements_and_rows) {
  struct dice dice = {5};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct kernel kernel = {.kind = KERNEL_ELEMENT_WISE, .input = roll_shape(&dice)};
    kernel.output = kernel.input;
    kernel.input_bytes = roll_bytes(&dice);
    kernel.output_bytes = roll_bytes(&dice);
    check(&kernel, run_element_wise);
    kernel.kind = KERNEL_SOFTMAX;
    check(&kernel, run_softmax);
    check(&kernel, run_softmax_in_output);
  }
}

TEST(means) {
  struct dice dice = {6};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct kernel kernel = {.kind = KERNEL_MEAN, .input = roll_shape(&dice)};
    kernel.output = (struct kernel_shape){kernel.input.batches, 1, 1, kernel.input.channels};
    kernel.input_bytes = roll_bytes(&dice);
    kernel.output_bytes = roll_bytes(&dice);
    check(&kernel, run_mean);
  }
}

static int64_t roll_pad(struct dice *dice, int64_t inputs, int64_t *before) {
  *before = dice_chance(dice, 50) ? 0 : roll(dice, 1, 3);
  return *before + inputs + (dice_chance(dice, 50) ? 0 : roll(dice, 1, 3));
}

TEST(pads) {
  struct dice dice = {7};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct kernel kernel = {.kind = KERNEL_PAD, .input = roll_shape(&dice)};
    struct kernel_shape *before = &kernel.before;
    kernel.output.batches = roll_pad(&dice, kernel.input.batches, &before->batches);
    kernel.output.height = roll_pad(&dice, kernel.input.height, &before->height);
    kernel.output.width = roll_pad(&dice, kernel.input.width, &before->width);
    kernel.output.channels = roll_pad(&dice, kernel.input.channels, &before->channels);
    kernel.input_bytes = kernel.output_bytes = roll_bytes(&dice);
    check(&kernel, run_pad);
  }
}

/* ---------------------------------------------------------------- what is not modelled */

/* A 3x3 convolution with stride 2 as in MobileNet: 8-bit image in, 8 channels out. */
static struct kernel sample(void) {
  return (struct kernel){.kind = KERNEL_CONV,
                         .input = {1, 96, 96, 1},
                         .output = {1, 48, 48, 8},
                         .input_bytes = 1,
                         .output_bytes = 1,
                         .rows = {3, 2, 1, 0},
                         .columns = {3, 2, 1, 0},
                         .group_inputs = 1};
}

TEST(mismatches) {
  struct kernel kernel = sample();
  neap_size allowance = -7;
  assert_true(reference_allowance(&kernel, &allowance));
  kernel.group_inputs = 2;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.output.batches = 2;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.output.height = 0;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.rows.stride = 0;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.columns.padding = -1;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.columns.dilation = KERNEL_DILATION_MAX + 1;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.kind = KERNEL_ELEMENT_WISE;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.kind = KERNEL_POOL;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.kind = KERNEL_MEAN;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.kind = KERNEL_FULLY_CONNECTED;
  assert_false(reference_allowance(&kernel, &allowance));
  kernel = sample(), kernel.kind = KERNEL_PAD;
  assert_false(reference_allowance(&kernel, &allowance));
}

/* The time does not depend on the sizes, and nothing overflows. */
TEST(huge_shapes) {
  struct kernel kernel = sample();
  neap_size allowance;
  kernel.input = kernel.output = (struct kernel_shape){1, INT32_MAX, INT32_MAX, 1};
  kernel.rows.stride = kernel.columns.stride = 1;
  kernel.rows.padding = kernel.columns.padding = 1;
  assert_true(reference_allowance(&kernel, &allowance));
  assert_int_equal(allowance, (int64_t)INT32_MAX + 1); /* a row and an element */
  kernel.rows = kernel.columns =
      (struct kernel_window){INT32_MAX, INT32_MAX, KERNEL_DILATION_MAX, INT32_MAX, false};
  assert_true(reference_allowance(&kernel, &allowance));
  kernel.input.channels = kernel.group_inputs = 4;
  assert_false(reference_allowance(&kernel, &allowance));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(convolutions),
                                     cmocka_unit_test(depthwise_convolutions),
                                     cmocka_unit_test(pools),
                                     cmocka_unit_test(fully_connected),
                                     cmocka_unit_test(elements_and_rows),
                                     cmocka_unit_test(means),
                                     cmocka_unit_test(pads),
                                     cmocka_unit_test(mismatches),
                                     cmocka_unit_test(huge_shapes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
