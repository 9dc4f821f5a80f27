/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap info */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/figures.h"
#include "cli/messages.h"
#include "cli/model.h"
#include "cli/problems.h"
#include "cli/summary.h"
#include "cli/terminal.h"

/* How many of the largest buffers, and of those at the bound, are listed. */
#define LARGEST 5
#define AT_BOUND 10

static const struct option_row options[] = {
    {"json", '\0', OPTION_FLAG, offsetof(struct arguments, json), NULL, 0, false,
     "print one JSON object"},
    {"replan", '\0', OPTION_FLAG, offsetof(struct arguments, replan), NULL, 0, false,
     "leave out of account the offsets that INPUT fixes"},
    PROBLEMS_OPTIONS,
};

static const struct example examples[] = {
    {"neap info transformer_encoder.csv", "What is there to plan, and what makes the bound?"},
    {"neap info bert_base.dot",
     "What would have to shrink, and what would another order bring?"},
};

/* ---------------------------------------------------------------- counting */

struct facts {
  const neap_problem *problem;
  size_t count, fixed, with_gaps;
  neap_size total;
  neap_size alignment_low, alignment_high;
  neap_bound bound;
  size_t *largest, *at_bound; /* by size */
  size_t at_bound_count;
  neap_size without[AT_BOUND]; /* the bound without each of the first at the bound */
  bool is_model;
  struct model model; /* if so */
  neap_plan *plan;    /* NULL where it is not asked for, or not found in a second */
  neap_size peak;     /* of it, or NEAP_UNPLACED */
};

/* Long enough for nearly every problem, short enough to wait for. */
#define SECONDS "1"

static void count_buffer(struct facts *facts, const neap_buffer *buffer) {
  facts->total += buffer->size; /* which the problem has seen to fit */
  facts->fixed += buffer->fixed_offset != NEAP_UNPLACED;
  facts->with_gaps += buffer->range_count > 1;
  if (buffer->alignment < facts->alignment_low) facts->alignment_low = buffer->alignment;
  if (buffer->alignment > facts->alignment_high) facts->alignment_high = buffer->alignment;
}

static void count_all(struct facts *facts) {
  facts->count = neap_problem_count(facts->problem);
  facts->alignment_low = facts->count > 0 ? NEAP_MAX : 1;
  facts->alignment_high = 1;
  for (size_t i = 0; i < facts->count; i++) {
    neap_buffer buffer;
    neap_problem_get(facts->problem, i, &buffer);
    count_buffer(facts, &buffer);
  }
}

static size_t at_most(size_t count, size_t limit) { return count < limit ? count : limit; }

/* A plan is found for models, and to be shown. */
static int find_plan(struct facts *facts, const struct arguments *arguments) {
  neap_error error;
  neap_report report;
  bool is_shown = !arguments->json && (terminal_is_one() || arguments->verbose);
  facts->peak = NEAP_UNPLACED;
  if (!facts->is_model && !is_shown) return 0;
  neap_options *planning = neap_options_new();
  if (!planning) return message_memory();
  neap_status status = neap_options_set(planning, "time-limit", SECONDS, &error);
  if (status == NEAP_OK) status = neap_solve(facts->problem, planning, &facts->plan, &error);
  neap_options_free(planning);
  if (status == NEAP_NO_PLAN) return 0;
  if (status != NEAP_OK) return message_error(&error);
  neap_plan_report(facts->plan, &report);
  facts->peak = report.peak;
  return 0;
}

static int facts_find(struct facts *facts, const neap_problem *problem,
                      const struct arguments *arguments) {
  neap_error error;
  *facts = (struct facts){.problem = problem, .is_model = neap_problem_graph(problem) != NULL};
  if (neap_problem_bound(problem, &facts->bound, &error) != NEAP_OK)
    return message_error(&error);
  count_all(facts);
  facts->largest = problems_by_size(problem, NEAP_UNPLACED, &facts->count);
  facts->at_bound = problems_by_size(problem, facts->bound.start, &facts->at_bound_count);
  if (!facts->largest || !facts->at_bound) return message_memory();
  if (neap_problem_bounds_without(problem, facts->at_bound,
                                  at_most(facts->at_bound_count, AT_BOUND), facts->without,
                                  &error) != NEAP_OK)
    return message_error(&error);
  int code = find_plan(facts, arguments);
  if (code != 0 || !facts->is_model) return code;
  return problems_describe_model(arguments, problem, &facts->model);
}

static void facts_clear(struct facts *facts) {
  neap_plan_free(facts->plan);
  free(facts->largest);
  free(facts->at_bound);
}

static double share_percent(const struct facts *facts, neap_size size) {
  return facts->bound.bytes > 0 ? 100 * (double)size / (double)facts->bound.bytes : 0;
}

/* ---------------------------------------------------------------- for people */

#define LABEL 11

static void print_label(const char *label) { printf("%-*s", LABEL, label); }

static void print_counts(const struct facts *facts) {
  char text[FIGURE_SIZE];
  neap_size low = facts->alignment_low, high = facts->alignment_high;
  print_label("buffers");
  printf("%zu, together %s\n", facts->count, figure_bytes(text, facts->total));
  if (facts->is_model)
    model_print(&facts->model, &facts->bound, facts->total, facts->peak, LABEL);
  print_label("time");
  printf("%s\n", figure_range(text, 0, neap_problem_horizon(facts->problem)));
  summary_bound(&facts->bound, LABEL);
  print_label("alignment");
  if (low == high) printf("%" PRId64 "\n", low);
  else printf("%" PRId64 " to %" PRId64 "\n", low, high);
  if (facts->fixed > 0) {
    print_label("fixed");
    printf("%s\n", figure_count(text, facts->fixed, "offset"));
  }
  if (facts->with_gaps > 0) {
    print_label("gaps");
    printf("in %s\n", figure_count(text, facts->with_gaps, "lifetime"));
  }
}

static int widest_name(const neap_problem *problem, const size_t *indices, size_t count) {
  int widest = 0;
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer;
    char name[FIGURE_NAME_SIZE];
    neap_problem_get(problem, indices[i], &buffer);
    int width = figure_width(figure_name(name, buffer.name));
    if (width > widest) widest = width;
  }
  return widest;
}

/* `place`: among those at the bound; then their shares and what is left without them are said. */
static void print_buffer(const struct facts *facts, size_t index, int name_width,
                         const size_t *place) {
  neap_buffer buffer;
  char name[FIGURE_NAME_SIZE], unit[FIGURE_SIZE], range[FIGURE_SIZE];
  neap_problem_get(facts->problem, index, &buffer);
  int padding = name_width - figure_width(figure_name(name, buffer.name));
  figure_range(range, buffer.ranges[0].start, buffer.ranges[buffer.range_count - 1].end);
  printf("  %s%*s  %12" PRId64 "  %10s", name, padding, "", buffer.size,
         figure_unit(unit, buffer.size));
  if (place)
    printf("  %5.1f %%  %10s", share_percent(facts, buffer.size),
           figure_unit(unit, facts->without[*place]));
  printf("  %s\n", range);
}

static void print_list(const struct facts *facts, const size_t *indices, size_t count,
                       size_t limit, bool at_bound) {
  size_t shown = at_most(count, limit);
  int width = widest_name(facts->problem, indices, shown);
  for (size_t i = 0; i < shown; i++)
    print_buffer(facts, indices[i], width, at_bound ? &i : NULL);
  if (count > shown && at_bound) printf("  and %zu more\n", count - shown);
}

/* Of a model: who works then. */
static void print_operator(const struct facts *facts) {
  const neap_graph *graph = neap_problem_graph(facts->problem);
  size_t at = (size_t)facts->bound.start;
  if (!facts->is_model || at >= neap_graph_operator_count(graph)) return;
  const char *name = neap_graph_operator_name(graph, at);
  if (*name) printf(", while %.60s works", name);
}

static void print_facts(const struct facts *facts) {
  char range[FIGURE_SIZE];
  print_counts(facts);
  if (facts->count == 0) return;
  puts("\nThe largest, and when they are alive:");
  print_list(facts, facts->largest, facts->count, LARGEST, false);
  if (facts->bound.range_count == 0) return;
  printf("\nAlive at the bound, at time %s",
         figure_range(range, facts->bound.start, facts->bound.end));
  print_operator(facts);
  puts(": their shares of it, and what it would be without each:");
  print_list(facts, facts->at_bound, facts->at_bound_count, AT_BOUND, true);
}

/* On a terminal, or with --verbose. */
static int show_plan(const struct facts *facts, const struct arguments *arguments) {
  neap_error error;
  if (facts->count == 0 || !facts->plan || !(terminal_is_one() || arguments->verbose)) return 0;
  neap_text_style style = terminal_style(arguments);
  puts("\nA plan for it, found in a second at most:");
  if (neap_plan_draw_text(facts->plan, &style, stdout, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

/* ---------------------------------------------------------------- for programs */

static json_t *buffer_object(const struct facts *facts, size_t index) {
  neap_buffer buffer;
  neap_problem_get(facts->problem, index, &buffer);
  return json_pack("{ss sI sI sI so}", "name", buffer.name, "size", (json_int_t)buffer.size,
                   "start", (json_int_t)buffer.ranges[0].start, "end",
                   (json_int_t)buffer.ranges[buffer.range_count - 1].end, "share_percent",
                   summary_real(share_percent(facts, buffer.size)));
}

/* `without`: what the bound would be without each; NULL leaves it out. */
static json_t *buffer_list(const struct facts *facts, const size_t *indices, size_t count,
                           const neap_size *without) {
  json_t *list = json_array();
  for (size_t i = 0; i < count && list; i++) {
    json_t *object = buffer_object(facts, indices[i]);
    if (object && without)
      json_object_set_new(object, "bound_without", json_integer((json_int_t)without[i]));
    list = summary_append(list, object);
  }
  return list;
}

/* Of a model; NULL of others, and where memory is short. */
static json_t *model_object(const struct facts *facts) {
  const struct model *model = &facts->model;
  if (!facts->is_model) return NULL;
  return json_pack(
      "{sI sI sI sI sI sI sI}", "operators", (json_int_t)model->operators, "tensors",
      (json_int_t)model->tensors, "constants", (json_int_t)model->left_out.constants,
      "constant_bytes", (json_int_t)model->left_out.constant_bytes, "elsewhere",
      (json_int_t)model->left_out.elsewhere, "min_peak_bound",
      (json_int_t)model->min_peak_bound, "peak", (json_int_t)(facts->plan ? facts->peak : 0));
}

static int print_json(const char *input, const struct facts *facts) {
  const neap_bound *bound = &facts->bound;
  return summary_json(json_pack(
      "{so sI sI sI sI sI sI sI sI sI sI sI sI so sI so so*}", "input", summary_text(input),
      "buffers", (json_int_t)facts->count, "total_bytes", (json_int_t)facts->total, "horizon",
      (json_int_t)neap_problem_horizon(facts->problem), "bound", (json_int_t)bound->bytes,
      "lower_bound", (json_int_t)bound->lower_bound, "bound_start", (json_int_t)bound->start,
      "bound_end", (json_int_t)bound->end, "bound_times", (json_int_t)bound->range_count,
      "alignment_low", (json_int_t)facts->alignment_low, "alignment_high",
      (json_int_t)facts->alignment_high, "fixed", (json_int_t)facts->fixed, "with_gaps",
      (json_int_t)facts->with_gaps, "largest",
      buffer_list(facts, facts->largest, at_most(facts->count, LARGEST), NULL),
      "at_bound_count", (json_int_t)facts->at_bound_count, "at_bound",
      buffer_list(facts, facts->at_bound, at_most(facts->at_bound_count, AT_BOUND),
                  facts->without),
      "model", model_object(facts)));
}

static int run(const struct arguments *arguments) {
  struct facts facts = {0};
  neap_problem *problem;
  int code = problems_read(arguments, &problem);
  if (code != 0) return code;
  code = facts_find(&facts, problem, arguments);
  if (code == 0 && arguments->json) code = print_json(arguments->operand, &facts);
  else if (code == 0) {
    print_facts(&facts);
    code = show_plan(&facts, arguments);
  }
  facts_clear(&facts);
  neap_problem_free(problem);
  return code;
}

const struct command command_info = {
    .name = "info",
    .summary = "say what is to be planned, what its bound is, and which buffers make it",
    .operand = "INPUT",
    .usage = "INPUT [OPTION...]",
    .description = "Describes the problem in INPUT: how many buffers, how large, the "
                   "bound, which is the largest sum of sizes alive at one moment, when it "
                   "is attained, which buffers are alive then, and how far it would fall "
                   "without each.\n\n"
                   "On a terminal, or with --verbose, it also draws a plan.\n\n"
                   "Of a model it says, too, what is not planned, what another order of its "
                   "operators would bring, and how much memory a plan takes.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
