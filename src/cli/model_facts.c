/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/model_facts.h"

#include <stdio.h>

#include "cli/figures.h"
#include "cli/messages.h"

static int find_order(struct model_facts *model, const neap_graph *graph,
                      const neap_liveness *liveness) {
  neap_error error;
  neap_problem *problem;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_graph *copy = neap_graph_copy(graph);
  if (!copy) return message_memory();
  neap_status status = neap_graph_reorder(
      copy, &(neap_scheduling){.schedule = NEAP_SCHEDULE_MIN_PEAK}, liveness, &error);
  /* The operators of some graphs cannot be reordered. */
  if (status == NEAP_OK || status == NEAP_ERROR_ARGUMENT)
    status = neap_graph_to_problem(copy, liveness, &problem, &error);
  neap_graph_free(copy);
  if (status != NEAP_OK) return message_error(&error);
  status = neap_problem_bound(problem, &bound, &error);
  neap_problem_free(problem);
  model->min_peak_bound = bound.bytes;
  return status == NEAP_OK ? 0 : message_error(&error);
}

int model_facts_find(struct model_facts *model, const char *path, const neap_problem *problem,
                     const neap_reading *reading, bool for_json) {
  const neap_graph *graph = neap_problem_graph(problem);
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  *model = (struct model_facts){.operators = neap_graph_operator_count(graph) -
                                             neap_graph_step_count(graph),
                                .tensors = neap_graph_tensor_count(graph),
                                .is_scheduled = neap_problem_order(problem, &order)};
  neap_graph_left_out(graph, &model->left_out);
  int code = for_json ? find_order(model, graph, &reading->liveness) : 0;
  return code != 0 ? code : ladder_climb(&model->ladder, path, problem, reading);
}

static void print_tensors(FILE *stream, const struct model_facts *model, int label_width) {
  char bytes[FIGURE_SIZE], constants[FIGURE_SIZE];
  const neap_left_out *left_out = &model->left_out;
  fprintf(stream, "%-*s%zu", label_width, "tensors", model->tensors);
  if (left_out->constants > 0)
    fprintf(stream, ", of which %s of %s %s not planned",
            figure_count(constants, left_out->constants, "constant"),
            figure_bytes(bytes, left_out->constant_bytes),
            left_out->constants == 1 ? "is" : "are");
  fputc('\n', stream);
}

void model_facts_print(FILE *stream, const struct model_facts *model, neap_size peak,
                       int label_width) {
  char bytes[FIGURE_SIZE];
  fprintf(stream, "%-*s%zu\n", label_width, "operators", model->operators);
  print_tensors(stream, model, label_width);
  if (model->left_out.elsewhere > 0)
    fprintf(stream, "%-*s%zu tensors, also not planned\n", label_width, "elsewhere",
            model->left_out.elsewhere);
  if (model->is_scheduled)
    fprintf(stream, "%-*sreordered by --schedule\n", label_width, "order");
  if (peak != NEAP_UNPLACED)
    fprintf(stream, "%-*s%s, found within a second\n", label_width, "peak",
            figure_bytes(bytes, peak));
}
