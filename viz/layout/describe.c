/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/describe.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* A text that grows in a buffer known to be large enough. */
struct builder {
  char *text;
  size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void append(struct builder *builder,
                                                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(builder->text + builder->used, builder->size - builder->used, format,
                       arguments);
  va_end(arguments);
  assert(size >= 0 && (size_t)size < builder->size - builder->used);
  builder->used += (size_t)size;
}

/* ---------------------------------------------------------------- a buffer */

#define MOST_RANGES 8

static void append_times(struct builder *builder, const struct neap_problem *problem,
                         size_t buffer) {
  size_t begin = problem_ranges_begin(problem, buffer),
         end = problem->buffers[buffer].ranges_end;
  append(builder, "time");
  for (size_t i = begin; i < end && i < begin + MOST_RANGES; i++)
    append(builder, " [%" PRId64 ", %" PRId64 ")", problem->ranges[i].start,
           problem->ranges[i].end);
  if (end - begin > MOST_RANGES) append(builder, " and %zu more", end - begin - MOST_RANGES);
  append(builder, "\n");
}

static void append_place(struct builder *builder, const struct neap_plan *plan, size_t buffer) {
  neap_offset start = plan->offsets[buffer], end = plan_end(plan, buffer);
  bool fixed = plan->problem->buffers[buffer].fixed_offset != NEAP_UNPLACED;
  append(builder, "offset [%" PRId64 ", %" PRId64 ")%s\n", start, end, fixed ? ", fixed" : "");
  if (plan->has_base)
    append(builder, "address [0x%" PRIx64 ", 0x%" PRIx64 ")\n", plan->base + (uint64_t)start,
           plan->base + (uint64_t)end);
}

/* Appends what is known of the tensor: shape, type, and the operator that makes it. */
static void append_tensor(struct builder *builder, const struct neap_problem *problem,
                          size_t buffer) {
  neap_buffer self = NEAP_INIT(neap_buffer);
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  char shape[NEAP_SHAPE_TEXT], label[LABEL_BYTES];
  neap_problem_buffer_at(problem, buffer, &self);
  if (neap_shape_text(&self, shape)[0])
    append(builder, "\ntensor %s", label_clean(shape, label));
  size_t start = (size_t)problem_hull(problem, buffer).start;
  if (!self.hint || !neap_problem_operator_at(problem, start, &info) ||
      strcmp(self.hint, info.type) != 0)
    return;
  append(builder, "\noperator %zu", start);
  if (info.name) append(builder, " %s", label_clean(info.name, label));
}

const char *describe_buffer(const struct neap_plan *plan, size_t buffer,
                            char text[DESCRIBE_BUFFER]) {
  const struct buffer *self = &plan->problem->buffers[buffer];
  const char *hint = problem_hint(plan->problem, buffer);
  struct builder builder = {text, DESCRIBE_BUFFER, 0};
  char label[LABEL_BYTES], bytes[TEXT_BYTES];
  append(&builder, "%s\n", label_clean(problem_name(plan->problem, buffer), label));
  append(&builder, "size %" PRId64 " B", self->size);
  if (self->size >= 1024) append(&builder, " (%s)", text_bytes(bytes, self->size));
  append(&builder, "\n");
  append_times(&builder, plan->problem, buffer);
  append_place(&builder, plan, buffer);
  append(&builder, "alignment %" PRId64 "\n", self->alignment);
  append(&builder, "risk %s", neap_risk_name(plan->risks[buffer]));
  if (hint && hint[0]) append(&builder, "\nhint %s", label_clean(hint, label));
  append_tensor(&builder, plan->problem, buffer);
  append(&builder, "\nbuffer #%zu", buffer);
  return text;
}

/* ---------------------------------------------------------------- the plan */

static void set_bytes(struct figure *figure, const char *label, neap_size bytes) {
  char text[NUMBER_TEXT];
  figure->label = label;
  text_bytes(figure->value, bytes);
  if (bytes >= 1024)
    snprintf(figure->detail, sizeof figure->detail, "%s B", number_grouped(text, bytes));
}

/* No overflow: a problem refuses sizes that do not add up below NEAP_MAX. */
static neap_size total_of(const struct neap_problem *problem) {
  neap_size total = 0;
  for (size_t i = 0; i < problem->count; i++)
    total += problem->buffers[i].size;
  return total;
}

/* Alignment 1 is not mentioned: every offset is allowed then. */
static void append_alignment(struct builder *builder, const struct neap_problem *problem,
                             const char *before, const char *after) {
  neap_size low, high;
  neap_problem_alignment(problem, &low, &high);
  if (high == 1) return;
  append(builder, "%s", before);
  if (low < high) append(builder, "%" PRId64 " to ", low);
  append(builder, "%" PRId64 "%s", high, after);
}

static void set_buffers(struct figure *figure, const struct neap_plan *plan) {
  char bytes[TEXT_BYTES];
  figure->label = "Buffers";
  number_grouped(figure->value, (int64_t)plan->problem->count);
  struct builder builder = {figure->detail, sizeof figure->detail, 0};
  append(&builder, "%s in total", text_bytes(bytes, total_of(plan->problem)));
  append_alignment(&builder, plan->problem, ", aligned to ", "");
}

static void set_gap(struct figure *figure, const neap_report *report) {
  char bytes[NUMBER_TEXT];
  figure->label = "Gap";
  neap_gap_text(report->gap_percent, figure->value);
  if (report->peak > report->lower_bound)
    snprintf(figure->detail, sizeof figure->detail, "%s B",
             number_grouped(bytes, report->peak - report->lower_bound));
}

static void set_engine(struct figure *figure, const neap_report *report) {
  char rounds[NUMBER_TEXT], seed[NUMBER_TEXT];
  figure->label = "Engine";
  snprintf(figure->value, sizeof figure->value, "%s", report->run.engine);
  if (report->run.rounds == 0 || report->run.rounds > INT64_MAX) return;
  snprintf(figure->detail, sizeof figure->detail, "%s round%s",
           number_grouped(rounds, (int64_t)report->run.rounds),
           report->run.rounds == 1 ? "" : "s");
  size_t used = strlen(figure->detail);
  if (report->run.seed <= INT64_MAX)
    snprintf(figure->detail + used, sizeof figure->detail - used, ", seed %s",
             number_grouped(seed, (int64_t)report->run.seed));
}

/* The verdict on a set that cannot fit, whose layout may be optimal, but is not the subject. */
static void set_verdict(struct figure *figure) {
  figure->label = "Verdict";
  snprintf(figure->value, sizeof figure->value, "does not fit");
  snprintf(figure->detail, sizeof figure->detail, "proven");
}

static void set_status(struct figure *figure, const struct subject *subject) {
  const neap_report *report = &subject->plan->report;
  const struct soundness *soundness = subject->soundness;
  char count[SOUNDNESS_COUNT];
  figure->label = report->order.is_scheduled ? "Layout" : "Status";
  figure->is_fault = !soundness->sound;
  snprintf(figure->value, NUMBER_TEXT, "%s",
           soundness->sound ? neap_outcome_name(report->outcome) : "unsound");
  const char *detail = soundness_count(soundness, count);
  if (soundness->sound && report->run.engine[0] &&
      report->run.stop_reason != NEAP_STOP_COMPLETE)
    detail = neap_stop_reason_text(report->run.stop_reason);
  snprintf(figure->detail, NUMBER_TEXT, "%.47s", detail);
}

/* Sets whether another order of the operators could have a lower bound, or what this one saves. */
static void set_order(struct figure *figure, const neap_report *report) {
  char bytes[TEXT_BYTES];
  figure->label = "Order";
  snprintf(figure->value, sizeof figure->value, "%s", neap_outcome_name(report->order.outcome));
  if (report->order.outcome != NEAP_OPTIMAL && report->order.lower_bound > 0)
    snprintf(figure->detail, sizeof figure->detail, "none below %s",
             text_bytes(bytes, report->order.lower_bound));
  else if (report->order.saved_bytes > 0)
    snprintf(figure->detail, sizeof figure->detail, "saves %s",
             text_bytes(bytes, report->order.saved_bytes));
}

/* In a conflict, the plan has only some of the buffers: all of them may lack more. */
static void set_capacity(struct figure *figure, const struct subject *subject) {
  const neap_plan *plan = subject->plan;
  const neap_report *report = &plan->report;
  char text[NUMBER_TEXT];
  neap_size missing = subject->is_conflict ? plan->missing : report->peak - report->capacity;
  set_bytes(figure, "Capacity", report->capacity);
  if (missing > 0)
    snprintf(figure->detail, sizeof figure->detail, "%s%s too small",
             subject->is_conflict && !plan->is_missing_exact ? "at least " : "",
             text_bytes(text, missing));
  else if (report->capacity > 0)
    snprintf(figure->detail, sizeof figure->detail, "%s used",
             neap_gap_text(100.0 * (double)report->peak / (double)report->capacity, text));
}

size_t describe_figures(const struct subject *subject,
                        struct figure figures[DESCRIBE_FIGURES]) {
  const neap_report *report = &subject->plan->report;
  struct figure *next = figures;
  memset(figures, 0, DESCRIBE_FIGURES * sizeof *figures);
  set_buffers(next++, subject->plan);
  set_bytes(next++, "Peak", report->peak);
  set_bytes(next++, "Bound", report->bound);
  if (report->lower_bound > report->bound)
    set_bytes(next++, "Lower bound", report->lower_bound);
  if (subject->soundness->sound && !subject->is_conflict) set_gap(next++, report);
  if (subject->is_conflict) set_verdict(next++);
  else set_status(next++, subject);
  if (report->order.is_scheduled && !subject->is_conflict) set_order(next++, report);
  if (report->capacity >= 0) set_capacity(next++, subject);
  if (report->run.engine[0]) set_engine(next++, report);
  return (size_t)(next - figures);
}

/* "12 buffers", "12 buffers that cannot fit together" */
static void append_count(struct builder *builder, const struct subject *subject) {
  char number[NUMBER_TEXT];
  size_t count = subject->plan->problem->count;
  append(builder, "%s buffer%s", number_grouped(number, (int64_t)count), count == 1 ? "" : "s");
  if (subject->is_conflict)
    append(builder, " that cannot fit%s", count == 1 ? "" : " together");
}

const char *describe_title(const struct subject *subject, char text[DESCRIBE_PLAN]) {
  struct builder builder = {text, DESCRIBE_PLAN, 0};
  char label[LABEL_BYTES], peak[TEXT_BYTES];
  if (subject->name) append(&builder, "%s: ", label_clean(subject->name, label));
  else append(&builder, "Memory plan of ");
  append_count(&builder, subject);
  append(&builder, ", peak %s", text_bytes(peak, subject->plan->report.peak));
  return text;
}

const char *describe_heading(const struct subject *subject, char text[DESCRIBE_PLAN]) {
  struct builder builder = {text, DESCRIBE_PLAN, 0};
  char label[LABEL_BYTES];
  append(&builder, "%s", subject->name ? label_clean(subject->name, label) : "Memory plan");
  if (!subject->is_conflict) return text;
  append(&builder, ": ");
  append_count(&builder, subject);
  return text;
}

const char *describe_plan(const struct subject *subject, char text[DESCRIBE_PLAN]) {
  const struct neap_plan *plan = subject->plan;
  const struct soundness *soundness = subject->soundness;
  const neap_report *report = &plan->report;
  struct builder builder = {text, DESCRIBE_PLAN, 0};
  char percent[NUMBER_TEXT], pairs[DESCRIBE_PLAN / 2];
  append_count(&builder, subject);
  append(&builder,
         " as rectangles: time runs to the right from 0 to %" PRId64
         ", offsets rise from the bottom. Peak %" PRId64 " bytes, bound %" PRId64
         " bytes, best lower bound %" PRId64 " bytes",
         plan->problem->horizon, report->peak, report->bound, report->lower_bound);
  if (report->capacity >= 0) append(&builder, ", capacity %" PRId64 " bytes", report->capacity);
  if (subject->is_conflict) append(&builder, ": proven not to fit.");
  else if (soundness->sound)
    append(&builder, ", gap %s: %s.", neap_gap_text(report->gap_percent, percent),
           neap_outcome_name(report->outcome));
  else append(&builder, ". Unsound: %s.", soundness_text(soundness, plan, pairs, sizeof pairs));
  if (report->order.is_scheduled)
    append(&builder, " Order of operators: %s.", neap_outcome_name(report->order.outcome));
  append_alignment(&builder, plan->problem, " Alignment: ", ".");
  if (report->run.engine[0])
    append(&builder, " Engine %s, rounds %" PRIu64 ".", report->run.engine, report->run.rounds);
  return text;
}
