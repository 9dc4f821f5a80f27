/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan that was written by column or compressed and read back is the plan that it was. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/gzip.h"
#include "files/json/columns.h"
#include "files/json/plan.h"
#include "files/owned.h"
#include "tests/support/random_problem.h"
#include "tests/support/random_relations.h"
#include "tests/support/sample.h"

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
  size_t size, columns_size;
  char *text = text_of(plan, json_plan_write, &size);
  char *columns = text_of(plan, json_plan_write_columns, &columns_size);
  text = reread(text, size);
  columns = reread(columns, columns_size);
  assert_string_equal(text, columns);
  free(columns);
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

TEST(random_plans_return) {
  for (uint64_t seed = 0, tries = sample_tries(500); seed < tries; seed++) {
    struct instance instance = instance_random(seed, 40, WITH_ALL);
    neap_problem *problem = instance_problem(&instance);
    check_problem(problem);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

TEST(relations_and_pools_return) {
  for (uint64_t seed = 0, tries = sample_tries(100); seed < tries; seed++)
    for (int kind = 0; kind < TINY_KIND_COUNT; kind++) {
      struct tiny tiny = tiny_random((enum tiny_kind)kind, seed);
      neap_problem *problem = tiny_problem(&tiny);
      if (problem) check_problem(problem);
      neap_problem_free(problem);
    }
}

/* ---------------------------------------------------------------- more than one chunk */

/* Names with all that a separator or an escape could trip over. */
static void name_of(struct dice *dice, size_t i, char name[80]) {
  static const char *const pieces[] = {
      "a/b", "\"",    "\\n", "ä",      "\xf0\x9f\x8c\x8a",         "<", ",", ";,|",
      " ",   "\\\\u", "\t",  "conv1/", "long long long long name "};
  name[0] = '\0';
  for (size_t k = dice_roll(dice, 3); k > 0; k--)
    strcat(name, pieces[dice_roll(dice, sizeof pieces / sizeof *pieces)]);
  snprintf(name + strlen(name), 24, "%zu", i);
}

/* Times, sizes and offsets far beyond 2^53, and keys that only some chunks or some buffers have. */
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

TEST(many_chunks_return) {
  const size_t counts[] = {1, JSON_CHUNK - 1, JSON_CHUNK, JSON_CHUNK + 1, 3 * JSON_CHUNK};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (uint64_t seed = 0; seed < 4; seed++) {
      neap_plan *plan = make_large(seed, counts[i]);
      check_return(plan);
      neap_plan_free(plan);
    }
}

/* ---------------------------------------------------------------- compressed texts */

static char *packed_of(const char *text, size_t size, size_t *packed_size) {
  char *packed;
  FILE *out = open_memstream(&packed, packed_size), *stream = gzip_stream(out);
  assert_non_null(stream);
  assert_int_equal(fwrite(text, 1, size, stream), size);
  assert_int_equal(fclose(stream), 0);
  assert_int_equal(fclose(out), 0);
  return packed;
}

TEST(compressed_texts_return) {
  enum { MOST = 100000 };
  for (uint64_t seed = 0; seed < 60; seed++) {
    struct dice dice = {seed};
    size_t size = dice_roll(&dice, seed % 3 ? 40 : MOST), packed_size, back_size;
    uint64_t letters = 1 + dice_roll(&dice, 255);
    char *text = malloc(size + 1), *back;
    neap_error error;
    for (size_t i = 0; i < size; i++)
      text[i] = (char)dice_roll(&dice, letters);
    char *packed = packed_of(text, size, &packed_size);
    assert_ok(gzip_unpack(packed, packed_size, &back, &back_size, &error), &error);
    assert_int_equal(back_size, size);
    assert_memory_equal(back, text, size);
    free(back);
    for (size_t cut = 1; cut < packed_size; cut += 1 + packed_size / 20)
      assert_int_equal(gzip_unpack(packed, packed_size - cut, &back, &back_size, &error),
                       NEAP_ERROR_INPUT);
    packed[dice_roll(&dice, packed_size - 4)] = '?';
    assert_int_equal(gzip_unpack(packed, packed_size, &back, &back_size, &error),
                     NEAP_ERROR_INPUT);
    free(packed);
    free(text);
  }
}

/* ---------------------------------------------------------------- damage */

TEST(damaged_columns_are_refused) {
  static const struct {
    const char *chunk, *complaint;
  } cases[] = {
      {"{}", "expected a value"},
      {"[]", "expected an object"},
      {"{\"name\": 3}", "name"},
      {"{\"name\": []}", "expected a value"},
      {"{\"name\": [\"a\", \"b\"], \"size\": [1]}", "size: expected 2 values, found 1"},
      {"{\"name\": [\"a\"], \"size\": [1], \"start\": [0], \"offset\": [0]}", "start"},
      {"{\"name\": [\"a\"], \"size\": [1], \"start\": [2], \"end\": [\"x\"], \"offset\": [0]}",
       "lifetimes"},
      {"{\"name\": [\"a\"]}", "size"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    int size = snprintf(text, sizeof text,
                        "{\"format\": \"neap-plan\", \"version\": 1,\n\"columns\": [\n%s]}",
                        cases[i].chunk);
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
      cmocka_unit_test(many_chunks_return),
      cmocka_unit_test(compressed_texts_return),
      cmocka_unit_test(damaged_columns_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
