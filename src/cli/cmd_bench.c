/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap bench */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench_chart.h"
#include "cli/bench_files.h"
#include "cli/bench_merge.h"
#include "cli/bench_table.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/results.h"
#include "cli/run.h"

#define RUNS_MAX 1000

static const struct option_row options[] = {
    {.name = "engine",
     .kind = OPTION_ENGINES,
     .field = OPTION_FIELD(engines),
     .argument = "LIST",
     .help = "comma-separated list of engines, auto by default; see 'neap help engines'"},
    {.name = "time-limit",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(time_limit),
     .argument = "SECONDS",
     .help = "time limit for each run (default 10); a run that takes much longer is killed"},
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
    {.name = "compare",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(compare),
     .help = "compare two files printed by --json and list what is better or worse in the "
             "second; times count if they differ by half and by at least 0.05 s"},
    {.name = "merge",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(merge),
     .help =
         "plan nothing: merge lines that 'neap plan --json' printed; PATH is a file, '-' for "
         "standard input, or a folder with .jsonl files"},
    {.name = "svg",
     .letter = 'o',
     .kind = OPTION_PICTURE_FILE,
     .field = OPTION_FIELD(svg),
     .argument = "FILE",
     .help = "draw a chart to FILE: the number of proofs over time or, with several seeds, all "
             "peaks"},
    {.name = "csv",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(csv),
     .help = "print comma-separated values"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(json),
     .help = "print one JSON object"},
};

static const char *const brief[] = {"engine", "time-limit", "memory-limit", "runs", "compare",
                                    "merge",  "svg",        "csv",          "json", NULL};

static const struct example examples[] = {
    {"neap bench . --time-limit 2", "Plan all problems in this folder and print a table."},
    {"neap bench unet.csv resnet50.csv --engine sort,tune,exact --runs 3 --csv",
     "Compare engines and print CSV."},
    {"for s in 1 2 3; do neap plan unet.csv --seed $s --json; done | neap bench --merge -",
     "Merge runs from elsewhere: best, median and worst peak of three seeds."},
};

/* What to measure, and the rows so far. */
struct bench {
  const struct arguments *arguments;
  struct bench_files files;
  char *engine_list;    /* the names of the engines, each with its NUL */
  const char **engines; /* point into it */
  size_t engine_count;
  double patience;
  struct bench_table table;
};

/* ---------------------------------------------------------------- what to measure */

static int read_engines(struct bench *bench) {
  const char *list = bench->arguments->engines ? bench->arguments->engines : "auto";
  bench->engine_list = strdup(list);
  if (!bench->engine_list) return message_memory();
  size_t commas = 0;
  for (const char *at = list; *at; at++)
    commas += *at == ',';
  bench->engines = calloc(commas + 1, sizeof *bench->engines);
  if (!bench->engines) return message_memory();
  char *rest = bench->engine_list, *name;
  while ((name = strsep(&rest, ",")) != NULL) {
    int code = option_set_planning(bench->arguments, "engine", name);
    if (code != 0) return code;
    bench->engines[bench->engine_count++] = name;
  }
  return 0;
}

/* A process is killed after twice the time limit, plus time to read the file. */
static int read_time_limit(struct bench *bench) {
  const char *limit = bench->arguments->time_limit ? bench->arguments->time_limit : "10";
  bench->patience = 2 * strtod(limit, NULL) + 30;
  return option_set_planning(bench->arguments, "time-limit", limit);
}

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

static int by_seconds(const void *a, const void *b) {
  double one = *(const double *)a, other = *(const double *)b;
  return one < other ? -1 : one > other;
}

static void show_status(const struct bench *bench, const char *path, size_t total) {
  char text[256];
  snprintf(text, sizeof text, "%zu of %zu: %.180s", bench->table.count + 1, total, path);
  if (messages_want_status()) message_status(text);
}

/* Performs all runs of one row; false if interrupted. */
static bool measure(const struct bench *bench, const char *path, struct bench_row *row) {
  double seconds[RUNS_MAX];
  size_t runs = (size_t)bench->arguments->runs;
  for (size_t run = 0; run < runs; run++) {
    if (!bench_run(bench->arguments, path, bench->patience, &row->result)) return false;
    seconds[run] = row->result.seconds;
  }
  qsort(seconds, runs, sizeof *seconds, by_seconds);
  row->best_seconds = seconds[0];
  row->result.seconds = seconds[runs / 2];
  return true;
}

static int add_row(struct bench *bench, const char *path, const char *engine, size_t total) {
  struct bench_row row = {.instance = path, .engine = engine};
  int code = option_set_planning(bench->arguments, "engine", engine);
  if (code == 0 && bench->arguments->capacity_from_name) code = take_capacity(bench, path);
  if (code != 0) return code;
  show_status(bench, path, total);
  if (measure(bench, path, &row)) bench->table.rows[bench->table.count++] = row;
  return 0;
}

/* Rows are made in order, so what is missing begins after the last. */
static void note_missing(const struct bench *bench, size_t total) {
  size_t next = bench->table.count;
  message_warning("interrupted: %zu of %zu rows are missing, from %.300s with engine %s on",
                  total - next, total, bench->files.paths[next / bench->engine_count],
                  bench->engines[next % bench->engine_count]);
  run_note_missing();
}

static int measure_all(struct bench *bench) {
  size_t total = bench->files.count * bench->engine_count;
  bench->table.rows = calloc(total + 1, sizeof *bench->table.rows);
  if (!bench->table.rows) return message_memory();
  int code = 0;
  for (size_t f = 0; f < bench->files.count; f++)
    for (size_t e = 0; e < bench->engine_count && code == 0 && !run_interrupted(); e++)
      code = add_row(bench, bench->files.paths[f], bench->engines[e], total);
  message_status("");
  if (run_interrupted() && bench->table.count < total) note_missing(bench, total);
  return code;
}

/* ---------------------------------------------------------------- results */

static int print_table(const struct arguments *arguments, const struct bench_table *table) {
  if (arguments->json) return bench_table_print_json(table);
  if (arguments->csv) bench_table_print_csv(table);
  else if (!(arguments->svg && files_is_standard(arguments->svg))) bench_table_print(table);
  return 0;
}

static int show_table(const struct arguments *arguments, const struct bench_table *table) {
  int code = arguments->svg ? bench_chart_draw(table, arguments->svg) : 0;
  return code == 0 ? print_table(arguments, table) : code;
}

/* Options that change runs are errors with --merge, which runs nothing. */
static int check_merge(const struct arguments *arguments) {
  const char *useless = arguments->engines              ? "engine"
                        : arguments->time_limit         ? "time-limit"
                        : arguments->memory_limit > 0   ? "memory-limit"
                        : arguments->runs > 1           ? "runs"
                        : arguments->capacity_from_name ? "capacity-from-name"
                        : arguments->compare            ? "compare"
                                                        : NULL;
  return useless ? message_usage("--merge plans nothing; drop --%s", useless) : 0;
}

static int check_arguments(const struct arguments *arguments) {
  int code = arguments->merge ? check_merge(arguments) : 0;
  if (code != 0) return code;
  if (arguments->compare && arguments->operand_count != 2)
    return message_usage("--compare: expected two files, found %zu", arguments->operand_count);
  if (arguments->compare && arguments->svg)
    return message_usage("--compare draws no chart; drop --svg");
  if (arguments->runs > RUNS_MAX)
    return message_usage("--runs: expected at most %d, found %" PRId64, RUNS_MAX,
                         arguments->runs);
  return results_check(arguments);
}

static int measure_paths(struct bench *bench) {
  const struct arguments *arguments = bench->arguments;
  int code = read_engines(bench);
  if (code == 0) code = read_time_limit(bench);
  if (code == 0)
    code = bench_files_find(&bench->files, arguments->operands, arguments->operand_count);
  if (code == 0) run_catch_signals();
  if (code == 0) code = measure_all(bench);
  return code == 0 ? show_table(arguments, &bench->table) : code;
}

static int merge_paths(const struct arguments *arguments) {
  struct bench_merge merge = {0};
  int code = bench_merge(&merge, arguments->operands, arguments->operand_count);
  if (code == 0) code = show_table(arguments, &merge.table);
  bench_merge_clear(&merge);
  return code;
}

static int run_bench(const struct arguments *arguments) {
  int code = check_arguments(arguments);
  if (code != 0) return code;
  if (arguments->compare)
    return bench_table_compare(arguments->operands[0], arguments->operands[1]);
  if (arguments->merge) return merge_paths(arguments);
  struct bench bench = {.arguments = arguments};
  code = measure_paths(&bench);
  bench_files_clear(&bench.files);
  free(bench.engines);
  free(bench.engine_list);
  free(bench.table.rows);
  return code;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "plan many problems and measure time and memory",
    .operand = "PATH",
    .takes_many = true,
    .ending = BENCH_LINES,
    .usage = "PATH... [OPTION...]",
    .description =
        "Plans problems with one or more engines, each in a process of its own. For each, "
        "prints the bound, the peak, its gap to the lower bound, the planning time and the "
        "memory of the process. PATH is a file, or a folder that is searched recursively for "
        "problems and models (see 'neap help formats').\n\nA run that fails, is killed or runs "
        "out of memory "
        "gets a row that says so. Ctrl-C ends the benchmark and prints the rows so "
        "far.\n\n--merge "
        "prints the same table for runs that other programs distribute, such as "
        "examples/fleet. "
        "If several lines have the same input, engine and seed, the last one counts. Several "
        "seeds of one input give one row with the best, the median and the worst peak, and the "
        "number of seeds that reach the best.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_bench,
};
