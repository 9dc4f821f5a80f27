/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds which tensors have bytes in common in every order of the operators.  A value is a run
 * of bytes with one content, which its maker writes and others only read.  A tensor covers one
 * value or more.  The bytes alive at a moment are those of all values that live tensors cover.
 */
#ifndef MODEL_VALUES_H
#define MODEL_VALUES_H

#include "model/graph.h"

struct values {
  size_t count;
  neap_size *sizes; /* per value; 0 if it is not planned */
  bool *is_divided; /* per value: whether a tensor covers it and others; NULL: no value is */
  /* The values that tensor t covers end at ends[t] in items. */
  size_t *ends, *items;
};

/*
 * Begin with zeroes; clear even on failure.  O(tensors + links) if no tensor is a part of
 * another; otherwise the cost of aliases_init plus the length of the lists.
 */
neap_status values_init(struct values *values, const struct neap_graph *graph,
                        const neap_liveness *options, neap_error *error);
void values_clear(struct values *values);

static inline size_t values_begin(const struct values *values, size_t tensor) {
  return tensor == 0 ? 0 : values->ends[tensor - 1];
}

/*
 * The value of a tensor that may overlap another or take its bytes in place.  It covers exactly
 * one value, and no tensor covers this value together with others.  VALUES_NONE: there is none.
 */
#define VALUES_NONE SIZE_MAX
size_t values_alone(const struct values *values, size_t tensor);

#endif
