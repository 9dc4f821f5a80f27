/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model in which nothing is split is written as it is.  Names of new tensors end in a mark, which occurs nowhere in
 * the old file, and a number.
 */
#include "models/onnx/split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "models/onnx/network.h"
#include "models/onnx/onnx.h"
#include "models/onnx/shapes.h"
#include "models/onnx/split_parts.h"
#include "models/onnx/write.h"

static bool has_bands(const struct split_pieces *pieces) {
  for (size_t i = 0; i < pieces->count; i++)
    if (pieces->items[i]->bands > 1) return true;
  return false;
}

static neap_status split_copy(const void *model, const struct split_network *network,
                              const struct split_pieces *pieces, struct split_copy *copy,
                              neap_error *error) {
  const struct splitter *splitter = model;
  struct wire_buffer buffer = {.bytes = NULL};
  struct wire_buffer counted = {.only_counts = true, .size = splitter->texts.file.size};
  const struct onnx_form whole = {false, &counted}, part = {true, &buffer};
  neap_status status = onnx_split_write(model, network, pieces, &part, &copy->operators, error);
  if (status == NEAP_OK && split_pieces_cover(pieces, network) && has_bands(pieces)) {
    counted.size = 0;
    status = onnx_split_write(model, network, pieces, &whole, &copy->operators, error);
  }
  if (status != NEAP_OK) {
    free(buffer.bytes);
    buffer.bytes = NULL;
  }
  copy->bytes = buffer.bytes;
  copy->size = buffer.size;
  copy->file_bytes = (neap_size)counted.size;
  return status;
}

static neap_status split_write(const void *model, const struct split_network *network,
                               const struct split_pieces *pieces, const struct split_copy *copy,
                               const neap_plan *plan, FILE *stream, neap_error *error) {
  const struct splitter *splitter = model;
  struct wire_buffer buffer = {.bytes = NULL};
  const struct onnx_form whole = {false, &buffer};
  size_t operators;
  neap_status status = NEAP_OK;
  (void)copy, (void)plan; /* the model cannot hold one */
  if (has_bands(pieces)) {
    status = onnx_split_write(splitter, network, pieces, &whole, &operators, error);
    if (status == NEAP_OK) fwrite(buffer.bytes, 1, buffer.size, stream);
  } else fwrite(splitter->texts.file.bytes, 1, splitter->texts.file.size, stream);
  free(buffer.bytes);
  return status;
}

/* ---------------------------------------------------------------- opening */

static bool occurs(const struct wire_text *file, const char *text) {
  const size_t length = strlen(text);
  const char *from = file->bytes, *end = file->bytes + file->size;
  while ((from = memchr(from, text[0], (size_t)(end - from)))) {
    if ((size_t)(end - from) < length) return false;
    if (memcmp(from, text, length) == 0) return true;
    from++;
  }
  return false;
}

static void choose_mark(struct splitter *splitter) {
  snprintf(splitter->mark, sizeof splitter->mark, "@band");
  for (unsigned i = 1; occurs(&splitter->texts.file, splitter->mark); i++)
    snprintf(splitter->mark, sizeof splitter->mark, "@band%u_", i);
}

/* Constant nodes may read the shape of what an operator makes; ready[k] is that of node k. */
static size_t find_ready(const struct onnx_model *model, const struct split_network *network,
                         const struct onnx_node *node, const size_t *ready) {
  size_t latest = 0;
  for (size_t l = node->inputs; l < node->within; l++) {
    const size_t tensor = model->links[l];
    if (tensor == ONNX_NONE) continue;
    const size_t maker = model->tensors[tensor].maker;
    size_t own = network->tensors[tensor].made;
    if (model->tensors[tensor].is_constant) own = maker == ONNX_NONE ? 0 : ready[maker];
    if (own > latest) latest = own;
  }
  return latest;
}

static int compare_constants(const void *a, const void *b) {
  const struct constant *one = a, *other = b;
  if (one->ready != other->ready) return one->ready < other->ready ? -1 : 1;
  return one->place < other->place ? -1 : one->place > other->place;
}

static bool list_constants(struct splitter *splitter, const struct split_network *network) {
  const struct onnx_model *model = &splitter->model;
  size_t *ready = memory_array(model->node_count, sizeof *ready);
  splitter->constants = memory_array(model->node_count, sizeof *splitter->constants);
  for (size_t i = 0; ready && splitter->constants && i < model->node_count; i++) {
    const size_t k = model->order[i];
    if (!model->nodes[k].is_constant) continue;
    ready[k] = find_ready(model, network, &model->nodes[k], ready);
    splitter->constants[splitter->constant_count++] = (struct constant){k, ready[k], i};
  }
  bool fits = ready && splitter->constants;
  if (fits)
    qsort(splitter->constants, splitter->constant_count, sizeof *splitter->constants,
          compare_constants);
  free(ready);
  return fits;
}

static neap_status split_open(const char *text, size_t size, const neap_reading *reading,
                              void **model, struct split_network *network, neap_error *error) {
  struct splitter *splitter = memory_array(1, sizeof *splitter);
  *model = splitter;
  if (!splitter) return error_memory(error);
  neap_status status = onnx_model_open(&splitter->model, text, size, reading, error);
  if (status == NEAP_OK) status = onnx_model_prepare(&splitter->model, error);
  if (status == NEAP_OK)
    status = onnx_network_read(&splitter->model, network, &splitter->nodes, error);
  if (status != NEAP_OK) return status;
  if (!onnx_texts_find(&splitter->texts, &splitter->model, text, size) ||
      !list_constants(splitter, network))
    return error_memory(error);
  choose_mark(splitter);
  return NEAP_OK;
}

static void split_close(void *model) {
  struct splitter *splitter = model;
  if (!splitter) return;
  onnx_model_close(&splitter->model);
  onnx_texts_clear(&splitter->texts);
  free(splitter->nodes);
  free(splitter->constants);
  free(splitter);
}

const struct split_format onnx_split = {
    .is = onnx_is,
    .name = "onnx",
    .open = split_open,
    .close = split_close,
    .read = onnx_read,
    .export = onnx_write,
    .copy = split_copy,
    .write = split_write,
};
