/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap gen */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/input/files.h"
#include "cli/output/messages.h"
#include "cli/output/suggest.h"
#include "neap-tool.h"

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
     .help = "number of buffers, up to 100 million (default 1000); not for networks"},
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(seed),
     .argument = "N",
     .help = "seed of the random number generator (default 1)"},
};

static const char *const brief[] = {"output", "format", "count", "seed", NULL};

static const struct example examples[] = {
    {"neap gen perfect --count 200 -o perfect.csv",
     "Generate a problem whose optimum leaves no gaps."},
    {"neap gen trace -n 10000 --seed 7 | neap plan - --time-limit 5",
     "Plan the trace of a heap."},
    {"neap gen darts-cifar | neap plan - --schedule optimal --in-place",
     "Plan a published network in its best order."},
};

#define COUNT_DEFAULT 1000

static size_t kind_count(void) {
  neap_kind_info info;
  size_t count = 0;
  while (neap_kind_at(count, &info))
    count++;
  return count;
}

/* Everything that can be generated: kinds, then networks. */
static const char *name_at(size_t index) {
  neap_kind_info kind;
  neap_network_info network = NEAP_INIT(neap_network_info);
  if (neap_kind_at(index, &kind)) return kind.name;
  return neap_network_at(index - kind_count(), &network) ? network.name : NULL;
}

static bool is_network(const char *name) {
  neap_network_info info = NEAP_INIT(neap_network_info);
  for (size_t i = 0; neap_network_at(i, &info); i++)
    if (strcmp(info.name, name) == 0) return true;
  return false;
}

/* An unknown name is refused here, where the nearest one can be suggested. */
static int check_name(const char *name) {
  size_t count = 0, known = 0;
  while (name_at(count))
    count++;
  const char **names = calloc(count + 1, sizeof *names);
  if (!names) return message_memory();
  for (size_t i = 0; i < count; i++) {
    names[i] = name_at(i);
    known += strcmp(names[i], name) == 0;
  }
  int code = known > 0 ? 0 : suggest_operand("kind", name, names, count);
  free(names);
  return code;
}

static int refuse(const neap_error *error) {
  return error->status == NEAP_ERROR_ARGUMENT ? message_usage("gen: %s", error->text)
                                              : message_error(error);
}

static int write_problem(const neap_problem *problem, const char *output, const char *format) {
  neap_error error;
  return message_written(output, neap_problem_write(problem, output, format, &error), &error);
}

static int gen_problem(const struct arguments *arguments, const char *output,
                       const char *format) {
  neap_error error;
  neap_problem *problem;
  size_t count = arguments->count > 0 ? (size_t)arguments->count : COUNT_DEFAULT;
  if (neap_problem_generate(arguments->operand, count, (uint64_t)arguments->seed, &problem,
                            &error) != NEAP_OK)
    return refuse(&error);
  int code = write_problem(problem, output, format);
  neap_problem_free(problem);
  return code;
}

/* Writes the graph, or its problem in a format that holds no graphs. */
static int write_graph(const neap_graph *graph, const char *output, const char *format) {
  neap_error error;
  neap_problem *problem;
  if (files_format_info(format).writes & NEAP_CONTENT_GRAPH)
    return message_written(output, neap_graph_write(graph, output, format, &error), &error);
  if (neap_graph_to_problem(graph, NULL, &problem, &error) != NEAP_OK)
    return message_error(&error);
  int code = write_problem(problem, output, format);
  neap_problem_free(problem);
  return code;
}

static int gen_network(const struct arguments *arguments, const char *output,
                       const char *format) {
  neap_error error;
  neap_graph *graph;
  if (arguments->count > 0)
    return message_usage("gen: --count does not apply to network '%s'", arguments->operand);
  if (neap_graph_generate(arguments->operand, (uint64_t)arguments->seed, &graph, &error) !=
      NEAP_OK)
    return refuse(&error);
  int code = write_graph(graph, output, format);
  neap_graph_free(graph);
  return code;
}

static int run_gen(const struct arguments *arguments) {
  const char *format = arguments->format;
  const char *output = arguments->output ? arguments->output : "-";
  bool is_graph = is_network(arguments->operand);
  bool is_piped = files_is_standard(output);
  int code = check_name(arguments->operand);
  if (code == 0)
    code = files_format(
        output, is_graph && is_piped ? NEAP_CONTENT_GRAPH : NEAP_CONTENT_PROBLEM, &format);
  if (code == 0) code = files_check(NULL, &output, 1);
  if (code != 0) return code;
  return is_graph ? gen_network(arguments, output, format)
                  : gen_problem(arguments, output, format);
}

const struct command command_gen = {
    .name = "gen",
    .summary = "generate a random problem or a published network",
    .operand = "KIND",
    .operand_at = name_at,
    .usage = "KIND [OPTION...]",
    .description =
        "Generates a random problem or a published network. KIND is a kind of problem "
        "(perfect, sheet, random, chain, branch, trace or related; see 'neap help kinds') or "
        "the name of a network (see 'neap help networks').\n\nA network is written as a graph "
        "of operators in JSON. Other formats hold no graphs; they get the problem with the "
        "operators in the given order. The same kind, count and seed give the same result on "
        "every machine.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_gen,
};
