/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ONNX model as a network: how rows and channels of its tensors depend on each other. */
#ifndef MODELS_ONNX_NETWORK_H
#define MODELS_ONNX_NETWORK_H

#include "models/onnx/model.h"
#include "models/bands/bands.h"

/* The dimension along which tensors are split. */
static inline size_t onnx_dimension(enum band_axis axis) {
  return axis == SPLIT_CHANNELS ? ONNX_CHANNELS : ONNX_ROWS;
}

/*
 * Describes the operators of a prepared model that are not constant, in the order of execution,
 * and sets nodes[k] to the node of operator k; the caller frees *nodes.  Operators that are not
 * known to work row by row are SPLIT_NONE, and likewise by channel in network->channels.  Call
 * band_network_clear in every case.
 */
neap_status onnx_network_read(const struct onnx_model *model, struct band_network *network,
                              size_t **nodes, neap_error *error);

#endif
