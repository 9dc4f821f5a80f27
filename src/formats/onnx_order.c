/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of execution: the file's, which ought to do, and otherwise the order in which always
 * the first operator in the file comes next of those whose inputs are there (A. B. Kahn, 1962).
 * O(links + operators).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/ordered.h"
#include "formats/onnx_model.h"

struct sorter {
  struct onnx_model *model;
  size_t *waiting; /* per node: links to what is not made yet */
  size_t *ends;    /* per tensor: where its readers end */
  size_t *readers;
  struct ordered ready;
  size_t done;
};

/* The node that must come before, for a link; ONNX_NONE: none. */
static size_t maker_of(const struct onnx_model *model, size_t link) {
  size_t tensor = model->links[link];
  return tensor == ONNX_NONE ? ONNX_NONE : model->tensors[tensor].maker;
}

static bool is_in_order(const struct onnx_model *model) {
  for (size_t k = 0; k < model->node_count; k++)
    for (size_t i = model->nodes[k].inputs; i < model->nodes[k].outputs; i++) {
      size_t maker = maker_of(model, i);
      if (maker != ONNX_NONE && maker >= k) return false;
    }
  return true;
}

/* ---------------------------------------------------------------- sorting */

static bool sorter_init(struct sorter *sorter, struct onnx_model *model) {
  *sorter = (struct sorter){.model = model};
  sorter->waiting = memory_array(model->node_count, sizeof *sorter->waiting);
  sorter->ends = memory_array(model->names.count + 1, sizeof *sorter->ends);
  sorter->readers = memory_array(model->link_count, sizeof *sorter->readers);
  return ordered_init(&sorter->ready, model->node_count) && sorter->waiting && sorter->ends &&
         sorter->readers;
}

static void sorter_clear(struct sorter *sorter) {
  free(sorter->waiting);
  free(sorter->ends);
  free(sorter->readers);
  ordered_clear(&sorter->ready);
}

/* Every tensor's readers, one after the other: counted, then filled in from behind. */
static void list_readers(struct sorter *sorter) {
  const struct onnx_model *model = sorter->model;
  for (size_t k = 0; k < model->node_count; k++)
    for (size_t i = model->nodes[k].inputs; i < model->nodes[k].outputs; i++)
      if (maker_of(model, i) != ONNX_NONE) sorter->ends[model->links[i] + 1]++;
  for (size_t t = 0; t < model->names.count; t++)
    sorter->ends[t + 1] += sorter->ends[t];
  for (size_t k = 0; k < model->node_count; k++)
    for (size_t i = model->nodes[k].inputs; i < model->nodes[k].outputs; i++)
      if (maker_of(model, i) != ONNX_NONE) {
        sorter->readers[sorter->ends[model->links[i]]++] = k;
        sorter->waiting[k]++;
      }
}

static void finish(struct sorter *sorter, size_t node) {
  const struct onnx_model *model = sorter->model;
  model->order[sorter->done++] = node;
  for (size_t i = model->nodes[node].outputs; i < model->nodes[node].end; i++) {
    size_t tensor = model->links[i];
    if (tensor == ONNX_NONE) continue;
    for (size_t r = tensor ? sorter->ends[tensor - 1] : 0; r < sorter->ends[tensor]; r++)
      if (--sorter->waiting[sorter->readers[r]] == 0)
        ordered_add(&sorter->ready, sorter->readers[r]);
  }
}

static size_t next_ready(const struct sorter *sorter) {
  return ordered_has(&sorter->ready, 0) ? 0 : ordered_above(&sorter->ready, 0);
}

static void sort(struct sorter *sorter) {
  list_readers(sorter);
  for (size_t k = 0; k < sorter->model->node_count; k++)
    if (sorter->waiting[k] == 0) ordered_add(&sorter->ready, k);
  for (size_t k; (k = next_ready(sorter)) != ORDERED_NONE;) {
    ordered_remove(&sorter->ready, k);
    finish(sorter, k);
  }
}

/* ---------------------------------------------------------------- cycles */

/* A node that waits waits for another: whoever follows them comes back to where he was. */
static size_t node_waited_for(const struct sorter *sorter, size_t node) {
  const struct onnx_model *model = sorter->model;
  for (size_t i = model->nodes[node].inputs; i < model->nodes[node].outputs; i++) {
    size_t maker = maker_of(model, i);
    if (maker != ONNX_NONE && sorter->waiting[maker] > 0) return maker;
  }
  assert(sorter->waiting[node] == 0); /* unreachable: who waits, waits for someone */
  return node;
}

static neap_status name_cycle(const struct sorter *sorter, neap_error *error) {
  const struct onnx_model *model = sorter->model;
  size_t node = 0;
  char who[ONNX_WHO];
  bool *met = memory_array(model->node_count, sizeof *met);
  if (!met) return error_memory(error);
  while (sorter->waiting[node] == 0)
    node++;
  for (; !met[node]; node = node_waited_for(sorter, node))
    met[node] = true;
  free(met);
  return error_set(error, NEAP_ERROR_INPUT, "%s reads what is made of what it makes",
                   onnx_who(model, node, who));
}

neap_status onnx_model_order(struct onnx_model *model, neap_error *error) {
  struct sorter sorter;
  model->order = memory_array(model->node_count, sizeof *model->order);
  if (!model->order) return error_memory(error);
  for (size_t k = 0; k < model->node_count; k++)
    model->order[k] = k;
  if (model->node_count == 0 || is_in_order(model)) return NEAP_OK;
  neap_status status = NEAP_OK;
  if (!sorter_init(&sorter, model)) status = error_memory(error);
  if (status == NEAP_OK) sort(&sorter);
  if (status == NEAP_OK && sorter.done < model->node_count) status = name_cycle(&sorter, error);
  sorter_clear(&sorter);
  return status;
}
