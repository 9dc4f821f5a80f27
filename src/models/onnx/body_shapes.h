/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes shapes into the bodies of an If, Loop or Scan, and from their results to its outputs. */
#ifndef MODELS_ONNX_BODY_SHAPES_H
#define MODELS_ONNX_BODY_SHAPES_H

#include "models/onnx/model.h"

/*
 * Sets the shapes of a body's inputs from those of its node; false, with the reason in infer->why,
 * if they are not known.
 */
bool onnx_body_enter(struct onnx_model *model, size_t node, size_t body,
                     struct onnx_infer *infer);

/*
 * Sets infer->outputs, the shapes of the node's outputs, from the results of its planned bodies.
 * Dimensions that these leave open are -1.  False, with the reason in infer->why, if it fails.
 */
bool onnx_body_leave(const struct onnx_model *model, size_t node, struct onnx_infer *infer);

/* Whether a body may run: all may, except a branch that is known not to be taken. */
bool onnx_body_may_run(const struct onnx_model *model, size_t node, size_t body);

/*
 * The input of a planned body that holds the state for output `i` of its Loop or Scan, if that
 * output is absent, so that nothing else keeps the state from turn to turn; ONNX_NONE: none.
 */
size_t onnx_body_state(const struct onnx_model *model, size_t node, size_t body, size_t i);

#endif
