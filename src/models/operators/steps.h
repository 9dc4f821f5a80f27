/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of steps that replaces a model's operators: in another order, with operators that run
 * again, or in bands.  Each file format writes the steps as its own operators.
 */
#ifndef MODELS_OPERATORS_STEPS_H
#define MODELS_OPERATORS_STEPS_H

#include "models/bands/bands.h"
#include "neap/graph.h"

/* Some rows or channels of an old tensor, or its copy that a further run makes. */
struct step_tensor {
  size_t like;
  const char *name; /* of such a copy; NULL: rows or channels */
  int64_t rows;
  enum band_axis axis;
};

enum step_kind {
  STEP_OLD,    /* operator `like`, as it is */
  STEP_AGAIN,  /* operator `like`: reads the newest tensors and makes `output_count` new ones */
  STEP_BANDED, /* operator `like`, on the rows `rows.given`, which makes rows.made */
  STEP_SLICE,  /* rows rows.given of its only input */
  STEP_CONCATENATION,
  /* Only a format adds these: */
  STEP_PAD,     /* pads its first input */
  STEP_CONSTANT /* the outputs of operator `like`, which are known */
};

/*
 * A step.  Tensors from old_count on are new.  STEP_AGAIN makes those from `output` on, one for
 * each output of operator `like`, in the same order; in the operator's first run, none.
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

/* Add to a list; set is_short if memory is short. */
size_t steps_add_tensor(struct steps *steps, const struct step_tensor *tensor);
void steps_add(struct steps *steps, const struct step *step, const size_t *links, size_t count);

/*
 * Fills a list that has only old_count with the runs of an order of the graph.  The model's tensors
 * are the first of the graph.  New tensors get the names that neap_graph_recompute gives them.
 */
neap_status steps_of_order(struct steps *steps, const neap_graph *graph,
                           const neap_operator_order *order, neap_error *error);

/* Makes the outputs of a step the newest, which later steps read. */
void steps_follow(struct steps *steps, const struct step *step);

/* Releases the contents of a list, but not the list itself. */
void steps_clear(struct steps *steps);

#endif
