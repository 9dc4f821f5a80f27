/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infers the outputs of one operator.  A rule finds the shapes of the outputs from those of the
 * inputs, the attributes and, if necessary, the elements of inputs.  A fold finds the elements
 * of small outputs, so that computed shapes are also known.
 *
 * A rule that fails sets the reason with onnx_fail and returns false; a fold only returns false.
 */
#ifndef MODELS_ONNX_INFER_H
#define MODELS_ONNX_INFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/bands/bands.h"
#include "models/onnx/onnx.pb-c.h"

/* ---------------------------------------------------------------- tensor */

/* The element type and shape of an ONNX tensor and, if it is small, its elements. */

#define ONNX_MAX_RANK 32
#define ONNX_MAX_VALUES 4096 /* limit on the elements of a tensor that are kept */

/* Element types, numbered as in the ONNX specification. */
enum onnx_type {
  ONNX_UNDEFINED = 0,
  ONNX_FLOAT = 1,
  ONNX_UINT8 = 2,
  ONNX_INT8 = 3,
  ONNX_UINT16 = 4,
  ONNX_INT16 = 5,
  ONNX_INT32 = 6,
  ONNX_INT64 = 7,
  ONNX_STRING = 8,
  ONNX_BOOL = 9,
  ONNX_DOUBLE = 11,
  ONNX_UINT32 = 12
};

struct onnx_shape {
  bool is_known; /* the shape; the type may be known without it */
  int type;      /* ONNX_UNDEFINED: unknown */
  size_t rank;
  int64_t dims[ONNX_MAX_RANK]; /* >= 0; -1: unknown, only where stated */
};

union onnx_number {
  int64_t integer;
  double real;
};

struct onnx_values {
  size_t count;
  bool is_real;
  union onnx_number items[];
};

/* Bits of an element; 0 for types without a fixed width. */
int64_t onnx_bits(int type);

/* "float16"; "unknown type" for an unknown number. */
const char *onnx_type_name(int type);

/* The name that all formats use for the type, such as float32 for ONNX's float; NULL: unknown. */
const char *onnx_dtype(int type);

/* False if there are too many. */
bool onnx_elements(const struct onnx_shape *shape, int64_t *count);
bool onnx_bytes(const struct onnx_shape *shape, int64_t *bytes);

bool onnx_same_dims(const struct onnx_shape *a, const struct onnx_shape *b);

/* Whether the elements can be kept: the shape is known, the type is supported, and they are few. */
bool onnx_is_foldable(const struct onnx_shape *shape);

/* Zeroes, released with free(); NULL if memory is short. */
struct onnx_values *onnx_values_new(const struct onnx_shape *shape);

/* False if the tensor's rank or dimensions are out of range; *why is then the reason. */
bool onnx_tensor_shape(const Onnx__Tensor *tensor, struct onnx_shape *shape, const char **why);

/* Fills `values`, made for the tensor's shape; false if its elements are not in the file. */
bool onnx_tensor_values(const Onnx__Tensor *tensor, struct onnx_values *values);

/* Whether the type can hold the number. */
bool onnx_fits(int type, int64_t number);

/* ---------------------------------------------------------------- infer */

#define ONNX_MIN_OUTPUTS 8            /* which every rule may fill */
#define ONNX_LARGE (INT64_C(1) << 31) /* limit on extents, against overflow */

#define ONNX_ROWS 2     /* the first axis after the channels */
#define ONNX_CHANNELS 1 /* the axis along which groups are split */

struct onnx_infer {
  const Onnx__Node *node;
  const struct onnx_rule *rule;
  int64_t opset;
  size_t input_count, output_count;
  const struct onnx_shape **shapes;  /* of inputs; NULL: absent */
  const struct onnx_values **values; /* of inputs; NULL: unknown */
  struct onnx_shape *outputs;        /* at least ONNX_MIN_OUTPUTS */
  struct onnx_values **made;         /* of outputs, with room for all elements */
  char why[160];
};

/* The bytes that the first output may use. */
enum onnx_place {
  ONNX_APART,
  ONNX_VIEW,  /* those of the first input, whose data it is in another shape */
  ONNX_FIRST, /* those of the first input: elements depend on those at the same position */
  ONNX_ANY    /* those of any input, for the same reason */
};

struct onnx_rule {
  const char *name; /* the operator's type */
  bool (*shape)(struct onnx_infer *infer);
  enum onnx_place place;
  int detail; /* tells operators apart that share a rule */
  bool (*fold)(struct onnx_infer *infer);
  int fold_detail;
  bool folds_shapes; /* needs no elements of inputs */
  /*
   * Finds how rows, along axis ONNX_ROWS, depend on those of the first input.  Needs the shape
   * of the first output.  False: not row by row.  NULL: by `place`.
   */
  bool (*rows)(struct onnx_infer *infer, struct band_rule *rule);
  /* Likewise along axis ONNX_CHANNELS; NULL: by `place`, if `rows` is also NULL. */
  bool (*channels)(struct onnx_infer *infer, struct band_rule *rule);
  bool is_random; /* differs from run to run, even with constant inputs */
};

/* Sets the reason for a failure and returns false. */
__attribute__((format(printf, 2, 3))) bool onnx_fail(struct onnx_infer *infer,
                                                     const char *format, ...);

/* Infers the shapes of the outputs; false if that fails. */
bool onnx_infer_shapes(struct onnx_infer *infer);

/* ---------------------------------------------------------------- inputs, for rules */

/* Whether input `i` is present. */
static inline bool onnx_has(const struct onnx_infer *infer, size_t i) {
  return i < infer->input_count && infer->shapes[i];
}

/* The shape of input `i`; NULL, with the reason set, if it is unknown. */
const struct onnx_shape *onnx_input(struct onnx_infer *infer, size_t i);

/* Also requires at least `least` dimensions. */
const struct onnx_shape *onnx_input_of_rank(struct onnx_infer *infer, size_t i, size_t least);

/* The type of input `i`; ONNX_UNDEFINED if it is unknown. */
int onnx_input_type(const struct onnx_infer *infer, size_t i);

/* The elements of input `i`, as integers; NULL, with the reason set, if they are unknown. */
const struct onnx_values *onnx_integers(struct onnx_infer *infer, size_t i);

/* A list of integers, an input in newer versions of an operator and an attribute in older ones. */
struct onnx_list {
  bool is_given;
  size_t count;
  const int64_t *integers;          /* from an attribute */
  const struct onnx_values *values; /* or from an input */
};

static inline int64_t onnx_list_at(const struct onnx_list *list, size_t i) {
  return list->integers ? list->integers[i] : list->values->items[i].integer;
}

/* ---------------------------------------------------------------- attributes, for rules */

/* NULL if the operator does not have it. */
const Onnx__Attribute *onnx_attribute(const struct onnx_infer *infer, const char *name);

/* An integer; `otherwise` if it is absent. */
int64_t onnx_attribute_integer(const struct onnx_infer *infer, const char *name,
                               int64_t otherwise);

/* A list of integers; not given if it is absent. */
struct onnx_list onnx_attribute_list(const struct onnx_infer *infer, const char *name);

/* Whether the attribute is present and equals `text`. */
bool onnx_attribute_is(const struct onnx_infer *infer, const char *name, const char *text);

/* Reads input `i` if present, otherwise the attribute; false if the elements are unknown. */
bool onnx_list(struct onnx_infer *infer, size_t i, const char *name, struct onnx_list *list);

/* Resolves an axis, which may count from the end, of `rank` dimensions. */
bool onnx_axis(struct onnx_infer *infer, int64_t axis, size_t rank, size_t *position);

/* Marks the axes in the list; none if the list is empty or absent. */
bool onnx_axes(struct onnx_infer *infer, const struct onnx_list *list, size_t rank,
               bool marked[ONNX_MAX_RANK]);

/* ---------------------------------------------------------------- outputs */

/* Starts output `i` with a type and without dimensions. */
struct onnx_shape *onnx_output(struct onnx_infer *infer, size_t i, int type);

/* Starts output `i` with a type and the dimensions of a shape. */
struct onnx_shape *onnx_output_like(struct onnx_infer *infer, size_t i, int type,
                                    const struct onnx_shape *shape);

/* Adds a dimension; false, with the reason set, if there are too many. */
bool onnx_push(struct onnx_infer *infer, struct onnx_shape *shape, int64_t dimension);

/* Broadcasts two shapes by numpy's rules. */
bool onnx_broadcast(struct onnx_infer *infer, const struct onnx_shape *a,
                    const struct onnx_shape *b, struct onnx_shape *result);

#endif
