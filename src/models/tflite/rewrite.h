/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model in which a list of steps replaces the operators.  rewrite.c turns the steps into
 * operators and tensors; copy.c writes them.
 */
#ifndef MODELS_TFLITE_REWRITE_H
#define MODELS_TFLITE_REWRITE_H

#include "models/operators/steps.h"
#include "models/tflite/model.h"

#define NUMBERS_MAX 8 /* of a constant */

/* A new tensor: rows, channels or some weights of an old one, a copy of it, or a constant. */
struct made_tensor {
  size_t like;      /* TFLITE_NONE: a constant */
  const char *name; /* of a copy; NULL: the tensor is no copy */
  size_t axis;
  int64_t rows, first; /* of weights: the rows from `first` on */
  int64_t columns;     /* 0: as many as the old tensor has */
  bool is_weights;
  int32_t numbers[NUMBERS_MAX];
  size_t count;
  size_t next; /* in the same bucket, plus one as in `buckets` */
};

/* The input and the output of the subgraph. */
struct ends {
  bool are_old;
  size_t input, output;
};

struct rewriter {
  const struct tflite_model *model;
  const struct band_network *network; /* computed in bands; NULL: there are no bands */
  struct ends ends;
  struct steps steps; /* of the network or the graph */
  /*
   * The steps as operators of the model: `like` is the index in its list, and links have all
   * inputs; the links of an operator that runs again end in its output_count outputs.
   */
  struct steps made;
  size_t *tensor_of;           /* for each new tensor of the steps */
  struct made_tensor *tensors; /* the new tensors */
  /* By old tensor, plus one: the last of its new weights, and of the constants hashed to it. */
  size_t *buckets;
  size_t tensor_count, tensor_capacity;
  /* Only in a copy for measuring, for which the runtime would allocate unused tensors. */
  bool *is_used;
  size_t unused;    /* the constant that replaces unused tensors */
  size_t subgraphs; /* in the copy: the new one, and any that it calls */
  bool is_broken;   /* the model is broken */
};

static inline size_t old_count(const struct rewriter *rewriter) {
  return rewriter->steps.old_count;
}

/*
 * Makes a copy of the model whose main subgraph has these steps, after the operators that the
 * network lacks. *bytes is released with free().  NEAP_ERROR_FORMAT: the model has parts that
 * cannot be copied, or becomes too large.  Call tflite_rewriter_clear in every case.
 */
neap_status tflite_rewrite(struct rewriter *rewriter, char **bytes, size_t *size,
                           neap_error *error);
void tflite_rewriter_clear(struct rewriter *rewriter);

/* The dimension along which a tensor of the network is cut. */
size_t tflite_dimension(const struct tflite_model *model, size_t tensor, enum band_axis axis);

/* Writes a new head before the old model, once operators and tensors have been made. */
neap_status tflite_rewriter_write(const struct rewriter *rewriter, char **bytes, size_t *size,
                                  neap_error *error);

#endif
