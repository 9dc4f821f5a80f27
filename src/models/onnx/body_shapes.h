/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shapes at the ends of bodies: the inputs of the bodies of an If, Loop or Scan, and its
 * outputs from their results.
 */
#ifndef MODELS_ONNX_BODY_SHAPES_H
#define MODELS_ONNX_BODY_SHAPES_H

#include "models/onnx/model.h"

/*
 * Sets the shapes of the inputs of a body of a node; false, with the reason in infer->why, if they
 * are not known.
 */
bool onnx_body_enter(struct onnx_model *model, size_t node, size_t body,
                     struct onnx_infer *infer);

/*
 * Sets infer->outputs, which describes the node, by the results of its bodies that are planned;
 * dimensions that these do not tell are -1.  False, with the reason, if they are not known.
 */
bool onnx_body_leave(const struct onnx_model *model, size_t node, struct onnx_infer *infer);

/* The bodies that may run: the branch that is known to be taken, or all. */
bool onnx_body_may_run(const struct onnx_model *model, size_t node, size_t body);

/*
 * The tensor in a body that has the state behind output `i` of its node, if that output is absent
 * and nothing else keeps it from turn to turn; ONNX_NONE: none.
 */
size_t onnx_body_state(const struct onnx_model *model, size_t node, size_t body, size_t i);

#endif
