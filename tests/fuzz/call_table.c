/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/call_table.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/failing_memory.h"

/* ---------------------------------------------------------------- words and complaints */

static int64_t number(const struct trace_line *line, unsigned index) {
  return index < line->count ? line->words[index].number : 0;
}

static uint64_t below(const struct trace_line *line, unsigned index, uint64_t limit) {
  return (uint64_t)number(line, index) % limit;
}

static const char *text(const struct trace_line *line, unsigned index) {
  return index < line->count ? line->words[index].text : "";
}

static void complain(struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct world *world, const char *format, ...) {
  va_list arguments;
  if (world->complaint[0] != '\0') return;
  va_start(arguments, format);
  vsnprintf(world->complaint, sizeof world->complaint, format, arguments);
  va_end(arguments);
}

/* ---------------------------------------------------------------- around each call */

static void begin(struct world *world, neap_error *error) {
  *error = (neap_error)NEAP_ERROR_INIT;
  world->calls++;
  failing_memory_arm(world->fail_at, world->all_after);
}

/* Checks what must hold after every call, whatever its arguments. */
static bool ended(struct world *world, const char *name, neap_status status,
                  const neap_error *error) {
  bool failed = failing_memory_disarm();
  world->fail_at = 0;
  if (status > NEAP_ERROR_UNSOUND) complain(world, "%s: status %d", name, (int)status);
  if (status == NEAP_ERROR_MEMORY && !failed)
    complain(world, "%s: out of memory without cause", name);
  if (status != NEAP_OK && (error->status != status || error->text[0] == '\0' ||
                            strchr(error->text, '\n') || !memchr(error->text, 0, 1024)))
    complain(world, "%s: status %s, but the error is %s: %.100s", name,
             neap_status_name(status), neap_status_name(error->status), error->text);
  return status == NEAP_OK;
}

static bool is_full(struct world *world, const char *name, const void *made) {
  bool failed = failing_memory_disarm();
  world->fail_at = 0;
  if (!made && !failed) complain(world, "%s: NULL without cause", name);
  return made != NULL;
}

/* ---------------------------------------------------------------- problems */

static struct problem_slot *slot_of(struct world *world, const struct trace_line *line,
                                    unsigned word) {
  return &world->problems[below(line, word, SLOTS)];
}

/* NULL if there is none or it may not change. */
static neap_problem *changeable(struct world *world, const struct trace_line *line) {
  const struct problem_slot *slot = slot_of(world, line, 1);
  return slot->users == 0 ? slot->problem : NULL;
}

static void new_problem(struct world *world, const struct trace_line *line) {
  struct problem_slot *slot = slot_of(world, line, 1);
  neap_error error;
  if (slot->problem) return;
  begin(world, &error);
  slot->problem = neap_problem_new();
  is_full(world, "neap_problem_new", slot->problem);
}

static void free_problem(struct world *world, const struct trace_line *line) {
  struct problem_slot *slot = slot_of(world, line, 1);
  if (slot->users > 0) return;
  neap_problem_free(slot->problem);
  slot->problem = NULL;
}

/* Few buffers, so that planning is quick. */
#define BUFFERS_MOST 14

static void add_simple(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  char name[24];
  if (!problem || neap_problem_count(problem) >= BUFFERS_MOST) return;
  size_t count = neap_problem_count(problem);
  snprintf(name, sizeof name, "b%" PRId64, number(line, 2) == 13 ? 0 : (int64_t)count);
  begin(world, &error);
  neap_status status = neap_problem_add_simple(problem, name, number(line, 2), number(line, 3),
                                               number(line, 4), &error);
  ended(world, "neap_problem_add_simple", status, &error);
  if (neap_problem_count(problem) != count + (status == NEAP_OK))
    complain(world, "neap_problem_add_simple: the count is wrong");
}

/* add SLOT SIZE START END ALIGNMENT FIXED LOW HIGH BANK NEAR POOL */
static void add(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  char name[24];
  if (!problem || neap_problem_count(problem) >= BUFFERS_MOST) return;
  size_t pool = (size_t)number(line, 11);
  neap_range ranges[2] = {{number(line, 3), number(line, 4)},
                          {number(line, 4) + 2, number(line, 4) + 3}};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  snprintf(name, sizeof name, "b%zu", neap_problem_count(problem));
  buffer.name = name;
  buffer.size = number(line, 2);
  buffer.ranges = ranges;
  buffer.range_count = 1 + below(line, 3, 2);
  buffer.alignment = number(line, 5);
  buffer.fixed_offset = number(line, 6);
  buffer.window_low = number(line, 7);
  if (number(line, 8) >= 0) buffer.window_high = number(line, 8);
  buffer.bank = number(line, 9);
  buffer.near_offset = number(line, 10);
  if (number(line, 11) >= 0) {
    buffer.pools = &pool;
    buffer.pool_count = 1;
  }
  begin(world, &error);
  ended(world, "neap_problem_add", neap_problem_add(problem, &buffer, &error), &error);
}

static void add_arrays(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  neap_time starts[3], ends[3];
  neap_size sizes[3];
  if (!problem || neap_problem_count(problem) >= BUFFERS_MOST) return;
  neap_arrays arrays = {sizeof arrays, 1 + below(line, 2, 3), starts, ends, sizes, NULL, NULL};
  for (size_t i = 0; i < 3; i++) {
    starts[i] = number(line, 3) + (neap_time)i;
    ends[i] = starts[i] + 1 + (neap_time)below(line, 4, 4);
    sizes[i] = number(line, 5);
  }
  begin(world, &error);
  ended(world, "neap_problem_add_arrays", neap_problem_add_arrays(problem, &arrays, &error),
        &error);
}

static void add_pool(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  neap_pool pool = NEAP_POOL_INIT;
  char name[24];
  if (!problem) return;
  snprintf(name, sizeof name, "p%" PRId64, number(line, 2));
  pool.name = name;
  pool.capacity = number(line, 3);
  pool.alignment = number(line, 4);
  pool.cost = number(line, 5);
  pool.base = number(line, 6);
  begin(world, &error);
  ended(world, "neap_problem_add_pool", neap_problem_add_pool(problem, &pool, &error), &error);
}

static void set_pool(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  if (!problem) return;
  begin(world, &error);
  neap_status status =
      neap_problem_set_pool_capacity(problem, (size_t)number(line, 2), number(line, 3), &error);
  ended(world, "neap_problem_set_pool_capacity", status, &error);
}

static void relate(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  if (!problem) return;
  neap_relation relation = {
      sizeof relation,         (neap_relation_kind)below(line, 2, NEAP_RELATION_KIND_COUNT),
      (size_t)number(line, 3), (size_t)number(line, 4),
      number(line, 5),         below(line, 5, 2) ? "because" : NULL};
  begin(world, &error);
  ended(world, "neap_problem_relate", neap_problem_relate(problem, &relation, &error), &error);
}

static void reserve(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  if (!problem) return;
  neap_reserved reserved = {sizeof reserved,
                            (size_t)number(line, 2),
                            number(line, 3),
                            number(line, 4),
                            {number(line, 5), number(line, 6)}};
  begin(world, &error);
  ended(world, "neap_problem_reserve", neap_problem_reserve(problem, &reserved, &error),
        &error);
}

static void set_near(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  if (!problem || neap_problem_count(problem) == 0) return;
  begin(world, &error);
  neap_status status =
      neap_problem_set_near(problem, below(line, 2, neap_problem_count(problem)),
                            number(line, 3), number(line, 4), &error);
  ended(world, "neap_problem_set_near", status, &error);
}

static void align(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  if (!problem) return;
  begin(world, &error);
  ended(world, "neap_problem_align",
        neap_problem_align(problem, number(line, 2), number(line, 3), &error), &error);
}

static void set_objective(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  neap_term order[NEAP_TERM_COUNT];
  if (!problem) return;
  for (unsigned i = 0; i < NEAP_TERM_COUNT; i++)
    order[i] =
        (neap_term)((i * (1 + 2 * below(line, 2, 2)) + below(line, 3, 4)) % NEAP_TERM_COUNT);
  if (below(line, 2, 5) == 4) order[0] = order[1]; /* which is refused */
  begin(world, &error);
  ended(world, "neap_problem_set_objective", neap_problem_set_objective(problem, order, &error),
        &error);
}

static void add_runtime(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  char name[24];
  if (!problem) return;
  snprintf(name, sizeof name, "b%" PRId64, number(line, 2));
  begin(world, &error);
  neap_status status = neap_problem_add_runtime_tensor(problem, name, number(line, 3), &error);
  ended(world, "neap_problem_add_runtime_tensor", status, &error);
}

static void examine(struct world *world, const struct trace_line *line) {
  const neap_problem *problem = slot_of(world, line, 1)->problem;
  neap_error error;
  neap_bound bound = NEAP_INIT(neap_bound);
  if (!problem) return;
  begin(world, &error);
  if (ended(world, "neap_problem_bound", neap_problem_bound(problem, &bound, &error), &error) &&
      (bound.bytes < 0 || bound.lower_bound < bound.bytes || bound.start > bound.end))
    complain(world, "neap_problem_bound: %" PRId64 ", lower bound %" PRId64, bound.bytes,
             bound.lower_bound);
  begin(world, &error);
  ended(world, "neap_problem_check", neap_problem_check(problem, &error), &error);
  size_t count = 0, index;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  while (neap_problem_buffer_at(problem, count, &buffer)) {
    if (!neap_problem_find(problem, buffer.name, &index) || index != count)
      complain(world, "neap_problem_find: buffer %zu is not found", count);
    count++;
  }
  if (count != neap_problem_count(problem)) complain(world, "%zu buffers are listed", count);
}

/* ---------------------------------------------------------------- problems of other programs */

static void add_range(struct world *world, const struct trace_line *line) {
  struct lists *lists = &world->lists;
  neap_range *grown = realloc(lists->ranges, (lists->range_count + 1) * sizeof *grown);
  if (!grown) return;
  lists->ranges = grown;
  grown[lists->range_count++] = (neap_range){number(line, 1), number(line, 2)};
}

static void add_choice(struct world *world, const struct trace_line *line) {
  struct lists *lists = &world->lists;
  size_t *grown = realloc(lists->pools, (lists->pool_count + 1) * sizeof *grown);
  if (!grown) return;
  lists->pools = grown;
  grown[lists->pool_count++] = (size_t)number(line, 1);
}

static void clear_lists(struct lists *lists) {
  free(lists->ranges);
  free(lists->pools);
  *lists = (struct lists){0};
}

/* buffer SLOT SIZE ALIGNMENT FIXED LOW HIGH BANK NEAR COST: with preceding ranges and choices */
static void add_buffer(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  char name[24];
  if (!problem) return;
  snprintf(name, sizeof name, "b%zu", neap_problem_count(problem));
  buffer.name = name;
  buffer.ranges = world->lists.ranges;
  buffer.range_count = world->lists.range_count;
  buffer.pools = world->lists.pools;
  buffer.pool_count = world->lists.pool_count;
  buffer.size = number(line, 2);
  buffer.alignment = number(line, 3);
  buffer.fixed_offset = number(line, 4);
  buffer.window_low = number(line, 5);
  buffer.window_high = number(line, 6);
  buffer.bank = number(line, 7);
  buffer.near_offset = number(line, 8);
  buffer.move_cost = number(line, 9);
  begin(world, &error);
  ended(world, "neap_problem_add", neap_problem_add(problem, &buffer, &error), &error);
  clear_lists(&world->lists);
}

static void set_terms(struct world *world, const struct trace_line *line) {
  neap_problem *problem = changeable(world, line);
  neap_error error;
  neap_term order[NEAP_TERM_COUNT];
  if (!problem) return;
  for (unsigned i = 0; i < NEAP_TERM_COUNT; i++)
    order[i] = (neap_term)below(line, 2 + i, NEAP_TERM_COUNT);
  begin(world, &error);
  ended(world, "neap_problem_set_objective", neap_problem_set_objective(problem, order, &error),
        &error);
}

/* ---------------------------------------------------------------- graphs */

static void new_graph(struct world *world, const struct trace_line *line) {
  neap_graph **graph = &world->graphs[below(line, 1, SLOTS)];
  neap_error error;
  if (*graph) return;
  begin(world, &error);
  *graph = neap_graph_new();
  is_full(world, "neap_graph_new", *graph);
}

static void free_graph(struct world *world, const struct trace_line *line) {
  neap_graph **graph = &world->graphs[below(line, 1, SLOTS)];
  neap_graph_free(*graph);
  *graph = NULL;
}

static void add_tensor(struct world *world, const struct trace_line *line) {
  neap_graph *graph = world->graphs[below(line, 1, SLOTS)];
  neap_tensor tensor = NEAP_TENSOR_INIT;
  neap_error error;
  char name[24];
  if (!graph || neap_graph_tensor_count(graph) >= BUFFERS_MOST) return;
  uint64_t flags = below(line, 4, 64);
  snprintf(name, sizeof name, "t%zu", neap_graph_tensor_count(graph));
  tensor.bytes = number(line, 2);
  tensor.alignment = number(line, 3);
  tensor.kind = flags < 40 ? NEAP_TENSOR_ACTIVATION : (neap_tensor_kind)(flags % 4);
  tensor.is_input = flags % 5 == 0;
  tensor.is_output = flags % 7 == 0;
  tensor.is_kept = flags % 11 == 0;
  tensor.is_unused = flags % 13 == 0;
  begin(world, &error);
  ended(world, "neap_graph_add_tensor", neap_graph_add_tensor(graph, name, &tensor, &error),
        &error);
}

/* operator SLOT INPUT INPUT OUTPUT TEMPORARY, where -1 is none: with links and a label */
static void add_operator(struct world *world, const struct trace_line *line) {
  neap_graph *graph = world->graphs[below(line, 1, SLOTS)];
  static const neap_link links[] = {NEAP_LINK_INPUT, NEAP_LINK_INPUT, NEAP_LINK_OUTPUT,
                                    NEAP_LINK_TEMPORARY};
  neap_error error;
  if (!graph || neap_graph_operator_count(graph) >= BUFFERS_MOST) return;
  begin(world, &error);
  if (!ended(world, "neap_graph_add_operator", neap_graph_add_operator(graph, "OP", &error),
             &error))
    return;
  for (unsigned i = 0; i < 4; i++) {
    if (number(line, 2 + i) < 0) continue;
    begin(world, &error);
    neap_status status =
        neap_graph_add_link(graph, links[i], (size_t)number(line, 2 + i), &error);
    if (!ended(world, "neap_graph_add_link", status, &error)) {
      neap_graph_remove_operator(graph); /* as the header advises */
      return;
    }
  }
}

/* pair SLOT WHAT INPUT OUTPUT BYTES: what the operator added last permits */
static void add_pair(struct world *world, const struct trace_line *line) {
  neap_graph *graph = world->graphs[below(line, 1, SLOTS)];
  neap_error error;
  neap_status status;
  if (!graph) return;
  size_t input = (size_t)number(line, 3), output = (size_t)number(line, 4);
  begin(world, &error);
  switch (below(line, 2, 5)) {
  case 0:
    status = neap_graph_add_pair(
        graph, &(neap_in_place){sizeof(neap_in_place), input, output, false}, &error);
    break;
  case 1:
    status = neap_graph_add_allowance(
        graph, &(neap_allowance){sizeof(neap_allowance), input, output, number(line, 5)},
        &error);
    break;
  case 2:
    status = neap_graph_add_part(
        graph,
        &(neap_part){sizeof(neap_part), input, output, number(line, 5), NEAP_ALIAS_CONCAT},
        &error);
    break;
  case 3:
    status = neap_graph_add_state(graph, input, output, &error);
    break;
  default:
    status = neap_graph_label_operator(graph, "label", &error);
  }
  ended(world, "a pair of an operator", status, &error);
}

static neap_liveness liveness_of(uint64_t bits) {
  return (neap_liveness){.in_place = bits & 1,
                         .overlap = bits & 2,
                         .aliases = bits >> 2 & 7,
                         .keep_all = (bits & 96) == 96,
                         .no_inputs = bits & 128,
                         .no_outputs = bits & 256};
}

static void reorder(struct world *world, const struct trace_line *line) {
  neap_graph *graph = world->graphs[below(line, 1, SLOTS)];
  neap_liveness liveness = liveness_of(below(line, 3, 512));
  neap_scheduling scheduling = {.schedule = (neap_schedule)below(line, 2, 4), .max_ticks = 500};
  neap_error error;
  if (!graph) return;
  begin(world, &error);
  if (!ended(world, "neap_graph_reorder",
             neap_graph_reorder(graph, &scheduling, &liveness, &error), &error) ||
      below(line, 2, 8) < 4)
    return;
  begin(world, &error);
  ended(world, "neap_graph_try_orders",
        neap_graph_try_orders(graph, &scheduling, &liveness, &error), &error);
}

/* The graph's problem, in a slot that is free. */
static void derive(struct world *world, const struct trace_line *line) {
  struct problem_slot *slot = slot_of(world, line, 1);
  const neap_graph *graph = world->graphs[below(line, 2, SLOTS)];
  neap_liveness liveness = liveness_of(below(line, 3, 512));
  neap_error error;
  if (slot->problem || !graph) return;
  begin(world, &error);
  neap_status status = neap_graph_to_problem(graph, &liveness, &slot->problem, &error);
  ended(world, "neap_graph_to_problem", status, &error);
}

/* ---------------------------------------------------------------- options */

static void new_defaults(struct world *world, const struct trace_line *line) {
  neap_options **options = &world->options[below(line, 1, SLOTS)];
  neap_error error;
  if (*options) return;
  begin(world, &error);
  *options = neap_options_new();
  is_full(world, "neap_options_new", *options);
}

/* Without limits of their own, some options would let planning take long. */
static void new_options(struct world *world, const struct trace_line *line) {
  neap_options *const *options = &world->options[below(line, 1, SLOTS)];
  neap_error error;
  if (*options) return;
  new_defaults(world, line);
  if (*options && neap_options_set(*options, "max-ticks", "3000", &error) != NEAP_OK)
    complain(world, "max-ticks: %s", error.text);
}

static void free_options(struct world *world, const struct trace_line *line) {
  neap_options **options = &world->options[below(line, 1, SLOTS)];
  neap_options_free(*options);
  *options = NULL;
}

static void set_option(struct world *world, const struct trace_line *line) {
  neap_options *options = world->options[below(line, 1, SLOTS)];
  neap_error error;
  if (!options) return;
  begin(world, &error);
  ended(world, "neap_options_set",
        neap_options_set(options, text(line, 2), text(line, 3), &error), &error);
}

/* ---------------------------------------------------------------- plans */

static bool has_room(const struct plan_slot *slot) { return slot->plan == NULL; }

static void keep_plan(struct plan_slot *slot, neap_plan *plan, struct problem_slot *of,
                      bool is_planned) {
  *slot = (struct plan_slot){plan, of, is_planned};
  if (of) of->users++;
}

static void free_plan(struct world *world, const struct trace_line *line) {
  struct plan_slot *slot = &world->plans[below(line, 1, SLOTS)];
  if (slot->plan && slot->of) slot->of->users--;
  neap_plan_free(slot->plan);
  *slot = (struct plan_slot){0};
}

/* Checks what must hold of every plan that neap makes. */
static void check_plan(struct world *world, const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_error error = NEAP_ERROR_INIT;
  neap_plan_report(plan, &report);
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status != NEAP_OK) complain(world, "a plan is unsound: %s", error.text);
  if (report.bound > report.lower_bound || report.lower_bound > report.peak)
    complain(world, "bound %" PRId64 ", lower bound %" PRId64 ", peak %" PRId64, report.bound,
             report.lower_bound, report.peak);
  neap_round round = NEAP_INIT(neap_round);
  neap_moment moment = NEAP_INIT(neap_moment);
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  neap_overlap overlap = NEAP_INIT(neap_overlap);
  neap_size last = NEAP_MAX, sum = 0;
  for (size_t i = 0; neap_plan_round_at(plan, i, &round); i++)
    if (round.round != i + 1) complain(world, "round %zu is numbered wrongly", i);
  for (size_t i = 0; neap_plan_moment_at(plan, i, &moment); i++) {
    if (moment.peak != NEAP_UNPLACED && moment.peak < 0) complain(world, "a moment's peak");
  }
  for (size_t i = 0; neap_plan_pool_at(plan, i, &pool); i++)
    last = pool.peak < last ? pool.peak : last;
  for (size_t i = 0; neap_plan_overlap_at(plan, i, &overlap); i++)
    sum += overlap.high - overlap.low;
  if (sum != report.costs.overlapped_bytes && sum >= 0)
    complain(world, "overlaps do not add up");
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(plan)); i++)
    if (neap_plan_offset(plan, i) < 0 || neap_plan_risk(plan, i) > NEAP_RISK_HIGH)
      complain(world, "buffer %zu has no offset", i);
}

static void solve(struct world *world, const struct trace_line *line) {
  struct plan_slot *slot = &world->plans[below(line, 1, SLOTS)];
  struct problem_slot *of = slot_of(world, line, 2);
  const neap_options *options = world->options[below(line, 3, SLOTS)];
  neap_plan *plan;
  neap_error error;
  if (!has_room(slot) || !of->problem || !options) return;
  begin(world, &error);
  neap_status status = neap_solve(of->problem, options, &plan, &error);
  if (status == NEAP_ERROR_UNSOUND) complain(world, "neap_solve: %s", error.text);
  if (!ended(world, "neap_solve", status, &error)) return;
  keep_plan(slot, plan, of, true);
  check_plan(world, plan);
}

/* A plan of offsets that another planner made, sound or not. */
static void import_plan(struct world *world, const struct trace_line *line) {
  struct plan_slot *slot = &world->plans[below(line, 1, SLOTS)];
  struct problem_slot *of = slot_of(world, line, 2);
  neap_offset offsets[3 * BUFFERS_MOST];
  neap_plan *plan;
  neap_error error;
  if (!has_room(slot) || !of->problem ||
      neap_problem_count(of->problem) > sizeof offsets / sizeof offsets[0])
    return;
  for (size_t i = 0; i < neap_problem_count(of->problem); i++)
    offsets[i] = (neap_offset)((uint64_t)number(line, 3) + i * below(line, 4, 100));
  begin(world, &error);
  neap_status status = neap_plan_new(of->problem, offsets, &plan, &error);
  if (ended(world, "neap_plan_new", status, &error)) keep_plan(slot, plan, of, false);
}

static void set_base(struct world *world, const struct trace_line *line) {
  neap_plan *plan = world->plans[below(line, 1, SLOTS)].plan;
  neap_error error;
  if (!plan) return;
  begin(world, &error);
  ended(world, "neap_plan_set_base",
        neap_plan_set_base(plan, (uint64_t)number(line, 2), &error), &error);
  begin(world, &error);
  ended(world, "neap_plan_set_capacity", neap_plan_set_capacity(plan, number(line, 3), &error),
        &error);
}

static void verify(struct world *world, const struct trace_line *line) {
  const struct plan_slot *slot = &world->plans[below(line, 1, SLOTS)];
  neap_error error;
  if (!slot->plan) return;
  begin(world, &error);
  neap_status status = neap_plan_verify(slot->plan, number(line, 2), &error);
  ended(world, "neap_plan_verify", status, &error);
  neap_collision *collisions = NULL;
  size_t count;
  uint64_t total;
  begin(world, &error);
  neap_status listed =
      neap_plan_collisions(slot->plan, below(line, 3, 8), &collisions, &count, &total, &error);
  if (!ended(world, "neap_plan_collisions", listed, &error)) return;
  if (total > 0 && status == NEAP_OK) complain(world, "a plan with collisions is accepted");
  if (count > total || count > below(line, 3, 8)) complain(world, "too many collisions");
  neap_collisions_free(collisions);
}

static void certify(struct world *world, const struct trace_line *line) {
  const struct plan_slot *slot = &world->plans[below(line, 1, SLOTS)];
  const neap_certifying how = {.struct_size = sizeof how,
                               .capacity = number(line, 2),
                               .max_states = 1 + below(line, 3, 300)};
  neap_certificate *certificate;
  neap_error error;
  if (!slot->plan || neap_problem_check(neap_plan_problem(slot->plan), &error) != NEAP_OK)
    return;
  const neap_plan *plan = below(line, 3, 3) > 0 ? slot->plan : NULL;
  begin(world, &error);
  neap_status status =
      neap_certify(neap_plan_problem(slot->plan), plan, &how, &certificate, &error);
  if (!ended(world, "neap_certify", status, &error)) return;
  const char *written = neap_certificate_text(certificate);
  neap_certificate_info info = NEAP_INIT(neap_certificate_info);
  neap_certificate_describe(certificate, &info);
  if (info.bytes != strlen(written) || written[info.bytes - 1] != '\n')
    complain(world, "a certificate of %zu bytes does not end there", info.bytes);
  neap_certificate_free(certificate);
}

static void explain(struct world *world, const struct trace_line *line) {
  const neap_problem *problem = slot_of(world, line, 1)->problem;
  const neap_options *options = world->options[below(line, 2, SLOTS)];
  const neap_explaining how = {.struct_size = sizeof how, .fixes = 1 + below(line, 3, 3)};
  neap_explanation *explanation;
  neap_error error;
  if (!problem || !options || neap_problem_count(problem) > 6) return;
  begin(world, &error);
  neap_status status = neap_explain(problem, options, &how, &explanation, &error);
  if (!ended(world, "neap_explain", status, &error)) return;
  neap_explanation_report report = NEAP_INIT(neap_explanation_report);
  neap_explanation_get_report(explanation, &report);
  size_t buffer, count = 0;
  neap_fix fix = NEAP_INIT(neap_fix);
  for (; neap_explanation_core_at(explanation, count, &buffer); count++)
    if (buffer >= neap_problem_count(problem)) complain(world, "a core of no buffer");
  if (count != report.core_count) complain(world, "%zu buffers of a core are listed", count);
  for (count = 0; neap_explanation_fix_at(explanation, count, &fix);)
    count++;
  if (count != report.fix_count) complain(world, "%zu fixes are listed", count);
  if (neap_explanation_plan(explanation)) check_plan(world, neap_explanation_plan(explanation));
  neap_explanation_free(explanation);
}

/* ---------------------------------------------------------------- planning in steps */

static void new_planner(struct world *world, const struct trace_line *line) {
  struct planner_slot *slot = &world->planners[below(line, 1, SLOTS)];
  struct problem_slot *of = slot_of(world, line, 2);
  const neap_options *options = world->options[below(line, 3, SLOTS)];
  neap_error error;
  if (slot->planner || !of->problem || !options) return;
  begin(world, &error);
  neap_status status = neap_planner_new(of->problem, options, &slot->planner, &error);
  if (!ended(world, "neap_planner_new", status, &error)) return;
  slot->of = of;
  slot->callbacks = 0;
  of->users++;
}

static void free_planner(struct world *world, const struct trace_line *line) {
  struct planner_slot *slot = &world->planners[below(line, 1, SLOTS)];
  if (slot->planner) slot->of->users--;
  neap_planner_free(slot->planner);
  *slot = (struct planner_slot){0};
}

/* May take plans and cancel. */
static void at_progress(const neap_progress *progress, void *user) {
  struct planner_slot *slot = user;
  neap_plan *plan = NULL;
  (void)progress;
  if (neap_planner_plan(slot->planner, &plan, NULL) == NEAP_OK) neap_plan_free(plan);
  if (++slot->callbacks == slot->cancel_after) neap_planner_cancel(slot->planner);
}

static void at_round(const neap_round *round, void *user) {
  at_progress(NULL, user);
  (void)round;
}

static void watch(struct world *world, const struct trace_line *line) {
  struct planner_slot *slot = &world->planners[below(line, 1, SLOTS)];
  if (!slot->planner) return;
  slot->cancel_after = (unsigned)below(line, 2, 20);
  neap_planner_on_progress(slot->planner, below(line, 3, 2) ? at_progress : NULL, slot);
  neap_planner_on_round(slot->planner, below(line, 3, 3) ? at_round : NULL, slot);
}

static void step(struct world *world, const struct trace_line *line) {
  struct planner_slot *slot = &world->planners[below(line, 1, SLOTS)];
  bool done = false;
  neap_error error;
  for (uint64_t i = 0; slot->planner && i < below(line, 2, 60) && !done; i++) {
    begin(world, &error);
    neap_status status = neap_planner_step(slot->planner, &done, &error);
    if (status == NEAP_ERROR_UNSOUND) complain(world, "neap_planner_step: %s", error.text);
    if (status == NEAP_ERROR_MEMORY) { /* every further call returns it */
      failing_memory_disarm();
      return;
    }
    if (!ended(world, "neap_planner_step", status, &error)) return;
  }
}

static void cancel(struct world *world, const struct trace_line *line) {
  const struct planner_slot *slot = &world->planners[below(line, 1, SLOTS)];
  if (slot->planner) neap_planner_cancel(slot->planner);
}

struct canceller {
  neap_planner *planner;
  unsigned microseconds;
};

static void *cancel_later(void *user) {
  const struct canceller *canceller = user;
  usleep(canceller->microseconds);
  neap_planner_cancel(canceller->planner);
  return NULL;
}

/* Runs to the end while another thread cancels. */
static void race(struct world *world, const struct trace_line *line) {
  const struct planner_slot *slot = &world->planners[below(line, 1, SLOTS)];
  struct canceller canceller = {slot->planner, (unsigned)below(line, 2, 2000)};
  pthread_t thread;
  bool done = false;
  neap_status status = NEAP_OK;
  if (!slot->planner || pthread_create(&thread, NULL, cancel_later, &canceller) != 0) return;
  world->calls++;
  while (!done && status == NEAP_OK)
    status = neap_planner_step(slot->planner, &done, NULL);
  pthread_join(thread, NULL);
}

static void print_results(const neap_plan *plan, FILE *file) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  fprintf(file, "peak %" PRId64 ", %s\n", report.peak, neap_outcome_name(report.outcome));
  for (size_t i = 0; i < report.buffers; i++)
    fprintf(file, "%" PRId64 "\n", neap_plan_offset(plan, i));
}

static void take(struct world *world, const struct trace_line *line) {
  struct plan_slot *slot = &world->plans[below(line, 1, SLOTS)];
  const struct planner_slot *planner = &world->planners[below(line, 2, SLOTS)];
  neap_plan *plan;
  neap_error error;
  if (!has_room(slot) || !planner->planner) return;
  begin(world, &error);
  neap_status status = neap_planner_plan(planner->planner, &plan, &error);
  if (status == NEAP_ERROR_UNSOUND) complain(world, "neap_planner_plan: %s", error.text);
  if (!ended(world, "neap_planner_plan", status, &error)) return;
  keep_plan(slot, plan, planner->of, true);
  check_plan(world, plan);
  if (world->results) print_results(plan, world->results);
}

/* ---------------------------------------------------------------- files */

/* No allocation fails in Graphviz, which does not survive that. */
static const char *path_of(struct world *world, const char *kind, const char *format,
                           char path[256]) {
  if (strcmp(format, "dot") == 0) world->fail_at = 0;
  snprintf(path, 256, "%s/%s.%s", world->folder, kind, format);
  return path;
}

static void write_problem(struct world *world, const struct trace_line *line) {
  const neap_problem *problem = slot_of(world, line, 1)->problem;
  char path[256];
  neap_error error;
  if (!problem) return;
  path_of(world, "problem", text(line, 2), path);
  begin(world, &error);
  ended(world, "neap_problem_write", neap_problem_write(problem, path, NULL, &error), &error);
}

static void read_problem(struct world *world, const struct trace_line *line) {
  struct problem_slot *slot = slot_of(world, line, 1);
  char path[256];
  neap_error error;
  if (slot->problem) return;
  path_of(world, "problem", text(line, 2), path);
  begin(world, &error);
  ended(world, "neap_problem_read", neap_problem_read(path, NULL, &slot->problem, &error),
        &error);
}

/* A file that neap writes of its own plan can be read, and its plan is as sound. */
static void write_plan(struct world *world, const struct trace_line *line) {
  const struct plan_slot *slot = &world->plans[below(line, 1, SLOTS)];
  char path[256];
  neap_error error;
  neap_plan *again;
  if (!slot->plan) return;
  path_of(world, "plan", text(line, 2), path);
  begin(world, &error);
  neap_status status = neap_plan_write(slot->plan, path, NULL, &error);
  if (!ended(world, "neap_plan_write", status, &error) || !slot->is_planned) return;
  status = neap_plan_read(path, NULL, &again, &error);
  if (status == NEAP_OK) {
    check_plan(world, again);
    neap_plan_free(again);
  } else if (strcmp(text(line, 2), "json") == 0) {
    complain(world, "what neap_plan_write wrote is refused: %.120s", error.text);
  }
}

/* ---------------------------------------------------------------- the table */

/* fail N ALL: allocation N of the next call fails, and with ALL every later one */
static void fail_next(struct world *world, const struct trace_line *line) {
  if (!failing_memory_works()) return;
  world->fail_at = below(line, 1, 200);
  world->all_after = below(line, 2, 2);
}

static const struct call calls[] = {
    {"problem", "s", 5, new_problem},
    {"free-problem", "s", 1, free_problem},
    {"simple", "sztt", 8, add_simple},
    {"add", "szttacccacc", 12, add},
    {"arrays", "sntnz", 4, add_arrays},
    {"pool", "snzac", 3, add_pool},
    {"set-pool", "snc", 1, set_pool},
    {"relate", "skiiz", 10, relate},
    {"reserve", "snzztt", 2, reserve},
    {"near", "sicc", 2, set_near},
    {"align", "saa", 1, align},
    {"objective", "snn", 2, set_objective},
    {"runtime", "siz", 1, add_runtime},
    {"examine", "s", 3, examine},
    {"range", "tt", 0, add_range},
    {"choice", "i", 0, add_choice},
    {"buffer", "szacccaczc", 0, add_buffer},
    {"terms", "snnnn", 0, set_terms},
    {"graph", "s", 2, new_graph},
    {"free-graph", "s", 1, free_graph},
    {"tensor", "szak", 6, add_tensor},
    {"operator", "siiii", 8, add_operator},
    {"pair", "snnnz", 4, add_pair},
    {"reorder", "snk", 2, reorder},
    {"derive", "ssk", 3, derive},
    {"options", "s", 5, new_options},
    {"defaults", "s", 0, new_defaults},
    {"free-options", "s", 1, free_options},
    {"set", "so", 8, set_option},
    {"solve", "sss", 8, solve},
    {"import", "sscz", 2, import_plan},
    {"base", "szc", 1, set_base},
    {"verify", "scn", 3, verify},
    {"certify", "scn", 3, certify},
    {"explain", "ssn", 2, explain},
    {"free-plan", "s", 3, free_plan},
    {"planner", "sss", 5, new_planner},
    {"free-planner", "s", 2, free_planner},
    {"watch", "skk", 2, watch},
    {"step", "sk", 6, step},
    {"cancel", "s", 1, cancel},
    {"race", "sk", 1, race},
    {"take", "ss", 4, take},
    {"write", "sf", 1, write_problem},
    {"read", "sf", 1, read_problem},
    {"write-plan", "sf", 1, write_plan},
    {"fail", "kb", 6, fail_next},
};

const struct call *call_at(unsigned index) {
  return index < sizeof calls / sizeof calls[0] ? &calls[index] : NULL;
}

const struct call *call_named(const char *name) {
  for (unsigned i = 0; call_at(i); i++)
    if (strcmp(calls[i].name, name) == 0) return &calls[i];
  return NULL;
}

void world_clear(struct world *world) {
  clear_lists(&world->lists);
  for (unsigned i = 0; i < SLOTS; i++) {
    neap_plan_free(world->plans[i].plan);
    neap_planner_free(world->planners[i].planner);
    neap_options_free(world->options[i]);
    neap_graph_free(world->graphs[i]);
  }
  for (unsigned i = 0; i < SLOTS; i++)
    neap_problem_free(world->problems[i].problem);
}
