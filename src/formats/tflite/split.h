/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a copy of a TensorFlow Lite model in which segments are computed in bands. */
#ifndef FORMATS_TFLITE_SPLIT_H
#define FORMATS_TFLITE_SPLIT_H

#include "formats/tflite/model.h"
#include "split/search.h"

struct tflite_split {
  char *bytes; /* released with free() */
  size_t size, operators;
};

/*
 * The pieces follow each other.  If they cover the network, inputs and outputs of the model stay as
 * they are; otherwise, they are the tensors at the cuts, and the result is only to be measured.
 * A plan in the model does not fit the copy, which has none.  NEAP_ERROR_FORMAT: the model has
 * parts that cannot be copied, or becomes too large.
 */
neap_status tflite_split_write(const struct tflite_model *model,
                               const struct split_network *network,
                               struct split_piece *const *pieces, size_t count,
                               struct tflite_split *split, neap_error *error);

/* NEAP_ERROR_FORMAT: the model cannot be split, whatever the pieces. */
neap_status tflite_split_check(const struct tflite_model *model, neap_error *error);

#endif
