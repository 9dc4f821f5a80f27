/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers and plans as CSV: accepted input, rejected input and the place of the error, and
 * output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/csv/columns.h"
#include "files/csv/plan.h"
#include "files/csv/problem.h"
#include "tests/support/fault.h"

static const neap_reading plain = NEAP_INIT(neap_reading);

static const struct format csv = {csv_problem_read, csv_problem_write, csv_plan_read, NULL};

static neap_problem *read_table(const char *text) { return format_problem(&csv, text, NULL); }

/* Writes to a text, which is released with free(). */
static char *written(const neap_problem *problem, const neap_offset *offsets) {
  const struct csv_placements placements = {.offsets = (neap_offset *)offsets};
  struct fault_output output;
  neap_error error;
  fault_output_open(&output);
  assert_ok(csv_problem_write_placed(problem, &placements, output.stream, &error), &error);
  return fault_output_close(&output);
}

static void expect_written(const neap_problem *problem, const neap_offset *offsets,
                           const char *wanted) {
  char *text = written(problem, offsets);
  assert_string_equal(text, wanted);
  free(text);
}

static void expect_kept(const char *text) { format_expect(&csv, text, text); }

/* The only buffer is alive during `wanted`, a list that ends with a range of 0, 0. */
static void expect_ranges(const char *text, const neap_range *wanted) {
  neap_problem *problem = read_table(text);
  neap_buffer buffer = sample_buffer(problem, 0);
  size_t count = 0;
  for (; wanted[count].end > 0; count++) {
    assert_true(count < buffer.range_count);
    assert_int_equal(buffer.ranges[count].start, wanted[count].start);
    assert_int_equal(buffer.ranges[count].end, wanted[count].end);
  }
  assert_int_equal(buffer.range_count, count);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- what is understood */

TEST(columns_come_in_any_order) {
  neap_problem *problem =
      read_table("hint,size,offset,upper,alignment,id,lower,gaps\nnote,96,64,9,32,a,2,4-5\n");
  assert_int_equal(neap_problem_count(problem), 1);
  neap_buffer buffer = sample_buffer(problem, 0);
  assert_string_equal(buffer.name, "a");
  assert_string_equal(buffer.hint, "note");
  assert_int_equal(buffer.size, 96);
  assert_int_equal(buffer.alignment, 32);
  assert_int_equal(buffer.fixed_offset, 64);
  assert_int_equal(buffer.range_count, 2);
  assert_int_equal(buffer.ranges[0].start, 2);
  assert_int_equal(buffer.ranges[1].end, 9);
  neap_problem_free(problem);
}

TEST(every_spelling_is_known) {
  static const char *const names[] = {"id", "buffer", "buffer_id", "name"};
  static const char *const starts[] = {"lower", "start", "begin", "first"};
  static const char *const ends[] = {"upper", "end", "last"};
  static const char *const sizes[] = {"size", "bytes"};
  static const char *const alignments[] = {"alignment", "align"};
  for (size_t i = 0; i < 48; i++) {
    char text[64];
    snprintf(text, sizeof text, "%s,%s,%s,%s,%s\na,3,7,8,4\n", names[i % 4], starts[i / 4 % 4],
             ends[i / 16], sizes[i % 2], alignments[i / 2 % 2]);
    const neap_range half_open[] = {{3, 7}, {0, 0}}, inclusive[] = {{3, 8}, {0, 0}};
    expect_ranges(text, i / 16 > 0 ? inclusive : half_open);
    expect_kept(text);
  }
}

TEST(empty_optional_fields_are_not_given) {
  neap_problem *problem =
      read_table("id,lower,upper,size,alignment,gaps,offset,hint\na,0,1,8,,,,\n");
  neap_buffer buffer = sample_buffer(problem, 0);
  assert_int_equal(buffer.alignment, 1);
  assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
  assert_int_equal(buffer.range_count, 1);
  assert_null(buffer.hint);
  neap_problem_free(problem);
}

TEST(gaps_are_cut_out) {
  expect_ranges("id,lower,upper,size,gaps\na,0,10,1,3-5\n",
                (const neap_range[]){{0, 3}, {5, 10}, {0, 0}});
  expect_ranges("id,lower,upper,size,gaps\na,0,10,1,2-3  3-4 8-9 \n",
                (const neap_range[]){{0, 2}, {4, 8}, {9, 10}, {0, 0}});
  expect_ranges("id,lower,upper,size,gaps\na,0,10,1, 0-2 9-10\n",
                (const neap_range[]){{2, 9}, {0, 0}});
  expect_ranges("id,lower,upper,size,gaps\na,0,10,1, \n",
                (const neap_range[]){{0, 10}, {0, 0}});
  expect_ranges("id,start,end,size,gaps\na,0,9,1,3-3 5-7\n",
                (const neap_range[]){{0, 3}, {4, 5}, {8, 10}, {0, 0}});
}

TEST(header_only_is_an_empty_problem) {
  static const char *const texts[] = {"id,lower,upper,size", "id,lower,upper,size\n",
                                      "id,lower,upper,size\r\n\r\n\n"};
  for (size_t i = 0; i < SAMPLE_COUNT(texts); i++) {
    neap_problem *problem = read_table(texts[i]);
    assert_int_equal(neap_problem_count(problem), 0);
    neap_problem_free(problem);
    problem = NULL;
  }
}

TEST(all_line_ends_are_accepted) {
  static const char wanted[] = "id,lower,upper,size,hint\na,0,1,8,x\nb,1,2,9,y\n";
  expect_kept(wanted);
  format_expect(&csv, "id,lower,upper,size,hint\r\na,0,1,8,x\r\nb,1,2,9,y\r\n", wanted);
  format_expect(&csv, "id,lower,upper,size,hint\na,0,1,8,x\nb,1,2,9,y", wanted);
  format_expect(&csv, "id,lower,upper,size,hint\r\na,0,1,8,x\nb,1,2,9,y\r", wanted);
  format_expect(&csv, "id,lower,upper,size,hint\na,0,1,8,x\nb,1,2,9,y\n\r\n\n", wanted);
}

TEST(quotes_are_read_and_written) {
  expect_kept("id,lower,upper,size,hint\n\"a,b\",0,1,8,\"say \"\"x\"\"\"\n\"\"\"\",1,2,9,\n");
  format_expect(&csv, "\"id\",\"lower\",\"upper\",\"size\"\n\"a\",\"0\",\"1\",\"8\"\n",
                "id,lower,upper,size\na,0,1,8\n");
  neap_problem *problem = read_table("id,lower,upper,size\n\"a\"\"\rb\",0,1,8\n");
  assert_true(neap_problem_find(problem, "a\"\rb", &(size_t){0}));
  expect_written(problem, NULL, "id,lower,upper,size\n\"a\"\"\rb\",0,1,8\n");
  neap_problem_free(problem);
}

TEST(largest_values_are_kept) {
  expect_kept("id,lower,upper,size\na,9223372036854775806,9223372036854775807,"
              "9223372036854775807\n");
  expect_kept("id,start,end,size,offset\na,0,9223372036854775806,1,4611686018427387904\n");
}

TEST(longest_line_is_read) {
  static const char header[] = "id,lower,upper,size,hint\n";
  size_t start = strlen(header), size = start + CSV_LINE_LIMIT;
  char *text = malloc(size + 3);
  assert_non_null(text);
  memcpy(text, header, start);
  memset(text + start, 'x', CSV_LINE_LIMIT);
  memcpy(text + start, "a,0,1,8,", 8);
  memcpy(text + size, "\r\n", 3);
  neap_problem *problem = read_table(text);
  neap_buffer buffer = sample_buffer(problem, 0);
  assert_int_equal(strlen(buffer.hint), CSV_LINE_LIMIT - 8);
  neap_problem_free(problem);
  free(text);
}

TEST(offsets_can_be_ignored) {
  neap_problem *problem =
      format_problem(&csv, "id,offset,lower,upper,size\na,rubbish,0,1,8\nb,3,0,1,8\n",
                     &(neap_reading){.struct_size = sizeof(neap_reading), .replan = true});
  neap_buffer buffer = sample_buffer(problem, 1);
  assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
  expect_written(problem, NULL, "id,lower,upper,size\na,0,1,8\nb,0,1,8\n");
  expect_written(problem, (const neap_offset[]){8, 0},
                 "id,offset,lower,upper,size\na,8,0,1,8\nb,0,0,1,8\n");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- what is written */

TEST(missing_columns_are_added) {
  neap_problem *problem = neap_problem_new();
  sample_add(problem, "a", 0, 4, 8);
  expect_written(problem, NULL, "id,lower,upper,size\na,0,4,8\n");
  sample_add_fixed(problem, "b", 4, 6, 8, 16);
  expect_written(problem, NULL, "id,lower,upper,size,offset\na,0,4,8,\nb,4,6,8,16\n");
  sample_add_gapped(problem, "c", (const neap_range[]){{0, 2}, {3, 4}, {6, 9}}, 3, 5);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = "d";
  buffer.alignment = 4;
  buffer.ranges = &(neap_range){1, 2};
  buffer.range_count = 1;
  buffer.hint = "why not";
  neap_error error;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  expect_written(
      problem, NULL,
      "id,lower,upper,size,alignment,gaps,offset,hint\na,0,4,8,1,,,\nb,4,6,8,1,,16,\n"
      "c,0,9,5,1,2-3 4-6,,\nd,1,2,0,4,,,why not\n");
  neap_problem_free(problem);
}

TEST(columns_of_the_input_are_kept) {
  neap_problem *problem = read_table("size,end,buffer,gaps,begin\n8,9,a,2-3 5-5,0\n");
  expect_written(problem, NULL, "size,end,buffer,gaps,begin\n8,9,a,2-3 5-5,0\n");
  expect_written(problem, (const neap_offset[]){128},
                 "size,end,buffer,gaps,begin,offset\n8,9,a,2-3 5-5,0,128\n");
  sample_add_fixed(problem, "b", 3, 4, 1, 2);
  expect_written(problem, NULL,
                 "size,end,buffer,gaps,begin,offset\n8,9,a,2-3 5-5,0,\n1,3,b,,3,2\n");
  neap_problem_free(problem);
}

/* A problem of one buffer with this name and hint cannot be written; the message has `word`. */
static void expect_unsayable(const char *name, const char *hint, const char *word) {
  neap_problem *problem = neap_problem_new();
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error = {.text = ""};
  buffer.name = name;
  buffer.hint = hint;
  buffer.ranges = &(neap_range){0, 1};
  buffer.range_count = 1;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  FILE *stream = tmpfile();
  assert_non_null(stream);
  assert_int_equal(csv_problem_write(problem, stream, &error), NEAP_ERROR_FORMAT);
  assert_int_equal(ftell(stream), 0);
  if (!strstr(error.text, word)) fail_msg("expected \"%s\" in: %s", word, error.text);
  fclose(stream);
  neap_problem_free(problem);
}

TEST(data_that_csv_cannot_represent_is_rejected) {
  expect_unsayable("a\nb", NULL, "the name of buffer 'a\\x0ab': it has a line break");
  expect_unsayable("a", "x\n", "the hint of buffer 'a': it has a line break");
  expect_unsayable("a", "x\xff", "the hint of buffer 'a': it is not valid UTF-8");
  char *name = malloc(CSV_LINE_LIMIT + 1);
  assert_non_null(name);
  memset(name, 'n', CSV_LINE_LIMIT);
  name[CSV_LINE_LIMIT] = '\0';
  expect_unsayable(name, NULL, "longer than 1048576 bytes");
  /* Half the size is enough here, although more than half might not have been. */
  name[CSV_LINE_LIMIT * 2 / 3] = '\0';
  neap_problem *problem = neap_problem_new();
  sample_add(problem, name, 0, 1, 8);
  char *text = written(problem, NULL);
  neap_problem_free(problem);
  problem = read_table(text);
  assert_true(neap_problem_find(problem, name, &(size_t){0}));
  neap_problem_free(problem);
  free(text);
  free(name);
}

/* ---------------------------------------------------------------- plans */

TEST(plans_keep_their_columns) {
  static const char text[] = "id,offset,lower,upper,size,alignment\na,7,0,4,8,4\nb,0,2,6,7,1\n";
  neap_plan *plan;
  neap_error error;
  char *copy = fault_copy(text, strlen(text));
  assert_ok(csv_plan_read(copy, strlen(text), &plain, &plan, &error), &error);
  free(copy);
  assert_int_equal(neap_plan_offset(plan, 0), 7);
  assert_int_equal(neap_plan_offset(plan, 1), 0);
  neap_buffer buffer = sample_buffer(neap_plan_problem(plan), 1);
  assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
  assert_int_equal(neap_plan_verify(plan, -1, &error),
                   NEAP_ERROR_UNSOUND); /* 7 is not a multiple of 4 */
  struct fault_output output;
  fault_output_open(&output);
  assert_ok(csv_plan_write(plan, output.stream, &error), &error);
  char *again = fault_output_close(&output);
  assert_string_equal(again, text);
  free(again);
  neap_plan_free(plan);
}

TEST(a_plan_without_buffers_is_valid) {
  char text[] = "id,lower,upper,size,offset\n";
  neap_plan *plan;
  neap_error error;
  assert_ok(csv_plan_read(text, strlen(text), &plain, &plan, &error), &error);
  neap_report report = sample_report(plan);
  assert_int_equal(report.peak, 0);
  neap_plan_free(plan);
}

/* ---------------------------------------------------------------- rejected input */

FAULT_READER(table, problem, csv_problem_read)
FAULT_READER(plan, plan, csv_plan_read)

#define HEAD "id,lower,upper,size\n"
#define ENDS "id,start,end,size\n"
#define GAPS "id,lower,upper,size,gaps\n"
#define FULL "id,lower,upper,size,alignment,offset\n"

TEST(overlong_line_is_refused) {
  size_t size = 100 * CSV_LINE_LIMIT;
  char *text = malloc(size + 1);
  assert_non_null(text);
  memset(text, 'x', size);
  memcpy(text, HEAD, strlen(HEAD));
  text[size] = '\0';
  neap_problem *problem;
  neap_error error;
  neap_status status = csv_problem_read(text, size, &plain, &problem, &error);
  free(text);
  assert_int_equal(status, NEAP_ERROR_INPUT);
  assert_int_equal(error.line, 2);
  assert_non_null(strstr(error.text, "longer than 1048576 bytes"));
  assert_true(strlen(error.text) < 100);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(columns_come_in_any_order),
    cmocka_unit_test(every_spelling_is_known),
    cmocka_unit_test(empty_optional_fields_are_not_given),
    cmocka_unit_test(gaps_are_cut_out),
    cmocka_unit_test(header_only_is_an_empty_problem),
    cmocka_unit_test(all_line_ends_are_accepted),
    cmocka_unit_test(quotes_are_read_and_written),
    cmocka_unit_test(largest_values_are_kept),
    cmocka_unit_test(longest_line_is_read),
    cmocka_unit_test(offsets_can_be_ignored),
    cmocka_unit_test(missing_columns_are_added),
    cmocka_unit_test(columns_of_the_input_are_kept),
    cmocka_unit_test(data_that_csv_cannot_represent_is_rejected),
    cmocka_unit_test(plans_keep_their_columns),
    cmocka_unit_test(a_plan_without_buffers_is_valid),
    cmocka_unit_test(overlong_line_is_refused),

    FAULT("empty file", table, 0, 0, "", "expected a header row", "empty file"),
    FAULT("empty lines only", table, 0, 0, "\n\r\n", "expected a header row", "blank lines"),
    FAULT("missing id", table, 1, 0, "lower,upper,size\n", "missing",
          "id or buffer or buffer_id or name"),
    FAULT("missing start", table, 1, 0, "id,upper,size\n", "missing",
          "lower or start or begin or first"),
    FAULT("missing end", table, 1, 0, "id,lower,size\n", "missing",
          "upper or free or end or last"),
    FAULT("missing size", table, 1, 0, "id,lower,upper\n", "missing column size or bytes or",
          "'id', 'lower', 'upper'"),
    FAULT("missing columns, with others like them", table, 1, 0, "buf,lower,until,nbytes\n",
          "missing column id or", "'buf', 'lower'",
          "try neap_reading.table.columns id=buf,upper=until (end=until"),
    FAULT("duplicate column", table, 1, 21, "id,lower,upper,size,size\n",
          "duplicate column 'size'"),
    FAULT("two names for one column", table, 1, 21, "id,lower,upper,size,start\n",
          "'lower' and 'start' mean the same",
          "neap_reading.table.columns lower='lower' or lower='start'"),
    FAULT("both ends", table, 1, 16, "id,lower,upper,end,size\n", "'upper' and 'end'"),
    FAULT("no header", table, 1, 1, "a,0,1,8\nb,0,1,8\n", "expected a header row such as",
          "'a', '0', '1', '8'"),
    FAULT("no column that is known", table, 1, 0, "q,r,s,t,u\n", "missing column id",
          "'q', 'r', 's', 't', 'u'"),
    FAULT("too few fields", table, 3, 6, HEAD "a,0,1,8\nb,0,1\n", "expected 4 fields, found 3"),
    FAULT("too many fields", table, 2, 9, HEAD "a,0,1,8,9,10\n", "expected 4 fields, found 6"),
    FAULT("comma at the end", table, 2, 9, HEAD "a,0,1,8,\n", "expected 4 fields, found 5"),
    FAULT("twenty fields", table, 2, 9, HEAD "a,0,1,8,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0\n",
          "expected 4 fields, found 20"),
    FAULT("rubbish after a number", table, 2, 7, HEAD "a,0,1,12x\n",
          "expected size as a whole number of bytes", "found '12x'", "characters other"),
    FAULT("space in a number", table, 2, 8, HEAD "a,0,1, 1 2\n", "found '1 2'"),
    FAULT("minus", table, 2, 3, HEAD "a,-1,1,8\n", "expected lower as a whole number",
          "found '-1'", "has a sign"),
    FAULT("plus", table, 2, 5, HEAD "a,0,+1,8\n", "expected upper", "found '+1'", "has a sign"),
    FAULT("fraction", table, 2, 7, HEAD "a,0,1,1.5\n", "found '1.5'", "has a fraction"),
    FAULT("hexadecimal", table, 2, 7, HEAD "a,0,1,0x10\n", "found '0x10'; write 16"),
    FAULT("exponent", table, 2, 7, HEAD "a,0,1,1e3\n", "found '1e3'; write 1000"),
    FAULT("over 2^63 - 1", table, 2, 7, HEAD "a,0,1,9223372036854775808\n",
          "found '9223372036854775808'", "too large"),
    FAULT("far over", table, 2, 7,
          HEAD "a,0,1,99999999999999999999999999999999999999999999999999999999\n", "..."),
    FAULT("number is missing", table, 2, 7, HEAD "a,0,1,\n", "expected size", "empty field"),
    FAULT("lower equals upper", table, 2, 5, HEAD "a,5,5,8\n",
          "expected upper above lower 5, found 5"),
    FAULT("lower above upper", table, 2, 5, HEAD "a,5,4,8\n",
          "expected upper above lower 5, found 4"),
    FAULT("start above end", table, 2, 5, ENDS "a,5,4,8\n",
          "expected end (inclusive) of at least start 5, found 4"),
    FAULT("inclusive end too large", table, 2, 5, ENDS "a,5,9223372036854775807,8\n",
          "end (inclusive)"),
    FAULT("sizes too large together", table, 3, 7, HEAD "a,0,1,9223372036854775807\nb,4,5,1\n",
          "add up", "2^63"),
    FAULT("padding counts", table, 2, 7, FULL "a,0,1,9223372036854775807,2,\n", "add up"),
    FAULT("duplicate id", table, 4, 1, HEAD "a,0,1,8\nb,0,1,8\na,1,2,8\n",
          "duplicate id 'a', first defined on line 2"),
    FAULT("empty id", table, 2, 1, HEAD ",0,1,8\n", "name is empty"),
    FAULT("id not in UTF-8", table, 2, 1, HEAD "a\xff,0,1,8\n", "'a\\xff'", "not valid UTF-8"),
    FAULT("hint not in UTF-8", table, 2, 9, "id,lower,upper,size,hint\na,0,1,8,\xc0\xaf\n",
          "UTF-8", "'\\xc0\\xaf'"),
    FAULT("alignment 0", table, 2, 9, FULL "a,0,1,8,0,\n", "alignment", "1 or more",
          "found '0'"),
    FAULT("alignment is rubbish", table, 2, 9, FULL "a,0,1,8,four,\n", "expected alignment",
          "'four'"),
    FAULT("offset not aligned", table, 2, 11, FULL "a,0,1,8,4,6\n", "fixed offset 6",
          "alignment 4"),
    FAULT("offset with a sign", table, 2, 11, FULL "a,0,1,8,4,-1\n", "expected offset",
          "has a sign"),
    FAULT("offset too high", table, 2, 7, FULL "a,0,1,8,1,9223372036854775807\n", "add up"),
    FAULT("fixed offsets collide", table, 4, 0, FULL "a,0,9,8,1,0\nb,0,9,8,1,\nc,3,5,8,1,4\n",
          "'a' and 'c'", "[4, 8)", "line 2"),
    FAULT("NUL in a field", table, 3, 2, HEAD "a,0,1,8\nb\0,0,1,8\n", "NUL byte"),
    FAULT("NUL in the header", table, 1, 3, "id\0,lower,upper,size\n", "NUL byte"),
    FAULT("UTF-16", table, 1, 2, "i\0d\0,\0", "NUL byte"),
    FAULT("quote inside a field", table, 2, 2, HEAD "a\"b,0,1,8\n",
          "put the whole field in quotes"),
    FAULT("text after a quote", table, 2, 4, HEAD "\"a\"b,0,1,8\n", "expected a comma",
          "'b,0,1,8'"),
    FAULT("quote not closed", table, 2, 1, HEAD "\"a,0,1,8\nb,0,1,8\n",
          "no closing quote on this line"),
    FAULT("quote not closed at the end", table, 2, 7, HEAD "a,0,1,\"\"\"", "closing quote"),
    FAULT("gap with a window", table, 2, 9, GAPS "a,0,9,8,3-5@0:16\n",
          "windowed gap '3-5@0:16' is not supported"),
    FAULT("gap without an end", table, 2, 9, GAPS "a,0,9,8,3\n", "expected gaps such as",
          "found '3'"),
    FAULT("gap with rubbish", table, 2, 13, GAPS "a,0,9,8,1-2 3-x\n", "found '3-x'"),
    FAULT("gap that is empty", table, 2, 9, GAPS "a,0,9,8,3-3\n", "ends after it starts",
          "found '3-3'"),
    FAULT("gap that is reversed", table, 2, 9, "id,start,end,size,gaps\na,0,9,8,3-2\n",
          "does not end before it starts"),
    FAULT("gap outside", table, 2, 9, GAPS "a,2,9,8,1-3\n",
          "within the lifetime [2, 9), found '1-3'"),
    FAULT("gap beyond", table, 2, 9, GAPS "a,2,9,8,3-10\n",
          "within the lifetime [2, 9), found '3-10'"),
    FAULT("gaps that overlap", table, 2, 13, GAPS "a,0,9,8,1-3 2-4\n", "ascending",
          "found '2-4'"),
    FAULT("gaps that descend", table, 2, 13, GAPS "a,0,9,8,5-6 2-4\n", "ascending",
          "found '2-4'"),
    FAULT("gaps leave nothing", table, 2, 9, GAPS "a,0,9,8,0-4 4-9\n",
          "cover the whole lifetime", "[0, 9)"),
    FAULT("plan without offsets", plan, 1, 0, HEAD "a,0,1,8\n", "missing", "offset"),
    FAULT("plan with an offset missing", plan, 3, 11, FULL "a,0,1,8,1,0\nb,0,1,8,1,\n",
          "expected offset", "empty field"),
    FAULT("plan with an end over 2^63 - 1", plan, 2, 11, FULL "a,0,1,8,1,9223372036854775800\n",
          "offset 9223372036854775800 and size 8 add up"),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
