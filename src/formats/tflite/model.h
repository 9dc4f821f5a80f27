/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a TensorFlow Lite model.  Tensors are numbered through all subgraphs, those of
 * subgraph 0 first, as TensorFlow Lite Micro numbers them in a plan.
 */
#ifndef FORMATS_TFLITE_MODEL_H
#define FORMATS_TFLITE_MODEL_H

#include "formats/tflite/flat.h"
#include "neap/neap.h"

struct tflite_subgraph {
  struct flat_vector tensors, operators, inputs, outputs;
  size_t first; /* the number of its first tensor */
};

struct tflite_model {
  struct flat file;
  struct flat_table root;
  struct flat_vector opcodes, buffers;
  struct tflite_subgraph *subgraphs; /* at least one */
  size_t subgraph_count, tensor_count;
  size_t read; /* bytes of names and elements of lists that were read so far */
};

/* Call tflite_model_close in every case. */
neap_status tflite_model_open(struct tflite_model *model, const struct flat *file,
                              neap_error *error);
void tflite_model_close(struct tflite_model *model);

/*
 * Accounts for `amount` bytes of the file.  Tables may overlap, so a small file could cause a
 * lot of work.  NEAP_ERROR_INPUT: they add up to more than the file.
 */
neap_status tflite_model_spend(struct tflite_model *model, size_t amount, neap_error *error);

/* Reads an operator's code: the larger of two fields, the older of which has one byte. */
bool tflite_model_code(const struct tflite_model *model, const struct flat_table *node,
                       uint64_t *code);

/*
 * Reads element `index` of a list of tensors of a subgraph: the tensor's number, or TFLITE_NONE for
 * one that is optional and absent.  `where` and `number` name the list in messages.
 */
#define TFLITE_NONE SIZE_MAX
neap_status tflite_model_tensor(const struct tflite_subgraph *subgraph,
                                const struct flat_vector *list, size_t index, const char *where,
                                size_t number, size_t *tensor, neap_error *error);

/* NEAP_ERROR_INPUT: table `index` of kind `what` points outside the file. */
neap_status tflite_model_broken(const char *what, size_t index, neap_error *error);

#endif
