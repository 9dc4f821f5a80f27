/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap compare */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/figures.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/problems.h"
#include "cli/results.h"
#include "cli/run.h"
#include "cli/summary.h"
#include "neap/relations.h"

static const struct option_row options[] = {
    {.name = "engine",
     .kind = OPTION_ENGINES,
     .field = OPTION_FIELD(engines),
     .argument = "LIST",
     .help = "comma-separated list of engines (default: all; see 'neap help engines')"},
    {.name = "time-limit",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(time_limit),
     .argument = "SECONDS",
     .help = "time limit for each engine (default 10)"},
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
     .help = "draw how far the peaks are above the bound, with the layouts below, to FILE"},
    {.name = "html",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page with the layouts of all engines to FILE"},
    {.name = "replan",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(replan),
     .help = "ignore fixed offsets in INPUT"},
};

static const struct example examples[] = {
    {"neap compare unet.csv --time-limit 1", "Compare all engines and runtime planners."},
    {"neap compare unet.csv --html engines.html",
     "Write a page that shows any two of the layouts side by side."},
    {"neap compare unet.csv --engine auto,tflite-gpu-greedy-best,tflite-arena --svg bars.svg",
     "Compare three of them and draw the result."},
};

/* ---------------------------------------------------------------- which engines */

static int add_all(struct comparison *comparison) {
  neap_engine_info info = NEAP_INIT(neap_engine_info);
  size_t count = 0;
  while (neap_engine_at(count, &info))
    count++;
  comparison->entries = calloc(count + 1, sizeof *comparison->entries);
  if (!comparison->entries) return message_memory();
  for (size_t e = 0; neap_engine_at(e, &info); e++)
    comparison->entries[comparison->count++].engine = info;
  return 0;
}

/* Whether a comma-separated list contains this name. */
static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, name, length) == 0 && (at[length] == '\0' || at[length] == ','))
      return true;
  return false;
}

/* Checks every name before any planning. */
static int check_list(struct comparison *comparison, const char *list) {
  char *copy = strdup(list), *rest = copy, *name;
  if (!copy) return message_memory();
  int code = 0;
  while (code == 0 && (name = strsep(&rest, ",")) != NULL)
    code = option_set_planning(comparison->arguments, "engine", name);
  free(copy);
  return code;
}

static int choose_engines(struct comparison *comparison) {
  const char *list = comparison->arguments->engines;
  int code = add_all(comparison);
  if (code != 0 || !list) return code;
  code = check_list(comparison, list);
  size_t kept = 0;
  for (size_t e = 0; e < comparison->count; e++)
    if (is_listed(list, comparison->entries[e].engine.name))
      comparison->entries[kept++] = comparison->entries[e];
  comparison->count = kept;
  return code;
}

/* ---------------------------------------------------------------- planning */

/* What one engine proves holds for all; bounds of pools hold only for the buffers that a plan puts there. */
static void note_plan(struct comparison *comparison, struct entry *entry,
                      const neap_plan *plan) {
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  entry->report = (neap_report)NEAP_INIT(neap_report);
  neap_plan_report(plan, &entry->report);
  if (entry->report.lower_bound > comparison->bound.lower_bound &&
      !neap_plan_pool_at(plan, 0, &pool))
    comparison->bound.lower_bound = entry->report.lower_bound;
}

static int plan_one(struct comparison *comparison, struct entry *entry) {
  char label[96];
  neap_error error;
  neap_plan *plan = NULL;
  struct run run = {.problem = comparison->problem,
                    .options = comparison->arguments->planning,
                    .label = label};
  snprintf(label, sizeof label, "%s: ", entry->engine.name);
  int code = option_set_planning(comparison->arguments, "engine", entry->engine.name);
  if (code != 0) return code;
  entry->status = run_planner(&run, &plan, &error);
  if (entry->status == NEAP_ERROR_MEMORY || entry->status == NEAP_ERROR_UNSOUND)
    return message_error(&error);
  if (plan) note_plan(comparison, entry, plan);
  else snprintf(entry->reason, sizeof entry->reason, "%.199s", error.text);
  if (comparison->arguments->svg || comparison->arguments->html) entry->plan = plan;
  else neap_plan_free(plan);
  return 0;
}

/* By peak, lowest first; engines without a plan come last. */
static int by_peak(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  bool a_planned = a->status == NEAP_OK, b_planned = b->status == NEAP_OK;
  if (a_planned != b_planned) return a_planned ? -1 : 1;
  if (a_planned && a->report.peak != b->report.peak)
    return a->report.peak < b->report.peak ? -1 : 1;
  if (a_planned && a->engine.is_runtime != b->engine.is_runtime)
    return a->engine.is_runtime ? 1 : -1;
  return strcmp(a->engine.name, b->engine.name);
}

/* How many engines are named. */
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

static int plan_all(struct comparison *comparison) {
  neap_error error;
  comparison->bound = (neap_bound)NEAP_INIT(neap_bound);
  if (neap_problem_bound(comparison->problem, &comparison->bound, &error) != NEAP_OK)
    return message_error(&error);
  run_catch_signals();
  int code = 0;
  size_t done = 0;
  for (; done < comparison->count && code == 0 && !run_interrupted(); done++)
    code = plan_one(comparison, &comparison->entries[done]);
  if (run_interrupted()) note_missing(comparison, done);
  comparison->count = done;
  qsort(comparison->entries, done, sizeof *comparison->entries, by_peak);
  return code;
}

/* ---------------------------------------------------------------- results */

static neap_size best_peak(const struct comparison *comparison) {
  const struct entry *first = comparison->entries;
  return comparison->count > 0 && first->status == NEAP_OK ? first->report.peak : 0;
}

/* The peak divided by the best peak; 1 if that is 0. */
static double ratio_of(const struct comparison *comparison, const struct entry *entry) {
  neap_size best = best_peak(comparison);
  return best > 0 ? (double)entry->report.peak / (double)best : 1;
}

static double gap_of(const struct comparison *comparison, const struct entry *entry) {
  return figure_gap(entry->report.peak, comparison->bound.lower_bound);
}

static void print_entry(const struct comparison *comparison, const struct entry *entry) {
  char objects[FIGURE_SIZE] = "-", bound[FIGURE_SIZE] = "-", gap[NEAP_GAP_TEXT];
  if (entry->status != NEAP_OK) {
    printf("%-33s %s\n", entry->engine.name, entry->reason);
    return;
  }
  if (entry->report.objects > 0) {
    snprintf(objects, sizeof objects, "%zu", entry->report.objects);
    snprintf(bound, sizeof bound, "%" PRId64, entry->report.object_bound);
  }
  printf("%-33s %16" PRId64 " %12s %7.3f %9.3f %8s %16s\n", entry->engine.name,
         entry->report.peak, neap_gap_text(gap_of(comparison, entry), gap),
         ratio_of(comparison, entry), entry->report.seconds, objects, bound);
}

static void print_table(const struct comparison *comparison) {
  char bound[FIGURE_SIZE];
  printf("%zu buffers, bound %s", neap_problem_count(comparison->problem),
         figure_bytes(bound, comparison->bound.bytes));
  summary_lower_bound(stdout, comparison->bound.bytes, comparison->bound.lower_bound);
  putchar('\n');
  printf("%-33s %16s %12s %7s %9s %8s %16s\n", "engine", "peak", "gap", "ratio", "seconds",
         "objects", "object bound");
  for (size_t i = 0; i < comparison->count; i++)
    print_entry(comparison, &comparison->entries[i]);
}

static void print_csv(const struct comparison *comparison) {
  puts("engine,runtime,peak,gap_percent,ratio,seconds,objects,object_bound,reason");
  for (size_t i = 0; i < comparison->count; i++) {
    const struct entry *entry = &comparison->entries[i];
    const char *runtime = entry->engine.is_runtime ? "yes" : "no";
    if (entry->status == NEAP_OK)
      printf("%s,%s,%" PRId64 ",%.6f,%.6f,%.6f,%zu,%" PRId64 ",\n", entry->engine.name, runtime,
             entry->report.peak, gap_of(comparison, entry), ratio_of(comparison, entry),
             entry->report.seconds, entry->report.objects, entry->report.object_bound);
    else printf("%s,%s,,,,,,,\"%s\"\n", entry->engine.name, runtime, entry->reason);
  }
}

static json_t *entry_object(const struct comparison *comparison, const struct entry *entry) {
  if (entry->status != NEAP_OK)
    return json_pack("{ss sb sn ss}", "engine", entry->engine.name, "runtime",
                     entry->engine.is_runtime, "peak", "reason", entry->reason);
  return json_pack("{ss sb sI so so so ss sI sI}", "engine", entry->engine.name, "runtime",
                   entry->engine.is_runtime, "peak", (json_int_t)entry->report.peak,
                   "gap_percent", summary_real(gap_of(comparison, entry)), "ratio",
                   summary_real(ratio_of(comparison, entry)), "seconds",
                   summary_real(entry->report.seconds), "stop_reason",
                   neap_stop_reason_name(entry->report.stop_reason), "objects",
                   (json_int_t)entry->report.objects, "object_bound",
                   (json_int_t)entry->report.object_bound);
}

static json_t *comparison_object(const struct comparison *comparison) {
  json_t *list = json_array();
  for (size_t i = 0; i < comparison->count; i++)
    list = summary_append(list, entry_object(comparison, &comparison->entries[i]));
  return json_pack("{so sI sI sI so}", "input", summary_text(comparison->arguments->operand),
                   "buffers", (json_int_t)neap_problem_count(comparison->problem), "bound",
                   (json_int_t)comparison->bound.bytes, "lower_bound",
                   (json_int_t)comparison->bound.lower_bound, "engines", list);
}

static bool takes_standard_output(const struct arguments *arguments) {
  return (arguments->svg && files_is_standard(arguments->svg)) ||
         (arguments->html && files_is_standard(arguments->html));
}

static int print_results(const struct comparison *comparison) {
  const struct arguments *arguments = comparison->arguments;
  if (arguments->json) return summary_json(comparison_object(comparison));
  if (arguments->csv) print_csv(comparison);
  else if (!takes_standard_output(arguments)) print_table(comparison);
  return 0;
}

static int run_compare(const struct arguments *arguments) {
  struct comparison comparison = {.arguments = arguments};
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
  if (code == 0) code = comparison_chart(&comparison);
  if (code == 0 && arguments->html)
    code = comparison_page(&comparison, comparison_object(&comparison));
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
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_compare,
};
