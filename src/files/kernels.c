/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/kernels.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "files/target.h"
#include "model/graph.h"

static const struct kernels table[] = {
    [NEAP_KERNELS_REFERENCE] =
        {"tflm-reference",
         "the reference kernels of TensorFlow Lite Micro, the default of the target tflm", true,
         false},
    [NEAP_KERNELS_CMSIS_NN] = {"cmsis-nn",
                               "CMSIS-NN for Arm processors without SIMD instructions, such as "
                               "Cortex-M0 and M3",
                               true, true},
    [NEAP_KERNELS_CMSIS_NN_DSP] = {"cmsis-nn-dsp",
                                   "CMSIS-NN with the DSP extension: Cortex-M4, M7 and M33",
                                   true, true},
    [NEAP_KERNELS_CMSIS_NN_MVE] = {"cmsis-nn-mve",
                                   "CMSIS-NN with Helium: Cortex-M52, M55 and M85", true, true},
    [NEAP_KERNELS_PYTHON] =
        {"tflm-python", "the reference kernels of the Python package tflite-micro, on a PC",
         true, false},
    [NEAP_KERNELS_ELEMENTWISE] =
        {"elementwise",
         "kernels of any runtime that go through their elements in order: the output of an "
         "operator that can work in place may also begin anywhere below its input",
         false, false},
};

const struct kernels *kernels_at(neap_kernels kernels) {
  return kernels > NEAP_KERNELS_DEFAULT && (size_t)kernels < sizeof table / sizeof *table
             ? &table[kernels]
             : NULL;
}

neap_kernels kernels_of(const neap_reading *reading) {
  if (reading->graph.kernels != NEAP_KERNELS_DEFAULT) return reading->graph.kernels;
  return target_of(reading)->is_predicted ? NEAP_KERNELS_REFERENCE : NEAP_KERNELS_DEFAULT;
}

/* Whether a pair works element by element: the output has as many bytes, and is no view. */
static bool is_element_wise(const neap_graph *graph, const struct graph_operator *node,
                            const neap_in_place *pair) {
  size_t input = graph->links[node->inputs.begin + pair->input];
  size_t output = graph->links[node->outputs.begin + pair->output];
  return !pair->is_view && graph->tensors[input].bytes == graph->tensors[output].bytes;
}

/* Rebuilds the list of allowances, because those of an operator must be adjacent. */
static void append_pairs(neap_graph *graph, neap_allowance *all) {
  size_t count = 0;
  for (size_t k = 0; k < graph->operator_count; k++) {
    struct graph_operator *node = &graph->operators[k];
    size_t begin = count;
    for (size_t a = node->allowances_begin; a < node->allowances_end; a++)
      all[count++] = graph->allowances[a];
    for (size_t p = node->pairs_begin; p < node->pairs_end; p++)
      if (is_element_wise(graph, node, &graph->pairs[p]))
        all[count++] = (neap_allowance){sizeof(neap_allowance), graph->pairs[p].input,
                                        graph->pairs[p].output, 0};
    node->allowances_begin = begin;
    node->allowances_end = count;
  }
  assert(count <= graph->allowance_count + graph->pair_count);
  free(graph->allowances);
  graph->allowances = all;
  graph->allowance_capacity = graph->allowance_count + graph->pair_count;
  graph->allowance_count = count;
}

neap_status kernels_apply(neap_graph *graph, const neap_reading *reading, neap_error *error) {
  if (!reading->graph.liveness.overlap || kernels_of(reading) != NEAP_KERNELS_ELEMENTWISE)
    return NEAP_OK;
  neap_allowance *all = memory_array(graph->allowance_count + graph->pair_count, sizeof *all);
  if (!all) return error_memory(error);
  append_pairs(graph, all);
  return NEAP_OK;
}
