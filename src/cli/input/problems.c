/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/input/problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/input/files.h"
#include "cli/options/arguments.h"
#include "cli/output/messages.h"
#include "cli/output/suggest.h"
#include "cli/run.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- pools */

int problems_parse_pool(const char *text, char **name, neap_size *capacity) {
  const char *equals = strrchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  *capacity = -1;
  if (length == 0 || (equals && !neap_size_read(equals + 1, capacity)))
    return message_usage("--pool: expected NAME or NAME=SIZE, such as sram=256K, found '%.40s'",
                         text);
  *name = strndup(text, length);
  return *name ? 0 : message_memory();
}

static int refuse_name(const char *name, const neap_problem *problem) {
  struct listing listing;
  neap_pool pool = NEAP_INIT(neap_pool);
  listing_begin(&listing);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++)
    listing_add(&listing, i > 0 ? ", " : "", pool.name);
  char *list = listing_end(&listing);
  int code = list ? message_usage("--pool: INPUT has no pool '%.40s'; it has %s", name, list)
                  : message_memory();
  free(list);
  return code;
}

static int set_capacity(neap_problem *problem, const char *name, neap_size capacity) {
  neap_error error;
  size_t pool;
  if (!neap_problem_find_pool(problem, name, &pool)) return refuse_name(name, problem);
  if (neap_problem_set_pool_capacity(problem, pool, capacity, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

static int add_pool(neap_problem *problem, const char *name, neap_size capacity) {
  neap_error error;
  neap_pool pool = NEAP_POOL_INIT;
  pool.name = name;
  pool.capacity = capacity;
  neap_status status = neap_problem_add_pool(problem, &pool, &error);
  if (status == NEAP_OK) return 0;
  return status == NEAP_ERROR_INPUT ? message_usage("--pool: %s", error.text)
                                    : message_error(&error);
}

/*
 * Adds the pools of --pool to a problem that has none, or sets the capacities of those it has.
 * Returns 0, or the exit code of the message it has printed.
 */
static int pools_apply(const struct arguments *arguments, neap_problem *problem) {
  neap_pool pool = NEAP_INIT(neap_pool);
  bool has_pools = neap_problem_pool_at(problem, 0, &pool);
  int code = 0;
  for (size_t i = 0; i < arguments->pools.count && code == 0; i++) {
    char *name = NULL;
    neap_size capacity;
    code = problems_parse_pool(arguments->pools.items[i], &name, &capacity);
    if (code == 0 && has_pools) code = set_capacity(problem, name, capacity);
    else if (code == 0) code = add_pool(problem, name, capacity);
    free(name);
  }
  return code;
}

/* ---------------------------------------------------------------- reading */

/* The first target, "none", is the same as no target. */
static bool has_target(const neap_reading *reading) {
  neap_target_info none = NEAP_INIT(neap_target_info);
  return reading->graph.target && neap_target_at(0, &none) &&
         strcmp(reading->graph.target, none.name) != 0;
}

/*
 * The scratch file next to a model, to be released with free(); NULL if there is none, or memory is
 * short.
 */
static char *find_scratch(const char *path, const neap_reading *reading) {
  neap_target_info target = NEAP_INIT(neap_target_info);
  if (!path || !has_target(reading) || !files_ends_in(path, ".tflite")) return NULL;
  for (size_t i = 0; neap_target_at(i, &target); i++) {
    if (strcmp(target.name, reading->graph.target) != 0 || !target.scratch_suffix) continue;
    size_t stem = strlen(path) - strlen(".tflite");
    char *found = malloc(stem + strlen(target.scratch_suffix) + 1);
    if (!found) return NULL;
    memcpy(found, path, stem);
    strcpy(found + stem, target.scratch_suffix);
    if (access(found, F_OK) == 0) return found;
    free(found);
  }
  return NULL;
}

static void print_warning(const neap_error *warning, void *user) {
  (void)user;
  message_warning_at(warning);
}

void problems_complete(const struct arguments *arguments, struct completed *completed) {
  neap_reading *reading = &completed->reading;
  *completed = (struct completed){.reading = arguments->reading};
  reading->graph.liveness.list_runtime = has_target(reading) || reading->model.scratch ||
                                         reading->graph.variables != NEAP_VARIABLES_DEFAULT;
  if (!reading->model.scratch)
    reading->model.scratch = completed->scratch = find_scratch(arguments->operand, reading);
  reading->warn = print_warning;
}

/* The capacity of the options; 0: none. */
static neap_size capacity_of(const struct arguments *arguments) {
  neap_size capacity = 0;
  neap_options_number(arguments->planning, "capacity", &capacity);
  return capacity > 0 ? capacity : 0;
}

/*
 * The limits of the planning options also hold for the search for an order, which leaves half of
 * the time for the layout.
 */
static neap_scheduling scheduling_of(const struct arguments *arguments, double *shown) {
  int64_t microseconds = 0, ticks = 0, memory = arguments->memory_limit;
  neap_scheduling scheduling = arguments->scheduling;
  neap_options_number(arguments->planning, "time-limit", &microseconds);
  neap_options_number(arguments->planning, "max-ticks", &ticks);
  scheduling.time_limit = (double)microseconds * 0.5e-6;
  scheduling.max_ticks = (uint64_t)ticks;
  scheduling.memory_limit = memory - memory / 4; /* the layout also needs memory */
  if (scheduling.recompute) scheduling.capacity = capacity_of(arguments);
  scheduling.progress = run_watch_order;
  scheduling.user = shown;
  return scheduling;
}

const char *problems_previous_order(const struct arguments *arguments) {
  return arguments->scheduling.schedule >= NEAP_SCHEDULE_MIN_PEAK ? arguments->previous : NULL;
}

const char *problems_previous_layout(const struct arguments *arguments) {
  return problems_previous_order(arguments) ? NULL : arguments->previous;
}

/* Reads an earlier plan for its order. */
static neap_status read_previous(const char *path, const neap_reading *reading,
                                 neap_plan **plan, neap_operator_order *order,
                                 neap_error *error) {
  neap_status status = neap_plan_read(path, reading, plan, error);
  if (status != NEAP_OK || neap_problem_order(neap_plan_problem(*plan), order)) return status;
  if (!error) return NEAP_ERROR_INPUT;
  *error = (neap_error){.status = NEAP_ERROR_INPUT, .source = "--previous"};
  snprintf(error->text, sizeof error->text,
           "%s has no order of operators: it was planned without --schedule", path);
  return NEAP_ERROR_INPUT;
}

/* Prints warnings unless they have been printed before. */
static neap_status read_problem(const struct arguments *arguments, bool prints_warnings,
                                neap_problem **problem, neap_error *error) {
  struct completed completed;
  double shown = 0;
  neap_scheduling scheduling = scheduling_of(arguments, &shown);
  neap_operator_order start = NEAP_INIT(neap_operator_order);
  neap_plan *earlier = NULL;
  neap_status status = NEAP_OK;
  problems_complete(arguments, &completed);
  if (!prints_warnings) completed.reading.warn = NULL;
  if (problems_previous_order(arguments)) {
    status = read_previous(arguments->previous, &completed.reading, &earlier, &start, error);
    scheduling.start = &start;
  }
  if (status == NEAP_OK)
    status = neap_problem_prepare(arguments->operand, &completed.reading, &scheduling, problem,
                                  error);
  neap_plan_free(earlier);
  message_status(""); /* a search for an order may have left one */
  free(completed.scratch);
  return status;
}

/* Adds pools and the objective to a problem, or releases it. */
static int finish_problem(const struct arguments *arguments, neap_problem *problem) {
  neap_error error;
  int code = pools_apply(arguments, problem);
  if (code == 0 && arguments->objective.given &&
      neap_problem_set_objective(problem, arguments->objective.order, &error) != NEAP_OK)
    code = message_error(&error);
  if (code != 0) neap_problem_free(problem);
  return code;
}

int problems_read(const struct arguments *arguments, neap_problem **problem) {
  neap_error error;
  run_limit_memory(arguments->memory_limit);
  if (read_problem(arguments, true, problem, &error) != NEAP_OK) return message_error(&error);
  if (run_interrupted()) message_warning("interrupted: this is the best order so far");
  message_detail("%s: read a problem of %zu buffers", arguments->operand,
                 neap_problem_count(*problem));
  return finish_problem(arguments, *problem);
}

neap_problem *problems_read_again(const struct arguments *arguments) {
  neap_problem *problem;
  if (read_problem(arguments, false, &problem, NULL) != NEAP_OK) return NULL;
  return finish_problem(arguments, problem) == 0 ? problem : NULL;
}

int problems_read_plan(const struct arguments *arguments, const char *path, neap_plan **plan) {
  struct completed completed;
  neap_error error;
  problems_complete(arguments, &completed);
  neap_status status = neap_plan_read(path, &completed.reading, plan, &error);
  free(completed.scratch);
  if (status != NEAP_OK) return message_error(&error);
  message_detail("%s: read a plan of %zu buffers", path,
                 neap_problem_count(neap_plan_problem(*plan)));
  return 0;
}

/* Drops the runtime's own layout: a model with no other layout holds no plan. */
static neap_status drop_runtimes_own(neap_plan **plan, neap_error *error) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(*plan, &report);
  if (!report.is_runtimes_own) return NEAP_OK;
  neap_plan_free(*plan);
  *plan = NULL;
  snprintf(error->text, sizeof error->text, "the model holds no plan");
  return NEAP_ERROR_INPUT;
}

void problems_try_plan(const struct arguments *arguments, neap_plan **plan, neap_error *error) {
  struct completed completed;
  *plan = NULL;
  problems_complete(arguments, &completed);
  completed.reading.warn = NULL;
  error->status = neap_plan_read(arguments->operand, &completed.reading, plan, error);
  if (error->status == NEAP_OK) error->status = drop_runtimes_own(plan, error);
  free(completed.scratch);
}

/* ---------------------------------------------------------------- an earlier plan */

/* Gives each buffer the offset that the plan has for its name; counts those that it has. */
static int set_offsets(const neap_plan *plan, neap_problem *problem, size_t *known) {
  const neap_problem *before = neap_plan_problem(plan);
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_error error;
  *known = 0;
  for (size_t i = 0; neap_problem_buffer_at(before, i, &buffer); i++) {
    size_t index;
    if (!neap_problem_find(problem, buffer.name, &index)) continue;
    ++*known;
    if (neap_problem_set_near(problem, index, neap_plan_offset(plan, i), -1, &error) != NEAP_OK)
      return message_error(&error);
  }
  return 0;
}

/* "weights=0": sets what it costs to move one buffer. */
static int set_cost(const neap_plan *plan, const char *text, neap_problem *problem) {
  const char *equals = strrchr(text, '=');
  neap_size cost;
  neap_error error;
  size_t index, earlier;
  if (!equals || equals == text || !neap_size_read(equals + 1, &cost))
    return message_usage("--move-cost: expected NAME=COST, such as weights=4096, found '%.40s'",
                         text);
  char *name = strndup(text, (size_t)(equals - text));
  if (!name) return message_memory();
  bool found = neap_problem_find(problem, name, &index) &&
               neap_problem_find(neap_plan_problem(plan), name, &earlier);
  int code = found ? 0
                   : message_usage("--move-cost: no buffer '%.40s' is in both INPUT and the "
                                   "earlier plan",
                                   name);
  if (found && neap_problem_set_near(problem, index, neap_plan_offset(plan, earlier), cost,
                                     &error) != NEAP_OK)
    code = message_error(&error);
  free(name);
  return code;
}

/* Puts moves right before the peak, unless they come earlier; the other terms keep their order. */
static int put_moves_first(neap_problem *problem) {
  neap_term order[NEAP_TERM_COUNT], sorted[NEAP_TERM_COUNT];
  neap_error error;
  size_t count = 0;
  bool is_listed = false;
  neap_problem_objective(problem, order);
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++) {
    bool is_move = order[i] == NEAP_TERM_MOVED;
    if (order[i] == NEAP_TERM_PEAK && !is_listed) sorted[count++] = NEAP_TERM_MOVED;
    is_listed |= is_move || order[i] == NEAP_TERM_PEAK;
    if (!is_move || count == i) sorted[count++] = order[i];
  }
  if (neap_problem_set_objective(problem, sorted, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

int problems_apply_previous(const struct arguments *arguments, neap_problem *problem) {
  neap_plan *plan = NULL;
  size_t known = 0;
  if (!problems_previous_layout(arguments)) return 0;
  int code = problems_read_plan(arguments, arguments->previous, &plan);
  if (code == 0) code = set_offsets(plan, problem, &known);
  if (code == 0 && known == 0)
    message_warning("--previous: %s has no buffer of the same name as one in %s",
                    arguments->previous, arguments->operand);
  for (size_t i = 0; code == 0 && i < arguments->move_costs.count; i++)
    code = set_cost(plan, arguments->move_costs.items[i], problem);
  if (code == 0 && arguments->keep_peak) code = put_moves_first(problem);
  neap_plan_free(plan);
  return code;
}

/* ---------------------------------------------------------------- alignment */

int problems_align(neap_problem *problem, neap_size alignment, const char *path,
                   const char *hint) {
  neap_error error;
  if (neap_problem_align(problem, alignment, 1, &error) == NEAP_OK) return 0;
  size_t used = strlen(error.text);
  snprintf(error.text + used, sizeof error.text - used, "%s", hint);
  snprintf(error.source, sizeof error.source, "%s", path);
  return message_error(&error);
}
