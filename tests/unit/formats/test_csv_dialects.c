/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as other programs and people write them: separators, comments, blanks, column names, and
 * ends that are the last moment alive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/csv/columns.h"
#include "files/csv/ops.h"
#include "files/csv/plan.h"
#include "files/csv/problem.h"
#include "tests/support/fault.h"

static const neap_reading plain = NEAP_INIT(neap_reading);

/* What warnings there were. */
struct heard {
  size_t count;
  neap_error last;
};

static void hear(const neap_error *warning, void *user) {
  struct heard *heard = user;
  assert_int_equal(warning->status, NEAP_OK);
  heard->count++;
  heard->last = *warning;
}

static neap_status read_as(const char *text, const neap_reading *reading,
                           neap_problem **problem, neap_error *error) {
  char *copy = fault_copy(text, strlen(text));
  neap_status status = csv_problem_read(copy, strlen(text), reading, problem, error);
  free(copy);
  return status;
}

static const struct format csv = {csv_problem_read, csv_problem_write, NULL, NULL};

/* Reading `text` and writing it gives `wanted`. */
static void expect_as(const char *text, const neap_reading *reading, const char *wanted) {
  neap_problem *problem = format_problem(&csv, text, reading);
  format_expect_written(&csv, problem, wanted);
  neap_problem_free(problem);
}

static void expect(const char *text, const char *wanted) { expect_as(text, &plain, wanted); }

#define HEAD "id,lower,upper,size\n"

/* ---------------------------------------------------------------- rows and fields */

TEST(semicolons_and_tabs_separate) {
  expect("id;lower;upper;size\na;0;1;8\n", HEAD "a,0,1,8\n");
  expect("id\tlower\tupper\tsize\na b\t0\t1\t8\n", HEAD "a b,0,1,8\n");
  expect("\"id\";\"lower\";\"upper\";\"size\"\n\"a;b\";0;1;8\n", HEAD "a;b,0,1,8\n");
  expect("id;lower;upper;size\na,b;0;1;8\n", HEAD "\"a,b\",0,1,8\n");
  expect("id,lower,upper,size,hint\na,0,1,8,x;y\tz\n",
         "id,lower,upper,size,hint\na,0,1,8,x;y\tz\n");
  expect("\"a;b\",id,lower,upper,size\n-,a,0,1,8\n", HEAD "a,0,1,8\n");
}

TEST(comments_and_blank_lines_are_skipped) {
  static const char wanted[] = HEAD "a,0,1,8\nb,1,2,9\n";
  expect("# made by hand; see x, y\n\n  # more\n" HEAD
         "a,0,1,8\n\n \t \r\n#c,0,1,8\nb,1,2,9\n#",
         wanted);
  expect("\n\n" HEAD "\na,0,1,8\n\nb,1,2,9\n\n", wanted);
  expect("#a;b\nid\tlower\tupper\tsize\n#\t\na\t0\t1\t8\n\t\t\nb\t1\t2\t9\n", wanted);
}

/* Read again, such a name must be neither taken for a comment nor trimmed. */
TEST(ambiguous_names_are_quoted) {
  static const char table[] = HEAD "\"#a\",0,1,8\n\" b\",0,1,8\n\"c\t\",0,1,8\nd#,0,1,8\n";
  expect(table, table);
  expect("hint\tid\tlower\tupper\tsize\n\t#1\t0\t1\t8\n",
         "hint,id,lower,upper,size\n,\"#1\",0,1,8\n");
}

TEST(blanks_around_fields_are_dropped) {
  expect(" id , lower,upper ,size\n a b , 0,1 ,\t8\t\n", HEAD "a b,0,1,8\n");
  expect("id, lower, upper, size\n \"a, b\" , 0, 1, 8\n", HEAD "\"a, b\",0,1,8\n");
  expect("id ;lower;upper;size\n\ta\t;0;1;8\n", HEAD "a,0,1,8\n");
}

/* ---------------------------------------------------------------- columns */

TEST(case_spaces_and_hyphens_do_not_matter) {
  expect("ID,Lower,UPPER,Size\na,0,1,8\n", HEAD "a,0,1,8\n");
  expect("Buffer ID,BEGIN,End,Bytes\na,0,0,8\n", "buffer_id,begin,end,bytes\na,0,0,8\n");
  expect("buffer-id,first,last,size\na,0,0,8\n", "buffer_id,first,last,size\na,0,0,8\n");
}

TEST(other_columns_are_ignored_with_one_warning) {
  struct heard heard = {0};
  const neap_reading reading = {
      .struct_size = sizeof(neap_reading), .warn = hear, .warn_user = &heard};
  expect_as("# x\nid,dtype,lower,upper,x y,size,\na,f32,0,1,,8,\n", &reading, HEAD "a,0,1,8\n");
  assert_int_equal(heard.count, 1);
  assert_int_equal(heard.last.line, 2);
  assert_int_equal(heard.last.column, 4);
  assert_string_equal(heard.last.text, "ignored columns 'dtype', 'x y', ''");
  expect_as("id,lower,upper,size,colour\na,0,1,8,red\n", &reading, HEAD "a,0,1,8\n");
  assert_string_equal(heard.last.text, "ignored column 'colour'");
  heard.count = 0;
  expect_as("id,lower,upper,size,object\na,0,1,8,0\n", &reading, HEAD "a,0,1,8\n");
  assert_int_equal(heard.count, 0);
  expect_as(HEAD, &reading, HEAD);
  assert_int_equal(heard.count, 1);
  assert_string_equal(heard.last.text, "the table has no rows");
  expect("id,lower,upper,size,colour\na,0,1,8,red\n", HEAD "a,0,1,8\n"); /* nobody listens */
}

/* `count` useless columns, and then the required ones. */
static char *wide_table(size_t count) {
  char *text = malloc(count * 32 + 100);
  assert_non_null(text);
  size_t at = 0;
  for (size_t i = 0; i < count; i++)
    at += (size_t)sprintf(text + at, "column number %zu,", i);
  at += (size_t)sprintf(text + at, "id,lower,upper,size\n");
  for (size_t i = 0; i < count; i++)
    text[at++] = ',';
  sprintf(text + at, "a,0,1,8\n");
  return text;
}

TEST(tables_can_be_wide) {
  struct heard heard = {0};
  const neap_reading reading = {
      .struct_size = sizeof(neap_reading), .warn = hear, .warn_user = &heard};
  char *text = wide_table(CSV_FIELDS - 4);
  expect_as(text, &reading, HEAD "a,0,1,8\n");
  assert_int_equal(heard.count, 1);
  assert_non_null(strstr(heard.last.text, "'column number 0', 'column number 1', "));
  assert_non_null(strstr(heard.last.text, " more"));
  free(text);
  text = wide_table(CSV_FIELDS - 3);
  neap_problem *problem;
  neap_error error;
  assert_int_equal(read_as(text, &plain, &problem, &error), NEAP_ERROR_INPUT);
  assert_string_equal(error.text, "expected up to 256 columns, found 257");
  free(text);
}

static const neap_column renamed[] = {{"id", "buf"}, {"Bytes", "n bytes"}, {"upper", "end"}};
static const neap_reading by_name = {
    .struct_size = sizeof(neap_reading), .table.columns = renamed, .table.column_count = 3};

TEST(columns_can_be_named) {
  struct heard heard = {0};
  neap_reading reading = by_name;
  reading.warn = hear;
  reading.warn_user = &heard;
  expect_as("id,size,BUF,start,end,N-bytes\n7,1 x 8,a,0,1,8\n", &reading,
            "id,start,upper,bytes\na,0,1,8\n");
  assert_string_equal(heard.last.text, "ignored columns 'id', 'size'");
}

TEST(given_names_can_be_those_of_other_columns) {
  const neap_column swapped[] = {{"lower", "end"}, {"upper", "start"}};
  const neap_reading reading = {
      .struct_size = sizeof(neap_reading), .table.columns = swapped, .table.column_count = 2};
  expect_as("id,start,end,size\na,5,3,8\n", &reading, "id,upper,lower,size\na,5,3,8\n");
}

/* ---------------------------------------------------------------- ends */

TEST(ends_can_be_inclusive) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading), .table.inclusive = true};
  expect_as(HEAD "a,0,0,8\n", &reading, HEAD "a,0,1,8\n");
  expect_as("id,start,end,size\na,0,0,8\n", &reading, "id,start,end,size\na,0,0,8\n");
  expect_as("id,lower,upper,size,gaps\na,0,9,8,2-3 5-5\n", &reading,
            "id,lower,upper,size,gaps\na,0,10,8,2-4 5-6\n");
  const neap_column finish[] = {{"last", "finish"}};
  expect_as("id,lower,finish,size\na,0,0,8\n",
            &(neap_reading){.struct_size = sizeof(neap_reading),
                            .table.columns = finish,
                            .table.column_count = 1},
            "id,lower,last,size\na,0,0,8\n");
}

TEST(plans_have_the_same_options) {
  static const char text[] = "buf;where;start;end;n bytes\na;8;0;3;16\nb;0;3;4;24\n";
  const neap_column columns[] = {
      {"id", "buf"}, {"offset", "where"}, {"size", "n_bytes"}, {"upper", "end"}};
  const neap_reading reading = {
      .struct_size = sizeof(neap_reading), .table.columns = columns, .table.column_count = 4};
  char *copy = fault_copy(text, strlen(text));
  neap_plan *plan;
  neap_error error;
  assert_ok(csv_plan_read(copy, strlen(text), &reading, &plan, &error), &error);
  free(copy);
  assert_int_equal(neap_plan_offset(plan, 0), 8);
  assert_ok(neap_plan_verify(plan, 24, &error), &error);
  neap_plan_free(plan);
}

/* ---------------------------------------------------------------- what it looks like */

static bool is_operations(const char *text) { return ops_is(text, strlen(text), &plain); }

TEST(operations_are_distinguished_from_buffers) {
  assert_true(is_operations("name,\"type\",size\r\nx,y,kind\n"));
  assert_true(is_operations("# lower,upper\n\n ID ; Type ;Bytes\n"));
  assert_true(is_operations("type"));
  assert_true(is_operations("name,type,lower"));
  assert_false(is_operations("name,lower,upper,size,type\n"));
  assert_false(is_operations("id,lower,upper,size\ntype,0,1,8\n"));
  assert_false(is_operations("kind,typ,types"));
  assert_false(is_operations(""));
  assert_false(is_operations("\""));
  assert_false(is_operations("# type"));
  assert_false(ops_is("type", 0, &plain));
}

/* ---------------------------------------------------------------- what is refused, and where */

FAULT_READER(table, problem, csv_problem_read)
FAULT_READER_AS(inclusive_table, problem, csv_problem_read,
                {.struct_size = sizeof(neap_reading), .table.inclusive = true})
FAULT_READER_AS(renamed_table, problem, csv_problem_read, by_name)

/* Names that were asked for and cannot be had are the caller's mistake. */
static void expect_wrong_names(const neap_column *columns, size_t count, const char *words) {
  neap_problem *problem;
  neap_error error;
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .table.columns = columns,
                                .table.column_count = count};
  assert_int_equal(read_as("id,lower,upper,nbytes\n", &reading, &problem, &error),
                   NEAP_ERROR_ARGUMENT);
  if (!strstr(error.text, words)) fail_msg("expected \"%s\" in: %s", words, error.text);
}

TEST(wrong_names_are_refused) {
  expect_wrong_names((const neap_column[]){{"colour", "x"}}, 1,
                     "'colour' is not a column of such a table; use one of id, ");
  expect_wrong_names((const neap_column[]){{"type", "x"}}, 1, "'type' is not a column");
  expect_wrong_names(
      (const neap_column[]){{"size", "bytes"}}, 1,
      "no column 'bytes' in the header, which has 'id', 'lower', 'upper', 'nbytes'");
  expect_wrong_names((const neap_column[]){{"size", "nbytes"}, {"bytes", "id"}}, 2,
                     "size or bytes or size_bytes or nbytes given twice");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(semicolons_and_tabs_separate),
    cmocka_unit_test(comments_and_blank_lines_are_skipped),
    cmocka_unit_test(ambiguous_names_are_quoted),
    cmocka_unit_test(blanks_around_fields_are_dropped),
    cmocka_unit_test(case_spaces_and_hyphens_do_not_matter),
    cmocka_unit_test(other_columns_are_ignored_with_one_warning),
    cmocka_unit_test(tables_can_be_wide),
    cmocka_unit_test(columns_can_be_named),
    cmocka_unit_test(given_names_can_be_those_of_other_columns),
    cmocka_unit_test(ends_can_be_inclusive),
    cmocka_unit_test(plans_have_the_same_options),
    cmocka_unit_test(operations_are_distinguished_from_buffers),
    cmocka_unit_test(wrong_names_are_refused),

    FAULT("comments only", table, 0, 0, "# a\n\n", "expected a header row",
          "only blank lines and comments"),
    FAULT("a place after comments", table, 6, 7, "# a\n\n" HEAD "# b\na,0,1,8\nb,0,1,x\n",
          "expected size", "found 'x'"),
    FAULT("a place in a semicolon table", table, 2, 9, "id;lower;upper;size\n a;0; 1;-8\n",
          "expected size", "found '-8'"),
    FAULT("a place after tabs", table, 2, 6, "id\tlower\tupper\tsize\nab\t0\t1,5\t8\n",
          "expected upper", "found '1,5'"),
    FAULT("commas in a semicolon table", table, 2, 8, "id;lower;upper;size\na,0,1,8\n",
          "expected 4 fields, found 1", "semicolon"),
    FAULT("duplicate id after comments", table, 7, 1,
          "#\n" HEAD "a,0,1,8\n#\n#\nb,0,1,8\na,1,2,8\n",
          "duplicate id 'a', first defined on line 3"),
    FAULT("first of a duplicate after comments", table, 6, 1,
          HEAD "a,0,1,8\n\n#\nb,0,1,8\nb,1,2,8\n", "first defined on line 5"),
    FAULT("collision after comments", table, 6, 0,
          "id,lower,upper,size,offset\na,0,9,8,0\n\n#\nb,0,9,8,\nc,3,5,8,4\n", "'a' and 'c'",
          "line 2"),
    FAULT("text after a quote in a semicolon table", table, 2, 5,
          "id;lower;upper;size\n\"a\" b;0;1;8\n", "expected a semicolon", "'b;0;1;8'"),
    FAULT("text after a quote in a tab table", table, 2, 4,
          "id\tlower\tupper\tsize\n\"a\"b\t0\t1\t8\n", "expected a tab"),
    FAULT("an end below the start", inclusive_table, 2, 5, HEAD "a,5,4,8\n",
          "expected upper (inclusive) of at least lower 5, found 4"),
    FAULT("an end that may be inclusive", table, 2, 5, HEAD "a,5,5,8\n",
          "neap_reading.table.inclusive"),
    FAULT("a number in a renamed column", renamed_table, 2, 7,
          "buf,lower,end,n_bytes\na,0,1,x\n", "expected n bytes as"),
    FAULT("a renamed column twice", renamed_table, 1, 5, "buf,BUF,lower,end,n bytes\n",
          "columns 'buf' and 'BUF' mean the same"),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
