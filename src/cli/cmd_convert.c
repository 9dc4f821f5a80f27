/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap convert */
#include <stddef.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/problems.h"

#define FIELD(name) offsetof(struct arguments, name)

static const struct option_row options[] = {
    {"output", 'o', OPTION_TEXT, FIELD(output), "OUT", 0, true,
     "the file to write, as its ending or --format says; '-' is standard output"},
    {"format", '\0', OPTION_FORMAT, FIELD(format), "FORMAT", 0, false,
     "the format of OUT, whatever its ending"},
    {"replan", '\0', OPTION_FLAG, FIELD(replan), NULL, 0, false,
     "leave out offsets, fixed or planned: OUT is a problem"},
    PROBLEMS_OPTIONS,
    {"retime", '\0', OPTION_FLAG, FIELD(retime), NULL, 0, false,
     "number time anew, every allocation and every release a step of its own, which is what "
     ".ops can say: OUT is a problem"},
};

static const struct example examples[] = {
    {"neap convert mobilenet_v2.ops -o mobilenet_v2.json",
     "Turns memory operations into a problem in JSON."},
    {"neap convert --retime unet.csv -o steps.ops", "Turns a table into memory operations."},
    {"neap convert plan.json -o - --format table", "Shows a plan as a table for people."},
};

static bool has_all_fixed(const neap_problem *problem) {
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer;
    neap_problem_get(problem, i, &buffer);
    if (buffer.fixed_offset == NEAP_UNPLACED) return false;
  }
  return true;
}

/* No plan leaves the program that is not sound.  One that came in so is bad input. */
static int verify(const neap_plan *plan, const char *path) {
  neap_error error;
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status == NEAP_OK) return 0;
  if (status == NEAP_ERROR_UNSOUND) error.status = NEAP_ERROR_INPUT;
  snprintf(error.source, sizeof error.source, "%s", path);
  return message_error(&error);
}

/*
 * Reads the input as a plan where that is what to convert: where OUT can only be one, or where
 * offsets would be lost otherwise.  (The offsets of a table stay with the problem, as fixed
 * ones; those of a plan in JSON do not.)  *plan is NULL where it is not.
 */
static int read_plan(const struct arguments *arguments, const neap_format_info *format,
                     const neap_problem *problem, neap_plan **plan) {
  neap_error error;
  *plan = NULL;
  if (!format->writes_plans || arguments->retime || arguments->replan) return 0;
  if (format->writes_problems && has_all_fixed(problem)) return 0;
  files_rewind(arguments->operand);
  neap_status status = neap_plan_read(arguments->operand, NEAP_FORMAT_AUTO, plan, &error);
  if (status == NEAP_OK) return verify(*plan, arguments->operand);
  return status == NEAP_ERROR_INPUT && format->writes_problems ? 0 : message_error(&error);
}

static int retime(neap_problem **problem, const char *path) {
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

static int write_out(const struct arguments *arguments, neap_format format,
                     const neap_problem *problem, const neap_plan *plan) {
  neap_error error;
  neap_status status = plan ? neap_plan_write(plan, arguments->output, format, &error)
                            : neap_problem_write(problem, arguments->output, format, &error);
  return message_written(arguments->output, status, &error);
}

static int convert(const struct arguments *arguments, neap_format format,
                   neap_problem **problem) {
  neap_plan *plan;
  int code = read_plan(arguments, files_format_info(format), *problem, &plan);
  if (code == 0 && arguments->retime) code = retime(problem, arguments->operand);
  if (code == 0) code = write_out(arguments, format, *problem, plan);
  neap_plan_free(plan);
  return code;
}

static int run(const struct arguments *arguments) {
  neap_problem *problem;
  neap_format format = arguments->format;
  int code = files_format(arguments->output, false, &format);
  if (code == 0) code = files_check(arguments->operand, &arguments->output, 1);
  if (code == 0) code = files_keep(arguments->operand);
  if (code == 0) code = problems_read(arguments, &problem);
  if (code != 0) return code;
  code = convert(arguments, format, &problem);
  neap_problem_free(problem);
  return code;
}

const struct command command_convert = {
    .name = "convert",
    .summary = "convert problems and plans between formats",
    .operand = "IN",
    .usage = "IN -o OUT [OPTION...]",
    .description = "Converts the problem or the plan in IN to the format of OUT. What OUT "
                   "cannot say is an error that names what would be lost, and nothing is "
                   "written.\n\n"
                   "A plan in JSON becomes a plan; it becomes a problem where OUT can "
                   "only hold that (.ops), or with --replan or --retime. A table with an "
                   "offset in every row becomes a problem with fixed offsets, or a plan "
                   "where OUT can only hold that (.txt).",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
