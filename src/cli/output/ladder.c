/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each rung of the ladder begins with the order of the rung before, so that sharing in place and
 * overlaps never make it higher than that one, even where a search ends early.  Aliases can,
 * because parts that lie in their whole cannot lie elsewhere.
 */
#include "cli/output/ladder.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input/bands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/options/means.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/relation_facts.h"
#include "cli/run.h"
#include "neap-tool.h"

/*
 * All searches for orders together; small graphs need far less.  Each may use half of what is left,
 * which leaves something for the last one.  Searches for bands get as much time again.
 */
#define SEARCH_SECONDS 2.0

struct climb {
  struct ladder *ladder;
  const neap_problem *problem;   /* of the command line */
  const struct arguments *plain; /* the command line without any means */
  struct arguments arguments;    /* with the means of all rungs */
  neap_graph *graph;             /* in the best order so far */
  bool has_target;               /* whose plans cannot make several tensors one buffer */
  neap_kernels kernels;          /* for which the graph was read */
  bool overlaps;                 /* the graph has the overlaps that these allow */
  bool is_reordered;             /* the best order is not the given one */
  double seconds;                /* left for searches for orders */
  double band_seconds;           /* left for searches for bands */
};

/* ---------------------------------------------------------------- the graph of the ladder */

/* Reads the graph again if the kernels of the arguments are for such models. */
static void read_again(struct climb *climb, const struct arguments *arguments) {
  neap_problem *problem = problems_read_again(arguments);
  if (!problem) return;
  climb->kernels = arguments->reading.graph.kernels;
  climb->graph = neap_graph_copy(neap_problem_graph(problem));
  climb->overlaps = true;
  neap_problem_free(problem);
}

/*
 * Reads the graph for the given kernels, or else for the first that are for such models, which
 * allow most.  Standard input cannot be read again: it keeps the overlaps that it was read with.
 */
static int read_graph(struct climb *climb, const struct arguments *arguments) {
  const struct means *means;
  climb->kernels = climb->plain->reading.graph.kernels;
  if (files_is_standard(arguments->operand)) {
    climb->graph = neap_graph_copy(neap_problem_graph(climb->problem));
    climb->overlaps = arguments->reading.graph.liveness.overlap;
  }
  for (size_t i = 0; !climb->graph && (means = means_at(i)) != NULL; i++) {
    struct arguments with = *climb->plain;
    char options[MEANS_TEXT] = "";
    if (means->kernels != NEAP_KERNELS_DEFAULT &&
        means_add(means, climb->problem, &with, options))
      read_again(climb, &with);
  }
  return climb->graph ? 0 : message_memory(); /* the program has read it before */
}

/* ---------------------------------------------------------------- rungs */

/* What a rung changes in the problem. */
struct figures {
  neap_size total;
  neap_bound bound;
  neap_size order_lower_bound;
  bool is_reordered;
  size_t buffers, shared; /* relations that let buffers share bytes */
};

static bool is_reordered(const neap_operator_order *order) {
  for (size_t k = 0; order->given && k < order->count; k++)
    if (order->given[k] != k) return true;
  return false;
}

static int find_figures(const neap_graph *graph, const neap_liveness *liveness,
                        struct figures *figures) {
  neap_problem *problem;
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_error error;
  *figures = (struct figures){.bound = NEAP_INIT(neap_bound)};
  neap_status status = neap_graph_to_problem(graph, liveness, &problem, &error);
  if (status != NEAP_OK) return message_error(&error);
  status = neap_problem_bound(problem, &figures->bound, &error);
  neap_problem_order(problem, &order);
  figures->order_lower_bound = order.lower_bound;
  figures->is_reordered = is_reordered(&order);
  figures->buffers = neap_problem_count(problem);
  figures->shared = relation_facts_count(problem);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++)
    figures->total += buffer.size; /* NEAP_MAX at most */
  neap_problem_free(problem);
  return status == NEAP_OK ? 0 : message_error(&error);
}

/* With a target, the graph was already read without the inputs and outputs that it places. */
static neap_liveness liveness_of(const struct climb *climb, const struct arguments *with) {
  neap_liveness liveness = with->reading.graph.liveness;
  if (climb->has_target) liveness.no_inputs = liveness.no_outputs = false;
  return liveness;
}

static void add_rung(struct climb *climb, const struct means *means, const char *options,
                     const struct figures *figures) {
  struct ladder *ladder = climb->ladder;
  assert(ladder->count < LADDER_RUNGS);
  struct rung *rung = &ladder->rungs[ladder->count++];
  *rung = (struct rung){.means = means,
                        .bytes = figures->bound.bytes,
                        .lower_bound = figures->bound.lower_bound,
                        .order_lower_bound = figures->order_lower_bound};
  snprintf(rung->option, sizeof rung->option, "%s", options);
}

static int reorder(struct climb *climb, const neap_liveness *liveness) {
  double shown = 0, started = run_seconds();
  const neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_OPTIMAL,
                                      .time_limit = climb->seconds / 2,
                                      .progress = run_watch_order,
                                      .user = &shown};
  neap_error error;
  if (climb->ladder->is_fixed) return 0;
  neap_status status = neap_graph_reorder(climb->graph, &scheduling, liveness, &error);
  message_status("");
  double used = run_seconds() - started;
  climb->seconds -= used < scheduling.time_limit ? used : scheduling.time_limit;
  if (status == NEAP_ERROR_ARGUMENT) climb->ladder->is_fixed = true;
  return status == NEAP_OK || climb->ladder->is_fixed ? 0 : message_error(&error);
}

/* Without reuse, which is the first rung, or in the given order. */
static int climb_given(struct climb *climb, const struct means *means) {
  const neap_liveness liveness = liveness_of(climb, climb->plain);
  struct figures figures;
  int code = find_figures(climb->graph, &liveness, &figures);
  if (climb->ladder->count == 0)
    figures.bound.bytes = figures.bound.lower_bound = figures.total;
  if (code == 0) add_rung(climb, means, "", &figures);
  return code;
}

/* Adds a rung if the arguments allow something that was not allowed before. */
static int climb_to(struct climb *climb, const struct means *means, const char *options,
                    const struct arguments *with) {
  const bool is_order = with->scheduling.schedule != climb->arguments.scheduling.schedule;
  const neap_liveness known = liveness_of(climb, &climb->arguments),
                      liveness = liveness_of(climb, with);
  struct figures before, after;
  int code = reorder(climb, &liveness);
  if (code != 0 || (is_order && climb->ladder->is_fixed)) return code;
  code = find_figures(climb->graph, &known, &before);
  if (code == 0) code = find_figures(climb->graph, &liveness, &after);
  if (code != 0) return code;
  if (!is_order && after.buffers == before.buffers && after.shared == before.shared) return 0;
  add_rung(climb, means, options, &after);
  climb->is_reordered = after.is_reordered;
  climb->arguments = *with;
  return 0;
}

/*
 * Adds bands with overlaps alone, if they are lower than the last rung.  They run in the best
 * order; a means that keeps the given order is tried only if that is another one.
 */
static int climb_bands(struct climb *climb, const struct means *means) {
  const struct rung *last = &climb->ladder->rungs[climb->ladder->count - 1];
  const double started = run_seconds();
  struct arguments with = *climb->plain;
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_error error;
  struct figures figures = {.bound = NEAP_INIT(neap_bound)};
  char options[MEANS_TEXT] = "";
  with.reading.graph.kernels = climb->kernels;
  with.reading.graph.liveness.overlap = climb->overlaps;
  with.scheduling.time_limit = climb->seconds / 2;
  if (!climb->ladder->is_fixed && !means->keeps_order)
    with.scheduling.schedule = NEAP_SCHEDULE_OPTIMAL;
  if ((means->keeps_order && !climb->is_reordered) || climb->band_seconds <= 0) return 0;
  neap_problem *problem = splits_try(&with, -1, climb->band_seconds, &report, &error);
  climb->band_seconds -= run_seconds() - started;
  if (error.status != NEAP_OK && error.status != NEAP_ERROR_INPUT)
    snprintf(climb->ladder->no_bands, sizeof climb->ladder->no_bands, "%s", error.text);
  if (!problem) return 0;
  neap_problem_free(problem);
  /* The planned peak, because an early end may leave any of the splits that have this peak. */
  figures.bound.bytes = figures.bound.lower_bound = report.after.peak;
  means_append(options, means->option);
  means_append(options, means->value);
  if (figures.bound.lower_bound < last->lower_bound) add_rung(climb, means, options, &figures);
  return 0;
}

/* Leaves out means that the target cannot express, and overlaps for other kernels. */
static int climb_means(struct climb *climb, const struct means *means) {
  struct arguments with = climb->arguments;
  char options[MEANS_TEXT] = "";
  if (means->adds_work) return climb_bands(climb, means);
  if (!means->option) return climb_given(climb, means);
  if (climb->has_target && !means->is_in_models) return 0;
  if (!means_add(means, climb->problem, &with, options)) return 0;
  if (means->kernels != NEAP_KERNELS_DEFAULT &&
      (!climb->overlaps || with.reading.graph.kernels != climb->kernels))
    return 0;
  return climb_to(climb, means, options, &with);
}

/* The command line without the means of the ladder. */
static struct arguments plain_arguments(const struct arguments *given,
                                        const neap_reading *complete) {
  struct arguments plain = *given;
  plain.reading = *complete;
  plain.scheduling = (neap_scheduling){.schedule = NEAP_SCHEDULE_KEEP};
  plain.reading.graph.liveness.overlap = false;
  plain.reading.graph.liveness.in_place = false;
  plain.reading.graph.liveness.aliases = 0;
  return plain;
}

static int climb_all(struct climb *climb, bool has_bands) {
  const struct means *means;
  int code = 0;
  for (size_t i = 0; code == 0 && (means = means_at(i)) != NULL; i++)
    if (means->key && (has_bands || !means->adds_work)) code = climb_means(climb, means);
  return code;
}

int ladder_find(struct ladder *ladder, const struct arguments *arguments,
                const neap_problem *problem, bool has_bands) {
  struct completed completed;
  problems_complete(arguments, &completed);
  const struct arguments plain = plain_arguments(arguments, &completed.reading);
  struct climb climb = {.ladder = ladder,
                        .problem = problem,
                        .plain = &plain,
                        .arguments = plain,
                        .has_target = neap_problem_target(problem) != NULL,
                        .seconds = SEARCH_SECONDS,
                        .band_seconds = SEARCH_SECONDS};
  *ladder = (struct ladder){.count = 0};
  int code = read_graph(&climb, arguments);
  if (code == 0) code = climb_all(&climb, has_bands);
  neap_graph_free(climb.graph);
  free(completed.scratch);
  return code;
}

/* ---------------------------------------------------------------- for people */

#define LABEL 26
#define GIVEN 1 /* the rung of the given order */

/* In percent of the lower bound of the given order. */
static double share_percent(const struct ladder *ladder, const struct rung *rung) {
  neap_size given = ladder->rungs[GIVEN].lower_bound;
  return given > 0 ? 100 * (double)rung->lower_bound / (double)given : 0;
}

/* Whether a rung comes with a search for an order, and with a bound for all orders. */
static bool has_order(const struct ladder *ladder, const struct rung *rung) {
  return rung->means->option && !rung->means->adds_work && !ladder->is_fixed;
}

static const char *rung_label(const struct rung *rung) {
  return rung->option[0] ? rung->option : rung->means->label;
}

/* As wide as all labels. */
static int label_width(const struct ladder *ladder) {
  size_t widest = LABEL;
  for (size_t i = 0; i < ladder->count; i++) {
    size_t width = strlen(rung_label(&ladder->rungs[i]));
    if (width > widest) widest = width;
  }
  return (int)widest;
}

static void print_rung(FILE *stream, const struct ladder *ladder, const struct rung *rung,
                       int width) {
  char unit[FIGURE_SIZE];
  fprintf(stream, "  %-*s  %9" PRId64 "  %9s  %6.1f %%", width, rung_label(rung),
          rung->lower_bound, figure_unit(unit, rung->lower_bound), share_percent(ladder, rung));
  if (has_order(ladder, rung))
    fputs(rung->order_lower_bound == rung->bytes ? "  proven" : "  not proven", stream);
  fputc('\n', stream);
}

/* Whether a rung that lowers the bound needs kernels that allow it. */
static bool needs_kernels(const struct ladder *ladder) {
  for (size_t i = 1; i < ladder->count; i++)
    if (ladder->rungs[i].means->needs_kernels &&
        ladder->rungs[i].lower_bound < ladder->rungs[i - 1].lower_bound)
      return true;
  return false;
}

void ladder_print(FILE *stream, const struct ladder *ladder) {
  const int width = label_width(ladder);
  fputs("\nThe lower bound, step by step; each option adds to those above it:\n", stream);
  fprintf(stream, "  %-*s  %9s  %9s  %8s%s\n", width, "", "bytes", "size", "of given",
          ladder->is_fixed ? "" : "  order");
  for (size_t i = 0; i < ladder->count; i++)
    print_rung(stream, ladder, &ladder->rungs[i], width);
  if (ladder->is_fixed) fputs("  The operators cannot be reordered.\n", stream);
  if (ladder->no_bands[0]) fprintf(stream, "  No bands (--split): %s.\n", ladder->no_bands);
  if (needs_kernels(ladder))
    fputs("  Let tensors share bytes only where the target's kernels allow it.\n", stream);
}

/* ---------------------------------------------------------------- for programs */

/* Members of an object; NULL when memory is short. */
static json_t *order_members(const struct rung *rung) {
  bool is_proven = rung->order_lower_bound == rung->bytes;
  return json_pack("{ss sI}", "order_status",
                   neap_outcome_name(is_proven ? NEAP_OPTIMAL : NEAP_FEASIBLE),
                   "order_lower_bound", (json_int_t)rung->order_lower_bound);
}

static json_t *rung_object(const struct ladder *ladder, const struct rung *rung) {
  const struct means *means = rung->means;
  json_t *object = json_pack(
      "{ss sI sI so ss*}", "step", means->key, "bytes", (json_int_t)rung->bytes, "lower_bound",
      (json_int_t)rung->lower_bound, "percent", object_real(share_percent(ladder, rung)),
      "option", rung->option[0] ? rung->option : NULL);
  if (!object || !has_order(ladder, rung)) return object;
  return object_merge(object, order_members(rung));
}

json_t *ladder_json(const struct ladder *ladder) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < ladder->count; i++)
    list = object_append(list, rung_object(ladder, &ladder->rungs[i]));
  return list;
}

/* ---------------------------------------------------------------- the whole model */

static int find_order(struct model_facts *model, const neap_graph *graph,
                      const neap_liveness *liveness) {
  const neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_MIN_PEAK};
  neap_error error;
  struct figures figures;
  neap_graph *copy = neap_graph_copy(graph);
  if (!copy) return message_memory();
  neap_status status = neap_graph_reorder(copy, &scheduling, liveness, &error);
  /* The operators of some graphs cannot be reordered. */
  int code = status == NEAP_OK || status == NEAP_ERROR_ARGUMENT
                 ? find_figures(copy, liveness, &figures)
                 : message_error(&error);
  if (code == 0) model->min_peak_bound = figures.bound.bytes;
  neap_graph_free(copy);
  return code;
}

int model_facts_find(struct model_facts *model, const struct arguments *arguments,
                     const neap_problem *problem) {
  const neap_graph *graph = neap_problem_graph(problem);
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  *model = (struct model_facts){.operators = neap_graph_operator_count(graph) -
                                             neap_graph_step_count(graph),
                                .tensors = neap_graph_tensor_count(graph),
                                .is_scheduled = neap_problem_order(problem, &order),
                                .missing = neap_problem_missing(problem, 0)};
  neap_graph_left_out(graph, &model->left_out);
  int code = arguments->json ? find_order(model, graph, &arguments->reading.graph.liveness) : 0;
  return code != 0 ? code : ladder_find(&model->ladder, arguments, problem, true);
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
    fprintf(stream, "%-*s%s, also not planned\n", label_width, "elsewhere",
            figure_count(bytes, model->left_out.elsewhere, "tensor"));
  if (model->is_scheduled)
    fprintf(stream, "%-*sreordered by --schedule\n", label_width, "order");
  if (peak != NEAP_UNPLACED)
    fprintf(stream, "%-*s%s%s, found within a second\n", label_width, "peak",
            model->missing ? "at least " : "", figure_bytes(bytes, peak));
  if (!model->missing) return;
  fprintf(stream, "%-*s", label_width, "without");
  figure_print(stream, model->missing);
  fputc('\n', stream);
}
