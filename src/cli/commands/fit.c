/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap fit */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "cli/commands/commands.h"
#include "cli/input/files.h"
#include "cli/input/splits.h"
#include "cli/output/figures.h"
#include "cli/output/messages.h"
#include "cli/output/object.h"
#include "cli/output/results.h"
#include "cli/output/split_facts.h"
#include "cli/run.h"
#include "neap-tool.h"

static const struct option_row options[] = {
    {.name = "arena",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(capacity),
     .argument = "BYTES",
     .low = 1,
     .help = "the size of the arena, for tensors and all that the interpreter keeps"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TFLITE_FILE,
     .field = OPTION_FIELD(tflite),
     .argument = "NEW",
     .help = "write the model with its plan to NEW, if it fits; without it, only print the "
             "summary"},
    OPTION_MAX_MACS(NULL, "with bands, "),
    {.name = "html",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page of the plan to FILE"},
    OPTION_JSON,
};

static const char *const brief[] = {"arena", "output", "overlap", "max-macs",
                                    "html",  "json",   NULL};

static const struct example examples[] = {
    {"neap fit branches.tflite --arena 6K -o fits.tflite",
     "Make the model fit into 6 KiB, whatever the kernels."},
    {"neap fit branches.tflite --arena 5K --overlap tflite-reference --json",
     "Print one JSON object with what was tried and what each step needs."},
};

/* ---------------------------------------------------------------- for people */

static const char *step_text(const neap_fit_step *step) {
  static const char *const texts[] = {
      "as it is, with the best layout", "in another order of the operators",
      "with outputs over inputs", "in bands of rows or groups of channels"};
  return texts[step->means];
}

static void print_step(const neap_fit_step *step) {
  char bytes[FIGURE_SIZE];
  printf("%-8s %s%s: head %" PRId64 ", tail %" PRId64 " bytes; %s\n",
         neap_fit_means_name(step->means), step->point.is_partial ? "at least " : "",
         figure_bytes(bytes, step->point.arena), step->point.peak, step->point.tail,
         step_text(step));
}

static void print_verdict(const neap_fit_report *report, const neap_fit_step *best,
                          neap_size arena) {
  char bytes[FIGURE_SIZE], least[FIGURE_SIZE];
  if (report->fits) {
    printf("fits     %s to spare\n", figure_bytes(bytes, arena - best->point.arena));
    return;
  }
  printf("missing  %s", figure_bytes(bytes, best->point.arena - arena));
  if (report->lower_bound > arena)
    printf("; at least %s, proven for all that was tried",
           figure_bytes(least, report->lower_bound - arena));
  putchar('\n');
}

static void print_summary(const neap_fit *fit, neap_size arena) {
  char bytes[FIGURE_SIZE];
  neap_fit_report report;
  neap_fit_step step, best = {.means = NEAP_FIT_LAYOUT};
  neap_fit_get_report(fit, &report);
  printf("arena    %s\n", figure_bytes(bytes, arena));
  for (size_t i = 0; neap_fit_step_at(fit, i, &step); i++)
    print_step(&step);
  neap_fit_step_at(fit, report.best, &best);
  if (best.means == NEAP_FIT_SPLIT) split_facts_print_bands(report.split);
  print_verdict(&report, &best, arena);
}

/* ---------------------------------------------------------------- for programs */

static json_t *step_list(const neap_fit *fit) {
  json_t *list = json_array();
  neap_fit_step step;
  for (size_t i = 0; list && neap_fit_step_at(fit, i, &step); i++)
    list = object_append(
        list, json_pack("{ss sI sI sI sb sb}", "means", neap_fit_means_name(step.means), "peak",
                        (json_int_t)step.point.peak, "tail", (json_int_t)step.point.tail,
                        "arena", (json_int_t)step.point.arena, "is_lower_bound",
                        (int)step.point.is_partial, "fits", (int)step.fits));
  return list;
}

static int print_json(const struct arguments *arguments, const neap_fit *fit) {
  neap_fit_report report;
  neap_fit_get_report(fit, &report);
  json_t *object = json_pack("{so sI sb sI sI so}", "input", object_text(arguments->operand),
                             "capacity", (json_int_t)arguments->capacity, "fits",
                             (int)report.fits, "best", (json_int_t)report.best, "lower_bound",
                             (json_int_t)report.lower_bound, "steps", step_list(fit));
  if (report.split) object = object_add(object, "split", split_facts_json(report.split));
  return object_print(object);
}

/* ---------------------------------------------------------------- results */

static int write_page(const struct arguments *arguments, const neap_fit *fit) {
  neap_fit_report report;
  neap_writing writing = results_writing(arguments, arguments->operand);
  neap_fit_get_report(fit, &report);
  if (report.split) {
    writing.other = neap_split_plan_before(report.split);
    writing.other_name = "before bands";
  }
  return results_write_plan(neap_fit_plan(fit), arguments->html, NEAP_CONTENT_PAGE, &writing);
}

static const char *family_text(const struct arguments *arguments, bool has_bands) {
  if (arguments->reading.overlap)
    return has_bands ? "layouts, orders, overlaps and bands" : "layouts, orders and overlaps";
  return has_bands ? "layouts, orders and bands" : "layouts and orders";
}

/* The exit codes are those of a plan for a capacity. */
static int conclude(const struct arguments *arguments, const neap_fit *fit) {
  neap_fit_report report;
  neap_error error = {.status = NEAP_NO_PLAN};
  neap_fit_get_report(fit, &report);
  if (report.fits) return 0;
  bool is_proven = report.lower_bound > arguments->capacity;
  if (is_proven) error.status = NEAP_INFEASIBLE;
  snprintf(error.source, sizeof error.source, "%s", arguments->operand);
  snprintf(error.text, sizeof error.text, "nothing fits%s, of all %s that were searched",
           is_proven ? ", which is proven" : "", family_text(arguments, report.split != NULL));
  return message_error(&error);
}

static int write_results(const struct arguments *arguments, const neap_fit *fit) {
  neap_error error;
  neap_fit_report report;
  int code = 0;
  neap_fit_get_report(fit, &report);
  if (report.fits && arguments->tflite)
    code = message_written(arguments->tflite, neap_fit_write(fit, arguments->tflite, &error),
                           &error);
  if (code == 0 && arguments->html) code = write_page(arguments, fit);
  if (code == 0 && arguments->json) code = print_json(arguments, fit);
  else if (code == 0 && !arguments->quiet && !results_take_output(arguments))
    print_summary(fit, arguments->capacity);
  return code;
}

/* ---------------------------------------------------------------- the command */

static int check_arguments(const struct arguments *arguments) {
  const char *outputs[] = {arguments->tflite, arguments->html};
  if (arguments->capacity < 0) return message_usage("fit needs --arena BYTES");
  int code = splits_check(arguments, "fit");
  if (code == 0) code = results_check_json(arguments);
  if (code != 0) return code;
  return files_check(arguments->operand, outputs, sizeof outputs / sizeof *outputs);
}

static int run_fit(const struct arguments *arguments) {
  neap_error error;
  neap_fit *fit;
  double shown = 0;
  int code = check_arguments(arguments);
  if (code != 0) return code;
  const neap_splitting how = splits_how(arguments, arguments->capacity, &shown);
  run_catch_signals();
  neap_status status =
      neap_fit_model(arguments->operand, &arguments->reading, &how, &fit, &error);
  message_status("");
  if (status != NEAP_OK) return message_error(&error);
  if (run_interrupted()) message_warning("interrupted: this is the best so far");
  code = write_results(arguments, fit);
  if (code == 0) code = conclude(arguments, fit);
  neap_fit_free(fit);
  return code;
}

const struct command command_fit = {
    .name = "fit",
    .summary = "make a model fit into an arena, at the least cost",
    .operand = "MODEL",
    .input = INPUT_GRAPH,
    .usage = "MODEL --arena BYTES [-o NEW] [OPTION...]",
    .description =
        "Makes the TensorFlow Lite model MODEL fit into the whole arena of TensorFlow Lite "
        "Micro: the planned head, the tail that the interpreter keeps, and what it needs to "
        "prepare the model. Tries in the order of what it costs, each with all before it, and "
        "stops at the first that fits: the best layout; the best order of the operators; with "
        "--overlap, outputs over inputs as those kernels allow; bands as in 'neap "
        "split', with the least extra work.\n\nIf nothing fits, shows the smallest arena in "
        "bands "
        "that is found and how much is missing, and, where it is proven, how much must be "
        "missing for everything that was tried. Exits with 4 if that is proven, and with 5 if "
        "nothing was found.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_fit,
};
