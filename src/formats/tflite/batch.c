/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/text.h"
#include "formats/dimensions.h"
#include "formats/target.h"
#include "formats/tflite/schema.h"

static bool is_free(const struct flat_table *tensor, size_t d) {
  struct flat_vector signature;
  return flat_vector(tensor, TFLITE_TENSOR_SHAPE_SIGNATURE, 4, &signature) &&
         d < signature.count && flat_int32(&signature, d) == -1;
}

int64_t tflite_batch_dimension(const struct tflite_batch *batch,
                               const struct flat_table *tensor, const struct flat_vector *shape,
                               size_t d) {
  const int64_t own = flat_int32(shape, d);
  int64_t grown;
  if (d > 0 || batch->from == batch->to || !is_free(tensor, d)) return own;
  return own % batch->from == 0 && checked_mul(own / batch->from, batch->to, &grown) ? grown
                                                                                     : -1;
}

/* ---------------------------------------------------------------- the free dimensions of inputs */

struct census {
  const neap_reading *reading;
  bool *used;
  struct names open; /* those without a value */
  char known[320];
  size_t length;
};

static neap_status note_open(struct census *census, const char *place, neap_error *error) {
  const size_t length = strlen(place);
  return names_find(&census->open, place, length) != NAMES_NONE ||
                 names_add(&census->open, place, length)
             ? NEAP_OK
             : error_memory(error);
}

/* Takes the value for the first dimension of an input. */
static neap_status take_value(struct tflite_batch *batch, const char *place, size_t d,
                              int64_t own, int64_t value, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, place, strlen(place));
  if (value == own && d > 0) return NEAP_OK;
  if (d > 0 || own < 1)
    return error_set(
        error, NEAP_ERROR_ARGUMENT,
        "neap_reading.dimensions: neap changes only the batch of a TensorFlow Lite "
        "model, the first dimension, but %s is another; convert the model for %" PRId64,
        excerpt, value);
  if (batch->from > 0 && (batch->from != own || batch->to != value))
    return error_set(
        error, NEAP_ERROR_ARGUMENT,
        "neap_reading.dimensions: the inputs need the same batch, but %s gets %" PRId64
        " instead of %" PRId64 ", and another %" PRId64 " instead of %" PRId64,
        excerpt, value, own, batch->to, batch->from);
  *batch = (struct tflite_batch){own, value};
  return NEAP_OK;
}

static neap_status read_dimension(struct census *census, struct tflite_batch *batch,
                                  const char *name, size_t d, int64_t own, neap_error *error) {
  char place[256];
  const int length = snprintf(place, sizeof place, "%s:%zu", name, d);
  if (length < 0 || (size_t)length >= sizeof place) return NEAP_OK; /* no value can be given */
  dimensions_list(census->known, sizeof census->known, &census->length, place);
  for (size_t i = 0; i < census->reading->dimension_count; i++)
    if (strcmp(census->reading->dimensions[i].name, place) == 0) {
      census->used[i] = true;
      return take_value(batch, place, d, own, census->reading->dimensions[i].value, error);
    }
  return note_open(census, place, error);
}

static neap_status read_input(struct census *census, struct tflite_model *model, size_t index,
                              neap_error *error) {
  const struct tflite_subgraph *main = &model->subgraphs[0];
  struct flat_table tensor;
  struct flat_vector shape;
  const char *text;
  size_t number, length;
  neap_status status =
      tflite_model_tensor(main, &main->inputs, index, "subgraph", 0, &number, error);
  if (status != NEAP_OK || number == TFLITE_NONE) return status;
  if (!flat_element(&main->tensors, number, &tensor) ||
      !flat_vector(&tensor, TFLITE_TENSOR_SHAPE, 4, &shape) ||
      !flat_text(&tensor, TFLITE_TENSOR_NAME, &text, &length))
    return tflite_model_broken("tensor", number, error);
  char *name = memory_text(length > 0 ? text : "", length);
  if (!name) return error_memory(error);
  for (size_t d = 0; d < shape.count && status == NEAP_OK; d++) {
    status = tflite_model_spend(model, 4, error);
    if (status == NEAP_OK && is_free(&tensor, d))
      status = read_dimension(census, &model->batch, name, d, flat_int32(&shape, d), error);
  }
  free(name);
  return status;
}

/* ---------------------------------------------------------------- the whole */

static void warn_of_open(const struct census *census) {
  const neap_reading *reading = census->reading;
  const char *first = names_text(&census->open, 0);
  neap_error warning = {.status = NEAP_OK};
  if (!reading->warn) return;
  snprintf(
      warning.text, sizeof warning.text,
      "free dimension%s %s: planned as the model's shapes say; for another batch, give it with "
      "neap_reading.dimensions %.100s=N",
      census->open.count > 1 ? "s" : "", census->known, first);
  reading->warn(&warning, reading->warn_user);
}

static neap_status check(const struct census *census, neap_error *error) {
  const neap_reading *reading = census->reading;
  neap_status status = dimensions_check(reading, census->used, census->known, error);
  if (status != NEAP_OK || census->open.count == 0) return status;
  if (reading->dimension_count > 0) return dimensions_check_open(&census->open, "", error);
  warn_of_open(census);
  return NEAP_OK;
}

neap_status tflite_batch_read(struct tflite_model *model, const neap_reading *reading,
                              neap_error *error) {
  const struct tflite_subgraph *main = &model->subgraphs[0];
  struct census census = {.reading = reading};
  neap_status status = NEAP_OK;
  if (target_of(reading)->is_predicted)
    return reading->dimension_count == 0
               ? NEAP_OK
               : error_set(
                     error, NEAP_ERROR_ARGUMENT,
                     "neap_reading.dimensions: this runtime has no other shapes than those "
                     "in the model; convert the model for another batch");
  census.used = memory_array(reading->dimension_count, sizeof *census.used);
  if (!census.used) return error_memory(error);
  for (size_t i = 0; i < main->inputs.count && status == NEAP_OK; i++)
    status = read_input(&census, model, i, error);
  if (status == NEAP_OK) status = check(&census, error);
  names_clear(&census.open);
  free(census.used);
  return status;
}
