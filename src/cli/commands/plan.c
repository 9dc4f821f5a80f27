/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap plan */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/input/bands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/options/arguments.h"
#include "cli/options/outputs.h"
#include "cli/options/parser.h"
#include "cli/output/bands.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/results.h"
#include "cli/output/runtime_arena.h"
#include "cli/output/summary.h"
#include "cli/run.h"
#include "neap-tool.h"
#include "neap/relations.h"

#define TARGET_ALIGNMENT 16  /* enough for any element type */
#define TFLITE_TARGET "tflm" /* what --tflite and --buffer-plan plan for */

static const struct option_row options[] = {
    {.name = "output",
     .heading = "Output",
     .letter = 'o',
     .kind = OPTION_PLAN_FILE,
     .field = OPTION_FIELD(output),
     .argument = "FILE",
     .help = "write the plan to FILE in the format of its extension; '-' is standard output"},
    {.name = "format",
     .heading = "Output",
     .kind = OPTION_PLAN_FORMAT,
     .field = OPTION_FIELD(format),
     .argument = "FORMAT",
     .help = "format of -o, whatever its extension"},
    {.name = "svg",
     .heading = "Pictures",
     .kind = OPTION_PICTURE_FILE,
     .field = OPTION_FIELD(svg),
     .argument = "FILE",
     .help = "draw the layout to FILE"},
    {.name = "colour-by",
     .heading = "Pictures",
     .kind = OPTION_COLOURING,
     .field = OPTION_FIELD(writing.colour_by),
     .argument = "WHAT",
     .help = "what the colours of --svg and --html stand for"},
    OPTION_FIGURE("Pictures", "make --svg"),
    {.name = "html",
     .heading = "Pictures",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page to FILE; it works offline, and with --keep-layouts it "
             "replays the tuner's rounds and the groups it moved"},
    {.name = "tflite",
     .heading = "Output",
     .member = "neap_writing.model",
     .kind = OPTION_TFLITE_FILE,
     .field = OPTION_FIELD(tflite),
     .argument = "FILE",
     .help =
         "write the TensorFlow Lite model with its plan to FILE; INPUT is the model, and "
         "TensorFlow Lite Micro follows the plan; implies --target tflm; also writes the order "
         "of --schedule and the operators that --recompute repeats"},
    {.name = "onnx",
     .heading = "Output",
     .member = "neap_writing.model",
     .kind = OPTION_ONNX_FILE,
     .field = OPTION_FIELD(onnx),
     .argument = "FILE",
     .help = "write the ONNX model to FILE with its operators in the order of --schedule, and "
             "those repeated that --recompute repeats; INPUT is the model; offsets are left "
             "out, because ONNX models cannot hold any"},
    {.name = "force",
     .heading = "Output",
     .member = "neap_writing.replace",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(writing.replace),
     .help =
         "let --tflite replace a plan that is already in the model, and --buffer-plan leave "
         "out scratch buffers that operators may request"},
    {.name = "header",
     .heading = "Output",
     .kind = OPTION_HEADER_FILE,
     .field = OPTION_FIELD(header),
     .argument = "FILE",
     .help = "write a C and C++ header to FILE; its macros are offsets and sizes"},
    {.name = "source",
     .heading = "Output",
     .kind = OPTION_SOURCE_FILE,
     .field = OPTION_FIELD(source),
     .argument = "FILE",
     .help = "write the source file that goes with --header to FILE: the arena and a table of "
             "the buffers"},
    {.name = "buffer-plan",
     .heading = "Output",
     .kind = OPTION_BUFFER_PLAN_FILE,
     .field = OPTION_FIELD(buffer_plan),
     .argument = "FILE",
     .help = "write a C++ header to FILE with a BufferPlan for TensorFlow Lite Micro, which "
             "also covers scratch buffers; INPUT is the runtime's requests in order, as "
             "examples/tflm records them, or the model; implies --target tflm"},
    {.name = "certificate",
     .heading = "Output",
     .kind = OPTION_CERTIFICATE_FILE,
     .field = OPTION_FIELD(certificate),
     .argument = "FILE",
     .help = "write to FILE why no plan has a lower peak, or why none fits the capacity, for "
             "check-certificate.py; exit with 5 if no proof is found within the limits"},
    {.name = "prefix",
     .heading = "Output",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(writing.prefix),
     .argument = "NAME",
     .help = "prefix of the names in --header, --source and --buffer-plan (default NEAP)"},
    {.name = "json",
     .heading = "Output",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(json),
     .help =
         "print the summary as one JSON object; with --verbose, include the tuner's rounds"},
    {.name = "split",
     .heading = "Graph",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(split),
     .help =
         "compute stages of a model in bands of rows, as 'neap split' does, for the smallest "
         "arena, or with --capacity for the least extra work that fits; the plan is that of "
         "the "
         "split model; a TensorFlow Lite model implies --target tflm, and --tflite writes it"},
    OPTION_MAX_WORK("Graph", "with --split, "),
    OPTION_GOAL("Graph", "with --split, "),
    {.name = "recompute",
     .heading = "Graph",
     .member = "neap_scheduling.recompute",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(scheduling.recompute),
     .help =
         "recompute values instead of keeping them, with --capacity in the least extra time "
         "that fits, with --max-time for the lowest bound; only deterministic operators run "
         "again, in the order that suits them best"},
    {.name = "max-time",
     .heading = "Graph",
     .member = "neap_scheduling.most_time",
     .kind = OPTION_FACTOR,
     .field = OPTION_FIELD(scheduling.most_time),
     .argument = "FACTOR",
     .help =
         "with --recompute, allow at most FACTOR times the time that the operators take once, "
         "1 to 10; an operator of a model takes its multiply-accumulates, or the elements that "
         "it makes if these are more; one of another graph the duration in INPUT, or 1"},
    OPTION_REPLAN,
    {.name = "align",
     .heading = "Constraints",
     .member = "neap_problem_align",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(reading.graph.alignment),
     .argument = "BYTES",
     .low = 1,
     .help = "make every offset a multiple of BYTES; the alignments in INPUT also apply; "
             "without it, a model's tensors are aligned to their element size, and with "
             "--header or --source everything to 16"},
    {.name = "max-chunk",
     .heading = "Pools",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(max_chunk),
     .argument = "BYTES",
     .low = 1,
     .help =
         "plan in as few pools of BYTES as possible, for a runtime that cannot allocate larger "
         "blocks; --time-limit is for each number of pools that is tried"},
    {.name = "own-chunks",
     .heading = "Pools",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(own_chunks),
     .help =
         "with --max-chunk, give each buffer that is larger a pool of its size, which others "
         "may use while it is not alive"},
    {.name = "previous",
     .heading = "Constraints",
     .kind = OPTION_INPUT_FILE,
     .field = OPTION_FIELD(previous),
     .argument = "PLAN",
     .help = "an earlier plan of INPUT: with --schedule min-peak or optimal, begin with its "
             "order of operators; otherwise move as few bytes as possible of the buffers that "
             "PLAN has, by name, among the layouts of the lowest peak"},
    {.name = "move-cost",
     .heading = "Constraints",
     .kind = OPTION_POOLS,
     .field = OPTION_FIELD(move_costs),
     .argument = "NAME=COST",
     .help = "with --previous, the cost of moving buffer NAME, instead of its size; may be "
             "repeated"},
    {.name = "keep-peak",
     .heading = "Constraints",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(keep_peak),
     .help = "with --previous, move as few bytes as possible first, and then lower the peak"},
    {.name = "base",
     .heading = "Constraints",
     .kind = OPTION_ADDRESS,
     .field = OPTION_FIELD(base),
     .argument = "ADDRESS",
     .help = "address of the arena, decimal or 0x hexadecimal; plans in JSON, tables and "
             "drawings then include addresses"},
};

static const char *const brief[] = {"output",   "svg",    "html",       "header",
                                    "tflite",   "json",   "capacity",   "align",
                                    "schedule", "engine", "time-limit", NULL};

static const struct example examples[] = {
    {"neap plan mobilenet_v2.csv", "Plan with the defaults and print a summary."},
    {"neap plan mobilenet_v2.csv -o plan.csv --svg plan.svg",
     "Also write the table with an offset in each row, and draw the layout."},
    {"neap plan densenet121.csv -q --html densenet121.html",
     "Write an interactive page that shows the plan in any browser."},
    {"neap plan unet.ops --order overlap,size --max-rounds 20 --json -v",
     "Start from another order, tune for up to 20 rounds, and print the result of each round."},
    {"neap plan resnet50.csv --align 64 --base 0x20000000 -o plan.txt",
     "Align to 64 bytes and write a table with addresses."},
    {"neap plan ssd300.csv --align 16 --header ssd300.h --prefix SSD300",
     "Write a C header with the offset and size of each buffer."},
    {"neap plan mobilenet_v2.csv --pool sram=1M --pool dram",
     "Spill as few bytes as possible from 1 MiB of SRAM to DRAM."},
    {"neap plan bert_base.csv -q -o plan.json --certificate bert_base.cert",
     "Also write a proof that no plan is lower."},
    {"neap plan - --seed 7 -q -o plan.json <mobilenet_v2.ops",
     "Read standard input and print nothing."},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

/* ---------------------------------------------------------------- the certificate */

static bool is_wanted(void *user) {
  (void)user;
  return !run_interrupted();
}

/* A certificate may take as long as planning. */
static neap_certifying certifying_limits(const struct arguments *arguments) {
  int64_t millionths = 0;
  neap_certifying how = {.struct_size = sizeof(neap_certifying), .keep_on = is_wanted};
  neap_options_number(arguments->planning, "capacity", &how.capacity);
  if (neap_options_number(arguments->planning, "time-limit", &millionths))
    how.time_limit = (double)millionths * 1e-6;
  return how;
}

/* `plan` is NULL or proven to be optimal. */
static int refuse_certificate(const struct arguments *arguments, neap_plan *plan,
                              neap_error *error) {
  char why[sizeof error->text];
  memcpy(why, error->text, sizeof why);
  if (plan) neap_plan_set_uncertified(plan, why);
  snprintf(error->text, sizeof error->text, "%sno certificate: %.400s", plan ? "proven, " : "",
           why);
  snprintf(error->source, sizeof error->source, "%s", arguments->certificate);
  return message_error(error);
}

/*
 * Writes the file, or prints why there is none, which the report of an optimal plan then repeats.
 * Without a plan, the certificate states that none fits.  Returns 0, or an exit code.
 */
static int certify(const struct arguments *arguments, const neap_problem *problem,
                   neap_plan *plan) {
  neap_error error;
  neap_certificate *certificate;
  neap_certifying how = certifying_limits(arguments);
  if (neap_certify(problem, plan, &how, &certificate, &error) != NEAP_OK)
    return refuse_certificate(arguments, plan, &error);
  neap_certificate_info info = NEAP_INIT(neap_certificate_info);
  char count[FIGURE_SIZE];
  neap_certificate_describe(certificate, &info);
  message_detail("certificate: %s, %s", neap_certificate_kind_name(info.kind),
                 figure_count(count, info.lines, "line"));
  neap_status status = neap_certificate_write(certificate, arguments->certificate, &error);
  neap_certificate_free(certificate);
  return message_written(arguments->certificate, status, &error);
}

/* Names the first term whose proven bound is below its value in the plan. */
static void name_unproven(const neap_report *report, neap_error *error) {
  const struct {
    const char *name;
    neap_size value, proven;
  } terms[] = {
      {"peak", report->peak, report->lower_bound},
      {"reuse cost", report->costs.reuse, report->costs.reuse_lower_bound},
      {"number of spilled bytes", report->costs.spilled_bytes,
       report->costs.spilled_lower_bound},
      {"number of moved bytes", report->costs.moved_bytes, report->costs.moved_lower_bound}};
  error->status = NEAP_NO_PLAN;
  snprintf(error->text, sizeof error->text, "the plan is not proven to be optimal");
  for (size_t t = sizeof terms / sizeof *terms; t-- > 0;)
    if (terms[t].value > terms[t].proven)
      snprintf(error->text, sizeof error->text,
               "the plan's %s is %" PRId64 ", and only %" PRId64 " is proven", terms[t].name,
               terms[t].value, terms[t].proven);
}

static int certify_plan(const struct arguments *arguments, neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_error error = {0};
  neap_plan_report(plan, &report);
  if (report.outcome == NEAP_OPTIMAL) return certify(arguments, neap_plan_problem(plan), plan);
  name_unproven(&report, &error);
  return refuse_certificate(arguments, NULL, &error);
}

/* ---------------------------------------------------------------- results */

static int find_format(const struct option_row *row, const struct arguments *arguments,
                       const char **format) {
  *format = row->kind == OPTION_PLAN_FILE ? arguments->format : NULL;
  return files_format(outputs_path(row, arguments), outputs_contents(row->kind), format);
}

/* A plan, and the split model that it is for; NULL: the model was not split. */
struct planned {
  neap_plan *plan;
  const neap_bands *split;
};

static neap_status write_planned(const struct option_row *row, const struct planned *planned,
                                 const char *path, const neap_writing *writing,
                                 neap_error *error) {
  if (row->field == OPTION_FIELD(tflite) && planned->split)
    return neap_bands_write(planned->split, planned->plan, path, error);
  return neap_plan_write(planned->plan, path, writing, error);
}

static int write_output(const struct option_row *row, const struct arguments *arguments,
                        const struct planned *planned) {
  neap_error error;
  const char *path = outputs_path(row, arguments);
  neap_writing writing = results_writing(arguments, arguments->operand);
  int code = find_format(row, arguments, &writing.format);
  if (code != 0) return code;
  writing.model = arguments->operand;
  writing.reading = &arguments->reading;
  writing.header = arguments->header ? files_last_part(arguments->header) : NULL;
  if (planned->split) {
    writing.other = neap_bands_plan_before(planned->split);
    writing.other_name = "before";
    writing.from_other = true;
  }
  return message_written(path, write_planned(row, planned, path, &writing, &error), &error);
}

/* The peak of the plan in a model; NEAP_MAX without one. */
static neap_size peak_in_model(const struct arguments *arguments) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan *plan;
  neap_reading reading = arguments->reading;
  reading.warn = NULL;
  if (neap_plan_read(arguments->operand, &reading, &plan, NULL) != NEAP_OK) return NEAP_MAX;
  neap_plan_report(plan, &report);
  neap_plan_free(plan);
  return report.is_runtimes_own ? NEAP_MAX : report.peak;
}

/* Warns of a header whose arena is not the one that the device needs. */
static void check_header(const struct arguments *arguments, const neap_plan *plan) {
  const char *ending = strrchr(arguments->operand, '.');
  neap_report report = NEAP_INIT(neap_report);
  char own[FIGURE_SIZE], made[FIGURE_SIZE];
  if (!arguments->header || !ending || strcmp(ending, ".tflite") != 0) return;
  if (!neap_problem_target(neap_plan_problem(plan))) {
    message_warning("--header: the size is that of the tensors, not of an arena for TensorFlow "
                    "Lite Micro, which --target tflm adds");
    return;
  }
  neap_plan_report(plan, &report);
  neap_size peak = arguments->tflite ? NEAP_MAX : peak_in_model(arguments);
  if (peak < report.peak)
    message_warning("--header: this plan has a head of %s, the one in the model %s; 'neap fit' "
                    "and 'neap split' write the header of what they write",
                    figure_bytes(made, report.peak), figure_bytes(own, peak));
}

static int write_outputs(const struct arguments *arguments, const struct planned *planned) {
  check_header(arguments, planned->plan);
  neap_error error;
  const struct address *base = &arguments->base;
  if (base->given && neap_plan_set_base(planned->plan, base->value, &error) != NEAP_OK)
    return message_usage("--base: %s", error.text);
  int code = 0;
  for (size_t i = 0; i < OPTION_COUNT && code == 0; i++)
    if (outputs_path(&options[i], arguments) && options[i].kind != OPTION_CERTIFICATE_FILE)
      code = write_output(&options[i], arguments, planned);
  return code;
}

/* Whether an output is written to standard output, which then has no room for a summary. */
static bool takes_standard_output(const struct arguments *arguments) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const char *path = outputs_path(&options[i], arguments);
    if (path && files_is_standard(path)) return true;
  }
  return false;
}

/*
 * Prints a line if the model was written without offsets, and one if the buffers that the runtime
 * places around the others raise the peak.
 */
static void print_own(const struct arguments *arguments, const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  char bytes[FIGURE_SIZE];
  neap_plan_report(plan, &report);
  if (arguments->tflite && report.is_runtimes_own)
    puts("layout   the runtime's own is as low, so the model has no offsets");
  if (report.free_peak < report.peak)
    printf("layout   only a plan that places all buffers%s reaches %s\n",
           neap_problem_graph(neap_plan_problem(plan)) ? ", as with --buffer-plan," : "",
           figure_bytes(bytes, report.free_peak));
}

static int print_summary(neap_summary *summary, const struct arguments *arguments) {
  neap_error error;
  summary->input = arguments->operand;
  summary->has_rounds = arguments->verbose;
  return neap_summary_write(summary, stdout, &error) == NEAP_OK ? 0 : message_error(&error);
}

static int print_json(const struct arguments *arguments, const struct planned *planned) {
  const neap_problem *problem = neap_plan_problem(planned->plan);
  char *split = planned->split ? object_dump(bands_json(planned->split, problem)) : NULL;
  if (planned->split && !split) return message_memory();
  int code = print_summary(&(neap_summary){.plan = planned->plan, .split = split}, arguments);
  free(split);
  return code;
}

static void print_bands(const neap_bands *split) {
  char bytes[FIGURE_SIZE];
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_get_report(split, &report);
  if (report.is_split)
    printf("split    peak before: %s\n", figure_bytes(bytes, report.before.peak));
  else puts("split    nothing");
  bands_print_bands(split);
}

static int print_report(const struct arguments *arguments, const struct planned *planned) {
  if (arguments->json) return print_json(arguments, planned);
  if (arguments->quiet || takes_standard_output(arguments)) return 0;
  int code = summary_plan(planned->plan);
  if (code != 0) return code;
  print_own(arguments, planned->plan);
  if (planned->split) print_bands(planned->split);
  return 0;
}

static int write_results(const struct arguments *arguments, const struct planned *planned) {
  neap_plan *plan = planned->plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  if (report.run.stop_reason == NEAP_STOP_CANCELLED)
    message_warning("interrupted: this is the best plan so far");
  int code = write_outputs(arguments, planned);
  bool certifies = code == 0 && arguments->certificate;
  int written = certifies ? certify_plan(arguments, plan) : 0; /* the report repeats failures */
  if (code == 0) code = print_report(arguments, planned);
  return code == 0 ? written : code;
}

/* The report for scripts when there is no plan. */
static int print_no_plan(const struct arguments *arguments, const struct run *run,
                         neap_status status) {
  neap_error error;
  neap_bound bound = NEAP_INIT(neap_bound);
  if (neap_problem_bound(run->problem, &bound, &error) != NEAP_OK) return message_error(&error);
  const bool infeasible = status == NEAP_INFEASIBLE;
  neap_summary summary = {
      .problem = run->problem,
      .report = {.struct_size = sizeof(neap_report),
                 .bound = bound.bytes,
                 .lower_bound = bound.lower_bound,
                 .peak = NEAP_UNPLACED,
                 .gap_percent = NAN,
                 .capacity = -1,
                 .run = {.rounds = run->progress.rounds, .seconds = run->progress.seconds}},
      .status = infeasible ? "infeasible" : "unknown"};
  if (infeasible) summary.stop_reason = neap_stop_reason_name(NEAP_STOP_PROVEN);
  else if (run_interrupted()) summary.stop_reason = neap_stop_reason_name(NEAP_STOP_CANCELLED);
  return print_summary(&summary, arguments);
}

/* Adds the moment at which most bytes are alive, and the command that explains it, if both fit. */
static void hint_at_explain(const struct arguments *arguments, const neap_problem *problem,
                            neap_error *error) {
  int64_t capacity;
  char moment[FIGURE_SIZE];
  neap_pool pool = NEAP_INIT(neap_pool);
  neap_bound bound = NEAP_INIT(neap_bound);
  size_t used = strlen(error->text), room = sizeof error->text - used;
  neap_options_number(arguments->planning, "capacity", &capacity);
  if (capacity < 0 || neap_problem_pool_at(problem, 0, &pool)) return;
  if (neap_problem_bound(problem, &bound, NULL) != NEAP_OK) return;
  char *command = arguments_for(arguments, &command_explain);
  int length =
      snprintf(error->text + used, room, ", most at time %s; to see why, run: neap explain%s",
               figure_range(moment, bound.start, bound.end), command ? command : "");
  if (length < 0 || (size_t)length >= room || !command) error->text[used] = '\0';
  free(command);
}

/* Prints why there is no plan. */
static int report_no_plan(const struct arguments *arguments, const struct run *run,
                          neap_error *error) {
  neap_status status = error->status;
  if (arguments->json && (status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN)) {
    int code = print_no_plan(arguments, run, status);
    if (code != 0) return code;
  }
  if (!*error->source) snprintf(error->source, sizeof error->source, "%s", arguments->operand);
  if (status == NEAP_INFEASIBLE && !arguments->json && !arguments->quiet)
    hint_at_explain(arguments, run->problem, error);
  int code = message_error(error);
  if (status != NEAP_INFEASIBLE || !arguments->certificate) return code;
  int written = certify(arguments, run->problem, NULL);
  return written == 0 ? code : written;
}

/* Prints the number of chunks, and the proven minimum if that is smaller. */
static int print_chunks(const struct arguments *arguments, const struct chunks *chunks) {
  if (arguments->json || arguments->quiet || takes_standard_output(arguments)) return 0;
  printf("chunks   %zu", chunks->count);
  if (chunks->larger > 0) printf(" and %zu larger", chunks->larger);
  if (chunks->count > chunks->least) printf("; at least %zu are needed", chunks->least);
  putchar('\n');
  return 0;
}

/* With a capacity, success says that the model fits; it does not if the runtime refuses it. */
static int check_refused(const struct arguments *arguments, const neap_problem *problem) {
  int64_t capacity = -1;
  neap_error error = {.status = NEAP_INFEASIBLE};
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  char text[ARENA_FACTS_WHICH];
  neap_options_number(arguments->planning, "capacity", &capacity);
  if (capacity < 0 || !neap_problem_arena_refused_at(problem, 0, &note)) return 0;
  snprintf(error.source, sizeof error.source, "%s", arguments->operand);
  snprintf(error.text, sizeof error.text, "fits no arena, because the runtime refuses %s",
           arena_facts_which(text, &note));
  return message_error(&error);
}

static int plan_problem(const struct arguments *arguments, neap_problem *problem,
                        const neap_bands *split) {
  neap_error error;
  struct planned planned = {NULL, split};
  struct run run = {.problem = problem,
                    .options = arguments->planning,
                    .label = "",
                    .orders = arguments->max_chunk == 0,
                    .needs_plan = true};
  struct chunks chunks = {.problem = problem,
                          .bytes = arguments->max_chunk,
                          .allows_larger = arguments->own_chunks};
  int code = chunks.bytes > 0 ? chunks_begin(&chunks, arguments->operand) : 0;
  if (code != 0) return code;
  neap_status status = chunks.bytes > 0 ? chunks_plan(&chunks, &run, &planned.plan, &error)
                                        : run_planner(&run, &planned.plan, &error);
  if (status != NEAP_OK) return report_no_plan(arguments, &run, &error);
  code = write_results(arguments, &planned);
  if (code == 0 && chunks.bytes > 0) code = print_chunks(arguments, &chunks);
  if (code == 0) code = check_refused(arguments, problem);
  neap_plan_free(planned.plan);
  return code;
}

#define PREFIX_MAX 63 /* as in the library, which would refuse it after writing other outputs */

static bool is_prefix(const char *text) {
  static const char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t length = strlen(text);
  return length <= PREFIX_MAX && strspn(text, letters) == length &&
         strspn(text, "_0123456789") == 0;
}

/* An option that only changes another one is an error without it, not ignored. */
static int check_modifiers(const struct arguments *arguments) {
  if (arguments->own_chunks && arguments->max_chunk == 0)
    return message_usage("--own-chunks needs --max-chunk BYTES");
  if (arguments->writing.prefix && !arguments->header && !arguments->buffer_plan)
    return message_usage("--prefix needs --header FILE or --buffer-plan FILE");
  if (arguments->writing.prefix && !is_prefix(arguments->writing.prefix))
    return message_usage("--prefix: expected a letter and then up to %d letters, digits and "
                         "underscores, found '%.70s'",
                         PREFIX_MAX - 1, arguments->writing.prefix);
  if (arguments->writing.replace && !arguments->tflite && !arguments->buffer_plan)
    return message_usage("--force needs --tflite FILE or --buffer-plan FILE");
  if (arguments->format && !arguments->output)
    return message_usage("--format needs --output FILE");
  if (arguments->writing.figure > 0 && !arguments->svg)
    return message_usage("--figure needs --svg FILE");
  if ((arguments->max_work > 0 || arguments->goal) && !arguments->split)
    return message_usage("--%s needs --split", arguments->goal ? "goal" : "max-work");
  if (arguments->scheduling.most_time > 0 && !arguments->scheduling.recompute)
    return message_usage("--max-time needs --recompute");
  if ((arguments->keep_peak || arguments->move_costs.count > 0) &&
      !problems_previous_layout(arguments))
    return message_usage("--%s needs --previous PLAN and the given order of operators",
                         arguments->keep_peak ? "keep-peak" : "move-cost");
  if (arguments->source && (!arguments->header || files_is_standard(arguments->header)))
    return message_usage("--source needs --header FILE too, because the source includes it");
  return 0;
}

static int check_outputs(const struct arguments *arguments) {
  const char *paths[OPTION_COUNT], *format;
  int code = 0;
  for (size_t i = 0; i < OPTION_COUNT && code == 0; i++) {
    paths[i] = outputs_path(&options[i], arguments);
    if (paths[i]) code = find_format(&options[i], arguments, &format);
  }
  return code != 0 ? code : files_check(arguments->operand, paths, OPTION_COUNT);
}

/* Recomputation repeats operators, which only --tflite and --onnx can write. */
static int check_recompute(const struct arguments *arguments) {
  const char *other = arguments->split                     ? "split"
                      : arguments->buffer_plan             ? "buffer-plan"
                      : problems_previous_order(arguments) ? "previous"
                                                           : NULL;
  int64_t capacity = 0;
  if (!arguments->scheduling.recompute) return 0;
  if (other)
    return message_usage("--recompute and --%s cannot be combined: operators would run again",
                         other);
  neap_options_number(arguments->planning, "capacity", &capacity);
  if (arguments->scheduling.most_time == 0 && capacity <= 0)
    return message_usage("--recompute needs --capacity or --max-time");
  return 0;
}

/* Refuses bad combinations before anything is read. */
static int check_arguments(const struct arguments *arguments) {
  int code = check_modifiers(arguments);
  if (code == 0) code = check_recompute(arguments);
  if (code == 0 && arguments->split) code = splits_check(arguments, "--split");
  if (code != 0) return code;
  if (arguments->tflite && arguments->reading.graph.liveness.in_place)
    return message_usage("--tflite and --in-place cannot be combined: a model cannot express "
                         "which tensors are one buffer; --overlap can share bytes instead");
  if (arguments->buffer_plan && arguments->reading.graph.liveness.in_place)
    return message_usage(
        "--buffer-plan and --in-place cannot be combined: the runtime requests "
        "memory for every tensor; --overlap can share bytes instead");
  if ((arguments->tflite || arguments->buffer_plan) && arguments->reading.graph.target &&
      strcmp(arguments->reading.graph.target, TFLITE_TARGET) != 0)
    return message_usage("--%s plans for TensorFlow Lite Micro; drop --target %s",
                         arguments->tflite ? "tflite" : "buffer-plan",
                         arguments->reading.graph.target);
  if ((arguments->tflite || arguments->buffer_plan) &&
      (arguments->pools.count > 0 || arguments->max_chunk > 0))
    return message_usage("--%s plans one arena; drop --%s",
                         arguments->tflite ? "tflite" : "buffer-plan",
                         arguments->pools.count > 0 ? "pool" : "max-chunk");
  if ((arguments->tflite || arguments->onnx) && files_is_standard(arguments->operand))
    return message_usage("--%s copies INPUT, so INPUT must be a file, not '-'",
                         arguments->tflite ? "tflite" : "onnx");
  if (arguments->onnx && arguments->split)
    return message_usage("--split and --onnx cannot be combined; 'neap split MODEL.onnx -o "
                         "FILE' writes the split model");
  if (arguments->json && takes_standard_output(arguments))
    return message_usage("--json prints to standard output, so '-' cannot be used for another "
                         "output");
  return check_outputs(arguments);
}

/* On a target, buffers may hold elements of any type. */
static int align_problem(const struct arguments *arguments, neap_problem *problem) {
  const char *path = arguments->operand;
  int code = 0;
  if (arguments->reading.graph.alignment > 0)
    code = problems_align(problem, arguments->reading.graph.alignment, path, "");
  else if (arguments->header || arguments->source)
    code = problems_align(problem, TARGET_ALIGNMENT, path,
                          "; --align sets another for --header and --source");
  return code;
}

/* Reads the problem of the model, or splits it. */
static int read_input(const struct arguments *arguments, neap_problem **problem,
                      neap_bands **split) {
  int64_t capacity;
  if (!arguments->split) return problems_read(arguments, problem);
  neap_options_number(arguments->planning, "capacity", &capacity);
  int code = splits_find(arguments, capacity, split);
  if (code == 0) *problem = neap_bands_take_problem(*split);
  return code;
}

static int run_plan(const struct arguments *given) {
  struct arguments arguments = *given;
  neap_problem *problem;
  neap_bands *split = NULL;
  int code = check_arguments(given);
  if (arguments.tflite || arguments.buffer_plan) arguments.reading.graph.target = TFLITE_TARGET;
  arguments.reading.graph.place_all = arguments.buffer_plan && !arguments.tflite;
  /* Which tensors can be parts of others depends on alignments. */
  if (arguments.reading.graph.liveness.aliases && arguments.reading.graph.alignment == 0 &&
      (arguments.header || arguments.source))
    arguments.reading.graph.alignment = TARGET_ALIGNMENT;
  if (code == 0) code = read_input(&arguments, &problem, &split);
  if (code != 0) return code;
  run_catch_signals();
  code = align_problem(&arguments, problem);
  if (code == 0) code = problems_apply_previous(&arguments, problem);
  if (code == 0) code = plan_problem(&arguments, problem, split);
  neap_problem_free(problem);
  neap_bands_free(split);
  return code;
}

const struct command command_plan = {
    .name = "plan",
    .summary = "assign offsets in one arena with the lowest peak possible",
    .operand = "INPUT",
    .input = INPUT_GRAPH,
    .usage = "INPUT [OPTION...]",
    .description =
        "Gives every buffer in INPUT an offset in one arena and prints a summary. No two "
        "buffers that are alive at the same time share a byte, and the arena's peak is as low "
        "as possible. INPUT is a file in any readable format (see 'neap help formats'), or "
        "'-' for standard input. JSON can also hold relations between buffers: separations, "
        "exclusions, overlaps, colocations, conflicts and penalties for reuse (see "
        "neap-formats(5)).\n\nEvery plan is verified before it is written. The first Ctrl-C "
        "stops planning and writes the best plan so far; the second ends the program.",
    .options = options,
    .option_count = OPTION_COUNT,
    .brief = brief,
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_plan,
};
