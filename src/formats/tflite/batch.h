/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The batch of a model: the first dimension of its inputs, where their shape_signature leaves it
 * free.  The shapes in a model are those for the batch that it was converted with.  In tensors
 * whose first dimension is free, too, that dimension grows with the batch; other dimensions would
 * take the runtime's rules for shapes.
 */
#ifndef FORMATS_TFLITE_BATCH_H
#define FORMATS_TFLITE_BATCH_H

#include "formats/tflite/model.h"
#include "neap/neap-io.h"

/*
 * Sets model->batch by the values given for free dimensions; warns if there are none.
 * NEAP_ERROR_ARGUMENT: a value is for no free dimension, or one that neap cannot change.
 */
neap_status tflite_batch_read(struct tflite_model *model, const neap_reading *reading,
                              neap_error *error);

/* Dimension `d` of a tensor with a shape; -1 if it has no value that fits the batch. */
int64_t tflite_batch_dimension(const struct tflite_batch *batch,
                               const struct flat_table *tensor, const struct flat_vector *shape,
                               size_t d);

#endif
