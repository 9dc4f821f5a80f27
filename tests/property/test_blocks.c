/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan that was written in blocks and read back is the plan that it was. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/adopt.h"
#include "formats/json/blocks.h"
#include "formats/json/packed.h"
#include "formats/json/plan.h"
#include "tests/property/random_problem.h"
#include "tests/property/random_relations.h"
#include "tests/unit/sample.h"

/* ---------------------------------------------------------------- there and back */

typedef neap_status writer(const struct neap_plan *plan, FILE *stream, neap_error *error);

static char *text_of(const neap_plan *plan, writer *write, size_t *size) {
  char *text;
  neap_error error;
  FILE *stream = open_memstream(&text, size);
  assert_non_null(stream);
  assert_ok(write(plan, stream, &error), &error);
  assert_int_equal(fclose(stream), 0);
  return text;
}

/* Reads a plan, and writes it as readable JSON. */
static char *reread(char *text, size_t size) {
  neap_plan *plan;
  neap_error error;
  assert_ok(json_plan_read(text, size, &(neap_reading)NEAP_INIT(neap_reading), &plan, &error),
            &error);
  free(text);
  text = text_of(plan, json_plan_write, &size);
  neap_plan_free(plan);
  return text;
}

static void check_return(const neap_plan *plan) {
  size_t size, packed_size;
  char *text = text_of(plan, json_plan_write, &size);
  char *packed = text_of(plan, json_plan_write_blocks, &packed_size);
  text = reread(text, size);
  packed = reread(packed, packed_size);
  assert_string_equal(text, packed);
  free(packed);
  free(text);
}

static void check_problem(const neap_problem *problem) {
  neap_options *options = neap_options_new();
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_options_set(options, "engine", "sort", &error), &error);
  if (neap_solve(problem, options, &plan, &error) == NEAP_OK) {
    check_return(plan);
    neap_plan_free(plan);
  }
  neap_options_free(options);
}

static void random_plans_return(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 500; seed++) {
    struct instance instance = instance_random(seed, 40, WITH_ALL);
    neap_problem *problem = instance_problem(&instance);
    check_problem(problem);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

static void relations_and_pools_return(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++)
    for (int kind = 0; kind < TINY_KIND_COUNT; kind++) {
      struct tiny tiny = tiny_random((enum tiny_kind)kind, seed);
      neap_problem *problem = tiny_problem(&tiny);
      if (problem) check_problem(problem);
      neap_problem_free(problem);
    }
}

/* ---------------------------------------------------------------- more than one block */

/* Names with all that a separator, an escape or a shared beginning could trip over. */
static void name_of(struct dice *dice, size_t i, char name[80]) {
  static const char *const pieces[] = {
      "a/b", "\"",    "\\n", "ä",      "\xf0\x9f\x8c\x8a",         "<", ",", ";,|",
      " ",   "\\\\u", "\t",  "conv1/", "long long long long name "};
  name[0] = '\0';
  for (size_t k = dice_roll(dice, 3); k > 0; k--)
    strcat(name, pieces[dice_roll(dice, sizeof pieces / sizeof *pieces)]);
  snprintf(name + strlen(name), 24, "%zu", i);
}

/* Times, sizes and offsets far beyond 2^53, and keys that only some blocks or some buffers have. */
static neap_plan *make_large(uint64_t seed, size_t count) {
  struct dice dice = {seed};
  neap_problem *problem = neap_problem_new();
  neap_offset *offsets = malloc(count * sizeof *offsets);
  neap_plan *plan;
  neap_error error;
  bool wide = seed % 2, plain = seed % 3 == 0;
  for (size_t i = 0; i < count; i++) {
    char name[80];
    neap_range ranges[] = {{(neap_time)i, (neap_time)i + 3},
                           {(neap_time)i + 5, wide ? INT64_MAX : (neap_time)i + 6}};
    name_of(&dice, i, name);
    if (plain) snprintf(name, sizeof name, "b%zu", i);
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = name;
    buffer.size = (neap_size)dice_roll(&dice, 1000);
    if (wide && i == count / 2) buffer.size = (INT64_C(1) << 61) + 1;
    buffer.ranges = ranges;
    buffer.range_count = i > count / 3 && dice_chance(&dice, 20) ? 2 : 1;
    if (dice_chance(&dice, 30)) buffer.hint = i % 2 ? "conv" : "say \"hi\"";
    if (i > 5000) buffer.alignment = 64;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
    offsets[i] = (neap_offset)dice_roll(&dice, wide ? INT64_MAX / 2 : 100000);
  }
  assert_ok(adopt_plan(problem, offsets, &plan, &error), &error);
  return plan;
}

static void many_blocks_return(void **state) {
  (void)state;
  const size_t counts[] = {1, JSON_BLOCK - 1, JSON_BLOCK, JSON_BLOCK + 1, 3 * JSON_BLOCK};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (uint64_t seed = 0; seed < 4; seed++) {
      neap_plan *plan = make_large(seed, counts[i]);
      check_return(plan);
      neap_plan_free(plan);
    }
}

/* ---------------------------------------------------------------- packed numbers */

static void packed_numbers_return(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    struct dice dice = {seed};
    uint64_t numbers[20], back[21];
    size_t count = dice_roll(&dice, 21);
    struct row row = {0};
    for (size_t i = 0; i < count; i++)
      numbers[i] = (dice_roll(&dice, UINT64_MAX) | (seed & 1)) >> dice_roll(&dice, 64);
    packed_append(numbers, count, &row);
    assert_int_equal(row.length, (packed_bytes(numbers, count) + 2) / 3 * 4);
    assert_true(packed_read(row.text, row.length, back, count));
    assert_memory_equal(numbers, back, count * sizeof *numbers);
    assert_false(packed_read(row.text, row.length, back, count + 1));
    assert_true(count == 0 || !packed_read(row.text, row.length, back, count - 1));
    assert_true(row.length == 0 || !packed_read(row.text, row.length - 1, back, count));
    row_clear(&row);
  }
}

static void packed_numbers_are_at_most_64_bits(void **state) {
  (void)state;
  uint64_t number;
  assert_true(packed_read("////////////////AQ==", 20, &number, 0) == false);
  assert_true(packed_read("////////////AQ==", 16, &number, 1));
  assert_true(number == UINT64_MAX);
  assert_false(packed_read("////////////Ag==", 16, &number, 1));
  assert_false(packed_read("gA==", 4, &number, 1));
  assert_false(packed_read("A===", 4, &number, 1));
  assert_false(packed_read("A?==", 4, &number, 1));
}

static void folding_keeps_every_number(void **state) {
  (void)state;
  const int64_t numbers[] = {0, -1, 1, -2, INT64_MAX, INT64_MIN, INT64_MIN + 1};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    assert_true(packed_unfold(packed_fold(numbers[i])) == numbers[i]);
  assert_true(packed_fold(-1) == 1 && packed_fold(1) == 2);
}

/* ---------------------------------------------------------------- damage */

static void damaged_blocks_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *block, *complaint;
  } cases[] = {
      {"{}", "count"},
      {"{\"count\": 5000, \"columns\": {}}", "at most 4096"},
      {"{\"count\": 1, \"columns\": []}", "columns"},
      {"{\"count\": 1, \"columns\": {\"name\": 3}}", "name"},
      {"{\"count\": 1, \"columns\": {\"name\": {\"values\": []}}}", "one value"},
      {"{\"count\": 1, \"columns\": {\"name\": {\"values\": [\"a\"], \"index\": \"Ag==\"}}}",
       "at most 1"},
      {"{\"count\": 1, \"columns\": {\"name\": {\"texts\": \"a,b\", \"between\": \",\", "
       "\"shared\": \"AA==\"}}}",
       "found 2"},
      {"{\"count\": 1, \"columns\": {\"name\": {\"texts\": \"a\", \"between\": \", \", "
       "\"shared\": \"AA==\"}}}",
       "one byte"},
      {"{\"count\": 1, \"columns\": {\"name\": {\"texts\": \"a\", \"between\": \",\", "
       "\"shared\": \"AQ==\"}}}",
       "shares 1"},
      {"{\"count\": 1, \"columns\": {\"size\": {\"numbers\": \"AAA=\"}}}", "packed"},
      {"{\"count\": 1, \"columns\": {\"size\": {\"numbers\": \"////////////AQ==\"}}}", "2^63"},
      {"{\"count\": 1, \"columns\": {\"size\": {\"deltas\": \"AQ==\"}}}", "2^63"},
      {"{\"count\": 1, \"columns\": {\"lifetimes\": {\"starts\": {\"numbers\": \"AA==\"}}}}",
       "durations"},
      {"{\"count\": 1, \"columns\": {\"lifetimes\": {\"starts\": {\"numbers\": \"AA==\"}, "
       "\"durations\": {\"numbers\": \"AQ==\"}, \"counts\": \"//////8/\"}}}",
       "packed"},
      {"{\"count\": 1, \"columns\": {\"name\": {\"values\": [\"a\"]}}}", "size"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    int size = snprintf(text, sizeof text,
                        "{\"format\": \"neap-plan\", \"version\": 1,\n\"blocks\": [\n%s]}",
                        cases[i].block);
    neap_plan *plan;
    neap_error error;
    assert_int_equal(json_plan_read(text, (size_t)size, &(neap_reading)NEAP_INIT(neap_reading),
                                    &plan, &error),
                     NEAP_ERROR_INPUT);
    if (!strstr(error.text, cases[i].complaint))
      fail_msg("expected '%s' in '%s'", cases[i].complaint, error.text);
    assert_int_equal(error.line, 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_plans_return),
      cmocka_unit_test(relations_and_pools_return),
      cmocka_unit_test(many_blocks_return),
      cmocka_unit_test(packed_numbers_return),
      cmocka_unit_test(packed_numbers_are_at_most_64_bits),
      cmocka_unit_test(folding_keeps_every_number),
      cmocka_unit_test(damaged_blocks_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
