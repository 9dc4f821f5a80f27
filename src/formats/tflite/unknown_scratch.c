/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reference kernels of TensorFlow Lite Micro that request scratch buffers while they are
 * prepared, by their sources as of 2026.  Some do so for certain types of one input only.  Kernels for
 * a processor may request other ones, and a custom operator that the runtime does not bring along
 * may do anything.
 */
#include "formats/tflite/unknown_scratch.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "formats/tflite/operators.h"
#include "formats/tflite/schema.h"

#define TYPE(type) (1u << (type))

static const struct kernel {
  unsigned char code, input;
  unsigned types; /* of this input; 0: any */
} kernels[] = {
    {TFLITE_CONV_2D, 1, TYPE(TFLITE_INT4)},
    {TFLITE_DEPTHWISE_CONV_2D, 1, TYPE(TFLITE_INT4)},
    {TFLITE_FULLY_CONNECTED, 1, TYPE(TFLITE_INT4)},
    {TFLITE_SVDF, 0, 0},
    {TFLITE_MEAN, 0, 0},
    {TFLITE_SEQUENCE_LSTM, 0, 0},
    {TFLITE_TRANSPOSE_CONV, 2, TYPE(TFLITE_INT8) | TYPE(TFLITE_INT16)},
    {TFLITE_SUM, 0, 0},
    {TFLITE_REDUCE_MAX, 0, 0},
    {TFLITE_REDUCE_MIN, 0, 0},
    {TFLITE_MIRROR_PAD, 0, 0},
    {TFLITE_ADD_N, 0, 0},
    {TFLITE_REDUCE_ALL, 0, 0},
};

/* The custom operators of the runtime that request none. */
static const char *const customs[] = {
    "CIRCULAR_BUFFER",
    "TFLM_DECODE",
    "SignalDelay",
    "SignalEnergy",
    "SignalFftAutoScale",
    "SignalFilterBank",
    "SignalFilterBankLog",
    "SignalFilterBankSpectralSubtraction",
    "SignalFilterBankSquareRoot",
    "SignalFramer",
    "SignalIrfft",
    "SignalOverlapAdd",
    "SignalPCAN",
    "SignalStacker",
    "SignalWindow",
};

static bool type_of(const struct tflite_call *call, size_t input, uint64_t *type) {
  struct flat_table tensor;
  int32_t element = input < call->inputs->count ? flat_int32(call->inputs, input) : -1;
  return element >= 0 && flat_element(&call->subgraph->tensors, (size_t)element, &tensor) &&
         flat_unsigned(&tensor, TFLITE_TENSOR_TYPE, 1, 0, type);
}

/* Also copies the operator's name to `excerpt`. */
static bool custom_requests(const struct tflite_call *call, char excerpt[TEXT_EXCERPT]) {
  uint64_t opcode;
  struct flat_table entry;
  const char *name;
  size_t length;
  if (!flat_unsigned(call->table, TFLITE_OPERATOR_OPCODE, 4, 0, &opcode) ||
      !flat_element(&call->model->opcodes, (size_t)opcode, &entry) ||
      !flat_text(&entry, TFLITE_OPCODE_CUSTOM, &name, &length)) {
    name = "";
    length = 0;
  }
  text_excerpt(excerpt, name, length);
  for (size_t i = 0; i < sizeof customs / sizeof *customs; i++)
    if (strlen(customs[i]) == length && memcmp(customs[i], name, length) == 0) return false;
  return true;
}

static bool kernel_requests(const struct tflite_call *call) {
  uint64_t type;
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    if (kernels[i].code != call->code) continue;
    if (kernels[i].types == 0 || !type_of(call, kernels[i].input, &type)) return true;
    return type < 32 && kernels[i].types & TYPE(type);
  }
  return false;
}

neap_status tflite_note_unknown_scratch(const struct tflite_call *call, size_t index,
                                        neap_graph *graph, neap_error *error) {
  size_t length, subgraph = (size_t)(call->subgraph - call->model->subgraphs);
  char custom[TEXT_EXCERPT], where[64] = "", text[2 * TEXT_EXCERPT + 64];
  bool is_custom = call->code == TFLITE_CUSTOM;
  if (is_custom ? !custom_requests(call, custom) : !kernel_requests(call)) return NEAP_OK;
  if (subgraph > 0) snprintf(where, sizeof where, "%zu:", subgraph);
  snprintf(text, sizeof text, "%s%zu (%s%s%s)", where, index, tflite_operator_name(call->code),
           is_custom ? " " : "", is_custom ? custom : "");
  length = strlen(text);
  if (names_find(&graph->unknown_scratch, text, length) != NAMES_NONE ||
      names_add(&graph->unknown_scratch, text, length))
    return NEAP_OK;
  return error_memory(error);
}
