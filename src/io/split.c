/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splits a model: searches, and measures each candidate as it will be, a copy of the model in
 * memory that is read and planned like a file.
 */
#include <stdlib.h>
#include <string.h>

#include "core/budget.h"
#include "core/error.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/output.h"
#include "core/sized.h"
#include "formats/adopt.h"
#include "formats/tflite/network.h"
#include "formats/tflite/split.h"
#include "formats/tflite/tflite.h"
#include "formats/tflite/write.h"
#include "model/problem.h"
#include "neap-tool.h"
#include "neap/neap-io.h"
#include "split/search.h"

#define POINTS_MAX 16     /* of the curve */
#define FACTOR_MAX 2.0    /* of work, without another limit */
#define PIECE_TICKS "50000"  /* to plan a piece */
#define WHOLE_TICKS "100000" /* each of a search plans the whole often */

struct choice {
  neap_split_point point;
  struct split_path path;
  struct tflite_split copy;
  neap_problem *problem; /* of the plan */
  neap_plan *plan;
};

struct neap_split {
  char *text; /* the model */
  size_t size;
  struct tflite_model model;
  struct split_network network;
  struct split_search search;
  neap_reading reading;
  neap_graph *graph; /* for names */
  neap_options *piece_options, *whole_options;
  const neap_splitting *splitting;
  struct choice before, latest, after; /* latest: planned last, by a search */
  struct choice points[POINTS_MAX];
  size_t point_count;
  neap_split_report report;
  neap_split_progress progress;
  struct budget clock; /* without limits */
  bool is_open; /* the model */
};

/* ---------------------------------------------------------------- measuring */

/* Builds the problem of a copy.  A piece makes and returns the tensors at its cuts, unless it is an end. */
static neap_status read_copy(const struct neap_split *split, const struct tflite_split *copy,
                             const struct split_path *path, neap_problem **problem,
                             neap_error *error) {
  neap_reading reading = split->reading;
  neap_graph *graph;
  if (path->pieces[0]->segment.first > 0) reading.liveness.no_inputs = false;
  if (path->pieces[path->count - 1]->segment.end < split->network.operator_count)
    reading.liveness.no_outputs = false;
  neap_status status = tflite_read(copy->bytes, copy->size, &reading, &graph, error);
  return status == NEAP_OK ? adopt_graph(graph, &reading, problem, error) : status;
}

static neap_status bound_problem(const neap_problem *problem, neap_size *peak,
                                 neap_error *error) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_bound(problem, &bound, error);
  if (status == NEAP_OK && bound.lower_bound > *peak) *peak = bound.lower_bound;
  return status;
}

static neap_status plan_problem(const neap_problem *problem, const neap_options *options,
                                neap_plan **plan, neap_report *report, neap_error *error) {
  neap_status status = neap_solve(problem, options, plan, error);
  *report = (neap_report)NEAP_INIT(neap_report);
  if (status == NEAP_OK) neap_plan_report(*plan, report);
  return status;
}

/* The problem of a path; the copy is kept if `copy` is not NULL. */
static neap_status make_problem(const struct neap_split *split, const struct split_path *path,
                                struct tflite_split *copy, neap_problem **problem,
                                neap_error *error) {
  neap_status status = tflite_split_write(&split->model, &split->network, path->pieces,
                                          path->count, copy, error);
  if (status == NEAP_OK) status = read_copy(split, copy, path, problem, error);
  return status;
}

static neap_status measure_piece(struct split_piece *piece, bool plans, void *user,
                                 neap_error *error) {
  struct neap_split *split = user;
  const struct split_path path = {.pieces = &piece, .count = 1};
  struct tflite_split copy = {NULL, 0, 0};
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  neap_report report;
  split->progress.measured++;
  neap_status status = make_problem(split, &path, &copy, &problem, error);
  if (status == NEAP_OK) piece->operators = copy.operators;
  free(copy.bytes);
  if (status == NEAP_OK && !plans) status = bound_problem(problem, &piece->peak, error);
  else if (status == NEAP_OK) {
    status = plan_problem(problem, split->piece_options, &plan, &report, error);
    if (status == NEAP_OK && report.lower_bound > piece->peak) piece->peak = report.lower_bound;
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
  return status;
}

static void clear_choice(struct choice *choice) {
  free(choice->copy.bytes);
  free(choice->path.pieces);
  neap_plan_free(choice->plan);
  neap_problem_free(choice->problem);
  *choice = (struct choice){.plan = NULL};
}

/* Plans a path as a whole; choice->path is a copy of it. */
static neap_status plan_path(struct neap_split *split, const struct split_path *path,
                             struct choice *choice, neap_error *error) {
  neap_report report;
  *choice = (struct choice){.path = *path};
  choice->path.pieces = memory_array(path->count, sizeof *path->pieces);
  if (!choice->path.pieces) return error_memory(error);
  memcpy(choice->path.pieces, path->pieces, path->count * sizeof *path->pieces);
  neap_status status = make_problem(split, path, &choice->copy, &choice->problem, error);
  if (status == NEAP_OK)
    status = plan_problem(choice->problem, split->whole_options, &choice->plan, &report, error);
  if (status == NEAP_OK)
    choice->point = (neap_split_point){report.peak, path->macs, choice->copy.operators,
                                       (neap_size)choice->copy.size};
  else clear_choice(choice);
  return status;
}

static void consider_point(struct neap_split *split, const neap_split_point *point) {
  if (split->progress.peak == NEAP_UNPLACED || point->peak < split->progress.peak)
    split->progress.peak = point->peak;
}

static neap_status measure_path(const struct split_path *path, neap_size *peak, void *user,
                                neap_error *error) {
  struct neap_split *split = user;
  clear_choice(&split->latest);
  neap_status status = plan_path(split, path, &split->latest, error);
  if (status != NEAP_OK) return status;
  *peak = split->latest.point.peak;
  consider_point(split, &split->latest.point);
  return NEAP_OK;
}

static void keep_path(void *user) {
  struct neap_split *split = user;
  clear_choice(&split->after);
  split->after = split->latest;
  split->latest = (struct choice){.plan = NULL};
}

static bool keep_on(void *user) {
  struct neap_split *split = user;
  split->progress.seconds = budget_seconds(&split->clock);
  return !split->splitting->keep_on ||
         split->splitting->keep_on(&split->progress, split->splitting->user);
}

/* ---------------------------------------------------------------- searching */

/* The network as it is, as one piece. */
static neap_status plan_before(struct neap_split *split, neap_error *error) {
  struct split_piece whole = {
      .bands = 1,
      .segment = {.network = &split->network, .end = split->network.operator_count}};
  struct split_piece *pieces = &whole;
  struct split_path path = {.pieces = &pieces, .count = 1};
  for (size_t k = 0; k < split->network.operator_count; k++)
    path.macs += split->network.operators[k].macs;
  neap_status status = plan_path(split, &path, &split->before, error);
  if (status != NEAP_OK) return status;
  split->before.path.count = 0;
  split->before.point.file_bytes = (neap_size)split->size;
  consider_point(split, &split->before.point);
  return NEAP_OK;
}

static neap_status search_once(struct neap_split *split, const struct split_wish *wish,
                               struct split_found *found, neap_error *error) {
  const struct split_measure measure = {measure_piece, measure_path, keep_path, keep_on, split};
  clear_choice(&split->after);
  return split_search_run(&split->search, wish, &measure, found, error);
}

static const struct choice *last_point(const struct neap_split *split) {
  return split->point_count > 0 ? &split->points[split->point_count - 1] : NULL;
}

/*
 * Moves the choice just found to the curve, if it lowers the peak.  It has less work than those there, which go if
 * their peaks are no lower.
 */
static bool take_point(struct neap_split *split) {
  const neap_size peak = split->after.point.peak;
  if (!split->after.plan || peak >= split->before.point.peak) return false;
  while (last_point(split) && last_point(split)->point.peak >= peak)
    clear_choice(&split->points[--split->point_count]);
  if (split->point_count == POINTS_MAX) return false;
  split->points[split->point_count++] = split->after;
  split->after = (struct choice){.plan = NULL};
  return true;
}

/* Another choice may have the lowest peak that has been found with less work, unless that peak is proven. */
static neap_status lessen_work(struct neap_split *split, neap_error *error) {
  const neap_split_point point = last_point(split)->point;
  const struct split_wish wish = {point.macs, point.peak};
  struct split_found found;
  neap_status status = search_once(split, &wish, &found, error);
  if (status == NEAP_OK && split->after.plan && split->after.point.macs < point.macs)
    take_point(split);
  return status;
}

/* From the lowest peak on, each choice has less work than the one before it. */
static neap_status search_curve(struct neap_split *split, int64_t most, neap_error *error) {
  struct split_wish wish = {most, split->splitting->capacity};
  struct split_found found;
  const int64_t least = split->search.macs;
  bool is_first = true;
  do {
    neap_status status = search_once(split, &wish, &found, error);
    if (status != NEAP_OK) return status;
    if (!take_point(split)) return NEAP_OK;
    if (is_first) split->report.is_proven = found.is_proven;
    if (is_first && !found.is_proven && wish.capacity < 0) status = lessen_work(split, error);
    if (status != NEAP_OK) return status;
    is_first = false;
    int64_t extra = last_point(split)->point.macs - least;
    wish.macs = least + extra - extra / 8 - 1;
  } while (split->splitting->keep_on_curve && wish.macs >= least && keep_on(split));
  return NEAP_OK;
}

static neap_status search_all(struct neap_split *split, neap_error *error) {
  const neap_splitting *splitting = split->splitting;
  double factor =
      splitting->most_millionths > 0 ? (double)splitting->most_millionths * 1e-6 : FACTOR_MAX;
  neap_size peak = split->before.point.peak;
  bool fits = splitting->capacity >= 0 && peak <= splitting->capacity;
  neap_status status = split_search_init(&split->search, &split->network, factor, peak, error);
  if (status != NEAP_OK || fits || split->network.operator_count == 0) return status;
  int64_t most = (int64_t)((double)split->search.macs * factor);
  status = search_curve(split, most, error);
  if (status != NEAP_OK) return status;
  if (splitting->capacity < 0 || split->point_count > 0) return NEAP_OK;
  return error_set(
      error, NEAP_NO_PLAN,
      "no choice of segments and bands was found that fits; without a capacity, neap "
      "finds the lowest peak");
}

/* ---------------------------------------------------------------- the whole */

static neap_options *make_options(const char *ticks, neap_error *error) {
  neap_options *options = neap_options_new();
  if (options && neap_options_set(options, "max-ticks", ticks, error) == NEAP_OK)
    return options;
  neap_options_free(options);
  return NULL;
}

static neap_status open_model(struct neap_split *split, neap_error *error) {
  struct flat file = {(const unsigned char *)split->text, split->size};
  neap_status status = tflite_check(split->text, split->size, &split->reading, error);
  if (status == NEAP_OK) status = tflite_model_open(&split->model, &file, error);
  split->is_open = true;
  if (status == NEAP_OK) status = tflite_split_check(&split->model, error);
  /* Also checks what the network takes for granted. */
  if (status == NEAP_OK)
    status = tflite_read(split->text, split->size, &split->reading, &split->graph, error);
  if (status == NEAP_OK) status = tflite_network_read(&split->model, &split->network, error);
  return status;
}

static const struct choice *best_of(const struct neap_split *split) {
  return split->point_count > 0 ? &split->points[0] : &split->before;
}

static neap_status split_all(struct neap_split *split, neap_error *error) {
  neap_status status = open_model(split, error);
  if (status == NEAP_OK) status = plan_before(split, error);
  if (status == NEAP_OK) status = search_all(split, error);
  if (status != NEAP_OK) return status;
  split->report.before = split->before.point;
  split->report.after = best_of(split)->point;
  split->report.is_split = split->point_count > 0;
  split->report.seconds = budget_seconds(&split->clock);
  return NEAP_OK;
}

static neap_status open_split(struct neap_split *split, const neap_reading *reading,
                              neap_error *error) {
  neap_status status =
      reading ? SIZED_READ(neap_reading, split->reading, reading, error) : NEAP_OK;
  if (status != NEAP_OK) return status;
  split->reading.target = "tflm";
  split->reading.liveness.list_runtime = true;
  split->progress.peak = NEAP_UNPLACED;
  budget_init(&split->clock, 0, 0);
  split->piece_options = make_options(PIECE_TICKS, error);
  split->whole_options = make_options(WHOLE_TICKS, error);
  if (!split->piece_options || !split->whole_options) return error_memory(error);
  return split->reading.scratch
             ? error_set(error, NEAP_ERROR_ARGUMENT,
                         "neap_reading.scratch numbers the operators of the model before it "
                         "is split")
             : NEAP_OK;
}

neap_status neap_split_model(const char *path, const neap_reading *reading,
                             const neap_splitting *splitting, neap_split **split,
                             neap_error *error) {
  struct neap_split *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->splitting = splitting;
  made->reading = (neap_reading)NEAP_INIT(neap_reading);
  neap_status status = open_split(made, reading, error);
  if (status == NEAP_OK) status = input_read(path, &made->text, &made->size, error);
  if (status == NEAP_OK) status = error_in_file(error, split_all(made, error), path);
  made->splitting = NULL;
  if (status == NEAP_OK) *split = made;
  else neap_split_free(made);
  return status;
}

void neap_split_free(neap_split *split) {
  if (!split) return;
  clear_choice(&split->before);
  clear_choice(&split->latest);
  clear_choice(&split->after);
  for (size_t i = 0; i < split->point_count; i++)
    clear_choice(&split->points[i]);
  split_search_clear(&split->search);
  tflite_network_clear(&split->network);
  if (split->is_open) tflite_model_close(&split->model);
  neap_graph_free(split->graph);
  neap_options_free(split->piece_options);
  neap_options_free(split->whole_options);
  free(split->text);
  free(split);
}

void neap_split_get_report(const neap_split *split, neap_split_report *report) {
  *report = split->report;
}

bool neap_split_segment_at(const neap_split *split, size_t index, neap_split_segment *segment) {
  const struct split_path *path = &best_of(split)->path;
  for (size_t i = 0; i < path->count; i++) {
    const struct split_piece *piece = path->pieces[i];
    if (piece->bands == 1 || index-- > 0) continue;
    const struct split_segment *own = &piece->segment;
    *segment = (neap_split_segment){own->first,
                                    own->end,
                                    piece->bands,
                                    piece->ends,
                                    names_text(&split->graph->names, own->input),
                                    names_text(&split->graph->names, own->output)};
    return true;
  }
  return false;
}

bool neap_split_point_at(const neap_split *split, size_t index, neap_split_point *point) {
  if (index > split->point_count) return false;
  *point = index < split->point_count ? split->points[index].point : split->before.point;
  return true;
}

neap_status neap_split_write(const neap_split *split, const char *path, neap_error *error) {
  const struct choice *best = best_of(split);
  struct output output;
  neap_status status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  status = tflite_write_bytes(best->plan, best->copy.bytes, best->copy.size, true,
                              output.stream, error);
  return output_close(&output, error_in_file(error, status, path), error);
}
