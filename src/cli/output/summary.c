/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/relation_facts.h"
#include "cli/output/runtime_arena.h"
#include "neap-tool.h"
#include "neap/relations.h"

void summary_bound(FILE *stream, const neap_bound *bound, int label_width) {
  char bytes[FIGURE_SIZE], range[FIGURE_SIZE];
  fprintf(stream, "%-*s%s", label_width, "bound", figure_bytes(bytes, bound->bytes));
  if (bound->range_count > 0)
    fprintf(stream, ", at time %s", figure_range(range, bound->start, bound->end));
  if (bound->range_count > 1) fprintf(stream, ", the first of %zu times", bound->range_count);
  fputs(figure_lower_bound(bytes, bound->bytes, bound->lower_bound), stream);
  fputc('\n', stream);
}

/* With several pools, each has a moment of its own. */
static int print_bounds(const neap_plan *plan, const neap_report *report) {
  char bytes[FIGURE_SIZE];
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  neap_error error;
  neap_bound bound = NEAP_INIT(neap_bound);
  if (neap_plan_pool_at(plan, 0, &pool)) {
    printf("bound    %s, the sum of the pools", figure_bytes(bytes, report->bound));
    fputs(figure_lower_bound(bytes, report->bound, report->lower_bound), stdout);
    putchar('\n');
    return 0;
  }
  if (neap_problem_bound(neap_plan_problem(plan), &bound, &error) != NEAP_OK)
    return message_error(&error);
  bound.lower_bound = report->lower_bound;
  summary_bound(stdout, &bound, 9);
  return 0;
}

/* Nothing is printed if every offset is allowed. */
static void print_alignment(const neap_problem *problem) {
  char text[FIGURE_SIZE];
  neap_size low, high;
  neap_problem_alignment(problem, &low, &high);
  if (high > 1) printf("align    %s\n", figure_alignment(text, low, high));
}

/* Nothing is printed if no offset is fixed. */
static void print_fixed(const neap_problem *problem) {
  char text[FIGURE_SIZE];
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  size_t count = 0;
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++)
    count += buffer.fixed_offset != NEAP_UNPLACED;
  if (count > 0)
    printf("fixed    %s; --replan ignores %s\n", figure_count(text, count, "offset"),
           count > 1 ? "them" : "it");
}

/* Nothing is printed without --alias. */
static void print_aliased(const neap_problem *problem) {
  char bytes[FIGURE_SIZE];
  neap_aliased aliased;
  neap_problem_aliased(problem, &aliased);
  if (aliased.bytes > 0)
    printf("aliased  %s not copied; operators that copy nothing: %zu\n",
           figure_bytes(bytes, aliased.bytes), aliased.operators);
}

/* The order of operators determines the bound, the layout how far the peak is above it. */
static void print_order(const neap_report *report, const neap_problem *problem) {
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  bool reruns = neap_problem_order(problem, &order) && order.time_once > 0;
  char bytes[FIGURE_SIZE], kept[FIGURE_SIZE];
  const neap_graph *graph = neap_problem_graph(problem);
  size_t count = graph ? neap_graph_kept_count(graph) : 0;
  if (!report->order.is_scheduled) return;
  printf("order    %s: ", neap_outcome_name(report->order.outcome));
  if (report->order.given_bound > report->bound)
    printf("lowers the bound by %s",
           figure_bytes(bytes, report->order.given_bound - report->bound));
  else printf("the original order has the same bound");
  if (report->order.outcome != NEAP_OPTIMAL && report->order.lower_bound > 0)
    printf("; %s below %s",
           reruns ? "no runs that take at most this factor get" : "no order gets",
           figure_bytes(bytes, report->order.lower_bound));
  putchar('\n');
  if (count > 0)
    printf("kept     %s in the given order: calls of subgraphs, what several call, users of "
           "variables\n",
           figure_count(kept, count, "operator"));
}

/* The quantity that further runs increase, and the unit of the sums. */
static const char *const time_words[][2] = {
    [NEAP_TIME_RUNS] = {"runs", ""},
    [NEAP_TIME_GIVEN] = {"time", ""},
    [NEAP_TIME_WORK] = {"work", " multiply-accumulates or elements"}};

/* Prints how long the operators run with --recompute, and the proven minimum. */
static void print_times(const neap_problem *problem) {
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  if (!neap_problem_order(problem, &order) || order.time_once == 0) return;
  double once = (double)order.time_once;
  printf("rerun    %.2f %% more %s: %" PRId64 " instead of %" PRId64 "%s",
         100 * (double)(order.time - order.time_once) / once, time_words[order.time_unit][0],
         order.time, order.time_once, time_words[order.time_unit][1]);
  if (order.time == order.least_time) puts("; proven to be the least");
  else
    printf("; at least %.2f %% is needed\n",
           100 * (double)(order.least_time - order.time_once) / once);
}

static void print_saved(const neap_report *report) {
  char layout[FIGURE_SIZE], order[FIGURE_SIZE];
  if (report->order.is_scheduled)
    printf("saved    %s by the layout, %s by the order\n",
           figure_bytes(layout, report->layout_saved_bytes),
           figure_bytes(order, report->order.saved_bytes));
}

/* With a schedule, the status names the layout.  Only engine auto limits its own work. */
static void print_status(const neap_report *report) {
  bool goes_on = report->run.stop_reason == NEAP_STOP_TICK_LIMIT &&
                 strcmp(report->run.engine, "auto") == 0;
  printf("status   %s%s: %s%s\n", neap_outcome_name(report->outcome),
         report->order.is_scheduled ? " layout" : "",
         neap_stop_reason_text(report->run.stop_reason),
         goes_on ? "; --engine exact searches on" : "");
  if (report->uncertified) printf("proof    proven, no certificate: %s\n", report->uncertified);
}

/* How many tensors or operators are named. */
#define NAMED_MOST 4

/* Prints the tensors that are buffers of the problem, or those that are not. */
static void print_runtime(FILE *stream, const neap_problem *problem, const char *label,
                          bool are_buffers) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  char tensors[FIGURE_SIZE], bytes[FIGURE_SIZE], name[FIGURE_NAME_SIZE];
  neap_size total = 0;
  size_t count = 0, shown = 0;
  for (size_t i = 0; neap_problem_runtime_tensor_at(problem, i, &tensor); i++) {
    if (tensor.is_buffer != are_buffers) continue;
    total = tensor.size > NEAP_MAX - total ? NEAP_MAX : total + tensor.size;
    count++;
  }
  if (count == 0) return;
  fprintf(stream, "%s%s %s of %s itself: ", label, are_buffers ? "places" : "allocates",
          figure_count(tensors, count, "tensor"), figure_bytes(bytes, total));
  for (size_t i = 0; shown < NAMED_MOST && neap_problem_runtime_tensor_at(problem, i, &tensor);
       i++)
    if (tensor.is_buffer == are_buffers)
      fprintf(stream, "%s%s", shown++ > 0 ? ", " : "", figure_name(name, tensor.name));
  if (count > shown) fprintf(stream, " and %zu more", count - shown);
  fputc('\n', stream);
}

void summary_runtime(FILE *stream, const neap_problem *problem, const char *label) {
  print_runtime(stream, problem, label, false);
  print_runtime(stream, problem, label, true);
}

json_t *summary_add_runtime(json_t *object, const neap_problem *problem) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  if (!object || !neap_problem_runtime_tensor_at(problem, 0, &tensor)) return object;
  json_t *list = json_array();
  for (size_t i = 0; list && neap_problem_runtime_tensor_at(problem, i, &tensor); i++)
    list = object_append(
        list, json_pack("{ss sI}", "name", tensor.name, "size", (json_int_t)tensor.size));
  return object_add(object, "runtime", list);
}

static void print_label(const char *name, bool is_padded) {
  printf(is_padded ? "%-8s " : "%s: ", name);
}

/* Names the operators whose scratch buffers the plan lacks, each type once. */
static void print_unknown_scratch(const neap_problem *problem) {
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  char text[ARENA_FACTS_WHICH];
  for (size_t i = 0; neap_problem_arena_unknown_at(problem, i, &note); i++)
    printf("%s%s", i > 0 ? ", " : "unknown for ", arena_facts_which(text, &note));
  puts("; --scratch adds what their kernels request");
}

static void print_missing(const neap_problem *problem) {
  const char *name;
  for (size_t i = 0; (name = neap_problem_missing(problem, i)) && i < NAMED_MOST; i++) {
    printf("without  ");
    figure_print(stdout, name);
    putchar('\n');
  }
  size_t count = 0;
  while (neap_problem_missing(problem, count))
    count++;
  if (count > NAMED_MOST) printf("without  %zu more\n", count - NAMED_MOST);
}

/* Prints the size of tensors that nothing uses, and how low the head would be without them. */
static void print_unused(const neap_plan *plan, bool is_padded) {
  const neap_problem *problem = neap_plan_problem(plan);
  char tensors[FIGURE_SIZE], bytes[FIGURE_SIZE], name[FIGURE_NAME_SIZE];
  neap_size total = 0, used = 0, top = 0;
  size_t count = 0, shown = 0;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++) {
    bool is_unused = neap_problem_is_unused(problem, i);
    neap_size end = neap_plan_offset(plan, i) + buffer.size;
    if (end > top) top = end;
    if (!is_unused && end > used) used = end;
    if (is_unused) total += buffer.size;
    count += is_unused;
  }
  if (count == 0) return;
  print_label("unused", is_padded);
  printf("%s of %s, which the runtime allocates nevertheless: ",
         figure_count(tensors, count, "tensor"), figure_bytes(bytes, total));
  for (size_t i = 0; shown < NAMED_MOST && neap_problem_buffer_at(problem, i, &buffer); i++)
    if (neap_problem_is_unused(problem, i))
      printf("%s%s", shown++ > 0 ? ", " : "", figure_name(name, buffer.name));
  if (count > shown) printf(" and %zu more", count - shown);
  if (top > used) printf("; without them, the head would be %s", figure_bytes(bytes, used));
  putchar('\n');
}

void summary_head(const neap_plan *plan, bool is_padded) {
  const neap_problem *problem = neap_plan_problem(plan);
  bool is_partial = neap_problem_unknown_scratch(problem, 0) != NULL;
  char bytes[FIGURE_SIZE];
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  if (!neap_problem_target(problem)) return;
  print_label("head", is_padded);
  neap_arena arena = NEAP_INIT(neap_arena);
  bool has_arena = neap_problem_arena(problem, report.peak, &arena);
  printf("%s%s of the arena%s\n", is_partial ? "at least " : "",
         figure_bytes(bytes, report.peak),
         has_arena ? "" : "; its tail and the interpreter come on top");
  if (has_arena) {
    print_label("arena", is_padded);
    arena_facts_print_line(stdout, problem, &arena);
  }
  if (is_partial) print_label("scratch", is_padded);
  if (is_partial) print_unknown_scratch(problem);
  print_unused(plan, is_padded);
}

/* Sizes are read with units of 1000 or of 1024 bytes: this shows which. */
static void print_capacity(const neap_report *report) {
  char capacity[FIGURE_SIZE], rest[FIGURE_SIZE];
  if (report->capacity >= 0)
    printf("capacity %s, %s free\n", figure_bytes(capacity, report->capacity),
           figure_bytes(rest, report->capacity - report->peak));
}

int summary_plan(const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  char bytes[FIGURE_SIZE], rounds[FIGURE_SIZE], gap[NEAP_GAP_TEXT];
  neap_plan_report(plan, &report);
  arena_facts_print_refused(stdout, neap_plan_problem(plan), "refused  ");
  printf("buffers  %zu\n", report.buffers);
  print_alignment(neap_plan_problem(plan));
  print_fixed(neap_plan_problem(plan));
  int code = print_bounds(plan, &report);
  if (code != 0) return code;
  print_order(&report, neap_plan_problem(plan));
  print_times(neap_plan_problem(plan));
  print_aliased(neap_plan_problem(plan));
  summary_runtime(stdout, neap_plan_problem(plan), "runtime  ");
  printf("peak     %s%s\n", neap_problem_missing(neap_plan_problem(plan), 0) ? "at least " : "",
         figure_bytes(bytes, report.peak));
  print_missing(neap_plan_problem(plan));
  summary_head(plan, true);
  print_capacity(&report);
  printf("gap      %s\n", neap_gap_text(report.gap_percent, gap));
  print_saved(&report);
  relation_facts_print_plan(plan, 9);
  print_status(&report);
  printf("effort   %s in %.3f s\n", figure_count(rounds, report.run.rounds, "round"),
         report.run.seconds);
  if (*report.run.engine)
    printf("engine   %s, seed %" PRIu64 "\n", report.run.engine, report.run.seed);
  return 0;
}
