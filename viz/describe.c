/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/describe.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* A text that grows in a buffer known to be large enough for all that is said. */
struct saying {
  char *text;
  size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct saying *saying, const char *format,
                                                      ...) {
  va_list arguments;
  va_start(arguments, format);
  int size =
      vsnprintf(saying->text + saying->used, saying->size - saying->used, format, arguments);
  va_end(arguments);
  assert(size >= 0 && (size_t)size < saying->size - saying->used);
  saying->used += (size_t)size;
}

/* ---------------------------------------------------------------- a buffer */

#define MOST_RANGES 8

static void say_times(struct saying *saying, const struct neap_problem *problem,
                      size_t buffer) {
  size_t begin = problem_ranges_begin(problem, buffer),
         end = problem->buffers[buffer].ranges_end;
  say(saying, "time");
  for (size_t i = begin; i < end && i < begin + MOST_RANGES; i++)
    say(saying, " [%" PRId64 ", %" PRId64 ")", problem->ranges[i].start,
        problem->ranges[i].end);
  if (end - begin > MOST_RANGES) say(saying, " and %zu more", end - begin - MOST_RANGES);
  say(saying, "\n");
}

static void say_place(struct saying *saying, const struct neap_plan *plan, size_t buffer) {
  neap_offset start = plan->offsets[buffer], end = plan_end(plan, buffer);
  bool fixed = plan->problem->buffers[buffer].fixed_offset != NEAP_UNPLACED;
  say(saying, "offset [%" PRId64 ", %" PRId64 ")%s\n", start, end, fixed ? ", fixed" : "");
  if (plan->has_base)
    say(saying, "address [0x%" PRIx64 ", 0x%" PRIx64 ")\n", plan->base + (uint64_t)start,
        plan->base + (uint64_t)end);
}

const char *describe_buffer(const struct neap_plan *plan, size_t buffer,
                            char text[DESCRIBE_BUFFER]) {
  const struct buffer *self = &plan->problem->buffers[buffer];
  const char *hint = problem_hint(plan->problem, buffer);
  struct saying saying = {text, DESCRIBE_BUFFER, 0};
  char label[LABEL_BYTES], bytes[TEXT_BYTES];
  say(&saying, "%s\n", label_clean(problem_name(plan->problem, buffer), label));
  say(&saying, "size %" PRId64 " B", self->size);
  if (self->size >= 1024) say(&saying, " (%s)", text_bytes(bytes, self->size));
  say(&saying, "\n");
  say_times(&saying, plan->problem, buffer);
  say_place(&saying, plan, buffer);
  say(&saying, "alignment %" PRId64 "\n", self->alignment);
  say(&saying, "risk %s", neap_risk_name(plan->risks[buffer]));
  if (hint && hint[0]) say(&saying, "\nhint %s", label_clean(hint, label));
  return text;
}

/* ---------------------------------------------------------------- the plan */

static const char *reason_text(neap_stop_reason reason) {
  switch (reason) {
  case NEAP_STOP_BOUND:
    return "the bound is reached";
  case NEAP_STOP_PROVEN:
    return "a proven bound is reached";
  case NEAP_STOP_FIXED_POINT:
    return "an order came up again";
  case NEAP_STOP_ITERATION_CAP:
    return "the cap on rounds is met";
  case NEAP_STOP_TIME_LIMIT:
    return "the time limit is met";
  case NEAP_STOP_TICK_LIMIT:
    return "the tick limit is met";
  case NEAP_STOP_CANCELLED:
    return "cancelled";
  case NEAP_STOP_CAPACITY:
    return "the capacity is kept";
  case NEAP_STOP_COMPLETE:
    return "";
  }
  return "";
}

static void set_bytes(struct figure *figure, const char *label, neap_size bytes) {
  char text[NUMBER_TEXT];
  figure->label = label;
  text_bytes(figure->value, bytes);
  if (bytes >= 1024)
    snprintf(figure->detail, sizeof figure->detail, "%s B", number_grouped(text, bytes));
}

/* Sizes add up below NEAP_MAX: the problem sees to that. */
static neap_size total_of(const struct neap_problem *problem) {
  neap_size total = 0;
  for (size_t i = 0; i < problem->count; i++)
    total += problem->buffers[i].size;
  return total;
}

static void set_buffers(struct figure *figure, const struct neap_plan *plan) {
  char bytes[TEXT_BYTES];
  figure->label = "Buffers";
  number_grouped(figure->value, (int64_t)plan->problem->count);
  snprintf(figure->detail, sizeof figure->detail, "%s in all",
           text_bytes(bytes, total_of(plan->problem)));
}

static void set_gap(struct figure *figure, const neap_report *report) {
  char bytes[NUMBER_TEXT];
  figure->label = "Gap";
  number_percent(figure->value, report->gap_percent);
  if (report->peak > report->lower_bound)
    snprintf(figure->detail, sizeof figure->detail, "%s B",
             number_grouped(bytes, report->peak - report->lower_bound));
}

static void set_engine(struct figure *figure, const neap_report *report) {
  char rounds[NUMBER_TEXT], seed[NUMBER_TEXT];
  figure->label = "Engine";
  snprintf(figure->value, sizeof figure->value, "%s", report->engine);
  if (report->rounds == 0 || report->rounds > INT64_MAX) return;
  snprintf(figure->detail, sizeof figure->detail, "%s round%s",
           number_grouped(rounds, (int64_t)report->rounds), report->rounds == 1 ? "" : "s");
  size_t used = strlen(figure->detail);
  if (report->seed <= INT64_MAX)
    snprintf(figure->detail + used, sizeof figure->detail - used, ", seed %s",
             number_grouped(seed, (int64_t)report->seed));
}

size_t describe_figures(const struct neap_plan *plan, bool sound,
                        struct figure figures[DESCRIBE_FIGURES]) {
  const neap_report *report = &plan->report;
  memset(figures, 0, DESCRIBE_FIGURES * sizeof *figures);
  set_buffers(&figures[0], plan);
  set_bytes(&figures[1], "Peak", report->peak);
  bool lifted = report->lower_bound > report->bound;
  set_bytes(&figures[2], lifted ? "Lower bound" : "Bound", report->lower_bound);
  set_gap(&figures[3], report);
  figures[4].label = "Status";
  snprintf(figures[4].value, NUMBER_TEXT, "%s",
           sound ? neap_outcome_name(report->outcome) : "unsound");
  if (!report->engine[0]) return 5;
  if (sound) snprintf(figures[4].detail, NUMBER_TEXT, "%s", reason_text(report->stop_reason));
  set_engine(&figures[5], report);
  return 6;
}

const char *describe_plan(const struct neap_plan *plan, char text[DESCRIBE_PLAN]) {
  const neap_report *report = &plan->report;
  struct saying saying = {text, DESCRIBE_PLAN, 0};
  char percent[NUMBER_TEXT];
  say(&saying,
      "Buffers as rectangles, %zu in all: time runs to the right from 0 to %" PRId64
      ", offsets rise from the bottom. Peak %" PRId64 " bytes, bound %" PRId64
      " bytes, best lower bound %" PRId64 " bytes, gap %s: %s.",
      plan->problem->count, plan->problem->horizon, report->peak, report->bound,
      report->lower_bound, number_percent(percent, report->gap_percent),
      neap_outcome_name(report->outcome));
  if (report->engine[0])
    say(&saying, " Engine %s, rounds %" PRIu64 ".", report->engine, report->rounds);
  return text;
}
