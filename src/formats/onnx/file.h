/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of an ONNX file, decoded. */
#ifndef FORMATS_ONNX_FILE_H
#define FORMATS_ONNX_FILE_H

#include "formats/onnx/onnx.pb-c.h"
#include "neap/neap.h"

/* Each sets its pointer on NEAP_OK only; NEAP_ERROR_INPUT: the bytes are no such message. */
neap_status onnx_file_model(const char *text, size_t size, Onnx__Model **model,
                            neap_error *error);
neap_status onnx_file_graph(const ProtobufCBinaryData *bytes, Onnx__Graph **graph,
                            neap_error *error);

/* NULL-safe. */
void onnx_file_free_model(Onnx__Model *model);
void onnx_file_free_graph(Onnx__Graph *graph);

#endif
