/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernels.def lists the bytes of the structs that each kernel keeps, and the tensors whose
 * descriptions it requests.  Kernels that allocate more have a function here.  The figures come
 * from the kernels' sources, and were compared with the actual requests (tests/hosts/tflm).  The
 * runtime rounds each request up to a multiple of 16 bytes, except the options, which it packs.
 */
#include "models/tflm/kernel_memory.h"

#include <stdio.h>
#include <string.h>

#include "files/kernels.h"
#include "models/tflm/element_types.h"
#include "models/tflm/requests.h"

/*
 * ---------------------------------------------------------------- kernels with more than structs
 */

static void prepare_dimensions(const struct footprint_call *call) {
  keep(call, dimensions_bytes(output(call, 0)));
}

/* Filters of four bits are unpacked. */
static void unpack_filter(const struct footprint_call *call) {
  if (input(call, 1)->type == INT4) scratch(call, input(call, 1)->elements);
}

static void prepare_conv(const struct footprint_call *call) {
  keep_channels(call, dimension(input(call, 1), 0));
  unpack_filter(call);
}

static void prepare_depthwise(const struct footprint_call *call) {
  keep_channels(call, dimension(input(call, 1), 3));
  unpack_filter(call);
}

static void prepare_fully_connected(const struct footprint_call *call) {
  unpack_filter(call);
  if (is_quantized(input(call, 0)) && input(call, 1)->channels > 1)
    keep_channels(call, (neap_size)input(call, 1)->channels);
}

static void prepare_transpose_conv(const struct footprint_call *call) {
  keep_channels(call, dimension(input(call, 1), 0));
  if (input(call, 2)->type == INT8) scratch(call, times(4, output(call, 0)->elements));
  end_transpose_conv(call);
}

static void prepare_mean(const struct footprint_call *call) {
  const struct footprint_tensor *read = input(call, 0);
  if (is_quantized(read)) scratch(call, times(4, output(call, 0)->elements));
  scratch(call, 4 * (neap_size)read->rank);
  scratch(call, times(4, input(call, 1)->elements));
  describe_all(call, read->type == INT8 ? "abA" : "ab");
}

static void prepare_reduce(const struct footprint_call *call) {
  const struct footprint_tensor *read = input(call, 0);
  describe_all(call, read->type == INT8 ? "abA" : "ab");
  scratch(call, 4 * (neap_size)read->rank);
  scratch(call, times(4, input(call, 1)->elements));
}

static void prepare_lstm(const struct footprint_call *call) { scratch_lstm(call, 4); }

static void prepare_log_softmax(const struct footprint_call *call) {
  if (input(call, 0)->type == INT8) keep(call, call->pointer == 8 ? 40 : 28);
}

static void prepare_cumsum(const struct footprint_call *call) {
  if (output(call, 0)->type == INT8) keep(call, 36);
}

static void prepare_add_n(const struct footprint_call *call) {
  for (size_t i = 1; i < call->input_count; i++)
    describe(call, &call->inputs[i]);
  if (output(call, 0)->type == INT8) keep(call, 40);
  scratch(call, (neap_size)(call->pointer * call->input_count));
}

static void prepare_mirror_pad(const struct footprint_call *call) {
  for (size_t i = 0; i < 2; i++)
    scratch(call, 4 * (neap_size)input(call, 0)->rank);
}

/* Keeps the addresses and the sizes of the inputs and outputs, for an accelerator. */
static void prepare_ethos_u(const struct footprint_call *call) {
  neap_size count = (neap_size)(call->input_count + call->output_count);
  scratch(call, times(8, count));
  scratch(call, times(call->pointer, count));
}

static void prepare_embedding(const struct footprint_call *call) {
  prepare_dimensions(call);
  keep(call, 2 * call->pointer);
}

/* The numbers are whether the first and the second operand are transposed already. */
static void prepare_batch_matmul(const struct footprint_call *call) {
  if (is_quantized(input(call, 0))) keep(call, 28);
  if (number(call, 0)) keep_transposed(call, input(call, 0));
  if (!number(call, 1)) keep_transposed(call, input(call, 1));
  prepare_dimensions(call);
}

/* The numbers are the most detections and the number of classes. */
static void prepare_detection(const struct footprint_call *call) {
  neap_size boxes = dimension(input(call, 0), 1);
  neap_size detections = number(call, 0), classes = number(call, 1);
  neap_size most = classes > detections ? classes : detections;
  neap_size least = boxes < detections ? boxes : detections;
  scratch(call, boxes);
  scratch(call, times(16, boxes));
  scratch(call, times(4, times(dimension(input(call, 1), 1), dimension(input(call, 1), 2))));
  for (size_t i = 0; i < 2; i++)
    scratch(call, times(4, boxes));
  for (size_t i = 0; i < 2; i++)
    scratch(call, times(4, times(detections, boxes)));
  scratch(call, times(4, boxes));
  scratch(call, times(4, times(detections, boxes)));
  scratch(call, times(4, times(most, boxes)));
  scratch(call, times(4, times(least, boxes)));
}

/* ---------------------------------------------------------------- kernels for audio */

/* The bytes of a ring of 16-bit numbers, twice as long as necessary. */
static neap_size ring_bytes(const struct footprint_call *call, neap_size capacity) {
  neap_size bytes = times(4, capacity), all;
  return checked_add(bytes, call->pointer == 8 ? 40 : 24, &all) ? all : NEAP_MAX;
}

/* The number of rows of a tensor; the last dimensions, a row, hold `inner` elements. */
static neap_size rows(const struct footprint_tensor *tensor, neap_size inner) {
  return inner > 0 ? tensor->elements / inner : 0;
}

static void keep_pointers(const struct footprint_call *call, neap_size count) {
  keep(call, times(call->pointer, count));
}

/* The first number is the delay. */
static void prepare_delay(const struct footprint_call *call) {
  neap_size frame = last_dimension(input(call, 0), 0), count = rows(input(call, 0), frame);
  keep_pointers(call, count);
  keep_pointers(call, count);
  take(call, FOOTPRINT_PERSISTENT, ring_bytes(call, frame + number(call, 0)), count);
}

/* The numbers are the size of a frame, and the step between frames. */
static void prepare_framer(const struct footprint_call *call) {
  neap_size count = rows(input(call, 0), last_dimension(input(call, 0), 0));
  neap_size frame = number(call, 0), step = number(call, 1);
  keep_pointers(call, count);
  keep_pointers(call, count);
  if (step <= 0 || frame < 0 || frame > NEAP_MAX - step) return;
  take(call, FOOTPRINT_PERSISTENT, ring_bytes(call, round_up(frame, step)), count);
}

static void prepare_overlap_add(const struct footprint_call *call) {
  const struct footprint_tensor *read = input(call, 0);
  neap_size frame = last_dimension(read, 0);
  neap_size count = rows(read, times(frame, last_dimension(read, 1)));
  keep_pointers(call, count);
  take(call, FOOTPRINT_PERSISTENT, times(frame, element_bytes(read)), count);
}

/* The numbers are channels, frames before, and frames after. */
static void init_stacker(const struct footprint_call *call) {
  neap_size frames;
  if (!checked_add(number(call, 1), number(call, 2), &frames) ||
      !checked_add(frames, 1, &frames))
    return;
  keep(call, ring_bytes(call, times(number(call, 0), frames)));
}

/* The first number is the number of channels. */
static void init_filter_bank(const struct footprint_call *call) {
  keep(call, times(8, number(call, 0) < INT32_MAX ? number(call, 0) + 1 : NEAP_MAX));
}

/* The fifth number is the number of channels. */
static void init_spectral_subtraction(const struct footprint_call *call) {
  keep(call, times(4, number(call, 4)));
}

/*
 * The second number is the length.  Keeps `header`, factors, twiddles, and complex numbers as
 * working memory.
 */
static void keep_fft(const struct footprint_call *call, neap_size header) {
  neap_size length = number(call, 1) / 2, complex = input(call, 0)->type == INT16 ? 4 : 8;
  neap_size bytes = times(complex, length), work = times(complex, length / 2 * 3 + length % 2);
  if (checked_add(bytes, work, &bytes) &&
      checked_add(bytes, header + 264 + 3 * (neap_size)call->pointer, &bytes))
    keep(call, bytes);
}

static void init_rfft(const struct footprint_call *call) { keep_fft(call, 0); }

/* For floats, the length and a pointer come before the rest. */
static void init_irfft(const struct footprint_call *call) {
  keep_fft(call, input(call, 0)->type == FLOAT32 ? 2 * (neap_size)call->pointer : 0);
}

static void prepare_rfft(const struct footprint_call *call) {
  scratch(call, times(input(call, 0)->type == INT16 ? 2 : 4, number(call, 1)));
}

/* ---------------------------------------------------------------- the table */

#define MEMORY(...) COMPRESSED(0, __VA_ARGS__)
#define COMPRESSED(weights, options, alignment, bytes8, bytes4, tensors, prepare) \
  options, alignment, {bytes8, bytes4}, tensors, prepare, weights
#define KERNEL(code, name, kind, macs, overlap, memory, types) \
  {code, memory, types, NULL, NULL},
#define REPLACED(code, name, kind, macs, overlap, memory, types, cmsis) \
  {code, memory, types, NULL, NULL},
#define CUSTOM_KERNEL(name, memory, init, types) {CUSTOM, memory, types, name, init},
static const struct kernel kernels[] = {
#include "models/tflm/kernels.def"
};

/* The row of an operator, which describes the reference kernel. */
static const struct kernel *find_reference(const struct footprint_call *call) {
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    if (kernels[k].code == call->code &&
        (call->code != CUSTOM || strcmp(kernels[k].custom, call->custom) == 0))
      return &kernels[k];
  return NULL;
}

/* Without a target, kernels may be unknown, and nothing is predicted for them. */
static bool is_optimised(neap_kernels whose) {
  const struct kernels *row = kernels_at(whose);
  return row && row->is_optimised;
}

static const struct kernel *find(const struct footprint_call *call) {
  const struct kernel *replacing =
      is_optimised(call->kernels) ? cmsis_nn_find(call->code) : NULL;
  return replacing && replacing->tensors ? replacing : find_reference(call);
}

const char *footprint_version(neap_kernels whose) {
  if (whose == NEAP_KERNELS_PYTHON) return "2026-10-23 (8f6596d)";
  return is_optimised(whose) ? "2026-08-20 (90b983c) with CMSIS-NN of 2026-06-17 (4ab83cc)"
                             : "2026-08-20 (90b983c)";
}

bool footprint_knows(const struct footprint_call *call) { return find(call) != NULL; }

/* The runtime cannot tell the size of some elements, and then prepares no model. */
static bool has_size(const struct footprint_tensor *tensor, char reason[ACCEPTS_REASON],
                     const char *end, size_t index) {
  enum { STRING = 5, VARIANT = 14, INT2 = 19 };
  const struct element_type *type = element_type_find(tensor->type);
  if (!tensor->is_present ||
      (type && tensor->type != STRING && tensor->type != VARIANT && tensor->type != INT2))
    return true;
  snprintf(reason, ACCEPTS_REASON, "%s %zu is %s, whose size the runtime does not know", end,
           index, type ? type->name : "of an unknown type");
  return false;
}

static bool have_sizes(const struct footprint_call *call, char reason[ACCEPTS_REASON]) {
  for (size_t i = 0; i < call->input_count; i++)
    if (!has_size(&call->inputs[i], reason, "input", i)) return false;
  for (size_t i = 0; i < call->output_count; i++)
    if (!has_size(&call->outputs[i], reason, "output", i)) return false;
  return true;
}

bool footprint_refuses(const struct footprint_call *call, char reason[ACCEPTS_REASON]) {
  const struct kernel *kernel = find(call);
  /* The Python package has no accelerator. */
  bool is_left_out =
      call->kernels == NEAP_KERNELS_PYTHON && strcmp(call->custom, "ethos-u") == 0;
  if (!have_sizes(call, reason)) return true;
  if (is_left_out) kernel = NULL;
  if (kernel && !kernel->types) kernel = find_reference(call);
  if (kernel) return !accepts_call(kernel->types, call, reason);
  snprintf(reason, ACCEPTS_REASON, "the runtime has no kernel for it");
  return call->code != CUSTOM || is_left_out || strncmp(call->custom, "Flex", 4) == 0;
}

/*
 * Counts the unpacked options; alignment 0: they are as many pointers as the bytes say.  The Python
 * package is newer than the sources of the table.
 */
static void unpack_options(const struct footprint_call *call, const struct kernel *kernel) {
  struct footprint_request request = {
      .kind = FOOTPRINT_PERSISTENT,
      .bytes = kernel->alignment ? kernel->options : kernel->options * call->pointer,
      .repeat = 1,
      .alignment = kernel->alignment ? kernel->alignment : call->pointer};
  if (call->kernels == NEAP_KERNELS_PYTHON && kernel->code == FULLY_CONNECTED)
    request.bytes = 32, request.alignment = 8;
  if (kernel->options > 0) call->take(call->user, &request);
}

/* A build that decompresses weights keeps the number of a scratch buffer for each. */
static neap_size data_bytes(const struct footprint_call *call, const struct kernel *kernel) {
  neap_size bytes = kernel->data[call->pointer == 4];
  if (call->kernels != NEAP_KERNELS_PYTHON || kernel->weights == 0) return bytes;
  return round_up(bytes + 4 * kernel->weights, bytes > 0 ? call->pointer : 4);
}

void footprint_find(const struct footprint_call *call, enum footprint_stage stage) {
  const struct kernel *kernel = find(call);
  if (!kernel) return;
  neap_size data = data_bytes(call, kernel);
  switch (stage) {
  case FOOTPRINT_OPTIONS:
    unpack_options(call, kernel);
    break;
  case FOOTPRINT_INIT:
    if (data > 0) keep(call, data);
    if (kernel->init) kernel->init(call);
    break;
  case FOOTPRINT_PREPARE:
    describe_all(call, kernel->tensors);
    if (kernel->prepare) kernel->prepare(call);
    break;
  }
}
