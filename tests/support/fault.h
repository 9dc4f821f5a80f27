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

/* The functions of a format; those that it lacks are NULL. */
struct format {
  neap_status (*read_problem)(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);
  neap_status (*write_problem)(const neap_problem *problem, FILE *stream, neap_error *error);
  neap_status (*read_plan)(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error);
  neap_status (*write_plan)(const neap_plan *plan, FILE *stream, neap_error *error);
};

/* `reading` may be NULL. */
neap_problem *format_problem(const struct format *format, const char *text,
                             const neap_reading *reading);
neap_plan *format_plan(const struct format *format, const char *text);

/* Released with free(). */
char *format_written(const struct format *format, const neap_problem *problem);
char *format_written_plan(const struct format *format, const neap_plan *plan);

/* Writing the problem, or the problem or plan that `text` describes, gives `wanted`. */
void format_expect_written(const struct format *format, const neap_problem *problem,
                           const char *wanted);
void format_expect(const struct format *format, const char *text, const char *wanted);
void format_expect_plan(const struct format *format, const char *text, const char *wanted);

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

/* Defines a fault_reader with a reader of a format; `type` is "problem" or "plan". */
#define FAULT_READER(name, type, read) \
  FAULT_READER_AS(name, type, read, NEAP_INIT(neap_reading))
#define FAULT_READER_AS(name, type, read, ...)                          \
  static neap_status name(char *text, size_t size, neap_error *error) { \
    const neap_reading reading = __VA_ARGS__;                           \
    neap_##type *made = NULL;                                           \
    neap_status status = read(text, size, &reading, &made, error);      \
    neap_##type##_free(made);                                           \
    return status;                                                      \
  }

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
