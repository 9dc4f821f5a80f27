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
