/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *fault_copy(const char *text, size_t size) {
  char *copy = malloc(size + 1);
  assert_non_null(copy);
  memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}

void fault_output_open(struct fault_output *output) {
  output->stream = open_memstream(&output->text, &output->size);
  assert_non_null(output->stream);
}

char *fault_output_close(struct fault_output *output) {
  assert_int_equal(fclose(output->stream), 0);
  return output->text;
}

/* ---------------------------------------------------------------- formats */

static const neap_reading plain;

neap_problem *format_problem(const struct format *format, const char *text,
                             const neap_reading *reading) {
  neap_problem *problem = NULL;
  neap_error error;
  char *copy = fault_copy(text, strlen(text));
  assert_ok(
      format->read_problem(copy, strlen(text), reading ? reading : &plain, &problem, &error),
      &error);
  free(copy);
  return problem;
}

neap_plan *format_plan(const struct format *format, const char *text) {
  neap_plan *plan = NULL;
  neap_error error;
  char *copy = fault_copy(text, strlen(text));
  assert_ok(format->read_plan(copy, strlen(text), &plain, &plan, &error), &error);
  free(copy);
  return plan;
}

char *format_written(const struct format *format, const neap_problem *problem) {
  struct fault_output output;
  neap_error error;
  fault_output_open(&output);
  assert_ok(format->write_problem(problem, output.stream, &error), &error);
  return fault_output_close(&output);
}

char *format_written_plan(const struct format *format, const neap_plan *plan) {
  struct fault_output output;
  neap_error error;
  fault_output_open(&output);
  assert_ok(format->write_plan(plan, output.stream, &error), &error);
  return fault_output_close(&output);
}

void format_expect_written(const struct format *format, const neap_problem *problem,
                           const char *wanted) {
  char *text = format_written(format, problem);
  assert_string_equal(text, wanted);
  free(text);
}

void format_expect(const struct format *format, const char *text, const char *wanted) {
  neap_problem *problem = format_problem(format, text, NULL);
  format_expect_written(format, problem, wanted);
  neap_problem_free(problem);
}

void format_expect_plan(const struct format *format, const char *text, const char *wanted) {
  neap_plan *plan = format_plan(format, text);
  char *written = format_written_plan(format, plan);
  assert_string_equal(written, wanted);
  free(written);
  neap_plan_free(plan);
}

/* ---------------------------------------------------------------- faults */

static neap_status read_copy(const struct fault *fault, neap_error *error) {
  char *copy = fault_copy(fault->text, fault->size);
  neap_status status = fault->read(copy, fault->size, error);
  free(copy);
  return status;
}

void fault_is_refused(void **state) {
  const struct fault *fault = *state;
  neap_error error = {.line = 77, .column = 77, .text = ""};
  neap_status status = read_copy(fault, &error);
  if (status != NEAP_ERROR_INPUT || error.status != status)
    fail_msg("expected bad input, found %s", neap_status_name(status));
  if (error.line != fault->line || error.column != fault->column)
    fail_msg("expected %zu:%zu, found %zu:%zu: %s", fault->line, fault->column, error.line,
             error.column, error.text);
  for (size_t i = 0; i < SAMPLE_COUNT(fault->words) && fault->words[i]; i++)
    if (!strstr(error.text, fault->words[i]))
      fail_msg("expected \"%s\" in: %s", fault->words[i], error.text);
  assert_null(strchr(error.text, '\n'));
  assert_int_equal(read_copy(fault, NULL), status); /* the error is optional */
}
