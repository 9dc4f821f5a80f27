/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/behind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/csv/ops.h"
#include "files/csv/plan.h"
#include "files/csv/problem.h"
#include "files/json/plan.h"
#include "files/json/problem.h"
#include "files/plan_text.h"
#include "neap-tool.h"
#include "plan/plan.h"

#define SMALL 200 /* problems with up to this many buffers are planned */
#define FEW 24    /* plans with up to this many buffers are drawn */
#define MAX_TICKS "2000"

const char *behind_complaint(const char *what, const char *of, const neap_error *error) {
  static char text[sizeof(neap_error) + 256];
  snprintf(text, sizeof text, "%s %s (%s: %s)", what, of, neap_status_name(error->status),
           error->text);
  return text;
}

static bool is_among(neap_status status, const neap_status *allowed, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (allowed[i] == status) return true;
  return false;
}

bool behind_store(const char *bytes, size_t size, char path[BEHIND_PATH]) {
  strcpy(path, "/tmp/neap-fuzz-XXXXXX");
  int file = mkstemp(path);
  if (file < 0) return false;
  bool stored = write(file, bytes, size) == (ssize_t)size;
  return close(file) == 0 && stored;
}

/* ---------------------------------------------------------------- writing and reading back */

static const neap_reading plain = NEAP_INIT(neap_reading);

typedef neap_status write_problem(const neap_problem *problem, FILE *stream, neap_error *error);
typedef neap_status write_plan(const neap_plan *plan, FILE *stream, neap_error *error);
typedef neap_status read_problem(char *text, size_t size, neap_problem **problem,
                                 neap_error *error);

static neap_status write_csv(const neap_problem *problem, FILE *stream, neap_error *error) {
  return csv_problem_write(problem, stream, error);
}

static neap_status read_csv(char *text, size_t size, neap_problem **problem,
                            neap_error *error) {
  return csv_problem_read(text, size, &plain, problem, error);
}

static neap_status read_ops(char *text, size_t size, neap_problem **problem,
                            neap_error *error) {
  return ops_read(text, size, &plain, problem, error);
}

static neap_status read_json(char *text, size_t size, neap_problem **problem,
                             neap_error *error) {
  return json_problem_read(text, size, &plain, problem, error);
}

static const struct {
  const char *name;
  write_problem *write;
  read_problem *read;
} writers[] = {{"CSV", write_csv, read_csv},
               {"JSON", json_problem_write, read_json},
               {"operations", ops_write, read_ops}};

static bool same_buffer(const neap_problem *left, const neap_problem *right, size_t index) {
  neap_buffer a = NEAP_INIT(neap_buffer), b = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(left, index, &a);
  neap_problem_buffer_at(right, index, &b);
  if (strcmp(a.name, b.name) != 0 || a.size != b.size || a.alignment != b.alignment ||
      a.fixed_offset != b.fixed_offset || a.range_count != b.range_count)
    return false;
  if (strcmp(a.hint ? a.hint : "", b.hint ? b.hint : "") != 0) return false;
  return memcmp(a.ranges, b.ranges, a.range_count * sizeof *a.ranges) == 0;
}

static bool same_problem(const neap_problem *left, const neap_problem *right) {
  size_t count = neap_problem_count(left);
  bool same = neap_problem_count(right) == count;
  for (size_t i = 0; i < count && same; i++)
    same = same_buffer(left, right, i);
  return same;
}

static const char *read_back(const neap_problem *problem, char *text, size_t size, size_t way) {
  neap_problem *again = NULL;
  neap_error error;
  const char *complaint = NULL;
  if (writers[way].read(text, size, &again, &error) != NEAP_OK)
    complaint =
        behind_complaint("what was written is not read back:", writers[way].name, &error);
  else if (!same_problem(problem, again))
    complaint = behind_complaint("what is read back differs:", writers[way].name, &error);
  neap_problem_free(again);
  return complaint;
}

/* A format that cannot represent everything must return NEAP_ERROR_FORMAT. */
static const char *write_as(const neap_problem *problem, size_t way) {
  char *text = NULL;
  size_t size = 0;
  neap_error error = {.text = ""};
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return NULL;
  neap_status status = writers[way].write(problem, stream, &error);
  fclose(stream);
  const char *complaint = NULL;
  if (status == NEAP_OK) complaint = read_back(problem, text, size, way);
  else if (status != NEAP_ERROR_FORMAT)
    complaint = behind_complaint("a problem is not written:", writers[way].name, &error);
  free(text);
  return complaint;
}

/* ---------------------------------------------------------------- plans */

static neap_status write_report(const neap_plan *plan, FILE *stream, neap_error *error) {
  const neap_summary summary = {.plan = plan, .input = "input", .has_rounds = true};
  return neap_summary_write(&summary, stream, error);
}

static const char *write_out(const neap_plan *plan) {
  static write_plan *const ways[] = {csv_plan_write, json_plan_write, table_plan_write,
                                     write_report};
  const char *complaint = NULL;
  neap_error error = {.text = ""};
  FILE *null = fopen("/dev/null", "w");
  for (size_t i = 0; null && i < sizeof ways / sizeof *ways && !complaint; i++) {
    neap_status status = ways[i](plan, null, &error);
    if (status != NEAP_OK && status != NEAP_ERROR_FORMAT)
      complaint = behind_complaint("a plan is not written", "", &error);
  }
  if (null) fclose(null);
  return complaint;
}

static const char *draw(const neap_plan *plan) {
  neap_error error;
  neap_status status = neap_plan_write(
      plan, "/dev/null", &(neap_writing){.struct_size = sizeof(neap_writing), .format = "svg"},
      &error);
  if (status != NEAP_OK && status != NEAP_ERROR_FORMAT)
    return behind_complaint("a plan is not drawn", "", &error);
  static const char *const headers[] = {"header", "buffer-plan"};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    status = neap_plan_write(plan, "/dev/null",
                             &(neap_writing){.struct_size = sizeof(neap_writing),
                                             .format = headers[i],
                                             .prefix = "N"},
                             &error);
    if (status != NEAP_OK && status != NEAP_ERROR_FORMAT && status != NEAP_ERROR_ARGUMENT)
      return behind_complaint("no header is written", "", &error);
  }
  return NULL;
}

/* The verifier and the search for collisions must agree. */
static const char *check_collisions(const neap_plan *plan, bool sound) {
  neap_collision *collisions = NULL;
  neap_error error = {.text = ""};
  size_t count = 0;
  neap_status status = neap_plan_collisions(plan, 10, &collisions, &count, NULL, &error);
  neap_collisions_free(collisions);
  if (status != NEAP_OK) return behind_complaint("collisions are not found", "", &error);
  return sound && count > 0 ? "a plan that is sound has collisions" : NULL;
}

const char *behind_plan(const neap_plan *plan) {
  neap_error error = {.text = ""};
  neap_status status = neap_plan_verify(plan, -1, &error);
  if (status != NEAP_OK && status != NEAP_ERROR_UNSOUND)
    return behind_complaint("a plan is not verified", "", &error);
  const char *complaint = behind_bound(neap_plan_problem(plan));
  if (!complaint) complaint = check_collisions(plan, status == NEAP_OK);
  if (!complaint) complaint = write_out(plan);
  size_t count = neap_problem_count(neap_plan_problem(plan));
  return complaint || count > FEW ? complaint : draw(plan);
}

/* ---------------------------------------------------------------- planning */

static size_t engine_count(void) {
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  size_t count = 0;
  while (neap_engine_at(count, &engine))
    count++;
  return count;
}

/*
 * The planners of runtimes may refuse, and their waste may exceed 64 bits. All other engines
 * find a plan, unless fixed offsets rule out any.
 */
static const char *check_planning(neap_status status, const neap_engine_info *engine,
                                  const neap_error *error) {
  static const neap_status allowed[] = {NEAP_OK, NEAP_NO_PLAN, NEAP_INFEASIBLE,
                                        NEAP_ERROR_ARGUMENT};
  size_t count = sizeof allowed / sizeof *allowed - !engine->is_runtime;
  if (engine->is_runtime && status == NEAP_ERROR_INPUT && strstr(error->text, "exceed"))
    return NULL;
  return is_among(status, allowed, count)
             ? NULL
             : behind_complaint("not planned by", engine->name, error);
}

static const char *plan_by(const neap_problem *problem, const neap_engine_info *engine) {
  neap_plan *plan = NULL;
  neap_error error = {.text = ""};
  neap_options *options = neap_options_new();
  if (!options) return NULL;
  if (neap_options_set(options, "engine", engine->name, &error) != NEAP_OK ||
      neap_options_set(options, "max-ticks", MAX_TICKS, &error) != NEAP_OK)
    abort();
  neap_status status = neap_solve(problem, options, &plan, &error);
  neap_options_free(options);
  const char *complaint = check_planning(status, engine, &error);
  if (status == NEAP_OK && neap_plan_verify(plan, -1, &error) != NEAP_OK)
    complaint = behind_complaint("an unsound plan by", engine->name, &error);
  if (status == NEAP_OK && !complaint) complaint = behind_plan(plan);
  neap_plan_free(plan);
  return complaint;
}

const char *behind_bound(const neap_problem *problem) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error = {.text = ""};
  if (neap_problem_bound(problem, &bound, &error) != NEAP_OK)
    return behind_complaint("the bound is not computed", "", &error);
  return bound.lower_bound < bound.bytes || bound.bytes < 0
             ? behind_complaint("the lower bound is below the bound", "", &error)
             : NULL;
}

/*
 * A retimed problem can be written as memory operations, unless names or sizes rule that out.
 */
static const char *retime(const neap_problem *problem) {
  neap_error error = {.text = ""};
  neap_problem *retimed = NULL;
  neap_status status = neap_problem_retime(problem, &retimed, &error);
  if (status != NEAP_OK)
    return status == NEAP_ERROR_FORMAT ? NULL : behind_complaint("not retimed", "", &error);
  neap_bound before = NEAP_INIT(neap_bound), after = NEAP_INIT(neap_bound);
  const char *complaint = NULL;
  if (neap_problem_bound(problem, &before, &error) != NEAP_OK ||
      neap_problem_bound(retimed, &after, &error) != NEAP_OK)
    complaint = behind_complaint("the bound is not computed", "", &error);
  else if (before.bytes != after.bytes) complaint = "another bound with new times";
  for (size_t way = 0; way < sizeof writers / sizeof *writers && !complaint; way++)
    complaint = write_as(retimed, way);
  neap_problem_free(retimed);
  return complaint;
}

const char *behind_problem(const neap_problem *problem, uint64_t choice) {
  neap_error error = {.text = ""};
  const char *complaint = behind_bound(problem);
  if (!complaint && neap_problem_check(problem, &error) != NEAP_OK)
    complaint = behind_complaint("what was read is not sound", "", &error);
  for (size_t way = 0; way < sizeof writers / sizeof *writers && !complaint; way++)
    complaint = write_as(problem, way);
  if (!complaint && choice % 8 == 0) complaint = retime(problem);
  if (complaint || neap_problem_count(problem) > SMALL) return complaint;
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  neap_engine_at(choice % engine_count(), &engine);
  return plan_by(problem, &engine);
}

/* ---------------------------------------------------------------- graphs and models */

const char *behind_graph(const neap_graph *graph, uint64_t choice) {
  const char *complaint = NULL;
  for (unsigned way = 0; way < 4 && !complaint; way++) {
    const neap_liveness liveness = {.in_place = way % 2,
                                    .keep_all = way == 2 && choice % 2,
                                    .no_inputs = way > 1,
                                    .no_outputs = way > 1};
    neap_problem *problem = NULL;
    neap_error error = {.text = ""};
    neap_status status = neap_graph_to_problem(graph, &liveness, &problem, &error);
    if (status == NEAP_OK) complaint = behind_problem(problem, choice >> (8 * way));
    else if (status != NEAP_ERROR_INPUT)
      complaint = behind_complaint("no problem is made of a graph", "", &error);
    neap_problem_free(problem);
  }
  return complaint;
}

static bool is_runtimes(const neap_problem *problem, const char *name) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  for (size_t i = 0; neap_problem_runtime_tensor_at(problem, i, &tensor); i++)
    if (strcmp(tensor.name, name) == 0) return true;
  return false;
}

/*
 * The runtime places scratch buffers itself.  A plan without a target lacks them, and tensors that
 * nothing uses; the model's reader adds both.
 */
static bool same_offset(const neap_plan *left, const neap_plan *right, size_t index) {
  const neap_problem *from = neap_plan_problem(left), *problem = neap_plan_problem(right);
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  size_t other;
  neap_problem_buffer_at(problem, index, &buffer);
  if (!neap_problem_find(from, buffer.name, &other))
    return neap_problem_is_unused(problem, index) || is_runtimes(problem, buffer.name);
  return neap_plan_offset(left, other) == neap_plan_offset(right, index) ||
         is_runtimes(from, buffer.name);
}

static bool same_offsets(const neap_plan *left, const neap_plan *right) {
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(right)); i++)
    if (!same_offset(left, right, i)) return false;
  return true;
}

/* The writer may report that the model cannot hold the plan; then it creates no file. */
static const char *write_model(const neap_plan *plan, const char *model, const char *made) {
  static const neap_status allowed[] = {NEAP_ERROR_FORMAT, NEAP_ERROR_ARGUMENT,
                                        NEAP_ERROR_INPUT};
  neap_error error = {.text = ""};
  neap_plan *again = NULL;
  neap_status status = neap_plan_write(plan, made,
                                       &(neap_writing){.struct_size = sizeof(neap_writing),
                                                       .format = "tflite",
                                                       .model = model,
                                                       .replace = true},
                                       &error);
  if (status != NEAP_OK)
    return is_among(status, allowed, sizeof allowed / sizeof *allowed)
               ? NULL
               : behind_complaint("a model is not written", "", &error);
  const char *complaint = NULL;
  if (neap_plan_read(made,
                     &(neap_reading){.struct_size = sizeof(neap_reading), .format = "tflite"},
                     &again, &error) != NEAP_OK)
    complaint = behind_complaint("a model that was written is not read back", "", &error);
  else if (!same_offsets(plan, again)) complaint = "a model's plan reads back as another";
  neap_plan_free(again);
  return complaint;
}

/* Places the buffers end to end, at multiples of 16: a sound plan, found quickly. */
static neap_plan *plan_end_to_end(const neap_problem *problem) {
  size_t count = neap_problem_count(problem);
  neap_offset *offsets = calloc(count + 1, sizeof *offsets), end = 0;
  neap_plan *plan = NULL;
  for (size_t i = 0; i < count && offsets; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    offsets[i] = end;
    end = buffer.size > INT32_MAX || end > INT32_MAX ? end : (end + buffer.size + 15) / 16 * 16;
  }
  if (offsets && neap_plan_new(problem, offsets, &plan, NULL) != NEAP_OK) plan = NULL;
  free(offsets);
  return plan;
}

const char *behind_model(const char *bytes, size_t size, const neap_graph *graph) {
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  char model[BEHIND_PATH], made[BEHIND_PATH];
  const char *complaint = NULL;
  const neap_liveness liveness = {.list_runtime = true};
  if (!graph || neap_graph_to_problem(graph, &liveness, &problem, NULL) != NEAP_OK) return NULL;
  if (neap_problem_count(problem) <= SMALL) plan = plan_end_to_end(problem);
  if (plan && behind_store(bytes, size, model)) {
    if (behind_store("", 0, made)) complaint = write_model(plan, model, made);
    unlink(made);
    unlink(model);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
  return complaint;
}
