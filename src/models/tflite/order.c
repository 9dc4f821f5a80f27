/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that run once are reordered in the old bytes: only their list changes.  Its offsets
 * still lead forwards, because writers put the tables after it.
 *
 * A further run is a new operator with the options of the first run.  It makes new tensors with
 * the type, shape and quantisation of the first ones.  Later operators read the newest tensors.
 */
#include "models/tflite/write.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/graph.h"
#include "models/tflite/head.h"
#include "models/tflite/rewrite.h"
#include "models/tflite/tflite.h"

/* ---------------------------------------------------------------- in place */

/* Finds the table of each operator; one that is no operator of the model has none. */
static neap_status find_tables(const struct tflite_model *model, const neap_graph *graph,
                               size_t *tables, neap_error *error) {
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    if (node->body == GRAPH_STEP) continue;
    const size_t list = model->subgraphs[node->body].operators.at;
    if (!flat_follow(&model->file, list + 4 * node->place, &tables[k]))
      return tflite_model_broken("operator", node->place, error);
  }
  return NEAP_OK;
}

/*
 * Rewrites the lists of tables by subgraph; next[s] counts the tables that subgraph s has so far.
 */
static neap_status permute(const struct tflite_model *model, const neap_graph *graph,
                           const size_t *given, const size_t *tables, size_t *next,
                           unsigned char *bytes, neap_error *error) {
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[given[k]];
    if (node->body == GRAPH_STEP) continue;
    const size_t at = model->subgraphs[node->body].operators.at + 4 * next[node->body]++;
    if (tables[given[k]] <= at)
      return error_set(error, NEAP_ERROR_FORMAT,
                       "operator %zu lies before the list of operators, so that its order "
                       "cannot be changed",
                       node->place);
    for (size_t i = 0; i < 4; i++)
      bytes[at + i] = (unsigned char)((tables[given[k]] - at) >> (8 * i));
  }
  return NEAP_OK;
}

static neap_status order_in_place(const struct tflite_model *model, const neap_graph *graph,
                                  const neap_operator_order *order, char *text,
                                  neap_error *error) {
  if (graph->operator_count != order->count)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "the model has %zu operators, but the plan has %zu",
                     graph->operator_count - graph->step_count, order->count);
  size_t *tables = memory_array(graph->operator_count, sizeof *tables);
  size_t *next = memory_array(model->subgraph_count, sizeof *next);
  neap_status status =
      tables && next ? find_tables(model, graph, tables, error) : error_memory(error);
  if (status == NEAP_OK)
    status = permute(model, graph, order->given, tables, next, (unsigned char *)text, error);
  free(tables);
  free(next);
  return status;
}

/* ---------------------------------------------------------------- again */

static bool runs_again(const neap_operator_order *order) {
  size_t last = 0;
  for (size_t k = 0; k < order->count; k++)
    if (order->given[k] > last) last = order->given[k];
  return last + 1 < order->count;
}

static neap_status check(const struct tflite_model *model, const neap_graph *graph,
                         const neap_operator_order *order, neap_error *error) {
  if (model->subgraph_count > 1)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has several subgraphs, and neap repeats operators of models "
                     "with one");
  for (size_t k = 0; k < order->count; k++)
    if (order->given[k] >= graph->operator_count)
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "the model has %zu operators, but the plan has operator %zu",
                       graph->operator_count, order->given[k]);
  return head_check(&model->root, error);
}

static neap_status repeat(const struct tflite_model *model, const neap_graph *graph,
                          const neap_operator_order *order, char **copy, size_t *size,
                          neap_error *error) {
  struct rewriter rewriter = {
      .model = model, .ends.are_old = true, .steps.old_count = model->tensor_count};
  neap_status status = check(model, graph, order, error);
  if (status == NEAP_OK) status = steps_of_order(&rewriter.steps, graph, order, error);
  if (status == NEAP_OK) status = tflite_rewrite(&rewriter, copy, size, error);
  tflite_rewriter_clear(&rewriter);
  return status;
}

neap_status tflite_order(char *text, size_t size, const neap_operator_order *order, char **copy,
                         size_t *copy_size, neap_error *error) {
  static const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                       .graph.target = "tflm"};
  const struct flat file = {(const unsigned char *)text, size};
  struct tflite_model model;
  neap_graph *graph = NULL;
  *copy = NULL;
  neap_status status = tflite_read(text, size, &reading, &graph, error);
  if (status != NEAP_OK) return status;
  status = tflite_model_open(&model, &file, error);
  if (status == NEAP_OK)
    status = runs_again(order) ? repeat(&model, graph, order, copy, copy_size, error)
                               : order_in_place(&model, graph, order, text, error);
  tflite_model_close(&model);
  neap_graph_free(graph);
  return status;
}
