/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap sweep */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/figures.h"
#include "cli/files.h"
#include "cli/limits.h"
#include "cli/messages.h"
#include "cli/problems.h"
#include "cli/results.h"
#include "cli/run.h"
#include "cli/summary.h"

static const struct option_row options[] = {
    {.name = "max-rounds",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(max_rounds),
     .argument = "LIST",
     .help = "limits on the tuner's rounds to try, such as 1,2,5 or 1..10 or 5..50..5"},
    {.name = "max-group-rounds",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(max_group_rounds),
     .argument = "LIST",
     .help = "limits on the rounds of each group to try, written the same way"},
    {.name = "csv",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(csv),
     .help = "print comma-separated values"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(json),
     .help = "print one JSON object"},
    {.name = "svg",
     .kind = OPTION_PICTURE_FILE,
     .field = OPTION_FIELD(svg),
     .argument = "FILE",
     .help = "draw a chart, with the layouts below, to FILE"},
    {.name = "replan",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(replan),
     .help = "ignore fixed offsets in INPUT"},
};

static const struct example examples[] = {
    {"neap sweep unet.csv --max-rounds 1..6 --svg rounds.svg",
     "Find out how many rounds pay off, as a table and a chart."},
    {"neap sweep unet.ops --max-group-rounds 1,2,5..30..5 --max-rounds 4 --csv",
     "Vary the rounds of each group, with 4 rounds in all, and print CSV."},
};

/* The result of planning with one limit. */
struct point {
  int64_t limit;
  neap_status status; /* NEAP_OK, NEAP_NO_PLAN or NEAP_INFEASIBLE */
  neap_report report; /* without its engine, which belongs to the plan */
  neap_plan *plan;    /* kept if it will be drawn; otherwise NULL */
};

struct sweep {
  const struct arguments *arguments;
  const char *name; /* of the limit */
  struct limits limits;
  const neap_problem *problem;
  neap_bound bound;
  struct point *points;
  size_t count; /* of points */
};

/* ---------------------------------------------------------------- which limit */

static int set_limit(const struct sweep *sweep, int64_t limit) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, limit);
  return option_set_planning(sweep->arguments, sweep->name, text);
}

/* If both lists are given, one must be a single number, which limits every run of the other. */
static int choose_list(struct sweep *sweep) {
  const struct arguments *arguments = sweep->arguments;
  const char *rounds = arguments->max_rounds, *group_rounds = arguments->max_group_rounds;
  bool groups = group_rounds && (!rounds || rounds[strspn(rounds, "0123456789")] == '\0');
  const char *list = groups ? group_rounds : rounds;
  if (!list) return message_usage("sweep needs --max-rounds LIST or --max-group-rounds LIST");
  sweep->name = groups ? "max-group-rounds" : "max-rounds";
  int code = limits_read(sweep->name, list, &sweep->limits);
  if (code != 0 || !rounds || !group_rounds) return code;
  return option_set_planning(arguments, groups ? "max-rounds" : "max-group-rounds",
                             groups ? rounds : group_rounds);
}

/* Checks every limit before any planning. */
static int choose_limits(struct sweep *sweep) {
  int code = choose_list(sweep);
  for (size_t i = 0; i < sweep->limits.count && code == 0; i++)
    code = set_limit(sweep, sweep->limits.values[i]);
  return code;
}

/* ---------------------------------------------------------------- the sweep */

/* If there are many limits, draws a few evenly spread ones, including the last. */
static bool is_drawn(const struct sweep *sweep, size_t index) {
  size_t all = sweep->limits.count, most = NEAP_PANELS_MAX;
  if (!sweep->arguments->svg) return false;
  return all <= most || (index + 1) * most / all > index * most / all;
}

/* Takes ownership of the plan, which may be NULL. */
static void add_point(struct sweep *sweep, int64_t limit, neap_status status, neap_plan *plan) {
  struct point *point = &sweep->points[sweep->count++];
  *point = (struct point){.limit = limit, .status = status};
  if (plan) neap_plan_report(plan, &point->report);
  if (is_drawn(sweep, sweep->count - 1)) point->plan = plan;
  else neap_plan_free(plan);
}

static int plan_point(struct sweep *sweep, int64_t limit) {
  char label[64];
  neap_error error;
  neap_plan *plan = NULL;
  struct run run = {
      .problem = sweep->problem, .options = sweep->arguments->planning, .label = label};
  snprintf(label, sizeof label, "%s %" PRId64 ": ", sweep->name, limit);
  int code = set_limit(sweep, limit);
  if (code != 0) return code;
  neap_status status = run_planner(&run, &plan, &error);
  if (status != NEAP_OK && status != NEAP_NO_PLAN && status != NEAP_INFEASIBLE)
    return message_error(&error);
  if (run_interrupted()) { /* the result of an interrupted run does not belong to its limit */
    neap_plan_free(plan);
    return 0;
  }
  if (!plan) message_warning("%s%s", label, error.text);
  add_point(sweep, limit, status, plan);
  return 0;
}

static int plan_points(struct sweep *sweep) {
  neap_error error;
  if (neap_problem_bound(sweep->problem, &sweep->bound, &error) != NEAP_OK)
    return message_error(&error);
  sweep->points = malloc(sweep->limits.count * sizeof *sweep->points);
  if (!sweep->points) return message_memory();
  run_catch_signals();
  int code = 0;
  for (size_t i = 0; i < sweep->limits.count && code == 0 && !run_interrupted(); i++)
    code = plan_point(sweep, sweep->limits.values[i]);
  if (run_interrupted())
    message_warning("interrupted after %zu of %zu limits", sweep->count, sweep->limits.count);
  return code;
}

/* ---------------------------------------------------------------- results */

static const char *status_name(const struct point *point) {
  if (point->status == NEAP_OK) return neap_outcome_name(point->report.outcome);
  return point->status == NEAP_INFEASIBLE ? "infeasible" : "unknown";
}

static void print_table(const struct sweep *sweep) {
  char gap[NEAP_GAP_TEXT];
  printf("%16s  %19s  %12s  %-10s  %7s  %8s  %s\n", sweep->name, "peak", "gap", "status",
         "rounds", "seconds", "stopped because");
  for (size_t i = 0; i < sweep->count; i++) {
    const struct point *point = &sweep->points[i];
    const neap_report *report = &point->report;
    if (point->status == NEAP_OK)
      printf("%16" PRId64 "  %19" PRId64 "  %12s  %-10s  %7" PRIu64 "  %8.3f  %s\n",
             point->limit, report->peak, neap_gap_text(report->gap_percent, gap),
             status_name(point), report->rounds, report->seconds,
             neap_stop_reason_text(report->stop_reason));
    else printf("%16" PRId64 "  %19s  %12s  %s\n", point->limit, "-", "-", status_name(point));
  }
}

static void print_csv(const struct sweep *sweep) {
  printf("%s,bound,lower_bound,peak,gap_percent,status,stop_reason,rounds,seconds\n",
         sweep->name);
  for (size_t i = 0; i < sweep->count; i++) {
    const struct point *point = &sweep->points[i];
    const neap_report *report = &point->report;
    printf("%" PRId64 ",%" PRId64 ",%" PRId64 ",", point->limit, sweep->bound.bytes,
           sweep->bound.lower_bound);
    if (point->status == NEAP_OK)
      printf("%" PRId64 ",%.6f,%s,%s,%" PRIu64 ",%.6f\n", report->peak, report->gap_percent,
             status_name(point), neap_stop_reason_name(report->stop_reason), report->rounds,
             report->seconds);
    else printf(",,%s,,,\n", status_name(point));
  }
}

static json_t *point_object(const struct point *point) {
  const neap_report *report = &point->report;
  if (point->status != NEAP_OK)
    return json_pack("{sI sn ss}", "limit", (json_int_t)point->limit, "peak", "status",
                     status_name(point));
  return json_pack("{sI sI so ss ss sI so}", "limit", (json_int_t)point->limit, "peak",
                   (json_int_t)report->peak, "gap_percent", summary_real(report->gap_percent),
                   "status", status_name(point), "stop_reason",
                   neap_stop_reason_name(report->stop_reason), "rounds",
                   (json_int_t)report->rounds, "seconds", summary_real(report->seconds));
}

static json_t *point_list(const struct sweep *sweep) {
  json_t *list = json_array();
  for (size_t i = 0; i < sweep->count; i++)
    list = summary_append(list, point_object(&sweep->points[i]));
  return list;
}

static int print_json(const struct sweep *sweep) {
  return summary_json(json_pack(
      "{so sI sI sI ss so}", "input", summary_text(sweep->arguments->operand), "buffers",
      (json_int_t)neap_problem_count(sweep->problem), "bound", (json_int_t)sweep->bound.bytes,
      "lower_bound", (json_int_t)sweep->bound.lower_bound, "option", sweep->name, "points",
      point_list(sweep)));
}

static int print_points(const struct sweep *sweep) {
  const struct arguments *arguments = sweep->arguments;
  if (arguments->json) return print_json(sweep);
  if (arguments->csv) print_csv(sweep);
  else if (!(arguments->svg && files_is_standard(arguments->svg))) print_table(sweep);
  return 0;
}

#define PANEL_NAME 48

struct panels {
  neap_panel list[NEAP_PANELS_MAX];
  char names[NEAP_PANELS_MAX][PANEL_NAME];
  size_t count;
};

static void list_panels(const struct sweep *sweep, struct panels *panels) {
  panels->count = 0;
  for (size_t i = 0; i < sweep->count && panels->count < NEAP_PANELS_MAX; i++) {
    const struct point *point = &sweep->points[i];
    if (!point->plan) continue;
    char *name = panels->names[panels->count];
    snprintf(name, PANEL_NAME, "%s %" PRId64, sweep->name, point->limit);
    panels->list[panels->count++] = (neap_panel){point->plan, name};
  }
}

static int draw_chart(const struct sweep *sweep, double *numbers) {
  neap_error error;
  struct panels panels;
  size_t count = sweep->count;
  double *x = numbers, *peak = numbers + count, *bound = numbers + 2 * count;
  for (size_t i = 0; i < count; i++) {
    const struct point *point = &sweep->points[i];
    x[i] = (double)point->limit;
    peak[i] = point->status == NEAP_OK ? (double)point->report.peak : (double)NAN;
    bound[i] = (double)sweep->bound.lower_bound;
  }
  list_panels(sweep, &panels);
  bool plain = sweep->bound.lower_bound == sweep->bound.bytes;
  const neap_series series[] = {{"peak", peak, false},
                                {plain ? "bound" : "lower bound", bound, true}};
  const neap_chart chart = {.title = files_last_part(sweep->arguments->operand),
                            .x_label = sweep->name,
                            .y_label = "peak",
                            .x = x,
                            .x_count = count,
                            .series = series,
                            .series_count = 2,
                            .y_is_bytes = true,
                            .panels = panels.list,
                            .panel_count = panels.count};
  const char *path = sweep->arguments->svg;
  return message_written(path, neap_chart_draw(&chart, path, &error), &error);
}

static int draw_results(const struct sweep *sweep) {
  if (!sweep->arguments->svg || sweep->count == 0) return 0;
  double *numbers = malloc(3 * sweep->count * sizeof *numbers);
  if (!numbers) return message_memory();
  int code = draw_chart(sweep, numbers);
  free(numbers);
  return code;
}

static int run_sweep(const struct arguments *arguments) {
  struct sweep sweep = {.arguments = arguments};
  neap_problem *problem = NULL;
  int code = results_check(arguments);
  if (code == 0) code = choose_limits(&sweep);
  if (code == 0) code = problems_read(arguments, &problem);
  if (code == 0) {
    sweep.problem = problem;
    code = plan_points(&sweep);
  }
  if (code == 0) code = draw_results(&sweep);
  if (code == 0) code = print_points(&sweep);
  for (size_t i = 0; i < sweep.count; i++)
    neap_plan_free(sweep.points[i].plan);
  neap_problem_free(problem);
  free(sweep.points);
  free(sweep.limits.values);
  return code;
}

const struct command command_sweep = {
    .name = "sweep",
    .summary = "show how the peak depends on a limit on the tuner's rounds",
    .operand = "INPUT",
    .input = INPUT_GRAPH,
    .usage = "INPUT (--max-rounds LIST | --max-group-rounds LIST) [OPTION...]",
    .description = "Plans INPUT once with each limit in LIST and prints the results as a "
                   "table, as CSV or as JSON, or draws a chart. If both options are given, one "
                   "must be a single number; the sweep varies the other.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .plans = true,
    .engine = "tune",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_sweep,
};
