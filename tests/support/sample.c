/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/sample.h"

#include <stdio.h>
#include <string.h>

static void add(neap_problem *problem, const neap_buffer *buffer) {
  neap_error error;
  assert_ok(neap_problem_add(problem, buffer, &error), &error);
}

neap_problem *sample_problem(const struct sample *samples, size_t count) {
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "b%zu", i);
    neap_range range = {samples[i].start, samples[i].end};
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = name;
    buffer.size = samples[i].size;
    buffer.alignment = samples[i].alignment ? samples[i].alignment : 1;
    buffer.ranges = &range;
    buffer.range_count = 1;
    add(problem, &buffer);
  }
  return problem;
}

void sample_add(neap_problem *problem, const char *name, neap_time start, neap_time end,
                neap_size size) {
  sample_add_fixed(problem, name, start, end, size, NEAP_UNPLACED);
}

void sample_add_fixed(neap_problem *problem, const char *name, neap_time start, neap_time end,
                      neap_size size, neap_offset offset) {
  neap_range range = {start, end};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = name;
  buffer.size = size;
  buffer.fixed_offset = offset;
  buffer.ranges = &range;
  buffer.range_count = 1;
  add(problem, &buffer);
}

void sample_add_gapped(neap_problem *problem, const char *name, const neap_range *ranges,
                       size_t range_count, neap_size size) {
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = name;
  buffer.size = size;
  buffer.ranges = ranges;
  buffer.range_count = range_count;
  add(problem, &buffer);
}

void sample_add_buffer(neap_problem *problem, const char *name, neap_buffer buffer) {
  const neap_range range = {0, 9};
  buffer.name = name;
  buffer.ranges = &range;
  buffer.range_count = 1;
  add(problem, &buffer);
}

void sample_relate(neap_problem *problem, neap_relation_kind kind, size_t first, size_t second,
                   neap_size bytes) {
  const neap_relation relation = {kind, first, second, bytes, "a reason"};
  neap_error error;
  assert_ok(neap_problem_relate(problem, &relation, &error), &error);
}

neap_problem *sample_generate(const char *kind, size_t count, uint64_t seed) {
  neap_problem *problem = NULL;
  neap_error error;
  assert_ok(neap_problem_generate(kind, count, seed, &problem, &error), &error);
  return problem;
}

neap_problem *sample_graph_problem(const neap_graph *graph, const neap_liveness *liveness) {
  neap_problem *problem = NULL;
  neap_error error;
  assert_ok(neap_graph_problem(graph, liveness, &problem, &error), &error);
  return problem;
}

neap_buffer sample_buffer(const neap_problem *problem, size_t index) {
  neap_buffer buffer;
  assert_true(neap_problem_buffer_at(problem, index, &buffer));
  return buffer;
}

neap_bound sample_bound(const neap_problem *problem) {
  neap_bound bound;
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  return bound;
}

neap_plan *sample_plan(const neap_problem *problem, const neap_offset *offsets) {
  neap_plan *plan = NULL;
  neap_error error;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  return plan;
}

neap_report sample_report(const neap_plan *plan) {
  neap_report report;
  neap_plan_report(plan, &report);
  return report;
}

neap_plan *sample_solve(const neap_problem *problem, const neap_options *options) {
  neap_plan *plan = NULL;
  neap_error error;
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  return plan;
}

void sample_check_error(const neap_error *error, neap_status status, const char *file,
                        int line) {
  _assert_int_equal((LargestIntegralType)error->status, (LargestIntegralType)status, file,
                    line);
  _assert_true(error->text[0] != '\0', "the error has a text", file, line);
  _assert_true(strchr(error->text, '\n') == NULL, "the error's text is one line", file, line);
}

void sample_check_says(const neap_error *error, const char *words, const char *file, int line) {
  if (strstr(error->text, words)) return;
  print_error("the error says \"%s\", without \"%s\"\n", error->text, words);
  _fail(file, line);
}

neap_problem *sample_hard(void) {
  neap_problem *perfect = sample_generate("perfect", 400, 4), *hard = neap_problem_new();
  assert_non_null(hard);
  for (size_t i = 0; i < neap_problem_count(perfect); i++) {
    neap_buffer piece;
    neap_problem_buffer_at(perfect, i, &piece);
    sample_add(hard, piece.name, piece.ranges[0].start, piece.ranges[0].end,
               2 * piece.size + 1);
  }
  neap_problem_free(perfect);
  return hard;
}
