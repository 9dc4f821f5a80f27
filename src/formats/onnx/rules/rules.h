/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules by family, each list ending with a rule without a name, and the folds that they share. */
#ifndef FORMATS_ONNX_RULES_RULES_H
#define FORMATS_ONNX_RULES_RULES_H

#include "formats/onnx/infer.h"

extern const struct onnx_rule onnx_rules_elements[];
extern const struct onnx_rule onnx_rules_gather[];
extern const struct onnx_rule onnx_rules_layout[];
extern const struct onnx_rule onnx_rules_make[];
extern const struct onnx_rule onnx_rules_matrix[];
extern const struct onnx_rule onnx_rules_recurrent[];
extern const struct onnx_rule onnx_rules_reduce[];
extern const struct onnx_rule onnx_rules_resize[];
extern const struct onnx_rule onnx_rules_slice[];
extern const struct onnx_rule onnx_rules_window[];

/* The output has the shape of the first input. */
bool onnx_shape_same(struct onnx_infer *infer);

/* ---------------------------------------------------------------- folds */

/* Copies the elements of the first input. */
bool onnx_fold_copy(struct onnx_infer *infer);

/* The fold_detail of onnx_fold_number and onnx_fold_reduce. */
enum onnx_operation {
  ONNX_ADD,
  ONNX_SUBTRACT,
  ONNX_MULTIPLY,
  ONNX_DIVIDE,
  ONNX_MODULO,
  ONNX_LEAST,
  ONNX_LARGEST,
  ONNX_EQUAL,
  ONNX_LESS,
  ONNX_LESS_OR_EQUAL,
  ONNX_GREATER,
  ONNX_GREATER_OR_EQUAL,
  ONNX_AND,
  ONNX_OR,
  ONNX_NEGATE,
  ONNX_NOT,
  ONNX_FLOOR,
  ONNX_CEIL,
  ONNX_ROOT
};

/* Compute element by element, with broadcasting, from one or more inputs. */
bool onnx_fold_number(struct onnx_infer *infer);
bool onnx_fold_unary(struct onnx_infer *infer);
bool onnx_fold_cast(struct onnx_infer *infer);
bool onnx_fold_where(struct onnx_infer *infer);

/* Reduces all elements to one. */
bool onnx_fold_reduce(struct onnx_infer *infer);

bool onnx_fold_concat(struct onnx_infer *infer);
bool onnx_fold_expand(struct onnx_infer *infer);
bool onnx_fold_gather(struct onnx_infer *infer);
bool onnx_fold_slice(struct onnx_infer *infer);
bool onnx_fold_split(struct onnx_infer *infer);
bool onnx_fold_transpose(struct onnx_infer *infer);

/* Converts a number to another type; false if it does not fit. */
bool onnx_convert(union onnx_number number, bool is_real, int type, union onnx_number *result);

/* ---------------------------------------------------------------- shared by shape and fold */

/* The part of an axis that Slice takes. */
struct onnx_part {
  int64_t start, step, count;
};
bool onnx_slice_parts(struct onnx_infer *infer, const struct onnx_shape *data,
                      struct onnx_part parts[ONNX_MAX_RANK]);

/* The order of axes that Transpose makes. */
bool onnx_transpose_order(struct onnx_infer *infer, size_t rank, size_t order[ONNX_MAX_RANK]);

#endif
