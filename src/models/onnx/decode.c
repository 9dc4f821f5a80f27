/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/decode.h"

#include <stdlib.h>

#include "core/error.h"

/* Only its allocator tells whether the decoder ran out of memory. */
static void *allocate(void *user, size_t size) {
  bool *is_short = user;
  void *made = malloc(size ? size : 1);
  if (!made) *is_short = true;
  return made;
}

static void release(void *user, void *memory) {
  (void)user;
  free(memory);
}

static neap_status decode(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                          size_t size, ProtobufCMessage **message, neap_error *error) {
  bool is_short = false;
  ProtobufCAllocator allocator = {allocate, release, &is_short};
  *message = protobuf_c_message_unpack(descriptor, &allocator, size, bytes);
  if (*message) return NEAP_OK;
  return is_short ? error_memory(error)
                  : error_set(error, NEAP_ERROR_INPUT,
                              "broken ONNX model: its fields do not fit into the file");
}

static void clear(ProtobufCMessage *message) {
  bool is_short = false;
  ProtobufCAllocator allocator = {allocate, release, &is_short};
  if (message) protobuf_c_message_free_unpacked(message, &allocator);
}

neap_status onnx_decode_model(const char *text, size_t size, Onnx__Model **model,
                              neap_error *error) {
  ProtobufCMessage *message;
  neap_status status =
      decode(&onnx__model__descriptor, (const uint8_t *)text, size, &message, error);
  if (status == NEAP_OK) *model = (Onnx__Model *)message;
  return status;
}

neap_status onnx_decode_graph(const ProtobufCBinaryData *bytes, Onnx__Graph **graph,
                              neap_error *error) {
  ProtobufCMessage *message;
  neap_status status =
      decode(&onnx__graph__descriptor, bytes->data, bytes->len, &message, error);
  if (status == NEAP_OK) *graph = (Onnx__Graph *)message;
  return status;
}

void onnx_free_model(Onnx__Model *model) { clear((ProtobufCMessage *)model); }

void onnx_free_graph(Onnx__Graph *graph) { clear((ProtobufCMessage *)graph); }
