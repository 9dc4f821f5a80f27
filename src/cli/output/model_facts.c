/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each rung of the ladder begins with the order of the rung before, so that sharing in place and overlaps
 * never make it higher than that one, even where a search ends early.  Aliases can, because parts that lie
 * in their whole cannot lie elsewhere.
 */
#include "cli/output/model_facts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/input/files.h"
#include "cli/input/splits.h"
#include "cli/output/figures.h"
#include "cli/output/messages.h"
#include "cli/output/object.h"
#include "cli/output/relation_facts.h"
#include "cli/run.h"
#include "neap-tool.h"

/*
 * All searches together; small graphs need far less.  Each may use half of what is left, so that there
 * is something left for the last one.
 */
#define SEARCH_SECONDS 2.0

/* Kernels to try, those that allow most first: they are for models of one format only. */
static const neap_kernels tried[] = {NEAP_KERNELS_REFERENCE, NEAP_KERNELS_ELEMENTWISE};
enum { TRIED = sizeof tried / sizeof *tried };

struct climb {
  struct ladder *ladder;
  neap_graph *graph; /* in the best order so far */
  neap_liveness liveness;
  bool has_target;     /* which writes plans that cannot say that tensors are one */
  neap_kernels kernels; /* for overlaps; NEAP_KERNELS_DEFAULT: none are known */
  neap_kernels named;   /* those, unless the command line implies them */
  double seconds;      /* left for searches */
};

/* ---------------------------------------------------------------- the graph of the ladder */

/* Reads the graph for kernels; *graph stays NULL if they are not for such models. */
static int try_kernels(const char *path, const neap_reading *reading, neap_kernels kernels,
                       neap_graph **graph) {
  neap_reading silent = *reading; /* warnings were printed when the problem was read */
  neap_liveness liveness;         /* that of a rung is used instead */
  neap_error error;
  silent.warn = NULL;
  silent.kernels = kernels;
  silent.liveness.overlap = true;
  silent.liveness.aliases = 0;
  neap_status status = neap_graph_read(path, &silent, graph, &error);
  if (status == NEAP_OK && neap_graph_prepare(*graph, &silent, &liveness, &error) != NEAP_OK)
    return message_error(&error);
  return status == NEAP_OK || status == NEAP_ERROR_ARGUMENT ? 0 : message_error(&error);
}

/* Standard input cannot be read again: it has the kernels that it was read for, if any. */
static int read_graph(struct climb *climb, const char *path, const neap_problem *problem,
                      const neap_reading *reading) {
  const bool is_given = reading->kernels != NEAP_KERNELS_DEFAULT;
  int code = 0;
  if (files_is_standard(path)) {
    climb->graph = neap_graph_copy(neap_problem_graph(problem));
    climb->kernels = reading->liveness.overlap ? reading->kernels : NEAP_KERNELS_DEFAULT;
    return climb->graph ? 0 : message_memory();
  }
  for (size_t i = 0; code == 0 && !climb->graph && i < (is_given ? 1 : TRIED); i++) {
    climb->kernels = is_given ? reading->kernels : tried[i];
    code = try_kernels(path, reading, climb->kernels, &climb->graph);
  }
  assert(code != 0 || climb->graph); /* the program has read it before */
  return code;
}

/* ---------------------------------------------------------------- rungs */

/* What a rung changes in the problem. */
struct figures {
  neap_size total;
  neap_bound bound;
  neap_size order_lower_bound;
  size_t buffers, shared; /* relations that let buffers share bytes */
};

static neap_status find_figures(const struct climb *climb, const neap_liveness *liveness,
                                struct figures *figures, neap_error *error) {
  neap_problem *problem;
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  *figures = (struct figures){.total = 0};
  neap_status status = neap_graph_to_problem(climb->graph, liveness, &problem, error);
  if (status != NEAP_OK) return status;
  figures->bound = (neap_bound)NEAP_INIT(neap_bound);
  status = neap_problem_bound(problem, &figures->bound, error);
  neap_problem_order(problem, &order);
  figures->order_lower_bound = order.lower_bound;
  figures->buffers = neap_problem_count(problem);
  figures->shared = relation_facts_count(problem);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++)
    figures->total += buffer.size; /* NEAP_MAX at most */
  neap_problem_free(problem);
  return status;
}

/* The overlaps of a ladder depend on kernels, which the command line may have to name. */
static void add_rung(struct climb *climb, enum rung_kind kind, const struct figures *figures) {
  static const char *const options[LADDER_RUNGS] = {[RUNG_BEST_ORDER] = "--schedule",
                                                    [RUNG_IN_PLACE] = "--in-place",
                                                    [RUNG_OVERLAP] = "--overlap",
                                                    [RUNG_ALIASES] = "--alias",
                                                    [RUNG_BANDS] = "--split --lowest-peak"};
  static const char *const values[LADDER_RUNGS] = {[RUNG_BEST_ORDER] = "optimal",
                                                   [RUNG_ALIASES] = "views,concat,split"};
  struct ladder *ladder = climb->ladder;
  assert(ladder->count < LADDER_RUNGS);
  ladder->rungs[ladder->count++] =
      (struct rung){.kind = kind,
                    .option = options[kind],
                    .value = values[kind],
                    .kernels = kind == RUNG_OVERLAP ? climb->named : NEAP_KERNELS_DEFAULT,
                    .bytes = figures->bound.bytes,
                    .lower_bound = figures->bound.lower_bound,
                    .order_lower_bound = figures->order_lower_bound};
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

/* Adds a rung unless `liveness` allows nothing that was not allowed before. */
static int climb_to(struct climb *climb, const neap_liveness *liveness, enum rung_kind kind) {
  neap_error error;
  struct figures with, without;
  int code = reorder(climb, liveness);
  if (code != 0) return code;
  if (find_figures(climb, &climb->liveness, &without, &error) != NEAP_OK ||
      find_figures(climb, liveness, &with, &error) != NEAP_OK)
    return message_error(&error);
  if (with.buffers == without.buffers && with.shared == without.shared) return 0;
  add_rung(climb, kind, &with);
  climb->liveness = *liveness;
  return 0;
}

/* Without reuse, in the given order, and in the best. */
static int climb_orders(struct climb *climb) {
  neap_error error;
  struct figures given, best, total = {0};
  if (find_figures(climb, &climb->liveness, &given, &error) != NEAP_OK)
    return message_error(&error);
  total.bound.bytes = total.bound.lower_bound = given.total;
  add_rung(climb, RUNG_TOTAL, &total);
  add_rung(climb, RUNG_GIVEN_ORDER, &given);
  int code = reorder(climb, &climb->liveness);
  if (code != 0 || climb->ladder->is_fixed) return code;
  if (find_figures(climb, &climb->liveness, &best, &error) != NEAP_OK)
    return message_error(&error);
  add_rung(climb, RUNG_BEST_ORDER, &best);
  return 0;
}

#define ALIASES (NEAP_ALIAS_VIEWS | NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT)

static int climb_sharing(struct climb *climb) {
  neap_liveness liveness = climb->liveness;
  int code = 0;
  liveness.in_place = true;
  if (!climb->has_target) code = climb_to(climb, &liveness, RUNG_IN_PLACE);
  if (code != 0) return code;
  liveness = climb->liveness;
  liveness.overlap = true;
  if (climb->kernels != NEAP_KERNELS_DEFAULT) code = climb_to(climb, &liveness, RUNG_OVERLAP);
  if (code != 0 || climb->has_target) return code;
  liveness = climb->liveness;
  liveness.aliases = ALIASES;
  return climb_to(climb, &liveness, RUNG_ALIASES);
}

/* Bands of rows in the best order, with overlaps alone, if they are lower than all rungs. */
static int climb_bands(struct climb *climb, const char *path, const neap_reading *given) {
  const struct rung *last = &climb->ladder->rungs[climb->ladder->count - 1];
  const neap_scheduling scheduling = {
      .schedule = climb->ladder->is_fixed ? NEAP_SCHEDULE_KEEP : NEAP_SCHEDULE_OPTIMAL,
      .time_limit = climb->seconds / 2};
  neap_reading reading = *given;
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_error error;
  struct figures figures = {.bound = NEAP_INIT(neap_bound)};
  reading.kernels = climb->kernels;
  reading.liveness.overlap = climb->kernels != NEAP_KERNELS_DEFAULT;
  reading.liveness.in_place = false;
  reading.liveness.aliases = 0;
  neap_problem *problem = splits_try(path, &reading, &scheduling, -1, &report, &error);
  if (error.status != NEAP_OK && error.status != NEAP_ERROR_INPUT)
    snprintf(climb->ladder->no_bands, sizeof climb->ladder->no_bands, "%s", error.text);
  if (!problem) return 0;
  neap_problem_free(problem);
  /* The peak that was planned: of splits with the same peak, the search may end early at any. */
  figures.bound.bytes = figures.bound.lower_bound = report.after.peak;
  if (figures.bound.lower_bound < last->lower_bound) add_rung(climb, RUNG_BANDS, &figures);
  return 0;
}

/*
 * Climbs the ladder of the graph at `path`, or of that of `problem` if `path` can be read only once.
 * What `reading` says about sharing and about the order is not used, except the kernels.
 */
static int climb_ladder(struct ladder *ladder, const char *path, const neap_problem *problem,
                        const neap_reading *reading) {
  struct climb climb = {
      .ladder = ladder, .liveness = reading->liveness, .seconds = SEARCH_SECONDS};
  *ladder = (struct ladder){.count = 0};
  climb.liveness.in_place = false;
  climb.liveness.overlap = false;
  climb.liveness.aliases = 0;
  climb.has_target = neap_problem_target(problem) != NULL;
  if (climb.has_target) climb.liveness.no_inputs = climb.liveness.no_outputs = false;
  int code = read_graph(&climb, path, problem, reading);
  if (reading->kernels == NEAP_KERNELS_DEFAULT && !climb.has_target)
    climb.named = climb.kernels;
  if (code == 0) code = climb_orders(&climb);
  if (code == 0) code = climb_sharing(&climb);
  if (code == 0) code = climb_bands(&climb, path, reading);
  neap_graph_free(climb.graph);
  return code;
}

bool rung_apply(const struct rung *rung, neap_reading *reading, neap_schedule *schedule) {
  neap_liveness *liveness = &reading->liveness;
  switch (rung->kind) {
  case RUNG_BEST_ORDER:
    if (*schedule != NEAP_SCHEDULE_KEEP) return false;
    *schedule = NEAP_SCHEDULE_OPTIMAL;
    return true;
  case RUNG_IN_PLACE:
    if (liveness->in_place) return false;
    return liveness->in_place = true;
  case RUNG_OVERLAP:
    if (liveness->overlap) return false;
    if (rung->kernels != NEAP_KERNELS_DEFAULT) reading->kernels = rung->kernels;
    return liveness->overlap = true;
  case RUNG_ALIASES:
    if (liveness->aliases) return false;
    liveness->aliases = ALIASES;
    return true;
  default:
    return false;
  }
}

const char *rung_option(const struct rung *rung, char text[RUNG_OPTION]) {
  const char *value = rung->value ? rung->value : "";
  neap_kernels_info kernels = NEAP_INIT(neap_kernels_info);
  const bool has_kernels = rung->kernels != NEAP_KERNELS_DEFAULT &&
                           neap_kernels_at((size_t)rung->kernels - 1, &kernels);
  snprintf(text, RUNG_OPTION, "%s%s%s%s%s%s", has_kernels ? "--kernels " : "",
           has_kernels ? kernels.name : "", has_kernels ? " " : "", rung->option,
           *value ? " " : "", value);
  return text;
}

/* ---------------------------------------------------------------- for people */

#define LABEL 26 /* unless an option is longer */
#define GIVEN 1 /* the rung of the given order */

/* Of what the given order needs. */
static double share_percent(const struct ladder *ladder, const struct rung *rung) {
  neap_size given = ladder->rungs[GIVEN].lower_bound;
  return given > 0 ? 100 * (double)rung->lower_bound / (double)given : 0;
}

/* Whether orders were searched for a rung, and what is proven for all of them. */
static bool has_order(const struct ladder *ladder, const struct rung *rung) {
  return rung->option && rung->kind != RUNG_BANDS && !ladder->is_fixed;
}

static void print_rung(FILE *stream, const struct ladder *ladder, size_t index, int width) {
  static const char *const names[] = {"no reuse", "reuse in the given order"};
  const struct rung *rung = &ladder->rungs[index];
  char option[RUNG_OPTION], unit[FIGURE_SIZE];
  const char *label = rung->option ? rung_option(rung, option) : names[index];
  fprintf(stream, "  %-*s  %12" PRId64 "  %10s  %6.1f %%", width, label, rung->lower_bound,
          figure_unit(unit, rung->lower_bound), share_percent(ladder, rung));
  if (has_order(ladder, rung))
    fputs(rung->order_lower_bound == rung->bytes ? "  proven" : "  not proven", stream);
  fputc('\n', stream);
}

/* Whether a rung needs kernels that work that way, and lowers the bound. */
static bool needs_kernels(const struct ladder *ladder) {
  for (size_t i = 1; i < ladder->count; i++)
    if (ladder->rungs[i].kind > RUNG_BEST_ORDER && ladder->rungs[i].kind < RUNG_BANDS &&
        ladder->rungs[i].lower_bound < ladder->rungs[i - 1].lower_bound)
      return true;
  return false;
}

static int label_width(const struct ladder *ladder) {
  char option[RUNG_OPTION];
  int width = LABEL;
  for (size_t i = 0; i < ladder->count; i++)
    if (ladder->rungs[i].option) {
      const int length = figure_width(rung_option(&ladder->rungs[i], option));
      if (length > width) width = length;
    }
  return width;
}

void ladder_print(FILE *stream, const struct ladder *ladder) {
  const int width = label_width(ladder);
  fputs("\nThe lower bound, step by step; each option adds to those above it:\n", stream);
  fprintf(stream, "  %-*s  %12s  %10s  %8s%s\n", width, "", "bytes", "size", "of given",
          ladder->is_fixed ? "" : "  order");
  for (size_t i = 0; i < ladder->count; i++)
    print_rung(stream, ladder, i, width);
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
  static const char *const keys[LADDER_RUNGS] = {
      "total", "given_order", "best_order", "in_place", "overlap", "aliases", "bands"};
  char option[RUNG_OPTION];
  json_t *object =
      json_pack("{ss sI sI so ss*}", "step", keys[rung->kind], "bytes", (json_int_t)rung->bytes,
                "lower_bound", (json_int_t)rung->lower_bound, "percent",
                object_real(share_percent(ladder, rung)), "option",
                rung->option ? rung_option(rung, option) : NULL);
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
                                .is_scheduled = neap_problem_order(problem, &order),
                                .missing = neap_problem_missing(problem, 0)};
  neap_graph_left_out(graph, &model->left_out);
  int code = for_json ? find_order(model, graph, &reading->liveness) : 0;
  return code != 0 ? code : climb_ladder(&model->ladder, path, problem, reading);
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
