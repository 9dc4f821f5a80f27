/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random_rows SEED FILE: writes a model of TensorFlow Lite Micro whose operators work row by row:
 * windows of every size, stride and padding, pads, and element-wise operators with one and two inputs.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/tflite_maker.h"

#define TENSORS 20

struct shape {
  unsigned height, width, channels;
};

static uint32_t state;
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
  add(text, "tensor t%u float32[1,%u,%u,%u]\n", count, shape.height, shape.width,
      shape.channels);
  shapes[count] = shape;
  return count++;
}

/* The size that a window makes; 0 if it does not fit. */
static unsigned made(unsigned size, unsigned taps, unsigned stride, unsigned is_valid) {
  if (is_valid) return size < taps ? 0 : (size - taps) / stride + 1;
  return (size + stride - 1) / stride;
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
    add(text, "constant w%u float32[%u,%u,%u,%u]\n", count, channels, taps, taps,
        shape.channels);
    shape.channels = channels;
    add(lines, "CONV_2D t%u w%u -> t%u : %u %u %u 0 1 1\n", x, count, count, valid, stride,
        stride);
  } else if (kind == 1) {
    add(text, "constant w%u float32[1,%u,%u,%u]\n", count, taps, taps, shape.channels);
    /* The kernel requires a bias. */
    add(text, "constant b%u float32[%u]\n", count, shape.channels);
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

int main(int argument_count, char **arguments) {
  if (argument_count != 3) return 2;
  state = (uint32_t)strtoul(arguments[1], NULL, 10) * 2654435761u;
  roll(2);
  make((struct shape){8 + roll(24), 4 + roll(12), 1 + roll(4)});
  for (unsigned k = 3 + roll(12); k > 0; k--) {
    unsigned kind = roll(6);
    if (kind < 3) add_window(kind);
    else if (kind == 3) add_pad();
    else if (kind == 4) add_sum();
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
