/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap draw */
#include <stddef.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/problems.h"

static const struct option_row options[] = {
    {"output", 'o', OPTION_TEXT, offsetof(struct arguments, output), "FILE", 0, true,
     "the picture's file, whose name ends in .svg or .html; '-' is SVG on standard output"},
    {"compare", '\0', OPTION_TEXT, offsetof(struct arguments, other), "PLAN", 0, false,
     "in a page (.html): show also what differs in this other plan"},
};

static const struct example examples[] = {
    {"neap draw plan.json -o layout.svg", "Draws the plan."},
    {"neap draw plan.json -o layout.html --compare plan.csv",
     "Makes a page to look at both plans in."},
};

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), ending_length = strlen(ending);
  return length > ending_length && strcmp(path + length - ending_length, ending) == 0;
}

static bool is_page(const char *path) { return ends_in(path, ".html"); }

/* An ending says what is drawn. */
static int check_ending(const struct arguments *arguments) {
  const char *path = arguments->output;
  if (!is_page(path) && !files_is_standard(path) && !ends_in(path, ".svg"))
    return message_usage("%s: expected a name that ends in .svg or .html", path);
  if (arguments->other && !is_page(path))
    return message_usage("option compare: expected -o with a name that ends in .html, found %s",
                         path);
  return 0;
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

static int draw(const neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status == NEAP_ERROR_UNSOUND)
    message_warning("%s: drawn although it is not sound: %s", arguments->operand, error.text);
  else if (status != NEAP_OK) return message_error(&error);
  if (is_page(arguments->output)) return draw_page(plan, arguments);
  status = neap_plan_draw(plan, arguments->output, &error);
  return message_written(arguments->output, status, &error);
}

static int run(const struct arguments *arguments) {
  neap_plan *plan;
  int code = check_ending(arguments);
  if (code == 0) code = files_check(arguments->operand, &arguments->output, 1);
  if (code == 0 && arguments->other)
    code = files_check(arguments->other, &arguments->output, 1);
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
    .description = "Draws the layout of PLAN, which is JSON, a page or a table with an offset "
                   "in every row, as SVG: time to the right, offsets upwards, colours by "
                   "risk, the sum of live sizes above. Or as a page of HTML to look at in a "
                   "browser, which can be zoomed and searched, says of every buffer what it "
                   "rests on, and needs no network. A plan that is not sound is drawn as "
                   "well, with a warning.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
