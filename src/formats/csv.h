/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of comma-separated values, taken one by one from a text in memory: RFC 4180, except that
 * a quoted field ends on its own line, so that a row is a line.  Lines end in LF or CRLF, the
 * last one perhaps in neither; empty lines may follow it.
 */
#ifndef FORMATS_CSV_H
#define FORMATS_CSV_H

#include "neap/neap.h"

#define CSV_LINE_LIMIT ((size_t)1 << 20) /* bytes, less the line's end */
#define CSV_FIELDS 16 /* fields kept of a row: more than any table here has columns */

struct csv_field {
  char *text; /* terminated; holds no NUL */
  size_t length;
  size_t column; /* of its first byte, from 1 */
};

struct csv {
  char *next, *end;
  size_t line;        /* of the row, from 1 */
  size_t line_length; /* in bytes */
  size_t count;       /* fields of the row; those past CSV_FIELDS are counted only */
  struct csv_field fields[CSV_FIELDS];
};

/*
 * `text` is terminated by a NUL at text[size].  It is rewritten as rows are read, and fields
 * point into it.
 */
void csv_init(struct csv *csv, char *text, size_t size);

/* Reads the next row; *found is false when there is none. */
neap_status csv_next(struct csv *csv, bool *found, neap_error *error);

/*
 * Reads field `field` of the row as a whole number from `low` on.  A message is of the form
 * "expected NAME as UNIT, found ..."; `unit` is such as "a whole number of bytes".
 */
neap_status csv_number(const struct csv *csv, size_t field, const char *name, const char *unit,
                       int64_t low, int64_t *number, neap_error *error);

/* An error at a field of the row. */
__attribute__((format(printf, 4, 5))) neap_status csv_blame(const struct csv *csv, size_t field,
                                                            neap_error *error,
                                                            const char *format, ...);

/*
 * NEAP_ERROR_FORMAT when a field of CSV cannot say `text`, because it breaks lines or is not
 * valid UTF-8.  It is the `what`, such as "hint", of the buffer `name`.
 */
neap_status csv_check_text(const char *name, const char *what, const char *text,
                           neap_error *error);

#endif
