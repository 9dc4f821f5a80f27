/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For tests of formats: texts to read, written texts, and faults in texts, each of which is a
 * test case.
 */
#ifndef SUPPORT_FAULT_H
#define SUPPORT_FAULT_H

#include <stdio.h>

#include "tests/support/sample.h"

/*
 * A terminated copy without spare room, so that a sanitizer notices reads past its end;
 * released with free().
 */
char *fault_copy(const char *text, size_t size);

/* A stream whose output is returned as a text, which is released with free(). */
struct fault_output {
  char *text;
  size_t size;
  FILE *stream;
};

void fault_output_open(struct fault_output *output);
char *fault_output_close(struct fault_output *output);

/* Reads the text, which it may rewrite, and releases the result. */
typedef neap_status fault_reader(char *text, size_t size, neap_error *error);

struct fault {
  fault_reader *read;
  const char *text;
  size_t size;
  size_t line, column;
  const char *words[3]; /* the message has all of them */
};

/*
 * The test case for a struct fault: reading returns NEAP_ERROR_INPUT at that place, with a
 * message of one line that has these words.
 */
void fault_is_refused(void **state);

#define FAULT(name, read, line, column, text, ...)                    \
  {                                                                   \
    "refused: " name, fault_is_refused, NULL, NULL, &(struct fault) { \
      read, text, sizeof text - 1, line, column, { __VA_ARGS__ }      \
    }                                                                 \
  }

#endif
