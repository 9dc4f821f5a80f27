/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a TensorFlow Lite model.  Tensors are numbered through all subgraphs, those of
 * subgraph 0 first, as TensorFlow Lite Micro numbers them in a plan.
 */
#ifndef MODELS_TFLITE_MODEL_H
#define MODELS_TFLITE_MODEL_H

#include "models/tflite/flatbuffer.h"
#include "neap/neap.h"

/* Shapes of subgraph 0 that replace those in the file (shapes.h); zeroes: none. */
struct tflite_shapes {
  const int64_t **dims; /* of each tensor; NULL: as in the file */
  void *store;          /* holds the dimensions */
};

struct tflite_subgraph {
  struct flat_vector tensors, operators, inputs, outputs;
  size_t first;                       /* the number of its first tensor */
  const struct tflite_shapes *shapes; /* NULL: all shapes are as in the file */
};

struct tflite_model {
  struct flat file;
  struct flat_table root;
  struct flat_vector opcodes, buffers;
  struct tflite_subgraph *subgraphs; /* at least one */
  size_t subgraph_count, tensor_count;
  struct tflite_shapes shapes;
  size_t budget; /* bytes of names and elements of lists that may still be read */
};

/* Call tflite_model_close in every case. */
neap_status tflite_model_open(struct tflite_model *model, const struct flat *file,
                              neap_error *error);
void tflite_model_close(struct tflite_model *model);

/*
 * Accounts for `amount` bytes of the file.  Tables may overlap, so a small file could cause a lot
 * of work.  NEAP_ERROR_INPUT: the amounts add up to more than eight times the file.
 */
neap_status tflite_model_spend(struct tflite_model *model, size_t amount, neap_error *error);

/*
 * Adds to the positions of data after the tables the distance by which the model moves, in
 * `bytes`, which are the model's own or a copy.
 */
neap_status tflite_model_move_data(const struct tflite_model *model, unsigned char *bytes,
                                   size_t distance, neap_error *error);

/* Reads an operator's code: the larger of two fields; the older field has only one byte. */
bool tflite_model_code(const struct tflite_model *model, const struct flat_table *node,
                       uint64_t *code);

/*
 * Reads element `index` of a list of tensors of a subgraph: the number of the tensor, or
 * TFLITE_NONE for an optional tensor that is absent.  `where` and `number` name the list in
 * messages.
 */
#define TFLITE_NONE SIZE_MAX
neap_status tflite_model_tensor(const struct tflite_subgraph *subgraph,
                                const struct flat_vector *list, size_t index, const char *where,
                                size_t number, size_t *tensor, neap_error *error);

/* Dimension `d` of a tensor of a subgraph, whose shape in the file is given. */
int64_t tflite_model_dimension(const struct tflite_subgraph *subgraph, size_t tensor,
                               const struct flat_vector *shape, size_t d);

/* NEAP_ERROR_INPUT: table `index` of kind `what` is beyond the end of the file. */
neap_status tflite_model_broken(const char *what, size_t index, neap_error *error);

/* ---------------------------------------------------------------- metadata */

/*
 * An entry of the metadata: its index, and the buffer with its data; TFLITE_NONE if there is none.
 */
struct tflite_entry {
  size_t index, buffer;
};

/* Finds the last entry of this name. */
neap_status tflite_entry_find(const struct flat_table *model, const char *name,
                              struct tflite_entry *entry, neap_error *error);

/* The bytes of an entry. */
neap_status tflite_entry_data(const struct flat_table *model, const struct tflite_entry *entry,
                              struct flat_vector *data, neap_error *error);

/*
 * The offline memory plan that TensorFlow Lite Micro reads: a buffer of 32-bit numbers that a
 * metadata entry names.  It has a version, the number of subgraphs, the number of offsets, then an
 * offset for each tensor of all subgraphs, -1 if the runtime places it.  The runtime ignores the
 * first two numbers, and other writers put other values there.
 */
#define TFLITE_PLAN "OfflineMemoryAllocation"
#define TFLITE_PLAN_VERSION 1
#define TFLITE_PLAN_HEAD 3  /* numbers before the offsets */
#define TFLITE_ALIGNMENT 16 /* of offsets in TensorFlow Lite Micro */

/*
 * Reads the offsets in a model, one for every tensor; *offsets is released with free(), and NULL if
 * the model holds no plan.
 */
neap_status tflite_plan_offsets(const struct tflite_model *model, int32_t **offsets,
                                neap_error *error);

#endif
