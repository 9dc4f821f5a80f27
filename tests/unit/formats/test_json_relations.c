/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relations, pools and other constraints as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/json/plan.h"
#include "files/json/problem.h"
#include "tests/support/fault.h"

static const struct format json = {json_problem_read, json_problem_write, json_plan_read,
                                   json_plan_write};

/* Whether the first text is read as a problem that is written as the second. */
static void expect_written(const char *text, const char *expected) {
  format_expect(&json, text, expected);
}

static void expect_kept(const char *text) { format_expect(&json, text, text); }

#define PROBLEM "{\n  \"format\": \"neap-problem\",\n  \"version\": 1,\n"
#define PLAN "{\n  \"format\": \"neap-plan\",\n  \"version\": 1,\n"
#define BUFFER(name, more) \
  "    {\"name\": \"" name "\", \"size\": 8, \"lifetimes\": [[0, 2]]" more "}"
#define BUFFERS                                                                           \
  "  \"buffers\": [\n" BUFFER("a", "") ",\n" BUFFER("b", "") ",\n" BUFFER("c", "") "\n  " \
                                                                                   "]\n}\n"

/* ---------------------------------------------------------------- round trips */

static void relations_round_trip(void **state) {
  (void)state;
  expect_kept(PROBLEM "  \"separations\": [\n"
                      "    {\"buffers\": [\"a\", \"b\"], \"reason\": \"two \\\"halves\\\"\"},\n"
                      "    {\"buffers\": [\"c\", \"a\"]}\n"
                      "  ],\n" BUFFERS);
  expect_kept(PROBLEM "  \"exclusions\": [\n"
                      "    {\"buffers\": [\"a\", \"b\"]}\n"
                      "  ],\n"
                      "  \"overlaps\": [\n"
                      "    {\"first\": \"b\", \"second\": \"c\", \"bytes\": 4}\n"
                      "  ],\n" BUFFERS);
  expect_kept(PROBLEM "  \"colocations\": [\n"
                      "    {\"first\": \"b\", \"second\": \"c\", \"offset\": -4}\n"
                      "  ],\n"
                      "  \"bank_separations\": [\n"
                      "    {\"buffers\": [\"a\", \"b\"], \"bank\": 64}\n"
                      "  ],\n"
                      "  \"reuse_penalties\": [\n"
                      "    {\"buffers\": [\"a\", \"b\"], \"cost\": 0}\n"
                      "  ],\n" BUFFERS);
}

static void pools_and_limits_round_trip(void **state) {
  (void)state;
  expect_kept(
      PROBLEM
      "  \"pools\": [\n"
      "    {\"name\": \"sram\", \"capacity\": 65536, \"alignment\": 16, \"base\": "
      "\"0x20000000\", \"cost\": 0},\n"
      "    {\"name\": \"dram\"}\n"
      "  ],\n"
      "  \"reserved\": [\n"
      "    {\"pool\": \"dram\", \"bytes\": [0, 64]},\n"
      "    {\"pool\": \"sram\", \"bytes\": [4096, null], \"when\": [1, 3]}\n"
      "  ],\n"
      "  \"objective\": [\"peak\", \"spill\", \"reuse\", \"moved\"],\n"
      "  \"buffers\": [\n" BUFFER(
          "a",
          ", \"window\": [64, null], \"bank\": 64, \"pools\": [\"dram\", "
          "\"sram\"]") ",\n" BUFFER("b", ", \"window\": [0, 99], \"near\": 0, "
                                         "\"move_cost\": 3") ",\n" BUFFER("c", ", \"near\": "
                                                                               "16") "\n  ]"
                                                                                     "\n}"
                                                                                     "\n");
}

static void plans_name_pools(void **state) {
  (void)state;
  neap_plan *plan = format_plan(
      &json, "{\"format\": \"neap-plan\", \"version\": 1, \"buffers\": ["
             "{\"name\": \"a\", \"size\": 8, \"lifetimes\": [[0, 1]], \"offset\": 0, "
             "\"pool\": \"dram\"}, "
             "{\"name\": \"b\", \"size\": 4, \"lifetimes\": [[0, 1]], \"offset\": 0, "
             "\"pool\": \"sram\"}], "
             "\"pools\": [{\"name\": \"sram\", \"capacity\": 6}, {\"name\": \"dram\"}]}");
  neap_error error;
  assert_int_equal(neap_plan_pool(plan, 0), 1);
  assert_int_equal(neap_plan_pool(plan, 1), 0);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  char *text = format_written_plan(&json, plan);
  assert_non_null(strstr(text, "\"end_offset\": 8, \"pool\": \"dram\""));
  assert_non_null(strstr(text, "\"capacity\": 6, \"free\": 2}"));
  neap_plan *again = format_plan(&json, text);
  char *text_again = format_written_plan(&json, again);
  assert_string_equal(text, text_again);
  free(text);
  free(text_again);
  neap_plan_free(plan);
  neap_plan_free(again);
}

/* ---------------------------------------------------------------- short forms */

static void order_of_keys_is_free(void **state) {
  (void)state;
  expect_written(
      "{\"separations\": [{\"buffers\": [\"b\", \"a\"]}], \"buffers\": [\n" BUFFER(
          "a", ", \"pools\": [\"p\"]") ", " BUFFER("b",
                                                   "") "], \"pools\": [{\"capacity\": null, "
                                                       "\"base\": 16, \"name\": \"p\"}], "
                                                       "\"version\": 1, \"format\": "
                                                       "\"neap-problem\"}",
      PROBLEM
      "  \"pools\": [\n    {\"name\": \"p\", \"base\": \"0x10\"}\n  ],\n"
      "  \"separations\": [\n    {\"buffers\": [\"b\", \"a\"]}\n  ],\n"
      "  \"buffers\": [\n" BUFFER("a", ", \"pools\": [\"p\"]") ",\n" BUFFER("b", "") "\n  "
                                                                                     "]\n}\n");
}

static void lists_relate_all_pairs(void **state) {
  (void)state;
  expect_written(PROBLEM "\"exclusions\": [{\"buffers\": [\"c\", \"a\", \"b\"]}],\n" BUFFERS,
                 PROBLEM "  \"exclusions\": [\n"
                         "    {\"buffers\": [\"c\", \"a\"]},\n"
                         "    {\"buffers\": [\"c\", \"b\"]},\n"
                         "    {\"buffers\": [\"a\", \"b\"]}\n"
                         "  ],\n" BUFFERS);
}

static void missing_terms_follow_in_order(void **state) {
  (void)state;
  expect_written(PROBLEM "\"objective\": [\"moved\", \"peak\"],\n" BUFFERS, PROBLEM
                 "  \"objective\": [\"moved\", \"peak\", \"spill\", \"reuse\"],\n" BUFFERS);
  expect_written(PROBLEM "\"objective\": [],\n" BUFFERS, PROBLEM BUFFERS);
}

#define MOMENTS                                                    \
  "  \"separations\": [\n"                                         \
  "    {\"buffers\": [\"a\", \"c\"]}\n"                            \
  "  ],\n"                                                         \
  "  \"buffers\": [\n"                                             \
  "    {\"name\": \"a\", \"size\": 8, \"lifetimes\": [[0, 1]]},\n" \
  "    {\"name\": \"b\", \"size\": 8, \"lifetimes\": [[1, 2]]},\n" \
  "    {\"name\": \"c\", \"size\": 8, \"lifetimes\": [[2, 3]]}\n"  \
  "  ]\n}\n"
#define TIMELESS                                                                   \
  "\"buffers\": [{\"name\": \"a\", \"size\": 8}, {\"name\": \"b\", \"size\": 8}, " \
  "{\"name\": \"c\", \"size\": 8}]}"

static void conflicts_replace_lifetimes(void **state) {
  (void)state;
  expect_written(PROBLEM "\"conflicts\": [[\"a\", \"c\"]], " TIMELESS, PROBLEM MOMENTS);
  expect_written(PROBLEM "\"conflict_matrix\": [[0, 0, 1], [0, 1, 0], [1, 0, 0]], " TIMELESS,
                 PROBLEM MOMENTS);
}

/* ---------------------------------------------------------------- rejected input */

FAULT_READER(problem, problem, json_problem_read)
FAULT_READER(plan, plan, json_plan_read)

/* In a line of its own at the root, and in a buffer. */
#define ROOT_FAULT(name, column, text, ...) \
  FAULT(name, problem, 4, column, PROBLEM text ",\n" BUFFERS, __VA_ARGS__)
#define LIMIT_FAULT(name, text, ...)                                                          \
  FAULT(name, problem, 4, 13,                                                                 \
        PROBLEM "\"buffers\": [{\"name\": \"a\", \"size\": 8, \"lifetimes\": [[0, 2]], " text \
                "}], \"pools\": [{\"name\": \"p\"}, {\"name\": \"q\"}]}",                     \
        __VA_ARGS__)
#define TIMELESS_FAULT(name, column, text, ...) \
  FAULT(name, problem, 4, column, PROBLEM text ",\n" TIMELESS, __VA_ARGS__)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(relations_round_trip),
    cmocka_unit_test(pools_and_limits_round_trip),
    cmocka_unit_test(plans_name_pools),
    cmocka_unit_test(order_of_keys_is_free),
    cmocka_unit_test(lists_relate_all_pairs),
    cmocka_unit_test(missing_terms_follow_in_order),
    cmocka_unit_test(conflicts_replace_lifetimes),

    ROOT_FAULT("unknown buffer", 35, "\"separations\": [{\"buffers\": [\"a\", \"z\"]}]",
               "separations[0].buffers[1]: there is no buffer 'z'"),
    ROOT_FAULT("the same buffer twice", 16, "\"exclusions\": [{\"buffers\": [\"a\", \"a\"]}]",
               "exclusions[0]: this exclusion relates 'a' to itself"),
    ROOT_FAULT("a single buffer", 28, "\"exclusions\": [{\"buffers\": [\"a\"]}]",
               "exclusions[0].buffers: expected from 2 to 4096 names of buffers, found 1"),
    ROOT_FAULT("a single buffer with a number", 33,
               "\"reuse_penalties\": [{\"buffers\": [\"a\"], \"cost\": 1}]",
               "reuse_penalties[0].buffers: expected from 2 to 512 names of buffers, found 1"),
    ROOT_FAULT("a name that is no string", 34, "\"exclusions\": [{\"buffers\": [\"a\", 1]}]",
               "exclusions[0].buffers[1]: expected a string, found a whole number"),
    ROOT_FAULT("buffers that are missing", 17, "\"separations\": [{}]",
               "separations[0].buffers: expected an array, found no such key"),
    ROOT_FAULT("key of another kind", 49,
               "\"separations\": [{\"buffers\": [\"a\", \"b\"], \"cost\": 1}]",
               "separations[0].cost: unknown key; expected one of buffers, reason"),
    ROOT_FAULT("overlap without bytes", 14,
               "\"overlaps\": [{\"first\": \"a\", \"second\": \"b\"}]",
               "overlaps[0].bytes: expected a whole number, found no such key"),
    ROOT_FAULT("negative overlap", 53,
               "\"overlaps\": [{\"first\": \"a\", \"second\": \"b\", \"bytes\": -1}]",
               "overlaps[0].bytes: expected a whole number of 0 or more, found -1"),
    ROOT_FAULT("colocation with an unknown buffer", 27,
               "\"colocations\": [{\"first\": \"z\", \"second\": \"b\"}]",
               "colocations[0].first: there is no buffer 'z'"),
    ROOT_FAULT("bank of 0", 54,
               "\"bank_separations\": [{\"buffers\": [\"a\", \"b\"], \"bank\": 0}]",
               "bank_separations[0].bank: expected a whole number of 1 or more, found 0"),
    ROOT_FAULT("negative cost", 53,
               "\"reuse_penalties\": [{\"buffers\": [\"a\", \"b\"], \"cost\": -1}]",
               "reuse_penalties[0].cost: expected a whole number of 0 or more, found -1"),
    ROOT_FAULT("costs over 2^63 - 1", 21,
               "\"reuse_penalties\": [{\"buffers\": [\"a\", \"b\", \"c\"], "
               "\"cost\": 9223372036854775807}]",
               "reuse_penalties[0]: all reuse penalties must add up to less than 2^63"),
    ROOT_FAULT("reason that is no text", 51,
               "\"separations\": [{\"buffers\": [\"a\", \"b\"], \"reason\": 1}]",
               "separations[0].reason: expected a string"),
    ROOT_FAULT("unknown term", 23, "\"objective\": [\"peak\", \"hight\"]",
               "objective[1]: expected spill, peak, reuse or moved, found 'hight'"),
    ROOT_FAULT("term twice", 23, "\"objective\": [\"peak\", \"peak\"]",
               "objective[1]: 'peak' is listed twice"),
    ROOT_FAULT("pool without a name", 11, "\"pools\": [{}]",
               "pools[0].name: expected a string, found no such key"),
    ROOT_FAULT("pool twice", 26, "\"pools\": [{\"name\": \"p\"}, {\"name\": \"p\"}]",
               "pools[1]: duplicate pool 'p'"),
    ROOT_FAULT("negative capacity", 37, "\"pools\": [{\"name\": \"p\", \"capacity\": -1}]",
               "pools[0].capacity: expected a whole number of 0 or more, found -1"),
    ROOT_FAULT("base over 2^63 - 1", 33,
               "\"pools\": [{\"name\": \"p\", \"base\": \"0x8000000000000000\"}]",
               "pools[0].base: expected an address below 2^63"),
    ROOT_FAULT("reserved bytes in an unknown pool", 23,
               "\"reserved\": [{\"pool\": \"p\", \"bytes\": [0, 1]}]",
               "reserved[0].pool: there is no pool 'p'"),
    ROOT_FAULT("reserved bytes in no pool of two", 14,
               "\"reserved\": [{\"bytes\": [0, 1]}], "
               "\"pools\": [{\"name\": \"p\"}, {\"name\": \"q\"}]",
               "reserved[0].pool: expected a string, found no such key"),
    ROOT_FAULT("no reserved bytes", 14, "\"reserved\": [{\"bytes\": [1, 1]}]",
               "reserved[0]: expected reserved bytes"),
    ROOT_FAULT("reserved bytes of three", 24, "\"reserved\": [{\"bytes\": [1, 2, 3]}]",
               "reserved[0].bytes: expected a pair [low, high], found an array of 3"),

    LIMIT_FAULT("unknown pool of a buffer", "\"pools\": [\"p\", \"z\"]",
                "buffers[0].pools[1]: there is no pool 'z'; there are 'p', 'q'"),
    LIMIT_FAULT("pool of a buffer twice", "\"pools\": [\"p\", \"p\"]", "listed twice"),
    LIMIT_FAULT("no pool of a buffer", "\"pools\": []",
                "buffers[0].pools: expected at least one pool"),
    LIMIT_FAULT("window that is too small", "\"window\": [8, 15]", "smaller than the buffer"),
    LIMIT_FAULT("window that ends at 0", "\"window\": [0, 0]",
                "buffers[0].window: expected a window that ends above 0"),
    LIMIT_FAULT("negative window", "\"window\": [-8, 15]",
                "buffers[0].window[0]: expected a whole number of 0 or more"),
    LIMIT_FAULT("bank smaller than the buffer", "\"bank\": 4", "bank of 4"),
    LIMIT_FAULT("negative earlier offset", "\"near\": -1", "buffers[0].near: expected"),
    LIMIT_FAULT("cost of a move from nowhere", "\"move_cost\": 1",
                "buffers[0].move_cost: needs the key \"near\""),
    LIMIT_FAULT("pool of a plan in a problem", "\"pool\": \"p\"",
                "buffers[0].pool: unknown key"),

    FAULT("lifetimes and conflicts", problem, 6, 5,
          PROBLEM "\"conflicts\": []"
                  ",\n" BUFFERS,
          "buffers[0].lifetimes: buffers have no lifetimes in a problem with conflicts"),
    TIMELESS_FAULT("conflict with an unknown buffer", 21, "\"conflicts\": [[\"a\", \"z\"]]",
                   "conflicts[0][1]: there is no buffer 'z'"),
    TIMELESS_FAULT("matrix with too few rows", 20, "\"conflict_matrix\": [[0, 0, 0]]",
                   "conflict_matrix: expected a row for each of 3 buffers, found 1"),
    TIMELESS_FAULT("row that is too short", 21,
                   "\"conflict_matrix\": [[0, 0], [0, 0, 0], [0, 0, 0]]",
                   "conflict_matrix[0]: expected a number for each of 3 buffers, found 2"),
    TIMELESS_FAULT(
        "matrix that is not symmetric", 32,
        "\"conflict_matrix\": [[0, 1, 0], [0, 0, 0], [0, 0, 0]]",
        "conflict_matrix[1]: the matrix is not symmetric: [1][0] is 0, but [0][1] is "
        "1"),
    TIMELESS_FAULT("number in a matrix that is not 0 or 1", 22,
                   "\"conflict_matrix\": [[2, 1, 0], [0, 0, 0], [0, 0, 0]]",
                   "conflict_matrix[0][0]: expected 0 or 1, found 2"),

    FAULT("buffer of a plan without a pool", plan, 5, 1,
          PLAN "\"pools\": [{\"name\": \"p\"}], \"buffers\": [" BUFFER(
              "a", ", \"offset\": 0, \"pool\": \"p\"") ",\n{\"name\": \"b\", \"size\": 1, "
                                                       "\"lifetimes\": [[0, 1]], \"offset\": "
                                                       "8}]}",
          "buffers[1].pool: expected a string, found no such key"),
    FAULT("only a later buffer of a plan has a pool", plan, 5, 1,
          PLAN "\"pools\": [{\"name\": \"p\"}], \"buffers\": [" BUFFER(
              "a", ", \"offset\": 0") ",\n{\"name\": \"b\", \"size\": 1, \"lifetimes\": [[0, "
                                      "1]], \"offset\": 8, \"pool\": \"p\"}]}",
          "buffers[1].pool: the buffers before this one have no pool"),
};

int main(void) { return cmocka_run_group_tests_name("json_relations", tests, NULL, NULL); }
