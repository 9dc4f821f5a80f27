/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap sweep */
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/problems.h"
#include "cli/results.h"
#include "cli/sweep.h"
#include "cli/sweep_chart.h"
#include "cli/sweep_json.h"
#include "cli/sweep_print.h"
#include "cli/sweep_run.h"

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

static int print_results(const struct sweep *sweep) {
  const struct arguments *arguments = sweep->arguments;
  if (arguments->json) return sweep_print_json(sweep);
  if (arguments->csv) sweep_print_csv(sweep);
  else if (!(arguments->svg && files_is_standard(arguments->svg))) sweep_print_table(sweep);
  return 0;
}

static int run_command(const struct arguments *arguments) {
  struct sweep sweep = {.arguments = arguments};
  neap_problem *problem = NULL;
  int code = results_check(arguments);
  if (code == 0) code = design_read(arguments, &sweep.design);
  if (code == 0) code = problems_read(arguments, &problem);
  sweep.problem = problem;
  if (code == 0) code = sweep_run(&sweep);
  if (code == 0) code = sweep_draw(&sweep);
  if (code == 0) code = print_results(&sweep);
  sweep_clear(&sweep);
  neap_problem_free(problem);
  design_clear(&sweep.design);
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
        "a LIST, and prints the results as a table, as CSV or as JSON, or draws a chart. A "
        "single value sets its option for all runs.\n\nWith --seeds, plans each setting once "
        "per seed and prints the median, the extremes and the quartiles of the peaks. The "
        "best setting is the one with the lowest median peak; among equals, the one whose "
        "peaks vary least, then the one that takes the fewest ticks.\n\nThe first LIST on the "
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
