/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes operators as calls of kernels, from their options and from the shapes and types of
 * their tensors.  Each row of the table below models loops as the sources of TensorFlow Lite Micro
 * have them.  These operators have no row, although they look harmless:
 *
 *   - RESHAPE and SQUEEZE copy with memcpy, which is undefined for areas that overlap in part;
 *   - CONCATENATION does so as well, and reads its inputs at different times;
 *   - SUM, REDUCE_MAX and most forms of MEAN clear their output before they read.
 *
 * A compiler may assume that elements of different types never share bytes, except with bytes, and
 * reorder reads and writes.  So an output lies over an input of another type only if one of them
 * has elements of one byte.
 */
#include "models/tflite/kernels.h"

#include "core/checked.h"
#include "files/kernels.h"
#include "models/tflite/operand.h"
#include "models/tflite/schema.h"
#include "models/tflm/reference.h"

/* An operator with the operands that matter; its filter is input 1. */
struct operation {
  const struct tflite_call *call;
  struct tflite_operand inputs[2], output;
};

/* ---------------------------------------------------------------- operands */

static void read_operands(struct operation *operation) {
  const struct tflite_call *call = operation->call;
  tflite_operand_read(call->subgraph, call->outputs, 0, &operation->output);
  for (size_t i = 0; i < 2; i++)
    tflite_operand_read(call->subgraph, call->inputs, i, &operation->inputs[i]);
}

bool tflite_call_open(const struct tflite_model *model, const struct tflite_subgraph *subgraph,
                      size_t place, struct tflite_opened *opened) {
  opened->call = (struct tflite_call){model,           subgraph,         &opened->table,
                                      &opened->inputs, &opened->outputs, 0};
  return flat_element(&subgraph->operators, place, &opened->table) &&
         tflite_model_code(model, &opened->table, &opened->call.code) &&
         flat_vector(&opened->table, TFLITE_OPERATOR_INPUTS, 4, &opened->inputs) &&
         flat_vector(&opened->table, TFLITE_OPERATOR_OUTPUTS, 4, &opened->outputs);
}

bool tflite_constant(const struct tflite_call *call, size_t input, size_t count,
                     struct flat_vector *data) {
  struct flat_table table, buffer;
  uint64_t type, number;
  int32_t element = input < call->inputs->count ? flat_int32(call->inputs, input) : -1;
  if (element < 0 || !flat_element(&call->subgraph->tensors, (size_t)element, &table) ||
      !flat_unsigned(&table, TFLITE_TENSOR_TYPE, 1, 0, &type) || type != TFLITE_INT32 ||
      !flat_unsigned(&table, TFLITE_TENSOR_BUFFER, 4, 0, &number) || number == 0 ||
      !flat_element(&call->model->buffers, (size_t)number, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, data))
    return false;
  return data->count == 4 * count;
}

static bool find_options(const struct operation *operation, enum tflite_options type,
                         struct flat_table *options) {
  const struct flat_table *table = operation->call->table;
  uint64_t found_type;
  bool found;
  return flat_unsigned(table, TFLITE_OPERATOR_OPTIONS_TYPE, 1, 0, &found_type) &&
         found_type == type && flat_child(table, TFLITE_OPERATOR_OPTIONS, options, &found) &&
         found;
}

/* A positive int32 among the options. */
static bool read_option(const struct flat_table *options, size_t field, uint64_t otherwise,
                        int64_t *value) {
  uint64_t number;
  if (!flat_unsigned(options, field, 4, otherwise, &number) || number < 1 || number > INT32_MAX)
    return false;
  *value = (int64_t)number;
  return true;
}

/* The bytes of an element; 0 if no kernel here supports the type. */
static int64_t element_bytes(uint64_t type) {
  switch (type) {
  case TFLITE_FLOAT32:
  case TFLITE_INT32:
    return 4;
  case TFLITE_INT16:
    return 2;
  case TFLITE_INT64:
    return 8;
  case TFLITE_UINT8:
  case TFLITE_INT8:
  case TFLITE_BOOL:
    return 1;
  default:
    return 0;
  }
}

static bool is_byte(uint64_t type) { return type == TFLITE_INT8 || type == TFLITE_UINT8; }

/* Dimensions before the last four count as batches, missing ones as 1. */
static bool to_image(const struct tflite_operand *operand, struct kernel_shape *shape) {
  int64_t dims[4] = {1, 1, 1, 1};
  for (size_t d = 0; d < operand->rank; d++) {
    size_t from_end = operand->rank - 1 - d, at = from_end < 3 ? 3 - from_end : 0;
    if (operand->dims[d] < 1 || !checked_mul(dims[at], operand->dims[d], &dims[at]))
      return false;
  }
  *shape = (struct kernel_shape){dims[0], dims[1], dims[2], dims[3]};
  return true;
}

/* Whether two shapes are equal, apart from leading dimensions of 1. */
static bool is_same_shape(const struct tflite_operand *a, const struct tflite_operand *b) {
  for (size_t d = 0; d < a->rank || d < b->rank; d++) {
    int64_t of_a = d < a->rank ? a->dims[a->rank - 1 - d] : 1;
    int64_t of_b = d < b->rank ? b->dims[b->rank - 1 - d] : 1;
    if (of_a != of_b) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- windows */

/* Computes the padding as the runtime does; false if it would compute another output size. */
static bool pad_window(uint64_t padding, int64_t inputs, int64_t outputs,
                       struct kernel_window *window) {
  enum { SAME = 0, VALID = 1 };
  int64_t reach = (window->taps - 1) * window->dilation + 1;
  window->is_same = padding == SAME;
  if (padding > VALID || inputs < 1 || outputs < 1) return false;
  int64_t expected = padding == SAME ? (inputs + window->stride - 1) / window->stride
                                     : (inputs + window->stride - reach) / window->stride;
  if (outputs != expected) return false;
  int64_t missing = (outputs - 1) * window->stride + reach - inputs;
  window->padding = missing > 0 ? missing / 2 : 0;
  return true;
}

/* The numbers of the fields of a window's options. */
struct window_fields {
  size_t padding, stride_w, stride_h, dilation_w, dilation_h;
};

static bool read_windows(const struct operation *operation, const struct flat_table *options,
                         const struct window_fields *fields, struct kernel *kernel) {
  const int64_t *in = operation->inputs[0].dims, *out = operation->output.dims;
  uint64_t padding;
  return flat_unsigned(options, fields->padding, 1, 0, &padding) &&
         read_option(options, fields->stride_h, 0, &kernel->rows.stride) &&
         read_option(options, fields->stride_w, 0, &kernel->columns.stride) &&
         pad_window(padding, in[1], out[1], &kernel->rows) &&
         pad_window(padding, in[2], out[2], &kernel->columns);
}

static bool are_images(const struct operation *operation, struct kernel *kernel) {
  return operation->inputs[0].rank == 4 && operation->output.rank == 4 &&
         to_image(&operation->inputs[0], &kernel->input) &&
         to_image(&operation->output, &kernel->output);
}

/* The element types of convolutions, pools and fully connected layers. */
static bool is_computed(uint64_t type) {
  return type == TFLITE_FLOAT32 || type == TFLITE_UINT8 || type == TFLITE_INT16 ||
         type == TFLITE_INT8;
}

static bool has_filter(const struct operation *operation) {
  const struct tflite_operand *filter = &operation->inputs[1];
  uint64_t type = operation->inputs[0].type;
  if (!filter->is_present || !is_computed(type)) return false;
  if (type == TFLITE_INT8 || type == TFLITE_INT16)
    return filter->type == TFLITE_INT8 || (filter->type == TFLITE_INT4 && type == TFLITE_INT8);
  return filter->type == type;
}

/* Sets taps and dilations; the filter's rows and columns are its dimensions 1 and 2. */
static bool read_taps(const struct operation *operation, const struct flat_table *options,
                      const struct window_fields *fields, struct kernel *kernel) {
  const struct tflite_operand *filter = &operation->inputs[1];
  if (!has_filter(operation) || filter->rank != 4 || filter->dims[1] < 1 || filter->dims[2] < 1)
    return false;
  kernel->rows.taps = filter->dims[1];
  kernel->columns.taps = filter->dims[2];
  return read_option(options, fields->dilation_h, 1, &kernel->rows.dilation) &&
         read_option(options, fields->dilation_w, 1, &kernel->columns.dilation);
}

static bool describe_conv(const struct operation *operation, struct kernel *kernel) {
  static const struct window_fields fields = {TFLITE_CONV_PADDING, TFLITE_CONV_STRIDE_W,
                                              TFLITE_CONV_STRIDE_H, TFLITE_CONV_DILATION_W,
                                              TFLITE_CONV_DILATION_H};
  const int64_t *filter = operation->inputs[1].dims;
  struct flat_table options;
  kernel->kind = KERNEL_CONV;
  if (!are_images(operation, kernel) ||
      !find_options(operation, TFLITE_CONV_OPTIONS, &options) ||
      !read_taps(operation, &options, &fields, kernel))
    return false;
  kernel->group_inputs = filter[3];
  return filter[0] == kernel->output.channels &&
         read_windows(operation, &options, &fields, kernel);
}

static bool describe_depthwise(const struct operation *operation, struct kernel *kernel) {
  static const struct window_fields fields = {
      TFLITE_DEPTHWISE_PADDING, TFLITE_DEPTHWISE_STRIDE_W, TFLITE_DEPTHWISE_STRIDE_H,
      TFLITE_DEPTHWISE_DILATION_W, TFLITE_DEPTHWISE_DILATION_H};
  struct flat_table options;
  int64_t multiplier;
  kernel->kind = KERNEL_DEPTHWISE_CONV;
  return are_images(operation, kernel) &&
         find_options(operation, TFLITE_DEPTHWISE_OPTIONS, &options) &&
         read_taps(operation, &options, &fields, kernel) &&
         operation->inputs[1].dims[3] == kernel->output.channels &&
         read_option(&options, TFLITE_DEPTHWISE_MULTIPLIER, 0, &multiplier) &&
         kernel->output.channels == multiplier * kernel->input.channels &&
         read_windows(operation, &options, &fields, kernel);
}

static bool describe_pool(const struct operation *operation, struct kernel *kernel) {
  static const struct window_fields fields = {TFLITE_POOL_PADDING, TFLITE_POOL_STRIDE_W,
                                              TFLITE_POOL_STRIDE_H, 0, 0};
  struct flat_table options;
  kernel->kind = KERNEL_POOL;
  kernel->rows.dilation = kernel->columns.dilation = 1;
  return are_images(operation, kernel) && is_computed(operation->inputs[0].type) &&
         find_options(operation, TFLITE_POOL_OPTIONS, &options) &&
         read_option(&options, TFLITE_POOL_FILTER_H, 0, &kernel->rows.taps) &&
         read_option(&options, TFLITE_POOL_FILTER_W, 0, &kernel->columns.taps) &&
         read_windows(operation, &options, &fields, kernel);
}

/* ---------------------------------------------------------------- other kernels */

/* Each output channel has a row of weights; all dimensions before the channels are batches. */
static bool describe_fully_connected(const struct operation *operation, struct kernel *kernel) {
  const struct tflite_operand *filter = &operation->inputs[1], *output = &operation->output;
  struct flat_table options;
  uint64_t format;
  int64_t inputs, outputs, read;
  kernel->kind = KERNEL_FULLY_CONNECTED;
  if (!has_filter(operation) || filter->rank < 2 || output->rank < 1 ||
      !find_options(operation, TFLITE_FULLY_CONNECTED_OPTIONS, &options) ||
      !flat_unsigned(&options, TFLITE_FULLY_CONNECTED_WEIGHTS_FORMAT, 1, 0, &format) ||
      format != 0 || !tflite_operand_elements(&operation->inputs[0], &inputs) ||
      !tflite_operand_elements(output, &outputs))
    return false;
  int64_t depth = filter->dims[filter->rank - 1], channels = filter->dims[filter->rank - 2];
  if (depth < 1 || channels < 1 || channels != output->dims[output->rank - 1]) return false;
  int64_t batches = outputs / channels;
  kernel->input = (struct kernel_shape){batches, 1, 1, depth};
  kernel->output = (struct kernel_shape){batches, 1, 1, channels};
  return checked_mul(batches, depth, &read) && read == inputs;
}

static bool describe_rows(const struct operation *operation, struct kernel *kernel) {
  kernel->kind = KERNEL_SOFTMAX;
  return is_same_shape(&operation->inputs[0], &operation->output) &&
         to_image(&operation->inputs[0], &kernel->input) &&
         to_image(&operation->output, &kernel->output);
}

/* Of all forms of MEAN, only this one has a kernel that does not clear its output first. */
static bool describe_mean(const struct operation *operation, struct kernel *kernel) {
  struct flat_table options;
  struct flat_vector axes;
  uint64_t keep;
  kernel->kind = KERNEL_MEAN;
  return operation->inputs[0].type == TFLITE_FLOAT32 && are_images(operation, kernel) &&
         find_options(operation, TFLITE_REDUCER_OPTIONS, &options) &&
         flat_unsigned(&options, TFLITE_REDUCER_KEEP_DIMS, 1, 0, &keep) && keep == 1 &&
         tflite_constant(operation->call, 1, 2, &axes) &&
         ((flat_int32(&axes, 0) == 1 && flat_int32(&axes, 1) == 2) ||
          (flat_int32(&axes, 0) == 2 && flat_int32(&axes, 1) == 1));
}

/* The padding before and after each dimension of the input. */
static bool describe_pad(const struct operation *operation, struct kernel *kernel) {
  const struct tflite_operand *input = &operation->inputs[0], *output = &operation->output;
  struct flat_vector pads;
  int64_t before[4] = {0};
  kernel->kind = KERNEL_PAD;
  if (input->rank > 4 || input->rank != output->rank ||
      !tflite_constant(operation->call, 1, 2 * input->rank, &pads))
    return false;
  for (size_t d = 0; d < input->rank; d++) {
    int64_t after = flat_int32(&pads, 2 * d + 1);
    int64_t *first = &before[4 - input->rank + d];
    *first = flat_int32(&pads, 2 * d);
    if (*first < 0 || after < 0 || *first + input->dims[d] + after != output->dims[d])
      return false;
  }
  kernel->before = (struct kernel_shape){before[0], before[1], before[2], before[3]};
  return to_image(input, &kernel->input) && to_image(output, &kernel->output);
}

/* The kernel works on all elements in order, whatever the shapes. */
static bool describe_elements(const struct operation *operation, struct kernel *kernel) {
  int64_t inputs, outputs;
  kernel->kind = KERNEL_ELEMENT_WISE;
  if (!to_image(&operation->inputs[0], &kernel->input) ||
      !tflite_operand_elements(&operation->inputs[0], &inputs) ||
      !tflite_operand_elements(&operation->output, &outputs))
    return false;
  kernel->output = kernel->input;
  return inputs == outputs;
}

/*
 * The loops go through the output in order.  They read an input of the same shape in that order,
 * but not one that is broadcast.
 */
static bool describe_second(const struct operation *operation, struct kernel *kernel) {
  kernel->kind = KERNEL_ELEMENT_WISE;
  if (!to_image(&operation->inputs[1], &kernel->input)) return false;
  kernel->output = kernel->input;
  return is_same_shape(&operation->inputs[1], &operation->output);
}

static bool describe_first(const struct operation *operation, struct kernel *kernel) {
  return is_same_shape(&operation->inputs[0], &operation->output) &&
         describe_elements(operation, kernel);
}

/* ---------------------------------------------------------------- operators */

typedef bool describe(const struct operation *operation, struct kernel *kernel);

#define NONE false, NULL, NULL
#define KEEPS(first, second) false, first, second
#define CONVERTS(first, second) true, first, second
#define KERNEL(code, name, kind, macs, overlap, memory, types) [code] = {false, overlap},
#define REPLACED(code, name, kind, macs, overlap, memory, types, cmsis) \
  [code] = {true, overlap},
static const struct rule {
  bool is_replaced; /* CMSIS-NN has its own kernel, except for float32 */
  bool converts;    /* the types of input and output may differ */
  describe *first;  /* describes input 0; NULL: no allowances */
  describe *second; /* describes input 1; NULL: it has no allowance */
} rules[] = {
#include "models/tflm/kernels.def"
};

static const struct rule *find_rule(uint64_t code) {
  return code < sizeof rules / sizeof *rules && rules[code].first ? &rules[code] : NULL;
}

static bool fit_types(const struct rule *rule, const struct tflite_operand *input,
                      const struct tflite_operand *output, struct kernel *kernel) {
  kernel->input_bytes = element_bytes(input->type);
  kernel->output_bytes = element_bytes(output->type);
  if (kernel->input_bytes == 0 || kernel->output_bytes == 0) return false;
  return input->type == output->type ||
         (rule->converts && (is_byte(input->type) || is_byte(output->type)));
}

/*
 * Adds an allowance at each of `count` positions at which the graph's operator reads a tensor;
 * none if it also reads the tensor elsewhere.
 */
static neap_status add_at_links(neap_graph *graph, size_t tensor, size_t count, neap_size bytes,
                                neap_error *error) {
  struct graph_links inputs = graph->operators[graph->operator_count - 1].inputs;
  neap_status status = NEAP_OK;
  size_t found = 0;
  for (size_t i = inputs.begin; i < inputs.end; i++)
    found += graph->links[i] == tensor;
  for (size_t i = inputs.begin; i < inputs.end && found == count && status == NEAP_OK; i++)
    if (graph->links[i] == tensor)
      status = neap_graph_add_allowance(
          graph, &(neap_allowance){sizeof(neap_allowance), i - inputs.begin, 0, bytes}, error);
  return status;
}

static bool is_repeated(const struct operation *operation) {
  const struct tflite_operand *inputs = operation->inputs;
  return inputs[0].is_present && inputs[1].is_present && inputs[0].tensor == inputs[1].tensor;
}

static neap_status add_input(const struct operation *operation, const struct rule *rule,
                             size_t input, neap_graph *graph, neap_error *error) {
  const struct tflite_operand *operand = &operation->inputs[input];
  describe *description = input == 0 ? rule->first : rule->second;
  struct kernel kernel = {.kind = KERNEL_ELEMENT_WISE};
  neap_size bytes;
  if (!description || !operand->is_present ||
      graph->tensors[operand->tensor].kind != NEAP_TENSOR_ACTIVATION ||
      !fit_types(rule, operand, &operation->output, &kernel) ||
      !description(operation, &kernel) || !reference_allowance(&kernel, &bytes))
    return NEAP_OK;
  return add_at_links(graph, operand->tensor, is_repeated(operation) && rule->second ? 2 : 1,
                      bytes, error);
}

/* Whether an operator has one output, and no scratch buffers, which are temporaries. */
static bool has_one_output(const struct operation *operation, const neap_graph *graph) {
  const struct graph_operator *last = &graph->operators[graph->operator_count - 1];
  return operation->output.is_present && last->outputs.end - last->outputs.begin == 1 &&
         last->temporaries.begin == last->temporaries.end &&
         graph->links[last->outputs.begin] == operation->output.tensor;
}

bool tflite_describe_kernel(const struct tflite_call *call, struct kernel *kernel) {
  const struct rule *rule = find_rule(call->code);
  struct operation operation = {.call = call};
  if (!rule) return false;
  read_operands(&operation);
  return operation.output.is_present && operation.inputs[0].is_present &&
         rule->first(&operation, kernel);
}

/* Whether the reference kernel runs: CMSIS-NN leaves float32 to it. */
static bool runs_reference(const struct operation *operation, const struct rule *rule,
                           neap_kernels kernels) {
  return !rule->is_replaced || !kernels_at(kernels)->is_optimised ||
         (operation->inputs[0].type == TFLITE_FLOAT32 &&
          operation->output.type == TFLITE_FLOAT32);
}

neap_status tflite_add_allowances(const struct tflite_call *call, neap_kernels kernels,
                                  neap_graph *graph, neap_error *error) {
  const struct rule *rule = find_rule(call->code);
  struct operation operation = {.call = call};
  if (!rule) return NEAP_OK;
  read_operands(&operation);
  if (!runs_reference(&operation, rule, kernels) || !has_one_output(&operation, graph))
    return NEAP_OK;
  neap_status status = add_input(&operation, rule, 0, graph, error);
  if (status != NEAP_OK || is_repeated(&operation)) return status;
  return add_input(&operation, rule, 1, graph, error);
}
