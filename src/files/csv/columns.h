/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of tables: their names, several of which may mean the same, and the header row, which
 * tells which columns a table has and in which order.
 *
 * Names match in either case, and a space or a hyphen in them matches an underscore.  Columns
 * with other names are ignored, with one warning that lists them.  `reading->table.columns`
 * renames columns: the column with the given name, and no other, has the given role, whatever
 * its name means otherwise.
 */
#ifndef FILES_CSV_COLUMNS_H
#define FILES_CSV_COLUMNS_H

#include "files/csv/csv.h"
#include "neap/neap-io.h"

/* Spellings of column names. */
enum column {
  COLUMN_ID,
  COLUMN_BUFFER,
  COLUMN_BUFFER_ID,
  COLUMN_NAME,
  COLUMN_TENSOR,
  COLUMN_TENSOR_NAME,
  COLUMN_LOWER,
  COLUMN_START,
  COLUMN_BEGIN,
  COLUMN_FIRST,
  COLUMN_FIRST_USE,
  COLUMN_ALLOC,
  COLUMN_UPPER, /* the first moment no longer alive */
  COLUMN_FREE,  /* the first moment no longer alive */
  COLUMN_END,   /* the last moment alive */
  COLUMN_LAST,  /* the last moment alive, as is the next */
  COLUMN_LAST_USE,
  COLUMN_TYPE,
  COLUMN_SIZE,
  COLUMN_BYTES,
  COLUMN_SIZE_BYTES,
  COLUMN_NBYTES,
  COLUMN_ALIGNMENT,
  COLUMN_ALIGN,
  COLUMN_GAPS,
  COLUMN_OFFSET,
  COLUMN_HINT,
  COLUMN_OBJECT, /* in plans of shared objects, for other readers: neap reads objects from JSON */
  COLUMN_POOL,
  COLUMN_POOLS,
  COLUMN_WINDOW_LOW,
  COLUMN_WINDOW_HIGH,
  COLUMN_BANK,
  COLUMN_NEAR,
  COLUMN_MOVE_COST
};

/* What a column means. */
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
  ROLE_POOL,
  ROLE_WINDOW_LOW,
  ROLE_WINDOW_HIGH,
  ROLE_BANK,
  ROLE_NEAR,
  ROLE_MOVE_COST,
  ROLE_COUNT
};

enum columns_table { TABLE_BUFFERS = 1, TABLE_OPERATIONS = 2 };

#define COLUMNS_NONE SIZE_MAX
#define COLUMNS_MAX ROLE_COUNT

struct columns {
  size_t field_count;               /* in every row, ignored columns included */
  unsigned char codes[COLUMNS_MAX]; /* of the columns that are used, as the table has them */
  size_t count;
  size_t place[ROLE_COUNT];      /* the field that holds it, or COLUMNS_NONE */
  const char *names[ROLE_COUNT]; /* for messages: "lower" */
};

/*
 * Reads the header row, the first of `csv`, and warns of ignored columns.  NEAP_ERROR_INPUT
 * names missing and duplicate columns; NEAP_ERROR_ARGUMENT describes what is wrong with
 * `reading->table.columns`.  The texts in `reading->table.columns` must outlive `columns`.
 */
neap_status columns_read(struct columns *columns, struct csv *csv, enum columns_table table,
                         const neap_reading *reading, neap_error *error);

/* Checks that the current row has as many fields as the header. */
neap_status columns_check_row(const struct columns *columns, const struct csv *csv,
                              neap_error *error);

/* Marks the roles that the columns in the first row of a text may have. */
void columns_glance(const char *text, size_t size, const neap_reading *reading,
                    bool has[ROLE_COUNT]);

const char *columns_name(unsigned char code);
enum column_role columns_role(unsigned char code);

/* Whether an end in this column is the last moment alive. */
bool columns_is_inclusive(unsigned char code);

#endif
