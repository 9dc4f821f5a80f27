/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that move a window over an image: convolutions and pools. */
#include <inttypes.h>
#include <string.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

/* The window along one axis. */
struct window {
  int64_t extent, stride, dilation;
  int64_t before, after; /* padding */
};

enum padding { PADDING_GIVEN, PADDING_SAME, PADDING_NONE };

static enum padding padding_of(const struct onnx_infer *infer) {
  if (onnx_attribute_is(infer, "auto_pad", "SAME_UPPER") ||
      onnx_attribute_is(infer, "auto_pad", "SAME_LOWER"))
    return PADDING_SAME;
  return onnx_attribute_is(infer, "auto_pad", "VALID") ? PADDING_NONE : PADDING_GIVEN;
}

static bool item_of(struct onnx_infer *infer, const char *name, size_t count, size_t i,
                    int64_t low, int64_t *item) {
  struct onnx_list list = onnx_attribute_list(infer, name);
  if (!list.count) return true;
  if (list.count != count)
    return onnx_fail(infer, "expected %zu %s, found %zu", count, name, list.count);
  *item = list.integers[i];
  return (*item >= low && *item <= ONNX_LARGE) ||
         onnx_fail(infer, "expected %s of at least %" PRId64 ", found %" PRId64, name, low,
                   *item);
}

/* The window along spatial axis `d` of `count`; `extent` is the default without kernel_shape. */
static bool window_of(struct onnx_infer *infer, size_t count, size_t d, int64_t extent,
                      struct window *window) {
  *window = (struct window){.extent = extent, .stride = 1, .dilation = 1};
  if (!item_of(infer, "kernel_shape", count, d, 1, &window->extent) ||
      !item_of(infer, "strides", count, d, 1, &window->stride) ||
      !item_of(infer, "dilations", count, d, 1, &window->dilation))
    return false;
  if (padding_of(infer) == PADDING_GIVEN &&
      (!item_of(infer, "pads", 2 * count, d, -ONNX_LARGE, &window->before) ||
       !item_of(infer, "pads", 2 * count, d + count, -ONNX_LARGE, &window->after)))
    return false;
  /* The span of the window with dilation; products of two such numbers stay far below 2^63. */
  if (window->extent < 1 || window->extent > ONNX_LARGE)
    return onnx_fail(infer, "expected a window of at least 1, found %" PRId64, window->extent);
  window->extent = (window->extent - 1) * window->dilation + 1;
  return window->extent <= ONNX_LARGE || onnx_fail(infer, "the window is too large");
}

/*
 * Counts the positions of the window.  If rounded up, the last may extend past the end, but
 * does not begin in the padding there.
 */
static bool slide(struct onnx_infer *infer, int64_t extent, const struct window *window,
                  bool ceil, int64_t *places) {
  if (extent > ONNX_LARGE) return onnx_fail(infer, "the image is too large");
  if (padding_of(infer) == PADDING_SAME) {
    *places = extent / window->stride + (extent % window->stride != 0);
    return true;
  }
  int64_t room = extent + window->before + window->after - window->extent;
  if (room < 0)
    return onnx_fail(infer, "a window of %" PRId64 " is larger than the padded image",
                     window->extent);
  bool has_rest = room % window->stride != 0;
  *places = room / window->stride + 1 + (ceil && has_rest);
  if (ceil && (*places - 1) * window->stride >= extent + window->before) --*places;
  return true;
}

static bool slide_all(struct onnx_infer *infer, const struct onnx_shape *image,
                      const struct onnx_shape *weights, struct onnx_shape *output) {
  bool ceil = onnx_attribute_integer(infer, "ceil_mode", 0) != 0;
  for (size_t d = 2; d < image->rank; d++) {
    struct window window;
    int64_t places = 0;
    if (!window_of(infer, image->rank - 2, d - 2, weights ? weights->dims[d] : 0, &window) ||
        !slide(infer, image->dims[d], &window, ceil, &places) ||
        !onnx_push(infer, output, places))
      return false;
  }
  return true;
}

/* ---------------------------------------------------------------- convolutions */

/* The weights of an image; NULL, with the reason set, if they do not suit it or are unknown. */
static const struct onnx_shape *weights_of(struct onnx_infer *infer,
                                           const struct onnx_shape *image, size_t position) {
  const struct onnx_shape *weights = image ? onnx_input(infer, position) : NULL;
  if (!weights || weights->rank == image->rank) return weights;
  onnx_fail(infer, "expected weights with %zu dimensions, found %zu", image->rank,
            weights->rank);
  return NULL;
}

static bool convolution(struct onnx_infer *infer) {
  const struct onnx_shape *image = onnx_input_of_rank(infer, 0, 2);
  const struct onnx_shape *weights =
      weights_of(infer, image, infer->rule->detail & ONNX_WEIGHTS);
  if (!weights) return false;
  struct onnx_shape *output = onnx_output(infer, 0, onnx_product_type(infer));
  return onnx_push(infer, output, image->dims[0]) &&
         onnx_push(infer, output, weights->dims[0]) && slide_all(infer, image, weights, output);
}

/* Finds the extent of the image from which a convolution would make the input. */
static bool unslide(struct onnx_infer *infer, size_t count, size_t d, int64_t extent,
                    const struct window *window, int64_t *result) {
  int64_t wanted = -1, more = 0;
  if (!item_of(infer, "output_shape", count, d, 1, &wanted) ||
      !item_of(infer, "output_padding", count, d, 0, &more))
    return false;
  if (extent > ONNX_LARGE / 2) return onnx_fail(infer, "the image is too large");
  if (wanted >= 0) *result = wanted;
  else if (padding_of(infer) == PADDING_SAME) *result = extent * window->stride;
  else
    *result =
        (extent - 1) * window->stride + more + window->extent - window->before - window->after;
  return true;
}

static bool transposed(struct onnx_infer *infer) {
  const struct onnx_shape *image = onnx_input_of_rank(infer, 0, 2);
  const struct onnx_shape *weights = weights_of(infer, image, 1);
  int64_t group = onnx_attribute_integer(infer, "group", 1);
  if (!weights) return false;
  if (group < 1 || group > ONNX_LARGE || weights->dims[1] > ONNX_LARGE)
    return onnx_fail(infer, "expected a group of at least 1, found %" PRId64, group);
  struct onnx_shape *output = onnx_output(infer, 0, image->type);
  if (!onnx_push(infer, output, image->dims[0]) ||
      !onnx_push(infer, output, weights->dims[1] * group))
    return false;
  for (size_t d = 2; d < image->rank; d++) {
    struct window window;
    int64_t extent = 0;
    if (!window_of(infer, image->rank - 2, d - 2, weights->dims[d], &window) ||
        !unslide(infer, image->rank - 2, d - 2, image->dims[d], &window, &extent) ||
        !onnx_push(infer, output, extent))
      return false;
  }
  return true;
}

/* ---------------------------------------------------------------- rows */

static bool resolve_padding(struct onnx_infer *infer, size_t count, size_t d, int64_t extent,
                            struct window *window) {
  int64_t in = infer->shapes[0]->dims[d + 2], places = infer->outputs[0].dims[d + 2];
  if (!window_of(infer, count, d, extent, window)) return false;
  int64_t most = (places - 1) * window->stride + window->extent - in;
  if (padding_of(infer) == PADDING_SAME) {
    int64_t all = most > 0 ? most : 0;
    bool is_lower = onnx_attribute_is(infer, "auto_pad", "SAME_LOWER");
    window->before = (all + is_lower) / 2;
    window->after = all - window->before;
  }
  /* With ceil_mode, the last window may extend past the end; MaxPool may be padded there. */
  if (most > window->before + window->after) {
    if (strcmp(infer->rule->name, "MaxPool") != 0) return false;
    window->after = most - window->before;
  }
  return window->before >= 0 && window->after >= 0 && window->before < window->extent &&
         window->after < window->extent;
}

bool onnx_window_pads(struct onnx_infer *infer, int64_t pads[2 * ONNX_MAX_RANK]) {
  const size_t position = infer->rule->detail & ONNX_WEIGHTS;
  const size_t count = infer->shapes[0]->rank - 2;
  const struct onnx_shape *weights = position > 0 ? infer->shapes[position] : NULL;
  if (weights && (!weights->is_known || weights->rank != count + 2)) return false;
  for (size_t d = 0; d < count; d++) {
    struct window window;
    if (!resolve_padding(infer, count, d, weights ? weights->dims[d + 2] : 0, &window))
      return false;
    pads[d] = window.before;
    pads[count + d] = window.after;
  }
  return true;
}

static bool window_rows(struct onnx_infer *infer, struct band_rule *rule) {
  const size_t position = infer->rule->detail & ONNX_WEIGHTS;
  const size_t count = infer->shapes[0]->rank - 2;
  int64_t pads[2 * ONNX_MAX_RANK];
  struct window window;
  if (infer->shapes[0]->rank <= ONNX_ROWS || !onnx_window_pads(infer, pads) ||
      !window_of(infer, count, 0, position > 0 ? infer->shapes[position]->dims[ONNX_ROWS] : 0,
                 &window))
    return false;
  *rule = (struct band_rule){.kind = SPLIT_WINDOW,
                             .reach = window.extent,
                             .stride = window.stride,
                             .before = pads[0],
                             .after = pads[count]};
  return true;
}

/* ---------------------------------------------------------------- channels */

/* Each filter reads all channels, or each channel has one filter. */
static bool convolution_channels(struct onnx_infer *infer, struct band_rule *rule) {
  const struct onnx_shape *image = infer->shapes[0];
  const struct onnx_shape *weights = infer->shapes[infer->rule->detail & ONNX_WEIGHTS];
  const int64_t group = onnx_attribute_integer(infer, "group", 1);
  if (image->rank <= ONNX_CHANNELS || !weights || !weights->is_known || weights->rank < 1)
    return false;
  rule->kind = group == 1 ? SPLIT_OUTPUTS : SPLIT_POINTWISE;
  return group == 1 || (group == image->dims[ONNX_CHANNELS] && group == weights->dims[0]);
}

static bool transposed_channels(struct onnx_infer *infer, struct band_rule *rule) {
  rule->kind = SPLIT_OUTPUTS;
  return onnx_attribute_integer(infer, "group", 1) == 1;
}

static bool pool_channels(struct onnx_infer *infer, struct band_rule *rule) {
  (void)infer;
  rule->kind = SPLIT_POINTWISE;
  return true;
}

/* ---------------------------------------------------------------- pools */

static bool pool(struct onnx_infer *infer) {
  const struct onnx_shape *image = onnx_input_of_rank(infer, 0, 2);
  if (!image) return false;
  struct onnx_shape *output = onnx_output(infer, 0, image->type);
  if (!onnx_push(infer, output, image->dims[0]) || !onnx_push(infer, output, image->dims[1]) ||
      !slide_all(infer, image, NULL, output))
    return false;
  onnx_output_like(infer, 1, ONNX_INT64, output); /* indices of the largest */
  return true;
}

static bool global_pool(struct onnx_infer *infer) {
  const struct onnx_shape *image = onnx_input_of_rank(infer, 0, 2);
  if (!image) return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, image->type, image);
  for (size_t d = 2; d < output->rank; d++)
    output->dims[d] = 1;
  return true;
}

/* Pools regions of an image to the same extent. */
static bool regions(struct onnx_infer *infer) {
  const struct onnx_shape *image = onnx_input_of_rank(infer, 0, 4);
  const struct onnx_shape *rois = image ? onnx_input_of_rank(infer, 1, 1) : NULL;
  struct onnx_list pooled = onnx_attribute_list(infer, "pooled_shape");
  if (!rois) return false;
  int64_t rows = onnx_attribute_integer(infer, "output_height", 1);
  int64_t columns = onnx_attribute_integer(infer, "output_width", 1);
  if (pooled.count == 2) {
    rows = pooled.integers[0];
    columns = pooled.integers[1];
  }
  struct onnx_shape *output = onnx_output(infer, 0, image->type);
  return onnx_push(infer, output, rois->dims[0]) && onnx_push(infer, output, image->dims[1]) &&
         onnx_push(infer, output, rows) && onnx_push(infer, output, columns);
}

const struct onnx_rule onnx_rules_window[] = {
    {.name = "AveragePool", .shape = pool, .rows = window_rows, .channels = pool_channels},
    {.name = "Conv",
     .shape = convolution,
     .detail = 1,
     .rows = window_rows,
     .channels = convolution_channels},
    {.name = "ConvInteger",
     .shape = convolution,
     .detail = 1 | ONNX_MAKES_INT32,
     .rows = window_rows,
     .channels = convolution_channels},
    {.name = "ConvTranspose", .shape = transposed, .channels = transposed_channels},
    {.name = "GlobalAveragePool", .shape = global_pool, .channels = pool_channels},
    {.name = "GlobalLpPool", .shape = global_pool, .channels = pool_channels},
    {.name = "GlobalMaxPool", .shape = global_pool, .channels = pool_channels},
    {.name = "LpPool", .shape = pool, .channels = pool_channels},
    {.name = "MaxPool", .shape = pool, .rows = window_rows, .channels = pool_channels},
    {.name = "MaxRoiPool", .shape = regions},
    {.name = "QLinearConv",
     .shape = convolution,
     .detail = 3 | ONNX_MAKES_ZERO_POINT_TYPE,
     .rows = window_rows,
     .channels = convolution_channels},
    {.name = "RoiAlign", .shape = regions},
    {.name = NULL},
};
