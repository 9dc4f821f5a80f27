/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap plan */
#include <stddef.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/problems.h"
#include "cli/run.h"
#include "cli/summary.h"

#define FIELD(name) offsetof(struct arguments, name)
#define TFLITE_ALIGNMENT 16 /* what TensorFlow Lite Micro takes offsets to have */

static const struct option_row options[] = {
    {"output", 'o', OPTION_TEXT, FIELD(output), "FILE", 0, false,
     "write the plan to FILE, as its ending or --format says; '-' is standard output"},
    {"format", '\0', OPTION_PLAN_FORMAT, FIELD(format), "FORMAT", 0, false,
     "the format of -o, whatever its ending"},
    {"svg", '\0', OPTION_TEXT, FIELD(svg), "FILE", 0, false,
     "draw the layout into FILE: .svg, .png or .pdf"},
    {"convergence", '\0', OPTION_TEXT, FIELD(convergence), "FILE", 0, false,
     "draw peak and best lower bound over the time of the run into FILE, likewise"},
    {"html", '\0', OPTION_TEXT, FIELD(html), "FILE", 0, false,
     "write a page to look at the layout in into FILE: to zoom, to search, without a network; "
     "with --keep-layouts it plays the rounds of the tuner"},
    {"tflite", '\0', OPTION_TEXT, FIELD(tflite), "FILE", 0, false,
     "write the TensorFlow Lite model INPUT to FILE with the plan in it, for TensorFlow Lite "
     "Micro; offsets are then multiples of 16"},
    {"force", '\0', OPTION_FLAG, FIELD(force), NULL, 0, false,
     "let --tflite replace a plan that is in the model already"},
    {"header", '\0', OPTION_TEXT, FIELD(header), "FILE", 0, false,
     "write offsets and sizes as macros into FILE, a header for C and C++"},
    {"source", '\0', OPTION_TEXT, FIELD(source), "FILE", 0, false,
     "write the arena and a table of the buffers into FILE, C or C++ that goes with --header"},
    {"prefix", '\0', OPTION_TEXT, FIELD(prefix), "NAME", 0, false,
     "what the names in --header and --source begin with (default NEAP)"},
    {"json", '\0', OPTION_FLAG, FIELD(json), NULL, 0, false,
     "print the summary as one JSON object; with --verbose it has the tuner's rounds"},
    {"replan", '\0', OPTION_FLAG, FIELD(replan), NULL, 0, false,
     "leave out of account the offsets that INPUT fixes"},
    PROBLEMS_OPTIONS,
    {"align", '\0', OPTION_BYTES, FIELD(align), "BYTES", 1, false,
     "make every offset a multiple of BYTES too"},
    {"base", '\0', OPTION_ADDRESS, FIELD(base), "ADDRESS", 0, false,
     "the arena's address, decimal or 0x hexadecimal: plans in JSON, tables and drawings then "
     "say addresses too"},
};

static const struct example examples[] = {
    {"neap plan mobilenet_v2.csv", "Plans with the defaults and prints a summary."},
    {"neap plan mobilenet_v2.csv -o plan.csv --svg plan.svg",
     "The same; writes the table with an offset in each row, and draws the layout."},
    {"neap plan densenet121.csv -q --html densenet121.html",
     "Writes a page to look at the plan in, with any browser."},
    {"neap plan unet.ops --order overlap,size --max-rounds 20 --json -v",
     "Tunes for 20 rounds at most from another first order, and prints what each round "
     "brought."},
    {"neap plan resnet50.csv --align 64 --base 0x20000000 -o plan.txt",
     "Aligns to 64 bytes and writes a table with addresses."},
    {"neap plan ssd300.csv --align 16 --header ssd300.h --prefix SSD300",
     "Writes a header that says where each buffer lies."},
    {"neap plan - --seed 7 -q -o plan.json <mobilenet_v2.ops",
     "Reads standard input and says nothing."},
};

/* What a target is built with. */
static int write_code(const struct arguments *arguments, const neap_plan *plan) {
  neap_error error;
  const char *tflite = arguments->tflite, *header = arguments->header;
  const char *prefix = arguments->prefix ? arguments->prefix : "NEAP";
  int code = 0;
  if (tflite)
    code = message_written(
        tflite,
        neap_plan_write_tflite(plan, arguments->operand, tflite, arguments->force, &error),
        &error);
  if (header && code == 0)
    code =
        message_written(header, neap_plan_write_header(plan, prefix, header, &error), &error);
  if (arguments->source && code == 0)
    code = message_written(arguments->source,
                           neap_plan_write_source(plan, prefix, files_last_part(header),
                                                  arguments->source, &error),
                           &error);
  return code;
}

static int write_outputs(const struct arguments *arguments, neap_format format,
                         neap_plan *plan) {
  neap_error error;
  const char *output = arguments->output, *svg = arguments->svg, *html = arguments->html;
  const char *course = arguments->convergence;
  const struct address *base = &arguments->base;
  if (base->given && neap_plan_set_base(plan, base->value, &error) != NEAP_OK)
    return message_usage("option base: %s", error.text);
  int code = 0;
  if (output)
    code = message_written(output, neap_plan_write(plan, output, format, &error), &error);
  if (svg && code == 0) code = message_written(svg, neap_plan_draw(plan, svg, &error), &error);
  if (html && code == 0)
    code = message_written(html, neap_plan_draw_html(plan, NULL, html, &error), &error);
  if (course && code == 0)
    code = message_written(course, neap_plan_draw_course(plan, course, &error), &error);
  return code == 0 ? write_code(arguments, plan) : code;
}

/* On standard output there is room for one thing. */
static bool takes_standard_output(const struct arguments *arguments) {
  const char *const outputs[] = {arguments->output, arguments->svg,    arguments->convergence,
                                 arguments->tflite, arguments->header, arguments->source,
                                 arguments->html};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (outputs[i] && files_is_standard(outputs[i])) return true;
  return false;
}

static int print_report(const struct arguments *arguments, const neap_plan *plan) {
  neap_error error;
  if (!arguments->json)
    return arguments->quiet || takes_standard_output(arguments) ? 0 : summary_plan(plan);
  if (neap_plan_write_report(plan, arguments->operand, arguments->verbose, stdout, &error) !=
      NEAP_OK)
    return message_error(&error);
  return 0;
}

static int finish(const struct arguments *arguments, neap_format format, neap_plan *plan) {
  neap_report report;
  neap_plan_report(plan, &report);
  if (report.stop_reason == NEAP_STOP_CANCELLED)
    message_warning("interrupted: this is the best plan so far");
  int code = write_outputs(arguments, format, plan);
  return code != 0 ? code : print_report(arguments, plan);
}

/* What a script wants to know where there is no plan. */
static int print_no_plan(const struct arguments *arguments, const struct run *run,
                         neap_status status) {
  neap_error error;
  neap_bound bound;
  if (neap_problem_bound(run->problem, &bound, &error) != NEAP_OK) return message_error(&error);
  bool infeasible = status == NEAP_INFEASIBLE;
  const char *reason = infeasible          ? neap_stop_reason_name(NEAP_STOP_PROVEN)
                       : run_interrupted() ? neap_stop_reason_name(NEAP_STOP_CANCELLED)
                                           : NULL;
  return summary_json(json_pack(
      "{so sI sI sI sn sn ss ss? sn sI so sn}", "input", summary_text(arguments->operand),
      "buffers", (json_int_t)neap_problem_count(run->problem), "bound", (json_int_t)bound.bytes,
      "lower_bound", (json_int_t)bound.lower_bound, "peak", "gap_percent", "status",
      infeasible ? "infeasible" : "unknown", "stop_reason", reason, "engine", "rounds",
      (json_int_t)run->progress.rounds, "seconds", summary_real(run->progress.seconds),
      "seed"));
}

/* Says why there is no plan. */
static int give_up(const struct arguments *arguments, const struct run *run,
                   neap_error *error) {
  neap_status status = error->status;
  if (arguments->json && (status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN)) {
    int code = print_no_plan(arguments, run, status);
    if (code != 0) return code;
  }
  if (!*error->source) snprintf(error->source, sizeof error->source, "%s", arguments->operand);
  return message_error(error);
}

static int plan_problem(const struct arguments *arguments, neap_format format,
                        const neap_problem *problem) {
  neap_error error;
  neap_plan *plan;
  struct run run = {.problem = problem, .options = arguments->planning, .label = ""};
  if (run_planner(&run, &plan, &error) != NEAP_OK) return give_up(arguments, &run, &error);
  int code = finish(arguments, format, plan);
  neap_plan_free(plan);
  return code;
}

/* What can be refused before anything is read. */
static int check(const struct arguments *arguments, neap_format *format) {
  const char *const outputs[] = {arguments->output, arguments->svg,    arguments->convergence,
                                 arguments->tflite, arguments->header, arguments->source,
                                 arguments->html};
  if (arguments->source && (!arguments->header || files_is_standard(arguments->header)))
    return message_usage("option source: expected --header FILE with it, which it includes");
  if (arguments->tflite && arguments->in_place)
    return message_usage("--tflite and --in-place exclude each other: the model would not know "
                         "which tensors share");
  if (arguments->tflite && files_is_standard(arguments->operand))
    return message_usage("option tflite: expected INPUT to be a file, found '-'");
  if (arguments->json && takes_standard_output(arguments))
    return message_usage(
        "option json: expected standard output for itself, found '-' given for another output");
  int code = files_check_pictures(outputs + 1, 2);
  *format = arguments->format;
  if (code == 0 && arguments->output) code = files_format(arguments->output, true, format);
  return code != 0 ? code
                   : files_check(arguments->operand, outputs, sizeof outputs / sizeof *outputs);
}

static int run(const struct arguments *arguments) {
  neap_format format;
  neap_problem *problem;
  int code = check(arguments, &format);
  if (code == 0) code = problems_read(arguments, &problem);
  if (code != 0) return code;
  run_catch_signals();
  code = problems_align(problem, arguments->align, arguments->operand);
  if (code == 0 && arguments->tflite)
    code = problems_align(problem, TFLITE_ALIGNMENT, arguments->operand);
  if (code == 0) code = plan_problem(arguments, format, problem);
  neap_problem_free(problem);
  return code;
}

const struct command command_plan = {
    .name = "plan",
    .summary = "give every buffer an offset, the arena's peak as low as can be",
    .operand = "INPUT",
    .usage = "INPUT [OPTION...]",
    .description = "Gives every buffer of INPUT an offset in one arena so that no two "
                   "that are alive together share a byte, the arena's peak as low as can "
                   "be, and prints a summary. INPUT is a file in any format that can be "
                   "read, or '-' for standard input.\n\n"
                   "Every plan is verified before it is written. The first Ctrl-C ends "
                   "the planning, and the best plan so far is written; the second ends "
                   "the program.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
