/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that resample an image.  Runtimes multiply scales as floats, and so does neap: the
 * product may be a whole number only because it is rounded.
 */
#include <inttypes.h>
#include <math.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

static bool scale_by(struct onnx_infer *infer, double scale, int64_t *dimension) {
  float product = floorf((float)scale * (float)*dimension);
  if (!(scale > 0) || !(product < (float)ONNX_LARGE))
    return onnx_fail(infer, "scales out of range");
  *dimension = (int64_t)product;
  return true;
}

/* The axis of the data that entry `i` of scales or sizes applies to. */
static bool axis_of(struct onnx_infer *infer, const struct onnx_shape *data, size_t count,
                    size_t i, size_t *axis) {
  struct onnx_list axes = onnx_attribute_list(infer, "axes");
  if (count != (axes.is_given ? axes.count : data->rank))
    return onnx_fail(infer, "expected a scale for each axis, found %zu", count);
  *axis = i;
  return !axes.is_given || onnx_axis(infer, axes.integers[i], data->rank, axis);
}

static bool scale_all(struct onnx_infer *infer, const struct onnx_shape *data,
                      const struct onnx_values *scales) {
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t i = 0; i < scales->count; i++) {
    size_t axis;
    if (!axis_of(infer, data, scales->count, i, &axis) ||
        !scale_by(infer, scales->items[i].real, &output->dims[axis]))
      return false;
  }
  return true;
}

/* To keep the aspect ratio, all axes are scaled by the smallest or the largest ratio. */
static bool fit(struct onnx_infer *infer, const struct onnx_shape *data,
                const struct onnx_values *sizes, bool inside) {
  struct onnx_shape *output = &infer->outputs[0];
  double best = 0;
  for (size_t i = 0; i < sizes->count; i++) {
    size_t axis;
    if (!axis_of(infer, data, sizes->count, i, &axis)) return false;
    double ratio = (double)sizes->items[i].integer / (double)data->dims[axis];
    if (i == 0 || (inside ? ratio < best : ratio > best)) best = ratio;
  }
  for (size_t i = 0; i < sizes->count; i++) {
    size_t axis;
    if (!axis_of(infer, data, sizes->count, i, &axis)) return false;
    double scaled = floor(best * (double)data->dims[axis] + 0.5);
    if (!(scaled >= 0 && scaled < (double)ONNX_LARGE))
      return onnx_fail(infer, "sizes out of range");
    output->dims[axis] = (int64_t)scaled;
  }
  return true;
}

static bool size_all(struct onnx_infer *infer, const struct onnx_shape *data,
                     const struct onnx_values *sizes) {
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t i = 0; i < sizes->count; i++) {
    size_t axis;
    if (!axis_of(infer, data, sizes->count, i, &axis)) return false;
    output->dims[axis] = sizes->items[i].integer;
  }
  if (onnx_attribute_is(infer, "keep_aspect_ratio_policy", "not_larger"))
    return fit(infer, data, sizes, true);
  if (onnx_attribute_is(infer, "keep_aspect_ratio_policy", "not_smaller"))
    return fit(infer, data, sizes, false);
  return true;
}

/* Whether input `i` is present and not empty. */
static bool is_said(const struct onnx_infer *infer, size_t i) {
  if (!onnx_has(infer, i)) return false;
  const struct onnx_shape *shape = infer->shapes[i];
  return !shape->is_known || shape->rank != 1 || shape->dims[0] > 0;
}

static const struct onnx_values *reals(struct onnx_infer *infer, size_t i) {
  const struct onnx_values *values = onnx_has(infer, i) ? infer->values[i] : NULL;
  if (values && values->is_real) return values;
  onnx_fail(infer, "the elements of input %zu are unknown", i);
  return NULL;
}

static bool resize(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  if (is_said(infer, 3)) {
    const struct onnx_values *sizes = onnx_integers(infer, 3);
    return sizes && size_all(infer, data, sizes);
  }
  const struct onnx_values *scales = reals(infer, infer->opset < 11 ? 1 : 2);
  return scales && scale_all(infer, data, scales);
}

/* Where row i of the output lies among those of the input, computed as runtimes do. */
static float row_at(int64_t i, float scale, bool is_half_pixel) {
  return is_half_pixel ? ((float)i + 0.5f) / scale - 0.5f : (float)i / scale;
}

static float nearest_row(struct onnx_infer *infer, float at) {
  if (infer->opset < 11 || onnx_attribute_is(infer, "nearest_mode", "floor")) return floorf(at);
  if (onnx_attribute_is(infer, "nearest_mode", "ceil")) return ceilf(at);
  if (onnx_attribute_is(infer, "nearest_mode", "round_prefer_ceil")) return floorf(at + 0.5f);
  return ceilf(at - 0.5f);
}

#define FACTOR_MAX 64

/* Whether a band gets the rows of the whole: repeated or, if linear, at exact positions. */
static bool is_regular(struct onnx_infer *infer, const struct band_rule *rule) {
  const int64_t made = infer->outputs[0].dims[ONNX_ROWS];
  if (rule->is_linear) return (rule->stride & (rule->stride - 1)) == 0;
  for (int64_t i = 0; i < made; i++) {
    float row = nearest_row(infer, row_at(i, (float)rule->stride, rule->is_half_pixel));
    if ((int64_t)row != i / rule->stride) return false;
  }
  return true;
}

/* Needs scales, which also hold for a band; sizes would not. */
static bool resize_rows(struct onnx_infer *infer, struct band_rule *rule) {
  const struct onnx_shape *data = infer->shapes[0], *output = &infer->outputs[0];
  const bool is_old = infer->opset < 11;
  const Onnx__Attribute *how = onnx_attribute(infer, "coordinate_transformation_mode");
  if (data->rank <= ONNX_ROWS || is_said(infer, 3) || onnx_attribute(infer, "axes") ||
      onnx_attribute_integer(infer, "antialias", 0) != 0)
    return false;
  const bool is_half = !is_old && (!how || onnx_attribute_is(infer, how->name, "half_pixel"));
  const bool is_linear = onnx_attribute_is(infer, "mode", "linear");
  if (!is_old && !is_half && !onnx_attribute_is(infer, how->name, "asymmetric")) return false;
  if (!is_linear && onnx_attribute(infer, "mode") &&
      !onnx_attribute_is(infer, "mode", "nearest"))
    return false;
  const struct onnx_values *scales = reals(infer, is_old ? 1 : 2);
  const int64_t factor = output->dims[ONNX_ROWS] / data->dims[ONNX_ROWS];
  if (!scales || scales->count != data->rank || factor < 1 || factor > FACTOR_MAX ||
      scales->items[ONNX_ROWS].real != (double)factor ||
      output->dims[ONNX_ROWS] != factor * data->dims[ONNX_ROWS] ||
      output->dims[ONNX_ROWS] >= 1 << 20)
    return false;
  *rule = (struct band_rule){
      .kind = SPLIT_RESIZE, .stride = factor, .is_linear = is_linear, .is_half_pixel = is_half};
  return is_regular(infer, rule);
}

/* Sizes would also fix the number of channels, and a crop their range. */
static bool resize_channels(struct onnx_infer *infer, struct band_rule *rule) {
  if (is_said(infer, 3) || onnx_attribute(infer, "axes") ||
      onnx_attribute_is(infer, "coordinate_transformation_mode", "tf_crop_and_resize"))
    return false;
  const struct onnx_values *scales = reals(infer, infer->opset < 11 ? 1 : 2);
  rule->kind = SPLIT_POINTWISE;
  return scales && scales->count > ONNX_CHANNELS && scales->items[ONNX_CHANNELS].real == 1.0;
}

static bool upsample_by_list(struct onnx_infer *infer, const struct onnx_shape *data,
                             const Onnx__Attribute *list) {
  if (list->n_floats != data->rank)
    return onnx_fail(infer, "expected %zu scales, found %zu", data->rank, list->n_floats);
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t d = 0; d < data->rank; d++)
    if (!scale_by(infer, (double)list->floats[d], &output->dims[d])) return false;
  return true;
}

/* Scales were two attributes, then one, then an input. */
static bool upsample(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  const Onnx__Attribute *list = onnx_attribute(infer, "scales");
  const Onnx__Attribute *rows = onnx_attribute(infer, "height_scale");
  const Onnx__Attribute *columns = onnx_attribute(infer, "width_scale");
  if (list) return upsample_by_list(infer, data, list);
  if (rows && columns && data->rank == 4) {
    struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
    return scale_by(infer, (double)rows->f, &output->dims[2]) &&
           scale_by(infer, (double)columns->f, &output->dims[3]);
  }
  const struct onnx_values *scales = reals(infer, 1);
  return scales && scale_all(infer, data, scales);
}

/* Samples an image at the points of a grid. */
static bool sample_grid(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 3);
  const struct onnx_shape *grid = data ? onnx_input_of_rank(infer, 1, data->rank) : NULL;
  if (!grid) return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t d = 2; d < data->rank; d++)
    output->dims[d] = grid->dims[d - 1];
  return true;
}

const struct onnx_rule onnx_rules_resize[] = {
    {.name = "GridSample", .shape = sample_grid},
    {.name = "Resize", .shape = resize, .rows = resize_rows, .channels = resize_channels},
    {.name = "Upsample", .shape = upsample},
    {.name = NULL},
};
