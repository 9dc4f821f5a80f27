/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap explain */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/explain/explanation_text.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/options/outputs.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/results.h"
#include "cli/run.h"
#include "neap-tool.h"
#include "neap/relations.h"

/* ---------------------------------------------------------------- the explanation as JSON */

/* The number, or null in JSON if it is not known. */
static json_t *known(neap_size number) {
  return number >= 0 ? json_integer((json_int_t)number) : json_null();
}

static json_t *buffer_object(const neap_problem *problem, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(problem, index, &buffer);
  return json_pack("{ss sI sI sI sI}", "name", buffer.name, "size", (json_int_t)buffer.size,
                   "start", (json_int_t)buffer.ranges[0].start, "end",
                   (json_int_t)buffer.ranges[buffer.range_count - 1].end, "alignment",
                   (json_int_t)buffer.alignment);
}

typedef bool list_function(const neap_explanation *explanation, size_t index, size_t *buffer);

static json_t *buffer_list(const struct explained *explained, list_function *at) {
  json_t *list = json_array();
  size_t buffer;
  for (size_t i = 0; list && at(explained->explanation, i, &buffer); i++)
    list = object_append(list, buffer_object(explained->problem, buffer));
  return list;
}

static const char *name_of(const neap_problem *problem, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  bool is_one = index != NEAP_NO_BUFFER && neap_problem_buffer_at(problem, index, &buffer);
  return is_one ? buffer.name : NULL;
}

static json_t *change_object(const neap_problem *problem, const neap_change *change) {
  bool is_time = change->kind == NEAP_CHANGE_END || change->kind == NEAP_CHANGE_START;
  neap_pool pool = {.struct_size = sizeof(neap_pool), .name = NULL};
  if (change->kind == NEAP_CHANGE_CAPACITY) neap_problem_pool_at(problem, change->index, &pool);
  return json_pack("{ss ss* ss* ss* so so so}", "kind", neap_change_kind_name(change->kind),
                   "buffer", name_of(problem, change->buffer), "other",
                   name_of(problem, change->other), "pool", pool.name, "bytes",
                   is_time ? json_null() : known(change->bytes), "time",
                   is_time ? known(change->time) : json_null(), "was",
                   is_time ? known(change->was) : json_null());
}

static json_t *fix_object(const neap_problem *problem, const neap_fix *fix) {
  char text[CHANGE_TEXT_SIZE];
  json_t *changes = json_array();
  for (size_t c = 0; changes && c < fix->change_count; c++)
    changes = object_append(changes, change_object(problem, &fix->changes[c]));
  return json_pack("{so sI ss sb sI so}", "text",
                   object_text(change_text_fix(text, problem, fix)), "cost",
                   (json_int_t)fix->cost, "cost_unit", fix->is_area ? "byte_steps" : "bytes",
                   "needs_kernels", (int)change_needs_kernels(fix), "peak",
                   (json_int_t)fix->peak, "changes", changes);
}

static json_t *fix_list(const struct explained *explained) {
  json_t *list = json_array();
  neap_fix fix = NEAP_INIT(neap_fix);
  for (size_t i = 0; list && neap_explanation_fix_at(explained->explanation, i, &fix); i++)
    list = object_append(list, fix_object(explained->problem, &fix));
  return list;
}

static json_t *excess_of(const neap_explanation_report *report) {
  bool is_known = report->available >= 0 && report->required >= 0;
  return is_known ? json_integer((json_int_t)(report->required - report->available))
                  : json_null();
}

/* null in JSON if nothing is alive. */
static json_t *moment_object(const struct explained *explained,
                             const neap_explanation_report *report) {
  if (report->when.start >= report->when.end) return json_null();
  const char *operator= neap_problem_operator_type(explained->problem, report->when.start);
  return json_pack("{sI sI ss*}", "start", (json_int_t)report->when.start, "end",
                   (json_int_t)report->when.end, "operator", *operator ? operator : NULL);
}

static json_t *remedy_list(const struct remedies *remedies) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < remedies->count; i++) {
    const struct remedy *remedy = &remedies->items[i];
    neap_fix fix = NEAP_INIT(neap_fix);
    json_t *with = remedy_fix(remedy, &fix) ? fix_object(remedy->problem, &fix) : json_null();
    list = object_append(
        list, json_pack("{ss sb so sI sI so}", "options", remedy->options, "needs_kernels",
                        (int)remedy->needs_kernels, "extra_work_percent",
                        object_real(remedy->extra_percent), "bound", (json_int_t)remedy->bound,
                        "peak", (json_int_t)remedy->peak, "fix", with));
  }
  return list;
}

/* One object; NULL when memory is short. */
static json_t *explanation_json(const struct explained *explained) {
  neap_explanation_report report = NEAP_INIT(neap_explanation_report);
  neap_explanation_get_report(explained->explanation, &report);
  return json_pack(
      "{so sI ss ss so so so sI so so so sI so sI so sb sb so so so}", "input",
      object_text(explained->input), "buffers",
      (json_int_t)neap_problem_count(explained->problem), "verdict",
      neap_verdict_name(report.verdict), "reason", neap_reason_name(report.reason), "available",
      known(report.available), "required", known(report.required), "excess", excess_of(&report),
      "bound", (json_int_t)report.bound, "peak", known(report.peak), "refused",
      known(report.refused), "moment", moment_object(explained, &report), "alive_count",
      (json_int_t)report.alive_count, "alive",
      buffer_list(explained, neap_explanation_alive_at), "core_count",
      (json_int_t)report.core_count, "core", buffer_list(explained, neap_explanation_core_at),
      "minimal", (int)report.is_minimal, "complete", (int)report.is_complete, "options",
      remedy_list(&explained->remedies), "fixes", fix_list(explained), "seconds",
      object_real(report.seconds));
}

/* ---------------------------------------------------------------- options */

static const struct option_row options[] = {
    OPTION_JSON,
    {.name = "html",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page to FILE, with the explanation and the best plan, "
             "whatever its peak"},
    OPTION_SVG(0,
               "draw the buffers that cannot fit together and the capacity to FILE; if there "
               "are none, the best plan"),
    {.name = "fixes",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(fixes),
     .argument = "N",
     .help = "list up to N changes that would make it fit, 12 by default; 0 looks for none"},
    OPTION_REPLAN,
    {.name = "align",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(reading.graph.alignment),
     .argument = "BYTES",
     .low = 1,
     .help = "make every offset a multiple of BYTES; the alignments in INPUT also apply"},
};

static const char *const brief[] = {"capacity", "svg",      "html",       "json", "fixes",
                                    "align",    "schedule", "time-limit", NULL};

static const struct example examples[] = {
    {"neap explain branches.tflite",
     "Show why the peak is what it is, and what would lower it."},
    {"neap explain mobilenet_v2.csv --capacity 2M --json",
     "Print one JSON object for scripts; here, that it fits."},
    {"neap explain mobilenet_v2.csv -q --svg conflict.svg --html explained.html",
     "Draw the buffers that cannot fit into one byte less, and write a page."},
};

/* ---------------------------------------------------------------- watching */

static bool watch(const neap_explain_progress *progress, void *user) {
  char text[256];
  if (run_wants_status(progress->seconds, user)) {
    snprintf(text, sizeof text, "%s: %zu buffers in the set, %zu fixes, %.1f s",
             progress->stage, progress->core_count, progress->fix_count, progress->seconds);
    message_status(text);
  }
  return !run_interrupted();
}

/* ---------------------------------------------------------------- results */

static int write_picture(const struct arguments *arguments, const struct explained *explained) {
  neap_writing writing = results_writing(arguments, arguments->operand);
  const neap_plan *plan = neap_explanation_core_plan(explained->explanation);
  writing.is_conflict = plan != NULL;
  if (!plan) plan = neap_explanation_plan(explained->explanation);
  if (!plan) {
    message_warning("--svg: there is no layout to draw");
    return 0;
  }
  return results_write_plan(plan, arguments->svg, NEAP_CONTENT_PICTURE, &writing);
}

/* The page of the best plan; without one, that of the conflicting set. */
static int write_page(const struct arguments *arguments, const struct explained *explained) {
  neap_writing writing = results_writing(arguments, arguments->operand);
  const neap_plan *plan = neap_explanation_plan(explained->explanation);
  if (!plan) plan = neap_explanation_core_plan(explained->explanation);
  if (!plan) {
    message_warning("--html: there is no layout to show");
    return 0;
  }
  char *text = object_dump(explanation_json(explained));
  if (!text) return message_memory();
  writing.explanation = text;
  int code = results_write_plan(plan, arguments->html, NEAP_CONTENT_PAGE, &writing);
  free(text);
  return code;
}

static int write_results(const struct arguments *arguments, const struct explained *explained) {
  int code = 0;
  if (arguments->svg) code = write_picture(arguments, explained);
  if (code == 0 && arguments->html) code = write_page(arguments, explained);
  if (code != 0) return code;
  if (arguments->json) return object_print(explanation_json(explained));
  if (!arguments->quiet && !results_take_output(arguments)) explanation_print(explained);
  return 0;
}

/* Scripts get the verdict as an exit code, and as a message like that of neap plan. */
static int conclude(const struct arguments *arguments, const neap_explanation *explanation) {
  neap_explanation_report report = NEAP_INIT(neap_explanation_report);
  neap_error error = {.status = NEAP_INFEASIBLE, .text = "it is proven not to fit"};
  neap_explanation_get_report(explanation, &report);
  if (report.verdict == NEAP_VERDICT_FITS) return EXIT_DONE;
  if (report.verdict == NEAP_VERDICT_UNKNOWN)
    error = (neap_error){.status = NEAP_NO_PLAN,
                         .text = "neither a plan that fits nor a proof that there is none was "
                                 "found within the limits"};
  snprintf(error.source, sizeof error.source, "%s", arguments->operand);
  return message_error(&error);
}

/* ---------------------------------------------------------------- the command */

static int check_arguments(const struct arguments *arguments) {
  const char *outputs[] = {arguments->svg, arguments->html};
  int code = results_check_json(arguments);
  if (code != 0) return code;
  if (arguments->fixes > NEAP_FIXES_MAX)
    return message_usage("--fixes: expected 0 to %d", NEAP_FIXES_MAX);
  return files_check(arguments->operand, outputs, sizeof outputs / sizeof *outputs);
}

/* The bytes of the smallest change that has been found; NEAP_MAX if there is none. */
static neap_size least_cost(const neap_explanation *explanation) {
  neap_fix fix = NEAP_INIT(neap_fix);
  for (size_t i = 0; neap_explanation_fix_at(explanation, i, &fix); i++)
    if (!fix.is_area && fix.changes[0].kind != NEAP_CHANGE_CAPACITY) return fix.cost;
  return NEAP_MAX;
}

/* Finds options that make the problem fit or, without a capacity, lower the peak. */
static int find_remedies(const struct arguments *arguments, struct explained *explained) {
  neap_explanation_report report = NEAP_INIT(neap_explanation_report);
  neap_explanation_get_report(explained->explanation, &report);
  bool fits = report.verdict == NEAP_VERDICT_FITS;
  bool is_pooled = neap_problem_pool_at(
      explained->problem, 0, &(neap_pool){.struct_size = sizeof(neap_pool), .name = NULL});
  if (arguments->fixes == 0 || is_pooled || run_interrupted()) return 0;
  if (fits && (report.available >= 0 || report.peak <= 0)) return 0;
  struct remedies_wish wish = {.peak = report.peak - 1};
  if (report.available >= 0)
    wish = (struct remedies_wish){report.available, least_cost(explained->explanation)};
  return remedies_find(&explained->remedies, arguments, explained->problem, &wish);
}

static int explain_problem(const struct arguments *arguments, const neap_problem *problem) {
  neap_error error;
  double shown = 0;
  neap_explaining explaining = {.struct_size = sizeof(neap_explaining),
                                .fixes = (size_t)arguments->fixes,
                                .no_fixes = arguments->fixes == 0,
                                .progress = watch,
                                .user = &shown};
  struct explained explained = {
      .input = arguments->operand, .problem = problem, .has_looked = arguments->fixes > 0};
  neap_status status =
      neap_explain(problem, arguments->planning, &explaining, &explained.explanation, &error);
  message_status("");
  if (status != NEAP_OK) {
    if (!*error.source) snprintf(error.source, sizeof error.source, "%s", arguments->operand);
    return message_error(&error);
  }
  int code = find_remedies(arguments, &explained);
  if (run_interrupted()) message_warning("interrupted: this is what is known so far");
  if (code == 0) code = write_results(arguments, &explained);
  if (code == 0) code = conclude(arguments, explained.explanation);
  remedies_clear(&explained.remedies);
  neap_explanation_free(explained.explanation);
  return code;
}

static int run_explain(const struct arguments *arguments) {
  neap_problem *problem;
  int code = check_arguments(arguments);
  if (code == 0) code = problems_read(arguments, &problem);
  if (code != 0) return code;
  run_catch_signals();
  if (arguments->reading.graph.alignment > 0)
    code = problems_align(problem, arguments->reading.graph.alignment, arguments->operand, "");
  if (code == 0) code = explain_problem(arguments, problem);
  neap_problem_free(problem);
  return code;
}

const struct command command_explain = {
    .name = "explain",
    .summary = "show why a plan does not fit or is not lower, and what helps",
    .operand = "INPUT",
    .input = INPUT_GRAPH,
    .usage = "INPUT [--capacity BYTES] [OPTION...]",
    .description =
        "With --capacity, or if INPUT has pools, shows whether INPUT fits. If it is proven not "
        "to, shows how much is needed, when, and which buffers cannot fit together: those "
        "alive at one moment, or, if their sum is not the reason, a small set for which the "
        "exact search finds no layout. Then lists changes that make it fit, the cheapest "
        "first: each has been verified by planning again.\n\nWithout --capacity, shows why the "
        "peak is not lower, and what would lower it.\n\nUnless --time-limit or --max-ticks is "
        "given, stops after 10 seconds and shows what is known by then. Exits with 4 if it is "
        "proven that INPUT does not fit, and with 5 if neither a plan nor a proof was found.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_explain,
};
