/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of tables: their names, of which some are spellings of one thing, and the header row
 * that says which a table has and in which order.
 */
#ifndef FORMATS_COLUMNS_H
#define FORMATS_COLUMNS_H

#include "formats/csv.h"
#include "model/problem.h"

/* A spelling.  These are the codes in problem->columns. */
enum column {
  COLUMN_ID,
  COLUMN_BUFFER,
  COLUMN_BUFFER_ID,
  COLUMN_NAME,
  COLUMN_LOWER,
  COLUMN_START,
  COLUMN_BEGIN,
  COLUMN_UPPER,
  COLUMN_END, /* the last moment alive; all other ends are one past it */
  COLUMN_TYPE,
  COLUMN_SIZE,
  COLUMN_ALIGNMENT,
  COLUMN_ALIGN,
  COLUMN_GAPS,
  COLUMN_OFFSET,
  COLUMN_HINT,
  COLUMN_OBJECT /* of a plan of shared objects: for others to read; neap takes it from JSON */
};

/* What a column says. */
enum column_role {
  ROLE_NAME,
  ROLE_START,
  ROLE_END,
  ROLE_TYPE,
  ROLE_SIZE,
  ROLE_ALIGNMENT,
  ROLE_GAPS,
  ROLE_OFFSET,
  ROLE_HINT,
  ROLE_OBJECT,
  ROLE_COUNT
};

enum columns_table { TABLE_BUFFERS = 1, TABLE_OPERATIONS = 2 };

#define COLUMNS_NONE SIZE_MAX

struct columns {
  unsigned char codes[PROBLEM_COLUMNS];
  size_t count;
  size_t place[ROLE_COUNT]; /* the field that holds it, or COLUMNS_NONE */
};

/*
 * Reads the header row, which must be the first of `csv`.  Unknown, doubled and missing columns
 * are errors that name them.
 */
neap_status columns_read(struct columns *columns, struct csv *csv, enum columns_table table,
                         neap_error *error);

/* Whether the row at hand has as many fields as there are columns. */
neap_status columns_check_row(const struct columns *columns, const struct csv *csv,
                              neap_error *error);

/*
 * Whether the line that `text` begins with has a column of this name, as far as can be told
 * without reading it as CSV.
 */
bool columns_mention(const char *text, size_t size, const char *name);

const char *columns_name(unsigned char code);
enum column_role columns_role(unsigned char code);

/* How the table at hand spells what it has: "lower". */
static inline const char *columns_spelling(const struct columns *columns,
                                           enum column_role role) {
  return columns_name(columns->codes[columns->place[role]]);
}

#endif
