/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap plan */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/certificates.h"
#include "cli/chunks.h"
#include "cli/commands.h"
#include "cli/drawings.h"
#include "cli/figures.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/near.h"
#include "cli/outputs.h"
#include "cli/problems.h"
#include "cli/run.h"
#include "cli/summary.h"
#include "neap/relations.h"

#define TARGET_ALIGNMENT 16  /* enough for any element type */
#define TFLITE_TARGET "tflm" /* what --tflite and --buffer-plan plan for */

static const struct option_row options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PLAN_FILE,
     .field = OPTION_FIELD(output),
     .argument = "FILE",
     .help = "write the plan to FILE ('-' for standard output), in the format given by its "
             "extension or --format"},
    {.name = "format",
     .kind = OPTION_PLAN_FORMAT,
     .field = OPTION_FIELD(format),
     .argument = "FORMAT",
     .help = "format of -o, whatever its extension"},
    {.name = "svg",
     .kind = OPTION_PICTURE_FILE,
     .field = OPTION_FIELD(svg),
     .argument = "FILE",
     .help = "draw the layout to FILE"},
    {.name = "colour-by",
     .kind = OPTION_COLOURING,
     .field = OPTION_FIELD(colour_by),
     .argument = "WHAT",
     .help = "what the colours of --svg and --html stand for"},
    {.name = "convergence",
     .kind = OPTION_PICTURE_FILE,
     .field = OPTION_FIELD(convergence),
     .argument = "FILE",
     .help =
         "draw the peak, the best lower bound and the area above the bound over planning time "
         "to FILE"},
    {.name = "html",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page to FILE, which works offline; with --keep-layouts it "
             "replays the tuner's rounds and the groups it moved"},
    {.name = "tflite",
     .kind = OPTION_TFLITE_FILE,
     .field = OPTION_FIELD(tflite),
     .argument = "FILE",
     .help = "write a copy of INPUT, a TensorFlow Lite model, to FILE with the plan in it for "
             "TensorFlow Lite Micro; implies --target tflm"},
    {.name = "force",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(force),
     .help =
         "let --tflite replace a plan that is already in the model, and --buffer-plan leave "
         "out scratch buffers that operators may request"},
    {.name = "header",
     .kind = OPTION_HEADER_FILE,
     .field = OPTION_FIELD(header),
     .argument = "FILE",
     .help = "write a header for C and C++ to FILE, with offsets and sizes as macros"},
    {.name = "source",
     .kind = OPTION_SOURCE_FILE,
     .field = OPTION_FIELD(source),
     .argument = "FILE",
     .help = "write the source file that goes with --header to FILE: the arena and a table of "
             "the buffers"},
    {.name = "buffer-plan",
     .kind = OPTION_BUFFER_PLAN_FILE,
     .field = OPTION_FIELD(buffer_plan),
     .argument = "FILE",
     .help = "write a C++ header to FILE with a BufferPlan for TensorFlow Lite Micro, which "
             "also covers scratch buffers; INPUT is the runtime's requests in order, as "
             "examples/tflm records them, or the model; implies --target tflm"},
    {.name = "certificate",
     .kind = OPTION_CERTIFICATE_FILE,
     .field = OPTION_FIELD(certificate),
     .argument = "FILE",
     .help = "write to FILE why no plan has a lower peak, or why none fits the capacity, for "
             "check-certificate.py; exit with 5 if no proof is found within the limits"},
    {.name = "prefix",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(prefix),
     .argument = "NAME",
     .help = "prefix of the names in --header, --source and --buffer-plan (default NEAP)"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(json),
     .help =
         "print the summary as one JSON object; with --verbose, include the tuner's rounds"},
    {.name = "replan",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(replan),
     .help = "ignore fixed offsets in INPUT"},
    {.name = "align",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(align),
     .argument = "BYTES",
     .low = 1,
     .help = "make every offset a multiple of BYTES, in addition to the alignments in INPUT; "
             "without it, a model's tensors are aligned to their element size, and with "
             "--header or --source everything to 16"},
    {.name = "max-chunk",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(max_chunk),
     .argument = "BYTES",
     .low = 1,
     .help =
         "plan in as few pools of BYTES as possible, for a runtime that cannot allocate more "
         "at once; --time-limit is for each number of pools that is tried"},
    {.name = "near",
     .kind = OPTION_INPUT_FILE,
     .field = OPTION_FIELD(near),
     .argument = "PLAN",
     .help =
         "stay near an earlier plan: among the layouts of the lowest peak, move as few bytes "
         "as possible of the buffers that PLAN has, by name"},
    {.name = "move-cost",
     .kind = OPTION_POOLS,
     .field = OPTION_FIELD(move_costs),
     .argument = "NAME=COST",
     .help = "with --near, what it costs to move buffer NAME, instead of its size; may be "
             "repeated"},
    {.name = "keep-peak",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(keep_peak),
     .help = "with --near, move as few bytes as possible first, and then lower the peak"},
    {.name = "base",
     .kind = OPTION_ADDRESS,
     .field = OPTION_FIELD(base),
     .argument = "ADDRESS",
     .help = "address of the arena, decimal or 0x hexadecimal; plans in JSON, tables and "
             "drawings then include addresses"},
};

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

/* The file that an option asks to write; NULL if it is not given, or does not write a file. */
static const char *path_of(const struct option_row *row, const struct arguments *arguments) {
  return outputs_contents(row->kind) ? option_text(row, arguments) : NULL;
}

static int find_format(const struct option_row *row, const struct arguments *arguments,
                       const char **format) {
  *format = row->kind == OPTION_PLAN_FILE ? arguments->format : NULL;
  return files_format(path_of(row, arguments), outputs_contents(row->kind), format);
}

static int write_output(const struct option_row *row, const struct arguments *arguments,
                        const neap_plan *plan) {
  neap_error error;
  const char *path = path_of(row, arguments);
  neap_writing writing = drawings_of(arguments, arguments->operand);
  int code = find_format(row, arguments, &writing.format);
  if (code != 0) return code;
  writing.model = arguments->operand;
  writing.replace = arguments->force;
  writing.prefix = arguments->prefix;
  writing.header = arguments->header ? files_last_part(arguments->header) : NULL;
  bool is_course = row->field == OPTION_FIELD(convergence);
  neap_status status = is_course ? neap_plan_draw_course(plan, path, &error)
                                 : neap_plan_write(plan, path, &writing, &error);
  return message_written(path, status, &error);
}

static int write_outputs(const struct arguments *arguments, neap_plan *plan) {
  neap_error error;
  const struct address *base = &arguments->base;
  if (base->given && neap_plan_set_base(plan, base->value, &error) != NEAP_OK)
    return message_usage("--base: %s", error.text);
  int code = 0;
  for (size_t i = 0; i < OPTION_COUNT && code == 0; i++)
    if (path_of(&options[i], arguments) && options[i].kind != OPTION_CERTIFICATE_FILE)
      code = write_output(&options[i], arguments, plan);
  return code;
}

/* Whether an output is written to standard output, which then has no room for a summary. */
static bool takes_standard_output(const struct arguments *arguments) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const char *path = path_of(&options[i], arguments);
    if (path && files_is_standard(path)) return true;
  }
  return false;
}

/* Prints a line if the model was written without offsets. */
static void print_own(const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  if (report.is_runtimes_own)
    puts("layout   the runtime's own is as low, so the model has no offsets");
}

static int print_report(const struct arguments *arguments, const neap_plan *plan) {
  neap_error error;
  if (!arguments->json) {
    if (arguments->quiet || takes_standard_output(arguments)) return 0;
    int code = summary_plan(plan);
    if (code == 0 && arguments->tflite) print_own(plan);
    return code;
  }
  if (neap_plan_write_report(plan, arguments->operand, arguments->verbose, stdout, &error) !=
      NEAP_OK)
    return message_error(&error);
  return 0;
}

static int write_results(const struct arguments *arguments, neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  if (report.stop_reason == NEAP_STOP_CANCELLED)
    message_warning("interrupted: this is the best plan so far");
  int code = write_outputs(arguments, plan);
  bool certifies = code == 0 && arguments->certificate;
  int written = certifies ? certificates_of_plan(arguments, plan) : 0; /* the report says of it */
  if (code == 0) code = print_report(arguments, plan);
  return code == 0 ? written : code;
}

/* The report for scripts when there is no plan. */
static int print_no_plan(const struct arguments *arguments, const struct run *run,
                         neap_status status) {
  neap_error error;
  neap_bound bound = NEAP_INIT(neap_bound);
  if (neap_problem_bound(run->problem, &bound, &error) != NEAP_OK) return message_error(&error);
  neap_size low, high;
  neap_problem_alignment(run->problem, &low, &high);
  bool infeasible = status == NEAP_INFEASIBLE;
  const char *reason = infeasible          ? neap_stop_reason_name(NEAP_STOP_PROVEN)
                       : run_interrupted() ? neap_stop_reason_name(NEAP_STOP_CANCELLED)
                                           : NULL;
  return summary_json(json_pack(
      "{so sI sI sI sn sn ss ss? sn sI so sn sI sI}", "input", summary_text(arguments->operand),
      "buffers", (json_int_t)neap_problem_count(run->problem), "bound", (json_int_t)bound.bytes,
      "lower_bound", (json_int_t)bound.lower_bound, "peak", "gap_percent", "status",
      infeasible ? "infeasible" : "unknown", "stop_reason", reason, "engine", "rounds",
      (json_int_t)run->progress.rounds, "seconds", summary_real(run->progress.seconds), "seed",
      "alignment_low", (json_int_t)low, "alignment_high", (json_int_t)high));
}

/* Names the moment at which most bytes are alive, and the command that says more, if it has room. */
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
  int written = certificates_of_problem(arguments, run->problem);
  return written == 0 ? code : written;
}

/* How many chunks there are, and how many there have to be. */
static int print_chunks(const struct arguments *arguments, const struct chunks *chunks) {
  if (arguments->json || arguments->quiet || takes_standard_output(arguments)) return 0;
  printf("chunks   %zu", chunks->count);
  if (chunks->count > chunks->least) printf("; at least %zu are needed", chunks->least);
  putchar('\n');
  return 0;
}

static int plan_problem(const struct arguments *arguments, neap_problem *problem) {
  neap_error error;
  neap_plan *plan;
  struct run run = {
      .problem = problem, .options = arguments->planning, .label = "", .needs_plan = true};
  struct chunks chunks = {.problem = problem, .bytes = arguments->max_chunk};
  int code = chunks.bytes > 0 ? chunks_begin(&chunks, arguments->operand) : 0;
  if (code != 0) return code;
  neap_status status = chunks.bytes > 0 ? chunks_plan(&chunks, &run, &plan, &error)
                                        : run_planner(&run, &plan, &error);
  if (status != NEAP_OK) return report_no_plan(arguments, &run, &error);
  code = write_results(arguments, plan);
  if (code == 0 && chunks.bytes > 0) code = print_chunks(arguments, &chunks);
  neap_plan_free(plan);
  return code;
}

#define PREFIX_MAX 63 /* as in the library, which would refuse it only after other outputs */

static bool is_prefix(const char *text) {
  static const char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t length = strlen(text);
  return length <= PREFIX_MAX && strspn(text, letters) == length &&
         strspn(text, "_0123456789") == 0;
}

/* An option that only changes another one is an error without it, not ignored. */
static int check_modifiers(const struct arguments *arguments) {
  if (arguments->prefix && !arguments->header && !arguments->buffer_plan)
    return message_usage("--prefix needs --header FILE or --buffer-plan FILE");
  if (arguments->prefix && !is_prefix(arguments->prefix))
    return message_usage("--prefix: expected a letter and then up to %d letters, digits and "
                         "underscores, found '%.70s'",
                         PREFIX_MAX - 1, arguments->prefix);
  if (arguments->force && !arguments->tflite && !arguments->buffer_plan)
    return message_usage("--force needs --tflite FILE or --buffer-plan FILE");
  if (arguments->format && !arguments->output)
    return message_usage("--format needs --output FILE");
  if ((arguments->keep_peak || arguments->move_costs.count > 0) && !arguments->near)
    return message_usage("--%s needs --near PLAN",
                         arguments->keep_peak ? "keep-peak" : "move-cost");
  if (arguments->source && (!arguments->header || files_is_standard(arguments->header)))
    return message_usage("--source needs --header FILE too, because the source includes it");
  return 0;
}

static int check_outputs(const struct arguments *arguments) {
  const char *paths[OPTION_COUNT], *format;
  int code = 0;
  for (size_t i = 0; i < OPTION_COUNT && code == 0; i++) {
    paths[i] = path_of(&options[i], arguments);
    if (paths[i]) code = find_format(&options[i], arguments, &format);
  }
  return code != 0 ? code : files_check(arguments->operand, paths, OPTION_COUNT);
}

/* Refuses bad combinations before anything is read. */
static int check_arguments(const struct arguments *arguments) {
  int code = check_modifiers(arguments);
  if (code != 0) return code;
  if (arguments->tflite && arguments->in_place)
    return message_usage("--tflite and --in-place cannot be combined: a model cannot express "
                         "which tensors are one buffer; --overlap can share bytes instead");
  if ((arguments->tflite || arguments->buffer_plan) && arguments->alias)
    return message_usage("--%s and --alias cannot be combined: TensorFlow Lite Micro makes "
                         "these copies",
                         arguments->tflite ? "tflite" : "buffer-plan");
  if (arguments->buffer_plan && arguments->in_place)
    return message_usage(
        "--buffer-plan and --in-place cannot be combined: the runtime requests "
        "memory for every tensor; --overlap can share bytes instead");
  if ((arguments->tflite || arguments->buffer_plan) && arguments->target &&
      strcmp(arguments->target, TFLITE_TARGET) != 0)
    return message_usage("--%s plans for TensorFlow Lite Micro; drop --target %s",
                         arguments->tflite ? "tflite" : "buffer-plan", arguments->target);
  if ((arguments->tflite || arguments->buffer_plan) &&
      (arguments->pools.count > 0 || arguments->max_chunk > 0))
    return message_usage("--%s plans one arena; drop --%s",
                         arguments->tflite ? "tflite" : "buffer-plan",
                         arguments->pools.count > 0 ? "pool" : "max-chunk");
  if (arguments->tflite && files_is_standard(arguments->operand))
    return message_usage("--tflite copies INPUT, so INPUT must be a file, not '-'");
  if (arguments->json && takes_standard_output(arguments))
    return message_usage("--json prints to standard output, so '-' cannot be used for another "
                         "output");
  return check_outputs(arguments);
}

/* On a target, buffers may hold elements of any type. */
static int align_problem(const struct arguments *arguments, neap_problem *problem) {
  const char *path = arguments->operand;
  int code = 0;
  if (arguments->align > 0) code = problems_align(problem, arguments->align, path, "");
  else if (arguments->header || arguments->source)
    code = problems_align(problem, TARGET_ALIGNMENT, path,
                          "; --align sets another for --header and --source");
  return code;
}

static int run_plan(const struct arguments *given) {
  struct arguments arguments = *given;
  neap_problem *problem;
  int code = check_arguments(given);
  if (arguments.tflite || arguments.buffer_plan) arguments.target = TFLITE_TARGET;
  /* Which tensors can be parts of others depends on alignments. */
  if (arguments.alias && arguments.align == 0 && (arguments.header || arguments.source))
    arguments.align = TARGET_ALIGNMENT;
  if (code == 0) code = problems_read(&arguments, &problem);
  if (code != 0) return code;
  run_catch_signals();
  code = align_problem(&arguments, problem);
  if (code == 0) code = near_apply(&arguments, problem);
  if (code == 0) code = plan_problem(&arguments, problem);
  neap_problem_free(problem);
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
        "as possible. INPUT is a file in any readable format (see 'neap help formats'), or '-' "
        "for standard input.\n\nEvery plan is verified before it is written. The first Ctrl-C "
        "stops planning and writes the best plan so far; the second ends the program.",
    .options = options,
    .option_count = OPTION_COUNT,
    .plans = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_plan,
};
