/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inferring what one operator makes.  A rule finds the shapes of the outputs from those of the
 * inputs, the attributes and, where it must, the elements of inputs; a fold finds the elements
 * of small outputs, so that shapes that are computed within a model are known, too.
 *
 * A rule or fold that cannot do so says why with onnx_fail and is false.
 */
#ifndef FORMATS_ONNX_INFER_H
#define FORMATS_ONNX_INFER_H

#include "formats/onnx_tensor.h"

#define ONNX_MIN_OUTPUTS 8            /* of which every rule may fill as many as it likes */
#define ONNX_LARGE (INT64_C(1) << 31) /* above it, extents of windows are not computed with */

struct onnx_infer {
  const Onnx__Node *node;
  const struct onnx_rule *rule;
  int64_t opset;
  size_t input_count, output_count;
  const struct onnx_shape **shapes;  /* of inputs; NULL: not given */
  const struct onnx_values **values; /* of inputs; NULL: not known */
  struct onnx_shape *outputs;        /* at least ONNX_MIN_OUTPUTS */
  struct onnx_values **made;         /* of outputs, with room for all of their elements */
  char why[160];
};

/* Where an output may be. */
enum onnx_place {
  ONNX_APART,
  ONNX_VIEW,  /* the first output is the first input's data under another shape */
  ONNX_FIRST, /* each element is made of the one at the same place in the first input */
  ONNX_ANY    /* the same of all inputs */
};

struct onnx_rule {
  const char *name; /* the operator's type */
  bool (*shape)(struct onnx_infer *infer);
  enum onnx_place place;
  int detail; /* what tells operators apart that share a rule */
  bool (*fold)(struct onnx_infer *infer);
  int fold_detail;
  bool folds_shapes; /* without the inputs' elements */
  bool is_random;    /* never the same, whatever its inputs are */
};

/* Of the standard operators; NULL where there is none. */
const struct onnx_rule *onnx_rule(const char *name);

/* False, having said why. */
__attribute__((format(printf, 2, 3))) bool onnx_fail(struct onnx_infer *infer,
                                                     const char *format, ...);

/* Finds the outputs' shapes; false where they cannot be. */
bool onnx_infer_shapes(struct onnx_infer *infer);

/* ---------------------------------------------------------------- inputs, for rules */

/* Whether input `i` is given. */
static inline bool onnx_has(const struct onnx_infer *infer, size_t i) {
  return i < infer->input_count && infer->shapes[i];
}

/* The shape of input `i`; NULL, having said why, where it is not known. */
const struct onnx_shape *onnx_input(struct onnx_infer *infer, size_t i);

/* The same where it must have `least` dimensions. */
const struct onnx_shape *onnx_input_of_rank(struct onnx_infer *infer, size_t i, size_t least);

/* The type of input `i`, ONNX_UNDEFINED where it is not known. */
int onnx_input_type(const struct onnx_infer *infer, size_t i);

/*
 * The elements of input `i`, which are integers; NULL, having said why, where they are not known.
 */
const struct onnx_values *onnx_integers(struct onnx_infer *infer, size_t i);

/* A list of integers that newer operators take as an input and older as an attribute. */
struct onnx_list {
  bool is_given;
  size_t count;
  const int64_t *integers;          /* an attribute's */
  const struct onnx_values *values; /* or an input's */
};

static inline int64_t onnx_list_at(const struct onnx_list *list, size_t i) {
  return list->integers ? list->integers[i] : list->values->items[i].integer;
}

/*
 * Input `i` where that is given, otherwise the attribute; false where its elements are not known.
 */
bool onnx_list(struct onnx_infer *infer, size_t i, const char *name, struct onnx_list *list);

/* An axis, which may count from the end, of a shape with so many. */
bool onnx_axis(struct onnx_infer *infer, int64_t axis, size_t rank, size_t *position);

/* Every axis that the list names, marked; where it names none, or is not given, none. */
bool onnx_axes(struct onnx_infer *infer, const struct onnx_list *list, size_t rank,
               bool marked[ONNX_MAX_RANK]);

/* ---------------------------------------------------------------- attributes */

const Onnx__Attribute *onnx_attribute(const struct onnx_infer *infer, const char *name);
int64_t onnx_attribute_integer(const struct onnx_infer *infer, const char *name,
                               int64_t otherwise);
struct onnx_list onnx_attribute_list(const struct onnx_infer *infer, const char *name);
bool onnx_attribute_is(const struct onnx_infer *infer, const char *name, const char *text);

/* ---------------------------------------------------------------- outputs */

/* Output `i`, of that type, as yet without dimensions. */
struct onnx_shape *onnx_output(struct onnx_infer *infer, size_t i, int type);

/* Output `i` with the dimensions of a shape. */
struct onnx_shape *onnx_output_like(struct onnx_infer *infer, size_t i, int type,
                                    const struct onnx_shape *shape);

/* One more dimension; false, having said why, where there are too many. */
bool onnx_push(struct onnx_infer *infer, struct onnx_shape *shape, int64_t dimension);

/* Dimensions of both by numpy's rules: 1 goes with everything. */
bool onnx_broadcast(struct onnx_infer *infer, const struct onnx_shape *a,
                    const struct onnx_shape *b, struct onnx_shape *result);

#endif
