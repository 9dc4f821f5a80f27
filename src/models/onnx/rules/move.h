/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for folds that move elements without changing them. */
#ifndef MODELS_ONNX_RULES_MOVE_H
#define MODELS_ONNX_RULES_MOVE_H

#include "models/onnx/infer.h"

/* Finds the distance, in elements, between neighbours along each axis. */
void onnx_move_strides(const struct onnx_shape *shape, int64_t strides[ONNX_MAX_RANK]);

/* Fills `to`, which has `shape`: its element (i, j, ...) is from[at + i * steps[0] + ...]. */
void onnx_move_walk(const struct onnx_shape *shape, const int64_t *steps, int64_t at,
                    const struct onnx_values *from, struct onnx_values *to);

/* The attribute `axis`, which the shape rule has checked, as an axis of the first input. */
size_t onnx_move_axis(struct onnx_infer *infer, int64_t otherwise);

/* A fold: copies the elements of the first input. */
bool onnx_move_copy(struct onnx_infer *infer);

#endif
