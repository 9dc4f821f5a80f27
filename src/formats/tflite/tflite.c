/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/tflite.h"

#include <string.h>

#include "core/error.h"
#include "formats/profiles.h"
#include "formats/tflite/flow.h"
#include "formats/tflite/pins.h"
#include "formats/tflite/tensors.h"
#include "model/graph.h"

bool tflite_is(const char *text, size_t size, const neap_reading *reading) {
  (void)reading;
  return size >= 8 && memcmp(text + 4, "TFL3", 4) == 0;
}

neap_status tflite_check(const char *text, size_t size, const neap_reading *reading,
                         neap_error *error) {
  if (tflite_is(text, size, reading)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT, "not a TensorFlow Lite model (no TFL3 identifier)");
}

/* For a variable that is tensor i of a later subgraph, TensorFlow Lite Micro looks at offset i. */
static void yield_to_variables(const struct tflite_model *model, neap_graph *graph) {
  for (size_t s = 1; s < model->subgraph_count; s++)
    for (size_t i = 0; i < model->subgraphs[s].tensors.count; i++)
      if (graph->tensors[model->subgraphs[s].first + i].kind == NEAP_TENSOR_VARIABLE)
        graph->tensors[i].is_online = true;
}

static neap_status read_graph(struct tflite_model *model, const neap_reading *reading,
                              neap_graph *graph, neap_error *error) {
  struct tflite_scratch scratch = {.requests = NULL};
  neap_status status = tflite_read_tensors(model, target_of(reading), graph, error);
  if (status == NEAP_OK)
    status = tflite_scratch_read(&scratch, reading->scratch, model, graph, error);
  if (status == NEAP_OK)
    status = tflite_read_flow(model, &scratch, profiles_of(reading)->reference, graph, error);
  tflite_scratch_clear(&scratch);
  if (status == NEAP_OK) status = tflite_pin_compiled(model, graph, error);
  if (status == NEAP_OK && target_leaves_variables(reading)) yield_to_variables(model, graph);
  return status;
}

neap_status tflite_read(const char *text, size_t size, const neap_reading *reading,
                        neap_graph **graph, neap_error *error) {
  struct flat file = {(const unsigned char *)text, size};
  struct tflite_model model;
  neap_status status = tflite_check(text, size, reading, error);
  if (status != NEAP_OK) return status;
  neap_graph *made = neap_graph_new();
  if (!made) return error_memory(error);
  status = tflite_model_open(&model, &file, error);
  if (status == NEAP_OK) status = read_graph(&model, reading, made, error);
  tflite_model_close(&model);
  if (status == NEAP_OK) *graph = made;
  else neap_graph_free(made);
  return status;
}
