/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For tests of formats: texts to read, texts that were written, and faults in texts, each of
 * which is a case.
 */
#ifndef UNIT_FAULT_H
#define UNIT_FAULT_H

#include <stdio.h>

#include "tests/unit/sample.h"

/*
 * A terminated copy that ends where the text does, so that a sanitizer sees who reads on;
 * released with free().
 */
char *fault_copy(const char *text, size_t size);

/* What is written to the stream comes out as a text, which is to be released with free(). */
struct fault_output {
  char *text;
  size_t size;
  FILE *stream;
};

void fault_output_open(struct fault_output *output);
char *fault_output_close(struct fault_output *output);

/* Reads the text, which it may rewrite, and releases what comes of it. */
typedef neap_status fault_reader(char *text, size_t size, neap_error *error);

struct fault {
  fault_reader *read;
  const char *text;
  size_t size;
  size_t line, column;
  const char *words[3]; /* all of them in the message */
};

/*
 * The case of a struct fault: reading says NEAP_ERROR_INPUT at that place, in one line with
 * these words.
 */
void fault_is_refused(void **state);

#define FAULT(name, read, line, column, text, ...)                    \
  {                                                                   \
    "refused: " name, fault_is_refused, NULL, NULL, &(struct fault) { \
      read, text, sizeof text - 1, line, column, { __VA_ARGS__ }      \
    }                                                                 \
  }

#endif
