/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of steps that takes the place of a model's operators, where pieces of it are computed in bands.
 *
 * No file formats: each of them writes these steps as its own operators.
 */
#ifndef MODELS_OPERATORS_STEPS_H
#define MODELS_OPERATORS_STEPS_H

#include "models/bands/bands.h"

/* Rows or channels of an old tensor. */
struct step_tensor {
  size_t like;
  int64_t rows;
  enum split_axis axis;
};

enum step_kind {
  STEP_OLD,    /* operator `like`, as it is */
  STEP_BANDED, /* operator `like`, on the rows `rows.given`, which makes rows.made */
  STEP_SLICE,  /* rows rows.given of its only input */
  STEP_CONCATENATION
};

/* A step.  Tensors from old_count on are new ones. */
struct step {
  enum step_kind kind;
  enum split_axis axis;
  size_t like;
  size_t links, link_count, output; /* not of an old one */
  struct split_rows rows;
};

struct steps {
  size_t old_count; /* tensors of the model */
  struct step_tensor *tensors;
  struct step *items;
  size_t *links;    /* inputs of bands, slices and concatenations */
  size_t *vanished; /* old tensors that no step makes any more */
  size_t tensor_count, count, link_count, vanished_count;
  size_t tensor_capacity, capacity, link_capacity;
  bool is_short; /* of memory */
};

/* Add to a list; it is short if memory is. */
size_t steps_add_tensor(struct steps *steps, const struct step_tensor *tensor);
void steps_add(struct steps *steps, const struct step *step, const size_t *links, size_t count);

/* Releases what a list has, but not itself. */
void steps_clear(struct steps *steps);

#endif
