/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems and plans as JSON.  The texts here have ' where JSON has ". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/json/plan.h"
#include "files/json/problem.h"
#include "tests/support/fault.h"

/* ---------------------------------------------------------------- reading and writing */

static void exchange(char *text, size_t size, char from, char to) {
  for (size_t i = 0; i < size; i++)
    if (text[i] == from) text[i] = to;
}

static neap_status read_problem(char *text, size_t size, const neap_reading *reading,
                                neap_problem **problem, neap_error *error) {
  exchange(text, size, '\'', '"');
  return json_problem_read(text, size, reading, problem, error);
}

static neap_status read_plan(char *text, size_t size, const neap_reading *reading,
                             neap_plan **plan, neap_error *error) {
  exchange(text, size, '\'', '"');
  return json_plan_read(text, size, reading, plan, error);
}

static void put_exchanged(struct fault_output *output, FILE *stream) {
  char *text = fault_output_close(output);
  exchange(text, strlen(text), '"', '\'');
  fputs(text, stream);
  free(text);
}

static neap_status write_problem(const neap_problem *problem, FILE *stream, neap_error *error) {
  struct fault_output output;
  fault_output_open(&output);
  neap_status status = json_problem_write(problem, output.stream, error);
  put_exchanged(&output, stream);
  return status;
}

static neap_status write_plan(const neap_plan *plan, FILE *stream, neap_error *error) {
  struct fault_output output;
  fault_output_open(&output);
  neap_status status = json_plan_write(plan, output.stream, error);
  put_exchanged(&output, stream);
  return status;
}

static const struct format json = {read_problem, write_problem, read_plan, write_plan};

/* Whether the first text is read as a problem that is written as the second. */
static void expect_written(const char *text, const char *expected) {
  format_expect(&json, text, expected);
}

static void expect_kept(const char *text) { format_expect(&json, text, text); }

static void expect_plan_kept(const char *text) { format_expect_plan(&json, text, text); }

#define PROBLEM "{\n  'format': 'neap-problem',\n  'version': 1,\n"
#define PLAN "{\n  'format': 'neap-plan',\n  'version': 1,\n"
#define BUFFER(name, more) "    {'name': '" name "', 'size': 8, 'lifetimes': [[0, 2]]" more "}"
#define BUFFERS                                                                         \
  "  'buffers': [\n" BUFFER("a", "") ",\n" BUFFER("b", "") ",\n" BUFFER("c", "") "\n  " \
                                                                                 "]\n}\n"

/* ---------------------------------------------------------------- problems */

TEST(problems_round_trip) {
  expect_kept(PROBLEM "  'buffers': []\n}\n");
  expect_kept(PROBLEM
              "  'buffers': [\n"
              "    {'name': 'a', 'size': 8, 'lifetimes': [[0, 2], [3, 5]]},\n"
              "    {'name': 'b', 'size': 4611686018427387000, 'lifetimes': [[0, "
              "9223372036854775807]], 'alignment': 64, 'fixed_offset': 0, 'hint': 'why not'}\n"
              "  ]\n}\n");
}

TEST(a_later_horizon_is_kept) {
  expect_kept(PROBLEM "  'horizon': 9,\n  'buffers': [\n"
                      "    {'name': 'a', 'size': 8, 'lifetimes': [[0, 2]]}\n  ]\n}\n");
  neap_problem *problem =
      format_problem(&json,
                     "{'format':'neap-problem','version':1,'horizon':2,'buffers':[{'name':'a','"
                     "size':8,'lifetimes':[[0,2]]}]}",
                     NULL);
  assert_int_equal(neap_problem_horizon(problem), 2);
  char *text = format_written(&json, problem);
  assert_null(strstr(text, "horizon"));
  free(text);
  neap_problem_free(problem);
}

TEST(any_name_is_kept) {
  static const char name[] =
      "\x01\t\n\"\\/\x7f \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbe";
  neap_problem *problem = neap_problem_new();
  sample_add(problem, name, 0, 1, 8);
  char *text = format_written(&json, problem);
  neap_problem_free(problem);
  problem = format_problem(&json, text, NULL);
  assert_true(neap_problem_find(problem, name, &(size_t){0}));
  neap_problem_free(problem);
  free(text);
}

TEST(layout_and_order_of_keys_are_free) {
  neap_problem *problem =
      format_problem(&json,
                     " \t\r\n{'buffers' :\n[ {'lifetimes':[[1,2]],'name':'a]},\\'[','size':3 } "
                     ",{'name':'\\u0062','hint':'','size':0,'lifetimes':[[0,1],[1,4]]}\n ] , "
                     "'version':1,'format':'neap\\u002dproblem'}\n",
                     NULL);
  assert_int_equal(neap_problem_count(problem), 2);
  neap_buffer buffer = sample_buffer(problem, 0);
  assert_string_equal(buffer.name, "a]},\"[");
  neap_problem_buffer_at(problem, 1, &buffer);
  assert_string_equal(buffer.name, "b");
  assert_null(buffer.hint);
  assert_int_equal(buffer.range_count, 1);
  neap_problem_free(problem);
}

TEST(fixed_offsets_can_be_passed_over) {
  neap_problem *problem =
      format_problem(&json,
                     "{'format':'neap-problem','version':1,'buffers':[{'name':'a','size':8,'"
                     "lifetimes':[[0,2]],'fixed_offset':3,'alignment':2}]}",
                     &(neap_reading){.struct_size = sizeof(neap_reading), .replan = true});
  neap_buffer buffer = sample_buffer(problem, 0);
  assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
  neap_problem_free(problem);
}

TEST(a_hint_that_is_not_text_is_rejected) {
  neap_problem *problem = neap_problem_new();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  buffer.name = "a";
  buffer.hint = "\xff";
  buffer.ranges = &(neap_range){0, 1};
  buffer.range_count = 1;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  FILE *stream = tmpfile();
  assert_non_null(stream);
  assert_int_equal(json_problem_write(problem, stream, &error), NEAP_ERROR_FORMAT);
  assert_int_equal(ftell(stream), 0);
  assert_non_null(strstr(error.text, "the hint of buffer 'a'"));
  fclose(stream);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- plans */

#define REPORT(bound, peak, gap, status)                                       \
  "  'report': {'bound': " bound ", 'lower_bound': " bound ", 'peak': " peak   \
  ", 'gap_percent': " gap ", 'status': '" status "', 'stop_reason': 'bound', " \
  "'engine': 'tune', 'rounds': 2, 'seed': 7, 'alignment_low': 1, "             \
  "'alignment_high': 1},\n"

TEST(plans_round_trip) {
  expect_plan_kept(PLAN REPORT("0", "0", "0.0", "optimal") "  'buffers': []\n}\n");
  expect_plan_kept(PLAN "  'horizon': 6,\n  'base': '0xfffffffffffffff0',\n" REPORT(
      "12", "12", "0.0",
      "optimal") "  'buffers': [\n"
                 "    {'name': 'a', 'size': 8, 'lifetimes': [[0, 2]], "
                 "'fixed_offset': 4, 'offset': 4, 'end_offset': 12, 'risk': 'medium', "
                 "'start_address': '0xfffffffffffffff4', 'end_address': "
                 "'0xfffffffffffffffc'},\n"
                 "    {'name': 'b', 'size': 4, 'lifetimes': [[1, 2], [3, 5]], 'offset': 0, "
                 "'end_offset': 4, 'risk': 'medium', 'start_address': '0xfffffffffffffff0', "
                 "'end_address': '0xfffffffffffffff4'}\n"
                 "  ],\n  'rounds': [\n"
                 "    {'round': 1, 'peak': 16, 'excess_area': 8, 'excess_count': 2, "
                 "'high': 1, 'medium': 2, 'low': 3, 'none': 4, 'high_groups': 5, "
                 "'medium_groups': 6, 'group_rounds': 7, 'improved': true},\n"
                 "    {'round': 2, 'peak': 12, 'excess_area': 0, 'excess_count': 0, 'high': 0, "
                 "'medium': 2, 'low': 0, 'none': 0, 'high_groups': 0, 'medium_groups': 0, "
                 "'group_rounds': 0, "
                 "'improved': false}\n"
                 "  ]\n}\n");
}

/*
 * Two buffers of 8 bytes that are alive together, the second one at `offset`; `more` comes
 * before the buffers.
 */
static neap_plan *pair_at(int offset, const char *more) {
  char text[1024];
  snprintf(text, sizeof text,
           "{'format':'neap-plan','version':1,%s'buffers':[{'name':'a','size':8,'lifetimes':[["
           "0,2]],'offset':0},{'name':'b','size':8,'lifetimes':[[0,2]],'offset':%d}]}",
           more, offset);
  return format_plan(&json, text);
}

TEST(offsets_alone_are_a_plan) {
  neap_plan *plan = pair_at(8, "");
  neap_report report = sample_report(plan);
  assert_int_equal(report.peak, 16);
  assert_int_equal(report.bound, 16);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_int_equal(report.run.stop_reason, NEAP_STOP_COMPLETE);
  assert_string_equal(report.run.engine, "");
  neap_error error;
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  assert_false(plan->has_base);
  neap_plan_free(plan);
}

TEST(unsound_plans_are_read_for_the_verifier) {
  neap_plan *plan = pair_at(4, "");
  neap_error error;
  assert_int_equal(neap_plan_verify(plan, -1, &error), NEAP_ERROR_UNSOUND);
  neap_plan_free(plan);
}

TEST(only_a_credible_lower_bound_is_believed) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan *plan = pair_at(16, "'report':{'lower_bound':20,'peak':99,'bound':1},");
  neap_plan_report(plan, &report);
  assert_int_equal(report.lower_bound, 20);
  assert_int_equal(report.bound, 16);
  assert_int_equal(report.peak, 24);
  neap_plan_free(plan);
  plan = pair_at(16, "'report':{'lower_bound':25},");
  neap_plan_report(plan, &report);
  assert_int_equal(report.lower_bound, 16);
  neap_plan_free(plan);
}

TEST(a_plan_gives_its_problem) {
  neap_problem *problem =
      format_problem(&json,
                     "{'format':'neap-plan','version':1,'buffers':[{'name':'a','size':8,'"
                     "lifetimes':[[0,2]],'offset':16,'end_offset':24,'fixed_offset':16}]}",
                     NULL);
  char *text = format_written(&json, problem);
  assert_non_null(strstr(text, "neap-problem"));
  assert_non_null(strstr(text, "'fixed_offset': 16"));
  assert_null(strstr(text, "'offset'"));
  free(text);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- constraints */

TEST(relations_round_trip) {
  expect_kept(PROBLEM "  'separations': [\n"
                      "    {'buffers': ['a', 'b'], 'reason': 'two \\'halves\\''},\n"
                      "    {'buffers': ['c', 'a']}\n"
                      "  ],\n" BUFFERS);
  expect_kept(PROBLEM "  'exclusions': [\n"
                      "    {'buffers': ['a', 'b']}\n"
                      "  ],\n"
                      "  'overlaps': [\n"
                      "    {'first': 'b', 'second': 'c', 'bytes': 4}\n"
                      "  ],\n" BUFFERS);
  expect_kept(PROBLEM "  'colocations': [\n"
                      "    {'first': 'b', 'second': 'c', 'offset': -4}\n"
                      "  ],\n"
                      "  'bank_separations': [\n"
                      "    {'buffers': ['a', 'b'], 'bank': 64}\n"
                      "  ],\n"
                      "  'reuse_penalties': [\n"
                      "    {'buffers': ['a', 'b'], 'cost': 0}\n"
                      "  ],\n" BUFFERS);
}

TEST(pools_and_limits_round_trip) {
  expect_kept(
      PROBLEM
      "  'pools': [\n"
      "    {'name': 'sram', 'capacity': 65536, 'alignment': 16, 'base': "
      "'0x20000000', 'cost': 0},\n"
      "    {'name': 'dram'}\n"
      "  ],\n"
      "  'reserved': [\n"
      "    {'pool': 'dram', 'bytes': [0, 64]},\n"
      "    {'pool': 'sram', 'bytes': [4096, null], 'when': [1, 3]}\n"
      "  ],\n"
      "  'objective': ['peak', 'spill', 'reuse', 'moved'],\n"
      "  'buffers': [\n" BUFFER(
          "a", ", 'window': [64, null], 'bank': 64, 'pools': ['dram', "
               "'sram']") ",\n" BUFFER("b", ", 'window': [0, 99], 'near': 0, "
                                            "'move_cost': 3") ",\n" BUFFER("c", ", 'near': "
                                                                                "16") "\n  "
                                                                                      "]\n}"
                                                                                      "\n");
}

TEST(plans_name_pools) {
  neap_plan *plan = format_plan(
      &json, "{'format': 'neap-plan', 'version': 1, 'buffers': [{'name': 'a', 'size': 8, "
             "'lifetimes': [[0, 1]], 'offset': 0, 'pool': 'dram'}, {'name': 'b', 'size': 4, "
             "'lifetimes': [[0, 1]], 'offset': 0, 'pool': 'sram'}], 'pools': [{'name': 'sram', "
             "'capacity': 6}, {'name': 'dram'}]}");
  neap_error error;
  assert_int_equal(neap_plan_pool(plan, 0), 1);
  assert_int_equal(neap_plan_pool(plan, 1), 0);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  char *text = format_written_plan(&json, plan);
  assert_non_null(strstr(text, "'end_offset': 8, 'pool': 'dram'"));
  assert_non_null(strstr(text, "'capacity': 6, 'free': 2}"));
  neap_plan *again = format_plan(&json, text);
  char *text_again = format_written_plan(&json, again);
  assert_string_equal(text, text_again);
  free(text);
  free(text_again);
  neap_plan_free(plan);
  neap_plan_free(again);
}

TEST(order_of_keys_is_free) {
  expect_written(
      "{'separations': [{'buffers': ['b', 'a']}], 'buffers': [\n" BUFFER(
          "a", ", 'pools': ['p']") ", " BUFFER("b", "") "], 'pools': [{'capacity': null, "
                                                        "'base': 16, 'name': 'p'}], 'version': "
                                                        "1, 'format': 'neap-problem'}",
      PROBLEM
      "  'pools': [\n    {'name': 'p', 'base': '0x10'}\n  ],\n"
      "  'separations': [\n    {'buffers': ['b', 'a']}\n  ],\n"
      "  'buffers': [\n" BUFFER("a", ", 'pools': ['p']") ",\n" BUFFER("b", "") "\n  ]\n}\n");
}

TEST(lists_relate_all_pairs) {
  expect_written(PROBLEM "'exclusions': [{'buffers': ['c', 'a', 'b']}],\n" BUFFERS,
                 PROBLEM "  'exclusions': [\n"
                         "    {'buffers': ['c', 'a']},\n"
                         "    {'buffers': ['c', 'b']},\n"
                         "    {'buffers': ['a', 'b']}\n"
                         "  ],\n" BUFFERS);
}

TEST(missing_terms_follow_in_order) {
  expect_written(PROBLEM "'objective': ['moved', 'peak'],\n" BUFFERS,
                 PROBLEM "  'objective': ['moved', 'peak', 'spill', 'reuse'],\n" BUFFERS);
  expect_written(PROBLEM "'objective': [],\n" BUFFERS, PROBLEM BUFFERS);
}

#define MOMENTS                                            \
  "  'separations': [\n"                                   \
  "    {'buffers': ['a', 'c']}\n"                          \
  "  ],\n"                                                 \
  "  'buffers': [\n"                                       \
  "    {'name': 'a', 'size': 8, 'lifetimes': [[0, 1]]},\n" \
  "    {'name': 'b', 'size': 8, 'lifetimes': [[1, 2]]},\n" \
  "    {'name': 'c', 'size': 8, 'lifetimes': [[2, 3]]}\n"  \
  "  ]\n}\n"
#define TIMELESS                                                     \
  "'buffers': [{'name': 'a', 'size': 8}, {'name': 'b', 'size': 8}, " \
  "{'name': 'c', 'size': 8}]}"

TEST(conflicts_replace_lifetimes) {
  expect_written(PROBLEM "'conflicts': [['a', 'c']], " TIMELESS, PROBLEM MOMENTS);
  expect_written(PROBLEM "'conflict_matrix': [[0, 0, 1], [0, 1, 0], [1, 0, 0]], " TIMELESS,
                 PROBLEM MOMENTS);
}

/* ---------------------------------------------------------------- rejected input */

FAULT_READER(problem, problem, read_problem)
FAULT_READER(plan, plan, read_plan)

/* In the second buffer of a problem, in the first buffer of a plan, and elsewhere in a plan. */
#define GOOD "{'name': 'a', 'size': 8, 'lifetimes': [[0, 2]]}"
#define BUFFER_FAULT(name, buffer, ...) \
  FAULT(name, problem, 5, 21,           \
        PROBLEM "'buffers': [" GOOD ",\n                    " buffer "]}", __VA_ARGS__)
#define PLAN_FAULT(name, column, rest, ...) \
  FAULT(name, plan, 4, column, PLAN "'buffers': []" rest "}", __VA_ARGS__)
#define LAYOUT_FAULT(name, column, offsets, ...)                                    \
  FAULT(name, plan, 4, column,                                                      \
        PLAN "'buffers': [{'name': 'a', 'size': 8, 'lifetimes': [[0, 2]], "         \
             "'offset': 0}], 'rounds': [{'round': 1, 'peak': 8, 'excess_area': 0, " \
             "'excess_count': 0, 'high': 0, 'medium': 0, 'low': 0, 'none': 1, "     \
             "'high_groups': 0, 'medium_groups': 0, 'group_rounds': 0, "            \
             "'improved': true, 'offsets': " offsets "}]}",                         \
        __VA_ARGS__)
#define MOVE_FAULT(name, column, move, ...) \
  LAYOUT_FAULT(name, column, "[0], 'moves': [{'top': 8, 'target': 7, " move "}]", __VA_ARGS__)
#define PLACED_FAULT(name, more, ...)                                                 \
  FAULT(name, plan, 4, 13,                                                            \
        PLAN "'buffers': [{'name': 'a', 'size': 8, 'lifetimes': [[0, 2]]" more "}]}", \
        __VA_ARGS__)

/* In a line of its own at the root, and in a buffer. */
#define ROOT_FAULT(name, column, text, ...) \
  FAULT(name, problem, 4, column, PROBLEM text ",\n" BUFFERS, __VA_ARGS__)
#define LIMIT_FAULT(name, text, ...)                                                \
  FAULT(name, problem, 4, 13,                                                       \
        PROBLEM "'buffers': [{'name': 'a', 'size': 8, 'lifetimes': [[0, 2]], " text \
                "}], 'pools': [{'name': 'p'}, {'name': 'q'}]}",                     \
        __VA_ARGS__)
#define TIMELESS_FAULT(name, column, text, ...) \
  FAULT(name, problem, 4, column, PROBLEM text ",\n" TIMELESS, __VA_ARGS__)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(problems_round_trip),
    cmocka_unit_test(a_later_horizon_is_kept),
    cmocka_unit_test(any_name_is_kept),
    cmocka_unit_test(layout_and_order_of_keys_are_free),
    cmocka_unit_test(fixed_offsets_can_be_passed_over),
    cmocka_unit_test(a_hint_that_is_not_text_is_rejected),
    cmocka_unit_test(plans_round_trip),
    cmocka_unit_test(offsets_alone_are_a_plan),
    cmocka_unit_test(unsound_plans_are_read_for_the_verifier),
    cmocka_unit_test(only_a_credible_lower_bound_is_believed),
    cmocka_unit_test(a_plan_gives_its_problem),
    cmocka_unit_test(relations_round_trip),
    cmocka_unit_test(pools_and_limits_round_trip),
    cmocka_unit_test(plans_name_pools),
    cmocka_unit_test(order_of_keys_is_free),
    cmocka_unit_test(lists_relate_all_pairs),
    cmocka_unit_test(missing_terms_follow_in_order),
    cmocka_unit_test(conflicts_replace_lifetimes),

    FAULT("empty file", problem, 0, 0, "", "empty file"),
    FAULT("blank file", problem, 0, 0, " \n ", "expected a JSON object, found only blanks",
          "; a minimal document: {"),
    FAULT("no object", problem, 0, 0, "[]", "expected a JSON object"),
    FAULT("text that is no JSON", problem, 1, 1, "name,size\n", "not valid JSON"),
    FAULT("object that does not end", problem, 3, 16, PROBLEM, "not valid JSON",
          "near end of file"),
    FAULT("text after the object", problem, 5, 1, PROBLEM "'buffers': []}\n5",
          "end of file expected"),
    FAULT("comma too many", problem, 4, 15, PROBLEM "'buffers': [],}", "not valid JSON"),
    FAULT("doubled key", problem, 4, 16, PROBLEM "'buffers': [], 'format': 1}", "duplicate",
          "format"),
    FAULT("doubled list", problem, 4, 16, PROBLEM "'buffers': [], 'buffers': []}", "duplicate"),
    FAULT("key with escapes", problem, 0, 0, PROBLEM "'buff\\u0065rs': [1]}",
          "\"buffers\" without escapes"),
    FAULT("no format", problem, 1, 1, "{'version': 1, 'buffers': []}", "format", "no such key"),
    FAULT("unknown format", problem, 1, 12, "{'format': 'x', 'version': 1, 'buffers': []}",
          "expected 'neap-problem', 'neap-plan' or 'neap-graph'", "found 'x'"),
    FAULT("no version", problem, 1, 1, "{'format': 'neap-problem', 'buffers': []}", "version"),
    FAULT("later version", problem, 1, 39,
          "{'format': 'neap-problem', 'version': 2, 'buffers': []}",
          "version: expected 1, found 2"),
    FAULT("no buffers", problem, 1, 1, PROBLEM "'horizon': 0}",
          "buffers: expected an array, found no such key"),
    FAULT("buffers are an object", problem, 4, 12, PROBLEM "'buffers': {}}",
          "buffers: expected an array"),
    FAULT("unknown key", problem, 4, 26, PROBLEM "'buffers': [], 'horizn': 1}",
          "horizn: unknown key; expected one of format, version, horizon, buffers"),
    FAULT("keys of a plan in a problem", problem, 4, 26, PROBLEM "'buffers': [], 'rounds': []}",
          "rounds: unknown key"),
    FAULT("horizon before an end", problem, 4, 74,
          PROBLEM "'buffers': [" GOOD "], 'horizon': 1}",
          "horizon: expected at least the end of the last buffer, 2, found 1"),
    FAULT("invalid UTF-8", problem, 4, 23, PROBLEM "'buffers': [{'name': '\xff'}]}", "0xff"),
    FAULT("NUL", problem, 4, 23, PROBLEM "'buffers': [{'name': '\0'}]}", "NUL byte"),
    FAULT("escaped NUL", problem, 4, 22, PROBLEM "'buffers': [{'name': '\\u0000'}]}",
          "\\u0000"),
    FAULT("NUL between values", problem, 4, 1, PROBLEM "\0'buffers': []}", "NUL byte"),
    FAULT("buffer that is no value", problem, 5, 3, PROBLEM "'buffers': [" GOOD ",\n {a}]}",
          "not valid JSON"),
    FAULT("buffer missing after a comma", problem, 5, 1, PROBLEM "'buffers': [" GOOD ",\n]}",
          "not valid JSON"),
    FAULT("comma missing between buffers", problem, 5, 1,
          PROBLEM "'buffers': [" GOOD "\n" GOOD "]}", "not valid JSON"),
    FAULT("brackets that cross", problem, 4, 14, PROBLEM "'buffers': [{]}}", "not valid JSON"),
    FAULT("brackets that cross and match in number", problem, 4, 14, PROBLEM "'buffers': [[}]}",
          "not valid JSON"),
    FAULT("doubled key in a buffer", problem, 4, 25,
          PROBLEM "'buffers': [{'size': 1, 'size': 2}]}", "duplicate", "size"),
    FAULT("number over 2^63 - 1", problem, 4, 22,
          PROBLEM "'buffers': [{'size': 9223372036854775808}]}", "too big integer"),
    FAULT("fixed offsets collide", problem, 6, 2,
          PROBLEM
          "'buffers': [\n {'name': 'a', 'size': 8, 'lifetimes': [[0, 2]], 'fixed_offset': "
          "0},\n {'name': 'b', 'size': 8, 'lifetimes': [[1, 2]], 'fixed_offset': 7}\n]}",
          "buffers[1].fixed_offset: fixed offsets collide: 'a' and 'b'", "buffers[0]"),

    BUFFER_FAULT("buffer that is a number", "5",
                 "buffers[1]: expected an object, found a whole number"),
    BUFFER_FAULT("unknown key in a buffer", "{'sise': 1}",
                 "buffers[1].sise: unknown key; expected one of name, size, lifetimes"),
    BUFFER_FAULT("unknown key to be shown with care", "{'a\\u001b[0m': 1}",
                 "buffers[1].a\\x1b[0m: "),
    BUFFER_FAULT("offset in a problem", "{'offset': 1}", "buffers[1].offset: unknown key"),
    BUFFER_FAULT("no name", "{}", "buffers[1].name: expected a string, found no such key"),
    BUFFER_FAULT("name that is a number", "{'name': 3}", "buffers[1].name",
                 "found a whole number"),
    BUFFER_FAULT("empty name", "{'name': '', 'size': 1, 'lifetimes': [[0, 1]]}",
                 "buffers[1]: a buffer's name is empty"),
    BUFFER_FAULT("name that is taken", GOOD, "buffers[1]: duplicate name 'a'"),
    BUFFER_FAULT("no size", "{'name': 'b'}", "buffers[1].size: expected a whole number"),
    BUFFER_FAULT("size that is a string", "{'name': 'b', 'size': '8'}", "found a string"),
    BUFFER_FAULT("size with a fraction", "{'name': 'b', 'size': 1.0}",
                 "expected a whole number without a point or an exponent; write 1"),
    BUFFER_FAULT("size that is negative", "{'name': 'b', 'size': -1}", "0 or more, found -1"),
    BUFFER_FAULT("no lifetimes", "{'name': 'b', 'size': 1}",
                 "buffers[1].lifetimes: expected an array"),
    BUFFER_FAULT("empty lifetimes", "{'name': 'b', 'size': 1, 'lifetimes': []}", "never alive"),
    BUFFER_FAULT("lifetime that is a number", "{'name': 'b', 'size': 1, 'lifetimes': [0, 1]}",
                 "buffers[1].lifetimes[0]: expected an array, found a whole number"),
    BUFFER_FAULT("lifetime of three", "{'name': 'b', 'size': 1, 'lifetimes': [[0, 1, 2]]}",
                 "buffers[1].lifetimes[0]: expected a pair", "array of 3"),
    BUFFER_FAULT("lifetime of null", "{'name': 'b', 'size': 1, 'lifetimes': [[0, null]]}",
                 "buffers[1].lifetimes[0][1]: expected a whole number, found null"),
    BUFFER_FAULT("lifetime reversed", "{'name': 'b', 'size': 1, 'lifetimes': [[3, 3]]}",
                 "buffers[1]: ", "start 3, found 3"),
    BUFFER_FAULT("lifetimes that overlap",
                 "{'name': 'b', 'size': 1, 'lifetimes': [[0, 3], [2, 4]]}",
                 "buffers[1]: ", "ascend"),
    BUFFER_FAULT("alignment 0",
                 "{'name': 'b', 'size': 1, 'lifetimes': [[0, 3]], 'alignment': 0}",
                 "buffers[1].alignment: expected a whole number of 1 or more, found 0"),
    BUFFER_FAULT(
        "fixed offset not aligned",
        "{'name': 'b', 'size': 1, 'lifetimes': [[0, 3]], 'alignment': 4, 'fixed_offset': 6}",
        "buffers[1]: fixed offset 6", "alignment 4"),
    BUFFER_FAULT("fixed offset null",
                 "{'name': 'b', 'size': 1, 'lifetimes': [[0, 3]], 'fixed_offset': null}",
                 "buffers[1].fixed_offset", "found null"),
    BUFFER_FAULT("hint true", "{'name': 'b', 'size': 1, 'lifetimes': [[0, 3]], 'hint': true}",
                 "buffers[1].hint: expected a string, found true"),
    BUFFER_FAULT("sizes too large together",
                 "{'name': 'b', 'size': 9223372036854775807, 'lifetimes': [[0, 3]]}",
                 "buffers[1]: ", "add up"),

    FAULT("problem for a plan", plan, 0, 0, PROBLEM "'buffers': []}", "neap-plan",
          "no offsets"),
    PLACED_FAULT("no offset", "",
                 "buffers[0].offset: expected a whole number, found no such key"),
    PLACED_FAULT("offset negative", ", 'offset': -1", "buffers[0].offset", "0 or more"),
    PLACED_FAULT("end over 2^63 - 1", ", 'offset': 9223372036854775800", "buffers[0].offset",
                 "offset 9223372036854775800 and size 8"),
    PLACED_FAULT("end offset no number", ", 'offset': 1, 'end_offset': true",
                 "buffers[0].end_offset"),
    PLACED_FAULT("risk no string", ", 'offset': 1, 'risk': 1", "buffers[0].risk"),
    PLAN_FAULT("report no object", 26, ", 'report': 1", "report: expected an object"),
    PLAN_FAULT("unknown stop reason", 42, ", 'report': {'stop_reason': 'x'}",
               "report.stop_reason: expected the name of a stop reason", "'x'"),
    PLAN_FAULT("overlong engine", 37,
               ", 'report': {'engine': "
               "'0123456789012345678901234567890123456789012345678901234567890123456789'}",
               "report.engine: ", "found one of 70"),
    PLAN_FAULT("negative rounds", 37, ", 'report': {'rounds': -1}", "report.rounds"),
    PLAN_FAULT("rounds no array", 26, ", 'rounds': {}", "rounds: expected an array"),
    PLAN_FAULT("round without a peak", 27, ", 'rounds': [{'round': 1}]",
               "rounds[0].peak: expected a whole number"),
    PLAN_FAULT("excess below 0", 66, ", 'rounds': [{'round': 1, 'peak': 1, 'excess_area': -1}]",
               "rounds[0].excess_area: expected a whole number"),
    LAYOUT_FAULT("layout too short", 279, "[]",
                 "rounds[0].offsets: expected one offset for each of 1 buffers, found 0"),
    LAYOUT_FAULT("layout below nothing", 280, "[-2]",
                 "rounds[0].offsets[0]: expected a whole number of -1 or more"),
    LAYOUT_FAULT("layout beyond all", 280, "[9223372036854775807]",
                 "rounds[0].offsets[0]: expected an offset of at most"),
    MOVE_FAULT("move without an outcome", 294, "'member_count': 1",
               "rounds[0].moves[0].outcome: expected a string"),
    MOVE_FAULT("unknown outcome", 329, "'outcome': 'raised', 'member_count': 1",
               "rounds[0].moves[0].outcome: expected lowered, refuted or open", "'raised'"),
    MOVE_FAULT("blame for a buffer that does not exist", 328,
               "'blamed': 1, 'outcome': 'open', 'member_count': 1",
               "rounds[0].moves[0].blamed: expected the index of one of 1 buffers, found 1"),
    MOVE_FAULT("too few members", 367, "'outcome': 'open', 'member_count': 1, 'members': []",
               "rounds[0].moves[0].members: expected 1 members, found 0"),
    MOVE_FAULT("member twice", 371, "'outcome': 'open', 'member_count': 2, 'members': [0, 0]",
               "rounds[0].moves[0].members[1]: expected a whole number of 1 or more"),
    MOVE_FAULT("offsets without members", 370,
               "'outcome': 'lowered', 'member_count': 1, 'offsets': [0]",
               "rounds[0].moves[0].offsets: expected no offsets"),
    MOVE_FAULT("offsets of a group that was not lowered", 383,
               "'outcome': 'open', 'member_count': 1, 'members': [0], 'offsets': [0]",
               "rounds[0].moves[0].offsets: expected no offsets"),
    MOVE_FAULT(
        "too many offsets of a group", 386,
        "'outcome': 'lowered', 'member_count': 1, 'members': [0], 'offsets': [0, 1]",
        "rounds[0].moves[0].offsets: expected one offset for each of 1 members, found 2"),
    MOVE_FAULT("offset of a group beyond all", 387,
               "'outcome': 'lowered', 'member_count': 1, 'members': [0], 'offsets': "
               "[9223372036854775807]",
               "rounds[0].moves[0].offsets[0]: expected an offset of at most"),
    PLAN_FAULT("unknown key in a round", 36, ", 'rounds': [{'size': 1}]",
               "rounds[0].size: unknown key"),
    PLAN_FAULT("base as a number", 24, ", 'base': 1", "base: expected a string"),
    PLAN_FAULT("base without 0x", 24, ", 'base': '20'", "base: expected an address such as",
               "'20'"),
    PLAN_FAULT("base without digits", 24, ", 'base': '0x'", "base: expected an address"),
    PLAN_FAULT("base over 2^64 - 1", 24, ", 'base': '0x10000000000000000'",
               "base: expected an address"),
    PLAN_FAULT("base with rubbish", 24, ", 'base': '0x1g'", "base: expected an address"),
    FAULT("base without room", plan, 4, 9,
          PLAN "'base': '0xfffffffffffffff9', 'buffers': [{'name': 'a', 'size': 8, "
               "'lifetimes': [[0, 2]], 'offset': 0}]}",
          "base: ", "end above 2^64 - 1"),

    ROOT_FAULT("unknown buffer", 35, "'separations': [{'buffers': ['a', 'z']}]",
               "separations[0].buffers[1]: there is no buffer 'z'"),
    ROOT_FAULT("the same buffer twice", 16, "'exclusions': [{'buffers': ['a', 'a']}]",
               "exclusions[0]: this exclusion relates 'a' to itself"),
    ROOT_FAULT("a single buffer", 28, "'exclusions': [{'buffers': ['a']}]",
               "exclusions[0].buffers: expected from 2 to 4096 names of buffers, found 1"),
    ROOT_FAULT("a single buffer with a number", 33,
               "'reuse_penalties': [{'buffers': ['a'], 'cost': 1}]",
               "reuse_penalties[0].buffers: expected from 2 to 512 names of buffers, found 1"),
    ROOT_FAULT("a name that is no string", 34, "'exclusions': [{'buffers': ['a', 1]}]",
               "exclusions[0].buffers[1]: expected a string, found a whole number"),
    ROOT_FAULT("buffers that are missing", 17, "'separations': [{}]",
               "separations[0].buffers: expected an array, found no such key"),
    ROOT_FAULT("key of another kind", 49, "'separations': [{'buffers': ['a', 'b'], 'cost': 1}]",
               "separations[0].cost: unknown key; expected one of buffers, reason"),
    ROOT_FAULT("overlap without bytes", 14, "'overlaps': [{'first': 'a', 'second': 'b'}]",
               "overlaps[0].bytes: expected a whole number, found no such key"),
    ROOT_FAULT("negative overlap", 53,
               "'overlaps': [{'first': 'a', 'second': 'b', 'bytes': -1}]",
               "overlaps[0].bytes: expected a whole number of 0 or more, found -1"),
    ROOT_FAULT("colocation with an unknown buffer", 27,
               "'colocations': [{'first': 'z', 'second': 'b'}]",
               "colocations[0].first: there is no buffer 'z'"),
    ROOT_FAULT("bank of 0", 54, "'bank_separations': [{'buffers': ['a', 'b'], 'bank': 0}]",
               "bank_separations[0].bank: expected a whole number of 1 or more, found 0"),
    ROOT_FAULT("negative cost", 53, "'reuse_penalties': [{'buffers': ['a', 'b'], 'cost': -1}]",
               "reuse_penalties[0].cost: expected a whole number of 0 or more, found -1"),
    ROOT_FAULT("costs over 2^63 - 1", 21,
               "'reuse_penalties': [{'buffers': ['a', 'b', 'c'], 'cost': 9223372036854775807}]",
               "reuse_penalties[0]: all reuse penalties must add up to less than 2^63"),
    ROOT_FAULT("reason that is no text", 51,
               "'separations': [{'buffers': ['a', 'b'], 'reason': 1}]",
               "separations[0].reason: expected a string"),
    ROOT_FAULT("unknown term", 23, "'objective': ['peak', 'hight']",
               "objective[1]: expected spill, peak, reuse or moved, found 'hight'"),
    ROOT_FAULT("term twice", 23, "'objective': ['peak', 'peak']",
               "objective[1]: 'peak' is listed twice"),
    ROOT_FAULT("pool without a name", 11, "'pools': [{}]",
               "pools[0].name: expected a string, found no such key"),
    ROOT_FAULT("pool twice", 26, "'pools': [{'name': 'p'}, {'name': 'p'}]",
               "pools[1]: duplicate pool 'p'"),
    ROOT_FAULT("negative capacity", 37, "'pools': [{'name': 'p', 'capacity': -1}]",
               "pools[0].capacity: expected a whole number of 0 or more, found -1"),
    ROOT_FAULT("base over 2^63 - 1", 33,
               "'pools': [{'name': 'p', 'base': '0x8000000000000000'}]",
               "pools[0].base: expected an address below 2^63"),
    ROOT_FAULT("reserved bytes in an unknown pool", 23,
               "'reserved': [{'pool': 'p', 'bytes': [0, 1]}]",
               "reserved[0].pool: there is no pool 'p'"),
    ROOT_FAULT("reserved bytes in no pool of two", 14,
               "'reserved': [{'bytes': [0, 1]}], 'pools': [{'name': 'p'}, {'name': 'q'}]",
               "reserved[0].pool: expected a string, found no such key"),
    ROOT_FAULT("no reserved bytes", 14, "'reserved': [{'bytes': [1, 1]}]",
               "reserved[0]: expected reserved bytes"),
    ROOT_FAULT("reserved bytes of three", 24, "'reserved': [{'bytes': [1, 2, 3]}]",
               "reserved[0].bytes: expected a pair [low, high], found an array of 3"),

    LIMIT_FAULT("unknown pool of a buffer", "'pools': ['p', 'z']",
                "buffers[0].pools[1]: there is no pool 'z'; there are 'p', 'q'"),
    LIMIT_FAULT("pool of a buffer twice", "'pools': ['p', 'p']", "listed twice"),
    LIMIT_FAULT("no pool of a buffer", "'pools': []",
                "buffers[0].pools: expected at least one pool"),
    LIMIT_FAULT("window that is too small", "'window': [8, 15]", "smaller than the buffer"),
    LIMIT_FAULT("window that ends at 0", "'window': [0, 0]",
                "buffers[0].window: expected a window that ends above 0"),
    LIMIT_FAULT("negative window", "'window': [-8, 15]",
                "buffers[0].window[0]: expected a whole number of 0 or more"),
    LIMIT_FAULT("bank smaller than the buffer", "'bank': 4", "bank of 4"),
    LIMIT_FAULT("negative earlier offset", "'near': -1", "buffers[0].near: expected"),
    LIMIT_FAULT("cost of a move from nowhere", "'move_cost': 1",
                "buffers[0].move_cost: needs the key \"near\""),
    LIMIT_FAULT("pool of a plan in a problem", "'pool': 'p'", "buffers[0].pool: unknown key"),

    FAULT("lifetimes and conflicts", problem, 6, 5, PROBLEM "'conflicts': [],\n" BUFFERS,
          "buffers[0].lifetimes: buffers have no lifetimes in a problem with conflicts"),
    TIMELESS_FAULT("conflict with an unknown buffer", 21, "'conflicts': [['a', 'z']]",
                   "conflicts[0][1]: there is no buffer 'z'"),
    TIMELESS_FAULT("matrix with too few rows", 20, "'conflict_matrix': [[0, 0, 0]]",
                   "conflict_matrix: expected a row for each of 3 buffers, found 1"),
    TIMELESS_FAULT("row that is too short", 21,
                   "'conflict_matrix': [[0, 0], [0, 0, 0], [0, 0, 0]]",
                   "conflict_matrix[0]: expected a number for each of 3 buffers, found 2"),
    TIMELESS_FAULT(
        "matrix that is not symmetric", 32,
        "'conflict_matrix': [[0, 1, 0], [0, 0, 0], [0, 0, 0]]",
        "conflict_matrix[1]: the matrix is not symmetric: [1][0] is 0, but [0][1] is 1"),
    TIMELESS_FAULT("number in a matrix that is not 0 or 1", 22,
                   "'conflict_matrix': [[2, 1, 0], [0, 0, 0], [0, 0, 0]]",
                   "conflict_matrix[0][0]: expected 0 or 1, found 2"),

    FAULT("buffer of a plan without a pool", plan, 5, 1,
          PLAN "'pools': [{'name': 'p'}], 'buffers': [" BUFFER(
              "a", ", 'offset': 0, 'pool': 'p'") ",\n{'name': 'b', 'size': 1, 'lifetimes': "
                                                 "[[0, 1]], 'offset': 8}]}",
          "buffers[1].pool: expected a string, found no such key"),
    FAULT("only a later buffer of a plan has a pool", plan, 5, 1,
          PLAN "'pools': [{'name': 'p'}], 'buffers': [" BUFFER(
              "a", ", 'offset': 0") ",\n{'name': 'b', 'size': 1, 'lifetimes': [[0, 1]], "
                                    "'offset': 8, 'pool': 'p'}]}",
          "buffers[1].pool: the buffers before this one have no pool"),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
