/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap fit */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/explain/permissions.h"
#include "cli/input/bands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/options/means.h"
#include "cli/output/bands.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/results.h"
#include "cli/output/runtime_arena.h"
#include "cli/run.h"
#include "neap-tool.h"

static const struct option_row options[] = {
    {.name = "arena",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(capacity),
     .argument = "BYTES",
     .low = 1,
     .help = "the size of the arena, for tensors and, with TensorFlow Lite Micro, all that the "
             "interpreter keeps"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_SPLIT_FILE,
     .field = OPTION_FIELD(tflite),
     .argument = "NEW",
     .help = "write the model to NEW, if it fits, in the format of MODEL, a TensorFlow Lite "
             "model with its plan; without it, only print the summary"},
    OPTION_MAX_WORK(NULL, "with bands, "),
    OPTION_SPLIT_TIME,
    {.name = "html",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page of the plan to FILE"},
    OPTION_HEADER,
    OPTION_JSON,
};

static const char *const brief[] = {"arena", "output", "overlap", "max-work",
                                    "html",  "json",   NULL};

static const struct example examples[] = {
    {"neap fit branches.tflite --arena 6K -o fits.tflite",
     "Make the model fit into 6 KiB, whatever the kernels."},
    {"neap fit branches.tflite --pool sram=3K --pool dtcm=2200 -o fits.tflite",
     "Put the head into one memory, and the tail into another one."},
    {"neap fit branches.tflite keyword.tflite --arena 7K -o 'fits_%.tflite'",
     "Make two models fit an arena that they share."},
    {"neap fit branches.tflite --arena 5K --overlap --json",
     "Print one JSON object with what was tried and what each step needs."},
};

/* ---------------------------------------------------------------- memories */

/* One memory or two, the larger one first; that of --arena has no name. */
struct memories {
  char *names[2];
  neap_size bytes[2];
};

static int read_memory(struct memories *memories, size_t index, const char *text) {
  int code = problems_parse_pool(text, &memories->names[index], &memories->bytes[index]);
  if (code == 0 && memories->bytes[index] < 1)
    return message_usage("--pool: fit needs the size of '%.40s', such as %.40s=256K",
                         memories->names[index], memories->names[index]);
  return code;
}

static int read_memories(const struct arguments *arguments, struct memories *memories) {
  *memories = (struct memories){.bytes = {arguments->capacity, 0}};
  if (arguments->pools.count == 0 && arguments->capacity >= 0) return 0;
  if (arguments->pools.count != 2 || arguments->capacity >= 0)
    return message_usage("fit needs --arena BYTES, or --pool NAME=SIZE twice");
  const char *first = arguments->pools.items[0], *second = arguments->pools.items[1];
  int code = read_memory(memories, 0, first);
  if (code == 0) code = read_memory(memories, 1, second);
  if (code == 0 && strcmp(memories->names[0], memories->names[1]) == 0)
    code = message_usage("--pool: two memories need two names, found '%.40s' twice",
                         memories->names[0]);
  if (code != 0 || memories->bytes[0] >= memories->bytes[1]) return code;
  *memories = (struct memories){{memories->names[1], memories->names[0]},
                                {memories->bytes[1], memories->bytes[0]}};
  return 0;
}

static void clear_memories(struct memories *memories) {
  free(memories->names[0]);
  free(memories->names[1]);
}

/* The part that a memory holds in a step: "head", "tail", "tensors" or "arena"; NULL: nothing. */
static const char *content_of(const neap_fit_step *step, size_t memory) {
  static const char *const contents[NEAP_FIT_PLACES][2] = {
      [NEAP_FIT_TOGETHER] = {"arena", NULL},
      [NEAP_FIT_HEAD_FIRST] = {"head", "tail"},
      [NEAP_FIT_TAIL_FIRST] = {"tail", "head"}};
  if (step->place != NEAP_FIT_TOGETHER && step->need.tail == 0) return "tensors";
  return contents[step->place][memory];
}

/* ---------------------------------------------------------------- for people */

static const char *step_text(const neap_fit_step *step) {
  if (step->means == NEAP_FIT_POOLS && step->need.tail == 0)
    return "with tensors in two memories";
  return means_step(step->means);
}

static void print_step(const neap_fit_step *step, const struct memories *memories) {
  char first[FIGURE_SIZE], second[FIGURE_SIZE];
  const char *least = step->need.is_partial ? "at least " : "";
  printf("%-8s %s", neap_fit_means_name(step->means), least);
  if (step->place != NEAP_FIT_TOGETHER && step->need.tail == 0)
    printf("%s in %s, %s in %s", figure_bytes(first, step->needs[0]), memories->names[0],
           figure_bytes(second, step->needs[1]), memories->names[1]);
  else if (step->place != NEAP_FIT_TOGETHER)
    printf("%s %s in %s, %s %s in %s", content_of(step, 0), figure_bytes(first, step->needs[0]),
           memories->names[0], content_of(step, 1), figure_bytes(second, step->needs[1]),
           memories->names[1]);
  else printf("%s", figure_bytes(first, step->need.arena));
  if (step->place == NEAP_FIT_TOGETHER && step->need.tail > 0)
    printf(": head %" PRId64 ", tail %" PRId64 " bytes", step->need.peak, step->need.tail);
  printf("; %s\n", step_text(step));
}

/* Prints how many bytes of a memory are left or missing. */
static void print_memory(const struct memories *memories, const neap_fit_step *step, size_t i) {
  char bytes[FIGURE_SIZE];
  const char *content = content_of(step, i);
  const neap_size left = memories->bytes[i] - step->needs[i];
  if (!content) return;
  printf("%-8s %s%s",
         left < 0        ? "missing"
         : step->is_open ? "unknown"
                         : "fits",
         figure_bytes(bytes, left < 0 ? -left : left), left < 0 ? "" : " to spare");
  if (memories->names[i]) printf(" in %s, for the %s", memories->names[i], content);
  if (i == 0 && step->place != NEAP_FIT_TOGETHER) putchar('\n');
}

/* Names the first operators whose kernels are unknown. */
#define UNKNOWN_TEXT (ARENA_FACTS_WHICH + 16)
static const char *unknown_text(const neap_fit *fit, char text[UNKNOWN_TEXT]) {
  const neap_problem *problem = neap_plan_problem(neap_fit_plan(fit));
  neap_arena_note note = NEAP_INIT(neap_arena_note), other = NEAP_INIT(neap_arena_note);
  char first[ARENA_FACTS_WHICH];
  if (!neap_problem_arena_unknown_at(problem, 0, &note)) return "";
  snprintf(text, UNKNOWN_TEXT, "%s%s", arena_facts_which(first, &note),
           neap_problem_arena_unknown_at(problem, 1, &other) ? ", and others" : "");
  return text;
}

/* The first part of the model that is not planned; NULL if all parts are. */
static const char *missing_part(const neap_fit *fit) {
  return neap_problem_missing(neap_plan_problem(neap_fit_plan(fit)), 0);
}

static void print_verdict(const neap_fit *fit, const neap_fit_report *report,
                          const neap_fit_step *best, const struct memories *memories) {
  char bytes[FIGURE_SIZE], text[UNKNOWN_TEXT];
  for (size_t i = 0; i < 2; i++)
    print_memory(memories, best, i);
  const char *part = missing_part(fit);
  if (part) printf(", without %s", part);
  else if (report->is_open)
    printf(", without what the kernel of %s needs", unknown_text(fit, text));
  if (report->missing > 0)
    printf("; at least %s, proven for all that was tried",
           figure_bytes(bytes, report->missing));
  putchar('\n');
}

/* Prints why bands lower nothing, or were not tried. */
static void print_no_bands(const neap_fit *fit) {
  const neap_bands *bands = neap_fit_bands(fit);
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  const char *reason = neap_fit_no_bands(fit);
  if (reason) printf("bands    none: %s\n", reason);
  if (!bands) return;
  neap_bands_get_report(bands, &report);
  if (!report.is_split) bands_print_whole(bands);
}

/* Prints an item of a list, with the option that changes it. */
static void print_item(size_t *count, const char *text, const char *option) {
  printf("%s%s (%s)", (*count)++ == 0 ? "assumed  " : ", ", text, option);
}

/* Prints what was assumed about a model that does not fit. */
static void print_assumed(const struct arguments *arguments, const neap_fit *fit) {
  const neap_reading *reading = &arguments->reading;
  const neap_problem *problem = neap_plan_problem(neap_fit_plan(fit));
  const struct means *means;
  neap_arena arena = NEAP_INIT(neap_arena);
  const bool has_arena = neap_problem_arena(problem, 0, &arena);
  char text[64];
  size_t count = 0;
  if (has_arena && reading->graph.kernels == NEAP_KERNELS_DEFAULT) {
    snprintf(text, sizeof text, "%s kernels", arena.kernels);
    print_item(&count, text, "--kernels");
  }
  if (has_arena && reading->model.pointer == 0) {
    snprintf(text, sizeof text, "pointers of %u bytes", arena.pointer);
    print_item(&count, text, "--pointer");
  }
  for (size_t i = 0; (means = means_at(i)) != NULL; i++) {
    struct arguments with = *arguments;
    char added[MEANS_TEXT] = "";
    if (means->assumed && means_suits(means, problem) &&
        means_add(means, problem, &with, added))
      print_item(&count, means->assumed, means->option);
  }
  if (count > 0) putchar('\n');
}

static void print_further(const struct permissions *further) {
  char bytes[FIGURE_SIZE];
  for (size_t i = 0; i < further->count; i++) {
    const struct permission *item = &further->items[i];
    if (item->fits) printf("with     %s: fits\n", item->options);
    else printf("with     %s: %s missing\n", item->options, figure_bytes(bytes, item->missing));
  }
}

static void print_summary(const struct arguments *arguments, const neap_fit *fit,
                          const struct memories *memories, const struct permissions *further) {
  char bytes[FIGURE_SIZE];
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_step step = NEAP_INIT(neap_fit_step), best = step;
  neap_fit_get_report(fit, &report);
  if (arena_facts_print_refused(stdout, neap_plan_problem(neap_fit_plan(fit)), "refused  "))
    return;
  for (size_t i = 0; i < 2 && memories->bytes[i] > 0; i++)
    printf("%-8s %s\n", memories->names[i] ? memories->names[i] : "arena",
           figure_bytes(bytes, memories->bytes[i]));
  arena_facts_print_kernels(stdout, neap_plan_problem(neap_fit_plan(fit)));
  for (size_t i = 0; neap_fit_step_at(fit, i, &step); i++)
    print_step(&step, memories);
  neap_fit_step_at(fit, report.best, &best);
  if (best.means == NEAP_FIT_BANDS) bands_print_bands(neap_fit_bands(fit));
  print_no_bands(fit);
  if (!report.fits && !report.is_open) print_assumed(arguments, fit);
  print_further(further);
  print_verdict(fit, &report, &best, memories);
}

/* ---------------------------------------------------------------- for programs */

/* The part that each memory holds in a step. */
static json_t *memory_list(const neap_fit_step *step, const struct memories *memories) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < 2 && content_of(step, i); i++)
    list = object_append(list, json_pack("{so ss sI}", "pool", object_text(memories->names[i]),
                                         "holds", content_of(step, i), "bytes",
                                         (json_int_t)step->needs[i]));
  return list;
}

static json_t *step_object(const neap_fit_step *step, const struct memories *memories) {
  json_t *object =
      json_pack("{ss sI sI sI sb sb}", "means", neap_fit_means_name(step->means), "peak",
                (json_int_t)step->need.peak, "tail", (json_int_t)step->need.tail, "arena",
                (json_int_t)step->need.arena, "is_lower_bound", (int)step->need.is_partial,
                "fits", (int)step->fits);
  return memories->names[0] ? object_add(object, "pools", memory_list(step, memories)) : object;
}

static json_t *step_list(const neap_fit *fit, const struct memories *memories) {
  json_t *list = json_array();
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  for (size_t i = 0; list && neap_fit_step_at(fit, i, &step); i++)
    list = object_append(list, step_object(&step, memories));
  return list;
}

static json_t *further_list(const struct permissions *further) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < further->count; i++)
    list = object_append(list, json_pack("{ss sb sI}", "options", further->items[i].options,
                                         "fits", (int)further->items[i].fits, "missing",
                                         (json_int_t)further->items[i].missing));
  return list;
}

static int print_json(const struct arguments *arguments, const neap_fit *fit,
                      const struct memories *memories, const struct permissions *further) {
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_get_report(fit, &report);
  const char *verdict = report.fits ? "fits" : report.is_open ? "unknown" : "does_not_fit";
  json_t *object =
      json_pack("{so sI sb ss sI sI so}", "input", object_text(arguments->operand), "capacity",
                (json_int_t)memories->bytes[0], "fits", (int)report.fits, "verdict", verdict,
                "best", (json_int_t)report.best, "lower_bound", (json_int_t)report.lower_bound,
                "steps", step_list(fit, memories));
  if (memories->names[1])
    object = object_add_number(object, "second_capacity", (json_int_t)memories->bytes[1]);
  object = arena_facts_add_kernels(object, neap_plan_problem(neap_fit_plan(fit)));
  if (!report.fits) object = object_add(object, "further", further_list(further));
  if (neap_fit_bands(fit))
    object = object_add(object, "split",
                        bands_json(neap_fit_bands(fit), neap_plan_problem(neap_fit_plan(fit))));
  return object_print(object);
}

/* ---------------------------------------------------------------- results */

static int write_page(const struct arguments *arguments, const neap_fit *fit) {
  neap_writing writing = results_writing(arguments, arguments->operand);
  if (neap_fit_bands(fit)) {
    writing.other = neap_bands_plan_before(neap_fit_bands(fit));
    writing.other_name = "before bands";
    writing.from_other = true;
  }
  return results_write_plan(neap_fit_plan(fit), arguments->html, NEAP_CONTENT_PAGE, &writing);
}

static const char *family_text(const neap_fit *fit, bool has_bands) {
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  for (size_t i = 0; step.means != NEAP_FIT_OVERLAP && neap_fit_step_at(fit, i, &step); i++)
    continue;
  if (step.means == NEAP_FIT_OVERLAP)
    return has_bands ? "layouts, orders, overlaps and bands" : "layouts, orders and overlaps";
  return has_bands ? "layouts, orders and bands" : "layouts and orders";
}

/* The exit codes are those of a plan for a capacity. */
static int conclude(const struct arguments *arguments, const neap_fit *fit) {
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_error error = {.status = NEAP_NO_PLAN};
  neap_fit_get_report(fit, &report);
  char text[UNKNOWN_TEXT];
  if (report.fits) return 0;
  bool is_proven = report.is_infeasible || report.is_refused;
  if (is_proven) error.status = NEAP_INFEASIBLE;
  snprintf(error.source, sizeof error.source, "%s", arguments->operand);
  neap_arena_note refused = NEAP_INIT(neap_arena_note);
  if (neap_problem_arena_refused_at(neap_plan_problem(neap_fit_plan(fit)), 0, &refused))
    snprintf(error.text, sizeof error.text, "fits no arena, because the runtime refuses %s",
             arena_facts_which(text, &refused));
  else if (missing_part(fit))
    snprintf(error.text, sizeof error.text, "unknown whether it fits, without %.512s",
             missing_part(fit));
  else if (report.is_open)
    snprintf(error.text, sizeof error.text,
             "unknown whether it fits: --scratch FILE, with a column persistent, states what "
             "the kernel of %s needs",
             unknown_text(fit, text));
  else
    snprintf(error.text, sizeof error.text, "nothing fits%s, of all %s that were searched",
             is_proven ? ", which is proven" : "",
             family_text(fit, neap_fit_bands(fit) != NULL));
  return message_error(&error);
}

static int write_results(const struct arguments *arguments, const neap_fit *fit,
                         const struct memories *memories, const struct permissions *further) {
  neap_error error;
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  int code = 0;
  neap_fit_get_report(fit, &report);
  if (report.fits && arguments->tflite)
    code = message_written(arguments->tflite, neap_fit_write(fit, arguments->tflite, &error),
                           &error);
  if (code == 0 && arguments->html) code = write_page(arguments, fit);
  if (code == 0 && report.fits) code = results_write_header(arguments, neap_fit_plan(fit));
  if (code == 0 && arguments->json) code = print_json(arguments, fit, memories, further);
  else if (code == 0 && !arguments->quiet && !results_take_output(arguments))
    print_summary(arguments, fit, memories, further);
  return code;
}

/* ---------------------------------------------------------------- the command */

static int check_arguments(const struct arguments *arguments) {
  const char *outputs[] = {arguments->tflite, arguments->html, arguments->header};
  int code = splits_check(arguments, "fit");
  if (code == 0) code = results_check_json(arguments);
  if (code != 0) return code;
  return files_check(arguments->operand, outputs, sizeof outputs / sizeof *outputs);
}

static int fit_memories(const struct arguments *arguments, const struct memories *memories) {
  neap_error error;
  neap_fit *fit;
  struct splits_clock clock;
  neap_model_limits how = splits_how(arguments, memories->bytes[0], &clock);
  how.second_capacity = memories->bytes[1];
  how.memories[0] = memories->names[0];
  how.memories[1] = memories->names[1];
  run_catch_signals();
  neap_status status = splits_fit(arguments->operand, &arguments->reading, &how, &fit, &error);
  message_status("");
  if (status != NEAP_OK) return message_error(&error);
  if (run_interrupted()) message_warning("interrupted: this is the best so far");
  else if (run_seconds() >= clock.until)
    message_warning("the time limit was reached: this is the best so far");
  struct permissions further;
  permissions_find(&further, arguments, &how, fit, clock.until);
  int code = write_results(arguments, fit, memories, &further);
  if (code == 0) code = conclude(arguments, fit);
  neap_fit_free(fit);
  return code;
}

static int run_fit(const struct arguments *arguments) {
  struct memories memories = {.bytes = {0, 0}};
  if (arguments->operand_count > 1) return fit_shared_run(arguments);
  int code = check_arguments(arguments);
  if (code == 0) code = read_memories(arguments, &memories);
  if (code == 0) code = fit_memories(arguments, &memories);
  clear_memories(&memories);
  return code;
}

const struct command command_fit = {
    .name = "fit",
    .summary = "make a model fit into an arena, at the least cost",
    .operand = "MODEL",
    .input = INPUT_GRAPH,
    .takes_many = true,
    .rewrites_models = true,
    .usage = "MODEL... --arena BYTES | --pool NAME=SIZE --pool NAME=SIZE [-o NEW] [OPTION...]",
    .description =
        "Makes MODEL fit into an arena. For a TensorFlow Lite model, this is the whole arena "
        "of TensorFlow Lite Micro: the planned head, the tail that the interpreter keeps, and "
        "what it needs to prepare the model. For an ONNX model, it is the memory of its "
        "tensors alone. Tries the cheapest means first, each with all before it, and stops at "
        "the first that fits: a better layout; another order of the operators; with "
        "--overlap, outputs over inputs as the kernels allow; a second memory; and bands as "
        "in 'neap split', with the least extra work. An ONNX model cannot hold a plan: 'neap "
        "plan NEW' plans the copy, with --pool for two memories.\n\n--pool NAME=SIZE, twice "
        "instead of --arena, is for two memories. All is first tried in the larger one. Where "
        "head and tail are apart, the runtime has two arenas, with MicroAllocator::Create of "
        "a persistent buffer, for the tail, and a non-persistent one, for the head; --pool "
        "sizes are those of these buffers, and their addresses multiples of 16.\n\nSeveral "
        "models share the arena: their interpreters run in turn, and are made with one "
        "MicroAllocator, in this order. Their tails add up, and their heads overlap, so only "
        "heads that are too high are lowered. A %% in NEW stands for the name of each model "
        "without its ending.\n\nIf nothing fits, shows the smallest arena found in bands and "
        "how much is missing, and how much must be missing if that is proven. Also lists the "
        "assumptions, the operators that cannot run in bands, and what is missing with "
        "options that were not given: each is tried for two seconds at most. Exits with 4 if "
        "it is proven that nothing fits, in any order of the operators, or if the runtime has "
        "no kernel for an operator or its types. Exits with 5 if nothing was found, or if the "
        "answer depends on kernels that neap does not know.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_fit,
};
