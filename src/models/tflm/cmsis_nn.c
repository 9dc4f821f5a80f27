/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runtime's kernels for CMSIS-NN (tensorflow/lite/micro/kernels/cmsis_nn) keep the same data
 * as the reference kernels, and a little more.  They ask the library for the sizes of scratch
 * buffers: its functions arm_..._get_buffer_size depend on the processor.  The formulas below
 * are those of the version that footprint_version names.  They hold if the library was compiled
 * with GCC or Clang.  With Arm Compiler 6, some loops differ: those for convolutions of 1 x 1 with
 * the DSP extension, and those for depthwise ones of one channel with Helium.  Kernels are those
 * optimised for speed, which is the default: sums of constant weights stay in the tail.
 */
#include "models/tflm/kernel_memory.h"

#include "models/tflm/requests.h"

/* The channels that a depthwise convolution with Helium processes at a time. */
#define CHANNEL_BLOCK 124

/* From this many channels on, a transposed convolution is one with a reversed filter. */
#define REVERSED_FROM 17

/* ---------------------------------------------------------------- shapes */

static neap_size plus(neap_size a, neap_size b) {
  neap_size sum;
  return checked_add(a, b, &sum) ? sum : NEAP_MAX;
}

static neap_size to_multiple(neap_size bytes, neap_size step) {
  neap_size multiple;
  return checked_round_up(bytes, step, &multiple) ? multiple : NEAP_MAX;
}

static neap_size larger(neap_size a, neap_size b) { return a > b ? a : b; }

static bool has_helium(const struct footprint_call *call) {
  return call->kernels == NEAP_KERNELS_CMSIS_NN_MVE;
}

static bool has_dsp(const struct footprint_call *call) {
  return call->kernels == NEAP_KERNELS_CMSIS_NN_DSP;
}

/* One dimension of a convolution. */
struct axis {
  neap_size input, filter, output, stride, dilation;
  neap_size before, pad; /* padding at the start, and of both ends without a lower limit */
};

struct window {
  struct axis y, x;
  neap_size channels, filter_channels; /* of the input, and of the filter */
};

/* The numbers are the padding (0: SAME), strides, and dilations, each first in direction x. */
static struct axis axis_of(const struct footprint_call *call, size_t index, size_t place) {
  struct axis axis = {.input = dimension(input(call, 0), index),
                      .filter = dimension(input(call, 1), index),
                      .output = dimension(output(call, 0), index),
                      .stride = number(call, 1 + place),
                      .dilation = number(call, 3 + place)};
  neap_size reach = plus(times(axis.filter - 1, axis.dilation), 1);
  axis.pad = plus(times(axis.output - 1, axis.stride), axis.filter) - axis.input;
  neap_size all = plus(times(axis.output - 1, axis.stride), reach) - axis.input;
  if (number(call, 0) == 0 && all > 0) axis.before = all / 2;
  return axis;
}

static struct window window_of(const struct footprint_call *call) {
  return (struct window){.y = axis_of(call, 1, 1),
                         .x = axis_of(call, 2, 0),
                         .channels = dimension(input(call, 0), 3),
                         .filter_channels = dimension(input(call, 1), 3)};
}

/* ---------------------------------------------------------------- convolutions */

static bool is_dilated(const struct window *window) {
  return window->x.dilation != 1 || window->y.dilation != 1;
}

static bool is_point(const struct window *window) {
  return window->x.before == 0 && window->y.before == 0 && window->x.filter == 1 &&
         window->y.filter == 1 && !is_dilated(window) &&
         window->channels == window->filter_channels;
}

static bool is_row(const struct window *window) {
  return window->y.input == 1 && window->y.filter == 1 && !is_dilated(window) &&
         times(window->x.stride, window->channels) % 4 == 0 &&
         window->channels == window->filter_channels;
}

/* The elements that the filter sees at a position, for this many channels. */
static neap_size seen(const struct window *window, neap_size channels) {
  return times(times(window->x.filter, window->y.filter), channels);
}

/* Columns of 16-bit numbers for two positions; with Helium, of 8-bit numbers for four. */
static neap_size columns_bytes(const struct footprint_call *call, const struct window *window) {
  return times(4, to_multiple(seen(window, window->channels), has_helium(call) ? 16 : 4));
}

/* The number of positions at an end that need padding. */
static neap_size padded_positions(neap_size pad, neap_size stride) {
  if (pad == 0 || stride <= 0) return 0;
  return larger(1, plus(pad, stride - 1) / stride);
}

/* The bytes of a copied row: with Helium, only its ends are copied, with their padding. */
static neap_size row_bytes(const struct footprint_call *call, const struct window *window) {
  const struct axis *x = &window->x;
  neap_size odd = x->pad % 2;
  neap_size right = padded_positions(x->before + odd, x->stride);
  neap_size left = padded_positions(x->before, x->stride);
  neap_size most = plus(left, right), channels = window->channels;
  if (most > x->output) return columns_bytes(call, window);
  neap_size before = times(x->before, channels);
  neap_size after = odd ? times(right, channels) : before;
  return larger(plus(times(x->filter, channels), before),
                plus(times(x->filter - 1, channels), after));
}

static neap_size conv_bytes(const struct footprint_call *call, const struct window *window) {
  if (is_point(window)) return 0;
  if (is_row(window) && has_helium(call)) return row_bytes(call, window);
  return columns_bytes(call, window);
}

/* Convolutions of 16-bit numbers take two columns, with Helium four. */
static neap_size conv16_bytes(const struct footprint_call *call, const struct window *window) {
  neap_size elements = seen(window, window->channels);
  return has_helium(call) ? times(8, to_multiple(elements, 8)) : times(4, elements);
}

static void scratch_if_any(const struct footprint_call *call, neap_size bytes) {
  if (bytes > 0) scratch(call, bytes);
}

static void prepare_conv(const struct footprint_call *call) {
  struct window window = window_of(call);
  if (!is_quantized(input(call, 0))) return;
  keep_channels(call, dimension(input(call, 1), 0));
  scratch_if_any(call, input(call, 0)->type == INT8 ? conv_bytes(call, &window)
                                                    : conv16_bytes(call, &window));
}

/* The usual case: each input channel makes one output channel. */
static neap_size depthwise_bytes(const struct footprint_call *call,
                                 const struct window *window) {
  bool is_int4 = input(call, 1)->type == INT4;
  bool is_small = window->x.filter == 3 && window->y.filter == 3 && window->x.before <= 1 &&
                  window->y.before <= 1;
  if (has_helium(call)) return times(4, seen(window, CHANNEL_BLOCK));
  if (is_int4 || (has_dsp(call) && !is_small)) return times(2, seen(window, window->channels));
  return 0;
}

/*
 * With Helium, an ordinary convolution with a transposed filter spreads one channel to several.
 * The runtime asks for the size without setting the strides, so the size is undefined; this is
 * the largest possible one.
 */
static neap_size spread_bytes(const struct footprint_call *call, struct window window) {
  neap_size filter = seen(&window, window.filter_channels);
  window.filter_channels = 1;
  return is_point(&window) ? filter : plus(columns_bytes(call, &window), filter);
}

/* The numbers are as for other convolutions. */
static void prepare_depthwise(const struct footprint_call *call) {
  const struct window window = window_of(call);
  neap_size channels = dimension(output(call, 0), 3);
  bool is_usual =
      window.channels == channels && dimension(input(call, 0), 0) == 1 && !is_dilated(&window);
  if (!is_quantized(input(call, 0))) return;
  keep_channels(call, dimension(input(call, 1), 3));
  if (input(call, 0)->type != INT8) return;
  if (has_helium(call) && input(call, 1)->type == INT8 && window.channels == 1 && channels > 1)
    scratch_if_any(call, spread_bytes(call, window));
  else if (is_usual) scratch_if_any(call, depthwise_bytes(call, &window));
}

/* The numbers are the strides, first in direction x. */
static void prepare_transpose_conv(const struct footprint_call *call) {
  const struct footprint_tensor *filter = input(call, 1), *read = input(call, 2);
  neap_size stride_x = number(call, 0), stride_y = number(call, 1);
  neap_size made = dimension(filter, 0), channels = dimension(read, 3);
  const struct window window = {.x = {.filter = dimension(filter, 2)},
                                .y = {.filter = dimension(filter, 1)},
                                .channels = channels};
  keep_channels(call, made);
  if (read->type == INT8 && stride_x <= 2 && stride_y <= 2 && channels >= REVERSED_FROM) {
    scratch(call, columns_bytes(call, &window));
    scratch(call, times(seen(&window, channels), made));
  } else if (read->type == INT8) {
    /* The library also takes the vertical stride here. */
    neap_size row =
        plus(times(dimension(read, 2) - 1, stride_x), larger(window.x.filter, stride_y));
    scratch(call, times(4, times(times(row, made), larger(window.y.filter, stride_y))));
    scratch(call, 0);
  }
  end_transpose_conv(call);
}

/* ---------------------------------------------------------------- products of matrices */

/* Keeps the sums of the weights for each output, computed in advance if possible. */
static void sum_weights(const struct footprint_call *call, neap_size outputs) {
  const struct footprint_tensor *bias = input(call, 2);
  if (!has_helium(call)) return;
  if (input(call, 1)->is_constant && (!bias->is_present || bias->is_constant))
    keep(call, times(4, outputs));
  else scratch(call, times(4, outputs));
}

static void prepare_fully_connected(const struct footprint_call *call) {
  const struct footprint_tensor *weights = input(call, 1), *made = output(call, 0);
  neap_size outputs = last_dimension(made, 0);
  bool has_channels = weights->channels > 1;
  if (is_quantized(input(call, 0)) && has_channels)
    keep_channels(call, (neap_size)weights->channels);
  if (input(call, 0)->type != INT8 || weights->type == INT4) return;
  if (made->rank > 2 && last_dimension(weights, 0) % 4 == 0) {
    /* A convolution of 1 x 1, which expects a multiplier and a shift for each channel. */
    if (!has_channels) scratch(call, times(8, outputs));
  } else sum_weights(call, outputs);
}

/* The numbers are whether the first and the second operand are transposed already. */
static void prepare_batch_matmul(const struct footprint_call *call) {
  if (number(call, 0)) keep_transposed(call, input(call, 0));
  if (!number(call, 1)) keep_transposed(call, input(call, 1));
  keep(call, dimensions_bytes(output(call, 0)));
  if (!is_quantized(input(call, 0))) return;
  keep(call, 28);
  if (input(call, 0)->type == INT8 && has_helium(call))
    scratch_if_any(call, times(4, last_dimension(output(call, 0), 0)));
}

/* The first number is the rank. */
static void prepare_svdf(const struct footprint_call *call) {
  scratch_svdf(call);
  if (input(call, 0)->type == INT8 && has_helium(call))
    keep(call, times(4, dimension(input(call, 1), 0)));
}

/* Keeps the sums of eight matrices of weights. */
static void prepare_lstm(const struct footprint_call *call) {
  unsigned type = input(call, 0)->type;
  bool is_optimised = input(call, 19)->type == INT16 && (type == INT8 || type == INT16);
  neap_size state = dimension(input(call, 18), 1);
  for (size_t i = 0; i < 8 && is_optimised; i++)
    keep(call, times(type == INT8 ? 4 : 8, state));
  scratch_lstm(call, is_optimised ? 3 : 4);
}

/* ---------------------------------------------------------------- others */

static void prepare_average_pool(const struct footprint_call *call) {
  if (is_quantized(input(call, 0)) && has_dsp(call))
    scratch_if_any(call, times(4, dimension(input(call, 0), 3)));
}

/*
 * The types that kernels accept, where they differ: 16-bit numbers have the zero point 0, and the
 * biases of an LSTM are constants.
 */
#define ADD_TYPES "*^ *^ > i | * * > f | *$ *$ > b$ | *$#0 *$#0 > h$#0"
#define CONV_TYPES "b$ bn$ *? > b | f f *? > f | h$#0 b$ iq? > h#0"
#define DEPTHWISE_TYPES "b$ bn$ *~ > Bhb | f f *~ > * | h$#0 b$ *~ > Bhb#0"
#define FULLY_CONNECTED_TYPES \
  "f f *? > f | b b#0 *&ab? > b | b n@#0 *&ab? > b | h#0 b@#0 *&ab? > h#0"
#define LSTM_TYPES                                                              \
  "f f:2-2 f:2-2 f:2-2 f:2-2 f:2-2 f:2-2 f:2-2 f:2-2 *? *? *? "                 \
  "f:1-1! f:1-1! f:1-1! f:1-1! *? *? f fh > f:3-3 | "                           \
  "b b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 *? *? *? " \
  "i:1-1! i:1-1! i:1-1! i:1-1! *? *? b fh > *:3-3 | "                           \
  "h b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 b:2-2#0 *? *? *? " \
  "q:1-1! q:1-1! q:1-1! q:1-1! *? *? h fh > *:3-3"

/* The options belong to the operator, whichever kernel runs it. */
#define MEMORY(options, alignment, ...) options, alignment
#define COMPRESSED(weights, ...) MEMORY(__VA_ARGS__)
#define CMSIS(bytes8, bytes4, tensors, prepare, types) \
  {bytes8, bytes4}, tensors, prepare, 0, types
#define AS_REFERENCE {0, 0}, NULL, NULL, 0, NULL
#define REPLACED(code, name, kind, macs, overlap, memory, types, cmsis) \
  {code, memory, cmsis, NULL, NULL},
static const struct kernel kernels[] = {
#include "models/tflm/kernels.def"
};

const struct kernel *cmsis_nn_find(unsigned code) {
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    if (kernels[k].code == code) return &kernels[k];
  return NULL;
}
