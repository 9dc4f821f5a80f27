/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/onnx/onnx.h"

#include "formats/onnx/declared.h"
#include "formats/onnx/graph.h"
#include "formats/onnx/order.h"
#include "formats/onnx/shapes.h"

/* ---------------------------------------------------------------- recognising a model */

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };
enum field { MODEL_IR_VERSION = 1, MODEL_GRAPH = 7 };

/* Whether a model has such a field, of this wire type. */
static bool is_field(uint64_t tag) {
  switch (tag >> 3) {
  case MODEL_IR_VERSION:
  case 5: /* model_version */
    return (tag & 7) == WIRE_VARINT;
  case 2: /* producer_name */
  case 3: /* producer_version */
  case 4: /* domain */
  case 6: /* doc_string */
  case MODEL_GRAPH:
  case 8:  /* opset_import */
  case 14: /* metadata_props */
  case 20: /* training_info */
  case 25: /* functions */
  case 26: /* configuration */
    return (tag & 7) == WIRE_LENGTH;
  default:
    return false;
  }
}

static bool read_varint(const char *text, size_t size, size_t *at, uint64_t *number) {
  *number = 0;
  for (unsigned shift = 0; *at < size && shift < 64; shift += 7) {
    unsigned char byte = (unsigned char)text[(*at)++];
    *number |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

/* Skips the value of a field. */
static bool skip_field(const char *text, size_t size, size_t *at, uint64_t tag) {
  uint64_t length;
  switch (tag & 7) {
  case WIRE_VARINT:
    return read_varint(text, size, at, &length);
  case WIRE_64:
    length = 8;
    break;
  case WIRE_32:
    length = 4;
    break;
  case WIRE_LENGTH:
    if (!read_varint(text, size, at, &length)) return false;
    break;
  default:
    return false;
  }
  if (length > size - *at) return false;
  *at += (size_t)length;
  return true;
}

/* Writers may put the fields in any order. */
bool onnx_is(const char *text, size_t size, const neap_reading *reading) {
  (void)reading;
  size_t at = 0;
  uint64_t tag;
  bool has_version = false, has_graph = false;
  while (at < size && read_varint(text, size, &at, &tag) && is_field(tag)) {
    has_version = has_version || tag >> 3 == MODEL_IR_VERSION;
    has_graph = has_graph || tag >> 3 == MODEL_GRAPH;
    if (has_version && has_graph) return true;
    if (!skip_field(text, size, &at, tag)) return false;
  }
  return false;
}

/* ---------------------------------------------------------------- the whole */

neap_status onnx_read(const char *text, size_t size, const neap_reading *reading,
                      neap_graph **graph, neap_error *error) {
  struct onnx_model model;
  neap_status status = onnx_model_open(&model, text, size, reading, error);
  if (status == NEAP_OK) status = onnx_declared_check_dimensions(&model, error);
  if (status == NEAP_OK) status = onnx_order_nodes(&model, error);
  if (status == NEAP_OK) status = onnx_shapes_infer(&model, error);
  if (status == NEAP_OK) status = onnx_graph_build(&model, graph, error);
  onnx_model_close(&model);
  return status;
}
