/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap sweep */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/experiment/run.h"
#include "cli/experiment/sweep.h"
#include "cli/experiment/table.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/results.h"
#include "cli/run.h"

static const struct option_row options[] = {
    {.name = "max-rounds",
     .kind = OPTION_LIST,
     .field = OPTION_FIELD(max_rounds),
     .argument = "LIST",
     .help = "limits on the tuner's rounds, such as 1,2,5 or 1..10 or 5..50..5"},
    {.name = "max-group-rounds",
     .kind = OPTION_LIST,
     .field = OPTION_FIELD(max_group_rounds),
     .argument = "LIST",
     .help =
         "limits on the orders per group or, with repack, on the groups taken out per round, "
         "written the same way"},
    {.name = "group-size",
     .kind = OPTION_LIST,
     .field = OPTION_FIELD(group_size),
     .argument = "LIST",
     .help = "maximum sizes of a group, written the same way"},
    {.name = "group-overlap",
     .kind = OPTION_LIST,
     .field = OPTION_FIELD(group_overlap),
     .argument = "LIST",
     .help = "fractions of a lifetime that members of a group must share, such as 0.25,0.5 or "
             "0.2..0.8..0.1"},
    {.name = "rearrange",
     .kind = OPTION_LIST,
     .field = OPTION_FIELD(rearrange),
     .argument = "LIST",
     .help = "comma-separated list of ways to lower the peak, or 'all'"},
    {.name = "order",
     .kind = OPTION_LIST,
     .field = OPTION_FIELD(order),
     .argument = "LIST",
     .help = "orders in which to place the buffers, separated by colons, such as "
             "size:overlap,-duration"},
    {.name = "seeds",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(seeds),
     .argument = "N|LIST",
     .help =
         "plan each setting with N seeds, starting at --seed, or with the seeds in LIST, such "
         "as 1,2,5 or 11..20; default 1"},
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(seed),
     .argument = "N",
     .help = "first seed of the random number generator; default 1"},
    OPTION_CSV,
    OPTION_JSON,
    OPTION_SVG(0, "draw a chart, with the layouts below, to FILE"),
    OPTION_REPLAN,
};

static const char *const brief[] = {"max-rounds", "group-size", "rearrange", "order",
                                    "seeds",      "csv",        "json",      "svg",
                                    "max-ticks",  "time-limit", NULL};

static const struct example examples[] = {
    {"neap sweep unet.csv --max-rounds 1..6 --svg rounds.svg",
     "Find out how many rounds pay off, as a table and a chart."},
    {"neap sweep unet.ops --max-group-rounds 1,2,5..30..5 --max-rounds 4 --csv",
     "Vary the number of groups per round, in 4 rounds, and print CSV."},
    {"neap sweep unet.csv --max-rounds 1,2,5 --rearrange auto,repack --seeds 5",
     "Compare two rearrangers at three limits, with five seeds each."},
    {"neap sweep unet.csv --order size:duration:overlap,-duration --max-rounds 1",
     "Compare three orders without tuning."},
};

/* ---------------------------------------------------------------- runs */

#define NAME_SIZE (DESIGN_TEXT + 96)

/* "max-rounds 5: ", or "max-rounds 5, seed 3: " if there are several seeds. */
static void write_name(const struct design *design, size_t run, char name[NAME_SIZE]) {
  char text[DESIGN_TEXT];
  design_text(design, run / design->seed_count, "", ", ", text);
  if (design->seed_count == 1) snprintf(name, NAME_SIZE, "%s: ", text);
  else
    snprintf(name, NAME_SIZE, "%s, seed %" PRIu64 ": ", text,
             design->seeds[run % design->seed_count]);
}

/* The status line begins with "run 12/40, max-rounds 5, seed 3: ". */
static int prepare_run(void *user, size_t run, struct trial *trial) {
  const struct sweep *sweep = user;
  const struct design *design = &sweep->design;
  char name[NAME_SIZE];
  write_name(design, run, name);
  snprintf(trial->label, sizeof trial->label, "run %zu/%zu, %.300s", run + 1,
           design->setting_count * design->seed_count, name);
  return design_apply(design, sweep->arguments, run / design->seed_count,
                      design->seeds[run % design->seed_count]);
}

/* Keeps one of two plans, the first of equals. */
static void keep_lower(neap_plan **kept, neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report), other = NEAP_INIT(neap_report);
  if (*kept) neap_plan_report(*kept, &other);
  if (plan) neap_plan_report(plan, &report);
  if (plan && (!*kept || report.peak < other.peak)) {
    neap_plan *old = *kept;
    *kept = plan;
    plan = old;
  }
  neap_plan_free(plan);
}

static void finish_setting(struct sweep *sweep) {
  const struct design *design = &sweep->design;
  size_t seeds = design->seed_count, index = sweep->done++;
  const struct outcome *outcomes = &sweep->outcomes[index * seeds];
  struct setting *setting = &sweep->settings[index];
  *setting = (struct setting){.bound = sweep->bound.bytes,
                              .lower_bound = sweep->bound.lower_bound,
                              .seeds = (int64_t)seeds,
                              .outcome = outcomes[0],
                              .statistics = statistics_of(outcomes, seeds, sweep->scratch)};
  for (size_t i = 0; i < design->factor_count; i++)
    setting->values[i] = design->factors[i].texts[design_value(design, index, i)];
  if (sweep->best && sweep->arguments->svg)
    layouts_add(&sweep->layouts, design, index, sweep->best);
  else neap_plan_free(sweep->best);
  sweep->best = NULL;
}

static int keep_run(void *user, size_t run, const struct outcome *outcome, neap_plan *plan,
                    const neap_error *failure) {
  struct sweep *sweep = user;
  char name[NAME_SIZE];
  if (failure && failure->status != NEAP_NO_PLAN && failure->status != NEAP_INFEASIBLE)
    return message_error(failure);
  write_name(&sweep->design, run, name);
  if (failure) message_warning("%s%s", name, failure->text);
  sweep->outcomes[run] = *outcome;
  keep_lower(&sweep->best, plan);
  if ((run + 1) % sweep->design.seed_count == 0) finish_setting(sweep);
  return 0;
}

/* Settings without all of their seeds have no row. */
static void note_missing(const struct sweep *sweep, const struct experiment *experiment) {
  const struct design *design = &sweep->design;
  char text[DESIGN_TEXT];
  if (experiment->done == experiment->count) return;
  design_text(design, sweep->done, "", ", ", text);
  message_warning("interrupted after %zu of %zu runs; missing: %zu of %zu settings, from %s on",
                  experiment->done, experiment->count, design->setting_count - sweep->done,
                  design->setting_count, text);
  run_note_missing();
}

static int run_sweep(struct sweep *sweep) {
  neap_error error;
  size_t settings = sweep->design.setting_count, seeds = sweep->design.seed_count;
  struct experiment experiment = {.arguments = sweep->arguments,
                                  .problem = sweep->problem,
                                  .count = settings * seeds,
                                  .prepare = prepare_run,
                                  .keep = keep_run,
                                  .user = sweep};
  if (neap_problem_bound(sweep->problem, &sweep->bound, &error) != NEAP_OK)
    return message_error(&error);
  sweep->outcomes = calloc(experiment.count, sizeof *sweep->outcomes);
  sweep->settings = calloc(settings, sizeof *sweep->settings);
  sweep->scratch = calloc(seeds, sizeof *sweep->scratch);
  if (!sweep->outcomes || !sweep->settings || !sweep->scratch) return message_memory();
  int code = experiment_run(&experiment);
  if (run_interrupted()) note_missing(sweep, &experiment);
  return code;
}

static void clear_sweep(struct sweep *sweep) {
  layouts_clear(&sweep->layouts);
  neap_plan_free(sweep->best);
  free(sweep->scratch);
  free(sweep->settings);
  free(sweep->outcomes);
  design_clear(&sweep->design);
}

size_t sweep_best(const struct sweep *sweep) {
  size_t best = sweep->done;
  for (size_t i = 0; i < sweep->done; i++)
    if (sweep->settings[i].statistics.plans > 0 &&
        (best == sweep->done || statistics_are_better(&sweep->settings[i].statistics,
                                                      &sweep->settings[best].statistics)))
      best = i;
  return best;
}

/* ---------------------------------------------------------------- columns */

#define OUTCOME(member) offsetof(struct outcome, member)
#define STATISTICS(member) offsetof(struct statistics, member)

static const struct column run_columns[] = {
    {"peak", "peak", 19, 0, CELL_WHOLE, COLUMN_PLANNED | COLUMN_NULL, OUTCOME(peak)},
    {"gap_percent", "gap", 12, 0, CELL_PERCENT, COLUMN_PLANNED, OUTCOME(gap_percent)},
    {"status", "status", -10, 0, CELL_WORD, 0, OUTCOME(status)},
    {"stop_reason", NULL, 0, 0, CELL_WORD, COLUMN_PLANNED, OUTCOME(stop_reason)},
    {"rounds", "rounds", 7, 0, CELL_WHOLE, COLUMN_PLANNED, OUTCOME(rounds)},
    {"seconds", "seconds", 8, 3, CELL_REAL, COLUMN_PLANNED, OUTCOME(seconds)},
    {"ticks", NULL, 0, 0, CELL_WHOLE, COLUMN_PLANNED | COLUMN_NO_CSV, OUTCOME(ticks)},
    {NULL, "stopped because", 0, 0, CELL_TEXT, COLUMN_PLANNED, OUTCOME(stop_phrase)},
};

/* The median, the extremes and the quartiles of a quantity. */
#define SPREAD(quantity, kind)                                                          \
  {#quantity "_median", NULL, 0, 0, kind, COLUMN_PLANNED, STATISTICS(quantity.median)}, \
      {#quantity "_min", NULL, 0, 0, kind, COLUMN_PLANNED, STATISTICS(quantity.min)},   \
      {#quantity "_q1", NULL, 0, 0, kind, COLUMN_PLANNED, STATISTICS(quantity.q1)},     \
      {#quantity "_q3", NULL, 0, 0, kind, COLUMN_PLANNED, STATISTICS(quantity.q3)}, {   \
#quantity "_max", NULL, 0, 0, kind, COLUMN_PLANNED, STATISTICS(quantity.max)        \
  }

/* A peak for people; all of them have about as many digits. */
#define PEAK(heading, width, part) \
  { NULL, heading, width, 0, CELL_MEDIAN, COLUMN_PLANNED | COLUMN_ALIKE, STATISTICS(peak.part) }

static const struct column statistics_columns[] = {
    {"plans", NULL, 0, 0, CELL_WHOLE, 0, STATISTICS(plans)},
    {"optimal", NULL, 0, 0, CELL_WHOLE, 0, STATISTICS(optimal)},
    SPREAD(peak, CELL_MEDIAN),
    SPREAD(gap_percent, CELL_PERCENT),
    SPREAD(seconds, CELL_REAL),
    {"rounds_median", NULL, 0, 0, CELL_MEDIAN, COLUMN_PLANNED, STATISTICS(rounds)},
    {"ticks_median", NULL, 0, 0, CELL_MEDIAN, COLUMN_PLANNED, STATISTICS(ticks)},
    PEAK("median peak", 11, median),
    {NULL, "gap", 9, 0, CELL_PERCENT, COLUMN_PLANNED, STATISTICS(gap_percent.median)},
    PEAK("lowest", 7, min),
    PEAK("25 %", 7, q1),
    PEAK("75 %", 7, q3),
    PEAK("highest", 7, max),
    {NULL, "rounds", 7, 0, CELL_MEDIAN, COLUMN_PLANNED, STATISTICS(rounds)},
    {NULL, "seconds", 8, 3, CELL_REAL, COLUMN_PLANNED, STATISTICS(seconds.median)},
    {NULL, "plans", 5, 0, CELL_WHOLE, 0, STATISTICS(plans)},
    {NULL, "optimal", 7, 0, CELL_WHOLE, 0, STATISTICS(optimal)},
};

enum {
  RUN_COLUMNS = sizeof run_columns / sizeof *run_columns,
  STATISTICS_COLUMNS = sizeof statistics_columns / sizeof *statistics_columns,
  COLUMNS_MOST = DESIGN_FACTORS_MAX + 3 + RUN_COLUMNS + STATISTICS_COLUMNS
};

/* Appends the columns of a member of struct setting. */
static size_t append_columns(struct column *columns, size_t count, const struct column *more,
                             size_t more_count, size_t member) {
  for (size_t i = 0; i < more_count; i++) {
    columns[count + i] = more[i];
    columns[count + i].field += member;
  }
  return count + more_count;
}

static size_t list_columns(const struct design *design, struct column columns[COLUMNS_MOST]) {
  static const struct column shared[] = {
      {"bound", NULL, 0, 0, CELL_WHOLE, 0, offsetof(struct setting, bound)},
      {"lower_bound", NULL, 0, 0, CELL_WHOLE, 0, offsetof(struct setting, lower_bound)},
      {"seeds", NULL, 0, 0, CELL_WHOLE, 0, offsetof(struct setting, seeds)}};
  size_t count = 0;
  for (; count < design->factor_count; count++) {
    const char *name = design->factors[count].name;
    columns[count] =
        (struct column){name,
                        name,
                        (int)strlen(name) + 2,
                        0,
                        CELL_TEXT,
                        COLUMN_FITS,
                        offsetof(struct setting, values) + count * sizeof(const char *)};
  }
  count = append_columns(columns, count, shared, design->seed_count > 1 ? 3 : 2, 0);
  if (design->seed_count == 1)
    return append_columns(columns, count, run_columns, RUN_COLUMNS,
                          offsetof(struct setting, outcome));
  return append_columns(columns, count, statistics_columns, STATISTICS_COLUMNS,
                        offsetof(struct setting, statistics));
}

static bool is_run_planned(const void *row) { return outcome_is_planned(row); }
static bool has_plans(const void *row) { return ((const struct statistics *)row)->plans > 0; }
static bool is_setting_planned(const void *row) {
  return has_plans(&((const struct setting *)row)->statistics);
}

static const char *why_unplanned(const void *row) {
  const struct setting *setting = row;
  if (setting->statistics.plans > 0) return "";
  return setting->seeds > 1 ? "no seed gives a plan" : setting->outcome.status;
}

/* The table for people and as CSV. */
static struct table settings_table(const struct sweep *sweep,
                                   struct column columns[COLUMNS_MOST]) {
  return (struct table){.columns = columns,
                        .column_count = list_columns(&sweep->design, columns),
                        .rows = sweep->settings,
                        .row_size = sizeof *sweep->settings,
                        .row_count = sweep->done,
                        .between = "  ",
                        .is_planned = is_setting_planned,
                        .remark = why_unplanned,
                        .remark_place = sweep->design.factor_count + 2,
                        .before_remark = "  "};
}

/* ---------------------------------------------------------------- JSON */

static json_t *value_json(const struct factor *factor, size_t value) {
  if (factor->kind == FACTOR_WHOLE) return json_integer((json_int_t)factor->numbers[value]);
  if (factor->kind == FACTOR_DECIMAL) return object_real(factor->numbers[value]);
  return json_string(factor->texts[value]);
}

static json_t *add_setting(json_t *object, const struct design *design, size_t setting) {
  json_t *values = json_object();
  for (size_t i = 0; i < design->factor_count; i++)
    values = object_add(values, design->factors[i].name,
                        value_json(&design->factors[i], design_value(design, setting, i)));
  return object_add(object, "setting", values);
}

static json_t *add_run(json_t *object, const struct sweep *sweep, size_t run) {
  const struct table table = {.columns = run_columns,
                              .column_count = RUN_COLUMNS,
                              .rows = sweep->outcomes,
                              .row_size = sizeof *sweep->outcomes,
                              .is_planned = is_run_planned};
  return table_add_row(object, &table, run);
}

static json_t *add_statistics(json_t *object, const struct sweep *sweep, size_t setting) {
  const struct table table = {.columns = statistics_columns,
                              .column_count = STATISTICS_COLUMNS,
                              .rows = &sweep->settings[setting].statistics,
                              .is_planned = has_plans};
  return table_add_row(object, &table, 0);
}

static json_t *runs_json(const struct sweep *sweep, size_t setting) {
  const struct design *design = &sweep->design;
  json_t *list = json_array();
  for (size_t i = 0; i < design->seed_count; i++) {
    json_t *run = json_pack("{sI}", "seed", (json_int_t)design->seeds[i]);
    list = object_append(list, add_run(run, sweep, setting * design->seed_count + i));
  }
  return list;
}

/* With one seed, the point has the keys of its run. */
static json_t *point_json(const struct sweep *sweep, size_t setting) {
  const struct design *design = &sweep->design;
  json_t *point = json_pack("{so}", "limit",
                            value_json(&design->factors[0], design_value(design, setting, 0)));
  if (design->seed_count == 1)
    return add_setting(add_run(point, sweep, setting), design, setting);
  point = add_statistics(add_setting(point, design, setting), sweep, setting);
  return object_add(point, "runs", runs_json(sweep, setting));
}

static json_t *best_json(const struct sweep *sweep) {
  size_t best = sweep_best(sweep);
  if (best == sweep->done) return json_null();
  return add_statistics(add_setting(json_object(), &sweep->design, best), sweep, best);
}

static int print_json(const struct sweep *sweep) {
  const struct design *design = &sweep->design;
  json_t *names = json_array(), *seeds = json_array(), *points = json_array();
  for (size_t i = 0; i < design->factor_count; i++)
    names = object_append(names, json_string(design->factors[i].name));
  for (size_t i = 0; i < design->seed_count; i++)
    seeds = object_append(seeds, json_integer((json_int_t)design->seeds[i]));
  for (size_t i = 0; i < sweep->done; i++)
    points = object_append(points, point_json(sweep, i));
  return object_print(
      json_pack("{so sI sI sI ss so so so so}", "input", object_text(sweep->arguments->operand),
                "buffers", (json_int_t)neap_problem_count(sweep->problem), "bound",
                (json_int_t)sweep->bound.bytes, "lower_bound",
                (json_int_t)sweep->bound.lower_bound, "option", design->factors[0].name,
                "options", names, "seeds", seeds, "points", points, "best", best_json(sweep)));
}

/* ---------------------------------------------------------------- the command */

static void print_best(const struct sweep *sweep) {
  char setting[DESIGN_TEXT], peak[FIGURE_SIZE], gap[NEAP_GAP_TEXT];
  size_t best = sweep_best(sweep);
  if (best == sweep->done) return;
  const struct statistics *statistics = &sweep->settings[best].statistics;
  printf("best: %s, peak %s, gap %s", design_text(&sweep->design, best, "--", " ", setting),
         figure_bytes(peak, (neap_size)statistics->peak.median),
         neap_gap_text(statistics->gap_percent.median, gap));
  if (sweep->design.seed_count > 1) printf(", median of %" PRId64 " seeds", statistics->plans);
  putchar('\n');
}

static int print_results(const struct sweep *sweep) {
  const struct arguments *arguments = sweep->arguments;
  struct column columns[COLUMNS_MOST];
  if (arguments->json) return print_json(sweep);
  const struct table table = settings_table(sweep, columns);
  if (arguments->csv) table_print_csv(&table);
  if (arguments->csv || results_take_output(arguments)) return 0;
  table_print(&table);
  print_best(sweep);
  return 0;
}

static int run_command(const struct arguments *arguments) {
  struct sweep sweep = {.arguments = arguments, .bound = NEAP_INIT(neap_bound)};
  neap_problem *problem = NULL;
  int code = results_check(arguments);
  if (code == 0) code = design_read(arguments, &sweep.design);
  if (code == 0) code = problems_read(arguments, &problem);
  sweep.problem = problem;
  if (code == 0) code = run_sweep(&sweep);
  if (code == 0) code = sweep_draw(&sweep);
  if (code == 0) code = print_results(&sweep);
  clear_sweep(&sweep);
  neap_problem_free(problem);
  return code;
}

const struct command command_sweep = {
    .name = "sweep",
    .summary = "show how the peak depends on options of the tuner",
    .operand = "INPUT",
    .input = INPUT_GRAPH,
    .usage = "INPUT --OPTION LIST [--OPTION LIST] [--seeds N] [OPTION...]",
    .description =
        "Plans INPUT with each value in LIST, or with each pair of values if two options have "
        "a LIST. Prints the results as a table, as CSV or as JSON, or draws a chart. A single "
        "value sets its option for all runs.\n\nWith --seeds, plans each setting once per "
        "seed and prints the median, the extremes and the quartiles of the peaks. The best "
        "setting is the one with the lowest median peak; among equals, the one whose peaks "
        "vary least, then the one that takes the fewest ticks.\n\nThe first LIST on the "
        "command line is the chart's horizontal axis; each value in the second has a line of "
        "its own, with a band from the lowest to the highest peak of all seeds. The layouts "
        "are drawn below, each with the settings that lead to it; with several seeds, the "
        "layout with the lowest peak is drawn. Ctrl-C ends the sweep and prints the settings "
        "that are finished.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .plans = true,
    .engine = "tune",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_command,
};
