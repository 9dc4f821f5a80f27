/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap check */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/options/options.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/relation_facts.h"
#include "cli/output/results.h"
#include "cli/output/runtime_arena.h"
#include "cli/output/summary.h"

#define LISTED 100 /* collisions in JSON */

static const struct option_row options[] = {
    {.name = "capacity",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(capacity),
     .argument = "BYTES",
     .help = "size of the arena; a plan with a higher peak is unsound"},
    OPTION_PLANNED_OVERLAP,
    {.name = "json",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(json),
     .help = "print one JSON object that lists the collisions"},
};

static const char *const brief[] = {"capacity", "overlap",   "json",
                                    "columns",  "inclusive", NULL};

static const struct example examples[] = {
    {"neap check plan.csv --capacity 2M", "Check that the plan is sound and fits in 2 MiB."},
};

/* The result of verification. */
struct verdict {
  bool sound;
  neap_error error; /* the first fault, unless it is sound */
  neap_collision *collisions;
  size_t collision_count; /* of those listed */
  uint64_t collision_total;
  neap_report report;
};

static int verify_plan(const neap_plan *plan, neap_size capacity, struct verdict *verdict) {
  neap_status status = neap_plan_verify(plan, capacity, &verdict->error);
  verdict->report = (neap_report)NEAP_INIT(neap_report);
  neap_plan_report(plan, &verdict->report);
  verdict->sound = status == NEAP_OK;
  if (status == NEAP_ERROR_UNSOUND)
    status = neap_plan_collisions(plan, LISTED, &verdict->collisions, &verdict->collision_count,
                                  &verdict->collision_total, &verdict->error);
  return status == NEAP_OK ? 0 : message_error(&verdict->error);
}

/* ---------------------------------------------------------------- for programs */

static json_t *collision_object(const neap_problem *problem, const neap_collision *collision) {
  neap_buffer first = NEAP_INIT(neap_buffer), second = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(problem, collision->first, &first);
  neap_problem_buffer_at(problem, collision->second, &second);
  return json_pack("{ss ss sI sI sI sI}", "first", first.name, "second", second.name, "start",
                   (json_int_t)collision->when.start, "end", (json_int_t)collision->when.end,
                   "low", (json_int_t)collision->low, "high", (json_int_t)collision->high);
}

static json_t *collision_list(const neap_plan *plan, const struct verdict *verdict) {
  json_t *list = json_array();
  for (size_t i = 0; i < verdict->collision_count; i++)
    list =
        object_append(list, collision_object(neap_plan_problem(plan), &verdict->collisions[i]));
  return list;
}

static int print_json(const char *input, const neap_plan *plan, const struct verdict *verdict) {
  const neap_report *report = &verdict->report;
  const char *target = neap_problem_target(neap_plan_problem(plan));
  json_t *object = json_pack(
      "{so sb sI sI sI sI so ss* so* so sI so}", "input", object_text(input), "sound",
      (int)verdict->sound, "buffers", (json_int_t)report->buffers, "bound",
      (json_int_t)report->bound, "lower_bound", (json_int_t)report->lower_bound, "peak",
      (json_int_t)report->peak, "gap_percent", object_real(report->gap_percent), "target",
      target, "head", target ? json_integer((json_int_t)report->peak) : NULL, "fault",
      verdict->sound ? json_null() : object_text(verdict->error.text), "collision_count",
      (json_int_t)verdict->collision_total, "collisions", collision_list(plan, verdict));
  object = summary_add_runtime(object, neap_plan_problem(plan));
  neap_arena arena = NEAP_INIT(neap_arena);
  if (neap_problem_arena(neap_plan_problem(plan), report->peak, &arena))
    object = object_add(object, "arena", arena_facts_json(neap_plan_problem(plan), &arena));
  return object_print(relation_facts_add_plan(object, plan));
}

/* ---------------------------------------------------------------- for people */

static void print_sound(const neap_plan *plan, const neap_report *report) {
  char buffers[FIGURE_SIZE], peak[FIGURE_SIZE], bound[FIGURE_SIZE], lower_bound[FIGURE_SIZE];
  char gap[NEAP_GAP_TEXT];
  arena_facts_print_refused(stdout, neap_plan_problem(plan), "the runtime refuses ");
  printf("sound: %s, peak %s, bound %s%s, gap %s\n",
         figure_count(buffers, report->buffers, "buffer"), figure_bytes(peak, report->peak),
         figure_bytes(bound, report->bound),
         figure_lower_bound(lower_bound, report->bound, report->lower_bound),
         neap_gap_text(report->gap_percent, gap));
  summary_runtime(stdout, neap_plan_problem(plan), "the runtime ");
  summary_head(plan, false);
  relation_facts_print_plan(plan, 9);
}

static neap_range hull_of(const neap_buffer *buffer) {
  return (neap_range){buffer->ranges[0].start, buffer->ranges[buffer->range_count - 1].end};
}

static int64_t min_of(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max_of(int64_t a, int64_t b) { return a > b ? a : b; }

/*
 * Shows the two buffers, for a few times as long as they collide; if they never live together,
 * for their whole lives.
 */
static void aim_at(neap_text_style *style, const neap_plan *plan,
                   const neap_collision *collision) {
  neap_buffer first = NEAP_INIT(neap_buffer), second = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(neap_plan_problem(plan), collision->first, &first);
  neap_problem_buffer_at(neap_plan_problem(plan), collision->second, &second);
  neap_offset a = neap_plan_offset(plan, collision->first),
              b = neap_plan_offset(plan, collision->second);
  neap_range p = hull_of(&first), q = hull_of(&second), when = collision->when;
  neap_time around = min_of(when.end - when.start, NEAP_MAX / 16) * 4;
  style->has_window = true;
  style->low = min_of(a, b);
  style->high = max_of(a + first.size, b + second.size);
  style->when.start = max_of(min_of(p.start, q.start), when.start - around);
  style->when.end = max_of(p.end, q.end);
  if (when.end == 0) style->when.start = min_of(p.start, q.start);
  else if (style->when.end - when.end > around) style->when.end = when.end + around;
}

/* Draws the area around the first collision. */
static int draw_collision(const neap_plan *plan, const struct verdict *verdict,
                          const struct arguments *arguments) {
  neap_error error;
  neap_text_style style = terminal_style(arguments);
  if (verdict->collision_count == 0) return 0;
  aim_at(&style, plan, &verdict->collisions[0]);
  if (neap_plan_draw_text(plan, NULL, &style, stdout, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

/* A model need not state which kernels its plan was made for. */
static bool may_overlap(const struct arguments *arguments, const neap_plan *plan) {
  neap_arena arena = NEAP_INIT(neap_arena);
  if (neap_problem_arena(neap_plan_problem(plan), 0, &arena) && arena.is_as_written)
    return false;
  return !arguments->reading.graph.liveness.overlap &&
         files_ends_in(arguments->operand, ".tflite");
}

/* Reports an unsound plan as bad input. */
static int print_unsound(const struct arguments *arguments, const neap_plan *plan,
                         const struct verdict *verdict) {
  char pairs[FIGURE_SIZE];
  neap_error error = verdict->error;
  size_t used = strlen(error.text);
  if (verdict->collision_total > 0)
    snprintf(error.text + used, sizeof error.text - used, " (%s in all)",
             figure_count(pairs, verdict->collision_total, "collision"));
  used = strlen(error.text);
  if (verdict->collision_total > 0 && may_overlap(arguments, plan))
    snprintf(error.text + used, sizeof error.text - used,
             "; if the plan was made with --overlap, check it with the same option");
  snprintf(error.source, sizeof error.source, "%s", arguments->operand);
  error.status = NEAP_ERROR_INPUT;
  return message_error(&error);
}

static int run_check(const struct arguments *arguments) {
  struct verdict verdict = {.sound = false};
  neap_plan *plan;
  const char *input = arguments->operand;
  int code = problems_read_plan(arguments, input, &plan);
  if (code != 0) return code;
  code = verify_plan(plan, arguments->capacity, &verdict);
  if (code == 0) {
    if (arguments->json) code = print_json(input, plan, &verdict);
    else if (verdict.sound && !arguments->quiet) print_sound(plan, &verdict.report);
  }
  bool is_shown = arguments->verbose || (terminal_is_one() && !arguments->quiet);
  if (code == 0 && !verdict.sound && is_shown && !arguments->json)
    code = draw_collision(plan, &verdict, arguments);
  if (code == 0 && !verdict.sound) code = print_unsound(arguments, plan, &verdict);
  neap_collisions_free(verdict.collisions);
  neap_plan_free(plan);
  return code;
}

const struct command command_check = {
    .name = "check",
    .summary = "verify a plan and report what is wrong with it",
    .operand = "PLAN",
    .input = INPUT_TABLE,
    .usage = "PLAN [OPTION...]",
    .description =
        "Verifies PLAN: no two buffers that are alive at the same time share a byte, and all "
        "alignments, fixed offsets and the capacity are respected. PLAN is JSON, a page, a "
        "model written by 'neap plan --tflite', or a table with an offset in every row.\n\nIf "
        "the plan is unsound, the message names the first pair of buffers that collides, with "
        "the time and the bytes, and counts all collisions. On a terminal, or with --verbose, "
        "it also draws the area around that pair.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_check,
};
