/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"

int sample_run(const char *group, const struct CMUnitTest *others, size_t other_count,
               CMUnitTestFunction test, const void *rows, size_t row_count, size_t row_size) {
  struct CMUnitTest *tests = calloc(row_count + other_count, sizeof *tests);
  if (!tests) return 1;
  for (size_t r = 0; r < row_count; r++) {
    const char *row = (const char *)rows + r * row_size, *name;
    memcpy(&name, row, sizeof name);
    tests[r] = (struct CMUnitTest){name, test, NULL, NULL, (void *)(uintptr_t)row};
  }
  memcpy(tests + row_count, others, other_count * sizeof *tests);
  const int failures =
      _cmocka_run_group_tests(group, tests, row_count + other_count, NULL, NULL);
  free(tests);
  return failures;
}

bool sample_is_full(void) { return getenv("NEAP_FULL") || getenv("NEAP_LONG"); }

uint64_t sample_tries(uint64_t usual) {
  if (getenv("NEAP_LONG")) return 20 * usual;
  return sample_is_full() || usual < 4 ? usual : usual / 4;
}

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
  const neap_relation relation = {
      sizeof(neap_relation), kind, first, second, bytes, "a reason"};
  neap_error error;
  assert_ok(neap_problem_relate(problem, &relation, &error), &error);
}

static void read_buffer(neap_problem *problem, const char *name, const char *text) {
  neap_range range = {0, 9};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  char *rest;
  buffer.name = name;
  buffer.size = strtoll(text, &rest, 10);
  buffer.ranges = &range;
  buffer.range_count = 1;
  while (*rest) {
    const char mark = *rest;
    const int64_t value = strtoll(rest + 1, &rest, 10);
    switch (mark) {
    case '%':
      buffer.alignment = value;
      break;
    case '@':
      buffer.fixed_offset = value;
      break;
    case '[':
      buffer.window_low = value;
      break;
    case ',':
      buffer.window_high = value;
      break;
    case ')':
      break;
    case '/':
      buffer.bank = value;
      break;
    case ':':
      range.start = value;
      break;
    case '-':
      range.end = value;
      break;
    default:
      fail_msg("unknown mark in %s", text);
    }
  }
  add(problem, &buffer);
}

neap_problem *sample_read(const char *buffers) {
  neap_problem *problem = neap_problem_new();
  char copy[128], name[] = "a";
  assert_non_null(problem);
  assert_true(strlen(buffers) < sizeof copy);
  strcpy(copy, buffers);
  for (char *text = strtok(copy, " "); text; text = strtok(NULL, " "), name[0]++)
    read_buffer(problem, name, text);
  return problem;
}

static neap_relation_kind read_kind(const char *name) {
  static const struct {
    const char *name;
    neap_relation_kind kind;
  } kinds[] = {{"separate", NEAP_SEPARATION},   {"exclude", NEAP_EXCLUSION},
               {"overlap", NEAP_OVERLAP},       {"colocate", NEAP_COLOCATION},
               {"banks", NEAP_BANK_SEPARATION}, {"penalise", NEAP_REUSE_PENALTY}};
  for (size_t k = 0; k < SAMPLE_COUNT(kinds); k++)
    if (strcmp(kinds[k].name, name) == 0) return kinds[k].kind;
  fail_msg("unknown relation %s", name);
  return NEAP_SEPARATION;
}

void sample_read_relations(neap_problem *problem, const char *relations) {
  char copy[128];
  assert_true(strlen(relations) < sizeof copy);
  strcpy(copy, relations);
  for (char *text = strtok(copy, ","); text; text = strtok(NULL, ",")) {
    char name[16], first, second;
    long long bytes = 0;
    if (strcmp(text, " fine") == 0)
      assert_ok(neap_problem_check(problem, NULL), &(neap_error){0});
    else if (sscanf(text, " %15s %c %c %lld", name, &first, &second, &bytes) >= 3)
      sample_relate(problem, read_kind(name), (size_t)(first - 'a'), (size_t)(second - 'a'),
                    bytes);
    else fail_msg("expected a relation, found %s", text);
  }
}

neap_problem *sample_graph_problem(const neap_graph *graph, const neap_liveness *liveness) {
  neap_problem *problem = NULL;
  neap_error error;
  assert_ok(neap_graph_to_problem(graph, liveness, &problem, &error), &error);
  return problem;
}

neap_buffer sample_buffer(const neap_problem *problem, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  assert_true(neap_problem_buffer_at(problem, index, &buffer));
  return buffer;
}

neap_bound sample_bound(const neap_problem *problem) {
  neap_bound bound = NEAP_INIT(neap_bound);
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
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  return report;
}

neap_plan *sample_solve(const neap_problem *problem, const neap_options *options) {
  neap_plan *plan = NULL;
  neap_error error;
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  return plan;
}

void sample_expect_times(const neap_problem *problem, const char *name, neap_time start,
                         neap_time end) {
  size_t index;
  assert_true(neap_problem_find(problem, name, &index));
  neap_buffer buffer = sample_buffer(problem, index);
  assert_int_equal(buffer.range_count, 1);
  assert_int_equal(buffer.ranges[0].start, start);
  assert_int_equal(buffer.ranges[0].end, end);
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

/* One of the halves of a rectangle that is cut across time or across bytes. */
struct cut {
  int64_t from[2], to[2]; /* times, bytes */
};

/* A number below `limit`, from a linear congruential generator. */
static int64_t draw(uint64_t *state, int64_t limit) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (int64_t)(*state >> 33) % limit;
}

neap_problem *sample_hard(void) {
  struct cut cuts[400] = {{{0, 0}, {1000000, 1000000}}};
  neap_problem *hard = neap_problem_new();
  uint64_t state = 4;
  assert_non_null(hard);
  for (size_t count = 1; count < SAMPLE_COUNT(cuts);) {
    struct cut *cut = &cuts[draw(&state, (int64_t)count)], *other = &cuts[count];
    int64_t axis = draw(&state, 2), length = cut->to[axis] - cut->from[axis];
    if (length < 4) continue;
    *other = *cut;
    cut->to[axis] = other->from[axis] = cut->from[axis] + 1 + draw(&state, length - 1);
    count++;
  }
  for (size_t i = 0; i < SAMPLE_COUNT(cuts); i++) {
    char name[24];
    snprintf(name, sizeof name, "%zu", i);
    sample_add(hard, name, cuts[i].from[0], cuts[i].to[0],
               2 * (cuts[i].to[1] - cuts[i].from[1]) + 1);
  }
  return hard;
}
