/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splits a model.  The search measures each candidate as a copy of the model in memory, which
 * is read and planned like a file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/budget.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/sized.h"
#include "files/owned.h"
#include "files/target.h"
#include "model/graph.h"
#include "model/problem.h"
#include "models/bands/search.h"
#include "models/find_bands.h"
#include "models/open.h"
#include "neap-tool.h"

#define TICKS_PER_BUFFER 8 /* additional ticks for a plan */
#define FACTOR_MAX 2.0     /* of the model's work, by default */

/* ---------------------------------------------------------------- measuring */

/*
 * Builds the problem of a copy.  A piece makes and returns the tensors at its cuts, unless it is an
 * end.
 */
static neap_status read_copy(const struct neap_bands *split, const struct band_copy *copy,
                             const struct band_path *path, neap_problem **problem,
                             neap_error *error) {
  neap_reading reading = split->source->reading;
  neap_graph *graph;
  reading.model.dimensions = NULL; /* a copy leaves none open */
  reading.model.dimension_count = 0;
  if (path->pieces[0]->segment.first > 0) reading.graph.liveness.no_inputs = false;
  if (path->pieces[path->count - 1]->segment.end < split->network.operator_count)
    reading.graph.liveness.no_outputs = false;
  neap_error own;
  neap_status status =
      split->source->format->read(copy->bytes, copy->size, &reading, &graph, &own);
  if (status == NEAP_ERROR_INPUT)
    return error_set(error, NEAP_ERROR_FORMAT, "neap cannot read what it writes: %s", own.text);
  if (status != NEAP_OK && error) *error = own;
  if (status != NEAP_OK) return status;
  graph->is_part = path->pieces[0]->segment.first > 0;
  return adopt_graph(graph, &reading, problem, error);
}

static neap_status bound_problem(const neap_problem *problem, neap_size *peak,
                                 neap_error *error) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_bound(problem, &bound, error);
  if (status == NEAP_OK && bound.lower_bound > *peak) *peak = bound.lower_bound;
  return status;
}

/* Plans a problem; a large one needs some work for each buffer before there is a plan. */
static neap_status plan_problem(struct neap_bands *split, const neap_problem *problem,
                                uint64_t ticks, neap_plan **plan, neap_report *report,
                                neap_error *error) {
  ticks += TICKS_PER_BUFFER * neap_problem_count(problem);
  neap_status status = model_set_ticks(split->options, ticks, error);
  if (status == NEAP_OK) status = neap_solve(problem, split->options, plan, error);
  *report = (neap_report)NEAP_INIT(neap_report);
  if (status == NEAP_OK) neap_plan_report(*plan, report);
  return status;
}

/* Builds the problem of a path; keeps the copy if `copy` is not NULL. */
static neap_status make_problem(const struct neap_bands *split, const struct band_path *path,
                                struct band_copy *copy, neap_problem **problem,
                                neap_error *error) {
  const struct band_pieces pieces = choice_pieces(path);
  neap_status status =
      split->source->format->copy(split->model, &split->network, &pieces, copy, error);
  if (status == NEAP_OK) status = read_copy(split, copy, path, problem, error);
  return status;
}

static neap_status measure_piece(struct band_piece *piece, bool plans, void *user,
                                 neap_error *error) {
  struct neap_bands *split = user;
  const struct band_path path = {.pieces = &piece, .count = 1};
  struct band_copy copy = {.bytes = NULL};
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  neap_report report;
  split->progress.measured++;
  neap_status status = make_problem(split, &path, &copy, &problem, error);
  if (status == NEAP_OK) piece->operators = copy.operators;
  free(copy.bytes);
  if (status == NEAP_OK && !plans) status = bound_problem(problem, &piece->peak, error);
  else if (status == NEAP_OK) {
    status = plan_problem(split, problem, SPLIT_PIECE_TICKS, &plan, &report, error);
    if (status == NEAP_OK && report.lower_bound > piece->peak) piece->peak = report.lower_bound;
    piece->is_planned = true;
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
  return status;
}

static struct choice *hold(struct choice *choice) {
  if (choice) choice->holders++;
  return choice;
}

static void drop(struct choice *choice) {
  if (!choice || --choice->holders > 0) return;
  free(choice->copy.bytes);
  free(choice->path.pieces);
  neap_plan_free(choice->plan);
  neap_problem_free(choice->problem);
  free(choice);
}

/* Makes `*place` hold `choice`, and lets go of the choice that it held. */
static void replace(struct choice **place, struct choice *choice) {
  struct choice *old = *place;
  *place = hold(choice);
  drop(old);
}

/* Replaces the plan by one that uses both memories, if there is one. */
static neap_status plan_pools(struct neap_bands *split, struct choice *choice,
                              neap_error *error) {
  neap_problem *problem;
  neap_plan *plan = NULL;
  neap_status status = read_copy(split, &choice->copy, &choice->path, &problem, error);
  if (status != NEAP_OK) return status;
  status = needs_plan_pools(&split->splitting, problem, split->options, &plan, &choice->point,
                            error);
  if (plan) {
    neap_plan_free(choice->plan);
    neap_problem_free(choice->problem);
    choice->plan = plan;
    choice->problem = problem;
  } else neap_problem_free(problem);
  return status;
}

/* A peak so far above a limit that more planning cannot bring it down to the limit. */
static neap_size above(neap_size limit) {
  return limit < NEAP_MAX / 2 ? limit + limit / SPLIT_WHOLE_HOPE : NEAP_MAX;
}

/*
 * Plans the problem of a choice briefly; true if its peak stays far above `limit`.  Used only for
 * large problems in which outputs lie over inputs: other problems take little time, and their peaks
 * fall late.
 */
static bool is_hopeless(struct neap_bands *split, neap_size limit, struct choice *choice,
                        neap_report *report) {
  neap_error error;
  if (!split->source->reading.graph.liveness.overlap || limit > NEAP_MAX / 2 ||
      neap_problem_count(choice->problem) < SPLIT_GLANCE_FROM)
    return false;
  if (plan_problem(split, choice->problem, SPLIT_WHOLE_TICKS / SPLIT_WHOLE_GLANCE,
                   &choice->plan, report, &error) == NEAP_OK &&
      report->peak > above(limit))
    return true;
  neap_plan_free(choice->plan);
  choice->plan = NULL;
  return false;
}

static neap_status plan_choice(struct neap_bands *split, neap_size limit, struct choice *choice,
                               neap_report *report, neap_error *error) {
  if (is_hopeless(split, limit, choice, report)) return NEAP_OK;
  return plan_problem(split, choice->problem, SPLIT_WHOLE_TICKS, &choice->plan, report, error);
}

/* Fills in a choice, which gets a copy of the path. */
static neap_status fill_choice(struct neap_bands *split, const struct band_path *path,
                               neap_size limit, struct choice *choice, neap_error *error) {
  neap_report report;
  choice->path = *path;
  choice->path.pieces = memory_array(path->count, sizeof *path->pieces);
  if (!choice->path.pieces) return error_memory(error);
  memcpy(choice->path.pieces, path->pieces, path->count * sizeof *path->pieces);
  neap_status status = make_problem(split, path, &choice->copy, &choice->problem, error);
  if (status == NEAP_OK) status = plan_choice(split, limit, choice, &report, error);
  if (status != NEAP_OK) return status;
  choice->point = needs_point(choice->problem, report.peak);
  if (needs_pools(&split->splitting, choice->problem, &report))
    status = plan_pools(split, choice, error);
  choice->point.macs = path->macs;
  choice->point.operators = choice->copy.operators;
  choice->point.file_bytes = choice->copy.file_bytes;
  return status;
}

/* Plans a path as a whole. */
static neap_status plan_path(struct neap_bands *split, const struct band_path *path,
                             neap_size limit, struct choice **choice, neap_error *error) {
  struct choice *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->holders = 1;
  neap_status status = fill_choice(split, path, limit, made, error);
  if (status == NEAP_OK) *choice = made;
  else drop(made);
  return status;
}

/* The bytes of a choice that are limited or minimised. */
static neap_size need_of(const struct neap_bands *split, const struct choice *choice) {
  return split->splitting.is_arena || split->splitting.second_capacity > 0
             ? needs_capacity(&split->splitting, &choice->point)
             : choice->point.peak;
}

static bool does_fit(const struct neap_bands *split, const struct choice *choice) {
  return choice && need_of(split, choice) <= split->splitting.capacity;
}

/*
 * Prefers the choice with less work if both fit the capacity, and otherwise the one that needs
 * fewer bytes.  Where strides skip rows, bands may have less work than the model; that alone is no
 * reason to split it.
 */
static bool is_preferred(const struct neap_bands *split, const struct choice *choice,
                         const struct choice *other) {
  if (!choice || !other) return choice != NULL;
  const bool fits = does_fit(split, choice);
  if (fits != does_fit(split, other)) return fits;
  const neap_size need = need_of(split, choice), other_need = need_of(split, other);
  const int64_t macs = choice->point.macs, other_macs = other->point.macs;
  if (fits && macs != other_macs) return macs < other_macs;
  return need < other_need ||
         (need == other_need && macs < other_macs && other != split->before);
}

static void consider(struct neap_bands *split, struct choice *choice) {
  const neap_size peak = choice->point.peak;
  if (split->progress.peak == NEAP_UNPLACED || peak < split->progress.peak)
    split->progress.peak = peak;
  if (is_preferred(split, choice, split->best)) replace(&split->best, choice);
}

static neap_status measure_path(const struct band_path *path, neap_size limit, neap_size *peak,
                                void *user, neap_error *error) {
  struct neap_bands *split = user;
  replace(&split->latest, NULL);
  neap_status status = plan_path(split, path, limit, &split->latest, error);
  if (status != NEAP_OK) return status;
  /* A brief plan only shows that the peak is above this. */
  *peak = smaller_of(split->latest->point.peak, above(limit));
  consider(split, split->latest);
  return NEAP_OK;
}

static void keep_path(void *user) {
  struct neap_bands *split = user;
  replace(&split->after, split->latest);
}

static bool keep_on(void *user) {
  struct neap_bands *split = user;
  split->progress.seconds = budget_seconds(&split->clock);
  return !split->splitting.keep_on ||
         split->splitting.keep_on(&split->progress, split->splitting.user);
}

/* ---------------------------------------------------------------- searching */

/* The network as it is, as one piece. */
static neap_status plan_before(struct neap_bands *split, neap_error *error) {
  split->whole = (struct band_piece){
      .bands = 1,
      .segment = {.network = &split->network, .end = split->network.operator_count}};
  struct band_piece *pieces = &split->whole;
  struct band_path path = {.pieces = &pieces, .count = 1};
  neap_status status = band_network_sum(&split->network, &path.macs, error);
  if (status == NEAP_OK) status = plan_path(split, &path, NEAP_MAX, &split->before, error);
  if (status != NEAP_OK) return status;
  split->before->point.file_bytes = (neap_size)split->source->size;
  consider(split, split->before);
  return NEAP_OK;
}

static double factor_of(const struct neap_bands *split) {
  int64_t millionths = split->splitting.most_millionths;
  return millionths > 0 ? (double)millionths * 1e-6 : FACTOR_MAX;
}

static int64_t most_work(const struct neap_bands *split) {
  return (int64_t)((double)split->search.listing.macs * factor_of(split));
}

static neap_status run_search(struct neap_bands *split, const struct band_wish *wish,
                              enum band_family family, struct band_found *found,
                              neap_error *error) {
  const struct band_measure measure = {measure_piece, measure_path, keep_path, keep_on, split};
  replace(&split->after, NULL);
  split->search.family = family;
  return band_search_run(&split->search, wish, &measure, found, error);
}

static bool is_better(const struct choice *choice, const struct choice *other,
                      const struct band_wish *wish) {
  if (!choice || !other) return choice != NULL;
  return wish->capacity >= 0 ? choice->point.macs < other->point.macs
                             : choice->point.peak < other->point.peak;
}

/*
 * With more pieces, bounds mislead a search more often, most of all with overlaps.  So the search
 * begins with the smallest family, and keeps the best choice unless the last family is proven.
 * Only a proof for SPLIT_ALL holds for all choices.
 */
static neap_status search_once(struct neap_bands *split, const struct band_wish *wish,
                               enum band_family last, struct band_found *found,
                               neap_error *error) {
  struct choice *best = NULL;
  neap_status status = NEAP_OK;
  enum band_family family =
      split->network.channels && split->source->reading.graph.liveness.overlap
          ? SPLIT_UNPADDED_ROWS
          : SPLIT_UNKEPT;
  for (; family <= last && status == NEAP_OK; family++) {
    struct band_wish next = *wish;
    if (best && wish->capacity < 0) next.known = best->point.peak;
    status = run_search(split, &next, family, found, error);
    if ((family == last && found->is_proven) || is_better(split->after, best, wish))
      replace(&best, split->after);
  }
  replace(&split->after, best);
  drop(best);
  found->is_proven = found->is_proven && last == SPLIT_ALL;
  found->is_refuted = found->is_refuted && last == SPLIT_ALL;
  return status;
}

static const neap_model_need *last_point(const struct neap_bands *split) {
  return split->point_count > 0 ? &split->points[split->point_count - 1]->point : NULL;
}

/*
 * Adds the choice just found to the curve if it lowers the peak.  It has less work than the choices
 * on the curve, which are removed if their peaks are no lower.
 */
static bool take_point(struct neap_bands *split) {
  struct choice *after = split->after;
  if (!after || after->point.peak >= split->before->point.peak) return false;
  while (last_point(split) && last_point(split)->peak >= after->point.peak)
    replace(&split->points[--split->point_count], NULL);
  if (split->point_count == POINTS_MAX) return false;
  replace(&split->points[split->point_count++], after);
  return true;
}

/* Raises the proven lower bound: no choice has a lower peak. */
static void raise_bound(struct neap_bands *split, neap_size peak) {
  split->report.lower_bound = larger_of(split->report.lower_bound, peak);
}

/*
 * Another choice may have the lowest peak that has been found with less work, unless that peak is
 * proven.
 */
static neap_status lessen_work(struct neap_bands *split, enum band_family last,
                               neap_error *error) {
  const struct band_wish wish = {last_point(split)->macs, last_point(split)->peak, 0};
  struct band_found found;
  neap_status status = search_once(split, &wish, last, &found, error);
  if (status == NEAP_OK && split->after && split->after->point.macs < wish.macs)
    take_point(split);
  return status;
}

/* From the lowest peak of a family on, each choice has less work than the one before it. */
static neap_status find_curve(struct neap_bands *split, enum band_family last,
                              neap_error *error) {
  struct band_wish wish = {most_work(split), -1, 0};
  struct band_found found;
  const int64_t least = split->search.listing.macs;
  const bool follows = split->splitting.keep_on_curve || split->splitting.is_arena;
  bool is_first = true;
  while (split->point_count > 0)
    replace(&split->points[--split->point_count], NULL);
  do {
    neap_status status = search_once(split, &wish, last, &found, error);
    if (status != NEAP_OK) return status;
    if (is_first && found.is_proven)
      raise_bound(split, smaller_of(split->after->point.peak, split->before->point.peak));
    if (!take_point(split)) return NEAP_OK;
    if (is_first && !found.is_proven) status = lessen_work(split, last, error);
    if (status != NEAP_OK) return status;
    is_first = false;
    int64_t extra = last_point(split)->macs - least;
    wish.macs = least + extra - extra / 8 - 1;
  } while (follows && wish.macs >= least && keep_on(split));
  return NEAP_OK;
}

/*
 * Finds the lowest peak, and a proven lower bound even if guesses led to it.  Keeping rows takes up
 * to three operators for each tensor and band; in a whole arena, the tails of these operators often
 * outweigh the lower peak.
 */
static neap_status search_lowest(struct neap_bands *split, neap_error *error) {
  neap_size least = 0;
  neap_status status = find_curve(split, SPLIT_ALL, error);
  if (status == NEAP_OK && split->splitting.is_arena)
    status = find_curve(split, SPLIT_UNKEPT, error);
  if (status != NEAP_OK) return status;
  split->search.family = SPLIT_ALL;
  status = band_search_bound(&split->search, most_work(split), &least, error);
  raise_bound(split, least);
  return status;
}

/*
 * The highest peak that fits a capacity with the tail of a choice; negative: no peak fits.  A
 * second memory can hold the bytes beyond the first one.
 */
static neap_size room_beside(const struct neap_bands *split, neap_size capacity,
                             neap_size tail) {
  const struct model_limits *given = &split->splitting;
  const neap_size more = capacity - given->capacity;
  if (!given->is_arena) return capacity + given->second_capacity;
  neap_size room = capacity - capacity % NEAP_ARENA_STEP - tail;
  if (given->second_capacity == 0) return room;
  room = larger_of(room, capacity - larger_of(tail - given->second_capacity, 0));
  return larger_of(room, given->second_capacity + more - larger_of(tail - given->capacity, 0));
}

/*
 * Searches a family for the least work that fits a capacity.  More operators make the tail larger:
 * if a choice exceeds the arena, the next one has to fit beside its tail.
 */
static neap_status fit_family(struct neap_bands *split, neap_size capacity,
                              enum band_family last, neap_error *error) {
  struct band_wish wish = {most_work(split), room_beside(split, capacity, split->least_tail),
                           0};
  struct band_found found;
  const neap_size first = wish.capacity;
  while (wish.capacity >= 0 && keep_on(split)) {
    neap_status status = search_once(split, &wish, last, &found, error);
    if (status != NEAP_OK || !split->after) {
      if (found.is_refuted && wish.capacity == first) raise_bound(split, first + 1);
      return status;
    }
    const neap_model_need *point = &split->after->point;
    if (need_of(split, split->after) <= capacity) {
      split->is_least_work = found.is_proven && wish.capacity == first;
      return NEAP_OK;
    }
    neap_size room = room_beside(
        split, capacity,
        larger_of(point->tail, split->splitting.second_capacity > 0 ? point->persistent : 0));
    wish.capacity = smaller_of(room, point->peak - 1);
  }
  return NEAP_OK;
}

/* Finds the choice with the least work that fits. */
static neap_status search_fitting(struct neap_bands *split, neap_error *error) {
  neap_status status = NEAP_OK;
  enum band_family last = split->splitting.is_arena ? SPLIT_UNKEPT : SPLIT_ALL;
  for (; last <= SPLIT_ALL && status == NEAP_OK && !does_fit(split, split->best); last++)
    status = fit_family(split, split->splitting.capacity, last, error);
  return status;
}

/* A lower bound on the need of any choice. */
static neap_size least_need(const struct neap_bands *split) {
  return needs_capacity_bound(&split->splitting, larger_of(split->report.lower_bound, 1),
                              split->splitting.is_arena ? split->least_tail : 0);
}

/* Whether no choice needs less than the best. */
static bool is_smallest(const struct neap_bands *split) {
  return need_of(split, split->best) <= least_need(split);
}

/* Bisects between the largest arena that is refuted and the smallest one found. */
static neap_status search_smallest(struct neap_bands *split, neap_error *error) {
  neap_size low = larger_of(least_need(split) - NEAP_ARENA_STEP, split->splitting.capacity);
  neap_status status = NEAP_OK;
  while (status == NEAP_OK && !is_smallest(split) && keep_on(split)) {
    const neap_size high = need_of(split, split->best);
    neap_size middle = low + (high - low) / 2;
    middle -= middle % NEAP_ARENA_STEP;
    if (middle <= low) break;
    status = fit_family(split, middle, SPLIT_UNKEPT, error);
    if (need_of(split, split->best) > middle) low = middle;
  }
  return status;
}

/* The smallest tail of any choice: that of the model as it is, which has the fewest operators. */
static neap_size find_least_tail(const struct neap_bands *split) {
  neap_arena arena = NEAP_INIT(neap_arena);
  return neap_problem_arena(split->before->problem, 0, &arena) ? arena.least_tail : 0;
}

/*
 * Finds the choice with the least work that fits; if none fits or there is no capacity, the choice
 * that needs the fewest bytes.
 */
static neap_status search_goal(struct neap_bands *split, neap_error *error) {
  neap_status status = NEAP_OK;
  if (split->splitting.capacity >= 0) status = search_fitting(split, error);
  if (status != NEAP_OK) return status;
  if (does_fit(split, split->best)) {
    replace(&split->after, split->best);
    take_point(split);
    return NEAP_OK;
  }
  status = search_lowest(split, error);
  if (status == NEAP_OK && split->splitting.is_arena) status = search_smallest(split, error);
  return status;
}

static void note_goal(struct neap_bands *split) {
  const bool fits = does_fit(split, split->best);
  split->report.goal = fits                        ? NEAP_BANDS_WORK
                       : split->splitting.is_arena ? NEAP_BANDS_ARENA
                                                   : NEAP_BANDS_PEAK;
  split->report.is_proven =
      fits ? split->is_least_work || split->best == split->before : is_smallest(split);
}

static neap_status search_all(struct neap_bands *split, neap_error *error) {
  const neap_reading *reading = &split->source->reading;
  const struct band_limits limits = {factor_of(split),
                                     split->before->point.peak,
                                     reading->graph.liveness.aliases & NEAP_ALIAS_SPLIT,
                                     reading->graph.liveness.aliases & NEAP_ALIAS_CONCAT,
                                     reading->graph.liveness.overlap,
                                     keep_on,
                                     split};
  split->splitting.is_arena &= split->before->point.tail > 0;
  neap_status status = band_search_init(&split->search, &split->network, &limits, error);
  split->report.length_max = split->search.listing.length_max;
  split->report.factor = limits.factor_max;
  split->least_tail = find_least_tail(split);
  const bool can_search = split->network.operator_count > 0 && split->search.listing.is_whole;
  if (status == NEAP_OK && can_search && !does_fit(split, split->before))
    status = search_goal(split, error);
  note_goal(split);
  return status;
}

/* ---------------------------------------------------------------- the whole */

/* Marks the inputs and outputs that the caller keeps, unless the runtime places them itself. */
static void mark_elsewhere(struct neap_bands *split) {
  const struct neap_liveness *liveness = &split->source->reading.graph.liveness;
  if (target_of(&split->source->reading)->places_ends) return;
  for (struct band_network *network = &split->network; network; network = network->channels)
    for (size_t t = 0; t < network->tensor_count; t++) {
      struct band_tensor *tensor = &network->tensors[t];
      tensor->is_elsewhere = (liveness->no_inputs && tensor->made == 0) ||
                             (liveness->no_outputs && tensor->is_output);
    }
}

/* Opens the model.  Reading its problem also checks what its network takes for granted. */
static neap_status open_model(struct neap_bands *split, neap_error *error) {
  neap_status status = split->source->format->read(
      split->source->text, split->source->size, &split->source->reading, &split->graph, error);
  if (status == NEAP_OK)
    status = split->source->format->open(split->source->text, split->source->size,
                                         &split->source->reading, &split->model,
                                         &split->network, error);
  if (status == NEAP_OK) mark_elsewhere(split);
  return status;
}

static neap_status split_all(struct neap_bands *split, neap_error *error) {
  neap_status status = open_model(split, error);
  if (status == NEAP_OK) status = plan_before(split, error);
  if (status == NEAP_OK) status = search_all(split, error);
  split->report.seconds = budget_seconds(&split->clock);
  return status;
}

static neap_status open_split(struct neap_bands *split, neap_error *error) {
  split->progress.peak = NEAP_UNPLACED;
  budget_init(&split->clock, 0, 0);
  split->options = model_options(SPLIT_WHOLE_TICKS, error);
  if (!split->options) return error_memory(error);
  return split->source->reading.model.scratch
             ? error_set(
                   error, NEAP_ERROR_ARGUMENT,
                   "neap_reading.model.scratch numbers the operators of the model before it "
                   "is split")
             : NEAP_OK;
}

neap_status band_find(const neap_model *model, const struct model_limits *limits,
                      neap_bands **split, neap_error *error) {
  struct neap_bands *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->source = model_hold(model);
  made->splitting = *limits;
  neap_status status = open_split(made, error);
  if (status == NEAP_OK) status = split_all(made, error);
  if (status == NEAP_OK) *split = made;
  else neap_bands_free(made);
  return status;
}

/* Fails if no choice fits the capacity. */
static neap_status check_fits(const neap_bands *split, neap_error *error) {
  if (split->splitting.capacity < 0 || does_fit(split, split->best)) return NEAP_OK;
  bool is_proven = least_need(split) > split->splitting.capacity;
  return error_set(
      error, is_proven ? NEAP_INFEASIBLE : NEAP_NO_PLAN,
      "no choice %s, of equal or balanced bands, segments of up to %zu operators, up "
      "to %g times the work; without a capacity, neap finds the lowest peak",
      is_proven ? "fits (searched, no certificate)" : "was found that fits",
      split->search.listing.length_max, factor_of(split));
}

neap_status neap_model_bands(const neap_model *model, const neap_scheduling *scheduling,
                             const neap_model_limits *limits, neap_bands **bands,
                             neap_error *error) {
  struct model_limits own;
  const neap_model *ordered = NULL;
  neap_bands *made = NULL;
  bool reorders = scheduling && scheduling->schedule != NEAP_SCHEDULE_KEEP;
  neap_status status = needs_read_limits(limits, false, &own, error);
  if (status != NEAP_OK) return status;
  if (reorders) status = model_schedule(model, scheduling, &ordered, error);
  if (status == NEAP_OK) status = band_find(ordered ? ordered : model, &own, &made, error);
  model_drop(ordered);
  if (status == NEAP_OK) status = check_fits(made, error);
  if (status == NEAP_OK) *bands = made;
  else neap_bands_free(made);
  return error_in_file(error, status, model->name);
}

void neap_bands_free(neap_bands *split) {
  if (!split) return;
  drop(split->before);
  drop(split->latest);
  drop(split->after);
  drop(split->best);
  for (size_t i = 0; i < split->point_count; i++)
    drop(split->points[i]);
  band_search_clear(&split->search);
  band_network_clear(&split->network);
  split->source->format->close(split->model);
  neap_graph_free(split->graph);
  neap_options_free(split->options);
  model_drop(split->source);
  free(split);
}
