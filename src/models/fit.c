/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a model fit: tries means from the cheapest to the dearest, each together with all means
 * before it.  Bands come last, and begin with the latest order of the operators; if they do not
 * fit, earlier orders follow, in which bands may need less.
 */
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "files/target.h"
#include "model/graph.h"
#include "model/problem.h"
#include "models/find_bands.h"
#include "models/needs.h"
#include "models/open.h"

#define ORDER_TICKS 2000000
#define LAYOUT_TICKS 1000000
#define STEPS_MAX (NEAP_FIT_BANDS + 1)

/* A step with its plan; the plan of a step in bands is in fit->split. */
struct trial {
  neap_fit_step step;
  bool has_overlap; /* how the problem was read, and ordered */
  neap_schedule schedule;
  neap_problem *problem;
  neap_plan *plan;
};

struct neap_fit {
  const neap_model *source;
  struct model_limits splitting;
  neap_options *options;
  struct trial trials[STEPS_MAX];
  size_t count;
  neap_size lower_bound; /* of the peak, in any order */
  neap_size least_tail;
  bool has_all_orders; /* bands were searched in every order; true without bands */
  neap_bands *split;
  neap_error no_bands; /* if the model cannot be split: why */
};

static struct trial *last_of(struct neap_fit *fit) { return &fit->trials[fit->count - 1]; }

/* The plan of a step; a step with pools has the plan of the step before. */
static const neap_plan *plan_of(const struct neap_fit *fit, size_t index) {
  const struct trial *trial = &fit->trials[index];
  if (trial->step.means == NEAP_FIT_BANDS) return neap_bands_plan(fit->split);
  return trial->plan ? trial->plan : fit->trials[index - 1].plan;
}

/* Whether the last step fits, or would fit if unknown kernels need nothing: no later step can
 * tell more. */
static bool is_decided(const struct neap_fit *fit) {
  if (fit->count == 0) return false;
  const neap_fit_step *last = &fit->trials[fit->count - 1].step;
  return last->fits || last->is_open || last->need.is_refused;
}

/* Whether there is something left to do. */
static bool goes_on(const struct neap_fit *fit) {
  static const neap_bands_progress progress = {.peak = NEAP_UNPLACED};
  const struct model_limits *splitting = &fit->splitting;
  return !is_decided(fit) &&
         (!splitting->keep_on || splitting->keep_on(&progress, splitting->user));
}

/* ---------------------------------------------------------------- layouts */

/* Notes a lower bound on all layouts that the means allow. */
static void note_lower_bound(struct neap_fit *fit, const struct trial *trial) {
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  neap_report report = NEAP_INIT(neap_report);
  neap_arena arena = NEAP_INIT(neap_arena);
  neap_plan_report(trial->plan, &report);
  fit->lower_bound =
      neap_problem_order(trial->problem, &order) ? order.lower_bound : report.lower_bound;
  if (neap_problem_arena(trial->problem, 0, &arena)) fit->least_tail = arena.least_tail;
}

/* Describes the next step. */
static void fill_step(struct neap_fit *fit, neap_fit_means means, const neap_model_need *point,
                      neap_fit_place place) {
  neap_fit_step *step = &fit->trials[fit->count].step;
  *step = (neap_fit_step){sizeof *step, means, place, {0}, *point, false, false};
  needs_at(point, place, step->needs);
  const bool is_enough = needs_missing(&fit->splitting, point, place) == 0;
  step->fits = is_enough && !point->is_partial && !point->is_refused;
  step->is_open = is_enough && point->is_partial && !point->is_refused;
}

static void clear_trial(struct trial *trial) {
  neap_plan_free(trial->plan);
  neap_problem_free(trial->problem);
  *trial = (struct trial){.plan = NULL};
}

/* A model cannot have an order that needs a computed shape too early. */
static neap_status check_order(const struct neap_fit *fit, const struct trial *trial,
                               neap_error *error) {
  const neap_model *ordered = NULL;
  neap_status status = model_reorder(fit->source, trial->plan, &ordered, error);
  model_drop(ordered);
  return status == NEAP_ERROR_FORMAT ? NEAP_ERROR_ARGUMENT : status;
}

/* Reads the model for the next step. */
static neap_status prepare(struct neap_fit *fit, neap_schedule schedule, bool has_overlap,
                           neap_error *error) {
  const neap_scheduling scheduling = {.schedule = schedule, .max_ticks = ORDER_TICKS};
  struct trial *trial = &fit->trials[fit->count];
  neap_reading reading = fit->source->reading;
  trial->schedule = schedule;
  trial->has_overlap = reading.graph.liveness.overlap = has_overlap;
  if (fit->count > 0) reading.warn = NULL;
  return neap_problem_prepare(fit->source->name, &reading, &scheduling, &trial->problem, error);
}

static neap_status plan_layout(struct neap_fit *fit, bool has_overlap, neap_schedule schedule,
                               neap_fit_means means, neap_error *error) {
  struct trial *trial = &fit->trials[fit->count];
  neap_report report = NEAP_INIT(neap_report);
  neap_status status = prepare(fit, schedule, has_overlap, error);
  if (status == NEAP_OK) status = neap_solve(trial->problem, fit->options, &trial->plan, error);
  if (status == NEAP_OK && schedule != NEAP_SCHEDULE_KEEP && !fit->source->format->holds_plan)
    status = check_order(fit, trial, error);
  if (status != NEAP_OK) {
    clear_trial(trial);
    return status;
  }
  neap_plan_report(trial->plan, &report);
  const neap_model_need point = needs_point(trial->problem, report.peak);
  fill_step(fit, means, &point, NEAP_FIT_TOGETHER);
  note_lower_bound(fit, trial);
  fit->count++;
  return NEAP_OK;
}

/* Plans the best order, or the given one if the operators cannot be reordered. */
static neap_status plan_order(struct neap_fit *fit, bool has_overlap, neap_fit_means means,
                              neap_error *error) {
  neap_status status = plan_layout(fit, has_overlap, NEAP_SCHEDULE_OPTIMAL, means, error);
  if (status != NEAP_ERROR_ARGUMENT) return status;
  return means == NEAP_FIT_OVERLAP
             ? plan_layout(fit, has_overlap, NEAP_SCHEDULE_KEEP, means, error)
             : NEAP_OK;
}

/* Layouts, orders and overlaps. */
static neap_status try_layouts(struct neap_fit *fit, neap_error *error) {
  neap_status status = plan_layout(fit, false, NEAP_SCHEDULE_KEEP, NEAP_FIT_LAYOUT, error);
  if (status == NEAP_OK && goes_on(fit)) status = plan_order(fit, false, NEAP_FIT_ORDER, error);
  if (status != NEAP_OK || !fit->source->reading.graph.liveness.overlap || !goes_on(fit))
    return status;
  return plan_order(fit, true, NEAP_FIT_OVERLAP, error);
}

/* Puts head and tail of the last layout into two memories. */
static void place_tail(struct neap_fit *fit) {
  const neap_model_need *point = &last_of(fit)->step.need;
  neap_fit_place place = needs_place(&fit->splitting, point);
  if (place == NEAP_FIT_TOGETHER) place = NEAP_FIT_HEAD_FIRST;
  fill_step(fit, NEAP_FIT_POOLS, point, place);
  fit->count++;
}

/* Plans the tensors of the last layout in two memories; this is a step only if they fit. */
static neap_status plan_pools(struct neap_fit *fit, neap_error *error) {
  const struct trial *last = last_of(fit);
  struct trial *trial = &fit->trials[fit->count];
  neap_model_need point = last->step.need;
  neap_status status = prepare(fit, last->schedule, last->has_overlap, error);
  if (status == NEAP_OK)
    status = needs_plan_pools(&fit->splitting, trial->problem, fit->options, &trial->plan,
                              &point, error);
  if (!trial->plan) {
    clear_trial(trial);
    return status;
  }
  fill_step(fit, NEAP_FIT_POOLS, &point, NEAP_FIT_HEAD_FIRST);
  fit->count++;
  return status;
}

static neap_status try_pools(struct neap_fit *fit, neap_error *error) {
  const struct trial *last = last_of(fit);
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(last->plan, &report);
  if (fit->splitting.second_capacity > 0 && fit->source->format->target) place_tail(fit);
  else if (needs_pools(&fit->splitting, last->problem, &report)) return plan_pools(fit, error);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- bands */

static bool reads_output_of(const struct neap_graph *graph, const struct graph_operator *maker,
                            const struct graph_operator *reader) {
  for (size_t i = maker->outputs.begin; i < maker->outputs.end; i++)
    for (size_t j = reader->inputs.begin; j < reader->inputs.end; j++)
      if (graph->links[i] == graph->links[j]) return true;
  return false;
}

/* Whether each operator reads what the one before it makes. */
static bool has_one_order(const struct neap_graph *graph) {
  for (size_t k = 1; k < graph->operator_count; k++)
    if (!reads_output_of(graph, &graph->operators[k - 1], &graph->operators[k])) return false;
  return true;
}

/* The operator that runs at place k. */
static size_t operator_at(const neap_operator_order *order, size_t k) {
  return order->given ? order->given[k] : k;
}

static bool is_same_order(const struct trial *a, const struct trial *b) {
  neap_operator_order left = NEAP_INIT(neap_operator_order), right = left;
  neap_problem_order(a->problem, &left);
  neap_problem_order(b->problem, &right);
  for (size_t k = 0; k < left.count || k < right.count; k++)
    if (operator_at(&left, k) != operator_at(&right, k)) return false;
  return true;
}

/* Whether a later step has the same order. */
static bool is_repeated(const struct neap_fit *fit, size_t index) {
  const struct trial *trial = &fit->trials[index];
  for (size_t i = index + 1; i < fit->count; i++)
    if (fit->trials[i].problem && is_same_order(trial, &fit->trials[i])) return true;
  return false;
}

/* The arena of the best choice in bands. */
static neap_size band_need(const struct neap_fit *fit, const neap_bands *split) {
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_get_report(split, &report);
  return needs_capacity(&fit->splitting, &report.after);
}

/*
 * Searches the model in the order of a plan in bands, which may be better than fit->split.  Some
 * models cannot be split.
 */
static neap_status split_in_order(struct neap_fit *fit, const neap_plan *plan,
                                  neap_error *error) {
  const neap_model *ordered = NULL;
  neap_bands *split = NULL;
  neap_status status = model_reorder(fit->source, plan, &ordered, error);
  if (status == NEAP_OK) status = band_find(ordered, &fit->splitting, &split, error);
  model_drop(ordered);
  if (status == NEAP_ERROR_FORMAT && error) fit->no_bands = *error;
  if (status != NEAP_OK) return status == NEAP_ERROR_FORMAT ? NEAP_OK : status;
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_get_report(split, &report);
  fit->lower_bound = smaller_of(fit->lower_bound, report.lower_bound);
  if (fit->split && band_need(fit, fit->split) <= band_need(fit, split)) {
    neap_bands_free(split);
    return NEAP_OK;
  }
  neap_bands_free(fit->split);
  fit->split = split;
  return NEAP_OK;
}

/* Adds the best choice in bands as a step; if none fits, the choice with the smallest arena. */
static void add_split(struct neap_fit *fit) {
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_get_report(fit->split, &report);
  fill_step(fit, NEAP_FIT_BANDS, &report.after, needs_place(&fit->splitting, &report.after));
  fit->count++;
}

/* Searches for bands in the order of each step, the last step first, until bands fit. */
static neap_status try_bands(struct neap_fit *fit, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = fit->count; i-- > 0 && status == NEAP_OK;) {
    if (!fit->trials[i].problem || is_repeated(fit, i)) continue;
    if (fit->split && (band_need(fit, fit->split) <= fit->splitting.capacity || !goes_on(fit)))
      break;
    status = split_in_order(fit, fit->trials[i].plan, error);
    if (!fit->split) return status;
  }
  if (status != NEAP_OK) return status;
  fit->has_all_orders = has_one_order(fit->trials[0].problem->graph);
  add_split(fit);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the whole */

static neap_status check_target(const neap_model *model, neap_error *error) {
  if (!model->format->target || target_of(&model->reading)->places_ends) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "what fits is the arena of TensorFlow Lite Micro, so it needs the target %s",
                   model->format->target);
}

static neap_status try_all(struct neap_fit *fit, neap_error *error) {
  neap_status status = try_layouts(fit, error);
  if (status == NEAP_OK && goes_on(fit)) status = try_pools(fit, error);
  if (status == NEAP_OK && goes_on(fit)) return try_bands(fit, error);
  if (!is_decided(fit)) fit->lower_bound = 0; /* some means have not been tried */
  return status;
}

neap_status neap_model_fit(const neap_model *model, const neap_model_limits *limits,
                           neap_fit **fit, neap_error *error) {
  struct model_limits own;
  neap_status status = needs_read_limits(limits, true, &own, error);
  if (status == NEAP_OK) status = check_target(model, error);
  if (status != NEAP_OK) return status;
  struct neap_fit *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->source = model_hold(model);
  made->splitting = own;
  made->has_all_orders = true;
  made->options = model_options(LAYOUT_TICKS, error);
  status = made->options ? try_all(made, error) : error_memory(error);
  if (status == NEAP_OK) *fit = made;
  else neap_fit_free(made);
  return error_in_file(error, status, model->name);
}

void neap_fit_free(neap_fit *fit) {
  if (!fit) return;
  for (size_t i = 0; i < STEPS_MAX; i++)
    clear_trial(&fit->trials[i]);
  neap_bands_free(fit->split);
  neap_options_free(fit->options);
  model_drop(fit->source);
  free(fit);
}

bool neap_fit_step_at(const neap_fit *fit, size_t index, neap_fit_step *step) {
  if (index >= fit->count) return false;
  return SIZED_FILL(step, fit->trials[index].step);
}

/* The bytes to compare steps by, smaller is better: the arena, or the capacity and the missing
 * bytes. */
static neap_size step_need(const struct neap_fit *fit, size_t index) {
  const neap_fit_step *step = &fit->trials[index].step;
  if (step->place == NEAP_FIT_TOGETHER) return step->need.arena;
  return fit->splitting.capacity + needs_missing(&fit->splitting, &step->need, step->place);
}

static size_t best_step(const neap_fit *fit) {
  size_t best = 0;
  for (size_t i = 1; i < fit->count; i++)
    if (step_need(fit, i) < step_need(fit, best)) best = i;
  return best;
}

/* The bytes proven to be missing if no head is smaller than `head`. */
static neap_size missing_above(const struct neap_fit *fit, neap_size head) {
  const neap_size least = needs_capacity_bound(&fit->splitting, head, fit->least_tail);
  return larger_of(least - fit->splitting.capacity, 0);
}

/*
 * A lower bound on the head in any order and with any bands, which keep inputs and outputs: the
 * larger of the sum of all inputs and the sum of all outputs, or the largest single tensor of these
 * if aliases may lie in each other.
 */
static neap_size least_ends(const struct neap_fit *fit) {
  const struct trial *trial = &fit->trials[0];
  const struct neap_graph *graph = trial->problem->graph;
  neap_size inputs = 0, outputs = 0, largest = 0;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    const neap_tensor *tensor = &graph->tensors[t];
    size_t buffer;
    if ((!tensor->is_input && !tensor->is_output) ||
        !neap_problem_find(trial->problem, names_text(&graph->names, t), &buffer))
      continue;
    const neap_size bytes = trial->problem->buffers[buffer].size;
    largest = larger_of(largest, bytes);
    if (tensor->is_input && !checked_add(inputs, bytes, &inputs)) return 0;
    if (tensor->is_output && !checked_add(outputs, bytes, &outputs)) return 0;
  }
  return fit->source->reading.graph.liveness.aliases ? largest : larger_of(inputs, outputs);
}

/* Whether it is proven that nothing can fit, which requires that everything was tried. */
static bool is_infeasible(const struct neap_fit *fit) {
  const neap_size ends = larger_of(least_ends(fit), 1);
  return missing_above(fit, fit->has_all_orders ? larger_of(fit->lower_bound, ends) : ends) > 0;
}

void neap_fit_get_report(const neap_fit *fit, neap_fit_report *report) {
  const neap_fit_step *last = &fit->trials[fit->count - 1].step;
  neap_fit_report own;
  memset(&own, 0, sizeof own); /* also between members */
  own.struct_size = sizeof own;
  own.fits = last->fits;
  own.is_open = last->is_open;
  own.is_refused = last->need.is_refused;
  own.is_infeasible = is_infeasible(fit);
  own.best = best_step(fit);
  own.lower_bound = needs_arena_bound(fit->lower_bound, fit->least_tail);
  own.missing = missing_above(fit, fit->lower_bound);
  SIZED_FILL(report, own);
}

const neap_bands *neap_fit_bands(const neap_fit *fit) { return fit->split; }

const char *neap_fit_no_bands(const neap_fit *fit) {
  return !fit->split && fit->no_bands.text[0] ? fit->no_bands.text : NULL;
}

const char *neap_fit_means_name(neap_fit_means means) {
  static const char *const names[] = {"layout", "order", "overlap", "pools", "split"};
  return means <= NEAP_FIT_BANDS ? names[means] : NULL;
}

const neap_plan *neap_fit_plan(const neap_fit *fit) { return plan_of(fit, best_step(fit)); }

neap_status neap_fit_write(const neap_fit *fit, const char *path, neap_error *error) {
  if (fit->trials[best_step(fit)].step.means == NEAP_FIT_BANDS)
    return neap_bands_write(fit->split, NULL, path, error);
  return neap_model_write(fit->source, neap_fit_plan(fit), path, error);
}
