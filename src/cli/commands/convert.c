/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap convert */
#include <string.h>

#include <stdio.h>

#include "cli/commands/commands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/output/messages.h"
#include "neap-tool.h"

static const struct option_row options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_ANY_FILE,
     .field = OPTION_FIELD(output),
     .argument = "OUT",
     .required = true,
     .help = "write to OUT ('-' for standard output), in the format given by its extension or "
             "--format"},
    {.name = "format",
     .kind = OPTION_FORMAT,
     .field = OPTION_FIELD(format),
     .argument = "FORMAT",
     .help = "format of OUT, whatever its extension"},
    {.name = "replan",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.replan),
     .help = "drop all offsets, fixed or planned; OUT is a problem"},
    {.name = "retime",
     .member = "neap_problem_retime",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(retime),
     .help = "renumber time so that every allocation and every release is a step of its own, "
             "as .ops requires; OUT is a problem"},
};

static const char *const brief[] = {"output",  "format",    "replan", "retime",
                                    "columns", "inclusive", NULL};

static const struct example examples[] = {
    {"neap convert mobilenet_v2.ops -o mobilenet_v2.json",
     "Convert memory operations to a problem in JSON."},
    {"neap convert --retime unet.csv -o steps.ops", "Convert a table to memory operations."},
    {"neap convert plan.json -o - --format table", "Print a plan as an aligned table."},
};

static bool has_all_fixed(const neap_problem *problem) {
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    if (buffer.fixed_offset == NEAP_UNPLACED) return false;
  }
  return true;
}

/* No unsound plan leaves the program.  An unsound plan in the input is bad input. */
static int verify_plan(const neap_plan *plan, const char *path) {
  neap_error error;
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status == NEAP_OK) return 0;
  if (status == NEAP_ERROR_UNSOUND) error.status = NEAP_ERROR_INPUT;
  snprintf(error.source, sizeof error.source, "%s", path);
  return message_error(&error);
}

/*
 * Reads the input as a plan if OUT can only be a plan, or if offsets would be lost otherwise.
 * (The offsets of a table become fixed offsets of the problem; those of a plan in JSON do not.)
 * *plan is NULL if a problem is to be converted.
 */
static int read_plan(const struct arguments *arguments, const neap_format_info *format,
                     const neap_problem *problem, neap_plan **plan) {
  neap_error error;
  *plan = NULL;
  if (!(format->writes & NEAP_CONTENT_PLAN) || arguments->retime || arguments->reading.replan)
    return 0;
  if ((format->writes & NEAP_CONTENT_PROBLEM) && has_all_fixed(problem)) return 0;
  files_rewind(arguments->operand);
  problems_try_plan(arguments, plan, &error);
  if (error.status == NEAP_OK) return verify_plan(*plan, arguments->operand);
  return error.status == NEAP_ERROR_INPUT && (format->writes & NEAP_CONTENT_PROBLEM)
             ? 0
             : message_error(&error);
}

static int retime_problem(neap_problem **problem, const char *path) {
  neap_error error;
  neap_problem *retimed;
  if (neap_problem_retime(*problem, &retimed, &error) != NEAP_OK) {
    snprintf(error.source, sizeof error.source, "%s", path);
    return message_error(&error);
  }
  neap_problem_free(*problem);
  *problem = retimed;
  return 0;
}

/* Only JSON lists the parts that are left out. */
static void warn_of_missing(const struct arguments *arguments, const neap_problem *problem) {
  const char *part = neap_problem_missing(problem, 0);
  if (!part) return;
  message_warning("%s: without %s%s; only .json can say so", arguments->output, part,
                  neap_problem_missing(problem, 1) ? ", and more" : "");
}

/* Only JSON lists what the runtime allocates itself. */
static void warn_of_runtime(const struct arguments *arguments, const neap_plan *plan) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  size_t count = 0;
  while (neap_problem_runtime_tensor_at(neap_plan_problem(plan), count, &tensor))
    count++;
  if (count == 0) return;
  neap_problem_runtime_tensor_at(neap_plan_problem(plan), 0, &tensor);
  if (count == 1)
    message_warning("%s: the runtime allocates '%s' itself, which only .json can list",
                    arguments->output, tensor.name);
  else
    message_warning("%s: the runtime allocates %zu tensors itself, such as '%s', which only "
                    ".json can list",
                    arguments->output, count, tensor.name);
}

static int write_out(const struct arguments *arguments, const char *format,
                     const neap_problem *problem, const neap_plan *plan) {
  neap_error error;
  const neap_writing writing = {.struct_size = sizeof(neap_writing), .format = format};
  neap_status status = plan ? neap_plan_write(plan, arguments->output, &writing, &error)
                            : neap_problem_write(problem, arguments->output, format, &error);
  return message_written(arguments->output, status, &error);
}

static int convert_input(const struct arguments *arguments, const char *format,
                         neap_problem **problem) {
  neap_plan *plan;
  const neap_format_info info = files_format_info(format);
  int code = read_plan(arguments, &info, *problem, &plan);
  if (code == 0 && arguments->retime) code = retime_problem(problem, arguments->operand);
  if (code == 0) code = write_out(arguments, format, *problem, plan);
  if (code == 0 && strcmp(format, "json") != 0) {
    warn_of_missing(arguments, plan ? neap_plan_problem(plan) : *problem);
    if (plan) warn_of_runtime(arguments, plan);
  }
  neap_plan_free(plan);
  return code;
}

static int run_convert(const struct arguments *arguments) {
  neap_problem *problem;
  const char *format = arguments->format;
  int code = files_format(arguments->output, NEAP_CONTENT_PROBLEM | NEAP_CONTENT_PLAN, &format);
  if (code == 0) code = files_check(arguments->operand, &arguments->output, 1);
  if (code == 0) code = files_keep(arguments->operand);
  if (code == 0) code = problems_read(arguments, &problem);
  if (code != 0) return code;
  code = convert_input(arguments, format, &problem);
  neap_problem_free(problem);
  return code;
}

const struct command command_convert = {
    .name = "convert",
    .summary = "convert problems and plans between formats",
    .operand = "IN",
    .input = INPUT_GRAPH,
    .usage = "IN -o OUT [OPTION...]",
    .description =
        "Converts the problem or plan in IN to the format of OUT. If OUT cannot represent "
        "everything in IN, nothing is written, and the error names what would be lost.\n\nA "
        "plan in JSON stays a plan, unless OUT can only hold a problem (.ops) or --replan or "
        "--retime is given. A table with an offset in every row becomes a problem with fixed "
        "offsets, unless OUT can only hold a plan (.txt).",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_convert,
};
