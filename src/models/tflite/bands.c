/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "models/tflite/head.h"
#include "models/tflite/network.h"
#include "models/tflite/rewrite.h"
#include "models/tflite/tflite.h"
#include "models/tflite/write.h"

/* Copies the offsets of the old tensors that the copy has; new tensors have no offsets. */
static neap_status copy_offsets(const struct rewriter *rewriter, const struct band_copy *copy,
                                int32_t **offsets, neap_error *error) {
  const struct flat file = {(const unsigned char *)copy->bytes, copy->size};
  struct tflite_model made;
  int32_t *old = NULL;
  neap_status status = tflite_plan_offsets(rewriter->model, &old, error);
  if (status != NEAP_OK || !old) return status;
  for (size_t i = 0; i < rewriter->steps.vanished_count; i++)
    old[rewriter->steps.vanished[i]] = -1;
  status = tflite_model_open(&made, &file, error);
  if (status == NEAP_OK) *offsets = memory_array(made.tensor_count + 1, sizeof **offsets);
  if (status == NEAP_OK && !*offsets) status = error_memory(error);
  for (size_t t = 0; status == NEAP_OK && t < made.tensor_count; t++) {
    const size_t own = made.subgraphs[0].tensors.count;
    (*offsets)[t] = t < old_count(rewriter) ? old[t]
                    : t < own               ? -1
                                            : old[old_count(rewriter) + t - own];
  }
  tflite_model_close(&made);
  free(old);
  return status;
}

/* Compiled operators keep the offsets of their tensors. */
static neap_status keep_offsets(const struct rewriter *rewriter, struct band_copy *copy,
                                neap_error *error) {
  int32_t *offsets = NULL;
  bool is_compiled;
  neap_status status = tflite_has_compiled(rewriter->model, &is_compiled, error);
  if (status == NEAP_OK && is_compiled) status = copy_offsets(rewriter, copy, &offsets, error);
  if (status == NEAP_OK && offsets)
    status = tflite_write_offsets(&copy->bytes, &copy->size, offsets, error);
  free(offsets);
  return status;
}

/* The most tensors that a concatenation of TensorFlow Lite Micro may have. */
#define PARTS_MAX 10

static neap_status band_copy(const void *model, const struct band_network *network,
                             const struct band_pieces *pieces, struct band_copy *copy,
                             neap_error *error) {
  const struct band_segment *first = &pieces->items[0]->segment;
  const struct band_segment *last = &pieces->items[pieces->count - 1]->segment;
  struct rewriter rewriter = {
      .model = model,
      .network = network,
      .ends = {band_pieces_cover(pieces, network), first->input, last->output}};
  copy->bytes = NULL;
  band_rewrite(network, pieces, PARTS_MAX, &rewriter.steps);
  neap_status status = tflite_rewrite(&rewriter, &copy->bytes, &copy->size, error);
  copy->operators = rewriter.made.count;
  copy->file_bytes = (neap_size)copy->size;
  if (status == NEAP_OK) status = keep_offsets(&rewriter, copy, error);
  tflite_rewriter_clear(&rewriter);
  return status;
}

/* ---------------------------------------------------------------- the format */

static neap_status band_write(const void *model, const struct band_network *network,
                              const struct band_pieces *pieces, const struct band_copy *copy,
                              const neap_plan *plan, FILE *stream, neap_error *error) {
  (void)model, (void)network, (void)pieces;
  return tflite_write_bytes(plan, copy->bytes, copy->size, true, stream, error);
}

static neap_status check(const struct tflite_model *model, neap_error *error) {
  struct tflite_entry plan;
  neap_status status = tflite_entry_find(&model->root, TFLITE_PLAN, &plan, error);
  return status == NEAP_OK ? head_check(&model->root, error) : status;
}

static neap_status band_open(const char *text, size_t size, const neap_reading *reading,
                             void **model, struct band_network *network, neap_error *error) {
  const struct flat file = {(const unsigned char *)text, size};
  struct tflite_model *opened = memory_array(1, sizeof *opened);
  *model = opened;
  if (!opened) return error_memory(error);
  neap_status status = tflite_check(text, size, reading, error);
  if (status == NEAP_OK && reading->model.dimension_count > 0)
    status = error_set(
        error, NEAP_ERROR_ARGUMENT,
        "neap_reading.model.dimensions: a split model has the shapes of the given one");
  if (status == NEAP_OK) status = tflite_model_open(opened, &file, error);
  if (status == NEAP_OK) status = check(opened, error);
  return status == NEAP_OK ? tflite_network_read(opened, reading, network, error) : status;
}

static void band_close(void *model) {
  if (model) tflite_model_close(model);
  free(model);
}

const struct band_format tflite_bands = {
    .is = tflite_is,
    .name = "tflite",
    .target = "tflm",
    .holds_plan = true,
    .open = band_open,
    .close = band_close,
    .read = tflite_read,
    .export = tflite_write,
    .copy = band_copy,
    .write = band_write,
};
