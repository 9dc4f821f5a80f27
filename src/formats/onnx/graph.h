/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the graph of a model whose shapes are known. */
#ifndef FORMATS_ONNX_GRAPH_H
#define FORMATS_ONNX_GRAPH_H

#include "formats/onnx/model.h"

neap_status onnx_graph_build(const struct onnx_model *model, neap_graph **graph,
                             neap_error *error);

#endif
