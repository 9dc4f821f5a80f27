/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents of dsa-solver: what they become, what is refused, and what is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/dsa/dsa.h"
#include "plan/plan.h"
#include "tests/unit/fault.h"

#define HEAD                                                                  \
  "{\"schema_version\": 1, \"profile\": \"pypto_structured\", \"instance\": " \
  "\"i\",\n\"problem\": {"
#define POOL(id, capacity) \
  "{\"id\": " #id ", \"name\": \"p\", \"capacity\": " #capacity ", \"reserved_ranges\": []}"
#define BUFFER(id, name, size, lower, upper, pools)                                     \
  "{\"id\": " #id ", \"name\": \"" name "\", \"size\": " #size                          \
  ", \"alignment\": 1, \"live_intervals\": [{\"lower\": " #lower ", \"upper\": " #upper \
  "}], \"allowed_pools\": " pools "}"
#define CONSTRAINTS(colocations, separations, exclusions, pins)                          \
  "\"constraints\": {\"colocations\": [" colocations "], \"separations\": [" separations \
  "], \"temporal_exclusions\": [" exclusions "], \"pinned_allocations\": [" pins "]}"
#define PAIR(first, second) "{\"first\": " #first ", \"second\": " #second "}"
#define TAIL(terms) \
  ", \"objective\": {\"aggregation\": \"lexicographic\", \"terms\": [" terms "]}}}"
#define PEAK "\"total_peak\""

static neap_problem *read_with(const char *text, const neap_reading *reading) {
  neap_problem *problem = NULL;
  neap_error error;
  char *copy = fault_copy(text, strlen(text));
  assert_true(dsa_is(copy, strlen(copy), reading));
  assert_ok(dsa_problem_read(copy, strlen(text), reading, &problem, &error), &error);
  free(copy);
  return problem;
}

static neap_problem *read_good(const char *text) {
  static const neap_reading plain = NEAP_INIT(neap_reading);
  return read_with(text, &plain);
}

static char *written(const neap_problem *problem) {
  struct fault_output output;
  neap_error error;
  fault_output_open(&output);
  assert_ok(dsa_problem_write(problem, output.stream, &error), &error);
  return fault_output_close(&output);
}

static neap_buffer buffer_of(const neap_problem *problem, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  assert_true(neap_problem_buffer_at(problem, index, &buffer));
  return buffer;
}

static void expect_relation(const neap_problem *problem, size_t index, neap_relation_kind kind,
                            size_t first, size_t second, neap_size bytes, const char *reason) {
  neap_relation relation = NEAP_INIT(neap_relation);
  assert_true(neap_problem_relation_at(problem, index, &relation));
  assert_int_equal(relation.kind, kind);
  assert_int_equal(relation.first, first);
  assert_int_equal(relation.second, second);
  assert_int_equal(relation.bytes, bytes);
  if (reason) assert_string_equal(relation.reason, reason);
  else assert_null(relation.reason);
}

/* ---------------------------------------------------------------- reading */

#define TWO_POOLS "\"pools\": [" POOL(7, 64) ", " POOL(3, null) "]"

static void pools_are_read(void **state) {
  (void)state;
  neap_problem *problem =
      read_good(HEAD TWO_POOLS ", \"buffers\": [" BUFFER(5, "a", 8, 0, 2, "[3, 7]") ", " BUFFER(
          2, "", 8, 1, 2, "[7]") "], " CONSTRAINTS("", "", "", "") TAIL(PEAK));
  neap_pool pool = NEAP_INIT(neap_pool);
  assert_true(neap_problem_pool_at(problem, 0, &pool));
  assert_string_equal(pool.name, "p");
  assert_int_equal(pool.capacity, 64);
  assert_true(neap_problem_pool_at(problem, 1, &pool));
  assert_string_equal(pool.name, "p#3");
  assert_int_equal(pool.capacity, -1);
  neap_buffer buffer = buffer_of(problem, 0);
  assert_int_equal(buffer.pool_count, 2);
  assert_int_equal(buffer.pools[0], 1);
  assert_int_equal(buffer.pools[1], 0);
  assert_string_equal(buffer_of(problem, 1).name, "#2");
  neap_term order[NEAP_TERM_COUNT];
  neap_problem_objective(problem, order);
  assert_int_equal(order[0], NEAP_TERM_PEAK); /* a choice of pools is no term of dsa-solver */
  assert_int_equal(order[1], NEAP_TERM_SPILL);
  neap_problem_free(problem);
}

#define ONE_POOL "\"pools\": [" POOL(0, null) "]"
#define THREE                                                              \
  ONE_POOL ", \"buffers\": [" BUFFER(1, "a", 8, -2, 1, "[0]") ", " BUFFER( \
      2, "b", 16, 0, 3, "[0]") ", " BUFFER(3, "c", 4, 4, 6, "[0]") "], "

static void one_unlimited_pool_is_no_pool(void **state) {
  (void)state;
  neap_problem *problem = read_good(HEAD THREE CONSTRAINTS("", "", "", "") TAIL(PEAK));
  assert_null(problem->relations);
  assert_int_equal(buffer_of(problem, 0).ranges[0].start, 0); /* shifted from -2 */
  assert_int_equal(buffer_of(problem, 2).ranges[0].end, 8);
  neap_problem_free(problem);
}

static void relations_are_read(void **state) {
  (void)state;
  neap_problem *problem = read_good(HEAD THREE CONSTRAINTS(
      "", "{\"first\": 3, \"second\": 1, \"reasons\": [\"cross_pipe\", \"generic\"]}",
      PAIR(1, 2) ", " PAIR(1, 3),
      "") ", \"cost_model\": {\"reuse_penalties\": [{\"first\": 2, "
          "\"second\": 3, \"cost\": 9, \"reason\": \"cross_core\"}]}" TAIL(
              "\"reuse_cost\", " PEAK));
  expect_relation(problem, 0, NEAP_SEPARATION, 2, 0, 0, "cross_pipe, generic");
  expect_relation(problem, 1, NEAP_EXCLUSION, 0, 1, 0, NULL); /* not 0, 2: they are separated */
  expect_relation(problem, 2, NEAP_REUSE_PENALTY, 1, 2, 9, "cross_core");
  neap_term order[NEAP_TERM_COUNT];
  neap_problem_objective(problem, order);
  assert_int_equal(order[1], NEAP_TERM_REUSE);
  neap_problem_free(problem);
}

static void colocated_buffers_get_the_largest_size(void **state) {
  (void)state;
  neap_problem *problem =
      read_good(HEAD THREE CONSTRAINTS(PAIR(1, 3) ", " PAIR(2, 1), "", "", "") TAIL(PEAK));
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(buffer_of(problem, i).size, 16);
  expect_relation(problem, 1, NEAP_COLOCATION, 1, 0, 0, NULL);
  neap_problem_free(problem);
}

#define PIN "{\"buffer\": 3, \"pool\": 0, \"offset\": 32, \"exclusive_for_all_time\": true}"

static void an_exclusive_pin_lives_throughout(void **state) {
  (void)state;
  static const neap_reading replanned = {.struct_size = sizeof(neap_reading), .replan = true};
  const char *text = HEAD THREE CONSTRAINTS("", "", "", PIN) TAIL(PEAK);
  neap_problem *problem = read_good(text);
  neap_buffer buffer = buffer_of(problem, 2);
  assert_int_equal(buffer.fixed_offset, 32);
  assert_int_equal(buffer.ranges[0].start, 0);
  assert_int_equal(buffer.ranges[0].end, 8);
  neap_problem_free(problem);
  problem = read_with(text, &replanned);
  assert_int_equal(buffer_of(problem, 2).fixed_offset, NEAP_UNPLACED);
  neap_problem_free(problem);
}

static void documents_are_recognised(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool is;
  } cases[] = {{"{\"schema_version\"", true},
               {" {\"instance\": \"}\", \"metadata\": {\"a\": [1, \"]\"]}, \"problem\"", true},
               {"{\"instance\": 1}", false},
               {"{\"format\": \"neap-problem\", \"problem\": 1}", false},
               {"{", false},
               {"", false},
               {"[\"problem\"]", false},
               {"{\"metadata\": {\"problem\": 1}}", false}};
  for (size_t i = 0; i < SAMPLE_COUNT(cases); i++) {
    char *copy = fault_copy(cases[i].text, strlen(cases[i].text));
    assert_int_equal(dsa_is(copy, strlen(copy), NULL), cases[i].is);
    free(copy);
  }
}

/* ---------------------------------------------------------------- writing */

/* As dsa-solver prints it; its fingerprint there is that in the solution below. */
static const char canonical[] =
    "{\n  \"instance\": \"i\",\n  \"metadata\": {\n    \"k\": \"\\u001f\\n\\\"\"\n  },\n"
    "  \"problem\": {\n    \"buffers\": [\n      {\n        \"alignment\": 1,\n"
    "        \"allowed_pools\": [\n          4\n        ],\n        \"id\": 9,\n"
    "        \"live_intervals\": [\n          {\n            \"lower\": -1,\n"
    "            \"upper\": 2\n          }\n        ],\n        \"name\": \"a\",\n"
    "        \"size\": 8\n      }\n    ],\n    \"constraints\": {\n      \"colocations\": [],\n"
    "      \"pinned_allocations\": [],\n      \"separations\": [],\n"
    "      \"temporal_exclusions\": []\n    },\n    \"objective\": {\n"
    "      \"aggregation\": \"lexicographic\",\n      \"terms\": [\n        \"total_peak\"\n"
    "      ]\n    },\n    \"pools\": [\n      {\n        \"capacity\": null,\n        \"id\": "
    "4,\n"
    "        \"name\": \"p\",\n        \"reserved_ranges\": []\n      }\n    ]\n  },\n"
    "  \"profile\": \"standard_dsa\",\n  \"schema_version\": 1\n}\n";

static const char compact[] =
    "{\"schema_version\":1,\"profile\":\"standard_dsa\",\"instance\":\"i\",\"metadata\":"
    "{\"k\":\"\\u001F\\n\\\"\"},\"problem\":{\"pools\":[" POOL(
        4, null) "],\"buffers\":[" BUFFER(9, "a", 8, -1, 2,
                                          "[4]") "]," CONSTRAINTS("", "", "", "") TAIL(PEAK);

static void an_unchanged_document_is_written_back(void **state) {
  (void)state;
  neap_problem *problem = read_good(compact);
  char *text = written(problem);
  assert_string_equal(text, canonical);
  free(text);
  neap_problem_free(problem);
}

static void a_changed_document_keeps_its_envelope(void **state) {
  (void)state;
  neap_error error;
  neap_problem *problem = read_good(compact);
  assert_ok(neap_problem_align(problem, 64, 1, &error), &error);
  char *text = written(problem);
  assert_non_null(strstr(text, "\"alignment\": 64"));
  assert_non_null(strstr(text, "\"id\": 9"));
  assert_non_null(strstr(text, "\"k\": \"\\u001f"));
  assert_non_null(strstr(text, "\"lower\": 0"));
  free(text);
  neap_problem_free(problem);
}

static void a_solution_names_its_problem(void **state) {
  (void)state;
  static const neap_offset offsets[] = {24};
  neap_problem *problem = read_good(compact);
  neap_plan *plan;
  neap_error error;
  struct fault_output output;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  fault_output_open(&output);
  assert_ok(dsa_plan_write(plan, output.stream, &error), &error);
  char *text = fault_output_close(&output);
  assert_non_null(strstr(text, "\"buffer\": 9,\n      \"offset\": 24,\n      \"pool\": 4\n"));
  assert_non_null(strstr(text, "\"problem_fingerprint\": \"e44340f92e0a251c\""));
  assert_non_null(strstr(text, "\"profile\": \"standard_dsa\""));
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void a_problem_of_ones_own_is_read_back(void **state) {
  (void)state;
  static const neap_term order[] = {NEAP_TERM_MOVED, NEAP_TERM_REUSE, NEAP_TERM_SPILL,
                                    NEAP_TERM_PEAK};
  neap_problem *problem = neap_problem_new();
  neap_error error;
  neap_term read[NEAP_TERM_COUNT];
  const neap_pool pool = {sizeof(neap_pool), "ram", 64, 1, 0, -1};
  assert_ok(neap_problem_add_pool(problem, &pool, &error), &error);
  assert_ok(neap_problem_add_simple(problem, "a", 8, 0, 2, &error), &error);
  assert_ok(neap_problem_add_simple(problem, "b", 8, 2, 4, &error), &error);
  const neap_relation relations[] = {
      {sizeof(neap_relation), NEAP_REUSE_PENALTY, 0, 1, 3, NULL},
      {sizeof(neap_relation), NEAP_SEPARATION, 1, 0, 0, "ours, ours"}};
  for (size_t i = 0; i < 2; i++)
    assert_ok(neap_problem_relate(problem, &relations[i], &error), &error);
  assert_ok(neap_problem_set_objective(problem, order, &error), &error);
  char *text = written(problem);
  neap_problem *again = read_good(text);
  neap_problem_objective(again, read);
  assert_memory_equal(read, order, sizeof order);
  expect_relation(again, 0, NEAP_SEPARATION, 1, 0, 0, "generic");
  expect_relation(again, 1, NEAP_REUSE_PENALTY, 0, 1, 3, NULL);
  free(text);
  neap_problem_free(again);
  neap_problem_free(problem);
}

static void what_would_be_lost_is_refused(void **state) {
  (void)state;
  static const neap_relation lost[] = {
      {sizeof(neap_relation), NEAP_OVERLAP, 0, 1, 0, NULL},
      {sizeof(neap_relation), NEAP_BANK_SEPARATION, 0, 1, 8, NULL},
      {sizeof(neap_relation), NEAP_COLOCATION, 0, 1, 4, NULL},
      {sizeof(neap_relation), NEAP_COLOCATION, 0, 1, 0, NULL}};
  for (size_t i = 0; i < SAMPLE_COUNT(lost); i++) {
    neap_problem *problem = neap_problem_new();
    neap_error error;
    struct fault_output output;
    assert_ok(neap_problem_add_simple(problem, "a", 8, 0, 2, &error), &error);
    assert_ok(neap_problem_add_simple(problem, "b", 16, 2, 4, &error), &error);
    assert_ok(neap_problem_relate(problem, &lost[i], &error), &error);
    fault_output_open(&output);
    assert_int_equal(dsa_problem_write(problem, output.stream, &error), NEAP_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "'a'"));
    free(fault_output_close(&output));
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- faults */

static neap_status read_fault(char *text, size_t size, neap_error *error) {
  static const neap_reading plain = NEAP_INIT(neap_reading);
  neap_problem *problem = NULL;
  neap_status status = dsa_problem_read(text, size, &plain, &problem, error);
  neap_problem_free(problem);
  return status;
}

#define REFUSED(name, line, column, text, ...) \
  FAULT(name, read_fault, line, column, text, __VA_ARGS__)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pools_are_read),
    cmocka_unit_test(one_unlimited_pool_is_no_pool),
    cmocka_unit_test(relations_are_read),
    cmocka_unit_test(colocated_buffers_get_the_largest_size),
    cmocka_unit_test(an_exclusive_pin_lives_throughout),
    cmocka_unit_test(documents_are_recognised),
    cmocka_unit_test(an_unchanged_document_is_written_back),
    cmocka_unit_test(a_changed_document_keeps_its_envelope),
    cmocka_unit_test(a_solution_names_its_problem),
    cmocka_unit_test(a_problem_of_ones_own_is_read_back),
    cmocka_unit_test(what_would_be_lost_is_refused),
    REFUSED("no JSON", 1, 20, "{\"schema_version\": 1", "not valid JSON"),
    REFUSED("another version", 1, 20, "{\"schema_version\": 2}", "schema_version", "found 2"),
    REFUSED("an unknown profile", 1, 34, "{\"schema_version\": 1, \"profile\": \"x\"}",
            "profile", "'x'", "standard_dsa"),
    REFUSED("a solution", 2, 16, "{\"schema_version\": 1,\n \"placements\": []}", "solution"),
    REFUSED("no pools", 2, 22, HEAD "\"pools\": [], \"buffers\": []}}", "problem.pools",
            "at least one"),
    REFUSED("an unknown pool", 4, 115,
            HEAD ONE_POOL ",\n \"buffers\": [\n" BUFFER(
                1, "a", 8, 0, 1, "[2]") "], " CONSTRAINTS("", "", "", "") TAIL(PEAK),
            "problem.buffers[0].allowed_pools[0]", "pool", "2"),
    REFUSED("a buffer of size 0", 3, 32,
            HEAD ONE_POOL ", \"buffers\": [\n" BUFFER(1, "a", 0, 0, 1, "[0]") "]}}",
            "problem.buffers[0].size", "found 0"),
    REFUSED("an empty lifetime", 3, 70,
            HEAD ONE_POOL ", \"buffers\": [\n" BUFFER(1, "a", 8, 1, 1, "[0]") "]}}",
            "live_intervals[0]", "lower"),
    REFUSED("an id twice", 4, 8,
            HEAD ONE_POOL ", \"buffers\": [\n" BUFFER(1, "a", 8, 0, 1, "[0]") ",\n" BUFFER(
                1, "b", 8, 0, 1, "[0]") "]}}",
            "problem.buffers[1].id", "twice"),
    REFUSED("an unknown buffer", 4, 24,
            HEAD THREE "\n" CONSTRAINTS("\n" PAIR(1, 4), "", "", "") TAIL(PEAK),
            "colocations[0].second", "buffer", "4"),
    REFUSED("an unknown reason", 4, 39,
            HEAD THREE "\n" CONSTRAINTS(
                "", "\n{\"first\": 1, \"second\": 2, \"reasons\": [\"x\"]}", "", "") TAIL(PEAK),
            "separations[0].reasons[0]", "'x'"),
    REFUSED("a buffer separated from itself", 4, 1,
            HEAD THREE "\n" CONSTRAINTS("", "\n" PAIR(1, 1), "", "") TAIL(PEAK), "itself"),
    REFUSED("a term twice", 4, 1,
            HEAD THREE CONSTRAINTS("", "", "", "") TAIL("\n" PEAK ",\n" PEAK), "twice"),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
