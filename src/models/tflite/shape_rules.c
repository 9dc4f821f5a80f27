/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/shapes.h"

#include <string.h>

#include "core/checked.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"

/* ---------------------------------------------------------------- inputs and options */

static const struct tflite_shape *input(const struct tflite_shaping *s, size_t i) {
  return tflite_shape_input(s, i);
}

static const int64_t *integers(const struct tflite_shaping *s, size_t i, size_t *count) {
  return tflite_shape_integers(s, i, count);
}

/* The value of an input that has a single element. */
static bool integer(const struct tflite_shaping *s, size_t i, int64_t *value) {
  size_t count;
  const int64_t *values = integers(s, i, &count);
  if (!values || count != 1) return false;
  *value = values[0];
  return true;
}

static bool options_of(const struct tflite_shaping *s, struct flat_table *options) {
  bool found;
  return flat_child(s->call->table, TFLITE_OPERATOR_OPTIONS, options, &found) && found;
}

/* An option with a number of 1 or 4 bytes, which may be negative. */
static int64_t option(const struct tflite_shaping *s, size_t field, size_t width,
                      int64_t otherwise) {
  struct flat_table options;
  uint64_t number;
  if (!options_of(s, &options) ||
      !flat_unsigned(&options, field, width, (uint64_t)otherwise, &number))
    return otherwise;
  return (int32_t)number;
}

/* Resolves an axis, which may count from the end. */
static bool find_axis(int64_t axis, size_t rank, size_t *position) {
  if (axis < 0) axis += (int64_t)rank;
  *position = (size_t)axis;
  return axis >= 0 && axis < (int64_t)rank;
}

/* ---------------------------------------------------------------- outputs */

static bool push(struct tflite_shape *made, int64_t dimension) {
  if (made->rank == TFLITE_OPERAND_RANK || dimension < 0 || dimension > INT32_MAX) return false;
  made->dims[made->rank++] = dimension;
  return true;
}

/* Appends dimensions [begin, end) of a shape. */
static bool push_some(struct tflite_shape *made, const struct tflite_shape *shape, size_t begin,
                      size_t end) {
  for (size_t d = begin; d < end; d++)
    if (!push(made, shape->dims[d])) return false;
  return true;
}

static bool push_all(struct tflite_shape *made, const int64_t *dims, size_t count) {
  for (size_t d = 0; d < count; d++)
    if (!push(made, dims[d])) return false;
  return true;
}

static bool like(struct tflite_shape *made, const struct tflite_shape *shape) {
  return shape && push_some(made, shape, 0, shape->rank);
}

/* Broadcasts a shape against the last dimensions of another one. */
static bool spread(struct tflite_shape *made, const int64_t *dims, size_t rank) {
  while (made->rank < rank) {
    memmove(made->dims + 1, made->dims, made->rank++ * sizeof *dims);
    made->dims[0] = 1;
  }
  for (size_t d = 0; d < rank; d++) {
    int64_t *own = &made->dims[made->rank - rank + d];
    if (*own == 1) *own = dims[d];
    else if (dims[d] != 1 && dims[d] != *own) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- the same shape, or broadcast */

static bool make_same(const struct tflite_shaping *s) { return like(s->made, input(s, 0)); }

static bool make_broadcast(const struct tflite_shaping *s) {
  for (size_t i = 0; i < s->call->inputs->count; i++) {
    const struct tflite_shape *shape = input(s, i);
    if (!shape || !spread(s->made, shape->dims, shape->rank)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- windows */

/*
 * The number of windows; -1: none.  All kinds have their padding and strides in the same fields;
 * without dilation, its field is 0.
 */
static int64_t window_count(const struct tflite_shaping *s, int64_t size, int64_t taps,
                            size_t stride_field, size_t dilation_field) {
  const int64_t stride = option(s, stride_field, 4, 0);
  const int64_t dilation = dilation_field ? option(s, dilation_field, 4, 1) : 1;
  const bool is_valid = option(s, TFLITE_CONV_PADDING, 1, 0) == 1;
  if (stride < 1 || dilation < 1 || taps < 1) return -1;
  const int64_t reach = is_valid ? (taps - 1) * dilation + 1 : 1;
  return size >= reach ? (size - reach) / stride + 1 : -1;
}

static bool push_window(const struct tflite_shaping *s, int64_t size, int64_t taps,
                        size_t stride_field, size_t dilation_field) {
  return push(s->made, window_count(s, size, taps, stride_field, dilation_field));
}

static bool make_convolution(const struct tflite_shaping *s) {
  const bool is_depthwise = s->call->code == TFLITE_DEPTHWISE_CONV_2D;
  const size_t dilation = is_depthwise ? TFLITE_DEPTHWISE_DILATION_W : TFLITE_CONV_DILATION_W;
  const struct tflite_shape *data = input(s, 0), *filter = input(s, 1);
  if (!data || !filter || data->rank != 4 || filter->rank != 4) return false;
  const int64_t depth = is_depthwise ? data->dims[3] : filter->dims[3];
  const int64_t whole = is_depthwise ? filter->dims[3] : data->dims[3];
  if (depth < 1 || whole < depth || whole % depth != 0) return false;
  if (!is_depthwise && filter->dims[0] % (whole / depth) != 0) return false; /* groups */
  return push(s->made, data->dims[0]) &&
         push_window(s, data->dims[1], filter->dims[1], TFLITE_CONV_STRIDE_H, dilation + 1) &&
         push_window(s, data->dims[2], filter->dims[2], TFLITE_CONV_STRIDE_W, dilation) &&
         push(s->made, filter->dims[is_depthwise ? 3 : 0]);
}

static bool make_pool(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  return data && data->rank == 4 && push(s->made, data->dims[0]) &&
         push_window(s, data->dims[1], option(s, TFLITE_POOL_FILTER_H, 4, 0),
                     TFLITE_POOL_STRIDE_H, 0) &&
         push_window(s, data->dims[2], option(s, TFLITE_POOL_FILTER_W, 4, 0),
                     TFLITE_POOL_STRIDE_W, 0) &&
         push(s->made, data->dims[3]);
}

static bool make_resize(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  size_t count;
  const int64_t *size = integers(s, 1, &count);
  return data && data->rank == 4 && size && count == 2 && push(s->made, data->dims[0]) &&
         push_all(s->made, size, 2) && push(s->made, data->dims[3]);
}

/* SPACE_TO_DEPTH and DEPTH_TO_SPACE. */
static bool make_blocks(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  const int64_t block = option(s, 0, 4, 0);
  const bool shrinks = s->call->code == TFLITE_SPACE_TO_DEPTH;
  if (!data || data->rank != 4 || block < 1 || block > INT16_MAX) return false;
  for (size_t d = 0; d < 4; d++) {
    const int64_t by = d == 0 ? 1 : d == 3 ? block * block : block;
    const bool divides = d > 0 && (d < 3) == shrinks;
    if (divides && data->dims[d] % by != 0) return false;
    if (!push(s->made, divides ? data->dims[d] / by : data->dims[d] * by)) return false;
  }
  return true;
}

/*
 * SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: the blocks, and what is added or cut off on each side.
 */
static bool make_batches(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  const bool shrinks = s->call->code == TFLITE_SPACE_TO_BATCH_ND;
  size_t count, sides;
  const int64_t *blocks = integers(s, 1, &count), *pads = integers(s, 2, &sides);
  if (!data || !blocks || !pads || sides != 2 * count || data->rank < count + 1 ||
      !push(s->made, data->dims[0]))
    return false;
  for (size_t d = 0; d < count; d++) {
    const int64_t block = blocks[d], size = data->dims[d + 1];
    const int64_t side = pads[2 * d] + pads[2 * d + 1], batch = s->made->dims[0];
    if (block < 1 || (shrinks ? size + side : batch) % block != 0 || batch * block > INT32_MAX)
      return false;
    s->made->dims[0] = shrinks ? batch * block : batch / block;
    if (!push(s->made, shrinks ? (size + side) / block : size * block - side)) return false;
  }
  return push_some(s->made, data, count + 1, data->rank);
}

static bool make_padded(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  size_t count;
  const int64_t *pads = integers(s, 1, &count);
  if (!data || !pads || count != 2 * data->rank) return false;
  for (size_t d = 0; d < data->rank; d++)
    if (!push(s->made, data->dims[d] + pads[2 * d] + pads[2 * d + 1])) return false;
  return true;
}

/* ---------------------------------------------------------------- products */

static bool make_fully_connected(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0), *weights = input(s, 1);
  int64_t elements;
  if (!data || !weights || weights->rank != 2 || weights->dims[1] < 1 ||
      !tflite_shape_elements(data, &elements) || elements % weights->dims[1] != 0)
    return false;
  if (option(s, 2, 1, 0) == 0)
    return push(s->made, elements / weights->dims[1]) && push(s->made, weights->dims[0]);
  return data->rank > 0 && data->dims[data->rank - 1] == weights->dims[1] &&
         push_some(s->made, data, 0, data->rank - 1) && push(s->made, weights->dims[0]);
}

static bool make_matmul(const struct tflite_shaping *s) {
  const struct tflite_shape *a = input(s, 0), *b = input(s, 1);
  const bool turns_a = option(s, 0, 1, 0) != 0, turns_b = option(s, 1, 1, 0) != 0;
  if (!a || !b || a->rank < 2 || b->rank < 2) return false;
  const int64_t *left = a->dims + a->rank - 2, *right = b->dims + b->rank - 2;
  return left[!turns_a] == right[turns_b] && spread(s->made, a->dims, a->rank - 2) &&
         spread(s->made, b->dims, b->rank - 2) && push(s->made, left[turns_a]) &&
         push(s->made, right[!turns_b]);
}

/* ---------------------------------------------------------------- other dimensions */

/* Makes the listed dimensions; -1, allowed once, stands for the remaining elements. */
static bool make_listed(const struct tflite_shaping *s, const int64_t *dims, size_t count) {
  int64_t elements, known = 1;
  size_t open = count;
  if (!input(s, 0) || !tflite_shape_elements(input(s, 0), &elements)) return false;
  for (size_t d = 0; d < count; d++) {
    if (dims[d] == -1 && open == count) open = d;
    else if (dims[d] < 0 || !checked_mul(known, dims[d], &known)) return false;
  }
  for (size_t d = 0; d < count; d++) {
    if (d == open && (known == 0 || elements % known != 0)) return false;
    if (!push(s->made, d == open ? elements / known : dims[d])) return false;
  }
  return open < count || known == elements;
}

/* The list of numbers in the first option; false if it is too long. */
static bool read_list(const struct tflite_shaping *s, int64_t numbers[TFLITE_OPERAND_RANK],
                      size_t *count) {
  struct flat_table options;
  struct flat_vector list = {.count = 0};
  if (options_of(s, &options) && !flat_vector(&options, 0, 4, &list)) return false;
  if (list.count > TFLITE_OPERAND_RANK) return false;
  for (size_t i = 0; i < list.count; i++)
    numbers[i] = flat_int32(&list, i);
  *count = list.count;
  return true;
}

static bool make_reshaped(const struct tflite_shaping *s) {
  int64_t numbers[TFLITE_OPERAND_RANK];
  size_t count;
  const int64_t *dims = integers(s, 1, &count);
  if (dims) return make_listed(s, dims, count);
  return s->call->inputs->count == 1 && read_list(s, numbers, &count) &&
         make_listed(s, numbers, count);
}

static bool make_squeezed(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  int64_t numbers[TFLITE_OPERAND_RANK];
  bool goes[TFLITE_OPERAND_RANK] = {false};
  size_t count, axis;
  if (!data || !read_list(s, numbers, &count)) return false;
  for (size_t i = 0; i < count; i++) {
    if (!find_axis(numbers[i], data->rank, &axis) || data->dims[axis] != 1) return false;
    goes[axis] = true;
  }
  for (size_t d = 0; d < data->rank; d++)
    if (!goes[d] && (count > 0 || data->dims[d] != 1) && !push(s->made, data->dims[d]))
      return false;
  return true;
}

static bool make_expanded(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  int64_t number;
  size_t axis;
  return data && integer(s, 1, &number) && find_axis(number, data->rank + 1, &axis) &&
         push_some(s->made, data, 0, axis) && push(s->made, 1) &&
         push_some(s->made, data, axis, data->rank);
}

static bool make_transposed(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  size_t count, axis;
  const int64_t *order = integers(s, 1, &count);
  if (!data || !order || count != data->rank) return false;
  for (size_t d = 0; d < count; d++)
    if (!find_axis(order[d], data->rank, &axis) || !push(s->made, data->dims[axis]))
      return false;
  return true;
}

/* Makes an output whose dimensions are the elements of the first input. */
static bool make_given(const struct tflite_shaping *s) {
  size_t count;
  const int64_t *dims = integers(s, 0, &count);
  return dims && push_all(s->made, dims, count);
}

static bool make_unpooled(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 2), *filter = input(s, 1);
  return data && filter && data->rank == 4 && filter->rank == 4 && make_given(s) &&
         s->made->rank == 4 && s->made->dims[0] == data->dims[0] &&
         filter->dims[3] == data->dims[3] &&
         window_count(s, s->made->dims[1], filter->dims[1], TFLITE_CONV_STRIDE_H, 0) ==
             data->dims[1] &&
         window_count(s, s->made->dims[2], filter->dims[2], TFLITE_CONV_STRIDE_W, 0) ==
             data->dims[2];
}

static bool make_spread(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  size_t count;
  const int64_t *dims = integers(s, 1, &count);
  if (!data || !dims || !push_all(s->made, dims, count)) return false;
  struct tflite_shape spreads = *s->made;
  return data->rank <= count && spread(&spreads, data->dims, data->rank) &&
         memcmp(spreads.dims, s->made->dims, count * sizeof *dims) == 0;
}

static bool make_tiled(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  size_t count;
  const int64_t *times = integers(s, 1, &count);
  if (!data || !times || count != data->rank) return false;
  for (size_t d = 0; d < count; d++)
    if (times[d] < 0 || times[d] > INT32_MAX || !push(s->made, data->dims[d] * times[d]))
      return false;
  return true;
}

static bool make_shape(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  return data && push(s->made, (int64_t)data->rank);
}

/* ---------------------------------------------------------------- parts */

static bool make_joined(const struct tflite_shaping *s) {
  const struct tflite_shape *first = input(s, 0);
  size_t axis;
  if (!first || !find_axis(option(s, 0, 4, 0), first->rank, &axis) || !like(s->made, first))
    return false;
  for (size_t i = 1; i < s->call->inputs->count; i++) {
    const struct tflite_shape *next = input(s, i);
    if (!next || next->rank != first->rank) return false;
    for (size_t d = 0; d < next->rank; d++)
      if (d != axis && next->dims[d] != first->dims[d]) return false;
    s->made->dims[axis] += next->dims[axis];
  }
  return s->made->dims[axis] <= INT32_MAX;
}

static bool make_packed(const struct tflite_shaping *s) {
  const struct tflite_shape *first = input(s, 0);
  size_t axis;
  if (!first || !find_axis(option(s, 1, 4, 0), first->rank + 1, &axis)) return false;
  for (size_t i = 1; i < s->call->inputs->count; i++) {
    const struct tflite_shape *next = input(s, i);
    if (!next || next->rank != first->rank ||
        memcmp(next->dims, first->dims, next->rank * sizeof *next->dims) != 0)
      return false;
  }
  return push_some(s->made, first, 0, axis) && push(s->made, (int64_t)s->call->inputs->count) &&
         push_some(s->made, first, axis, first->rank);
}

static bool make_unpacked(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  const size_t count = s->call->outputs->count;
  size_t axis;
  if (!data || !find_axis(option(s, 1, 4, 0), data->rank, &axis) ||
      data->dims[axis] != (int64_t)count)
    return false;
  for (size_t i = 0; i < count; i++)
    if (!push_some(&s->made[i], data, 0, axis) ||
        !push_some(&s->made[i], data, axis + 1, data->rank))
      return false;
  return true;
}

static bool make_split(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 1);
  const int64_t count = (int64_t)s->call->outputs->count;
  int64_t number;
  size_t axis;
  if (!data || !integer(s, 0, &number) || !find_axis(number, data->rank, &axis) || count == 0 ||
      data->dims[axis] % count != 0)
    return false;
  for (size_t i = 0; i < (size_t)count; i++) {
    if (!like(&s->made[i], data)) return false;
    s->made[i].dims[axis] /= count;
  }
  return true;
}

static bool make_split_by_sizes(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  size_t count, axis;
  const int64_t *sizes = integers(s, 1, &count);
  int64_t number, left;
  if (!data || !sizes || count != s->call->outputs->count || !integer(s, 2, &number) ||
      !find_axis(number, data->rank, &axis))
    return false;
  left = data->dims[axis];
  for (size_t i = 0; i < count; i++)
    if (sizes[i] > 0 && (left -= sizes[i]) < 0) return false;
  for (size_t i = 0; i < count; i++) {
    if (!like(&s->made[i], data)) return false;
    s->made[i].dims[axis] = sizes[i] < 0 ? left : sizes[i];
  }
  return true;
}

static bool make_gathered(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0), *indices = input(s, 1);
  const int64_t batches = option(s, 1, 4, 0);
  size_t axis;
  return data && indices && find_axis(option(s, 0, 4, 0), data->rank, &axis) && batches >= 0 &&
         batches <= (int64_t)indices->rank && batches <= (int64_t)axis &&
         push_some(s->made, data, 0, axis) &&
         push_some(s->made, indices, (size_t)batches, indices->rank) &&
         push_some(s->made, data, axis + 1, data->rank);
}

static bool make_looked_up(const struct tflite_shaping *s) {
  const struct tflite_shape *indices = input(s, 0), *data = input(s, 1);
  return data && data->rank > 0 && like(s->made, indices) &&
         push_some(s->made, data, 1, data->rank);
}

/* Adds a dimension of a slice and, in one-dimensional tensors, the values of its elements. */
static bool push_slice(const struct tflite_shaping *s, const struct tflite_shape *data,
                       int64_t begin, int64_t count, int64_t stride) {
  if (data->rank == 1 && data->has_values && count <= TFLITE_SHAPE_VALUES) {
    s->made->has_values = true;
    for (int64_t i = 0; i < count; i++)
      s->made->values[i] = data->values[begin + i * stride];
  }
  return push(s->made, count);
}

static bool make_slice(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  size_t count, sizes;
  const int64_t *begin = integers(s, 1, &count), *size = integers(s, 2, &sizes);
  if (!data || !begin || !size || count != data->rank || sizes != count) return false;
  for (size_t d = 0; d < count; d++) {
    const int64_t left = data->dims[d] - begin[d], taken = size[d] == -1 ? left : size[d];
    if (begin[d] < 0 || taken < 0 || taken > left || !push_slice(s, data, begin[d], taken, 1))
      return false;
  }
  return true;
}

/* Resolves a limit of a strided slice, which may count from the end or lie outside. */
static int64_t limit(int64_t at, int64_t size, bool is_open, bool is_first, bool is_down) {
  if (is_open) return is_first == is_down ? size - is_down : -(int64_t)is_down;
  if (at < 0) at += size;
  return larger_of(-(int64_t)is_down, smaller_of(at, size - is_down));
}

static bool make_strided(const struct tflite_shaping *s) {
  enum { BEGIN, END, ELLIPSIS, NEW, SHRINK, FROM_BEGIN };
  const struct tflite_shape *data = input(s, 0);
  size_t counts[3];
  const int64_t *begins = integers(s, 1, &counts[0]), *ends = integers(s, 2, &counts[1]);
  const int64_t *strides = integers(s, 3, &counts[2]);
  if (!data || !begins || !ends || !strides || counts[1] != counts[0] ||
      counts[2] != counts[0] || counts[0] > data->rank || option(s, ELLIPSIS, 4, 0) ||
      option(s, NEW, 4, 0) || option(s, FROM_BEGIN, 1, 0))
    return false;
  for (size_t d = 0; d < counts[0]; d++) {
    const int64_t size = data->dims[d], stride = strides[d], bit = INT64_C(1) << d;
    if (stride == 0) return false;
    const int64_t begin =
        limit(begins[d], size, option(s, BEGIN, 4, 0) & bit, true, stride < 0);
    const int64_t end = limit(ends[d], size, option(s, END, 4, 0) & bit, false, stride < 0);
    const bool is_dropped = (option(s, SHRINK, 4, 0) & bit) != 0;
    const int64_t reach = stride > 0 ? end - begin : begin - end;
    const int64_t step = stride > 0 ? stride : -stride;
    if (is_dropped && (begin < 0 || begin >= size)) return false;
    const int64_t count = is_dropped ? 1 : reach > 0 ? (reach - 1) / step + 1 : 0;
    if (!push_slice(s, data, begin, count, stride)) return false;
    if (is_dropped) s->made->rank--;
  }
  return push_some(s->made, data, counts[0], data->rank);
}

/* ---------------------------------------------------------------- reductions */

static bool make_reduced(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  bool goes[TFLITE_OPERAND_RANK] = {false};
  size_t count, axis;
  const int64_t *axes = integers(s, 1, &count);
  const bool keeps = option(s, TFLITE_REDUCER_KEEP_DIMS, 1, 0) != 0;
  if (!data || !axes) return false;
  for (size_t i = 0; i < count; i++) {
    if (!find_axis(axes[i], data->rank, &axis)) return false;
    goes[axis] = true;
  }
  for (size_t d = 0; d < data->rank; d++)
    if ((!goes[d] || keeps) && !push(s->made, goes[d] ? 1 : data->dims[d])) return false;
  return true;
}

static bool make_place(const struct tflite_shaping *s) {
  const struct tflite_shape *data = input(s, 0);
  int64_t number;
  size_t axis;
  return data && integer(s, 1, &number) && find_axis(number, data->rank, &axis) &&
         push_some(s->made, data, 0, axis) && push_some(s->made, data, axis + 1, data->rank);
}

/* ---------------------------------------------------------------- the table */

#define PLAIN NULL
#define ELEMENT_WISE make_broadcast
#define CONVERSION make_same
#define VIEW(shape) shape
#define SHAPED(shape) shape
#define KERNEL(code, name, kind, ...) [code] = kind,
#define REPLACED(code, name, kind, ...) [code] = kind,
#define UNSUPPORTED(code, name, kind, ...) [code] = kind,
static bool (*const rules[])(const struct tflite_shaping *s) = {
#include "models/tflm/kernels.def"
};

bool tflite_shape_has_rule(uint64_t code) {
  return code < sizeof rules / sizeof *rules && rules[code];
}

bool tflite_shape_make(const struct tflite_shaping *shaping) {
  const uint64_t code = shaping->call->code;
  struct tflite_operand made;
  int64_t count;
  if (!tflite_shape_has_rule(code) || shaping->call->outputs->count == 0 ||
      !rules[code](shaping))
    return false;
  for (size_t i = 0; i < shaping->call->outputs->count; i++)
    shaping->made[i].is_known = true;
  if (shaping->made->has_values || !tflite_shape_elements(shaping->made, &count) ||
      count > TFLITE_SHAPE_VALUES ||
      !tflite_operand_read(shaping->call->subgraph, shaping->call->outputs, 0, &made) ||
      (made.type != TFLITE_INT32 && made.type != TFLITE_INT64))
    return true;
  bool has_values = tflite_shape_values(shaping, (size_t)count);
  for (int64_t i = 0; i < count; i++)
    has_values = has_values && tflite_shape_value_is_small(shaping->made->values[i]);
  shaping->made->has_values = has_values;
  return true;
}
