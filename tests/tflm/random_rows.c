/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random_rows SEED FILE: writes a model of TensorFlow Lite Micro whose operators work row by row:
 * windows of every size, stride and padding, pads, element-wise operators with one and two inputs, and
 * resizing, of floats or of int8.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/tflite_maker.h"

#define TENSORS 20

struct shape {
  unsigned height, width, channels;
};

static uint32_t state;
static const char *type, *weights; /* with their scales */
static struct shape shapes[TENSORS];
static unsigned count;
static char text[1 << 14], lines[1 << 13]; /* tensors, and operators */

static unsigned roll(unsigned limit) {
  state = state * 1664525u + 1013904223u;
  return (unsigned)(((uint64_t)state * limit) >> 32);
}

__attribute__((format(printf, 2, 3))) static void add(char *to, const char *format, ...) {
  va_list list;
  while (*to)
    to++;
  va_start(list, format);
  vsprintf(to, format, list);
  va_end(list);
}

static unsigned make(struct shape shape) {
  add(text, "tensor t%u %s[1,%u,%u,%u]\n", count, type, shape.height, shape.width,
      shape.channels);
  shapes[count] = shape;
  return count++;
}

/* The size that a window makes; 0 if it does not fit. */
static unsigned made(unsigned size, unsigned taps, unsigned stride, unsigned is_valid) {
  if (is_valid) return size < taps ? 0 : (size - taps) / stride + 1;
  return (size + stride - 1) / stride;
}

/* The kernel of depthwise convolutions requires one. */
static void add_bias(unsigned channels) {
  bool is_float = type[0] == 'f';
  add(text, is_float ? "constant b%u float32[%u]" : "constant b%u int32~10[%u] :", count,
      channels);
  for (unsigned c = 0; c < channels && !is_float; c++)
    add(text, " %u", 100 * roll(20));
  add(text, "\n");
}

static void add_window(unsigned kind) {
  unsigned x = count - 1, taps = 1 + roll(roll(3) ? 3 : 7), stride = 1 + (roll(3) == 0),
           valid = roll(3) == 0;
  struct shape shape = shapes[x];
  shape.height = made(shape.height, taps, stride, valid);
  shape.width = made(shape.width, taps, stride, valid);
  if (shape.height == 0 || shape.width == 0) return;
  if (kind == 0) {
    unsigned channels = 1 + roll(12);
    add(text, "constant w%u %s[%u,%u,%u,%u]\n", count, weights, channels, taps, taps,
        shape.channels);
    shape.channels = channels;
    add(lines, "CONV_2D t%u w%u -> t%u : %u %u %u 0 1 1\n", x, count, count, valid, stride,
        stride);
  } else if (kind == 1) {
    add(text, "constant w%u %s[1,%u,%u,%u]\n", count, weights, taps, taps, shape.channels);
    add_bias(shape.channels);
    add(lines, "DEPTHWISE_CONV_2D t%u w%u b%u -> t%u : %u %u %u 1 0 1 1\n", x, count, count,
        count, valid, stride, stride);
  } else
    add(lines, "AVERAGE_POOL_2D t%u -> t%u : %u %u %u %u %u\n", x, count, valid, stride, stride,
        taps, taps);
  make(shape);
}

static void add_pad(void) {
  unsigned x = count - 1, top = roll(3), bottom = roll(3), left = roll(2);
  struct shape shape = shapes[x];
  add(text, "constant pad%u int32[4,2] : 0 0 %u %u %u 1 0 0\n", count, top, bottom, left);
  shape.height += top + bottom;
  shape.width += left + 1;
  add(lines, "PAD t%u pad%u -> t%u\n", x, count, count);
  make(shape);
}

static void add_sum(void) {
  unsigned x = count - 1, y = roll(count);
  while (shapes[y].height != shapes[x].height || shapes[y].width != shapes[x].width ||
         shapes[y].channels != shapes[x].channels)
    y = (y + 1) % count;
  add(lines, "ADD t%u t%u -> t%u\n", x, y, count);
  make(shapes[x]);
}

static void add_resize(void) {
  unsigned x = count - 1, factor = 2 + roll(3);
  struct shape shape = shapes[x];
  shape.height *= factor;
  shape.width *= 1 + roll(2);
  if (shape.height > 64 || shape.width > 40) return;
  add(text, "constant size%u int32[2] : %u %u\n", count, shape.height, shape.width);
  if (roll(2))
    add(lines, "RESIZE_BILINEAR t%u size%u -> t%u : 0 0 0 %u\n", x, count, count, roll(2));
  else
    add(lines, "RESIZE_NEAREST_NEIGHBOR t%u size%u -> t%u : 0 %u\n", x, count, count, roll(2));
  make(shape);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 3) return 2;
  state = (uint32_t)strtoul(arguments[1], NULL, 10) * 2654435761u;
  bool is_int8 = roll(2);
  type = is_int8 ? "int8~5+3" : "float32";
  weights = is_int8 ? "int8~5" : "float32";
  make((struct shape){8 + roll(24), 4 + roll(12), 1 + roll(4)});
  for (unsigned k = 3 + roll(12); k > 0; k--) {
    unsigned kind = roll(7);
    if (kind < 3) add_window(kind);
    else if (kind == 3) add_pad();
    else if (kind == 4) add_sum();
    else if (kind == 5) add_resize();
    else {
      add(lines, "RELU t%u -> t%u\n", count - 1, count);
      make(shapes[count - 1]);
    }
  }
  if (count == 1) add(lines, "RELU t0 -> t1\n"), make(shapes[0]);
  add(text, "inputs t0\noutputs t%u\n%s", count - 1, lines);
  tflite_make_file(text, arguments[2]);
  return 0;
}
