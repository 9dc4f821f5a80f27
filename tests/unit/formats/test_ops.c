/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory operations as CSV: reading them, and which problems can be written in this format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/csv/ops.h"
#include "tests/support/fault.h"

static const struct format ops = {ops_read, ops_write, NULL, NULL};

static neap_problem *read_good(const char *text) { return format_problem(&ops, text, NULL); }

static void expect_buffer(const neap_problem *problem, size_t index, const char *name,
                          neap_time start, neap_time end, neap_size size, neap_size alignment) {
  neap_buffer buffer = sample_buffer(problem, index);
  assert_string_equal(buffer.name, name);
  assert_int_equal(buffer.range_count, 1);
  assert_int_equal(buffer.ranges[0].start, start);
  assert_int_equal(buffer.ranges[0].end, end);
  assert_int_equal(buffer.size, size);
  assert_int_equal(buffer.alignment, alignment);
  assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
}

/* ---------------------------------------------------------------- reading */

TEST(operations_become_buffers) {
  neap_problem *problem = read_good("type,alignment,name,size\n"
                                    "alloc,16,a,100\nalloc,,b,50\nfree,0,a,0\nalloc,1,c,0\n"
                                    "free,,b,\nalloc,8,a,7\nfree,none,c,none\n");
  assert_int_equal(neap_problem_count(problem), 4);
  assert_int_equal(neap_problem_horizon(problem), 7);
  expect_buffer(problem, 0, "a", 0, 2, 100, 16);
  expect_buffer(problem, 1, "b", 1, 4, 50, 1);
  expect_buffer(problem, 2, "c", 3, 6, 0, 1);
  expect_buffer(problem, 3, "a#1", 5, 7, 7, 8);
  neap_problem_free(problem);
}

TEST(alignment_is_optional) {
  neap_problem *problem = read_good("name,type,size\r\n\"a,b\",alloc,8\r\n");
  expect_buffer(problem, 0, "a,b", 0, 1, 8, 1);
  neap_problem_free(problem);
  problem = read_good("align,name,type,size\n4,a,alloc,8");
  expect_buffer(problem, 0, "a", 0, 1, 8, 4);
  neap_problem_free(problem);
}

TEST(dialects_are_read) {
  format_expect(
      &ops,
      "# allocations\n\nID ; Type;Bytes;Thread\n a;alloc; 8;1\n# and frees\nb;alloc;4;2"
      "\na;free;;1\n",
      "name,type,size,alignment\na,alloc,8,1\nb,alloc,4,1\na,free,0,0\n");
  neap_problem *problem = NULL;
  neap_error error;
  const neap_column columns[] = {{"type", "op"}, {"name", "type"}};
  char *copy = fault_copy("op,type,size\nalloc,a,8\n", 23);
  const neap_reading reading = {
      .struct_size = sizeof(neap_reading), .table.columns = columns, .table.column_count = 2};
  assert_ok(ops_read(copy, 23, &reading, &problem, &error), &error);
  free(copy);
  expect_buffer(problem, 0, "a", 0, 1, 8, 1);
  neap_problem_free(problem);
}

TEST(no_operations_are_an_empty_problem) {
  format_expect(&ops, "name,type,size\n", "name,type,size,alignment\n");
}

/* ---------------------------------------------------------------- writing */

#define HEAD "name,type,size,alignment\n"

TEST(operations_round_trip) {
  static const char *const texts[] = {
      HEAD "a,alloc,8,16\n",
      HEAD "a,alloc,8,1\na,free,0,0\n",
      HEAD "a,alloc,8,1\nb,alloc,9,2\na,free,0,0\nb,free,0,0\n",
      HEAD "a,alloc,8,1\nb,alloc,9,2\nb,free,0,0\n",
      HEAD "a,alloc,8,1\na,free,0,0\nb,alloc,0,64\nc,alloc,4,4\n",
      HEAD "\"a,b\",alloc,8,1\n\"a,b\",free,0,0\n",
  };
  for (size_t i = 0; i < SAMPLE_COUNT(texts); i++)
    format_expect(&ops, texts[i], texts[i]);
}

TEST(names_that_were_numbered_keep_their_numbers) {
  format_expect(&ops, HEAD "a,alloc,8,1\na,free,0,0\na,alloc,9,1\n",
                HEAD "a,alloc,8,1\na,free,0,0\na#1,alloc,9,1\n");
}

TEST(problems_from_elsewhere_are_written) {
  /* All lifetimes end by 5, so buffers that are alive until then are not freed. */
  neap_problem *problem =
      sample_problem((const struct sample[]){{0, 3, 8, 4}, {1, 5, 9, 0}, {2, 4, 7, 0}}, 3);
  format_expect_written(&ops, problem,
                        HEAD "b0,alloc,8,4\nb1,alloc,9,1\nb2,alloc,7,1\nb0,free,0,0\n"
                             "b2,free,0,0\n");
  neap_problem_free(problem);
}

TEST(retimed_problems_can_be_written) {
  neap_problem *problem =
      sample_problem((const struct sample[]){{10, 30, 8, 0}, {0, 10, 9, 0}, {10, 20, 7, 0}}, 3);
  neap_problem *retimed;
  neap_error error;
  assert_ok(neap_problem_retime(problem, &retimed, &error), &error);
  char *text = format_written(&ops, retimed);
  assert_non_null(strstr(text, "b1,alloc,9,1\nb1,free,0,0\nb0,alloc,8,1\nb2,alloc,7,1\n"));
  free(text);
  neap_problem_free(retimed);
  neap_problem_free(problem);
}

/* The problem cannot be written, and the message has these words. */
static void expect_unsayable(neap_problem *problem, const char *first, const char *second) {
  neap_error error = {.text = ""};
  FILE *stream = tmpfile();
  assert_non_null(stream);
  assert_int_equal(ops_write(problem, stream, &error), NEAP_ERROR_FORMAT);
  assert_int_equal(ftell(stream), 0);
  fclose(stream);
  if (!strstr(error.text, first) || !strstr(error.text, second))
    fail_msg("expected \"%s\" and \"%s\" in: %s", first, second, error.text);
  neap_problem_free(problem);
}

TEST(times_that_are_not_counts_are_rejected) {
  expect_unsayable(sample_problem((const struct sample[]){{0, 2, 8, 0}, {0, 3, 8, 0}}, 2),
                   "lifetime [0, 3) of buffer 'b1'", "neap_problem_retime");
  expect_unsayable(sample_problem((const struct sample[]){{0, 2, 8, 0}, {2, 3, 8, 0}}, 2),
                   "lifetime [2, 3) of buffer 'b1'", "time of its own");
  expect_unsayable(sample_problem((const struct sample[]){{1, 2, 8, 0}}, 1),
                   "lifetime [1, 2) of buffer 'b0'", "neap_problem_retime");
  expect_unsayable(sample_problem((const struct sample[]){{0, NEAP_MAX, 8, 0}}, 1),
                   "lifetime [0, 9223372036854775807) of buffer 'b0'", "neap_problem_retime");
  expect_unsayable(sample_problem((const struct sample[]){{1, 3, 8, 0}, {0, 2, 8, 0}}, 2),
                   "lifetime [0, 2) of buffer 'b1'", "order of allocation");
}

TEST(data_that_operations_cannot_represent_is_rejected) {
  neap_problem *problem = neap_problem_new();
  sample_add(problem, "a", 0, 3, 8);
  sample_add_gapped(problem, "b", (const neap_range[]){{1, 2}, {3, 4}}, 2, 8);
  expect_unsayable(problem, "the gaps of buffer 'b'", "memory operations");
  problem = neap_problem_new();
  sample_add_fixed(problem, "a", 0, 1, 8, 0);
  expect_unsayable(problem, "the fixed offset of buffer 'a'", "memory operations");
  problem = neap_problem_new();
  sample_add(problem, "a\nb", 0, 1, 8);
  expect_unsayable(problem, "the name of buffer 'a\\x0ab'", "line break");
  problem = neap_problem_new();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  buffer.name = "a";
  buffer.hint = "note";
  buffer.ranges = &(neap_range){0, 1};
  buffer.range_count = 1;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  expect_unsayable(problem, "the hint of buffer 'a'", "memory operations");
}

/* ---------------------------------------------------------------- rejected input */

FAULT_READER(operations, problem, ops_read)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(operations_become_buffers),
    cmocka_unit_test(alignment_is_optional),
    cmocka_unit_test(dialects_are_read),
    cmocka_unit_test(no_operations_are_an_empty_problem),
    cmocka_unit_test(operations_round_trip),
    cmocka_unit_test(names_that_were_numbered_keep_their_numbers),
    cmocka_unit_test(problems_from_elsewhere_are_written),
    cmocka_unit_test(retimed_problems_can_be_written),
    cmocka_unit_test(times_that_are_not_counts_are_rejected),
    cmocka_unit_test(data_that_operations_cannot_represent_is_rejected),

    FAULT("empty file", operations, 0, 0, "", "expected a header row",
          "name,type,size,alignment"),
    FAULT("missing name", operations, 1, 0, "type,size\n", "missing", "name"),
    FAULT("missing type", operations, 1, 0, "name,size\n", "missing", "type"),
    FAULT("missing size", operations, 1, 0, "name,type\n", "missing", "size"),
    FAULT("two names for one column", operations, 1, 26, "name,type,size,alignment,align\n",
          "'alignment' and 'align' mean the same"),
    FAULT("no header", operations, 1, 1, "a,alloc,8,1\n",
          "expected a header row such as name,type", "'a', 'alloc', '8', '1'"),
    FAULT("second free, after comments", operations, 7, 0,
          "# here\n" HEAD "a,alloc,8,1\n\na,free,0,0\n# there\na,free,0,0\n", "freed before"),
    FAULT("unknown type", operations, 3, 3, HEAD "a,alloc,8,1\na,dealloc,0,0\n",
          "expected type alloc or free", "found 'dealloc'"),
    FAULT("type in upper case", operations, 2, 3, HEAD "a,ALLOC,8,1\n", "found 'ALLOC'"),
    FAULT("size is rubbish", operations, 2, 9, HEAD "a,alloc,x,1\n", "expected size",
          "found 'x'"),
    FAULT("size is missing", operations, 2, 9, HEAD "a,alloc,,1\n", "expected size",
          "empty field"),
    FAULT("alignment 0", operations, 2, 11, HEAD "a,alloc,8,0\n", "expected alignment",
          "1 or more"),
    FAULT("align 0", operations, 2, 11, "name,type,size,align\na,alloc,8,0\n",
          "expected align as"),
    FAULT("too few fields", operations, 2, 10, HEAD "a,alloc,8\n",
          "expected 4 fields, found 3"),
    FAULT("free of a name never allocated", operations, 2, 0, HEAD "a,free,0,0\n",
          "never allocated", "'a'"),
    FAULT("second free", operations, 4, 0, HEAD "a,alloc,8,1\na,free,0,0\na,free,0,0\n",
          "freed before", "'a'"),
    FAULT("allocation of a live name", operations, 3, 0, HEAD "a,alloc,8,1\na,alloc,8,1\n",
          "live", "'a'"),
    FAULT("empty name", operations, 2, 0, HEAD ",alloc,8,1\n", "name is empty"),
    FAULT("name not in UTF-8", operations, 2, 0, HEAD "\xff,alloc,8,1\n", "not valid UTF-8"),
    FAULT("numbered name that is taken", operations, 5, 0,
          HEAD "a#1,alloc,8,1\na,alloc,8,1\na,free,0,0\na,alloc,8,1\n", "duplicate name 'a#1'"),
    FAULT("sizes too large together", operations, 3, 0,
          HEAD "a,alloc,9223372036854775807,1\nb,alloc,1,1\n", "add up"),
    FAULT("NUL", operations, 2, 3, HEAD "a,\0alloc,1,1\n", "NUL byte"),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
