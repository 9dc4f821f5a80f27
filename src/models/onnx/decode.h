/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the messages of an ONNX file. */
#ifndef MODELS_ONNX_DECODE_H
#define MODELS_ONNX_DECODE_H

#include "models/onnx/onnx.pb-c.h"
#include "neap/neap.h"

/*
 * NEAP_ERROR_INPUT: the bytes are no such message.  Release with the functions below; NULL does
 * nothing.
 */
neap_status onnx_decode_model(const char *text, size_t size, Onnx__Model **model,
                              neap_error *error);
neap_status onnx_decode_graph(const ProtobufCBinaryData *bytes, Onnx__Graph **graph,
                              neap_error *error);
void onnx_free_model(Onnx__Model *model);
void onnx_free_graph(Onnx__Graph *graph);

#endif
