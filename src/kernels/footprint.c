/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each row is a kernel: the bytes of the structs that it keeps, and the tensors whose descriptions it
 * asks for.  Kernels with more than that have a function.  The figures come from the kernels' sources,
 * and were compared with what the kernels request (tests/tflm): the runtime gives each of them a
 * multiple of 16 bytes, but for the options, which it packs.
 */
#include "kernels/footprint.h"

#include <string.h>

#include "kernels/cmsis_nn.h"
#include "kernels/requests.h"

/* ---------------------------------------------------------------- kernels with more than structs */

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

/* A ring of 16-bit numbers, twice as long as it has to be. */
static neap_size ring_bytes(const struct footprint_call *call, neap_size capacity) {
  neap_size bytes = times(4, capacity), all;
  return checked_add(bytes, call->pointer == 8 ? 40 : 24, &all) ? all : NEAP_MAX;
}

/* Rows of a tensor without its last dimensions, which hold `inner` elements. */
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

/* The first number is that of channels. */
static void init_filter_bank(const struct footprint_call *call) {
  keep(call, times(8, number(call, 0) < INT32_MAX ? number(call, 0) + 1 : NEAP_MAX));
}

/* The fifth number is that of channels. */
static void init_spectral_subtraction(const struct footprint_call *call) {
  keep(call, times(4, number(call, 4)));
}

/* The second number is the length.  `header`, factors, twiddles, and complex numbers to work with. */
static void keep_fft(const struct footprint_call *call, neap_size header) {
  neap_size length = number(call, 1) / 2, complex = input(call, 0)->type == INT16 ? 4 : 8;
  neap_size bytes = times(complex, length), work = times(complex, length / 2 * 3 + length % 2);
  if (checked_add(bytes, work, &bytes) &&
      checked_add(bytes, header + 264 + 3 * (neap_size)call->pointer, &bytes))
    keep(call, bytes);
}

static void init_rfft(const struct footprint_call *call) { keep_fft(call, 0); }

/* With floats, the length and a pointer come before the rest. */
static void init_irfft(const struct footprint_call *call) {
  keep_fft(call, input(call, 0)->type == FLOAT32 ? 2 * (neap_size)call->pointer : 0);
}

static void prepare_rfft(const struct footprint_call *call) {
  scratch(call, times(input(call, 0)->type == INT16 ? 2 : 4, number(call, 1)));
}

/* ---------------------------------------------------------------- the table */

static const struct kernel kernels[] = {
    {.code = 0, 8, 4, STRUCTS(60), "abA"},                         /* ADD */
    {.code = 1, 40, 4, STRUCTS(32), "aA"},                         /* AVERAGE_POOL_2D */
    {.code = 2, 8, 4, {40, 24}, "aA*"},                            /* CONCATENATION */
    {.code = 3, 28, 4, {72, 56}, "AababcA", prepare_conv},         /* CONV_2D */
    {.code = 4, 28, 4, {72, 56}, "AababcA", prepare_depthwise},    /* DEPTHWISE_CONV_2D */
    {.code = 5, 4, 4, STRUCTS(0), "aA", prepare_dimensions},       /* DEPTH_TO_SPACE */
    {.code = 6, 0, 1, STRUCTS(32), "aA"},                          /* DEQUANTIZE */
    {.code = 7, 0, 1, STRUCTS(0), "abA", prepare_embedding},       /* EMBEDDING_LOOKUP */
    {.code = 8, 0, 1, STRUCTS(0), ""},                             /* FLOOR */
    {.code = 9, 16, 4, {64, 48}, "abcA", prepare_fully_connected}, /* FULLY_CONNECTED */
    {.code = 11, 4, 4, STRUCTS(4), "aA"},                          /* L2_NORMALIZATION */
    {.code = 12, 40, 4, STRUCTS(0), "Aa", prepare_dimensions},     /* L2_POOL_2D */
    {.code = 14, 0, 1, STRUCTS(16), "aA"},                         /* LOGISTIC */
    {.code = 17, 40, 4, STRUCTS(32), "aA"},                        /* MAX_POOL_2D */
    {.code = 18, 4, 4, STRUCTS(36), "abA"},                        /* MUL */
    {.code = 19, 0, 1, STRUCTS(28), "aA"},                         /* RELU */
    {.code = 21, 0, 1, STRUCTS(8), "a"},                           /* RELU6 */
    {.code = 22, 36, 4, STRUCTS(0), "aA"},                         /* RESHAPE */
    {.code = 23, 2, 1, STRUCTS(0), "abA"},                         /* RESIZE_BILINEAR */
    {.code = 25, 4, 4, {80, 56}, "aA", prepare_softmax},           /* SOFTMAX */
    {.code = 26, 4, 4, STRUCTS(0), "aA", prepare_dimensions},      /* SPACE_TO_DEPTH */
    {.code = 27, 12, 4, STRUCTS(36), "abcdeA", scratch_svdf},      /* SVDF */
    {.code = 28, 0, 1, STRUCTS(16), "aaA"},                        /* TANH */
    {.code = 34, 0, 1, STRUCTS(56), "abcA"},                       /* PAD */
    {.code = 36, 8, 4, STRUCTS(0), "abA", prepare_dimensions},     /* GATHER */
    {.code = 37, 0, 1, STRUCTS(0), "aA"},                          /* BATCH_TO_SPACE_ND */
    {.code = 38, 0, 1, STRUCTS(4), "aA"},                          /* SPACE_TO_BATCH_ND */
    {.code = 39, 0, 1, STRUCTS(0), "abA"},                         /* TRANSPOSE */
    {.code = 40, 1, 1, STRUCTS(44), "aAb", prepare_mean},          /* MEAN */
    {.code = 41, 8, 4, STRUCTS(52), "abA"},                        /* SUB */
    {.code = 42, 4, 4, STRUCTS(28), "abA"},                        /* DIV */
    {.code = 43, 36, 4, STRUCTS(0), "aA"},                         /* SQUEEZE */
    {.code = 44, 16, 4, STRUCTS(688), "*A", prepare_lstm},         /* LSTM */
    {.code = 45, 24, 4, STRUCTS(84), "abcdA"},                     /* STRIDED_SLICE */
    {.code = 47, 0, 1, STRUCTS(0), "aA"},                          /* EXP */
    {.code = 49, 4, 4, STRUCTS(0), "a"},                           /* SPLIT */
    {.code = 50, 0, 1, STRUCTS(0), "aA", prepare_log_softmax},     /* LOG_SOFTMAX */
    {.code = 53, 8, 4, STRUCTS(0), "aA"},                          /* CAST */
    {.code = 54, 0, 1, STRUCTS(28), "abA"},                        /* PRELU */
    {.code = 55, 0, 1, STRUCTS(0), ""},                            /* MAXIMUM */
    {.code = 56, 4, 4, STRUCTS(0), ""},                            /* ARG_MAX */
    {.code = 57, 0, 1, STRUCTS(0), ""},                            /* MINIMUM */
    {.code = 58, 0, 1, STRUCTS(32), "ab"},                         /* LESS */
    {.code = 59, 0, 1, STRUCTS(0), ""},                            /* NEG */
    {.code = 60, 0, 1, STRUCTS(56), "abcA"},                       /* PADV2 */
    {.code = 61, 0, 1, STRUCTS(32), "ab"},                         /* GREATER */
    {.code = 62, 0, 1, STRUCTS(32), "ab"},                         /* GREATER_EQUAL */
    {.code = 63, 0, 1, STRUCTS(32), "ab"},                         /* LESS_EQUAL */
    {.code = 65, 0, 1, STRUCTS(0), "abcA"},                        /* SLICE */
    {.code = 66, 0, 1, STRUCTS(0), "aA"},                          /* SIN */
    {.code = 67, 20, 4, {80, 72}, "Acb", prepare_transpose_conv},  /* TRANSPOSE_CONV */
    {.code = 70, 0, 1, STRUCTS(0), "abA"},                         /* EXPAND_DIMS */
    {.code = 71, 0, 1, STRUCTS(32), "ab"},                         /* EQUAL */
    {.code = 72, 0, 1, STRUCTS(32), "ab"},                         /* NOT_EQUAL */
    {.code = 73, 0, 1, STRUCTS(0), "aA"},                          /* LOG */
    {.code = 74, 1, 1, STRUCTS(44), "aAb", prepare_mean},          /* SUM */
    {.code = 75, 0, 1, STRUCTS(0), "aA"},                          /* SQRT */
    {.code = 76, 0, 1, STRUCTS(28), "aA"},                         /* RSQRT */
    {.code = 77, 4, 4, STRUCTS(0), ""},                            /* SHAPE */
    {.code = 79, 4, 4, STRUCTS(0), ""},                            /* ARG_MIN */
    {.code = 82, 1, 1, STRUCTS(44), "aAb", prepare_reduce},        /* REDUCE_MAX */
    {.code = 83, 8, 4, STRUCTS(0), ""},                            /* PACK */
    {.code = 84, 0, 1, STRUCTS(0), ""},                            /* LOGICAL_OR */
    {.code = 86, 0, 1, STRUCTS(0), ""},                            /* LOGICAL_AND */
    {.code = 87, 0, 1, STRUCTS(0), "aA"},                          /* LOGICAL_NOT */
    {.code = 88, 8, 4, STRUCTS(0), ""},                            /* UNPACK */
    {.code = 89, 1, 1, STRUCTS(44), "aAb", prepare_reduce},        /* REDUCE_MIN */
    {.code = 90, 0, 1, STRUCTS(0), "abA"},                         /* FLOOR_DIV */
    {.code = 92, 0, 1, STRUCTS(0), "aA"},                          /* SQUARE */
    {.code = 93, 0, 1, STRUCTS(0), "aA"},                          /* ZEROS_LIKE */
    {.code = 94, 0, 1, STRUCTS(0), "abA"},                         /* FILL */
    {.code = 95, 0, 1, STRUCTS(0), "abA"},                         /* FLOOR_MOD */
    {.code = 97, 2, 1, STRUCTS(0), "abA"},                         /* RESIZE_NEAREST_NEIGHBOR */
    {.code = 98, 4, 4, STRUCTS(24), "aA"},                         /* LEAKY_RELU */
    {.code = 99, 0, 1, STRUCTS(112), "abA"},                       /* SQUARED_DIFFERENCE */
    {.code = 100, 4, 4, STRUCTS(20), "abA", prepare_mirror_pad},   /* MIRROR_PAD */
    {.code = 101, 0, 1, STRUCTS(28), "aA"},                        /* ABS */
    {.code = 102, 4, 4, STRUCTS(0), "c"},                          /* SPLIT_V */
    {.code = 104, 0, 1, STRUCTS(0), "aA"},                         /* CEIL */
    {.code = 105, 0, 1, STRUCTS(0), "abA"},                        /* REVERSE_V2 */
    {.code = 106, 0, 1, STRUCTS(0), "aA", prepare_add_n},          /* ADD_N */
    {.code = 107, 0, 1, STRUCTS(0), "abA", prepare_dimensions},    /* GATHER_ND */
    {.code = 108, 0, 1, STRUCTS(0), "aA"},                         /* COS */
    {.code = 111, 0, 1, STRUCTS(256), "aA"},                       /* ELU */
    {.code = 114, 0, 1, STRUCTS(32), "aA"},                        /* QUANTIZE */
    {.code = 116, 0, 1, STRUCTS(0), "aA"},                         /* ROUND */
    {.code = 117, 0, 1, STRUCTS(20), "aA"},                        /* HARD_SWISH */
    {.code = 118, 8, 4, STRUCTS(8), "a"},                          /* IF */
    {.code = 119, 8, 4, STRUCTS(8), ""},                           /* WHILE */
    {.code = 123, 0, 1, STRUCTS(1), "abcA"},                       /* SELECT_V2 */
    {.code = 126, 3, 1, {32, 16}, "abA", prepare_batch_matmul},    /* BATCH_MATMUL */
    {.code = 128, 2, 1, STRUCTS(0), "abA", prepare_cumsum},        /* CUMSUM */
    {.code = 129, 4, 4, STRUCTS(8), ""},                           /* CALL_ONCE */
    {.code = 130, 0, 1, STRUCTS(0), "abA"},                        /* BROADCAST_TO */
    {.code = 140, 1, 1, STRUCTS(44), "aAb", prepare_reduce},       /* REDUCE_ALL */
    {.code = 142, 2, 0, STRUCTS(4), ""},                           /* VAR_HANDLE */
    {.code = 143, 0, 1, STRUCTS(0), "a"},                          /* READ_VARIABLE */
    {.code = 144, 0, 1, STRUCTS(0), "b"},                          /* ASSIGN_VARIABLE */
    {.code = 145, 0, 1, STRUCTS(0), "abA"},                        /* BROADCAST_ARGS */
    {.code = 151, 0, 1, STRUCTS(0), "abcA"},                       /* DYNAMIC_UPDATE_SLICE */
    {.code = CUSTOM, 0, 1, STRUCTS(8), "aA", NULL, "CIRCULAR_BUFFER"},
    {.code = CUSTOM,
     0,
     1,
     STRUCTS(112),
     "abc",
     prepare_detection,
     "TFLite_Detection_PostProcess"},
    {.code = CUSTOM, 0, 1, {32, 20}, "aA", prepare_delay, "SignalDelay"},
    {.code = CUSTOM, 0, 1, STRUCTS(8), "aA", NULL, "SignalEnergy"},
    {.code = CUSTOM, 0, 1, STRUCTS(0), "aAB", NULL, "SignalFftAutoScale"},
    {.code = CUSTOM, 0, 1, {64, 36}, "abcdefA", NULL, "SignalFilterBank", init_filter_bank},
    {.code = CUSTOM, 0, 1, STRUCTS(8), "aA", NULL, "SignalFilterBankLog"},
    {.code = CUSTOM,
     0,
     1,
     {56, 44},
     "aAB",
     NULL,
     "SignalFilterBankSpectralSubtraction",
     init_spectral_subtraction},
    {.code = CUSTOM, 0, 1, STRUCTS(0), "abA", NULL, "SignalFilterBankSquareRoot"},
    {.code = CUSTOM, 0, 1, {40, 28}, "aAB", prepare_framer, "SignalFramer"},
    {.code = CUSTOM, 0, 1, {32, 24}, "aA", NULL, "SignalIrfft", init_irfft},
    {.code = CUSTOM, 0, 1, {32, 24}, "aA", prepare_overlap_add, "SignalOverlapAdd"},
    {.code = CUSTOM, 0, 1, STRUCTS(4), "abcA", NULL, "SignalPCAN"},
    {.code = CUSTOM, 0, 1, {48, 32}, "aA", prepare_rfft, "SignalRfft", init_rfft},
    {.code = CUSTOM, 0, 1, {56, 36}, "aAB", NULL, "SignalStacker", init_stacker},
    {.code = CUSTOM, 0, 1, STRUCTS(8), "abA", NULL, "SignalWindow"},
};

static const struct kernel *find(const struct footprint_call *call) {
  const struct kernel *optimised =
      call->kernels == FOOTPRINT_REFERENCE ? NULL : cmsis_nn_find(call->code);
  if (optimised) return optimised;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    if (kernels[k].code == call->code &&
        (call->code != CUSTOM || strcmp(kernels[k].custom, call->custom) == 0))
      return &kernels[k];
  return NULL;
}

const char *footprint_name(enum footprint_kernels whose) {
  static const char *const names[] = {"reference", "cmsis-nn", "cmsis-nn-dsp", "cmsis-nn-mve"};
  return names[whose];
}

const char *footprint_version(enum footprint_kernels whose) {
  return whose == FOOTPRINT_REFERENCE
             ? "2026-08-20 (90b983c)"
             : "2026-08-20 (90b983c) with CMSIS-NN of 2026-06-17 (4ab83cc)";
}

bool footprint_knows(const struct footprint_call *call) { return find(call) != NULL; }

/* An alignment of 0 stands for options that consist of pointers, as many as the bytes say. */
static void unpack_options(const struct footprint_call *call, const struct kernel *kernel) {
  const struct footprint_request request = {
      .kind = FOOTPRINT_PERSISTENT,
      .bytes = kernel->alignment ? kernel->options : kernel->options * call->pointer,
      .repeat = 1,
      .alignment = kernel->alignment ? kernel->alignment : call->pointer};
  if (kernel->options > 0) call->take(call->user, &request);
}

void footprint_find(const struct footprint_call *call, enum footprint_stage stage) {
  const struct kernel *kernel = find(call);
  if (!kernel) return;
  unsigned data = kernel->data[call->pointer == 4];
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
