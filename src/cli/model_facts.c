/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/model_facts.h"

#include <stdio.h>

#include "cli/figures.h"
#include "cli/messages.h"

static int find_order(struct model_facts *model, const neap_graph *graph,
                      const neap_liveness *liveness) {
  neap_error error;
  neap_problem *problem;
  neap_bound bound;
  neap_graph *copy = neap_graph_copy(graph);
  if (!copy) return message_memory();
  neap_status status = neap_graph_schedule(
      copy, &(neap_scheduling){.schedule = NEAP_SCHEDULE_MIN_PEAK}, liveness, &error);
  /* The operators of some graphs cannot be reordered. */
  if (status == NEAP_OK || status == NEAP_ERROR_ARGUMENT)
    status = neap_graph_problem(copy, liveness, &problem, &error);
  neap_graph_free(copy);
  if (status != NEAP_OK) return message_error(&error);
  status = neap_problem_bound(problem, &bound, &error);
  neap_problem_free(problem);
  model->min_peak_bound = bound.bytes;
  return status == NEAP_OK ? 0 : message_error(&error);
}

int model_facts_find(struct model_facts *model, const neap_problem *problem,
                     const neap_liveness *liveness) {
  const neap_graph *graph = neap_problem_graph(problem);
  size_t scheduled;
  *model = (struct model_facts){
      .operators = neap_graph_operator_count(graph) - neap_graph_step_count(graph),
      .tensors = neap_graph_tensor_count(graph),
      .is_scheduled = neap_problem_schedule(problem, &scheduled) != NULL};
  neap_graph_left_out(graph, &model->left_out);
  return find_order(model, graph, liveness);
}

static void print_order(FILE *stream, const struct model_facts *model,
                        const neap_bound *bound) {
  char bytes[FIGURE_SIZE];
  if (model->is_scheduled) fputs("reordered by --schedule\n", stream);
  else if (model->min_peak_bound >= bound->bytes)
    fputs("as given; no order with a lower bound was found\n", stream);
  else
    fprintf(stream, "as given; --schedule min-peak lowers the bound to %s, by %.1f %%\n",
            figure_bytes(bytes, model->min_peak_bound),
            100 - 100 * (double)model->min_peak_bound / (double)bound->bytes);
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

void model_facts_print(FILE *stream, const struct model_facts *model, const neap_bound *bound,
                       neap_size total, neap_size peak, int label_width) {
  char bytes[FIGURE_SIZE], planned[FIGURE_SIZE];
  fprintf(stream, "%-*s%zu\n", label_width, "operators", model->operators);
  print_tensors(stream, model, label_width);
  if (model->left_out.elsewhere > 0)
    fprintf(stream, "%-*s%zu tensors, also not planned\n", label_width, "elsewhere",
            model->left_out.elsewhere);
  fprintf(stream, "%-*s", label_width, "order");
  print_order(stream, model, bound);
  fprintf(stream, "%-*s%s without reuse", label_width, "memory", figure_bytes(bytes, total));
  if (peak != NEAP_UNPLACED)
    fprintf(stream, ", %s as planned within a second", figure_bytes(planned, peak));
  fputc('\n', stream);
}
