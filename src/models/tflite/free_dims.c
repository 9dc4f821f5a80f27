/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/tflite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/text.h"
#include "files/dimensions.h"
#include "files/target.h"
#include "models/tflite/operand.h"
#include "models/tflite/schema.h"
#include "models/tflite/shapes.h"

static bool is_free(const struct flat_table *tensor, size_t d) {
  struct flat_vector signature;
  return flat_vector(tensor, TFLITE_TENSOR_SHAPE_SIGNATURE, 4, &signature) &&
         d < signature.count && flat_int32(&signature, d) == -1;
}

struct census {
  const neap_reading *reading;
  bool *used;
  struct names open; /* dimensions without a value */
  int64_t *sizes;    /* their sizes in the file */
  size_t size_capacity;
  struct tflite_given *given; /* dimensions given another value than in the file */
  size_t given_count, given_capacity;
  char known[320];
  size_t length;
};

static neap_status note_open(struct census *census, const char *place, int64_t own,
                             neap_error *error) {
  const size_t length = strlen(place);
  if (names_find(&census->open, place, length) != NAMES_NONE) return NEAP_OK;
  if (!memory_reserve(&census->sizes, &census->size_capacity, census->open.count + 1,
                      sizeof *census->sizes))
    return error_memory(error);
  census->sizes[census->open.count] = own;
  return names_add(&census->open, place, length) ? NEAP_OK : error_memory(error);
}

static neap_status take_value(struct census *census, const struct tflite_given *given,
                              int64_t own, neap_error *error) {
  if (given->value == own) return NEAP_OK;
  if (given->value > INT32_MAX)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_reading.model.dimensions: %" PRId64
                     " is more than a dimension of a TensorFlow Lite model can be",
                     given->value);
  if (!memory_reserve(&census->given, &census->given_capacity, census->given_count + 1,
                      sizeof *census->given))
    return error_memory(error);
  census->given[census->given_count++] = *given;
  return NEAP_OK;
}

/* Notes a free dimension of the input `name` and, if there is one, the value given for it. */
static neap_status read_dimension(struct census *census, const char *name,
                                  struct tflite_given *given, int64_t own, neap_error *error) {
  const neap_reading *reading = census->reading;
  char place[256];
  const int length = snprintf(place, sizeof place, "%s:%zu", name, given->dimension);
  if (length < 0 || (size_t)length >= sizeof place) return NEAP_OK; /* too long for a value */
  dimensions_list(census->known, sizeof census->known, &census->length, place);
  for (size_t i = 0; i < reading->model.dimension_count; i++)
    if (strcmp(reading->model.dimensions[i].name, place) == 0) {
      census->used[i] = true;
      given->value = reading->model.dimensions[i].value;
      return take_value(census, given, own, error);
    }
  return note_open(census, place, own, error);
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
    struct tflite_given given = {.tensor = number, .dimension = d};
    status = tflite_model_spend(model, 4, error);
    if (status == NEAP_OK && is_free(&tensor, d))
      status = read_dimension(census, name, &given, flat_int32(&shape, d), error);
  }
  free(name);
  return status;
}

/* Warns of free dimensions that, as no input has any, depend on computed values. */
static neap_status warn_of_computed(const struct tflite_model *model,
                                    const neap_reading *reading, neap_error *error) {
  const struct tflite_subgraph *main = &model->subgraphs[0];
  neap_error warning = {.status = NEAP_OK};
  char first[TEXT_EXCERPT] = "", more[48] = "";
  size_t count = 0;
  for (size_t t = 0; t < main->tensors.count; t++) {
    struct flat_table tensor;
    struct flat_vector shape;
    const char *name;
    size_t length;
    bool is_computed = false;
    if (!flat_element(&main->tensors, t, &tensor) ||
        !flat_vector(&tensor, TFLITE_TENSOR_SHAPE, 4, &shape) ||
        !flat_text(&tensor, TFLITE_TENSOR_NAME, &name, &length))
      return tflite_model_broken("tensor", t, error);
    for (size_t d = 0; d < shape.count && d < TFLITE_OPERAND_RANK && !is_computed; d++)
      is_computed = is_free(&tensor, d);
    if (is_computed && count++ == 0) text_excerpt(first, length > 0 ? name : "", length);
  }
  if (count == 0 || !reading->warn) return NEAP_OK;
  if (count > 1) snprintf(more, sizeof more, " and of %zu more", count - 1);
  snprintf(warning.text, sizeof warning.text,
           "only the run determines the shape of tensor %s%s: planned as in the model", first,
           more);
  reading->warn(&warning, reading->warn_user);
  return NEAP_OK;
}

/* Accepts inputs that stay free: a runtime may use the shapes in the file, so those are planned. */
static neap_status check(const struct census *census, neap_error *error) {
  const neap_reading *reading = census->reading;
  neap_status status = dimensions_check(reading, census->used, census->known, error);
  if (status != NEAP_OK || census->open.count == 0) return status;
  if (reading->model.dimension_count > 0)
    return dimensions_check_open(&census->open, "", error);
  dimensions_warn_open(&census->open, census->sizes, reading);
  return NEAP_OK;
}

neap_status tflite_free_dims_read(struct tflite_model *model, const neap_reading *reading,
                                  neap_error *error) {
  const struct tflite_subgraph *main = &model->subgraphs[0];
  struct census census = {.reading = reading};
  neap_status status = NEAP_OK;
  if (target_of(reading)->is_predicted)
    return reading->model.dimension_count == 0
               ? NEAP_OK
               : error_set(error, NEAP_ERROR_ARGUMENT,
                           "neap_reading.model.dimensions: this runtime takes the shapes in "
                           "the model and "
                           "resizes nothing; convert the model for other dimensions");
  census.used = memory_array(reading->model.dimension_count, sizeof *census.used);
  if (!census.used) return error_memory(error);
  for (size_t i = 0; i < main->inputs.count && status == NEAP_OK; i++)
    status = read_input(&census, model, i, error);
  if (status == NEAP_OK) status = check(&census, error);
  if (status == NEAP_OK && census.length == 0) status = warn_of_computed(model, reading, error);
  if (status == NEAP_OK && census.given_count > 0)
    status = tflite_shapes_infer(model, census.given, census.given_count, error);
  names_clear(&census.open);
  free(census.sizes);
  free(census.given);
  free(census.used);
  return status;
}
