/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model in bands has that the old one has not: split.c makes it, split_write.c writes it. */
#ifndef MODELS_TFLITE_SPLIT_PARTS_H
#define MODELS_TFLITE_SPLIT_PARTS_H

#include "models/bands/format.h"
#include "models/tflite/model.h"

#define NUMBERS_MAX 8 /* of a constant */

/* A new tensor: rows or channels of an old one, some of its weights, or a constant. */
struct made_tensor {
  size_t like; /* TFLITE_NONE: a constant */
  size_t axis;
  int64_t rows, first; /* of weights, those from `first` on */
  int64_t columns;     /* 0: as many as the old one has */
  bool is_weights;
  int32_t numbers[NUMBERS_MAX];
  size_t count;
  size_t next; /* in the same bucket of the splitter, likewise */
};

/* A new operator.  Tensors from `old_count` on are new. */
struct made_operator {
  size_t like; /* TFLITE_NONE: a new one */
  uint64_t code;
  size_t axis; /* of a concatenation */
  size_t links, link_count, output;
  bool is_old;   /* the old one as it is */
  bool is_valid; /* with VALID in the place of SAME */
};

struct splitter {
  const struct tflite_model *model;
  const struct split_network *network;
  struct steps steps;
  size_t *tensor_of; /* for each new tensor of the steps */
  struct made_tensor *tensors;
  struct made_operator *operators;
  size_t *links;
  /* For each old tensor, the last of its new weights, and of some new constants: its number plus one. */
  size_t *buckets;
  size_t tensor_count, operator_count, link_count;
  size_t tensor_capacity, operator_capacity, link_capacity;
  /* Only in a copy that is to be measured, for which the runtime would allocate unused tensors. */
  bool *is_used;
  size_t unused; /* the constant that takes their place */
  size_t subgraphs; /* in the copy: the one in bands, and those that its operators call */
  bool is_short; /* of memory */
};

static inline size_t old_count(const struct splitter *splitter) {
  return splitter->network->tensor_count;
}

/* What a copy's subgraph takes and returns. */
struct ends {
  bool are_old;
  size_t input, output;
};

/* Writes the new head before the old model. */
neap_status tflite_split_write(const struct splitter *splitter, const struct ends *ends,
                               struct split_copy *split, neap_error *error);

#endif
