/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of steps that replaces a model's operators: in another order, with operators that run
 * again, or in bands.  Each file format writes the steps as its own operators.
 */
#ifndef MODELS_OPERATORS_STEPS_H
#define MODELS_OPERATORS_STEPS_H

#include "models/bands/bands.h"
#include "neap/graph.h"

/* Rows or channels of an old tensor, or all of it, made by a further run. */
struct step_tensor {
  size_t like;
  const char *name; /* of what a further run makes; NULL: rows or channels */
  int64_t rows;
  enum band_axis axis;
};

enum step_kind {
  STEP_OLD,   /* operator `like`, as it is */
  STEP_AGAIN, /* operator `like`, which reads the newest and makes `output_count` new tensors */
  STEP_BANDED, /* operator `like`, on the rows `rows.given`, which makes rows.made */
  STEP_SLICE,  /* rows rows.given of its only input */
  STEP_CONCATENATION,
  /* Only a format adds these: */
  STEP_PAD,     /* pads its first input */
  STEP_CONSTANT /* makes what operator `like` makes, which is known */
};

/*
 * A step.  Tensors from old_count on are new ones.  An operator that runs again makes as many from
 * `output` on as the old one makes, in their order; if it runs for the first time, none.
 */
struct step {
  enum step_kind kind;
  enum band_axis axis;
  size_t like;
  size_t links, link_count, output, output_count;
  struct band_rows rows;
};

struct steps {
  size_t old_count; /* tensors of the model */
  struct step_tensor *tensors;
  struct step *items;
  size_t *links;    /* inputs of bands, slices and concatenations */
  size_t *vanished; /* old tensors that no step makes any more */
  /* Of an order: */
  neap_graph *runs; /* has an operator for each run, and the names of new tensors */
  size_t *newest;   /* per old tensor: what the next step reads */
  size_t tensor_count, count, link_count, vanished_count;
  size_t tensor_capacity, capacity, link_capacity;
  bool is_short; /* of memory */
};

/* Add to a list; it is short if memory is. */
size_t steps_add_tensor(struct steps *steps, const struct step_tensor *tensor);
void steps_add(struct steps *steps, const struct step *step, const size_t *links, size_t count);

/*
 * Fills a list that has only old_count with the runs of an order, all of which are operators of
 * the graph.  The tensors of the model are the first of the graph.  Further runs make new
 * tensors with the names of neap_graph_recompute.
 */
neap_status steps_of_order(struct steps *steps, const neap_graph *graph,
                           const neap_operator_order *order, neap_error *error);

/* Later steps read what this one makes. */
void steps_follow(struct steps *steps, const struct step *step);

/* Releases the contents of a list, but not the list itself. */
void steps_clear(struct steps *steps);

#endif
