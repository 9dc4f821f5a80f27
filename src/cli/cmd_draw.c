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
     "the picture's file, whose name ends in .svg, .png, .pdf or .html (a page to look at in a "
     "browser); '-' is standard output, for SVG"},
    {"compare", '\0', OPTION_TEXT, offsetof(struct arguments, other), "PLAN", 0, false,
     "in a page (.html): show also what differs in this other plan"},
    {"text", '\0', OPTION_FLAG, offsetof(struct arguments, text), NULL, 0, false,
     "draw in characters on standard output instead"},
    {"columns", '\0', OPTION_NUMBER, offsetof(struct arguments, columns), "N",
     NEAP_TEXT_COLUMNS_MIN, false, "how wide --text may be (default: as the terminal, or 80)"},
    {"lines", '\0', OPTION_NUMBER, offsetof(struct arguments, lines), "N", NEAP_TEXT_LINES_MIN,
     false, "how high --text may be (default: as the terminal, or 24)"},
};

static const struct example examples[] = {
    {"neap draw plan.json -o layout.svg", "Draws the plan."},
    {"neap draw plan.json -o layout.html --compare plan.csv",
     "Makes a page to look at both plans in."},
    {"neap draw plan.json --text", "Shows it in the terminal."},
};

static bool is_page(const char *path) { return files_ends_in(path, ".html"); }

/* An ending says what is drawn. */
static int check_ending(const char *path) {
  static const char *const endings[] = {".svg", ".png", ".pdf", ".html"};
  bool known = files_is_standard(path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    known = known || files_ends_in(path, endings[i]);
  if (!known)
    return message_usage("%s: expected a name that ends in .svg, .png, .pdf or .html", path);
  return files_check_pictures(&path, 1);
}

static int draw_text(const neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_text_style style = terminal_style(arguments);
  if (neap_plan_draw_text(plan, &style, stdout, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

/* A page, and in it the other plan where there is one. */
static int draw_page(const neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_plan *other = NULL;
  int code = arguments->other ? problems_read_plan(arguments->other, &other) : 0;
  if (code != 0) return code;
  neap_status status = neap_plan_draw_html(plan, other, arguments->output, &error);
  neap_plan_free(other);
  return message_written(arguments->output, status, &error);
}

/* Another plan goes into a page only, and is not written over. */
static int check_other(const struct arguments *arguments) {
  const char *path = arguments->output;
  if (!arguments->other) return 0;
  if (!path || !is_page(path))
    return message_usage("option compare: expected -o with a name that ends in .html, found %s",
                         path ? path : "none");
  return files_check(arguments->other, &path, 1);
}

/* Either a file or the terminal. */
static int check(const struct arguments *arguments) {
  if (arguments->text && arguments->output)
    return message_usage("--text and --output exclude each other");
  if (arguments->text) return check_other(arguments);
  if (!arguments->output) return message_usage("draw: expected --output FILE or --text");
  if (arguments->columns > 0 || arguments->lines > 0)
    return message_usage("--columns and --lines go with --text");
  int code = check_ending(arguments->output);
  if (code == 0) code = files_check(arguments->operand, &arguments->output, 1);
  return code != 0 ? code : check_other(arguments);
}

static int draw(const neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status == NEAP_ERROR_UNSOUND)
    message_warning("%s: drawn although it is not sound: %s", arguments->operand, error.text);
  else if (status != NEAP_OK) return message_error(&error);
  if (arguments->text) return draw_text(plan, arguments);
  if (is_page(arguments->output)) return draw_page(plan, arguments);
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
        "Draws the layout of PLAN, which is JSON, a page or a table with an offset in "
        "every row, as SVG, PNG, PDF or text: time to the right, offsets upwards, colours by "
        "risk, the sum of live sizes above. Or as a page of HTML to look at in a browser, "
        "which can be zoomed and searched, says of every buffer what it rests on, and needs "
        "no network. A plan that is not sound is drawn as well, with a warning.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
