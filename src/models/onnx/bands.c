/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model in which nothing is split is written unchanged.  Names of new tensors end in a mark,
 * which occurs nowhere in the old file, and a number.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"
#include "models/onnx/network.h"
#include "models/onnx/onnx.h"
#include "models/onnx/rewrite.h"
#include "models/onnx/write.h"

struct splitter {
  struct onnx_model model;
  struct onnx_texts texts;
  size_t *nodes;               /* that of each operator of the network */
  struct sort_pair *constants; /* nodes, by the first operator that each can precede */
  size_t constant_count;
  char mark[MARK_MAX];
};

static bool has_bands(const struct band_pieces *pieces) {
  for (size_t i = 0; i < pieces->count; i++)
    if (pieces->items[i]->bands > 1) return true;
  return false;
}

/*
 * Adds the constant nodes from *next on that can precede operator `moment`.  None reads a tensor
 * that vanishes, since network.c keeps the inputs of constant nodes.
 */
static void add_ready(const struct splitter *splitter, size_t moment, size_t *next,
                      struct steps *nodes) {
  for (; *next < splitter->constant_count && splitter->constants[*next].key <= moment; ++*next)
    steps_add(nodes, &(struct step){.kind = STEP_OLD, .like = splitter->constants[*next].item},
              NULL, 0);
}

/* Lists the nodes of steps and, except for a copy, the constant nodes. */
static void list_nodes(const struct splitter *splitter, const struct steps *steps, bool is_copy,
                       struct steps *nodes) {
  size_t next = is_copy ? splitter->constant_count : 0;
  for (size_t i = 0, moment = 0; i < steps->count; i++) {
    struct step step = steps->items[i];
    if (step.kind == STEP_OLD || step.kind == STEP_BANDED) moment = step.like;
    if (step.kind == STEP_OLD) step.like = splitter->nodes[step.like];
    add_ready(splitter, moment, &next, nodes);
    const size_t *links = step.link_count > 0 ? steps->links + step.links : NULL;
    steps_add(nodes, &step, links, step.link_count);
  }
  add_ready(splitter, SIZE_MAX, &next, nodes);
}

#define PARTS_MAX SPLIT_BANDS_MAX

/* A file to write: the model, or a copy without weights, to be measured. */
struct form {
  bool is_copy;
  struct wire_buffer *buffer;
  size_t operators;
};

static neap_status write_bands(const struct splitter *splitter,
                               const struct band_network *network,
                               const struct band_pieces *pieces, struct form *form,
                               neap_error *error) {
  struct steps steps, nodes = {.old_count = network->tensor_count};
  const struct onnx_rewriting rewriting = {.model = &splitter->model,
                                           .texts = &splitter->texts,
                                           .steps = &steps,
                                           .nodes = &nodes,
                                           .network = network,
                                           .operators = splitter->nodes,
                                           .mark = splitter->mark,
                                           .pieces = form->is_copy ? pieces : NULL};
  if (band_rewrite(network, pieces, PARTS_MAX, &steps))
    list_nodes(splitter, &steps, form->is_copy, &nodes);
  neap_status status = steps.is_short || nodes.is_short
                           ? error_memory(error)
                           : onnx_rewrite(&rewriting, form->buffer, error);
  form->operators = steps.count;
  steps_clear(&steps);
  steps_clear(&nodes);
  return status;
}

static neap_status band_copy(const void *model, const struct band_network *network,
                             const struct band_pieces *pieces, struct band_copy *copy,
                             neap_error *error) {
  const struct splitter *splitter = model;
  struct wire_buffer buffer = {.bytes = NULL};
  struct wire_buffer counted = {.only_counts = true, .size = splitter->texts.file.size};
  struct form part = {true, &buffer, 0}, whole = {false, &counted, 0};
  neap_status status = write_bands(splitter, network, pieces, &part, error);
  if (status == NEAP_OK && band_pieces_cover(pieces, network) && has_bands(pieces)) {
    counted.size = 0;
    status = write_bands(splitter, network, pieces, &whole, error);
  }
  if (status != NEAP_OK) {
    free(buffer.bytes);
    buffer.bytes = NULL;
  }
  copy->bytes = buffer.bytes;
  copy->size = buffer.size;
  copy->operators = part.operators;
  copy->file_bytes = (neap_size)counted.size;
  return status;
}

static neap_status band_write(const void *model, const struct band_network *network,
                              const struct band_pieces *pieces, const struct band_copy *copy,
                              const neap_plan *plan, FILE *stream, neap_error *error) {
  const struct splitter *splitter = model;
  struct wire_buffer buffer = {.bytes = NULL};
  struct form whole = {false, &buffer, 0};
  neap_status status = NEAP_OK;
  (void)copy, (void)plan; /* an ONNX file cannot hold a plan */
  if (has_bands(pieces)) {
    status = write_bands(splitter, network, pieces, &whole, error);
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

/*
 * Finds the first operator that a constant node can precede; the node may read shapes of outputs.
 * ready[k] is this operator for constant node k.
 */
static size_t find_ready(const struct onnx_model *model, const struct band_network *network,
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

static bool list_constants(struct splitter *splitter, const struct band_network *network) {
  const struct onnx_model *model = &splitter->model;
  size_t *ready = memory_array(model->node_count, sizeof *ready);
  splitter->constants = memory_array(model->node_count, sizeof *splitter->constants);
  for (size_t i = 0; ready && splitter->constants && i < model->node_count; i++) {
    const size_t k = model->order[i];
    if (!model->nodes[k].is_constant) continue;
    ready[k] = find_ready(model, network, &model->nodes[k], ready);
    splitter->constants[splitter->constant_count++] = (struct sort_pair){ready[k], k};
  }
  bool fits =
      ready && splitter->constants && sort_pairs(splitter->constants, splitter->constant_count);
  free(ready);
  return fits;
}

static neap_status band_open(const char *text, size_t size, const neap_reading *reading,
                             void **model, struct band_network *network, neap_error *error) {
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

static void band_close(void *model) {
  struct splitter *splitter = model;
  if (!splitter) return;
  onnx_model_close(&splitter->model);
  onnx_texts_clear(&splitter->texts);
  free(splitter->nodes);
  free(splitter->constants);
  free(splitter);
}

const struct band_format onnx_bands = {
    .is = onnx_is,
    .name = "onnx",
    .open = band_open,
    .close = band_close,
    .read = onnx_read,
    .export = onnx_write,
    .copy = band_copy,
    .write = band_write,
};
