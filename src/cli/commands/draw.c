/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap draw */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands/commands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/options/options.h"
#include "cli/options/outputs.h"
#include "cli/output/messages.h"
#include "cli/output/results.h"
#include "neap/planner.h"

static const struct option_row options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_DRAWING_FILE,
     .field = OPTION_FIELD(output),
     .argument = "FILE",
     .help =
         "write the drawing to FILE, in the format given by its extension; '-' writes SVG to "
         "standard output"},
    {.name = "compare",
     .kind = OPTION_INPUT_FILE,
     .field = OPTION_FIELD(other),
     .argument = "PLAN",
     .help = "in an interactive page, also show the differences to PLAN"},
    {.name = "colour-by",
     .kind = OPTION_COLOURING,
     .field = OPTION_FIELD(writing.colour_by),
     .argument = "WHAT",
     .help = "what the colours of the rectangles stand for"},
    OPTION_FIGURE(NULL, "draw"),
    {.name = "capacity",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(capacity),
     .argument = "BYTES",
     .help = "show this capacity of the arena as a line (default: that in PLAN)"},
    {.name = "text",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(text),
     .help = "draw with characters on standard output instead"},
    {.name = "columns",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(columns),
     .argument = "N",
     .low = NEAP_TEXT_COLUMNS_MIN,
     .help = "width of --text, at most 1000 (default: that of the terminal, or 80)"},
    {.name = "lines",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(lines),
     .argument = "N",
     .low = NEAP_TEXT_LINES_MIN,
     .help = "height of --text, at most 1000 (default: that of the terminal, or 24)"},
    OPTION_PLANNED_OVERLAP,
};

static const char *const brief[] = {"output", "compare", "colour-by", "capacity", "text", NULL};

static const struct example examples[] = {
    {"neap draw plan.json -o layout.svg", "Draw the plan as SVG."},
    {"neap draw plan.json -o layout.html --compare plan.csv",
     "Write an interactive page that compares two plans."},
    {"neap draw plan.json -o layout.svg --colour-by size --capacity 2M",
     "Colour the rectangles by size and show a capacity of 2 MiB."},
    {"neap draw plan.json --text", "Draw the plan in the terminal."},
};

static int draw_text(const neap_plan *plan, const neap_writing *writing,
                     const struct arguments *arguments) {
  neap_error error;
  neap_text_style style = terminal_style(arguments);
  if (neap_plan_draw_text(plan, writing, &style, stdout, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

/* With two plans, --overlap applies only to those in .tflite models. */
static int read_plan(const struct arguments *arguments, const char *path, neap_plan **plan) {
  struct arguments own = *arguments;
  if (arguments->other && !files_ends_in(path, ".tflite"))
    own.reading.graph.liveness.overlap = false;
  return problems_read_plan(&own, path, plan);
}

/* Also reads the plan to compare if there is one. */
static int draw_file(const neap_plan *plan, neap_writing writing,
                     const struct arguments *arguments) {
  neap_error error;
  neap_plan *other = NULL;
  int code = files_format(arguments->output, NEAP_CONTENT_PICTURE | NEAP_CONTENT_PAGE,
                          &writing.format);
  if (code == 0 && arguments->other) code = read_plan(arguments, arguments->other, &other);
  if (code != 0) return code;
  writing.other = other;
  writing.other_name = other ? results_writing(arguments, arguments->other).name : NULL;
  neap_status status = neap_plan_write(plan, arguments->output, &writing, &error);
  neap_plan_free(other);
  return message_written(arguments->output, status, &error);
}

/* Only a page can show another plan, and must not overwrite it. */
static int check_other(const struct arguments *arguments) {
  const char *path = arguments->output;
  if (!arguments->other) return 0;
  if (!path || !outputs_takes_ending(OPTION_PAGE_FILE, path))
    return message_usage("--compare: expected -o with a name that ends in %s, found %s",
                         outputs_ending_at(OPTION_PAGE_FILE, 0), path ? path : "none");
  return files_check(arguments->other, &path, 1);
}

static int check_size(const char *name, int64_t size, int64_t most) {
  if (size <= most) return 0;
  return message_usage("--%s: expected at most %" PRId64 ", found %" PRId64, name, most, size);
}

/* Pages and texts have a width of their own. */
static int check_figure(const struct arguments *arguments) {
  const char *path = arguments->text ? "--text" : arguments->output;
  if (arguments->writing.figure == 0 || files_is_standard(path) ||
      outputs_takes_ending(OPTION_PICTURE_FILE, path))
    return 0;
  return message_usage("--figure draws .svg, .png and .pdf, not %s", path);
}

static int check_text(const struct arguments *arguments) {
  int code = check_size("columns", arguments->columns, NEAP_TEXT_COLUMNS_MAX);
  if (code == 0) code = check_size("lines", arguments->lines, NEAP_TEXT_LINES_MAX);
  if (code == 0) code = check_figure(arguments);
  return code != 0 ? code : check_other(arguments);
}

/* Either a file or the terminal. */
static int check_arguments(const struct arguments *arguments) {
  if (arguments->text && arguments->output)
    return message_usage("--text and --output cannot be combined");
  if (arguments->text) return check_text(arguments);
  if (!arguments->output) return message_usage("draw needs --output FILE or --text");
  if (arguments->columns > 0 || arguments->lines > 0)
    return message_usage("--columns and --lines go with --text");
  const char *format = NULL;
  int code = files_format(arguments->output, NEAP_CONTENT_PICTURE | NEAP_CONTENT_PAGE, &format);
  if (code == 0) code = files_check(arguments->operand, &arguments->output, 1);
  if (code == 0) code = check_figure(arguments);
  return code != 0 ? code : check_other(arguments);
}

static int draw_plan(neap_plan *plan, const struct arguments *arguments) {
  neap_error error;
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status == NEAP_ERROR_UNSOUND)
    message_warning("%s: the plan is unsound: %s", arguments->operand, error.text);
  else if (status != NEAP_OK) return message_error(&error);
  if (arguments->capacity >= 0 &&
      neap_plan_set_capacity(plan, arguments->capacity, &error) != NEAP_OK)
    return message_error(&error);
  const neap_writing writing = results_writing(arguments, arguments->operand);
  return arguments->text ? draw_text(plan, &writing, arguments)
                         : draw_file(plan, writing, arguments);
}

static int run_draw(const struct arguments *arguments) {
  neap_plan *plan;
  int code = check_arguments(arguments);
  if (code != 0) return code;
  code = read_plan(arguments, arguments->operand, &plan);
  if (code != 0) return code;
  code = draw_plan(plan, arguments);
  neap_plan_free(plan);
  return code;
}

const struct command command_draw = {
    .name = "draw",
    .summary = "draw a plan as SVG, PNG, PDF, text or an interactive page",
    .operand = "PLAN",
    .input = INPUT_PLAIN,
    .usage = "PLAN (-o FILE | --text) [OPTION...]",
    .description =
        "Draws the layout of PLAN as SVG, PNG, PDF or text: time runs to the right, offsets "
        "upwards. The sum of live sizes is drawn above. PLAN is JSON, a page, a model written "
        "by 'neap plan --tflite', or a table with an offset in every row.\n\nColours stand for "
        "risk if there is a gap or the tuner ran several rounds, and otherwise for operators "
        "or groups of names; --colour-by (also spelled --color-by) chooses. The legend "
        "explains every colour.\n\nWith a name that ends in .html, writes an interactive page "
        "for a browser, which works offline. You can zoom and search it, and it shows what "
        "every buffer rests on. An unsound plan is also drawn: its collisions are marked, and "
        "status and gap are left out.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_draw,
};
