/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid FOLDER: writes models of one operator each: for each kernel of TensorFlow Lite Micro whose
 * memory depends on shapes, types or options, a grid of them; and one for each other kernel.
 * Control flow and resource variables need several subgraphs or operators.  A model has the name of
 * its first operator, and a number within its family.  The runtime rightly refuses some types.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hosts/tflm/draft.h"

static struct draft draft;

/* Takes a value from a number that counts combinations of values. */
static unsigned pick(unsigned *number, unsigned count) {
  unsigned value = *number % count;
  *number /= count;
  return value;
}

#define PICK(number, list) (list)[pick(number, sizeof(list) / sizeof *(list))]

#define TENSOR(...) draft_tensor(&draft, __VA_ARGS__)
#define OPERATOR(...) draft_operator(&draft, __VA_ARGS__)

/* The types of activations, weights and biases, and what follows the type of a quantised tensor. */
struct types {
  const char *input, *weights, *bias, *scales;
};
static const struct types all_types[] = {{"float32", "float32", "float32", ""},
                                         {"int8", "int8", "int32", " scales 1"},
                                         {"int16", "int8", "int64", " scales 1"},
                                         {"int8", "int4", "int32", " scales 1"}};
static const char *const activations[] = {"float32", "int8", "int16"};
static const char *const scales[] = {"", " scales 1", " scales 1"};

static void ends(const char *inputs) { TENSOR("inputs %s\noutputs y\n", inputs); }

/* How many scales weights have: " scales 6". */
static const char *scales_of(const struct types *types, unsigned count) {
  static char text[32];
  snprintf(text, sizeof text, types->scales[0] ? " scales %u" : "", count);
  return text;
}

/* ---------------------------------------------------------------- windows */

struct window {
  unsigned height, width, taps_y, taps_x, stride, dilation, valid;
};

static unsigned made(unsigned size, unsigned taps, const struct window *window) {
  unsigned reach = (taps - 1) * window->dilation + 1;
  return ((window->valid ? size - reach : size - 1) / window->stride) + 1;
}

/* Without padding, an image that is too low is as high as the window. */
static struct window pick_window(unsigned *number) {
  static const unsigned heights[] = {1, 9}, taps[] = {1, 3, 4};
  struct window window = {.height = PICK(number, heights), .width = 10};
  window.taps_y = PICK(number, taps);
  window.taps_x = PICK(number, taps);
  window.stride = 1 + pick(number, 2);
  window.dilation = 1 + pick(number, 2);
  window.valid = pick(number, 2);
  unsigned reach = (window.taps_y - 1) * window.dilation + 1;
  if (window.valid && window.height < reach) window.height = reach;
  return window;
}
#define WINDOWS (2 * 3 * 3 * 2 * 2 * 2)

static void add_output(const char *type, const char *quantised, const struct window *window,
                       unsigned channels) {
  TENSOR("tensor y %s[1,%u,%u,%u]%s\n", type, made(window->height, window->taps_y, window),
         made(window->width, window->taps_x, window), channels, quantised);
}

static void write_conv(unsigned number) {
  static const unsigned channels[] = {1, 3, 16};
  struct window window = pick_window(&number);
  const struct types *types = &all_types[pick(&number, 4)];
  unsigned c = PICK(&number, channels), outputs = 5;
  TENSOR("tensor x %s[1,%u,%u,%u]%s\n", types->input, window.height, window.width, c,
         types->scales);
  TENSOR("constant w %s[%u,%u,%u,%u]%s\n", types->weights, outputs, window.taps_y,
         window.taps_x, c, scales_of(types, outputs));
  TENSOR("constant b %s[%u]%s\n", types->bias, outputs, scales_of(types, outputs));
  add_output(types->input, types->scales, &window, outputs);
  OPERATOR("CONV_2D x w b -> y : %u %u %u 0 %u %u\n", window.valid, window.stride,
           window.stride, window.dilation, window.dilation);
  ends("x");
}

/* Weights of depthwise convolutions have their channels last. */
static const char *depthwise_scales(const struct types *types, unsigned count) {
  static char text[32];
  snprintf(text, sizeof text, types->scales[0] ? " scales %u 0 1 3" : "", count);
  return text;
}

static void write_depthwise(unsigned number) {
  static const unsigned channels[] = {1, 6}, multipliers[] = {1, 4};
  struct window window = pick_window(&number);
  const struct types *types = &all_types[pick(&number, 4)];
  unsigned c = PICK(&number, channels), multiplier = PICK(&number, multipliers);
  TENSOR("tensor x %s[1,%u,%u,%u]%s\n", types->input, window.height, window.width, c,
         types->scales);
  TENSOR("constant w %s[1,%u,%u,%u]%s\n", types->weights, window.taps_y, window.taps_x,
         c * multiplier, depthwise_scales(types, c * multiplier));
  TENSOR("constant b %s[%u]%s\n", types->bias, c * multiplier,
         scales_of(types, c * multiplier));
  add_output(types->input, types->scales, &window, c * multiplier);
  OPERATOR("DEPTHWISE_CONV_2D x w b -> y : %u %u %u %u 0 %u %u\n", window.valid, window.stride,
           window.stride, multiplier, window.dilation, window.dilation);
  ends("x");
}

static void write_pool(unsigned number) {
  /* The last one is for floats alone. */
  static const char *const names[] = {"AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"};
  struct window window = pick_window(&number);
  unsigned kind = pick(&number, 7), type = kind % 3;
  const char *name = names[kind / 3];
  window.dilation = 1;
  TENSOR("tensor x %s[1,%u,%u,7]%s\n", activations[type], window.height, window.width,
         scales[type]);
  add_output(activations[type], scales[type], &window, 7);
  OPERATOR("%s x -> y : %u %u %u %u %u 0\n", name, window.valid, window.stride, window.stride,
           window.taps_x, window.taps_y);
  ends("x");
}

static void write_transpose_conv(unsigned number) {
  static const unsigned channels[] = {3, 16, 17, 24};
  const struct types *types = &all_types[pick(&number, 3)];
  unsigned stride_x = 1 + pick(&number, 3), stride_y = 1 + pick(&number, 3);
  unsigned taps_x = 1 + 2 * pick(&number, 2), taps_y = 1 + pick(&number, 3);
  unsigned c = PICK(&number, channels), outputs = 5, height = 4, width = 6;
  TENSOR("constant s int32[4] : 1 %u %u %u\n", height * stride_y, width * stride_x, outputs);
  TENSOR("tensor x %s[1,%u,%u,%u]%s\n", types->input, height, width, c, types->scales);
  TENSOR("constant w %s[%u,%u,%u,%u]%s\n", types->weights, outputs, taps_y, taps_x, c,
         scales_of(types, outputs));
  TENSOR("constant b %s[%u]%s\n", types->bias, outputs, scales_of(types, outputs));
  TENSOR("tensor y %s[1,%u,%u,%u]%s\n", types->input, height * stride_y, width * stride_x,
         outputs, types->scales);
  OPERATOR("TRANSPOSE_CONV s w x b -> y : 0 %u %u\n", stride_x, stride_y);
  ends("x");
}

/* ---------------------------------------------------------------- products of matrices */

static void write_fully_connected(unsigned number) {
  static const unsigned depths[] = {7, 8};
  const struct types *types = &all_types[pick(&number, 4)];
  unsigned rank = 2 + pick(&number, 3), depth = PICK(&number, depths), outputs = 5;
  unsigned weight_scales = pick(&number, 2) ? outputs : 1, has_bias = pick(&number, 2);
  const char *weights = pick(&number, 2) ? "constant" : "tensor";
  static const char *const batches[] = {"", "", "3", "2,3", "1,2,3"};
  TENSOR("tensor x %s[%s,%u]%s\n", types->input, batches[rank], depth, types->scales);
  TENSOR("%s w %s[%u,%u]%s\n", weights, types->weights, outputs, depth,
         scales_of(types, weight_scales));
  if (has_bias)
    TENSOR("constant b %s[%u]%s\n", types->bias, outputs, scales_of(types, weight_scales));
  TENSOR("tensor y %s[%s,%u]%s\n", types->input, batches[rank], outputs, types->scales);
  OPERATOR("FULLY_CONNECTED x w %s -> y : 0 0 1\n", has_bias ? "b" : "-");
  ends(weights[0] == 't' ? "x w" : "x");
}

static void write_batch_matmul(unsigned number) {
  unsigned type = pick(&number, 3), left = pick(&number, 2), right = pick(&number, 2);
  const char *batch = pick(&number, 2) ? "2," : "",
             *kind = pick(&number, 2) ? "constant" : "tensor";
  TENSOR("tensor x %s[%s%s]%s\n", activations[type], batch, left ? "6,3" : "3,6", scales[type]);
  TENSOR("%s w %s[%s%s]%s\n", kind, activations[type], batch, right ? "5,6" : "6,5",
         scales[type]);
  TENSOR("tensor y %s[%s3,5]%s\n", activations[type], batch, scales[type]);
  OPERATOR("BATCH_MATMUL x w -> y : %u %u\n", left, right);
  ends(kind[0] == 't' ? "x w" : "x");
}

static void write_svdf(unsigned number) {
  static const char *const states[] = {"float32", "int8", "int16"};
  unsigned type = pick(&number, 3), rank = 1 + pick(&number, 2), batch = 1 + pick(&number, 2);
  unsigned units = 3 + pick(&number, 3), memory = 4, inputs = 7;
  const char *quantised = type ? " scales 1" : "", *input = type ? "int8" : "float32";
  TENSOR("tensor x %s[%u,%u]%s\n", input, batch, inputs, quantised);
  TENSOR("constant f %s[%u,%u]%s\n", input, units * rank, inputs, quantised);
  TENSOR("constant t %s[%u,%u]%s\n", states[type], units * rank, memory, quantised);
  TENSOR("constant b %s[%u]%s\n", type ? "int32" : "float32", units, quantised);
  TENSOR("variable s %s[%u,%u]%s\n", states[type], batch, memory * units * rank, quantised);
  TENSOR("tensor y %s[%u,%u]%s\n", input, batch, units, quantised);
  OPERATOR("SVDF x f t b s -> y : %u 0\n", rank);
  ends("x");
}

static void write_lstm(unsigned number) {
  const struct types *types = &all_types[pick(&number, 3)];
  unsigned is_float = types == all_types, batch = 1 + pick(&number, 3), inputs = 4;
  unsigned time_major = pick(&number, 2), state = 3 + 4 * pick(&number, 3), steps = 2;
  const char *cell = is_float ? "float32" : "int16", *quantised = types->scales;
  unsigned first = time_major ? steps : batch, second = time_major ? batch : steps;
  TENSOR("tensor x %s[%u,%u,%u]%s\n", types->input, first, second, inputs, quantised);
  for (unsigned i = 0; i < 4; i++) {
    TENSOR("constant i%u %s[%u,%u]%s\n", i, types->weights, state, inputs, quantised);
    TENSOR("constant r%u %s[%u,%u]%s\n", i, types->weights, state, state, quantised);
    TENSOR("constant b%u %s[%u]%s\n", i, types->bias, state, quantised);
  }
  TENSOR("variable h %s[%u,%u]%s\n", types->input, batch, state, quantised);
  TENSOR("variable c %s[%u,%u]%s\n", cell, batch, state, is_float ? "" : " scales 1 0 2048");
  TENSOR("tensor y %s[%u,%u,%u]%s\n", types->input, first, second, state, quantised);
  OPERATOR(
      "UNIDIRECTIONAL_SEQUENCE_LSTM x i0 i1 i2 i3 r0 r1 r2 r3 - - - b0 b1 b2 b3 - - h c - - "
      "- - -> y : 4 0 0 %u\n",
      time_major);
  ends("x");
}

/* ---------------------------------------------------------------- along axes */

static void write_reduce(unsigned number) {
  static const char *const names[] = {"MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_ALL"};
  static const char *const axes[] = {"1] : 1", "2] : 1 2", "1] : 3"};
  static const char *const left[] = {"2,1,5,6", "2,1,1,6", "2,4,5,1"};
  const char *name = PICK(&number, names);
  unsigned type = pick(&number, 3), axis = pick(&number, 3);
  const char *element = name[7] == 'A' ? "bool" : activations[type];
  TENSOR("tensor x %s[2,4,5,6]%s\n", element, scales[type]);
  TENSOR("constant a int32[%s\n", axes[axis]);
  TENSOR("tensor y %s[%s]%s\n", element, left[axis], scales[type]);
  OPERATOR("%s x a -> y : 1\n", name);
  ends("x");
}

static void write_softmax(unsigned number) {
  static const char *const names[] = {"SOFTMAX", "LOG_SOFTMAX"};
  static const char *const ranges[2][3] = {{"", " scales 1 -128 256", " scales 1 0 32768"},
                                           {"", " scales 1 127 16", ""}};
  unsigned kind = pick(&number, 2), type = pick(&number, 3);
  TENSOR("tensor x %s[3,%u]%s\n", activations[type], 5 + pick(&number, 2), scales[type]);
  TENSOR("tensor y %s[3,%u]%s\n", activations[type], 5 + number, ranges[kind][type]);
  OPERATOR(kind ? "%s x -> y\n" : "%s x -> y : 1065353216\n", names[kind]);
  ends("x");
}

static void write_cumsum(unsigned number) {
  unsigned type = pick(&number, 2);
  TENSOR("tensor x %s[3,5]%s\n", activations[type], scales[type]);
  TENSOR("constant a int32[1] : %u\n", pick(&number, 2));
  TENSOR("tensor y %s[3,5]%s\n", activations[type], scales[type]);
  OPERATOR("CUMSUM x a -> y : 0 0\n");
  ends("x");
}

/* ---------------------------------------------------------------- element by element, and moves */

static void write_unary(unsigned number) {
  static const char *const names[] = {
      "ABS",        "CEIL", "COS",  "ELU",   "EXP",   "FLOOR", "HARD_SWISH", "L2_NORMALIZATION",
      "LEAKY_RELU", "NEG",  "RELU", "RELU6", "RSQRT", "SIN",   "SQRT",       "SQUARE"};
  const char *name = PICK(&number, names);
  unsigned type = pick(&number, 3);
  TENSOR("tensor x %s[2,5]%s\n", activations[type], scales[type]);
  TENSOR("tensor y %s[2,5]%s\n", activations[type], scales[type]);
  OPERATOR(name[0] == 'L' && name[1] == 'E' ? "%s x -> y : 0\n" : "%s x -> y\n", name);
  ends("x");
}

static void write_sigmoid(unsigned number) {
  static const char *const names[] = {"LOGISTIC", "TANH"};
  static const char *const ranges[2][3] = {{"", " scales 1 -128 256", " scales 1 0 32768"},
                                           {"", " scales 1 0 128", " scales 1 0 32768"}};
  unsigned kind = pick(&number, 2), type = pick(&number, 3);
  TENSOR("tensor x %s[2,5]%s\n", activations[type], scales[type]);
  TENSOR("tensor y %s[2,5]%s\n", activations[type], ranges[kind][type]);
  OPERATOR("%s x -> y\n", names[kind]);
  ends("x");
}

static void write_binary(unsigned number) {
  static const char *const names[] = {
      "ADD", "DIV", "MAXIMUM", "MUL", "PRELU", "SQUARED_DIFFERENCE", "SUB"};
  const char *name = PICK(&number, names);
  unsigned type = pick(&number, 3);
  TENSOR("tensor x %s[2,5]%s\ntensor z %s[2,5]%s\n", activations[type], scales[type],
         activations[type], scales[type]);
  TENSOR("tensor y %s[2,5]%s\n", activations[type], scales[type]);
  OPERATOR("%s x z -> y\n", name);
  ends("x z");
}

static void write_add_n(unsigned number) {
  unsigned type = pick(&number, 2), count = 2 + pick(&number, 4);
  char inputs[64] = "";
  size_t used = 0;
  for (unsigned i = 0; i < count; i++) {
    TENSOR("tensor x%u %s[3,5]%s\n", i, activations[type], scales[type]);
    used += (size_t)snprintf(inputs + used, sizeof inputs - used, " x%u", i);
  }
  TENSOR("tensor y %s[3,5]%s\n", activations[type], scales[type]);
  OPERATOR("ADD_N%s -> y\n", inputs);
  ends(inputs + 1);
}

static void write_pad(unsigned number) {
  unsigned type = pick(&number, 2), mirrors = pick(&number, 2), rank = 1 + pick(&number, 4);
  static const char *const before[] = {"", "4", "4,4", "4,4,4", "4,4,4,4"};
  static const char *const after[] = {"", "6", "6,6", "6,6,6", "6,6,6,6"};
  TENSOR("tensor x %s[%s]%s\n", activations[type], before[rank], scales[type]);
  TENSOR("constant p int32[%u,2] :", rank);
  for (unsigned d = 0; d < 2 * rank; d++)
    TENSOR(" 1");
  TENSOR("\ntensor y %s[%s]%s\n", activations[type], after[rank], scales[type]);
  OPERATOR(mirrors ? "MIRROR_PAD x p -> y : 0\n" : "PAD x p -> y\n");
  ends("x");
}

static void write_depth(unsigned number) {
  unsigned type = pick(&number, 2), is_deeper = pick(&number, 2);
  TENSOR("tensor x %s[1,%s]%s\n", activations[type], is_deeper ? "4,6,3" : "2,3,12",
         scales[type]);
  TENSOR("tensor y %s[1,%s]%s\n", activations[type], is_deeper ? "2,3,12" : "4,6,3",
         scales[type]);
  OPERATOR("%s x -> y : 2\n", is_deeper ? "SPACE_TO_DEPTH" : "DEPTH_TO_SPACE");
  ends("x");
}

static void write_gather(unsigned number) {
  static const char *const names[] = {"GATHER", "GATHER_ND", "EMBEDDING_LOOKUP"};
  unsigned kind = pick(&number, 3), type = pick(&number, 2), count = 2 + pick(&number, 3);
  TENSOR("%s w %s[8,5]%s\n", kind == 2 ? "constant" : "tensor", activations[type],
         scales[type]);
  TENSOR("tensor i int32[%u%s]\n", count, kind == 1 ? ",1" : "");
  TENSOR("tensor y %s[%u,5]%s\n", kind == 2 ? "float32" : activations[type], count,
         kind == 2 ? "" : scales[type]);
  OPERATOR(kind == 2   ? "%s i w -> y\n"
           : kind == 0 ? "%s w i -> y : 0 0\n"
                       : "%s w i -> y\n",
           names[kind]);
  ends(kind == 2 ? "i" : "w i");
}

/* ---------------------------------------------------------------- custom operators */

static void write_detection(unsigned number) {
  static const unsigned boxes[] = {1, 6, 40}, classes[] = {1, 3, 30}, detections[] = {1, 10};
  unsigned count = PICK(&number, boxes), kinds = PICK(&number, classes);
  unsigned most = PICK(&number, detections), background = number;
  TENSOR("tensor x float32[1,%u,4]\ntensor p float32[1,%u,%u]\n", count, count,
         kinds + background);
  TENSOR("constant a float32[%u,4]\n", count);
  TENSOR("tensor b float32[1,%u,4]\ntensor c float32[1,%u]\n", most, most);
  TENSOR("tensor s float32[1,%u]\ntensor n float32[1]\n", most);
  OPERATOR("custom TFLite_Detection_PostProcess x p a -> b c s n : max_classes_per_detection 1 "
           "max_detections %u num_classes %u\n",
           most, kinds);
  TENSOR("inputs x p\noutputs b c s n\n");
}

/* ---------------------------------------------------------------- audio */

static const struct {
  const char *name;
  unsigned number; /* in the schema */
} samples[] = {{"int16", 7}, {"int32", 2}, {"float32", 0}};

static void write_fft(unsigned number) {
  static const unsigned lengths[] = {16, 18, 64, 480, 512};
  unsigned type = pick(&number, 3), length = PICK(&number, lengths), is_inverse = number;
  unsigned complex = length + 2;
  TENSOR("tensor x %s[%u]\n", samples[type].name, is_inverse ? complex : length);
  TENSOR("tensor y %s[%u]\n", samples[type].name, is_inverse ? length : complex);
  OPERATOR("custom %s x -> y : T %u fft_length %u\n", is_inverse ? "SignalIrfft" : "SignalRfft",
           samples[type].number, length);
  ends("x");
}

static const char *const channels_before[] = {"", "1,", "3,", "2,3,"};

static void write_delay(unsigned number) {
  static const unsigned frames[] = {7, 160}, delays[] = {0, 1, 50};
  const char *before = PICK(&number, channels_before);
  unsigned frame = PICK(&number, frames), delay = PICK(&number, delays);
  TENSOR("tensor x int16[%s%u]\ntensor y int16[%s%u]\n", before, frame, before, frame);
  OPERATOR("custom SignalDelay x -> y : delay_length %u\n", delay);
  ends("x");
}

static void write_framer(unsigned number) {
  static const unsigned steps[] = {5, 160}, more[] = {0, 7, 240};
  const char *before = PICK(&number, channels_before);
  unsigned step = PICK(&number, steps), frame = step + PICK(&number, more);
  unsigned count = 1 + pick(&number, 2);
  TENSOR("tensor x int16[%s%u]\n", before, count * step);
  TENSOR("tensor y int16[%s%u,%u]\ntensor v bool[]\n", before, count, frame);
  OPERATOR("custom SignalFramer x -> y v : frame_size %u frame_step %u prefill %u\n", frame,
           step, number);
  TENSOR("inputs x\noutputs y v\n");
}

static void write_overlap_add(unsigned number) {
  static const unsigned lengths[] = {5, 12, 400};
  const char *before = PICK(&number, channels_before);
  unsigned frame = PICK(&number, lengths), type = 2 * pick(&number, 2), count = 1 + number;
  TENSOR("tensor x %s[%s%u,%u]\n", samples[type].name, before, count, frame);
  TENSOR("tensor y %s[%s%u]\n", samples[type].name, before, 4 * count);
  OPERATOR("custom SignalOverlapAdd x -> y : T %u frame_step 4\n", samples[type].number);
  ends("x");
}

static void write_stacker(unsigned number) {
  static const unsigned channels[] = {1, 7, 40};
  unsigned c = PICK(&number, channels), left = pick(&number, 4), right = pick(&number, 3);
  TENSOR("tensor x int16[%u]\ntensor y int16[%u]\ntensor v bool[]\n", c,
         c * (left + right + 1));
  OPERATOR("custom SignalStacker x -> y v : num_channels %u stacker_left_context %u "
           "stacker_right_context %u stacker_step %u\n",
           c, left, right, 1 + number);
  TENSOR("inputs x\noutputs y v\n");
}

static void write_filter_bank(unsigned number) {
  static const unsigned channels[] = {1, 2, 5, 25, 40};
  unsigned c = PICK(&number, channels);
  TENSOR("tensor x uint32[257]\ntensor y uint64[%u]\n", c);
  TENSOR("constant w int16[300]\nconstant u int16[300]\n");
  TENSOR("constant f int16[%u]\nconstant s int16[%u]\nconstant n int16[%u]\n", c, c, c);
  OPERATOR("custom SignalFilterBank x w u f s n -> y : num_channels %u\n", c);
  ends("x");
}

static void write_subtraction(unsigned number) {
  static const unsigned channels[] = {1, 2, 5, 25, 40};
  unsigned c = PICK(&number, channels);
  TENSOR("tensor x uint32[%u]\ntensor y uint32[%u]\ntensor n uint32[%u]\n", c, c, c);
  OPERATOR(
      "custom SignalFilterBankSpectralSubtraction x -> y n : alternate_one_minus_smoothing 1 "
      "alternate_smoothing 2 clamping 0 min_signal_remaining 3 num_channels %u "
      "one_minus_smoothing 4 smoothing 5 smoothing_bits 6 spectral_subtraction_bits 7\n",
      c);
  TENSOR("inputs x\noutputs y n\n");
}

/* ---------------------------------------------------------------- control flow and variables */

/*
 * Declares `count` tensors x0, x1, ... and the same of y, and names them, a space before each.
 * Lines of the main graph go to TENSOR, those of others to OPERATOR.
 */
static void declare(void (*line)(struct draft *, const char *, ...), const char *type,
                    unsigned count, const char *letters, char names[][64]) {
  for (size_t l = 0; letters[l]; l++) {
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
      line(&draft, "tensor %c%u %s[2,%u]%s\n", letters[l], i, type, 3 + i / 2,
           type[0] == 'f' ? "" : " scales 1");
      used += (size_t)snprintf(names[l] + used, 64 - used, " %c%u", letters[l], i);
    }
  }
}

/* A subgraph of `count` outputs, each from its own input by kernels with and without memory. */
static void add_body(unsigned count, bool has_more) {
  char names[2][64];
  OPERATOR("subgraph\n");
  declare(draft_operator, "float32", count, "xy", names);
  for (unsigned i = 0; i < count && has_more; i++)
    OPERATOR("tensor s%u float32[2,%u]\n", i, 3 + i / 2);
  OPERATOR("inputs%s\noutputs%s\n", names[0], names[1]);
  for (unsigned i = 0; i < count; i++)
    OPERATOR(has_more ? "ADD x%u x%u -> s%u\nRELU s%u -> y%u\n" : "RELU x%u -> y%u\n", i, i, i,
             i, i);
}

static void write_if(unsigned number) {
  unsigned count = 1 + pick(&number, 3), nests = pick(&number, 2), has_more = number;
  char names[2][64];
  TENSOR("tensor c bool[1]\n");
  declare(draft_tensor, "float32", count, "xy", names);
  TENSOR("inputs c%s\noutputs%s\n", names[0], names[1]);
  OPERATOR("IF c%s ->%s : 1 2\n", names[0], names[1]);
  add_body(count, has_more);
  if (!nests) {
    add_body(count, !has_more);
    return;
  }
  OPERATOR("subgraph\nconstant c bool[1]\n");
  declare(draft_operator, "float32", count, "xy", names);
  OPERATOR("inputs%s\noutputs%s\n", names[0], names[1]);
  OPERATOR("IF c%s ->%s : 3 4\n", names[0], names[1]);
  add_body(count, true);
  add_body(count, false);
}

static void write_while(unsigned number) {
  unsigned count = 1 + pick(&number, 4), has_more = number;
  char names[2][64];
  declare(draft_tensor, "float32", count, "xy", names);
  TENSOR("inputs%s\noutputs%s\n", names[0], names[1]);
  OPERATOR("WHILE%s ->%s : 1 2\n", names[0], names[1]);
  OPERATOR("subgraph\nconstant c bool[1]\ntensor n bool[1]\n");
  declare(draft_operator, "float32", count, "x", names);
  OPERATOR("inputs%s\noutputs n\nLOGICAL_NOT c -> n\n", names[0]);
  add_body(count, has_more);
}

/* Handles h0, h1, ... of variables; every second one is that of the variable before it. */
static void add_handles(unsigned count, bool has_twins) {
  for (unsigned i = 0; i < count; i++)
    OPERATOR("VAR_HANDLE -> h%u : 0 %u\n", i, has_twins ? i / 2 : i);
}

static void write_variables(unsigned number) {
  unsigned count = 1 + pick(&number, 4), has_twins = pick(&number, 2), type = number;
  char names[2][64];
  declare(draft_tensor, activations[type], count, "xy", names);
  for (unsigned i = 0; i < count; i++)
    TENSOR("tensor h%u resource[]\n", i);
  TENSOR("inputs%s\noutputs%s\n", names[0], names[1]);
  add_handles(count, has_twins);
  for (unsigned i = 0; i < count; i++)
    OPERATOR("ASSIGN_VARIABLE h%u x%u -> \nREAD_VARIABLE h%u -> y%u\n", i, i, i, i);
}

static void write_call_once(unsigned number) {
  unsigned count = 1 + pick(&number, 3), type = number;
  char names[1][64];
  TENSOR("tensor x0 float32[7]\ntensor z float32[7]\n");
  declare(draft_tensor, activations[type], count, "y", names);
  for (unsigned i = 0; i < count; i++)
    TENSOR("tensor h%u resource[]\n", i);
  TENSOR("inputs x0\noutputs z%s\n", names[0]);
  OPERATOR("CALL_ONCE -> : 1\nRELU x0 -> z\n");
  add_handles(count, false);
  for (unsigned i = 0; i < count; i++)
    OPERATOR("READ_VARIABLE h%u -> y%u\n", i, i);
  OPERATOR("subgraph\n");
  for (unsigned i = 0; i < count; i++)
    OPERATOR("constant x%u %s[2,%u]%s\ntensor h%u resource[]\n", i, activations[type],
             3 + i / 2, scales[type], i);
  OPERATOR("inputs\noutputs\n");
  add_handles(count, false);
  for (unsigned i = 0; i < count; i++)
    OPERATOR("ASSIGN_VARIABLE h%u x%u ->\n", i, i);
}

/* ---------------------------------------------------------------- all others */

static const struct {
  const char *node, *tensors;
} others[] = {
    {"ARG_MAX x a -> y",
     "tensor x int8[3,5] scales 1\nconstant a int32[1] : 1\ntensor y int32[3]"},
    {"ARG_MIN x a -> y",
     "tensor x int8[3,5] scales 1\nconstant a int32[1] : 1\ntensor y int32[3]"},
    {"BATCH_TO_SPACE_ND x b c -> y",
     "tensor x int8[4,2,3,1] scales 1\nconstant b int32[2] : 2 2\n"
     "constant c int32[2,2] : 0 0 0 0\ntensor y int8[1,4,6,1] scales 1"},
    {"SPACE_TO_BATCH_ND x b c -> y",
     "tensor x int8[1,4,6,1] scales 1\nconstant b int32[2] : 2 2\n"
     "constant c int32[2,2] : 0 0 0 0\ntensor y int8[4,2,3,1] scales 1"},
    {"BROADCAST_ARGS x a -> y", "tensor x int32[2]\ntensor a int32[2]\ntensor y int32[2]"},
    {"BROADCAST_TO x a -> y",
     "tensor x int8[1,5] scales 1\nconstant a int32[2] : 3 5\ntensor y int8[3,5] scales 1"},
    {"CAST x -> y", "tensor x float32[3,5]\ntensor y int32[3,5]"},
    {"CONCATENATION x x -> y", "tensor x int8[3,5] scales 1\ntensor y int8[6,5] scales 1"},
    {"CONCATENATION x x x -> y", "tensor x float32[3,5]\ntensor y float32[9,5]"},
    {"DEQUANTIZE x -> y", "tensor x int8[3,5] scales 1\ntensor y float32[3,5]"},
    {"DYNAMIC_UPDATE_SLICE x a b -> y",
     "tensor x float32[3,5]\ntensor a float32[1,5]\ntensor b int32[2]\ntensor y float32[3,5]"},
    {"EQUAL x x -> y", "tensor x int8[3,5] scales 1 0 2\ntensor y bool[3,5]"},
    {"EXPAND_DIMS x a -> y",
     "tensor x float32[3,5]\nconstant a int32[1] : 1\ntensor y float32[3,1,5]"},
    {"FILL a x -> y", "constant a int32[2] : 3 5\ntensor x float32[]\ntensor y float32[3,5]"},
    {"FLOOR_DIV x x -> y", "tensor x float32[3,5]\ntensor y float32[3,5]"},
    {"FLOOR_MOD x x -> y", "tensor x float32[3,5]\ntensor y float32[3,5]"},
    {"GREATER x x -> y", "tensor x int8[3,5] scales 1 0 2\ntensor y bool[3,5]"},
    {"GREATER_EQUAL x x -> y", "tensor x float32[3,5]\ntensor y bool[3,5]"},
    {"LESS x x -> y", "tensor x int8[3,5] scales 1 0 2\ntensor y bool[3,5]"},
    {"LESS_EQUAL x x -> y", "tensor x float32[3,5]\ntensor y bool[3,5]"},
    {"LOG x -> y", "tensor x float32[3,5]\ntensor y float32[3,5]"},
    {"LOGICAL_AND x x -> y", "tensor x bool[3,5]\ntensor y bool[3,5]"},
    {"LOGICAL_NOT x -> y", "tensor x bool[3,5]\ntensor y bool[3,5]"},
    {"LOGICAL_OR x x -> y", "tensor x bool[3,5]\ntensor y bool[3,5]"},
    {"MINIMUM x x -> y", "tensor x int8[3,5] scales 1\ntensor y int8[3,5] scales 1"},
    {"NOT_EQUAL x x -> y", "tensor x int8[3,5] scales 1 0 2\ntensor y bool[3,5]"},
    {"PACK x x -> y : 2 0", "tensor x int8[5] scales 1\ntensor y int8[2,5] scales 1"},
    {"PADV2 x p c -> y",
     "tensor x float32[3,5]\nconstant p int32[2,2] : 1 1 0 0\nconstant c float32[1]\n"
     "tensor y float32[5,5]"},
    {"QUANTIZE x -> y", "tensor x float32[3,5]\ntensor y int8[3,5] scales 1"},
    {"QUANTIZE x -> y", "tensor x int16[3,5] scales 1\ntensor y int8[3,5] scales 1"},
    {"RESHAPE x a -> y",
     "tensor x int8[3,5] scales 1\nconstant a int32[1] : 15\ntensor y int8[15] scales 1"},
    {"RESIZE_BILINEAR x a -> y", "tensor x int8[1,2,3,4] scales 1\nconstant a int32[2] : 4 "
                                 "6\ntensor y int8[1,4,6,4] scales 1"},
    {"RESIZE_NEAREST_NEIGHBOR x a -> y", "tensor x int8[1,2,3,4] scales 1\nconstant a int32[2] "
                                         ": 4 6\ntensor y int8[1,4,6,4] scales 1"},
    {"REVERSE_V2 x a -> y",
     "tensor x float32[3,5]\nconstant a int32[1] : 1\ntensor y float32[3,5]"},
    {"ROUND x -> y", "tensor x float32[3,5]\ntensor y float32[3,5]"},
    {"SELECT_V2 c x x -> y",
     "tensor c bool[3,5]\ntensor x float32[3,5]\ntensor y float32[3,5]"},
    {"SOFTMAX x -> y : 1065353216",
     "tensor x int8[3,5] scales 1\ntensor y int16[3,5] scales 1 -32768 65536"},
    {"SHAPE x -> y : 2", "tensor x float32[3,5]\ntensor y int32[2]"},
    {"SLICE x a b -> y", "tensor x float32[3,5]\nconstant a int32[2] : 1 0\nconstant b "
                         "int32[2] : 2 5\ntensor y float32[2,5]"},
    {"SPLIT a x -> y z : 2", "tensor x float32[4,5]\nconstant a int32[1] : 0\ntensor y "
                             "float32[2,5]\ntensor z float32[2,5]"},
    {"SPLIT_V x b a -> y z : 2",
     "tensor x float32[3,5]\nconstant b int32[2] : 1 2\nconstant a int32[1] : 0\n"
     "tensor y float32[1,5]\ntensor z float32[2,5]"},
    {"SQUEEZE x -> y", "tensor x float32[3,1,5]\ntensor y float32[3,5]"},
    {"STRIDED_SLICE x a b c -> y",
     "tensor x float32[4,5]\nconstant a int32[2] : 0 0\nconstant b int32[2] : 4 5\n"
     "constant c int32[2] : 2 1\ntensor y float32[2,5]"},
    {"TRANSPOSE x a -> y",
     "tensor x float32[3,5]\nconstant a int32[2] : 1 0\ntensor y float32[5,3]"},
    {"UNPACK x -> y z : 2 0",
     "tensor x float32[2,5]\ntensor y float32[5]\ntensor z float32[5]"},
    {"ZEROS_LIKE x -> y", "tensor x float32[3,5]\ntensor y float32[3,5]"},
    {"custom CIRCULAR_BUFFER x -> y : cycles_max 1",
     "tensor x int8[1,1,1,7] scales 1\ntensor y int8[1,5,1,7] scales 1"},
    {"custom SignalEnergy x -> y : end_index 9 start_index 1",
     "tensor x int16[20]\ntensor y uint32[10]"},
    {"custom SignalFftAutoScale x -> y z",
     "tensor x int16[64]\ntensor y int16[64]\ntensor z int32[]"},
    {"custom SignalFilterBankLog x -> y : input_correction_bits 3 output_scale 64",
     "tensor x uint32[40]\ntensor y int16[40]"},
    {"custom SignalFilterBankSquareRoot x a -> y",
     "tensor x uint64[40]\ntensor a int32[]\ntensor y uint32[40]"},
    {"custom SignalPCAN x a b -> y : snr_shift 6",
     "tensor x uint32[40]\ntensor a uint32[40]\nconstant b int16[125]\ntensor y uint32[40]"},
    {"custom SignalWindow x a -> y : shift 12",
     "tensor x int16[64]\nconstant a int16[64]\ntensor y int16[64]"},
};
#define OTHERS (sizeof others / sizeof *others)

/* Tensors a, b, c and x that are not constant are inputs; y and z are outputs. */
static void write_other(unsigned number) {
  const char *tensors = others[number].tensors;
  static const char *const names[] = {"tensor x ", "tensor a ", "tensor b ", "tensor c "};
  TENSOR("%s\ninputs", tensors);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(tensors, names[i])) TENSOR(" %c", names[i][7]);
  TENSOR("\noutputs y%s\n", strstr(tensors, "tensor z ") ? " z" : "");
  OPERATOR("%s\n", others[number].node);
}

/* ---------------------------------------------------------------- the grid */

static const struct family {
  void (*write)(unsigned number);
  unsigned count;
} families[] = {{write_conv, WINDOWS * 4 * 3},
                {write_depthwise, WINDOWS * 4 * 2 * 2},
                {write_pool, WINDOWS * 7},
                {write_transpose_conv, 3 * 3 * 3 * 2 * 3 * 4},
                {write_fully_connected, 4 * 3 * 2 * 2 * 2 * 2},
                {write_batch_matmul, 3 * 2 * 2 * 2 * 2},
                {write_svdf, 3 * 2 * 2 * 3},
                {write_lstm, 3 * 3 * 2 * 3},
                {write_reduce, 5 * 3 * 3},
                {write_softmax, 2 * 3},
                {write_cumsum, 2 * 2},
                {write_unary, 16 * 3},
                {write_sigmoid, 2 * 3},
                {write_binary, 7 * 3},
                {write_add_n, 2 * 4},
                {write_pad, 2 * 2 * 4},
                {write_depth, 2 * 2},
                {write_gather, 3 * 2 * 3},
                {write_detection, 3 * 3 * 2 * 2},
                {write_fft, 3 * 5 * 2},
                {write_delay, 4 * 2 * 3},
                {write_framer, 4 * 2 * 3 * 2 * 2},
                {write_overlap_add, 4 * 3 * 2 * 2},
                {write_stacker, 3 * 4 * 3 * 2},
                {write_filter_bank, 5},
                {write_subtraction, 5},
                {write_if, 3 * 2 * 2},
                {write_while, 4 * 2},
                {write_variables, 4 * 2 * 3},
                {write_call_once, 3 * 3},
                {write_other, OTHERS}};

/* Large families are thinned by a step that has no factor in common with them. */
#define STEP 7

/* The name of the first operator, which begins a line. */
static const char *kernel_name(void) {
  static char name[64];
  const char *line = draft.operators;
  if (strncmp(line, "custom ", 7) == 0) line += 7;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
  return name;
}

int main(int count, char **arguments) {
  char path[4096];
  if (count != 2) return 2;
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (unsigned number = 0;
         number<families[f].count; number += families[f].count> 200 ? STEP : 1) {
      draft_init(&draft, 0);
      families[f].write(number);
      snprintf(path, sizeof path, "%s/%s-%u.tflite", arguments[1], kernel_name(), number);
      draft_write(&draft, path);
    }
  return 0;
}
