/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap compare */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/experiment/layouts.h"
#include "cli/experiment/run.h"
#include "cli/experiment/table.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/results.h"
#include "cli/run.h"

static const struct option_row options[] = {
    OPTION_ENGINE_LIST("all"),
    OPTION_TIME_LIMIT("engine (default 10)"),
    OPTION_CSV,
    OPTION_JSON,
    OPTION_SVG(0,
               "draw how far the peaks are above the bound, with the layouts below, to FILE"),
    {.name = "html",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page with the layouts of all engines to FILE"},
    OPTION_REPLAN,
};

static const char *const brief[] = {"engine", "time-limit", "csv",      "json", "svg",
                                    "html",   "schedule",   "capacity", NULL};

static const struct example examples[] = {
    {"neap compare unet.csv --time-limit 1", "Compare all engines and runtime planners."},
    {"neap compare unet.csv --html engines.html",
     "Write a page that shows any two of the layouts side by side."},
    {"neap compare unet.csv --engine auto,tflite-gpu-greedy-best,tflite-arena --svg bars.svg",
     "Compare three of them and draw the result."},
};

/* The result of one engine. */
struct entry {
  neap_engine_info engine;
  struct outcome outcome; /* its gap is to the best bound of all engines */
  double ratio;           /* of the peak to the best one; 1 if that is 0 */
  neap_plan *plan;        /* kept if it will be drawn; otherwise NULL */
};

struct comparison {
  const struct arguments *arguments;
  const neap_problem *problem;
  neap_bound bound;
  struct entry *entries; /* best first once all have run */
  size_t count;
};

/* ---------------------------------------------------------------- which engines */

/* Whether to run an engine: without a list, all of them. */
static bool is_wanted(const struct arguments *arguments, const char *engine) {
  for (size_t i = 0; i < arguments->engine_count; i++)
    if (strcmp(arguments->engines[i], engine) == 0) return true;
  return arguments->engine_count == 0;
}

static int choose_engines(struct comparison *comparison) {
  neap_engine_info info = NEAP_INIT(neap_engine_info);
  size_t count = 0;
  while (neap_engine_at(count, &info))
    count++;
  comparison->entries = calloc(count + 1, sizeof *comparison->entries);
  if (!comparison->entries) return message_memory();
  for (size_t e = 0; neap_engine_at(e, &info); e++)
    if (is_wanted(comparison->arguments, info.name))
      comparison->entries[comparison->count++].engine = info;
  return 0;
}

/* ---------------------------------------------------------------- planning */

static int prepare_run(void *user, size_t run, struct trial *trial) {
  const struct comparison *comparison = user;
  const char *engine = comparison->entries[run].engine.name;
  snprintf(trial->label, sizeof trial->label, "%s: ", engine);
  return option_set_planning(comparison->arguments, "engine", engine);
}

/*
 * A bound that one engine proves holds for all, except with pools: there it holds only for the
 * buffers that the engine's plan puts in each.
 */
static int keep_run(void *user, size_t run, const struct outcome *outcome, neap_plan *plan,
                    const neap_error *failure) {
  struct comparison *comparison = user;
  struct entry *entry = &comparison->entries[run];
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  (void)failure;
  entry->outcome = *outcome;
  if (plan && outcome->lower_bound > comparison->bound.lower_bound &&
      !neap_plan_pool_at(plan, 0, &pool))
    comparison->bound.lower_bound = outcome->lower_bound;
  if (comparison->arguments->svg || comparison->arguments->html) entry->plan = plan;
  else neap_plan_free(plan);
  return 0;
}

/* By peak, lowest first; engines without a plan come last. */
static int by_peak(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  bool a_planned = outcome_is_planned(&a->outcome);
  bool b_planned = outcome_is_planned(&b->outcome);
  if (a_planned != b_planned) return a_planned ? -1 : 1;
  if (a_planned && a->outcome.peak != b->outcome.peak)
    return a->outcome.peak < b->outcome.peak ? -1 : 1;
  if (a_planned && a->engine.is_runtime != b->engine.is_runtime)
    return a->engine.is_runtime ? 1 : -1;
  return strcmp(a->engine.name, b->engine.name);
}

/* The most engines that the warning names. */
#define MISSING_NAMED 8

/* The last engine that ran was stopped early, and those after it have no row. */
static void note_missing(const struct comparison *comparison, size_t done) {
  char names[512] = "", more[48] = "";
  size_t used = 0, end = done + MISSING_NAMED;
  if (end >= comparison->count) end = comparison->count;
  else snprintf(more, sizeof more, " and %zu more", comparison->count - end);
  for (size_t e = done; e < end && used < sizeof names; e++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", e > done ? ", " : "",
                             comparison->entries[e].engine.name);
  message_warning("interrupted: %s was stopped early%s%s%s",
                  done > 0 ? comparison->entries[done - 1].engine.name : "the comparison",
                  done < comparison->count ? "; missing: " : "", names, more);
  run_note_missing();
}

/* Sorts the entries, and compares them with the best and with the bound. */
static void rank_entries(struct comparison *comparison) {
  struct entry *entries = comparison->entries;
  qsort(entries, comparison->count, sizeof *entries, by_peak);
  for (size_t i = 0; i < comparison->count; i++) {
    struct outcome *outcome = &entries[i].outcome;
    int64_t best = entries[0].outcome.peak;
    entries[i].ratio = best > 0 ? (double)outcome->peak / (double)best : 1;
    outcome->gap_percent = figure_gap(outcome->peak, comparison->bound.lower_bound);
  }
}

static int plan_all(struct comparison *comparison) {
  neap_error error;
  struct experiment experiment = {.arguments = comparison->arguments,
                                  .problem = comparison->problem,
                                  .count = comparison->count,
                                  .keeps_stopped = true,
                                  .prepare = prepare_run,
                                  .keep = keep_run,
                                  .user = comparison};
  if (neap_problem_bound(comparison->problem, &comparison->bound, &error) != NEAP_OK)
    return message_error(&error);
  int code = experiment_run(&experiment);
  if (run_interrupted()) note_missing(comparison, experiment.done);
  comparison->count = experiment.done;
  rank_entries(comparison);
  return code;
}

/* ---------------------------------------------------------------- the table */

#define ENTRY(member) offsetof(struct entry, member)

static const struct column columns[] = {
    {"engine", "engine", -33, 0, CELL_TEXT, 0, ENTRY(engine.name)},
    {"runtime", NULL, 0, 0, CELL_BOOL, 0, ENTRY(engine.is_runtime)},
    {"peak", "peak", 16, 0, CELL_WHOLE, COLUMN_PLANNED | COLUMN_NULL, ENTRY(outcome.peak)},
    {"gap_percent", "gap", 12, 0, CELL_PERCENT, COLUMN_PLANNED, ENTRY(outcome.gap_percent)},
    {"ratio", "ratio", 7, 3, CELL_REAL, COLUMN_PLANNED, ENTRY(ratio)},
    {"seconds", "seconds", 9, 3, CELL_REAL, COLUMN_PLANNED, ENTRY(outcome.seconds)},
    {"stop_reason", NULL, 0, 0, CELL_WORD, COLUMN_PLANNED | COLUMN_NO_CSV,
     ENTRY(outcome.stop_reason)},
    {"objects", "objects", 8, 0, CELL_COUNT, COLUMN_PLANNED, ENTRY(outcome.objects)},
    {"object_bound", "object bound", 16, 0, CELL_COUNT, COLUMN_PLANNED,
     ENTRY(outcome.object_bound)},
    {"reason", NULL, 0, 0, CELL_WORD, COLUMN_UNPLANNED | COLUMN_QUOTED, ENTRY(outcome.error)},
};

static bool is_planned(const void *row) {
  return outcome_is_planned(&((const struct entry *)row)->outcome);
}

static const char *reason_of(const void *row) {
  return ((const struct entry *)row)->outcome.error;
}

static struct table table_of(const struct comparison *comparison) {
  return (struct table){.columns = columns,
                        .column_count = sizeof columns / sizeof *columns,
                        .rows = comparison->entries,
                        .row_size = sizeof *comparison->entries,
                        .row_count = comparison->count,
                        .between = " ",
                        .is_planned = is_planned,
                        .remark = reason_of,
                        .remark_place = 1,
                        .before_remark = " "};
}

static json_t *comparison_object(const struct comparison *comparison) {
  const struct table table = table_of(comparison);
  return json_pack("{so sI sI sI so}", "input", object_text(comparison->arguments->operand),
                   "buffers", (json_int_t)neap_problem_count(comparison->problem), "bound",
                   (json_int_t)comparison->bound.bytes, "lower_bound",
                   (json_int_t)comparison->bound.lower_bound, "engines", table_json(&table));
}

static int print_results(const struct comparison *comparison) {
  const struct arguments *arguments = comparison->arguments;
  const struct table table = table_of(comparison);
  const neap_bound *bound = &comparison->bound;
  char bytes[FIGURE_SIZE], lower_bound[FIGURE_SIZE];
  if (arguments->json) return object_print(comparison_object(comparison));
  if (arguments->csv) table_print_csv(&table);
  if (arguments->csv || results_take_output(arguments)) return 0;
  printf("%zu buffers, bound %s%s\n", neap_problem_count(comparison->problem),
         figure_bytes(bytes, bound->bytes),
         figure_lower_bound(lower_bound, bound->bytes, bound->lower_bound));
  table_print(&table);
  return 0;
}

/* ---------------------------------------------------------------- the picture */

#define NAMES 120
#define NAMES_FIT 24 /* characters above a panel beside "(12 engines)" */

struct chart {
  neap_bar *bars;
  neap_panel *panels;
  struct shared {
    size_t engines;
    char names[NAMES]; /* "tflite-arena, auto (5 engines)" */
  } * shared;          /* of each panel */
  size_t panel_count;
};

/* The panel with this layout; a new one if there is none yet. */
static size_t panel_of(struct chart *chart, const neap_plan *plan) {
  for (size_t i = 0; i < chart->panel_count; i++)
    if (layout_is_same(chart->panels[i].plan, plan)) return i;
  chart->panels[chart->panel_count] =
      (neap_panel){plan, chart->shared[chart->panel_count].names};
  return chart->panel_count++;
}

static void add_layout(struct chart *chart, const struct entry *entry) {
  struct shared *shared = &chart->shared[panel_of(chart, entry->plan)];
  size_t used = strlen(shared->names);
  shared->engines++;
  if (used == 0 || used + strlen(entry->engine.name) < NAMES_FIT)
    snprintf(shared->names + used, NAMES - used, "%s%s", used > 0 ? ", " : "",
             entry->engine.name);
}

static void fill_chart(const struct comparison *comparison, struct chart *chart) {
  for (size_t i = 0; i < comparison->count; i++) {
    const struct entry *entry = &comparison->entries[i];
    chart->bars[i] =
        (neap_bar){entry->engine.name,
                   outcome_is_planned(&entry->outcome) ? entry->outcome.peak : NEAP_UNPLACED,
                   entry->outcome.error, !entry->engine.is_runtime};
    if (entry->plan) add_layout(chart, entry);
  }
  for (size_t i = 0; i < chart->panel_count; i++) {
    struct shared *shared = &chart->shared[i];
    size_t used = strlen(shared->names);
    if (shared->engines > 1)
      snprintf(shared->names + used, NAMES - used, " (%zu engines)", shared->engines);
  }
}

static void clear_chart(struct chart *chart) {
  free(chart->bars);
  free(chart->panels);
  free(chart->shared);
}

/* Draws peaks, and each distinct layout once, to the file of --svg if there is one. */
static int draw_chart(const struct comparison *comparison) {
  const char *path = comparison->arguments->svg;
  size_t room = comparison->count + 1;
  if (!path) return 0;
  struct chart chart = {.bars = calloc(room, sizeof *chart.bars),
                        .panels = calloc(room, sizeof *chart.panels),
                        .shared = calloc(room, sizeof *chart.shared)};
  if (!chart.bars || !chart.panels || !chart.shared) {
    clear_chart(&chart);
    return message_memory();
  }
  fill_chart(comparison, &chart);
  bool is_plain = comparison->bound.lower_bound == comparison->bound.bytes;
  neap_bars bars = {.title = files_last_part(comparison->arguments->operand),
                    .items = chart.bars,
                    .count = comparison->count,
                    .level = comparison->bound.lower_bound,
                    .level_name = is_plain ? "bound" : "lower bound",
                    .panels = chart.panels,
                    .panel_count = chart.panel_count};
  neap_error error;
  int code = message_written(path, neap_bars_draw(&bars, path, &error), &error);
  clear_chart(&chart);
  return code;
}

/* ---------------------------------------------------------------- the page */

/* The best plan first; engines without one have their reason in the object. */
static int write_page(const struct comparison *comparison, const neap_panel *panels,
                      size_t count, const char *object) {
  const struct arguments *arguments = comparison->arguments;
  neap_writing writing = results_writing(arguments, arguments->operand);
  if (count == 0) {
    message_warning("--html: there is no layout to show");
    return 0;
  }
  writing.layouts = panels + 1;
  writing.layout_count = count - 1;
  writing.comparison = object;
  return results_write_plan(panels->plan, arguments->html, NEAP_CONTENT_PAGE, &writing);
}

/* Writes all plans to the page of --html if there is one. */
static int draw_page(const struct comparison *comparison) {
  if (!comparison->arguments->html) return 0;
  char *text = object_dump(comparison_object(comparison));
  neap_panel *panels = calloc(comparison->count + 1, sizeof *panels);
  size_t count = 0;
  for (size_t i = 0; panels && i < comparison->count; i++)
    if (comparison->entries[i].plan)
      panels[count++] =
          (neap_panel){comparison->entries[i].plan, comparison->entries[i].engine.name};
  int code = text && panels ? write_page(comparison, panels, count, text) : message_memory();
  free(panels);
  free(text);
  return code;
}

/* ---------------------------------------------------------------- the command */

static int run_compare(const struct arguments *arguments) {
  struct comparison comparison = {.arguments = arguments, .bound = NEAP_INIT(neap_bound)};
  neap_problem *problem = NULL;
  int code = results_check(arguments);
  if (code == 0)
    code = option_set_planning(arguments, "time-limit",
                               arguments->time_limit ? arguments->time_limit : "10");
  if (code == 0) code = choose_engines(&comparison);
  if (code == 0) code = problems_read(arguments, &problem);
  if (code == 0) {
    comparison.problem = problem;
    code = plan_all(&comparison);
  }
  if (code == 0) code = draw_chart(&comparison);
  if (code == 0) code = draw_page(&comparison);
  if (code == 0) code = print_results(&comparison);
  for (size_t i = 0; i < comparison.count; i++)
    neap_plan_free(comparison.entries[i].plan);
  neap_problem_free(problem);
  free(comparison.entries);
  return code;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "plan with every engine and compare the results",
    .operand = "INPUT",
    .input = INPUT_GRAPH,
    .usage = "INPUT [OPTION...]",
    .description =
        "Plans INPUT with each of neap's engines and with the planners of TensorFlow Lite (GPU "
        "delegate and arena), TensorFlow Lite Micro, NNVM and PPL.NN. For each, prints the "
        "peak, its gap to the lower bound, its ratio to the best peak, and the time taken; the "
        "best comes first. For planners that share objects, also prints the number of objects "
        "and a lower bound on their total size.\n\nA planner that does not support the input, "
        "such as its fixed offsets, says so in its row. Ctrl-C ends the comparison and prints "
        "the rows so far.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_compare,
};
