/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap draw */
#include <stddef.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/problems.h"

static const struct option_row options[] = {
    {"output", 'o', OPTION_TEXT, offsetof(struct arguments, output), "FILE", 0, true,
     "the picture's file, whose name ends in .svg, .png or .pdf; '-' is standard output, for "
     "SVG"},
};

static const struct example examples[] = {
    {"neap draw plan.json -o layout.svg", "Draws the plan."},
};

/* An ending says what is drawn. */
static int check_ending(const char *path) {
  static const char *const endings[] = {".svg", ".png", ".pdf"};
  bool known = files_is_standard(path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    known = known || files_ends_in(path, endings[i]);
  if (!known) return message_usage("%s: expected a name that ends in .svg, .png or .pdf", path);
  return files_check_pictures(&path, 1);
}

static int draw(const neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status == NEAP_ERROR_UNSOUND)
    message_warning("%s: drawn although it is not sound: %s", arguments->operand, error.text);
  else if (status != NEAP_OK) return message_error(&error);
  status = neap_plan_draw(plan, arguments->output, &error);
  return message_written(arguments->output, status, &error);
}

static int run(const struct arguments *arguments) {
  neap_plan *plan;
  int code = check_ending(arguments->output);
  if (code == 0) code = files_check(arguments->operand, &arguments->output, 1);
  if (code != 0) return code;
  code = problems_read_plan(arguments->operand, &plan);
  if (code != 0) return code;
  code = draw(plan, arguments);
  neap_plan_free(plan);
  return code;
}

const struct command command_draw = {
    .name = "draw",
    .summary = "draw a plan",
    .operand = "PLAN",
    .usage = "PLAN -o FILE [OPTION...]",
    .description = "Draws the layout of PLAN, which is JSON or a table with an offset in "
                   "every row, as SVG: time to the right, offsets upwards, colours by "
                   "risk, the sum of live sizes above. A plan that is not sound is drawn "
                   "as well, with a warning.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
