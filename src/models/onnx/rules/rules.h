/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of the operators: one table per file, each ended by a rule without a name. */
#ifndef MODELS_ONNX_RULES_RULES_H
#define MODELS_ONNX_RULES_RULES_H

#include "models/onnx/infer.h"

extern const struct onnx_rule onnx_rules_blocks[];
extern const struct onnx_rule onnx_rules_concat[];
extern const struct onnx_rule onnx_rules_constant[];
extern const struct onnx_rule onnx_rules_einsum[];
extern const struct onnx_rule onnx_rules_elements[];
extern const struct onnx_rule onnx_rules_expand[];
extern const struct onnx_rule onnx_rules_gather[];
extern const struct onnx_rule onnx_rules_matmul[];
extern const struct onnx_rule onnx_rules_nonzero[];
extern const struct onnx_rule onnx_rules_pad[];
extern const struct onnx_rule onnx_rules_random[];
extern const struct onnx_rule onnx_rules_range[];
extern const struct onnx_rule onnx_rules_recurrent[];
extern const struct onnx_rule onnx_rules_reduce[];
extern const struct onnx_rule onnx_rules_reshape[];
extern const struct onnx_rule onnx_rules_resize[];
extern const struct onnx_rule onnx_rules_shape[];
extern const struct onnx_rule onnx_rules_slice[];
extern const struct onnx_rule onnx_rules_split[];
extern const struct onnx_rule onnx_rules_transpose[];
extern const struct onnx_rule onnx_rules_window[];

/* The rule of a standard operator; NULL if there is none. */
const struct onnx_rule *onnx_rule(const char *name);

/* The detail of products: the position of the weights, and flags for the type of the output. */
enum { ONNX_WEIGHTS = 15, ONNX_MAKES_INT32 = 16, ONNX_MAKES_ZERO_POINT_TYPE = 32 };
int onnx_product_type(const struct onnx_infer *infer); /* once its first input is known */

/*
 * Find the padding of a window along all spatial axes, or of Pad along all axes: first all
 * amounts before, then all after.  Outside the rules, only call these if `rows` has succeeded.
 */
bool onnx_window_pads(struct onnx_infer *infer, int64_t pads[2 * ONNX_MAX_RANK]);
bool onnx_pad_pads(struct onnx_infer *infer, int64_t pads[2 * ONNX_MAX_RANK]);

#endif
