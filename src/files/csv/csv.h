/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of separated values, read one by one from a text in memory.  RFC 4180, with these
 * differences:
 *   - a quoted field ends on its own line, so that a row is a line;
 *   - lines end in LF or CRLF, the last one perhaps in neither;
 *   - fields are separated by commas, semicolons or tabs: by whichever comes first, outside quotes,
 *     in the first row;
 *   - blanks around a field are not part of it, unless it is in quotes;
 *   - blank lines, and lines whose first character other than a blank is #, are skipped.
 */
#ifndef FILES_CSV_CSV_H
#define FILES_CSV_CSV_H

#include "neap/neap.h"

#define CSV_LINE_LIMIT ((size_t)1 << 20) /* bytes, without the line's end */
#define CSV_FIELDS 256 /* fields kept of a row, which is also the limit on columns */

struct csv_field {
  char *text; /* terminated; holds no NUL */
  size_t length;
  size_t column; /* of its first byte, from 1 */
};

struct csv {
  char *next, *end;
  char separator;
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

/* "comma", "semicolon" or "tab". */
const char *csv_separator_name(const struct csv *csv);

/* Reads the next row; *found is false if there is none. */
neap_status csv_next(struct csv *csv, bool *found, neap_error *error);

/*
 * The lines of rows, kept where lines are skipped between them.  Begin with a zeroed struct; shifts
 * are released with free().
 */
struct csv_lines {
  struct csv_shift {
    size_t row, offset; /* from this row on, row r is on line r + offset */
  } * shifts;
  size_t count, capacity;
};

/* Notes the line of a row, after those of all rows before it; false if memory is short. */
bool csv_lines_note(struct csv_lines *lines, size_t row, size_t line);

/* The line of a noted row. */
size_t csv_lines_find(const struct csv_lines *lines, size_t row);

/* A position in the first row of a text, which is not modified. */
struct csv_glance {
  const char *at, *end;
  char separator;
};

/* Starts at the first row. */
void csv_glance(struct csv_glance *glance, const char *text, size_t size);

/*
 * Finds the next field, without the quotes around it; a separator in quotes also ends it.
 * False after the last.
 */
bool csv_glance_field(struct csv_glance *glance, const char **text, size_t *length);

/*
 * Reads field `field` of the row as a whole number of at least `low`.  A message has the form
 * "expected NAME as UNIT, found ..."; `unit` is for example "a whole number of bytes".
 */
neap_status csv_number(const struct csv *csv, size_t field, const char *name, const char *unit,
                       int64_t low, int64_t *number, neap_error *error);

/* Reports an error at a field of the row. */
__attribute__((format(printf, 4, 5))) neap_status csv_blame(const struct csv *csv, size_t field,
                                                            neap_error *error,
                                                            const char *format, ...);

/*
 * NEAP_ERROR_FORMAT if a CSV field cannot hold `text`, because it has line breaks or is not valid
 * UTF-8.  `text` is the `what` of buffer `name`, for example its "hint".
 */
neap_status csv_check_text(const char *name, const char *what, const char *text,
                           neap_error *error);

#endif
