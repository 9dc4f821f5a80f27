/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which the operators of a model run. */
#ifndef MODELS_ONNX_ORDER_H
#define MODELS_ONNX_ORDER_H

#include "models/onnx/model.h"

/*
 * Fills model->order: the order of the file if every operator comes after those it depends on, a
 * sorted one otherwise.  NEAP_ERROR_INPUT names an operator on a cycle.
 */
neap_status onnx_order_nodes(struct onnx_model *model, neap_error *error);

#endif
