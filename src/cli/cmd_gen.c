/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap gen */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/suggest.h"

static const struct option_row options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PROBLEM_FILE,
     .field = OPTION_FIELD(output),
     .argument = "OUT",
     .help = "write to OUT, in the format given by its extension or --format (default '-', "
             "standard output)"},
    {.name = "format",
     .kind = OPTION_PROBLEM_FORMAT,
     .field = OPTION_FIELD(format),
     .argument = "FORMAT",
     .help = "format of OUT, whatever its extension"},
    {.name = "count",
     .letter = 'n',
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(count),
     .argument = "N",
     .low = 1,
     .help = "number of buffers, up to 100 million (default 1000)"},
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(seed),
     .argument = "N",
     .help = "seed of the random number generator (default 1)"},
};

static const struct example examples[] = {
    {"neap gen perfect --count 200 -o perfect.csv",
     "Generate a problem whose optimum leaves no gaps."},
    {"neap gen trace -n 10000 --seed 7 | neap plan - --time-limit 5",
     "Plan the trace of a heap."},
};

static const char *kind_name_at(size_t index) {
  neap_kind_info info;
  return neap_kind_at(index, &info) ? info.name : NULL;
}

/* An unknown kind is refused here, where the nearest one can be suggested. */
static int check_kind(const char *kind) {
  neap_kind_info info;
  size_t count = 0, known = 0;
  while (neap_kind_at(count, &info))
    count++;
  const char **names = calloc(count + 1, sizeof *names);
  if (!names) return message_memory();
  for (size_t i = 0; neap_kind_at(i, &info); i++) {
    names[i] = info.name;
    known += strcmp(info.name, kind) == 0;
  }
  int code = known > 0 ? 0 : suggest_operand("kind", kind, names, count);
  free(names);
  return code;
}

static int run_gen(const struct arguments *arguments) {
  neap_error error;
  neap_problem *problem;
  const char *format = arguments->format;
  const char *output = arguments->output ? arguments->output : "-";
  int code = check_kind(arguments->operand);
  if (code == 0) code = files_format(output, NEAP_CONTENT_PROBLEM, &format);
  if (code == 0) code = files_check(NULL, &output, 1);
  if (code != 0) return code;
  if (neap_problem_generate(arguments->operand, (size_t)arguments->count,
                            (uint64_t)arguments->seed, &problem, &error) != NEAP_OK)
    return error.status == NEAP_ERROR_ARGUMENT ? message_usage("gen: %s", error.text)
                                               : message_error(&error);
  code = message_written(output, neap_problem_write(problem, output, format, &error), &error);
  neap_problem_free(problem);
  return code;
}

const struct command command_gen = {
    .name = "gen",
    .summary = "generate a random problem",
    .operand = "KIND",
    .operand_at = kind_name_at,
    .usage = "KIND [OPTION...]",
    .description =
        "Generates a random problem of KIND: perfect, random, chain, branch, "
        "trace or related ('neap help kinds' describes them). The same kind, count and seed "
        "give the same problem on every machine.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_gen,
};
