/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random_rows SEED FILE: writes a model of TensorFlow Lite Micro whose operators work row by row:
 * windows of every size, stride and padding, pads, element-wise operators with one and two inputs,
 * and resizing, of floats or of int8.  Half of them end in operators that work channel by channel,
 * with scales for each channel or for all of them.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/hosts/tflm/draft.h"

#define TENSORS 24

struct shape {
  unsigned height, width, channels;
};

static struct shape shapes[TENSORS];
static unsigned count;
static struct draft draft;
static bool is_int8;

/* The scales of activations and weights. */
static const char *activation_scales(void) { return is_int8 ? " scales 1 3 32" : ""; }
static const char *weight_scales(void) { return is_int8 ? " scales 1 0 32" : ""; }

static const char *type(void) { return is_int8 ? "int8" : "float32"; }

static unsigned make(struct shape shape) {
  draft_tensor(&draft, "tensor t%u %s[1,%u,%u,%u]%s\n", count, type(), shape.height,
               shape.width, shape.channels, activation_scales());
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
  if (!is_int8) {
    draft_tensor(&draft, "constant b%u float32[%u]\n", count, channels);
    return;
  }
  draft_tensor(&draft, "constant b%u int32[%u] scales 1 0 1024 :", count, channels);
  for (unsigned c = 0; c < channels; c++)
    draft_tensor(&draft, " %u", 100 * draft_roll(&draft, 20));
  draft_tensor(&draft, "\n");
}

static void add_window(unsigned kind) {
  unsigned x = count - 1, taps = 1 + draft_roll(&draft, draft_roll(&draft, 3) ? 3 : 7),
           stride = 1 + (draft_roll(&draft, 3) == 0), valid = draft_roll(&draft, 3) == 0;
  struct shape shape = shapes[x];
  shape.height = made(shape.height, taps, stride, valid);
  shape.width = made(shape.width, taps, stride, valid);
  if (shape.height == 0 || shape.width == 0) return;
  if (kind == 0) {
    unsigned channels = 1 + draft_roll(&draft, 12);
    draft_tensor(&draft, "constant w%u %s[%u,%u,%u,%u]%s\n", count, type(), channels, taps,
                 taps, shape.channels, weight_scales());
    shape.channels = channels;
    draft_operator(&draft, "CONV_2D t%u w%u -> t%u : %u %u %u 0 1 1\n", x, count, count, valid,
                   stride, stride);
  } else if (kind == 1) {
    draft_tensor(&draft, "constant w%u %s[1,%u,%u,%u]%s\n", count, type(), taps, taps,
                 shape.channels, weight_scales());
    add_bias(shape.channels);
    draft_operator(&draft, "DEPTHWISE_CONV_2D t%u w%u b%u -> t%u : %u %u %u 1 0 1 1\n", x,
                   count, count, count, valid, stride, stride);
  } else
    draft_operator(&draft, "AVERAGE_POOL_2D t%u -> t%u : %u %u %u %u %u\n", x, count, valid,
                   stride, stride, taps, taps);
  make(shape);
}

static void add_pad(void) {
  unsigned x = count - 1, top = draft_roll(&draft, 3), bottom = draft_roll(&draft, 3),
           left = draft_roll(&draft, 2);
  struct shape shape = shapes[x];
  draft_tensor(&draft, "constant pad%u int32[4,2] : 0 0 %u %u %u 1 0 0\n", count, top, bottom,
               left);
  shape.height += top + bottom;
  shape.width += left + 1;
  draft_operator(&draft, "PAD t%u pad%u -> t%u\n", x, count, count);
  make(shape);
}

static void add_sum(void) {
  unsigned x = count - 1, y = draft_roll(&draft, count);
  while (shapes[y].height != shapes[x].height || shapes[y].width != shapes[x].width ||
         shapes[y].channels != shapes[x].channels)
    y = (y + 1) % count;
  draft_operator(&draft, "ADD t%u t%u -> t%u\n", x, y, count);
  make(shapes[x]);
}

static void add_resize(void) {
  unsigned x = count - 1, factor = 2 + draft_roll(&draft, 3);
  struct shape shape = shapes[x];
  shape.height *= factor;
  shape.width *= 1 + draft_roll(&draft, 2);
  if (shape.height > 64 || shape.width > 40) return;
  draft_tensor(&draft, "constant size%u int32[2] : %u %u\n", count, shape.height, shape.width);
  if (draft_roll(&draft, 2))
    draft_operator(&draft, "RESIZE_BILINEAR t%u size%u -> t%u : 0 0 0 %u\n", x, count, count,
                   draft_roll(&draft, 2));
  else
    draft_operator(&draft, "RESIZE_NEAREST_NEIGHBOR t%u size%u -> t%u : 0 %u\n", x, count,
                   count, draft_roll(&draft, 2));
  make(shape);
}

/* A tail as in classifiers: more channels, depthwise convolution, means, fully connected layer. */
static void add_tail(void) {
  unsigned x = count - 1, channels = 6 + draft_roll(&draft, 30),
           outputs = 2 + draft_roll(&draft, 40);
  struct shape shape = shapes[x];
  draft_tensor(&draft, "constant w%u %s[%u,1,1,%u]", count, type(), channels, shape.channels);
  if (is_int8) draft_tensor(&draft, " scales %u 0 32", draft_roll(&draft, 2) ? channels : 1);
  draft_tensor(&draft, "\n");
  add_bias(channels);
  draft_operator(&draft, "CONV_2D t%u w%u b%u -> t%u : 0 1 1 0 1 1\n", x, count, count, count);
  shape.channels = channels;
  make(shape);
  draft_tensor(&draft, "constant w%u %s[1,3,3,%u]", count, type(), channels);
  if (is_int8) draft_tensor(&draft, " scales %u 0 32 3", draft_roll(&draft, 2) ? channels : 1);
  draft_tensor(&draft, "\n");
  add_bias(channels);
  draft_operator(&draft, "DEPTHWISE_CONV_2D t%u w%u b%u -> t%u : 0 1 1 1 0 1 1\n", count - 1,
                 count, count, count);
  make(shape);
  draft_tensor(&draft, "constant axes int32[2] : 1 2\n");
  draft_operator(&draft, "MEAN t%u axes -> t%u : 1\n", count - 1, count);
  make((struct shape){1, 1, channels});
  draft_tensor(&draft, "constant w%u %s[%u,%u]%s\n", count, type(), outputs, channels,
               weight_scales());
  add_bias(outputs);
  draft_operator(&draft, "FULLY_CONNECTED t%u w%u b%u -> t%u : 0 0 1\n", count - 1, count,
                 count, count);
  make((struct shape){1, 1, outputs});
}

int main(int argument_count, char **arguments) {
  if (argument_count != 3) return 2;
  draft_init(&draft, (unsigned)strtoul(arguments[1], NULL, 10));
  is_int8 = draft_roll(&draft, 2);
  make((struct shape){8 + draft_roll(&draft, 24), 4 + draft_roll(&draft, 12),
                      1 + draft_roll(&draft, 4)});
  for (unsigned k = 3 + draft_roll(&draft, 12); k > 0; k--) {
    unsigned kind = draft_roll(&draft, 7);
    if (kind < 3) add_window(kind);
    else if (kind == 3) add_pad();
    else if (kind == 4) add_sum();
    else if (kind == 5) add_resize();
    else {
      draft_operator(&draft, "RELU t%u -> t%u\n", count - 1, count);
      make(shapes[count - 1]);
    }
  }
  if (draft_roll(&draft, 2)) add_tail();
  if (count == 1) draft_operator(&draft, "RELU t0 -> t1\n"), make(shapes[0]);
  draft_tensor(&draft, "inputs t0\noutputs t%u\n", count - 1);
  draft_write(&draft, arguments[2]);
  return 0;
}
