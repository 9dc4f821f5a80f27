/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap gen */
#include <stddef.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"

#define FIELD(name) offsetof(struct arguments, name)

static const struct option_row options[] = {
    {"output", 'o', OPTION_TEXT, FIELD(output), "OUT", 0, false,
     "the file to write, as its ending or --format says; '-' is standard output, the default"},
    {"format", '\0', OPTION_FORMAT, FIELD(format), "FORMAT", 0, false,
     "the format of OUT, whatever its ending"},
    {"count", 'n', OPTION_NUMBER, FIELD(count), "N", 1, false,
     "how many buffers, up to 100 million (default 1000)"},
    {"seed", '\0', OPTION_NUMBER, FIELD(seed), "N", 0, false,
     "another seed makes another problem (default 1)"},
};

static const struct example examples[] = {
    {"neap gen perfect --count 200 -o perfect.csv",
     "Makes a problem whose optimum leaves no gap anywhere."},
    {"neap gen trace -n 100000 --seed 7 | neap plan - --time-limit 5",
     "Plans what a heap might see."},
};

static int run(const struct arguments *arguments) {
  neap_error error;
  neap_problem *problem;
  neap_format format = arguments->format;
  const char *output = arguments->output ? arguments->output : "-";
  int code = files_format(output, false, &format);
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
    .summary = "make a problem at random, of a kind that is known",
    .operand = "KIND",
    .usage = "KIND [OPTION...]",
    .description =
        "Makes a problem at random: the same kind, count and seed give the same problem on "
        "every machine.\n\n"
        "KIND is perfect (a sheet of time by bytes cut into pieces, about a third of the cuts "
        "pinwheels, so that the optimum is the bound and leaves no gap), random (even sizes "
        "and "
        "lifetimes), chain or branch (networks: layers one after the other, or blocks of "
        "branches that join) or trace (what a heap sees: heavy-tailed sizes and lifetimes).",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
