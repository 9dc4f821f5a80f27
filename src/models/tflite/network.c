/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tensors are NHWC.  An operator works row by row if its inputs and outputs have one batch, and
 * rows of elements that the kernels of SLICE and CONCATENATION copy unchanged; its constants
 * must be the same for every row.  The last dimension of any tensor counts as its channels; for
 * groups of channels, the other dimensions do not matter.
 */
#include "models/tflite/network.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "models/tflite/kernels.h"
#include "models/tflite/macs.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"
#include "models/tflite/weights.h"

/* ---------------------------------------------------------------- tensors */

struct shape {
  struct flat_vector dims;
  uint64_t type, buffer, is_variable;
};

static bool read_shape(const struct tflite_subgraph *subgraph, size_t index,
                       struct shape *shape) {
  struct flat_table table;
  return flat_element(&subgraph->tensors, index, &table) &&
         flat_vector(&table, TFLITE_TENSOR_SHAPE, 4, &shape->dims) &&
         flat_unsigned(&table, TFLITE_TENSOR_TYPE, 1, 0, &shape->type) &&
         flat_unsigned(&table, TFLITE_TENSOR_BUFFER, 4, 0, &shape->buffer) &&
         flat_unsigned(&table, TFLITE_TENSOR_IS_VARIABLE, 1, 0, &shape->is_variable);
}

size_t tflite_element_bytes(uint64_t type) {
  return type == TFLITE_INT64                             ? 8
         : type == TFLITE_FLOAT32 || type == TFLITE_INT32 ? 4
         : type == TFLITE_INT16                           ? 2
         : type == TFLITE_INT8                            ? 1
                                                          : 0;
}

/* Bytes of an element; 0 if the type cannot be sliced. */
static int64_t element_bytes(uint64_t type) {
  bool is_sliced = type == TFLITE_FLOAT32 || type == TFLITE_INT16 || type == TFLITE_INT8;
  return is_sliced ? (int64_t)tflite_element_bytes(type) : 0;
}

/* Sets the height and the bytes of a row, if the tensor has rows. */
static void measure(const struct shape *shape, struct band_tensor *tensor) {
  int64_t bytes = element_bytes(shape->type);
  if (shape->is_variable || shape->dims.count != 4 || flat_int32(&shape->dims, 0) != 1) return;
  for (size_t d = 1; d < 4; d++)
    if (flat_int32(&shape->dims, d) < 1) return;
  for (size_t d = 2; d < 4; d++)
    if (!checked_mul(bytes, flat_int32(&shape->dims, d), &bytes)) return;
  if (bytes == 0) return;
  tensor->height = flat_int32(&shape->dims, 1);
  tensor->row_bytes = bytes;
}

/* Sets the number of channels and the bytes of one, if the tensor has channels. */
static void measure_channels(const struct shape *shape, struct band_tensor *tensor) {
  int64_t bytes = element_bytes(shape->type);
  if (shape->is_variable || shape->dims.count < 2 || shape->dims.count > 4) return;
  for (size_t d = 0; d + 1 < shape->dims.count; d++)
    if (flat_int32(&shape->dims, d) < 1 ||
        !checked_mul(bytes, flat_int32(&shape->dims, d), &bytes))
      return;
  if (bytes == 0 || flat_int32(&shape->dims, shape->dims.count - 1) < 1) return;
  tensor->height = flat_int32(&shape->dims, shape->dims.count - 1);
  tensor->row_bytes = bytes;
}

/* ---------------------------------------------------------------- operators */

struct reader {
  const struct tflite_model *model;
  const struct tflite_subgraph *subgraph;
  const neap_reading *reading;
  struct band_network *network, *channels;
  bool *is_constant; /* the data are in the model, or made once from such data */
};

static void note_use(const struct reader *reader, const struct flat_vector *list, size_t moment,
                     bool is_made) {
  for (size_t i = 0; i < list->count; i++) {
    int32_t element = flat_int32(list, i);
    if (element < 0 || (size_t)element >= reader->network->tensor_count ||
        reader->is_constant[element])
      continue;
    struct band_tensor *tensor = &reader->network->tensors[element];
    if (is_made) tensor->made = moment;
    else tensor->read = moment;
  }
}

/* A constant operand of an element-wise operator must not depend on the row. */
static bool is_same_in_rows(const struct reader *reader, size_t tensor) {
  struct shape shape;
  if (!read_shape(reader->subgraph, tensor, &shape)) return false;
  size_t rank = shape.dims.count;
  return rank < 3 || (rank <= 4 && flat_int32(&shape.dims, rank - 3) == 1);
}

/* Lists the inputs that are not constant; false if one has no rows. */
static bool list_inputs(const struct reader *reader, const struct tflite_call *call,
                        bool is_pointwise, struct band_operator *node) {
  for (size_t i = 0; i < call->inputs->count; i++) {
    int32_t element = flat_int32(call->inputs, i);
    if (element < 0) continue;
    if (reader->is_constant[element]) {
      if (is_pointwise && !is_same_in_rows(reader, (size_t)element)) return false;
      continue;
    }
    if (node->input_count == SPLIT_INPUTS || reader->network->tensors[element].row_bytes == 0)
      return false;
    node->inputs[node->input_count++] = (size_t)element;
  }
  return node->input_count > 0;
}

static bool are_as_high(const struct band_network *network, const struct band_operator *node) {
  for (size_t i = 0; i < node->input_count; i++)
    if (network->tensors[node->inputs[i]].height != network->tensors[node->output].height)
      return false;
  return true;
}

/* Whether all inputs are as wide and high as the output: a concatenation along the channels. */
static bool are_as_wide(const struct reader *reader, const struct band_operator *node) {
  struct shape output, input;
  if (!read_shape(reader->subgraph, node->output, &output)) return false;
  for (size_t i = 0; i < node->input_count; i++)
    if (!read_shape(reader->subgraph, node->inputs[i], &input) ||
        flat_int32(&input.dims, 2) != flat_int32(&output.dims, 2) ||
        flat_int32(&input.dims, 3) >= flat_int32(&output.dims, 3))
      return false;
  return true;
}

static bool is_pointwise(uint64_t code) {
  return tflite_operator_is_pointwise(code) || code == TFLITE_CONCATENATION;
}

void tflite_pad_columns(const struct kernel *kernel, int64_t *left, int64_t *right) {
  const struct kernel_window *columns = &kernel->columns;
  int64_t width = (kernel->output.width - 1) * columns->stride +
                  (columns->taps - 1) * columns->dilation + 1;
  *left = columns->padding;
  *right = larger_of(width - kernel->input.width - columns->padding, 0);
}

/*
 * Whether a SAME window that spoils rows can have an explicitly padded input, and the bytes that
 * padding adds to each row.  A pool cannot: it divides by the elements that are not padding.
 */
static bool is_paddable(const struct tflite_call *call, const struct kernel *kernel,
                        int64_t *side_bytes) {
  int64_t left, right, bytes;
  int64_t reach = (kernel->rows.taps - 1) * kernel->rows.dilation + 1;
  struct flat_table options;
  bool found;
  tflite_pad_columns(kernel, &left, &right);
  return kernel->kind != KERNEL_POOL && kernel->rows.is_same && reach > 1 &&
         reach < INT32_MAX - kernel->input.height &&
         flat_child(call->table, TFLITE_OPERATOR_OPTIONS, &options, &found) && found &&
         options.field_count <= TFLITE_WINDOW_FIELDS &&
         left + right < INT32_MAX - kernel->input.width &&
         checked_mul(left + right, kernel->input.channels, side_bytes) &&
         checked_mul(*side_bytes, kernel->input_bytes, side_bytes) &&
         checked_mul(kernel->input.height + reach, kernel->input_bytes, &bytes) &&
         checked_mul(bytes, kernel->input.channels, &bytes) &&
         checked_mul(bytes, 2 * (kernel->input.width + left + right), &bytes);
}

/* Sets the rule of a window.  In all other dimensions, a band is padded like the whole. */
static void set_rule(const struct tflite_call *call, const struct kernel *kernel,
                     struct band_rule *rule) {
  const struct kernel_window *rows = &kernel->rows;
  switch (kernel->kind) {
  case KERNEL_CONV:
  case KERNEL_DEPTHWISE_CONV:
  case KERNEL_POOL:
    *rule = (struct band_rule){.kind = SPLIT_WINDOW,
                               .reach = (rows->taps - 1) * rows->dilation + 1,
                               .stride = rows->stride,
                               .is_same = rows->is_same};
    rule->is_paddable = is_paddable(call, kernel, &rule->side_bytes);
    return;
  case KERNEL_PAD:
    if (kernel->before.batches > 0) return;
    *rule = (struct band_rule){.kind = SPLIT_PAD,
                               .before = kernel->before.height,
                               .after = kernel->output.height - kernel->input.height -
                                        kernel->before.height};
    return;
  default:
    return;
  }
}

/* Whether row i is a copy of row i / factor; the runtime multiplies by a factor that is rounded. */
static bool is_nearest_exact(int64_t height, int64_t factor, bool is_half_pixel) {
  const float scale = (float)height / (float)(height * factor);
  for (int64_t i = 0; i < height * factor; i++) {
    float at = ((float)i + (is_half_pixel ? 0.5f : 0.0f)) * scale;
    if ((int64_t)at != i / factor) return false;
  }
  return true;
}

/* Interpolated rows are exact if the factor is a power of two, at most this. */
#define FACTOR_MAX 64
static bool is_bilinear_exact(const struct reader *reader, const struct band_operator *node,
                              int64_t factor) {
  struct shape shape;
  return (factor & (factor - 1)) == 0 && factor <= FACTOR_MAX &&
         read_shape(reader->subgraph, node->output, &shape) &&
         (shape.type == TFLITE_FLOAT32 || shape.type == TFLITE_INT8);
}

/* Sets the rule for resizing by an integer factor. */
static void set_resize(const struct reader *reader, const struct tflite_call *call,
                       struct band_operator *node) {
  const struct band_tensor *tensors = reader->network->tensors;
  bool is_bilinear = call->code == TFLITE_RESIZE_BILINEAR, found;
  uint64_t type, aligns, is_half;
  struct flat_table options;
  int64_t height = tensors[node->inputs[0]].height, made = tensors[node->output].height;
  if (node->input_count != 1 || made % height != 0 || made >= 1 << 20 ||
      !flat_unsigned(call->table, TFLITE_OPERATOR_OPTIONS_TYPE, 1, 0, &type) ||
      type != (is_bilinear ? TFLITE_BILINEAR_OPTIONS : TFLITE_NEAREST_OPTIONS) ||
      !flat_child(call->table, TFLITE_OPERATOR_OPTIONS, &options, &found) || !found ||
      !flat_unsigned(&options,
                     is_bilinear ? TFLITE_BILINEAR_ALIGN_CORNERS : TFLITE_NEAREST_ALIGN_CORNERS,
                     1, 0, &aligns) ||
      !flat_unsigned(&options,
                     is_bilinear ? TFLITE_BILINEAR_HALF_PIXEL : TFLITE_NEAREST_HALF_PIXEL, 1, 0,
                     &is_half) ||
      aligns)
    return;
  if (is_bilinear ? is_bilinear_exact(reader, node, made / height)
                  : is_nearest_exact(height, made / height, is_half))
    node->rule = (struct band_rule){.kind = SPLIT_RESIZE,
                                    .stride = made / height,
                                    .is_linear = is_bilinear,
                                    .is_half_pixel = is_half};
}

/* ---------------------------------------------------------------- channels */

/* Whether scales are the same for all weights, or one for each output. */
static bool has_usual_scales(const struct flat_table *tensor, size_t axis, int64_t outputs) {
  struct flat_table table;
  struct flat_vector scales, zeros;
  uint64_t dimension;
  bool found;
  if (!flat_child(tensor, TFLITE_TENSOR_QUANTIZATION, &table, &found)) return false;
  if (!found) return true;
  if (!flat_vector(&table, TFLITE_QUANTIZATION_SCALE, 4, &scales) ||
      !flat_vector(&table, TFLITE_QUANTIZATION_ZERO_POINT, 8, &zeros) ||
      !flat_unsigned(&table, TFLITE_QUANTIZATION_DIMENSION, 4, 0, &dimension))
    return false;
  if (scales.count <= 1 && zeros.count <= 1) return true;
  return (int64_t)scales.count == outputs &&
         (zeros.count <= 1 || zeros.count == scales.count) && dimension == axis;
}

/* Whether a constant can be cut along an axis, each piece for some of the outputs. */
static bool is_cuttable(const struct reader *reader, size_t tensor, size_t axis,
                        int64_t outputs) {
  struct flat_table table, buffer;
  struct flat_vector data;
  struct shape shape;
  bool is_sparse;
  if (!read_shape(reader->subgraph, tensor, &shape) || axis >= shape.dims.count ||
      !flat_element(&reader->subgraph->tensors, tensor, &table) ||
      !flat_child(&table, TFLITE_TENSOR_SPARSITY, &buffer, &is_sparse) || is_sparse ||
      flat_int32(&shape.dims, axis) != outputs || !has_usual_scales(&table, axis, outputs) ||
      !flat_element(&reader->model->buffers, (size_t)shape.buffer, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data))
    return false;
  int64_t bytes = (int64_t)tflite_element_bytes(shape.type);
  for (size_t d = 0; d < shape.dims.count; d++)
    if (flat_int32(&shape.dims, d) < 1 ||
        !checked_mul(bytes, flat_int32(&shape.dims, d), &bytes))
      return false;
  return bytes > 0 && (size_t)bytes == data.count;
}

/*
 * Whether all constants of an operator are weights that can be cut, or are the same for every
 * channel.
 */
static bool are_constants_cuttable(const struct reader *reader, const struct tflite_call *call,
                                   const struct band_operator *node, bool is_pointwise) {
  int64_t outputs = reader->channels->tensors[node->output].height;
  for (size_t i = 0; i < call->inputs->count; i++) {
    int32_t element = flat_int32(call->inputs, i);
    size_t axis;
    struct shape shape;
    if (element < 0 || !reader->is_constant[element]) continue;
    if (tflite_has_shares(call->code, i, &axis)) {
      if (!is_cuttable(reader, (size_t)element, axis, outputs)) return false;
    } else if (is_pointwise &&
               (!read_shape(reader->subgraph, (size_t)element, &shape) ||
                (shape.dims.count > 0 && flat_int32(&shape.dims, shape.dims.count - 1) != 1)))
      return false;
  }
  return true;
}

/* Whether an operator is a mean over rows and columns. */
static bool is_mean_of_channels(const struct tflite_call *call) {
  struct flat_vector axes;
  return call->code == TFLITE_MEAN && tflite_constant(call, 1, 2, &axes) &&
         flat_int32(&axes, 0) + flat_int32(&axes, 1) == 3 &&
         (flat_int32(&axes, 0) == 1 || flat_int32(&axes, 0) == 2);
}

static enum band_kind kind_along_channels(const struct tflite_call *call,
                                          const struct kernel *kernel) {
  switch (kernel->kind) {
  case KERNEL_CONV:
    return kernel->group_inputs == kernel->input.channels ? SPLIT_OUTPUTS : SPLIT_NONE;
  case KERNEL_FULLY_CONNECTED:
    return SPLIT_OUTPUTS;
  case KERNEL_DEPTHWISE_CONV:
  case KERNEL_POOL:
    return SPLIT_POINTWISE;
  case KERNEL_PAD:
    return call->code == TFLITE_PAD ? SPLIT_POINTWISE : SPLIT_NONE;
  default:
    return SPLIT_NONE;
  }
}

/* Lists the inputs that are not constant; false if one has no channels. */
static bool list_channels(const struct reader *reader, const struct tflite_call *call,
                          struct band_operator *node) {
  for (size_t i = 0; i < call->inputs->count; i++) {
    int32_t element = flat_int32(call->inputs, i);
    if (element < 0 || reader->is_constant[element]) continue;
    if (node->input_count == SPLIT_INPUTS || reader->channels->tensors[element].row_bytes == 0)
      return false;
    node->inputs[node->input_count++] = (size_t)element;
  }
  return node->input_count > 0;
}

static void describe_channels(const struct reader *reader, const struct tflite_call *call,
                              const struct kernel *kernel, struct band_operator *node) {
  bool is_each = tflite_operator_is_pointwise(call->code);
  enum band_kind kind = SPLIT_NONE;
  if (reader->channels->tensors[node->output].row_bytes == 0 ||
      !list_channels(reader, call, node) ||
      !are_constants_cuttable(reader, call, node, is_each))
    return;
  bool is_resize =
      (call->code == TFLITE_RESIZE_BILINEAR || call->code == TFLITE_RESIZE_NEAREST_NEIGHBOR) &&
      node->input_count == 1;
  if (is_each || is_resize || is_mean_of_channels(call)) kind = SPLIT_POINTWISE;
  else if (kernel && node->input_count == 1) kind = kind_along_channels(call, kernel);
  if (kind == SPLIT_POINTWISE && !are_as_high(reader->channels, node)) return;
  node->rule = (struct band_rule){.kind = kind};
}

/* ---------------------------------------------------------------- reading */

static void describe(const struct reader *reader, const struct tflite_call *call,
                     struct band_operator *node, struct band_operator *along_channels) {
  struct kernel kernel = {.kind = KERNEL_MEAN};
  struct band_network *network = reader->network;
  bool is_known = tflite_describe_kernel(call, &kernel);
  node->macs = along_channels->macs = tflite_count_macs(call);
  describe_channels(reader, call, is_known ? &kernel : NULL, along_channels);
  if (network->tensors[node->output].row_bytes == 0 ||
      !list_inputs(reader, call, is_pointwise(call->code), node))
    return;
  if (call->code == TFLITE_RESIZE_BILINEAR || call->code == TFLITE_RESIZE_NEAREST_NEIGHBOR)
    set_resize(reader, call, node);
  else if (!is_pointwise(call->code)) {
    if (is_known && node->input_count == 1) set_rule(call, &kernel, &node->rule);
  } else if (are_as_high(network, node) &&
             (call->code != TFLITE_CONCATENATION ||
              (node->input_count == call->inputs->count && are_as_wide(reader, node))))
    node->rule.kind = SPLIT_POINTWISE;
}

/* Lists the operators of the network, except those that make weights, which run once, before it. */
static neap_status list_operators(struct reader *reader, neap_error *error) {
  struct band_network *network = reader->network;
  struct flat_table table;
  struct flat_vector outputs;
  for (size_t k = 0; k < reader->subgraph->operators.count; k++) {
    if (!flat_element(&reader->subgraph->operators, k, &table) ||
        !flat_vector(&table, TFLITE_OPERATOR_OUTPUTS, 4, &outputs))
      return tflite_model_broken("operator", k, error);
    if (!tflite_makes_weights(reader->model, reader->subgraph, &table, reader->reading))
      network->places[network->operator_count++] = k;
    else reader->is_constant[flat_int32(&outputs, 0)] = true;
  }
  reader->channels->operator_count = network->operator_count;
  return NEAP_OK;
}

static neap_status read_operator(struct reader *reader, size_t k, neap_error *error) {
  const size_t place = reader->network->places[k];
  struct tflite_opened old;
  struct band_operator *node = &reader->network->operators[k];
  struct band_operator *along_channels = &reader->channels->operators[k];
  if (!tflite_call_open(reader->model, reader->subgraph, place, &old))
    return tflite_model_broken("operator", place, error);
  note_use(reader, &old.inputs, k + 1, false);
  note_use(reader, &old.outputs, k + 1, true);
  node->output = along_channels->output = SPLIT_NO_TENSOR;
  if (old.outputs.count != 1 || flat_int32(&old.outputs, 0) < 0) return NEAP_OK;
  node->output = along_channels->output = (size_t)flat_int32(&old.outputs, 0);
  if (!reader->is_constant[node->output]) describe(reader, &old.call, node, along_channels);
  return NEAP_OK;
}

static neap_status read_tensors(struct reader *reader, neap_error *error) {
  for (size_t t = 0; t < reader->network->tensor_count; t++) {
    struct shape shape;
    if (!read_shape(reader->subgraph, t, &shape))
      return tflite_model_broken("tensor", t, error);
    reader->is_constant[t] = tflite_has_data(reader->model, shape.buffer);
    if (reader->is_constant[t]) continue;
    measure(&shape, &reader->network->tensors[t]);
    measure_channels(&shape, &reader->channels->tensors[t]);
  }
  return NEAP_OK;
}

/* Marks the outputs of the model, which stay to the end, although nothing reads them there. */
static void mark_outputs(const struct reader *reader) {
  const struct flat_vector *outputs = &reader->subgraph->outputs;
  for (size_t i = 0; i < outputs->count; i++)
    if (flat_int32(outputs, i) >= 0)
      reader->network->tensors[flat_int32(outputs, i)].is_output = true;
}

static bool make_network(const struct tflite_subgraph *subgraph, enum band_axis axis,
                         struct band_network *network) {
  *network = (struct band_network){.axis = axis, .tensor_count = subgraph->tensors.count};
  const size_t count = subgraph->operators.count;
  network->tensors = memory_array(network->tensor_count, sizeof *network->tensors);
  network->operators = memory_array(count, sizeof *network->operators);
  network->places = memory_array(count, sizeof *network->places);
  return network->tensors && network->operators && network->places;
}

neap_status tflite_network_read(const struct tflite_model *model, const neap_reading *reading,
                                struct band_network *network, neap_error *error) {
  const struct tflite_subgraph *subgraph = &model->subgraphs[0];
  struct reader reader = {
      .model = model, .subgraph = subgraph, .reading = reading, .network = network};
  bool has_memory = make_network(subgraph, SPLIT_ROWS, network);
  reader.channels = network->channels = memory_array(1, sizeof *network->channels);
  has_memory =
      reader.channels && make_network(subgraph, SPLIT_CHANNELS, reader.channels) && has_memory;
  reader.is_constant = memory_array(network->tensor_count, sizeof *reader.is_constant);
  neap_status status =
      has_memory && reader.is_constant ? read_tensors(&reader, error) : error_memory(error);
  if (status == NEAP_OK) status = list_operators(&reader, error);
  for (size_t k = 0; k < network->operator_count && status == NEAP_OK; k++)
    status = read_operator(&reader, k, error);
  if (status == NEAP_OK) mark_outputs(&reader);
  if (status == NEAP_OK) band_network_copy_uses(network);
  free(reader.is_constant);
  return status;
}
