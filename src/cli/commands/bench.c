/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap bench */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/experiment/bench.h"
#include "cli/experiment/outcome.h"
#include "cli/experiment/paths.h"
#include "cli/experiment/run.h"
#include "cli/experiment/table.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/results.h"
#include "cli/run.h"
#include "neap-tool.h"

#define RUNS_MAX 1000

static const struct option_row options[] = {
    OPTION_ENGINE_LIST("auto"),
    OPTION_TIME_LIMIT("run (default 10); a run that takes much longer is killed"),
    {.name = "memory-limit",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(memory_limit),
     .argument = "BYTES",
     .help = "memory limit for each run"},
    {.name = "runs",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(runs),
     .argument = "N",
     .low = 1,
     .help = "run each combination N times and report the median time (default 1)"},
    {.name = "capacity-from-name",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(capacity_from_name),
     .help = "take the capacity from the file name, such as A.1048576.csv"},
    OPTION_SVG('o', "draw a chart to FILE: the number of proofs over time"),
    OPTION_CSV,
    OPTION_JSON,
};

static const char *const brief[] = {"engine", "time-limit", "memory-limit", "runs",
                                    "svg",    "csv",        "json",         NULL};

static const struct example examples[] = {
    {"neap bench . --time-limit 2", "Plan all problems in this folder and print a table."},
    {"neap bench unet.csv resnet50.csv --engine sort,tune,exact --runs 3 --csv",
     "Compare engines and print CSV."},
};

/* What to measure, and the rows so far. */
struct bench {
  const struct arguments *arguments;
  struct paths files;
  const char *const *engines;
  size_t engine_count, row_count;
  double seconds[RUNS_MAX]; /* of the runs of the row being measured */
  struct bench_table table;
};

/* ---------------------------------------------------------------- what to measure */

/* The capacity is the digits before the ending: 1048576 of A.1048576.csv. */
static int take_capacity(const struct bench *bench, const char *path) {
  const char *ending = strrchr(path, '.');
  const char *digits = ending;
  while (digits && digits > path && strchr("0123456789", digits[-1]))
    digits--;
  bool found = digits && digits < ending && digits > path && digits[-1] == '.';
  char text[32] = "";
  if (found) snprintf(text, sizeof text, "%.*s", (int)(ending - digits), digits);
  return option_set_planning(bench->arguments, "capacity",
                             found ? text : "9223372036854775807");
}

/* ---------------------------------------------------------------- measuring */

static size_t runs_of(const struct bench *bench) { return (size_t)bench->arguments->runs; }

static const char *path_of(const struct bench *bench, size_t row) {
  return bench->files.items[row / bench->engine_count];
}

static const char *engine_of(const struct bench *bench, size_t row) {
  return bench->engines[row % bench->engine_count];
}

static int prepare_run(void *user, size_t run, struct trial *trial) {
  const struct bench *bench = user;
  size_t row = run / runs_of(bench);
  trial->path = path_of(bench, row);
  snprintf(trial->label, sizeof trial->label, "%zu of %zu: %.180s", row + 1, bench->row_count,
           trial->path);
  int code = option_set_planning(bench->arguments, "engine", engine_of(bench, row));
  if (code == 0 && bench->arguments->capacity_from_name)
    code = take_capacity(bench, trial->path);
  return code;
}

static int by_seconds(const void *a, const void *b) {
  double one = *(const double *)a, other = *(const double *)b;
  return one < other ? -1 : one > other;
}

/* The last run of a row completes it. */
static int keep_run(void *user, size_t run, const struct outcome *outcome, neap_plan *plan,
                    const neap_error *failure) {
  struct bench *bench = user;
  size_t runs = runs_of(bench), row = run / runs;
  (void)plan;
  (void)failure;
  bench->seconds[run % runs] = outcome->seconds;
  if ((run + 1) % runs != 0) return 0;
  qsort(bench->seconds, runs, sizeof *bench->seconds, by_seconds);
  struct bench_row *made = &bench->table.rows[bench->table.count++];
  *made = (struct bench_row){.instance = path_of(bench, row),
                             .engine = engine_of(bench, row),
                             .outcome = *outcome,
                             .best_seconds = bench->seconds[0]};
  made->outcome.seconds = bench->seconds[runs / 2];
  return 0;
}

/* Rows are made in order, so the missing ones follow the last. */
static void note_missing(const struct bench *bench) {
  size_t next = bench->table.count;
  if (next == bench->row_count) return;
  message_warning("interrupted: %zu of %zu rows are missing, from %.300s with engine %s on",
                  bench->row_count - next, bench->row_count, path_of(bench, next),
                  engine_of(bench, next));
  run_note_missing();
}

static const char *time_limit_of(const struct arguments *arguments) {
  return arguments->time_limit ? arguments->time_limit : "10";
}

/* A process is killed after twice the time limit, plus time to read the file. */
static int measure_all(struct bench *bench) {
  const struct arguments *arguments = bench->arguments;
  bench->row_count = bench->files.count * bench->engine_count;
  bench->table.rows = calloc(bench->row_count + 1, sizeof *bench->table.rows);
  if (!bench->table.rows) return message_memory();
  struct experiment experiment = {.arguments = arguments,
                                  .patience = 2 * strtod(time_limit_of(arguments), NULL) + 30,
                                  .count = bench->row_count * runs_of(bench),
                                  .prepare = prepare_run,
                                  .keep = keep_run,
                                  .user = bench};
  int code = experiment_run(&experiment);
  if (run_interrupted()) note_missing(bench);
  return code;
}

/* ---------------------------------------------------------------- results */

#define ROW(member) offsetof(struct bench_row, member)

static const struct column columns[] = {
    {"instance", "instance", -1, 0, CELL_NAME, COLUMN_FITS | COLUMN_QUOTED, ROW(instance)},
    {"engine", "engine", -1, 0, CELL_TEXT, COLUMN_FITS, ROW(engine)},
    {"buffers", "buffers", 8, 0, CELL_WHOLE, 0, ROW(outcome.buffers)},
    {"bound", "bound", 14, 0, CELL_WHOLE, 0, ROW(outcome.bound)},
    {"lower_bound", NULL, 0, 0, CELL_WHOLE, 0, ROW(outcome.lower_bound)},
    {"peak", "peak", 14, 0, CELL_WHOLE, 0, ROW(outcome.peak)},
    {"gap_percent", "gap", 12, 0, CELL_PERCENT, 0, ROW(outcome.gap_percent)},
    {"status", "status", -10, 0, CELL_WORD, 0, ROW(outcome.status)},
    {"stop_reason", NULL, 0, 0, CELL_WORD, 0, ROW(outcome.stop_reason)},
    {"error", NULL, 0, 0, CELL_WORD, COLUMN_NO_CSV, ROW(outcome.error)},
    {"seconds", "seconds", 9, 4, CELL_REAL, 0, ROW(outcome.seconds)},
    {"best_seconds", NULL, 0, 0, CELL_REAL, 0, ROW(best_seconds)},
    {"memory", "memory", 11, 0, CELL_BYTES, 0, ROW(outcome.memory)},
};

static bool is_planned(const void *row) {
  return outcome_is_planned(&((const struct bench_row *)row)->outcome);
}

static const char *error_of(const void *row) {
  return ((const struct bench_row *)row)->outcome.error;
}

static struct table table_of(const struct bench_table *bench) {
  return (struct table){.columns = columns,
                        .column_count = sizeof columns / sizeof *columns,
                        .rows = bench->rows,
                        .row_size = sizeof *bench->rows,
                        .row_count = bench->count,
                        .between = " ",
                        .is_planned = is_planned,
                        .remark = error_of,
                        .remark_place = SIZE_MAX,
                        .before_remark = "  "};
}

struct totals {
  size_t optimal, planned;
  double mean_gap, seconds;
};

static struct totals add_up(const struct bench_table *table) {
  struct totals totals = {0};
  for (size_t i = 0; i < table->count; i++) {
    const struct outcome *outcome = &table->rows[i].outcome;
    totals.optimal += outcome_is_optimal(outcome);
    totals.planned += outcome_is_planned(outcome);
    if (outcome_is_planned(outcome)) totals.mean_gap += outcome->gap_percent;
    if (outcome->seconds > 0) totals.seconds += outcome->seconds;
  }
  if (totals.planned > 0) totals.mean_gap /= (double)totals.planned;
  return totals;
}

static void print_table(const struct bench_table *bench) {
  const struct table table = table_of(bench);
  const struct totals totals = add_up(bench);
  char gap[NEAP_GAP_TEXT], rows[FIGURE_SIZE];
  table_print(&table);
  printf("%s: %zu optimal, %zu with a plan, mean gap %s, %.3f s\n",
         figure_count(rows, bench->count, "row"), totals.optimal, totals.planned,
         neap_gap_text(totals.mean_gap, gap), totals.seconds);
}

static int print_json(const struct bench_table *bench) {
  const struct table table = table_of(bench);
  const struct totals totals = add_up(bench);
  return object_print(
      json_pack("{so s{sI sI sI so so}}", "rows", table_json(&table), "totals", "rows",
                (json_int_t)bench->count, "optimal", (json_int_t)totals.optimal, "planned",
                (json_int_t)totals.planned, "mean_gap_percent", object_real(totals.mean_gap),
                "seconds", object_real(totals.seconds)));
}

static int show_table(const struct arguments *arguments, const struct bench_table *bench) {
  const struct table table = table_of(bench);
  int code = arguments->svg ? bench_chart_draw(bench, arguments->svg) : 0;
  if (code != 0) return code;
  if (arguments->json) return print_json(bench);
  if (arguments->csv) table_print_csv(&table);
  else if (!results_take_output(arguments)) print_table(bench);
  return 0;
}

/* The exit code tells scripts that rows failed.  A row that a limit ended has not failed. */
static int conclude(const struct bench_table *table) {
  neap_error error = {.status = NEAP_ERROR_INPUT};
  size_t failed = 0;
  for (size_t i = 0; i < table->count; i++)
    failed += strcmp(table->rows[i].outcome.status, "failed") == 0;
  if (failed == 0) return 0;
  snprintf(error.text, sizeof error.text, "%zu of %zu rows failed", failed, table->count);
  return message_error(&error);
}

static int check_arguments(const struct arguments *arguments) {
  if (arguments->operand_count == 0)
    return message_usage("bench needs PATH; see 'neap bench --help'");
  if (arguments->runs > RUNS_MAX)
    return message_usage("--runs: expected at most %d, found %" PRId64, RUNS_MAX,
                         arguments->runs);
  return results_check(arguments);
}

static int measure_paths(struct bench *bench) {
  const struct arguments *arguments = bench->arguments;
  int code = option_set_planning(arguments, "time-limit", time_limit_of(arguments));
  if (code == 0)
    code = paths_find(&bench->files, arguments->operands, arguments->operand_count);
  if (code == 0) code = measure_all(bench);
  if (code == 0) code = show_table(arguments, &bench->table);
  return code == 0 && !run_interrupted() ? conclude(&bench->table) : code;
}

static int run_bench(const struct arguments *arguments) {
  static const char *const usual[] = {"auto"};
  struct bench bench = {.arguments = arguments,
                        .engines = arguments->engines ? arguments->engines : usual,
                        .engine_count = arguments->engines ? arguments->engine_count : 1};
  int code = check_arguments(arguments);
  if (code != 0) return code;
  code = measure_paths(&bench);
  paths_clear(&bench.files);
  free(bench.table.rows);
  return code;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "plan many problems and measure time and memory",
    .operand = "PATH",
    .operand_optional = true,
    .takes_many = true,
    .usage = "PATH... [OPTION...]",
    .description =
        "Plans problems with one or more engines, each in a process of its own. For each, "
        "prints the bound, the peak, its gap to the lower bound, the planning time and the "
        "memory of the process. PATH is a file, or a folder that is searched recursively for "
        "problems and models (see 'neap help formats').\n\nA run that fails, is killed or runs "
        "out of memory gets a row that says so; if any fails, neap exits with 3. Ctrl-C ends "
        "the benchmark and prints the rows so far.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_bench,
};
