/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap draw */
#include <stddef.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/problems.h"
#include "cli/terminal.h"

static const struct option_row options[] = {
    {"output", 'o', OPTION_TEXT, offsetof(struct arguments, output), "FILE", 0, false,
     "the picture's file, whose name ends in .svg, .png or .pdf; '-' is standard output, for "
     "SVG"},
    {"text", '\0', OPTION_FLAG, offsetof(struct arguments, text), NULL, 0, false,
     "draw in characters on standard output instead"},
    {"columns", '\0', OPTION_NUMBER, offsetof(struct arguments, columns), "N",
     NEAP_TEXT_COLUMNS_MIN, false, "how wide --text may be (default: as the terminal, or 80)"},
    {"lines", '\0', OPTION_NUMBER, offsetof(struct arguments, lines), "N", NEAP_TEXT_LINES_MIN,
     false, "how high --text may be (default: as the terminal, or 24)"},
};

static const struct example examples[] = {
    {"neap draw plan.json -o layout.svg", "Draws the plan."},
    {"neap draw plan.json --text", "Shows it in the terminal."},
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

static int draw_text(const neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_text_style style = terminal_style(arguments);
  if (neap_plan_draw_text(plan, &style, stdout, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

/* Either a file or the terminal. */
static int check(const struct arguments *arguments) {
  if (arguments->text && arguments->output)
    return message_usage("--text and --output exclude each other");
  if (arguments->text) return 0;
  if (!arguments->output) return message_usage("draw: expected --output FILE or --text");
  if (arguments->columns > 0 || arguments->lines > 0)
    return message_usage("--columns and --lines go with --text");
  int code = check_ending(arguments->output);
  return code != 0 ? code : files_check(arguments->operand, &arguments->output, 1);
}

static int draw(const neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status == NEAP_ERROR_UNSOUND)
    message_warning("%s: drawn although it is not sound: %s", arguments->operand, error.text);
  else if (status != NEAP_OK) return message_error(&error);
  if (arguments->text) return draw_text(plan, arguments);
  status = neap_plan_draw(plan, arguments->output, &error);
  return message_written(arguments->output, status, &error);
}

static int run(const struct arguments *arguments) {
  neap_plan *plan;
  int code = check(arguments);
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
    .usage = "PLAN (-o FILE | --text) [OPTION...]",
    .description =
        "Draws the layout of PLAN, which is JSON or a table with an offset in "
        "every row, as SVG, PNG, PDF or text: time to the right, offsets upwards, colours by "
        "risk, the sum of live sizes above. A plan that is not sound is drawn "
        "as well, with a warning.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
